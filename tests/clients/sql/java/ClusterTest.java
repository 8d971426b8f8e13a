import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.CosmosBulkOperationResponse;
import com.azure.cosmos.models.CosmosBulkOperations;
import com.azure.cosmos.models.CosmosChangeFeedRequestOptions;
import com.azure.cosmos.models.CosmosItemOperation;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosItemResponse;
import com.azure.cosmos.models.FeedRange;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** Clients ask the owner of each partition, whichever node they were given. */
@EnabledIfEnvironmentVariable(named = "CLUSTER_URLS", matches = ".+", disabledReason = "there is no cluster")
class ClusterTest extends ClusterClients {
  private static final int ROUNDS_MAX = 500;
  private static final Pattern CONTACTED = Pattern.compile("rntbd://([^:/]+)");

  @Test
  void itemsOfAllOwners() {
    create("java_owners");
    for (int i = 0; i < ITEMS; ++i) {
      String id = String.valueOf(i);
      CosmosItemResponse<ObjectNode> created = through(i, "java_owners").createItem(CosmosTest.item(id, "k" + i, "n", i));
      CosmosItemRequestOptions session = new CosmosItemRequestOptions().setSessionToken(created.getSessionToken());
      CosmosItemResponse<ObjectNode> read = through(i + 1, "java_owners").readItem(id, CosmosTest.key("k" + i), session, ObjectNode.class);
      assertEquals(i, read.getItem().get("n").asInt());
    }
    // New partitions are where they were made until the manager has spread them.
    Set<String> asked = new HashSet<>();
    for (int round = 0; round < ROUNDS_MAX && !asked.equals(new HashSet<>(living())); ++round) {
      for (int i = 0; i < ITEMS; ++i) {
        Matcher contacted = CONTACTED.matcher(through(i, "java_owners").readItem(
            String.valueOf(i), CosmosTest.key("k" + i), ObjectNode.class).getDiagnostics().toString());
        while (contacted.find()) {
          asked.add(contacted.group(1));
        }
      }
    }
    assertEquals(new HashSet<>(living()), asked);
    for (int number = 0; number < clients.size(); ++number) {
      CosmosContainer container = through(number, "java_owners");
      assertEquals(IntStream.range(0, ITEMS).boxed().collect(Collectors.toList()),
          container.queryItems("SELECT VALUE c.n FROM c ORDER BY c.n", null, Integer.class).stream().collect(Collectors.toList()));
      assertEquals(ITEMS, new HashSet<>(CosmosTest.ids(container.queryChangeFeed(
          CosmosChangeFeedRequestOptions.createForProcessingFromBeginning(FeedRange.forFullRange()), ObjectNode.class))).size());
      CosmosBatch batch = CosmosBatch.createCosmosBatch(CosmosTest.key("batch" + number));
      batch.createItemOperation(CosmosTest.item("1", "batch" + number));
      batch.createItemOperation(CosmosTest.item("2", "batch" + number));
      assertTrue(container.executeCosmosBatch(batch).isSuccessStatusCode());
    }
    List<CosmosItemOperation> operations = new ArrayList<>();
    for (int i = 0; i < 500; ++i) {
      operations.add(CosmosBulkOperations.getCreateItemOperation(CosmosTest.item("bulk", "b" + i), CosmosTest.key("b" + i)));
    }
    for (CosmosBulkOperationResponse<Object> each : through(1, "java_owners").executeBulkOperations(operations)) {
      assertEquals(201, each.getResponse().getStatusCode());
    }
    clients.get(0).getDatabase("java_owners").delete();
  }
}
