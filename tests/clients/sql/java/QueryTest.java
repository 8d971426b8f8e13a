import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.FeedRange;
import com.azure.cosmos.models.FeedResponse;
import com.azure.cosmos.models.SqlParameter;
import com.azure.cosmos.models.SqlQuerySpec;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Queries of one partition and over four, which the client merges by the server's plans. */
class QueryTest extends CosmosTest {
  private static final int ITEMS = 200;
  private static final int KEYS = 20;
  private static final int PAGES_MAX = 1000;
  private CosmosContainer items;

  @BeforeAll
  void fill() {
    items = container(new CosmosContainerProperties("items", "/pk"), 40_000);
    for (int i = 0; i < ITEMS; ++i) {
      items.createItem(item(String.valueOf(i), "k" + i % KEYS, "n", i, "group", "g" + i % 7, "half", i / 2.0,
          "tags", List.of("t" + i % 3, "t" + i % 5), "at", List.of(i % 4, -i)));
    }
    assertTrue(items.getFeedRanges().size() >= 4);
  }

  private static CosmosQueryRequestOptions ofKey(String value) {
    return new CosmosQueryRequestOptions().setPartitionKey(key(value));
  }

  private <T> List<T> rows(String query, CosmosQueryRequestOptions options, Class<T> type) {
    return items.queryItems(query, options, type).stream().collect(Collectors.toList());
  }

  private <T> List<T> rows(String query, Class<T> type) {
    return rows(query, new CosmosQueryRequestOptions(), type);
  }

  /** Reads page by page, each by a request of its own that has nothing but the token of the one before. */
  private <T> List<T> byContinuation(String query, int pageSize, Class<T> type) {
    List<T> found = new ArrayList<>();
    String token = null;
    for (int pages = 0; pages < PAGES_MAX; ++pages) {
      FeedResponse<T> page = items.queryItems(query, new CosmosQueryRequestOptions(), type)
          .iterableByPage(token, pageSize).iterator().next();
      assertTrue(page.getResults().size() <= pageSize);
      found.addAll(page.getResults());
      token = page.getContinuationToken();
      if (token == null) {
        return found;
      }
    }
    throw new AssertionError("pages without end: " + query);
  }

  @Test
  void ofOnePartition() {
    assertEquals(List.of(3, 23, 43), rows("SELECT VALUE c.n FROM c WHERE c.n < 60 ORDER BY c.n", ofKey("k3"), Integer.class));
    assertEquals(List.of(10), rows("SELECT VALUE COUNT(1) FROM c", ofKey("k3"), Integer.class));
    assertEquals(10, rows("SELECT * FROM c", ofKey("k3"), ObjectNode.class).size());
    assertEquals(List.of(7), rows("SELECT VALUE c.n FROM c WHERE c.pk = 'k7' AND c.id = '7'", Integer.class));
    assertEquals(List.of(), rows("SELECT * FROM c", ofKey("other"), ObjectNode.class));
  }

  @Test
  void overPartitions() {
    assertEquals(ITEMS, rows("SELECT * FROM c", ObjectNode.class).size());
    assertEquals(Set.of(10, 11), new HashSet<>(rows("SELECT VALUE c.n FROM c WHERE c.n IN (10, 11)", Integer.class)));
    assertEquals(ITEMS * 2, rows("SELECT VALUE t FROM c JOIN t IN c.tags", String.class).size());
    Set<String> three = rows("SELECT c.pk FROM c WHERE c.pk IN ('k1', 'k2', 'k3')", JsonNode.class).stream()
        .map(row -> row.get("pk").asText()).collect(Collectors.toSet());
    assertEquals(Set.of("k1", "k2", "k3"), three);
    assertEquals(List.of(), rows("SELECT * FROM c WHERE c.n < 0", ObjectNode.class));
  }

  @Test
  void inOrder() {
    List<Integer> all = IntStream.range(0, ITEMS).boxed().collect(Collectors.toList());
    assertEquals(all, rows("SELECT VALUE c.n FROM c ORDER BY c.n", Integer.class));
    List<Integer> down = rows("SELECT VALUE c.n FROM c ORDER BY c.n DESC", Integer.class);
    assertEquals(ITEMS - 1, down.get(0));
    assertEquals(ITEMS, down.size());
    assertEquals(List.of(5, 6, 7, 8, 9), rows("SELECT VALUE c.n FROM c ORDER BY c.n OFFSET 5 LIMIT 5", Integer.class));
    assertEquals(List.of(0, 1, 2), rows("SELECT TOP 3 VALUE c.n FROM c ORDER BY c.half", Integer.class));
    List<String> groups = rows("SELECT VALUE c[\"group\"] FROM c ORDER BY c[\"group\"]", String.class);
    assertEquals(groups.stream().sorted().collect(Collectors.toList()), groups);
    assertEquals(5, rows("SELECT * FROM c OFFSET 50 LIMIT 5", ObjectNode.class).size());
  }

  @Test
  void aggregates() {
    assertEquals(List.of(ITEMS), rows("SELECT VALUE COUNT(1) FROM c", Integer.class));
    assertEquals(List.of(ITEMS * (ITEMS - 1) / 2.0), rows("SELECT VALUE SUM(c.n) FROM c", Double.class));
    assertEquals(List.of(ITEMS - 1), rows("SELECT VALUE MAX(c.n) FROM c", Integer.class));
    assertEquals(List.of(0), rows("SELECT VALUE MIN(c.n) FROM c", Integer.class));
    assertEquals(List.of((ITEMS - 1) / 2.0), rows("SELECT VALUE AVG(c.n) FROM c", Double.class));
    JsonNode several = rows("SELECT COUNT(1) AS rows, MAX(c.n) AS most FROM c WHERE c.n < 10", JsonNode.class).get(0);
    assertEquals(10, several.get("rows").asInt());
    assertEquals(9, several.get("most").asInt());
  }

