import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.cosmos.CosmosAsyncUser;
import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosPermissionProperties;
import com.azure.cosmos.models.CosmosUserProperties;
import com.azure.cosmos.models.PermissionMode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Users, permissions, and clients that have nothing but resource tokens. */
class PermissionTest extends CosmosTest {
  private CosmosAsyncUser user(String name) {
    database.createUser(new CosmosUserProperties().setId(name));
    return asyncClient.getDatabase(database.getId()).getUser(name);
  }

  private static CosmosPermissionProperties permit(CosmosAsyncUser user, CosmosContainer container, PermissionMode mode) {
    return user.createPermission(new CosmosPermissionProperties().setId(container.getId()).setContainerName(container.getId())
        .setPermissionMode(mode), null).block().getProperties();
  }

  private CosmosClient clientOf(CosmosPermissionProperties permission) {
    return build(withMode(new CosmosClientBuilder().endpoint(endpoint()).resourceToken(permission.getToken())));
  }

  @Test
  void aTokenToRead() {
    CosmosContainer container = container();
    container.createItem(item("1", "a", "n", 1));
    CosmosPermissionProperties permission = permit(user("reader"), container, PermissionMode.READ);
    assertTrue(permission.getToken().startsWith("type=resource&ver=1&sig="));
    CosmosContainer same = through(clientOf(permission), container);
    assertEquals("1", same.readItem("1", key("a"), ObjectNode.class).getItem().get("id").asText());
    assertEquals(List.of("1"), ids(same.queryItems("SELECT * FROM c WHERE c.n = 1", null, ObjectNode.class)));
    refuses(403, () -> same.createItem(item("2", "a")));
    refuses(403, () -> same.deleteItem("1", key("a"), null));
  }

  @Test
  void aTokenToWrite() {
    CosmosContainer container = container();
    CosmosAsyncUser writer = user("writer");
    CosmosPermissionProperties permission = permit(writer, container, PermissionMode.ALL);
    CosmosContainer same = through(clientOf(permission), container);
    assertEquals(201, same.createItem(item("1", "a")).getStatusCode());
    assertEquals(200, same.upsertItem(item("1", "a", "n", 1)).getStatusCode());
    writer.getPermission(container.getId()).delete(null).block();
    refuses(403, () -> same.createItem(item("2", "a")));
  }

  @Test
  void usersAndPermissionsAreListedAndRead() {
    CosmosContainer container = container();
    CosmosAsyncUser user = user("listed");
    permit(user, container, PermissionMode.READ);
    assertTrue(database.readAllUsers().stream().anyMatch(each -> each.getId().equals("listed")));
    assertEquals("listed", user.read().block().getProperties().getId());
    assertEquals(1, user.readAllPermissions().collectList().block().size());
    assertEquals(PermissionMode.READ, user.getPermission(container.getId()).read(null).block().getProperties().getPermissionMode());
    assertEquals("renamed", user.replace(user.read().block().getProperties().setId("renamed")).block().getProperties().getId());
    assertEquals(204, database.getUser("renamed").delete().getStatusCode());
  }

  @Test
  void aWrongKey() {
    String wrong = Base64.getEncoder().encodeToString("a".repeat(64).getBytes());
    // The client reads the account before it is built, and wraps what it is told.
    Throwable failure = assertThrows(RuntimeException.class, () -> build(builder().key(wrong)));
    assertEquals(401, assertInstanceOf(CosmosException.class, failure.getCause()).getStatusCode());
  }
}
