import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosDatabase;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosItemIdentity;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.ExcludedPath;
import com.azure.cosmos.models.IndexingPolicy;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.PartitionKeyBuilder;
import com.azure.cosmos.models.PartitionKeyDefinition;
import com.azure.cosmos.models.PartitionKeyDefinitionVersion;
import com.azure.cosmos.models.PartitionKind;
import com.azure.cosmos.models.ThroughputProperties;
import com.azure.cosmos.models.UniqueKey;
import com.azure.cosmos.models.UniqueKeyPolicy;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What containers are made of: throughput, keys, time to live, unique keys, policies. */
class ContainerTest extends CosmosTest {
  private static PartitionKey path(String... values) {
    PartitionKeyBuilder builder = new PartitionKeyBuilder();
    for (String value : values) {
      builder.add(value);
    }
    return builder.build();
  }

  @Test
  void throughputIsReadAndReplaced() {
    CosmosContainer container = container("metered", 1000);
    assertEquals(1000, container.readThroughput().getProperties().getManualThroughput());
    assertEquals(1000, container.readThroughput().getMinThroughput());
    assertEquals(3000, container.replaceThroughput(ThroughputProperties.createManualThroughput(3000)).getProperties().getManualThroughput());
    assertEquals(3000, container.readThroughput().getProperties().getManualThroughput());
    refuses(400, () -> container.replaceThroughput(ThroughputProperties.createManualThroughput(10)));

    database.createContainer(new CosmosContainerProperties("scaled", "/pk"), ThroughputProperties.createAutoscaledThroughput(4000));
    assertEquals(4000, database.getContainer("scaled").readThroughput().getProperties().getAutoscaleMaxThroughput());

    client.createDatabase("shared", ThroughputProperties.createManualThroughput(1000));
    CosmosDatabase shared = client.getDatabase("shared");
    assertEquals(1000, shared.readThroughput().getProperties().getManualThroughput());
    shared.createContainer("guest", "/pk");
    assertEquals(201, shared.getContainer("guest").createItem(item("1", "a")).getStatusCode());
    refuses(400, () -> shared.getContainer("guest").readThroughput());
  }

  @Test
  void hierarchicalKeys() {
    PartitionKeyDefinition definition = new PartitionKeyDefinition();
    definition.setPaths(List.of("/tenant", "/user", "/session")).setKind(PartitionKind.MULTI_HASH).setVersion(PartitionKeyDefinitionVersion.V2);
    CosmosContainer container = container(new CosmosContainerProperties("tenants", definition), 30_000);
    for (int i = 0; i < 60; ++i) {
      String tenant = "t" + i % 3;
      String user = "u" + i % 6;
      ObjectNode made = JSON.createObjectNode().put("id", String.valueOf(i)).put("tenant", tenant).put("user", user).put("session", "s" + i);
      assertEquals(201, container.createItem(made).getStatusCode());
      assertEquals(i, container.readItem(String.valueOf(i), path(tenant, user, "s" + i), ObjectNode.class).getItem().get("id").asInt());
    }
    CosmosQueryRequestOptions ofTenant = new CosmosQueryRequestOptions().setPartitionKey(path("t1"));
    assertEquals(20, container.queryItems("SELECT * FROM c", ofTenant, ObjectNode.class).stream().count());
    CosmosQueryRequestOptions ofUser = new CosmosQueryRequestOptions().setPartitionKey(path("t1", "u4"));
    assertEquals(10, container.queryItems("SELECT * FROM c ORDER BY c.id", ofUser, ObjectNode.class).stream().count());
    assertEquals(1, container.readAllItems(path("t1", "u4", "s4"), ObjectNode.class).stream().count());
    List<CosmosItemIdentity> wanted = List.of(new CosmosItemIdentity(path("t1", "u4", "s4"), "4"),
        new CosmosItemIdentity(path("t0", "u3", "s9"), "9"), new CosmosItemIdentity(path("t0", "u0", "s9"), "9"));
    assertEquals(2, container.readMany(wanted, ObjectNode.class).getResults().size());
    assertEquals(204, container.deleteItem("4", path("t1", "u4", "s4"), null).getStatusCode());
  }

  @Test
  void itemsThatLiveForATime() throws Exception {
    CosmosContainerProperties properties = new CosmosContainerProperties("living", "/pk");
    properties.setDefaultTimeToLiveInSeconds(-1);
    CosmosContainer container = container(properties, 0);
    container.createItem(item("1", "a", "ttl", 1));
    container.createItem(item("2", "a"));
    eventually("its time is over", () -> {
      try {
        container.readItem("1", key("a"), ObjectNode.class);
        return false;
      } catch (CosmosException error) {
        return error.getStatusCode() == 404;
      }
    });
    assertEquals(List.of("2"), ids(container.readAllItems(key("a"), ObjectNode.class)));
    CosmosContainerProperties changed = container.read().getProperties();
    assertEquals(-1, changed.getDefaultTimeToLiveInSeconds());
    changed.setDefaultTimeToLiveInSeconds(null);
    assertNull(container.replace(changed).getProperties().getDefaultTimeToLiveInSeconds());
  }

  @Test
  void uniqueKeys() {
    CosmosContainerProperties properties = new CosmosContainerProperties("unique", "/pk");
    properties.setUniqueKeyPolicy(new UniqueKeyPolicy().setUniqueKeys(List.of(new UniqueKey(List.of("/mail")))));
    CosmosContainer container = container(properties, 0);
    container.createItem(item("1", "a", "mail", "x"));
    refuses(409, () -> container.createItem(item("2", "a", "mail", "x")));
    refuses(409, () -> container.upsertItem(item("2", "a", "mail", "x")));
    assertEquals(201, container.createItem(item("2", "b", "mail", "x")).getStatusCode());
    assertEquals(201, container.createItem(item("2", "a", "mail", "y")).getStatusCode());
    refuses(409, () -> container.replaceItem(item("2", "a", "mail", "x"), "2", key("a"), null));
  }

  @Test
  void policiesAreReplaced() {
    CosmosContainer container = container("policies", 0);
    CosmosContainerProperties properties = container.read().getProperties();
    IndexingPolicy policy = properties.getIndexingPolicy();
    policy.setExcludedPaths(List.of(new ExcludedPath("/big/*")));
    IndexingPolicy replaced = container.replace(properties.setIndexingPolicy(policy)).getProperties().getIndexingPolicy();
    assertTrue(replaced.getExcludedPaths().stream().anyMatch(each -> each.getPath().equals("/big/*")));
    assertEquals(204, container.delete().getStatusCode());
    refuses(404, container::read);
  }

  /** A name that comes to stand for another container: clients have cached what the first one was. */
  @Test
  void aContainerThatIsDeletedAndMadeAnew() {
    String name = UUID.randomUUID().toString();
    CosmosContainer container = container(name, 0);
    container.createItem(item("1", "a"));
    container.delete();
    database.createContainer(new CosmosContainerProperties(name, "/other"), ThroughputProperties.createManualThroughput(20_000));
    ObjectNode made = JSON.createObjectNode().put("id", "1").put("other", "x");
    assertEquals(201, database.getContainer(name).createItem(made).getStatusCode());
    assertEquals("1", database.getContainer(name).readItem("1", key("x"), ObjectNode.class).getItem().get("id").asText());
  }
}