  @Test
  void groups() {
    List<JsonNode> found = rows("SELECT c[\"group\"] AS name, COUNT(1) AS rows, SUM(c.n) AS total FROM c GROUP BY c[\"group\"]", JsonNode.class);
    assertEquals(7, found.size());
    for (JsonNode row : found) {
      int number = Integer.parseInt(row.get("name").asText().substring(1));
      List<Integer> expected = IntStream.range(0, ITEMS).filter(i -> i % 7 == number).boxed().collect(Collectors.toList());
      assertEquals(expected.size(), row.get("rows").asInt());
      assertEquals(expected.stream().mapToInt(Integer::intValue).sum(), row.get("total").asInt());
    }
  }

  @Test
  void distinctRows() {
    List<String> names = rows("SELECT DISTINCT VALUE c[\"group\"] FROM c", String.class);
    assertEquals(7, names.size());
    assertEquals(7, new HashSet<>(names).size());
    assertEquals(List.of("g0", "g1", "g2", "g3", "g4", "g5", "g6"),
        rows("SELECT DISTINCT VALUE c[\"group\"] FROM c ORDER BY c[\"group\"]", String.class));
    assertEquals(List.of(KEYS), rows("SELECT VALUE COUNT(1) FROM (SELECT DISTINCT c.pk FROM c)", Integer.class));
  }

  @Test
  void parameters() {
    SqlQuerySpec query = new SqlQuerySpec("SELECT VALUE c.n FROM c WHERE c.n >= @least AND ARRAY_CONTAINS(@keys, c.pk) ORDER BY c.n",
        new SqlParameter("@least", 190), new SqlParameter("@keys", List.of("k10", "k12", "k14")));
    assertEquals(List.of(190, 192, 194),
        items.queryItems(query, new CosmosQueryRequestOptions(), Integer.class).stream().collect(Collectors.toList()));
  }

  @Test
  void pagesByContinuationToken() {
    List<Integer> all = IntStream.range(0, ITEMS).boxed().collect(Collectors.toList());
    assertEquals(all, byContinuation("SELECT VALUE c.n FROM c ORDER BY c.n", 17, Integer.class));
    List<Integer> unordered = byContinuation("SELECT VALUE c.n FROM c", 17, Integer.class);
    assertEquals(all, unordered.stream().sorted().collect(Collectors.toList()));
    // Every value seven times or eight: the token must tell apart documents that are equal in order.
    List<String> equal = byContinuation("SELECT VALUE c.id FROM c ORDER BY c[\"group\"]", 11, String.class);
    assertEquals(ITEMS, new HashSet<>(equal).size());
    assertEquals(ITEMS, equal.size());
    assertEquals(IntStream.range(20, 60).boxed().collect(Collectors.toList()),
        byContinuation("SELECT VALUE c.n FROM c ORDER BY c.n OFFSET 20 LIMIT 40", 7, Integer.class));
  }

  @Test
  void pagesWithinOneRun() {
    int pages = 0;
    List<Integer> found = new ArrayList<>();
    for (FeedResponse<Integer> page : items.queryItems("SELECT VALUE c.n FROM c WHERE c.pk = 'k1'", new CosmosQueryRequestOptions(),
        Integer.class).iterableByPage(3)) {
      ++pages;
      found.addAll(page.getResults());
      assertTrue(page.getRequestCharge() > 0);
    }
    assertEquals(10, found.size());
    assertEquals(4, pages);
  }

  @Test
  void ofOneFeedRangeAfterTheOther() {
    Set<String> found = new HashSet<>();
    int rows = 0;
    for (FeedRange range : items.getFeedRanges()) {
      List<ObjectNode> part = rows("SELECT * FROM c", new CosmosQueryRequestOptions().setFeedRange(range), ObjectNode.class);
      assertFalse(part.isEmpty());
      rows += part.size();
      found.addAll(ids(part));
    }
    assertEquals(ITEMS, rows);
    assertEquals(ITEMS, found.size());
  }

  @Test
  void metrics() {
    CosmosQueryRequestOptions options = ofKey("k1").setQueryMetricsEnabled(true).setIndexMetricsEnabled(true);
    FeedResponse<ObjectNode> page = items.queryItems("SELECT * FROM c WHERE c.n > 100", options, ObjectNode.class)
        .iterableByPage().iterator().next();
    assertEquals(5, page.getResults().size());
    String diagnostics = page.getCosmosDiagnostics().toString();
    assertTrue(diagnostics.contains("retrievedDocumentCount") || diagnostics.contains("Retrieved Document Count"), diagnostics);
    assertNotNull(page.getActivityId());
  }

  @Test
  void malformedQueries() {
    refuses(400, () -> rows("SELECT * FRM c", ObjectNode.class));
    refuses(400, () -> rows("SELECT * FROM c WHERE c.n = @none", ofKey("k1"), ObjectNode.class));
    refuses(400, () -> rows("SELECT NOFUNCTION(c.n) FROM c", ofKey("k1"), ObjectNode.class));
  }

  @Test
  void databasesAndContainersByQuery() {
    assertEquals(1, client.queryDatabases("SELECT * FROM r WHERE r.id = 'QueryTest'", null).stream().count());
    assertTrue(client.readAllDatabases().stream().anyMatch(each -> each.getId().equals("QueryTest")));
    assertEquals(1, database.queryContainers("SELECT * FROM r WHERE r.id = 'items'").stream().count());
  }
}
