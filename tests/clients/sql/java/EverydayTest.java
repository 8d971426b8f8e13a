import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosDatabase;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosItemIdentity;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosItemResponse;
import com.azure.cosmos.models.CosmosPatchItemRequestOptions;
import com.azure.cosmos.models.CosmosPatchOperations;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.FeedResponse;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.ThroughputProperties;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What most programs do: a database, a container, and items one by one. */
class EverydayTest extends CosmosTest {
  private static final int ITEM_LIMIT = 2 << 20;

  public static class Order {
    public String id;
    public String pk;
    public double total;
    public List<String> lines = new ArrayList<>();

    static Order of(String id, double total, String... lines) {
      Order made = new Order();
      made.id = id;
      made.pk = "customer";
      made.total = total;
      made.lines.addAll(Arrays.asList(lines));
      return made;
    }
  }

  private static CosmosItemRequestOptions withContent(boolean wanted) {
    return new CosmosItemRequestOptions().setContentResponseOnWriteEnabled(wanted);
  }

  @Test
  void aProgramThatIsRunTwice() {
    for (int run = 0; run < 2; ++run) {
      try (CosmosClient own = builder().buildClient()) {
        own.createDatabaseIfNotExists("shop");
        CosmosDatabase shop = own.getDatabase("shop");
        shop.createContainerIfNotExists(new CosmosContainerProperties("orders", "/pk"), ThroughputProperties.createManualThroughput(400));
        CosmosContainer orders = shop.getContainer("orders");

        orders.upsertItem(Order.of("1", 10, "nut"));
        CosmosItemResponse<Order> read = orders.readItem("1", key("customer"), Order.class);
        assertEquals(200, read.getStatusCode());
        assertEquals(List.of("nut"), read.getItem().lines);
        assertEquals(1, read.getRequestCharge());
        assertNotNull(read.getETag());
        assertNotNull(read.getSessionToken());
        assertNotNull(read.getActivityId());

        Order changed = read.getItem();
        changed.lines.add("bolt");
        assertEquals(200, orders.replaceItem(changed, "1", key("customer"), null).getStatusCode());
        orders.patchItem("1", key("customer"), CosmosPatchOperations.create().increment("/total", 5).add("/lines/-", "screw"), Order.class);
        Order patched = orders.readItem("1", key("customer"), Order.class).getItem();
        assertEquals(15, patched.total);
        assertEquals(List.of("nut", "bolt", "screw"), patched.lines);
        assertEquals(1, own.getDatabase("shop").readAllContainers().stream().count());
        assertEquals(204, orders.deleteItem("1", key("customer"), new CosmosItemRequestOptions()).getStatusCode());
        refuses(404, () -> orders.readItem("1", key("customer"), Order.class));
      }
    }
  }

  @Test
  void theClientConnectsAsItWasTold() {
    CosmosContainer container = container();
    container.createItem(item("1", "a"));
    String told = container.readItem("1", key("a"), ObjectNode.class).getDiagnostics().toString();
    assertEquals(MODE.equals("direct"), told.contains("rntbd://"), told);
  }

  @Test
  void itemsThatAreNotThereOrAreThereAlready() {
    CosmosContainer container = container();
    assertEquals(201, container.createItem(item("1", "a")).getStatusCode());
    refuses(409, () -> container.createItem(item("1", "a")));
    assertEquals(201, container.createItem(item("1", "b")).getStatusCode());
    refuses(404, () -> container.readItem("2", key("a"), ObjectNode.class));
    refuses(404, () -> container.replaceItem(item("2", "a"), "2", key("a"), null));
    refuses(404, () -> container.deleteItem("2", key("a"), null));
    refuses(404, () -> container.patchItem("2", key("a"), CosmosPatchOperations.create().add("/n", 1), ObjectNode.class));
    refuses(404, () -> database.getContainer("none").readItem("1", key("a"), ObjectNode.class));
    refuses(404, () -> client.getDatabase("none").read());
    assertEquals(200, container.upsertItem(item("1", "a", "n", 1)).getStatusCode());
    assertEquals(201, container.upsertItem(item("2", "a", "n", 1)).getStatusCode());
  }

