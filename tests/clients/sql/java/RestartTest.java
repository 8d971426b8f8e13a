import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A server that ends and comes again under clients that stay; its port of Direct mode is another one then. */
class RestartTest extends CosmosTest {
  private static final int ITEMS = 50;

  @Test
  void aClientGoesOnAfterARestart() throws Exception {
    CosmosContainer container = container("kept", 20_000);
    Set<String> acknowledged = new HashSet<>();
    for (boolean gently : new boolean[] {true, false}) {
      for (int i = 0; i < ITEMS; ++i) {
        String id = gently + "-" + i;
        container.createItem(item(id, id));
        acknowledged.add(id);
      }
      if (gently) {
        server.stop();
      } else {
        server.kill();
      }
      server.startAgain();
      for (String id : acknowledged) {
        assertEquals(id, container.readItem(id, key(id), ObjectNode.class).getItem().get("id").asText());
      }
      container.upsertItem(item("after", "after", "gently", gently), new CosmosItemRequestOptions());
    }
    Set<String> found = new HashSet<>(ids(container.queryItems("SELECT * FROM c", null, ObjectNode.class)));
    assertTrue(found.containsAll(acknowledged));
    assertEquals(acknowledged.size() + 1, found.size());
  }
}
