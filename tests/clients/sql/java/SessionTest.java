import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import com.azure.cosmos.ConsistencyLevel;
import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.stream.Collectors;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Sessions: what one client has written, another reads that was given the token. */
class SessionTest extends CosmosTest {
  @Test
  void aTokenOfOneClientAtAnother() {
    CosmosContainer first = container("tokens", 30_000);
    CosmosClient other = build(builder());
    CosmosContainer second = through(other, first);
    for (int i = 0; i < 50; ++i) {
      String pk = "k" + i % 7;
      String token = first.upsertItem(item("1", pk, "n", i)).getSessionToken();
      assertNotNull(token);
      CosmosItemRequestOptions session = new CosmosItemRequestOptions().setSessionToken(token);
      assertEquals(i, second.readItem("1", key(pk), session, ObjectNode.class).getItem().get("n").asInt());
      CosmosQueryRequestOptions query = new CosmosQueryRequestOptions().setSessionToken(token).setPartitionKey(key(pk));
      assertEquals(List.of(i), second.queryItems("SELECT VALUE c.n FROM c", query, Integer.class).stream().collect(Collectors.toList()));
    }
  }

  @Test
  void aSessionGoesOnOverASplit() throws Exception {
    CosmosContainer first = container("halves", 1000);
    CosmosContainer second = through(build(builder()), first);
    for (int i = 0; i < 20; ++i) {
      first.createItem(item(String.valueOf(i), "k" + i));
      second.readItem(String.valueOf(i), key("k" + i), ObjectNode.class);
    }
    String before = first.upsertItem(item("0", "k0", "n", 1)).getSessionToken();
    split(first);
    assertEquals(1, second.readItem("0", key("k0"), new CosmosItemRequestOptions().setSessionToken(before), ObjectNode.class)
        .getItem().get("n").asInt());
    for (int i = 0; i < 20; ++i) {
      String token = first.upsertItem(item(String.valueOf(i), "k" + i, "n", 2)).getSessionToken();
      assertEquals(2, second.readItem(String.valueOf(i), key("k" + i), new CosmosItemRequestOptions().setSessionToken(token), ObjectNode.class)
          .getItem().get("n").asInt());
    }
  }

  @Test
  void weakerLevels() {
    CosmosContainer container = container();
    container.createItem(item("1", "a", "n", 1));
    for (ConsistencyLevel level : List.of(ConsistencyLevel.SESSION, ConsistencyLevel.CONSISTENT_PREFIX, ConsistencyLevel.EVENTUAL)) {
      CosmosContainer same = through(build(builder().consistencyLevel(level)), container);
      assertEquals(1, same.readItem("1", key("a"), ObjectNode.class).getItem().get("n").asInt());
      assertEquals(1, same.queryItems("SELECT * FROM c", new CosmosQueryRequestOptions().setConsistencyLevel(level), ObjectNode.class)
          .stream().count());
    }
  }
}
