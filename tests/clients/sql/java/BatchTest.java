import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.CosmosBatchItemRequestOptions;
import com.azure.cosmos.models.CosmosBatchOperationResult;
import com.azure.cosmos.models.CosmosBatchResponse;
import com.azure.cosmos.models.CosmosBulkOperationResponse;
import com.azure.cosmos.models.CosmosBulkOperations;
import com.azure.cosmos.models.CosmosItemOperation;
import com.azure.cosmos.models.CosmosPatchOperations;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Many operations in one request: transactional batches of one key, and bulks of all. */
class BatchTest extends CosmosTest {
  private static final int BULK = 3000;

  private static List<Integer> statuses(CosmosBatchResponse response) {
    return response.getResults().stream().map(CosmosBatchOperationResult::getStatusCode).collect(Collectors.toList());
  }

  /** How many operations of the bulk ended with each status. */
  private static Map<Integer, Integer> bulk(CosmosContainer container, List<CosmosItemOperation> operations) {
    Map<Integer, Integer> found = new TreeMap<>();
    for (CosmosBulkOperationResponse<Object> each : container.executeBulkOperations(operations)) {
      assertNull(each.getException(), () -> each.getException().toString());
      found.merge(each.getResponse().getStatusCode(), 1, Integer::sum);
    }
    return found;
  }

  @Test
  void aBatchOfAllKindsOfOperations() {
    CosmosContainer container = container();
    container.createItem(item("old", "a", "n", 1));
    container.createItem(item("gone", "a"));
    CosmosBatch batch = CosmosBatch.createCosmosBatch(key("a"));
    batch.createItemOperation(item("new", "a", "n", 1));
    batch.readItemOperation("old");
    batch.replaceItemOperation("old", item("old", "a", "n", 2));
    batch.upsertItemOperation(item("other", "a"));
    batch.patchItemOperation("old", CosmosPatchOperations.create().increment("/n", 5));
    batch.deleteItemOperation("gone");
    CosmosBatchResponse response = container.executeCosmosBatch(batch);
    assertTrue(response.isSuccessStatusCode(), response::getErrorMessage);
    assertEquals(List.of(201, 200, 200, 201, 200, 204), statuses(response));
    assertEquals(1, response.getResults().get(1).getItem(ObjectNode.class).get("n").asInt());
    assertNotNull(response.getResults().get(0).getETag());
    assertTrue(response.getRequestCharge() > 0);
    assertEquals(7, container.readItem("old", key("a"), ObjectNode.class).getItem().get("n").asInt());
    refuses(404, () -> container.readItem("gone", key("a"), ObjectNode.class));
  }

  @Test
  void aBatchOfWhichOneOperationFailsChangesNothing() {
    CosmosContainer container = container();
    container.createItem(item("there", "a", "n", 1));
    CosmosBatch batch = CosmosBatch.createCosmosBatch(key("a"));
    batch.createItemOperation(item("new", "a"));
    batch.patchItemOperation("there", CosmosPatchOperations.create().increment("/n", 1));
    batch.createItemOperation(item("there", "a"));
    batch.createItemOperation(item("late", "a"));
    CosmosBatchResponse response = container.executeCosmosBatch(batch);
    assertFalse(response.isSuccessStatusCode());
    assertEquals(409, response.getStatusCode());
    assertEquals(List.of(424, 424, 409, 424), statuses(response));
    refuses(404, () -> container.readItem("new", key("a"), ObjectNode.class));
    refuses(404, () -> container.readItem("late", key("a"), ObjectNode.class));
    assertEquals(1, container.readItem("there", key("a"), ObjectNode.class).getItem().get("n").asInt());
  }

  @Test
  void aBatchOnCondition() {
    CosmosContainer container = container();
    String first = container.createItem(item("1", "a", "n", 1)).getETag();
    container.upsertItem(item("1", "a", "n", 2));
    CosmosBatch batch = CosmosBatch.createCosmosBatch(key("a"));
    batch.createItemOperation(item("2", "a"));
    batch.replaceItemOperation("1", item("1", "a", "n", 3), new CosmosBatchItemRequestOptions().setIfMatchETag(first));
    CosmosBatchResponse response = container.executeCosmosBatch(batch);
    assertEquals(List.of(424, 412), statuses(response));
    assertEquals(2, container.readItem("1", key("a"), ObjectNode.class).getItem().get("n").asInt());
  }

  @Test
  void bulksOfThousands() {
    CosmosContainer container = container("bulk", 1_000_000);
    List<CosmosItemOperation> creates = new ArrayList<>();
    List<CosmosItemOperation> mixed = new ArrayList<>();
    for (int i = 0; i < BULK; ++i) {
      String id = String.valueOf(i);
      String pk = "k" + i % 200;
      creates.add(CosmosBulkOperations.getCreateItemOperation(item(id, pk, "n", i), key(pk)));
      switch (i % 4) {
        case 0 -> mixed.add(CosmosBulkOperations.getUpsertItemOperation(item(id, pk, "n", -1), key(pk)));
        case 1 -> mixed.add(CosmosBulkOperations.getPatchItemOperation(id, key(pk), CosmosPatchOperations.create().set("/n", -2)));
        case 2 -> mixed.add(CosmosBulkOperations.getDeleteItemOperation(id, key(pk)));
        default -> mixed.add(CosmosBulkOperations.getReadItemOperation(id, key(pk)));
      }
    }
    assertEquals(Map.of(201, BULK), bulk(container, creates));
    assertEquals(List.of(BULK), container.queryItems("SELECT VALUE COUNT(1) FROM c", null, Integer.class).stream()
        .collect(Collectors.toList()));
    assertEquals(Map.of(409, BULK), bulk(container, creates));
    assertEquals(Map.of(200, BULK / 4 * 3, 204, BULK / 4), bulk(container, mixed));
    List<Integer> left = container.queryItems("SELECT VALUE c.n FROM c", null, Integer.class).stream().collect(Collectors.toList());
    assertEquals(BULK / 4 * 3, left.size());
    assertEquals(BULK / 4, left.stream().filter(n -> n == -1).count());
    assertEquals(BULK / 4, left.stream().filter(n -> n == -2).count());
  }
}
