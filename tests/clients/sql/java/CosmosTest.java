import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.cosmos.CosmosAsyncClient;
import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosDatabase;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.NonIdempotentWriteRetryOptions;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.ThroughputProperties;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import orrery.OrreryServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.function.Executable;

/**
 * A CosmosTest has one server, one database and a client of each kind for all its tests.
 *
 * <p>The variable ORRERY_SQL_MODE says how clients connect: {@code direct} (what the client does unless it is told
 * otherwise), {@code gateway} (over HTTPS) or {@code plain} (gateway mode over HTTP).
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class CosmosTest {
  static final String MODE = System.getenv().getOrDefault("ORRERY_SQL_MODE", "direct");
  /** With the default of 400 RU/s suites would wait for their budget. */
  private static final int RICH = 10_000;
  static final ObjectMapper JSON = new ObjectMapper();
  private static final int LOOK_MS = 50;
  private static final Pattern ENDED_BY_SERVER =
      Pattern.compile("^(orrery_sql_direct_(?:ended_by_server|idle_closed|slow_readers|slow_senders)_total) (\\d+)$", Pattern.MULTILINE);

  private final List<Closeable> clients = new ArrayList<>();
  OrreryServer server;
  CosmosClient client;
  CosmosAsyncClient asyncClient;
  CosmosDatabase database;

  /** What containers have that are given no throughput. */
  int defaultThroughput() {
    return RICH;
  }

  @BeforeAll
  void connect() throws IOException {
    server = TrustedServer.start("--sql-default-throughput", String.valueOf(defaultThroughput()));
    client = build(builder());
    asyncClient = buildAsync(builder());
    String name = getClass().getSimpleName();
    client.createDatabase(name);
    database = client.getDatabase(name);
  }

  @AfterAll
  void disconnect() throws Exception {
    for (Closeable each : clients) {
      each.close();
    }
    if (server == null) {
      return;
    }
    try (OrreryServer ending = server) {
      checkThatNoConnectionWasEnded();
    }
  }

  /** What clients repeat must be their own fault: they would hide it from these tests if the server closed connections. */
  private void checkThatNoConnectionWasEnded() throws IOException, InterruptedException {
    String metrics = HttpClient.newHttpClient().send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.sqlPort() + "/metrics")).build(),
        HttpResponse.BodyHandlers.ofString()).body();
    int found = 0;
    for (Matcher ended = ENDED_BY_SERVER.matcher(metrics); ended.find(); ++found) {
      assertEquals("0", ended.group(2), ended.group(1));
    }
    assertEquals(4, found, metrics);
  }

  /** The settings of a program that has read no more than the quick start and, in Direct mode, the advice of docs/apis/sql.md. */
  CosmosClientBuilder builder() {
    return withMode(new CosmosClientBuilder().endpoint(endpoint()).key(OrreryServer.ACCOUNT_KEY));
  }

  String endpoint() {
    return (MODE.equals("plain") ? "http" : "https") + "://localhost:" + server.sqlPort() + "/";
  }

  /** In Direct mode the client now and then closes a new connection of its own with a request under way. */
  static CosmosClientBuilder withMode(CosmosClientBuilder builder) {
    return MODE.equals("direct")
        ? builder.nonIdempotentWriteRetryOptions(new NonIdempotentWriteRetryOptions().setEnabled(true).setTrackingIdUsed(true))
        : builder.gatewayMode();
  }

  CosmosClient build(CosmosClientBuilder builder) {
    CosmosClient built = builder.buildClient();
    clients.add(built);
    return built;
  }

  CosmosAsyncClient buildAsync(CosmosClientBuilder builder) {
    CosmosAsyncClient built = builder.buildAsyncClient();
    clients.add(built);
    return built;
  }

  /** A new container of this class's database, partitioned by /pk. */
  CosmosContainer container() {
    return container(UUID.randomUUID().toString(), 0);
  }

  CosmosContainer container(String name, int throughput) {
    return container(new CosmosContainerProperties(name, "/pk"), throughput);
  }

  CosmosContainer container(CosmosContainerProperties properties, int throughput) {
    database.createContainer(properties, throughput == 0 ? null : ThroughputProperties.createManualThroughput(throughput));
    return database.getContainer(properties.getId());
  }

  CosmosAsyncContainer async(CosmosContainer container) {
    return asyncClient.getDatabase(database.getId()).getContainer(container.getId());
  }

  /** The same container for another client. */
  CosmosContainer through(CosmosClient other, CosmosContainer container) {
    return other.getDatabase(database.getId()).getContainer(container.getId());
  }

  static PartitionKey key(String value) {
    return new PartitionKey(value);
  }

  /** A document: {@code item("1", "a", "n", 5)} is {@code {"id": "1", "pk": "a", "n": 5}}. */
  static ObjectNode item(String id, String pk, Object... rest) {
    ObjectNode made = JSON.createObjectNode().put("id", id).put("pk", pk);
    for (int i = 0; i < rest.length; i += 2) {
      made.set((String) rest[i], JSON.valueToTree(rest[i + 1]));
    }
    return made;
  }

  static List<String> ids(Iterable<? extends JsonNode> documents) {
    List<String> found = new ArrayList<>();
    documents.forEach(document -> found.add(document.get("id").asText()));
    return found;
  }

  /** Splits the largest partition of a container, by the admin interface. */
  void split(CosmosContainer container) throws IOException, InterruptedException {
    URI target = URI.create("http://127.0.0.1:" + server.sqlPort() + "/_admin/v1/databases/" + database.getId() + "/containers/"
        + container.getId() + "/split");
    HttpResponse<String> response = HttpClient.newHttpClient().send(
        HttpRequest.newBuilder(target).header("authorization", "Bearer " + OrreryServer.ACCOUNT_KEY)
            .POST(HttpRequest.BodyPublishers.noBody()).build(), HttpResponse.BodyHandlers.ofString());
    assertEquals(2, response.statusCode() / 100, response::body);
  }

  /** Fails unless the call is refused with this status; returns the refusal. */
  static CosmosException refuses(int status, Executable call) {
    CosmosException refusal = assertThrows(CosmosException.class, call);
    assertEquals(status, refusal.getStatusCode(), refusal::getMessage);
    return refusal;
  }

  /** Waits for what must happen but is told by nobody; only a hung server or client gets to the end. */
  static void eventually(String what, Callable<Boolean> happened) throws Exception {
    long deadline = System.nanoTime() + OrreryServer.PATIENCE_SECONDS * 1_000_000_000L;
    while (!happened.call()) {
      assertTrue(System.nanoTime() < deadline, "never happened: " + what);
      Thread.sleep(LOOK_MS);
    }
  }
}