  @Test
  void itemsThatAreTooLarge() {
    CosmosContainer container = container();
    String text = "x".repeat(ITEM_LIMIT);
    refuses(413, () -> container.createItem(item("1", "a", "text", text)));
    String most = text.substring(1024);
    assertEquals(201, container.createItem(item("1", "a", "text", most)).getStatusCode());
    assertEquals(most, container.readItem("1", key("a"), ObjectNode.class).getItem().get("text").asText());
  }

  @Test
  void itemsThatTheServerRefuses() {
    CosmosContainer container = container();
    refuses(400, () -> container.createItem(item("a/b", "a")));
    refuses(400, () -> container.createItem(item("1", "a"), key("b"), null));
    refuses(400, () -> container.patchItem("1", key("a"), CosmosPatchOperations.create().set("/id", "2"), ObjectNode.class));
  }

  @Test
  void writesOnCondition() {
    CosmosContainer container = container();
    String first = container.createItem(item("1", "a", "n", 1)).getETag();
    String second = container.upsertItem(item("1", "a", "n", 2)).getETag();
    assertNotEquals(first, second);
    CosmosItemRequestOptions stale = new CosmosItemRequestOptions().setIfMatchETag(first);
    refuses(412, () -> container.replaceItem(item("1", "a", "n", 3), "1", key("a"), stale));
    refuses(412, () -> container.upsertItem(item("1", "a", "n", 3), stale));
    refuses(412, () -> container.deleteItem("1", key("a"), stale));
    CosmosPatchItemRequestOptions staleToo = new CosmosPatchItemRequestOptions();
    staleToo.setIfMatchETag(first);
    CosmosPatchOperations increment = CosmosPatchOperations.create().increment("/n", 1);
    refuses(412, () -> container.patchItem("1", key("a"), increment, staleToo, ObjectNode.class));
    CosmosPatchItemRequestOptions predicate = new CosmosPatchItemRequestOptions().setFilterPredicate("FROM c WHERE c.n = 1");
    predicate.setContentResponseOnWriteEnabled(true);
    refuses(412, () -> container.patchItem("1", key("a"), increment, predicate, ObjectNode.class));
    predicate.setFilterPredicate("FROM c WHERE c.n = 2");
    assertEquals(3, container.patchItem("1", key("a"), increment, predicate, ObjectNode.class).getItem().get("n").asInt());
    String third = container.readItem("1", key("a"), ObjectNode.class).getETag();
    assertEquals(304, container.readItem("1", key("a"), new CosmosItemRequestOptions().setIfNoneMatchETag(third), ObjectNode.class)
        .getStatusCode());
    assertEquals(200, container.readItem("1", key("a"), new CosmosItemRequestOptions().setIfNoneMatchETag(second), ObjectNode.class)
        .getStatusCode());
    assertEquals(204, container.deleteItem("1", key("a"), new CosmosItemRequestOptions().setIfMatchETag(third)).getStatusCode());
  }

  @Test
  void contentOfWritesOnRequest() {
    CosmosContainer container = container();
    assertNull(container.createItem(item("1", "a")).getItem());
    assertNull(container.createItem(item("2", "a"), withContent(false)).getItem());
    ObjectNode created = container.createItem(item("3", "a", "n", 1), withContent(true)).getItem();
    assertEquals(1, created.get("n").asInt());
    for (String name : List.of("_rid", "_self", "_etag", "_ts")) {
      assertTrue(created.has(name), name);
    }
    assertEquals(2, container.upsertItem(item("3", "a", "n", 2), withContent(true)).getItem().get("n").asInt());
    assertEquals(3, container.replaceItem(item("3", "a", "n", 3), "3", key("a"), withContent(true)).getItem().get("n").asInt());
    assertNull(container.upsertItem(item("3", "a", "n", 4)).getItem());
    CosmosClient telling = build(builder().contentResponseOnWriteEnabled(true));
    assertEquals(5, through(telling, container).upsertItem(item("3", "a", "n", 5)).getItem().get("n").asInt());
  }

