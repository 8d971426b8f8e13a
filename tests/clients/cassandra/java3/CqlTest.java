import com.datastax.driver.core.Cluster;
import com.datastax.driver.core.Row;
import com.datastax.driver.core.Session;
import com.datastax.driver.core.SocketOptions;
import com.datastax.driver.core.policies.ConstantReconnectionPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import orrery.OrreryServer;

/** A CqlTest has one server and one session for all its tests, and a keyspace for each of them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class CqlTest {
  static final int PATIENCE_MS = OrreryServer.PATIENCE_SECONDS * 1000;
  static final String REPLICATION = "WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}";

  OrreryServer server;
  Cluster cluster;
  Session session;
  String keyspace;
  private final List<Cluster> opened = new ArrayList<>();

  @BeforeAll
  void startServer() {
    server = OrreryServer.start();
    cluster = open(builder());
    session = cluster.connect();
  }

  @AfterAll
  void stopServer() {
    opened.forEach(Cluster::close);
    server.close();
  }

  @BeforeEach
  void createKeyspace(TestInfo test) {
    keyspace = test.getTestMethod().orElseThrow().getName().toLowerCase();
    session.execute("CREATE KEYSPACE IF NOT EXISTS " + keyspace + " " + REPLICATION);
    session.execute("USE " + keyspace);
  }

  /** The driver's defaults, but for times: a busy machine needs more. */
  Cluster.Builder builder() {
    return Cluster.builder().addContactPoint("127.0.0.1").withPort(server.cqlPort()).withoutJMXReporting()
        .withReconnectionPolicy(new ConstantReconnectionPolicy(50))
        .withSocketOptions(new SocketOptions().setReadTimeoutMillis(PATIENCE_MS).setConnectTimeoutMillis(PATIENCE_MS));
  }

  /** One more cluster, which is closed with the class. */
  Cluster open(Cluster.Builder builder) {
    Cluster made = builder.build();
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
    long end = System.nanoTime() + PATIENCE_MS * 1_000_000L;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("never happened: " + what);
      }
      Thread.sleep(10);
    }
  }
}
