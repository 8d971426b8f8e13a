import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchStatementBuilder;
import com.datastax.oss.driver.api.core.cql.DefaultBatchType;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import policies.NeverRetry;

/** A warning comes with the result, and the connection that brought it goes on. */
class WarningsTest extends CqlTest {
  private static final String AGGREGATION = "Aggregation query used without partition key";
  private static final int ROWS = 40;
  private CqlSession speaker;

  @BeforeEach
  void createTable() {
    session.execute("CREATE TABLE IF NOT EXISTS t (k int PRIMARY KEY, v int, s text)");
    for (int k = 0; k < ROWS; k++) {
      session.execute("INSERT INTO t (k, v) VALUES (?, ?)", k, k);
    }
  }

  /** A session with one connection: if the server or the driver closed it, the next request would fail. */
  private CqlSession oneConnection(String version) {
    speaker = connect(builder(patient().withString(DefaultDriverOption.PROTOCOL_VERSION, version)
        .withInt(DefaultDriverOption.CONNECTION_POOL_LOCAL_SIZE, 1)
        .withString(DefaultDriverOption.RETRY_POLICY_CLASS, NeverRetry.class.getName())).withKeyspace(keyspace));
    return speaker;
  }

  private ResultSet warned(Statement<?> statement, String warning) {
    ResultSet result = speaker.execute(statement);
    List<String> warnings = result.getExecutionInfo().getWarnings();
    assertEquals(1, warnings.size(), warnings.toString());
    assertTrue(warnings.get(0).contains(warning), warnings.get(0));
    goesOn();
    return result;
  }

  private void goesOn() {
    ResultSet next = speaker.execute("SELECT v FROM t WHERE k = 7");
    assertEquals(7, next.one().getInt("v"));
    assertEquals(List.of(), next.getExecutionInfo().getWarnings());
  }

  @ParameterizedTest
  @ValueSource(strings = {"V4", "V5"})
  void aggregatesOverAllPartitions(String version) {
    CqlSession warnedOften = oneConnection(version);
    assertEquals(ROWS, warned(SimpleStatement.newInstance("SELECT count(*) FROM t"), AGGREGATION).one().getLong(0));
    assertEquals(ROWS - 1, warned(SimpleStatement.newInstance("SELECT max(v) FROM t"), AGGREGATION).one().getInt(0));
    PreparedStatement sum = warnedOften.prepare("SELECT sum(v) AS total, avg(v) AS mean FROM t");
    for (int i = 0; i < 3; i++) {
      var row = warned(sum.bind(), AGGREGATION).one();
      assertEquals(ROWS * (ROWS - 1) / 2, row.getInt("total"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"V4", "V5"})
  void manyWarningsInFlight(String version) {
    CqlSession warnedOften = oneConnection(version);
    var answers = IntStream.range(0, 200)
        .mapToObj(i -> warnedOften.executeAsync("SELECT count(*) FROM t").toCompletableFuture()).toList();
    for (var answer : answers) {
      AsyncResultSet result = answer.join();
      assertEquals(ROWS, result.one().getLong(0));
      assertEquals(List.of(AGGREGATION), result.getExecutionInfo().getWarnings());
    }
    goesOn();
  }

  @ParameterizedTest
  @ValueSource(strings = {"V4", "V5"})
  void unloggedBatchesOverManyPartitions(String version) {
    PreparedStatement insert = oneConnection(version).prepare("INSERT INTO t (k, v) VALUES (?, ?)");
    BatchStatementBuilder batch = BatchStatement.builder(DefaultBatchType.UNLOGGED);
    for (int k = 100; k < 111; k++) {
      batch.addStatement(insert.bind(k, -k));
    }
    warned(batch.build(), "partitions");
    assertEquals(-110, speaker.execute("SELECT v FROM t WHERE k = 110").one().getInt(0));
  }

  @ParameterizedTest
  @ValueSource(strings = {"V4", "V5"})
  void largeBatches(String version) {
    PreparedStatement insert = oneConnection(version).prepare("INSERT INTO t (k, s) VALUES (?, ?)");
    BatchStatement batch = BatchStatement.newInstance(DefaultBatchType.LOGGED, insert.bind(200, "x".repeat(3000)),
        insert.bind(201, "x".repeat(3000)));
    warned(batch, "exceeding specified threshold");
    assertEquals(3000, speaker.execute("SELECT s FROM t WHERE k = 201").one().getString(0).length());
  }
}
