import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import com.datastax.oss.driver.api.core.cql.Row;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import orrery.OrreryServer;

/**
 * A CqlTest has one server for all its tests, and a keyspace and a session in it for each of them: a session prepares
 * each text once, whatever keyspace it is in later.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class CqlTest {
  static final Duration PATIENCE = Duration.ofSeconds(OrreryServer.PATIENCE_SECONDS);
  static final String REPLICATION = "WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}";

  OrreryServer server;
  CqlSession session;
  String keyspace;
  private final List<CqlSession> opened = new ArrayList<>();

  @BeforeAll
  void startServer() {
    server = OrreryServer.start();
  }

  @AfterAll
  void stopServer() {
    server.close();
  }

  @BeforeEach
  void createKeyspace(TestInfo test) {
    keyspace = test.getTestMethod().orElseThrow().getName().replaceAll("\\W", "_").toLowerCase();
    keyspace = keyspace.substring(0, Math.min(48, keyspace.length()));
    session = connect(builder(patient()));
    session.execute("CREATE KEYSPACE IF NOT EXISTS " + keyspace + " " + REPLICATION);
    session.execute("USE " + keyspace);
  }

  @AfterEach
  void closeSessions() {
    opened.forEach(CqlSession::close);
    opened.clear();
  }

  /**
   * The driver's defaults, but for times. On a busy machine two seconds are soon over; and no test needs the second that
   * the driver waits after each change of the schema, or the two when a session is closed.
   */
  static ProgrammaticDriverConfigLoaderBuilder patient() {
    return DriverConfigLoader.programmaticBuilder()
        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, PATIENCE)
        .withDuration(DefaultDriverOption.CONNECTION_CONNECT_TIMEOUT, PATIENCE)
        .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, PATIENCE)
        .withDuration(DefaultDriverOption.CONNECTION_SET_KEYSPACE_TIMEOUT, PATIENCE)
        .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, PATIENCE)
        .withDuration(DefaultDriverOption.METADATA_SCHEMA_REQUEST_TIMEOUT, PATIENCE)
        .withDuration(DefaultDriverOption.METADATA_SCHEMA_WINDOW, Duration.ZERO)
        .withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 0)
        .withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 0)
        .withDuration(DefaultDriverOption.RECONNECTION_BASE_DELAY, Duration.ofMillis(50))
        .withDuration(DefaultDriverOption.RECONNECTION_MAX_DELAY, Duration.ofMillis(200));
  }

  CqlSessionBuilder builder(ProgrammaticDriverConfigLoaderBuilder options) {
    return CqlSession.builder().addContactPoint(new InetSocketAddress("127.0.0.1", server.cqlPort()))
        .withLocalDatacenter("datacenter1").withConfigLoader(options.build());
  }

  /** Opens one more session, which ends with the test. */
  CqlSession connect(CqlSessionBuilder builder) {
    CqlSession made = builder.build();
    opened.add(made);
    return made;
  }

  Row one(String query, Object... values) {
    List<Row> rows = session.execute(query, values).all();
    if (rows.size() != 1) {
      throw new AssertionError(rows.size() + " rows of " + query);
    }
    return rows.get(0);
  }

  /** Waits for what must happen but tells nobody when it does. */
  static void eventually(String what, BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("never happened: " + what);
      }
      Thread.sleep(10);
    }
  }
}
