import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.azure.core.credential.AzureNamedKeyCredential;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableServiceClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.data.tables.models.ListEntitiesOptions;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableEntityUpdateMode;
import com.azure.data.tables.models.TableServiceException;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import com.azure.data.tables.models.TableTransactionFailedException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import orrery.OrreryServer;

/**
 * What most programs do with entities: writes of every kind, types, queries, transactions, and errors. On the port that follows
 * Cosmos DB; those that derive from it do the same elsewhere.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EntitiesTest {
  private OrreryServer server;
  private TableServiceClient service;

  @BeforeAll
  void connect() throws Exception {
    server = OrreryServer.start("--table-port", "any,any");
    service = client(server);
  }

  TableServiceClient client(OrreryServer server) throws Exception {
    return client("http://127.0.0.1:" + server.tablePort(), OrreryServer.ACCOUNT, OrreryServer.ACCOUNT_KEY);
  }

  static TableServiceClient client(String endpoint, String account, String key) {
    return new TableServiceClientBuilder().endpoint(endpoint).credential(new AzureNamedKeyCredential(account, key)).buildClient();
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private TableClient table(String name) {
    service.createTable(name);
    return service.getTableClient(name);
  }

  private static void assertRefused(int status, Runnable job) {
    TableServiceException refused = assertThrows(TableServiceException.class, job::run);
    assertEquals(status, refused.getResponse().getStatusCode());
  }

  @Test
  void writesAndConditions() {
    TableClient people = table("People");
    people.createEntity(new TableEntity("Smith", "Ben").addProperty("age", 33).addProperty("city", "Rome"));
    assertRefused(409, () -> people.createEntity(new TableEntity("Smith", "Ben")));
    TableEntity ben = people.getEntity("Smith", "Ben");
    people.updateEntity(new TableEntity("Smith", "Ben").addProperty("age", 34), TableEntityUpdateMode.MERGE);
    assertRefused(412, () -> people.updateEntityWithResponse(ben, TableEntityUpdateMode.REPLACE, true, null, null));
    TableEntity merged = people.getEntity("Smith", "Ben");
    assertEquals(34, merged.getProperty("age"));
    assertEquals("Rome", merged.getProperty("city"));
    people.upsertEntity(new TableEntity("Smith", "Jeff").addProperty("age", 41));
    people.deleteEntity("Smith", "Ben");
    assertRefused(404, () -> people.getEntity("Smith", "Ben"));
  }

  @Test
  void types() {
    TableClient types = table("Types");
    UUID guid = UUID.randomUUID();
    OffsetDateTime date = OffsetDateTime.parse("2026-02-03T04:05:06.789Z");
    types.createEntity(
        new TableEntity("p", "r")
            .addProperty("text", "Grüße")
            .addProperty("big", 1L << 40)
            .addProperty("real", 1.5)
            .addProperty("yes", true)
            .addProperty("guid", guid)
            .addProperty("date", date)
            .addProperty("bytes", new byte[] {0, -1}));
    TableEntity read = types.getEntity("p", "r");
    assertEquals("Grüße", read.getProperty("text"));
    assertEquals(1L << 40, read.getProperty("big"));
    assertEquals(1.5, read.getProperty("real"));
    assertEquals(true, read.getProperty("yes"));
    assertEquals(guid, read.getProperty("guid"));
    assertEquals(date, read.getProperty("date"));
    assertEquals(-1, ((byte[]) read.getProperty("bytes"))[1]);
  }

  @Test
  void queriesAndTransactions() {
    TableClient rows = table("Rows");
    List<TableTransactionAction> actions = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      actions.add(
          new TableTransactionAction(
              TableTransactionActionType.CREATE, new TableEntity("p", String.format("%02d", i)).addProperty("n", i)));
    }
    rows.submitTransaction(actions);
    TableTransactionFailedException failed =
        assertThrows(TableTransactionFailedException.class, () -> rows.submitTransaction(actions.subList(3, 5)));
    assertEquals(0, failed.getFailedTransactionActionIndex());
    List<String> found = new ArrayList<>();
    for (TableEntity entity : rows.listEntities(new ListEntitiesOptions().setFilter("n ge 45").setTop(2), null, null)) {
      found.add(entity.getRowKey());
    }
    assertEquals(List.of("45", "46", "47", "48", "49"), found);
    assertNull(rows.getEntity("p", "00").getProperty("none"));
  }
}
