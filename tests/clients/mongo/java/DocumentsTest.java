import static com.mongodb.client.model.Accumulators.sum;
import static com.mongodb.client.model.Aggregates.group;
import static com.mongodb.client.model.Aggregates.match;
import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.gte;
import static com.mongodb.client.model.Filters.lt;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.inc;
import static com.mongodb.client.model.Updates.push;
import static com.mongodb.client.model.Updates.set;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoQueryException;
import com.mongodb.MongoWriteException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.InsertOneModel;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.result.UpdateResult;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import org.bson.Document;
import org.bson.types.Decimal128;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import orrery.OrreryServer;

/** What most programs do with the Java driver, with its default settings, and the errors that they handle. */
class DocumentsTest {
  private static OrreryServer server;
  private static MongoClient client;
  private static MongoDatabase database;

  @BeforeAll
  static void connect() {
    server = OrreryServer.start("--table-port", "0", "--mongo-port", "any");
    client = MongoClients.create("mongodb://127.0.0.1:" + server.mongoPort() + "/");
    database = client.getDatabase("java");
  }

  @AfterAll
  static void stop() {
    client.close();
    server.close();
  }

  @Test
  void documentsComeBack() {
    MongoCollection<Document> things = database.getCollection("documents");
    Document document =
        new Document("_id", new ObjectId()).append("int", 1).append("long", 1L << 40).append("decimal", Decimal128.parse("1.10"))
            .append("date", new Date(5)).append("list", List.of(1, new Document("a", 2))).append("none", null);
    things.insertOne(document);
    assertEquals(document, things.find(eq("_id", document.getObjectId("_id"))).first());
    assertNull(things.find(eq("_id", 7)).first());
  }

  @Test
  void manyDocuments() {
    MongoCollection<Document> things = database.getCollection("many");
    List<Document> documents = new ArrayList<>();
    for (int i = 0; i < 1200; i++) {
      documents.add(new Document("_id", i).append("n", i % 7));
    }
    things.insertMany(documents);
    assertEquals(172, things.countDocuments(eq("n", 1)));
    List<Integer> ids = things.find(and(eq("n", 2), lt("_id", 30))).sort(Sorts.descending("_id")).batchSize(2).map(d -> d.getInteger("_id")).into(new ArrayList<>());
    assertEquals(List.of(23, 16, 9, 2), ids);
    List<Document> sums = things.aggregate(List.of(match(gte("n", 5)), group("$n", sum("count", 1)), new Document("$sort", new Document("_id", 1)))).into(new ArrayList<>());
    assertEquals(List.of(new Document("_id", 5).append("count", 171), new Document("_id", 6).append("count", 171)), sums);
  }

  @Test
  void updates() {
    MongoCollection<Document> things = database.getCollection("updates");
    things.insertOne(new Document("_id", 1).append("l", List.of(1)));
    UpdateResult changed = things.updateOne(eq("_id", 1), combine(inc("n", 2), push("l", 5)));
    assertEquals(1, changed.getModifiedCount());
    assertEquals(9, things.updateOne(eq("_id", 9), set("a", 1), new UpdateOptions().upsert(true)).getUpsertedId().asInt32().getValue());
    Document after = things.findOneAndUpdate(eq("l", 5), set("l.$", 6), new FindOneAndUpdateOptions().returnDocument(ReturnDocument.AFTER));
    assertEquals(List.of(1, 6), after.getList("l", Integer.class));
    assertEquals(2, things.deleteMany(new Document()).getDeletedCount());
  }

  @Test
  void errors() {
    MongoCollection<Document> things = database.getCollection("errors");
    things.insertOne(new Document("_id", 1).append("s", "x"));
    assertEquals(11000, assertThrows(MongoWriteException.class, () -> things.insertOne(new Document("_id", 1))).getCode());
    assertEquals(14, assertThrows(MongoWriteException.class, () -> things.updateOne(eq("_id", 1), inc("s", 1))).getCode());
    MongoBulkWriteException bulk = assertThrows(MongoBulkWriteException.class,
        () -> things.bulkWrite(List.of(new InsertOneModel<>(new Document("_id", 1)), new InsertOneModel<>(new Document("_id", 2))), new BulkWriteOptions().ordered(false)));
    assertEquals(1, bulk.getWriteResult().getInsertedCount());
    assertEquals(2, assertThrows(MongoQueryException.class, () -> things.find(Document.parse("{a: {$nope: 1}}")).first()).getCode());
    assertEquals(59, assertThrows(MongoCommandException.class, () -> database.runCommand(new Document("nope", 1))).getCode());
  }

  @Test
  void indexes() {
    MongoCollection<Document> things = database.getCollection("indexes");
    things.insertOne(new Document("a", 1));
    assertEquals("a_1_b_-1", things.createIndex(Indexes.compoundIndex(Indexes.ascending("a"), Indexes.descending("b"))));
    List<String> names = things.listIndexes().map(index -> index.getString("name")).into(new ArrayList<>());
    assertEquals(List.of("_id_", "a_1_b_-1"), names);
    Document plan = things.find(eq("a", 1)).explain();
    assertEquals("FETCH", plan.getEmbedded(List.of("queryPlanner", "winningPlan", "stage"), String.class));
  }

  @Test
  void transactions() {
    MongoCollection<Document> accounts = database.getCollection("accounts");
    MongoCollection<Document> journal = database.getCollection("journal");
    accounts.insertMany(List.of(new Document("_id", "a").append("n", 100), new Document("_id", "b").append("n", 0)));
    try (ClientSession session = client.startSession()) {
      session.withTransaction(() -> {
        accounts.updateOne(session, eq("_id", "a"), inc("n", -30));
        accounts.updateOne(session, eq("_id", "b"), inc("n", 30));
        return journal.insertOne(session, new Document("amount", 30));
      });
      assertThrows(IllegalStateException.class, () -> session.withTransaction(() -> {
        journal.insertOne(session, new Document("amount", 1));
        throw new IllegalStateException("changed my mind");
      }));
    }
    assertEquals(30, accounts.find(eq("_id", "b")).first().getInteger("n"));
    assertEquals(1, journal.countDocuments());
  }
}
