import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PagingState;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.ProtocolError;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PagingTest extends CqlTest {
  private static final int PARTITIONS = 20;
  private static final int ROWS = 103;

  @BeforeAll
  void load() {
    try (CqlSession loader = builder(patient()).build()) {
      loader.execute("CREATE KEYSPACE paged " + REPLICATION);
      loader.execute("CREATE TABLE paged.t (p int, c int, v text, PRIMARY KEY (p, c))");
      PreparedStatement insert = loader.prepare("INSERT INTO paged.t (p, c, v) VALUES (?, ?, ?)");
      for (int p = 0; p < PARTITIONS; p++) {
        List<CompletableFuture<AsyncResultSet>> writes = new ArrayList<>();
        for (int c = 0; c < ROWS; c++) {
          writes.add(loader.executeAsync(insert.bind(p, c, "v" + c)).toCompletableFuture());
        }
        writes.forEach(CompletableFuture::join);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"V3, 7", "V4, 1", "V4, 100", "V5, 50", "V5, 103", "V5, 5000"})
  void everyRowComesOnce(String version, int size) {
    CqlSession speaker = connect(builder(patient().withString(DefaultDriverOption.PROTOCOL_VERSION, version)
        .withInt(DefaultDriverOption.REQUEST_PAGE_SIZE, size)));
    Set<List<Integer>> seen = new HashSet<>();
    int count = 0;
    for (Row row : speaker.execute("SELECT p, c FROM paged.t")) {
      seen.add(List.of(row.getInt("p"), row.getInt("c")));
      count++;
    }
    assertEquals(PARTITIONS * ROWS, count);
    assertEquals(count, seen.size());
  }

  @Test
  void pagesHaveTheSizeThatWasAskedFor() {
    AsyncResultSet page = session.executeAsync(SimpleStatement.newInstance("SELECT c FROM paged.t WHERE p = 3")
        .setPageSize(50)).toCompletableFuture().join();
    List<Integer> sizes = new ArrayList<>();
    List<Integer> values = new ArrayList<>();
    while (true) {
      sizes.add(page.remaining());
      page.currentPage().forEach(row -> values.add(row.getInt("c")));
      if (!page.hasMorePages()) {
        break;
      }
      page = page.fetchNextPage().toCompletableFuture().join();
    }
    assertEquals(List.of(50, 50, 3), sizes);
    assertEquals(IntStream.range(0, ROWS).boxed().toList(), values);
  }

  @Test
  void aSavedStateResumesElsewhere() {
    SimpleStatement select = SimpleStatement.newInstance("SELECT c FROM paged.t WHERE p = ?", 5).setPageSize(40);
    ResultSet first = session.execute(select);
    String saved = first.getExecutionInfo().getSafePagingState().toString();
    CqlSession other = connect(builder(patient()));
    ResultSet second = other.execute(select.setPagingState(PagingState.fromString(saved)));
    assertEquals(IntStream.range(40, ROWS).boxed().toList(), second.all().stream().map(row -> row.getInt(0)).toList());

    BoundStatement bound = session.prepare("SELECT c FROM paged.t WHERE p = ?").bind(6).setPageSize(100);
    ByteBuffer raw = session.execute(bound).getExecutionInfo().getPagingState();
    ResultSet rest = session.execute(bound.setPagingState(raw));
    assertEquals(List.of(100, 101, 102), rest.all().stream().map(row -> row.getInt(0)).toList());
  }

  @Test
  void aStateOfAnotherStatementIsNoticedByTheDriver() {
    SimpleStatement select = SimpleStatement.newInstance("SELECT c FROM paged.t WHERE p = ?", 5).setPageSize(40);
    PagingState state = session.execute(select).getExecutionInfo().getSafePagingState();
    assertFalse(state.matches(SimpleStatement.newInstance("SELECT c FROM paged.t WHERE p = ?", 6)));
    assertThrows(IllegalArgumentException.class,
        () -> SimpleStatement.newInstance("SELECT c FROM paged.t WHERE p = ?", 6).setPagingState(state));
  }

  @Test
  void aStateThatIsNoneIsRefused() {
    SimpleStatement select = SimpleStatement.newInstance("SELECT c FROM paged.t")
        .setPagingState(ByteBuffer.wrap(new byte[] {1, 2, 3, 4}));
    ProtocolError error = assertThrows(ProtocolError.class, () -> session.execute(select));
    assertTrue(error.getMessage().contains("paging state"), error.getMessage());
    assertEquals(1, session.execute("SELECT c FROM paged.t LIMIT 1").all().size());
  }

  @Test
  void theLastPageHasNoState() {
    ResultSet all = session.execute(SimpleStatement.newInstance("SELECT c FROM paged.t WHERE p = 1").setPageSize(1000));
    assertNull(all.getExecutionInfo().getPagingState());
    assertTrue(all.isFullyFetched());
  }

  @Test
  void limitsAndOrdersHoldOverPages() {
    List<Integer> found = session.execute(SimpleStatement.newInstance(
        "SELECT c FROM paged.t WHERE p = 2 ORDER BY c DESC LIMIT 55").setPageSize(10)).all().stream()
        .map(row -> row.getInt(0)).toList();
    assertEquals(IntStream.range(0, 55).mapToObj(i -> ROWS - 1 - i).toList(), found);
    assertEquals(PARTITIONS * 2, session.execute(SimpleStatement.newInstance(
        "SELECT c FROM paged.t PER PARTITION LIMIT 2").setPageSize(3)).all().size());
  }

  @Test
  void filtersHoldOverPages() {
    List<Row> found = session.execute(SimpleStatement.newInstance(
        "SELECT p FROM paged.t WHERE v = 'v77' ALLOW FILTERING").setPageSize(3)).all();
    assertEquals(PARTITIONS, found.stream().map(row -> row.getInt("p")).distinct().count());
    assertEquals(PARTITIONS, found.size());
  }
}
