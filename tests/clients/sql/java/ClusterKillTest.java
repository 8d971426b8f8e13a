import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** The last of the living nodes is killed; a client that was given the first one goes on. */
@EnabledIfEnvironmentVariable(named = "CLUSTER_URLS", matches = ".+", disabledReason = "there is no cluster")
class ClusterKillTest extends ClusterClients {
  private static final int FAILURES_MAX = 2000;
  private static final int PAUSE_MS = 100;

  @Test
  void aClientGoesOnWhenANodeDies() throws Exception {
    create("java_killed");
    CosmosContainer container = through(0, "java_killed");
    List<Integer> acknowledged = new ArrayList<>();
    for (int i = 0; i < ITEMS; ++i) {
      write(container, i, acknowledged);
    }
    List<Long> nodes = processes().stream().filter(ClusterClients::isRunning).collect(Collectors.toList());
    assertTrue(nodes.size() >= 2);
    assertTrue(ProcessHandle.of(nodes.get(nodes.size() - 1)).orElseThrow().destroyForcibly());
    for (int i = ITEMS; i < 3 * ITEMS; ++i) {
      write(container, i, acknowledged);
    }
    for (int i : acknowledged) {
      assertEquals(i, container.readItem(String.valueOf(i), CosmosTest.key("k" + i), ObjectNode.class).getItem().get("n").asInt());
    }
    List<Integer> rows = container.queryItems("SELECT VALUE c.n FROM c", null, Integer.class).stream().sorted().collect(Collectors.toList());
    assertEquals(acknowledged, rows);
  }

  /** An application tries again what it may: the item is the same each time. */
  private static void write(CosmosContainer container, int n, List<Integer> acknowledged) throws InterruptedException {
    for (int failures = 0; ; ++failures) {
      try {
        container.upsertItem(CosmosTest.item(String.valueOf(n), "k" + n, "n", n));
        acknowledged.add(n);
        return;
      } catch (CosmosException error) {
        if (failures == FAILURES_MAX) {
          throw error;
        }
        Thread.sleep(PAUSE_MS);
      }
    }
  }
}
