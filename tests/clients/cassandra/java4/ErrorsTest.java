import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.servererrors.AlreadyExistsException;
import com.datastax.oss.driver.api.core.servererrors.FunctionFailureException;
import com.datastax.oss.driver.api.core.servererrors.InvalidConfigurationInQueryException;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.OverloadedException;
import com.datastax.oss.driver.api.core.servererrors.SyntaxError;
import com.datastax.oss.driver.api.core.servererrors.WriteFailureException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import policies.NeverRetry;

class ErrorsTest extends CqlTest {
  private static final int REQUESTS = 1000;

  @BeforeEach
  void createTable() {
    session.execute("CREATE TABLE IF NOT EXISTS t (p int, c int, v text, PRIMARY KEY (p, c))");
  }

  @ParameterizedTest
  @ValueSource(strings = {"SELEC * FROM t", "SELECT * FROM", "", "INSERT INTO t (p, c) VALUES (1, 2", "CREATE TABLE (k int)"})
  void syntax(String statement) {
    SyntaxError error = assertThrows(SyntaxError.class, () -> session.execute(statement));
    assertTrue(error.getMessage().contains("line 1:"), error.getMessage());
    assertThrows(SyntaxError.class, () -> session.prepare(statement));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
      "SELECT * FROM nowhere | nowhere",
      "SELECT nothing FROM t | Undefined column name nothing",
      "SELECT * FROM t WHERE v = 'x' | ALLOW FILTERING",
      "INSERT INTO t (p, v) VALUES (1, 'x') | Some clustering keys are missing: c",
      "UPDATE t SET p = 2 WHERE p = 1 AND c = 1 | PRIMARY KEY part p found in SET part"})
  void invalidRequests(String statement, String words) {
    String message = assertThrows(InvalidQueryException.class, () -> session.execute(statement)).getMessage();
    assertTrue(message.toLowerCase().contains(words.toLowerCase()), message);
    assertThrows(InvalidQueryException.class, () -> session.prepare(statement));
  }

  @Test
  void wrongNumberOfValues() {
    assertThrows(InvalidQueryException.class, () -> session.execute("INSERT INTO t (p, c) VALUES (?, ?)", 1));
  }

  @Test
  void configuration() {
    assertThrows(InvalidConfigurationInQueryException.class,
        () -> session.execute("CREATE KEYSPACE x WITH replication = {'class': 'NoSuchStrategy'}"));
  }

  @Test
  void whatExistsAlready() {
    String table = assertThrows(AlreadyExistsException.class,
        () -> session.execute("CREATE TABLE t (k int PRIMARY KEY)")).getMessage();
    assertEquals("Object " + keyspace + ".t already exists", table);
    assertThrows(AlreadyExistsException.class, () -> session.execute("CREATE KEYSPACE " + keyspace + " " + REPLICATION));
  }

  @Test
  void failingFunctions() {
    session.execute("CREATE FUNCTION fails (a int) CALLED ON NULL INPUT RETURNS int LANGUAGE javascript "
        + "AS 'throw new Error(\"on purpose\");'");
    session.execute("INSERT INTO t (p, c) VALUES (1, 1)");
    String message = assertThrows(FunctionFailureException.class, () -> session.execute("SELECT fails(c) FROM t"))
        .getMessage();
    assertTrue(message.contains("fails"), message);
  }

  @Test
  void rowsThatAreTooLarge() {
    assertThrows(WriteFailureException.class,
        () -> session.execute("INSERT INTO t (p, c, v) VALUES (1, 1, ?)", "x".repeat(3_000_000)));
    assertEquals(List.of(), session.execute("SELECT * FROM t").all());
  }

  @Test
  void throttling() throws InterruptedException {
    CqlSession hasty = connect(builder(patient()
        .withString(DefaultDriverOption.RETRY_POLICY_CLASS, NeverRetry.class.getName())).withKeyspace(keyspace));
    hasty.execute("CREATE TABLE slow (k int PRIMARY KEY, v text) WITH cosmosdb_provisioned_throughput = 400");
    PreparedStatement insert = hasty.prepare("INSERT INTO slow (k, v) VALUES (?, ?)");
    // Each costs more than 5 RU: together they are worth many seconds of 400 RU/s.
    List<CompletableFuture<AsyncResultSet>> writes = IntStream.range(0, REQUESTS)
        .mapToObj(k -> hasty.executeAsync(insert.bind(k, "x".repeat(1000))).toCompletableFuture()).toList();
    int written = 0;
    int refused = 0;
    for (CompletableFuture<AsyncResultSet> write : writes) {
      try {
        write.join();
        written++;
      } catch (CompletionException e) {
        String message = assertThrows(OverloadedException.class, () -> { throw e.getCause(); }).getMessage();
        assertTrue(message.contains("Request rate is large") && message.contains("RetryAfterMs="), message);
        refused++;
      }
    }
    assertTrue(written > 0 && refused > 0, written + " written, " + refused + " refused");
    // Other tables are not slowed down, and what was refused changed nothing.
    hasty.execute("INSERT INTO t (p, c) VALUES (1, 1)");
    AtomicInteger found = new AtomicInteger();
    eventually("the table can be read again", () -> {
      try {
        found.set(hasty.execute("SELECT k FROM slow").all().size());
        return true;
      } catch (OverloadedException notYet) {
        return false;
      }
    });
    assertEquals(written, found.get());
  }

  @Test
  void errorsLeaveTheConnectionAlone() {
    List<CompletableFuture<AsyncResultSet>> answers = IntStream.range(0, 400).mapToObj(i -> session.executeAsync(
        i % 2 == 0 ? "SELECT * FROM nowhere" : "SELECT key FROM system.local").toCompletableFuture()).toList();
    for (int i = 0; i < answers.size(); i++) {
      CompletableFuture<AsyncResultSet> answer = answers.get(i);
      if (i % 2 == 0) {
        assertTrue(assertThrows(CompletionException.class, answer::join).getCause() instanceof InvalidQueryException);
      } else {
        assertEquals("local", answer.join().one().getString(0));
      }
    }
  }
}
