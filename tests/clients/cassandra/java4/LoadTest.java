import static org.junit.jupiter.api.Assertions.assertEquals;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LoadTest extends CqlTest {
  private static final int ROWS = 5000;
  private static final int IN_FLIGHT = 1000;

  @Test
  void manyRequestsInFlight() throws InterruptedException {
    CqlSession busy = connect(builder(patient().withInt(DefaultDriverOption.CONNECTION_POOL_LOCAL_SIZE, 2))
        .withKeyspace(keyspace));
    busy.execute("CREATE TABLE t (k int PRIMARY KEY, v text)");
    PreparedStatement insert = busy.prepare("INSERT INTO t (k, v) VALUES (?, ?)");
    PreparedStatement select = busy.prepare("SELECT v FROM t WHERE k = ?");
    Semaphore permits = new Semaphore(IN_FLIGHT);
    List<CompletableFuture<AsyncResultSet>> writes = IntStream.range(0, ROWS).mapToObj(k -> {
      permits.acquireUninterruptibly();
      return busy.executeAsync(insert.bind(k, "value " + k)).whenComplete((result, error) -> permits.release())
          .toCompletableFuture();
    }).toList();
    writes.forEach(CompletableFuture::join);
    // Answers come in any order; each must be that of its own question.
    List<CompletableFuture<String>> reads = IntStream.range(0, ROWS).mapToObj(k -> {
      permits.acquireUninterruptibly();
      return busy.executeAsync(select.bind(k)).whenComplete((result, error) -> permits.release())
          .thenApply(result -> result.one().getString("v")).toCompletableFuture();
    }).toList();
    for (int k = 0; k < ROWS; k++) {
      assertEquals("value " + k, reads.get(k).join());
    }
  }

  @Test
  void countersUnderContention() {
    session.execute("CREATE TABLE hits (k int PRIMARY KEY, n counter)");
    PreparedStatement add = session.prepare("UPDATE hits SET n = n + 1 WHERE k = 1");
    IntStream.range(0, 500).mapToObj(i -> session.executeAsync(add.bind()).toCompletableFuture()).toList()
        .forEach(CompletableFuture::join);
    assertEquals(500, one("SELECT n FROM hits").getLong(0));
  }

  @Test
  void oneOfManyConditionalWritersWins() {
    session.execute("CREATE TABLE locks (name text PRIMARY KEY, owner int)");
    PreparedStatement take = session.prepare("INSERT INTO locks (name, owner) VALUES ('one', ?) IF NOT EXISTS");
    List<CompletableFuture<Boolean>> tries = IntStream.range(0, 64).mapToObj(i -> session.executeAsync(take.bind(i))
        .thenApply(AsyncResultSet::wasApplied).toCompletableFuture()).toList();
    long winners = tries.stream().filter(CompletableFuture::join).count();
    assertEquals(1, winners);
    Row row = one("SELECT owner FROM locks");
    assertEquals(true, tries.get(row.getInt("owner")).join());
  }
}