  @Test
  void keysOfAllKinds() {
    CosmosContainer container = container();
    List<PartitionKey> keys = List.of(key("text"), key(""), key("ключ 🔑"), new PartitionKey(12.5), new PartitionKey(-1), new PartitionKey(true),
        PartitionKey.NONE, new PartitionKey(null));
    for (PartitionKey key : keys) {
      ObjectNode made = JSON.createObjectNode().put("id", "1").put("of", key.toString());
      if (!key.equals(PartitionKey.NONE)) {
        made.set("pk", value(key));
      }
      assertEquals(201, container.createItem(made, key, null).getStatusCode(), key::toString);
      assertEquals(key.toString(), container.readItem("1", key, ObjectNode.class).getItem().get("of").asText());
    }
    assertEquals(keys.size(), container.queryItems("SELECT * FROM c", null, ObjectNode.class).stream().count());
  }

  private static JsonNode value(PartitionKey key) {
    try {
      return JSON.readTree(key.toString()).get(0);
    } catch (JsonProcessingException error) {
      throw new IllegalArgumentException(error);
    }
  }

  @Test
  void idsThatNeedEscapes() {
    CosmosContainer container = container();
    for (String id : List.of("with space", "a+b", "100%", "ünïcode", "日本", "quote\"", "a?b", "a=b&c", "(a)[b]", "a,b;c")) {
      container.createItem(item(id, id));
      assertEquals(id, container.readItem(id, key(id), ObjectNode.class).getItem().get("id").asText());
      assertEquals(200, container.replaceItem(item(id, id, "n", 1), id, key(id), null).getStatusCode());
      assertEquals(204, container.deleteItem(id, key(id), null).getStatusCode());
    }
  }

  @Test
  void manyItemsAtOnce() {
    CosmosContainer container = container("many", 30_000);
    List<CosmosItemIdentity> wanted = new ArrayList<>();
    for (int i = 0; i < 100; ++i) {
      container.createItem(item(String.valueOf(i), "k" + i % 40));
      wanted.add(new CosmosItemIdentity(key("k" + i % 40), String.valueOf(i)));
    }
    wanted.add(new CosmosItemIdentity(key("k1"), "none"));
    FeedResponse<ObjectNode> found = container.readMany(wanted, ObjectNode.class);
    assertEquals(100, new HashSet<>(ids(found.getResults())).size());
    assertEquals(100, found.getResults().size());
    assertEquals(List.of("7"), ids(container.readMany(wanted.subList(7, 8), ObjectNode.class).getResults()));
    Set<String> ofOneKey = new HashSet<>(ids(container.readAllItems(key("k3"), ObjectNode.class)));
    assertEquals(Set.of("3", "43", "83"), ofOneKey);
    assertEquals(0, container.readAllItems(key("other"), ObjectNode.class).stream().count());
  }

  @Test
  void itemsOfOneKeyAreDeletedTogether() throws Exception {
    CosmosContainer container = container();
    for (int i = 0; i < 20; ++i) {
      container.createItem(item(String.valueOf(i), i % 2 == 0 ? "gone" : "kept"));
    }
    container.deleteAllItemsByPartitionKey(key("gone"), null);
    eventually("all are gone", () -> container.readAllItems(key("gone"), ObjectNode.class).stream().count() == 0);
    assertEquals(10, container.readAllItems(key("kept"), ObjectNode.class).stream().count());
  }

  @Test
  void manyOperationsAtATimeOfTheAsynchronousClient() {
    CosmosAsyncContainer container = async(container("async", 20_000));
    List<Integer> statuses = Flux.range(0, 500)
        .flatMap(i -> container.createItem(item(String.valueOf(i), "k" + i % 50, "n", i)), 64)
        .map(CosmosItemResponse::getStatusCode).collectList().block();
    assertEquals(500, statuses.stream().filter(status -> status == 201).count());
    Long sum = Flux.range(0, 500)
        .flatMap(i -> container.readItem(String.valueOf(i), key("k" + i % 50), ObjectNode.class), 64)
        .map(response -> response.getItem().get("n").asLong()).reduce(0L, Long::sum).block();
    assertEquals(IntStream.range(0, 500).sum(), sum);
    List<Long> count = container.queryItems("SELECT VALUE COUNT(1) FROM c", new CosmosQueryRequestOptions(), Long.class)
        .collectList().block();
    assertEquals(List.of(500L), count);
    List<String> refused = Flux.range(0, 10)
        .flatMap(i -> container.createItem(item(String.valueOf(i), "k" + i)).map(created -> "created")
            .onErrorResume(error -> Mono.just("refused")))
        .collectList().block();
    assertEquals(10, refused.stream().filter("refused"::equals).count());
  }
}
