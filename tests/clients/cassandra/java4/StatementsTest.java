import static com.datastax.oss.driver.api.querybuilder.QueryBuilder.bindMarker;
import static com.datastax.oss.driver.api.querybuilder.QueryBuilder.insertInto;
import static com.datastax.oss.driver.api.querybuilder.QueryBuilder.literal;
import static com.datastax.oss.driver.api.querybuilder.QueryBuilder.selectFrom;
import static com.datastax.oss.driver.api.querybuilder.QueryBuilder.update;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.DefaultBatchType;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.QueryTrace;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.type.DataTypes;
import com.datastax.oss.driver.api.querybuilder.SchemaBuilder;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StatementsTest extends CqlTest {
  private void createTable() {
    session.execute("CREATE TABLE t (p int, c int, s int static, v text, PRIMARY KEY (p, c))");
  }

  @Test
  void valuesByPositionAndByName() {
    createTable();
    session.execute("INSERT INTO t (p, c, v) VALUES (?, ?, ?)", 1, 2, "by position");
    session.execute(SimpleStatement.newInstance(
        "INSERT INTO t (p, c, v) VALUES (:p, :c, :v)", Map.of("p", 1, "c", 3, "v", "by name")));
    List<Row> rows = session.execute("SELECT c, v FROM t WHERE p = 1").all();
    assertEquals(List.of("by position", "by name"), rows.stream().map(row -> row.getString("v")).toList());
  }

  @Test
  void preparedStatementsTellTheirVariables() {
    createTable();
    PreparedStatement insert = session.prepare("INSERT INTO t (p, c, v) VALUES (?, ?, :text)");
    assertEquals(List.of("p", "c", "text"), StreamSupport.stream(insert.getVariableDefinitions().spliterator(), false)
        .map(each -> each.getName().asInternal()).toList());
    assertEquals(DataTypes.TEXT, insert.getVariableDefinitions().get("text").getType());
    assertEquals(List.of(0), insert.getPartitionKeyIndices());
    session.execute(insert.boundStatementBuilder().setInt("p", 1).setInt("c", 1).setString("text", "x").build());
    PreparedStatement select = session.prepare("SELECT * FROM t WHERE p = ? AND c = ?");
    assertEquals(4, select.getResultSetDefinitions().size());
    assertEquals("x", session.execute(select.bind(1, 1)).one().getString("v"));
  }

  @Test
  void unsetValuesChangeNothing() {
    createTable();
    PreparedStatement insert = session.prepare("INSERT INTO t (p, c, v) VALUES (?, ?, ?)");
    session.execute(insert.bind(1, 1, "kept"));
    session.execute(insert.boundStatementBuilder(1, 1).build());
    assertEquals("kept", one("SELECT v FROM t WHERE p = 1").getString(0));
    session.execute(insert.bind(1, 1, null));
    assertTrue(one("SELECT v FROM t WHERE p = 1").isNull(0));
  }

  @Test
  void preparedStatementsFollowTheirTable() {
    createTable();
    PreparedStatement select = session.prepare("SELECT * FROM t WHERE p = ?");
    session.execute("INSERT INTO t (p, c, v) VALUES (1, 1, 'x')");
    assertEquals(4, session.execute(select.bind(1)).one().size());
    session.execute("ALTER TABLE t ADD added int");
    session.execute("UPDATE t SET added = 5 WHERE p = 1 AND c = 1");
    Row row = session.execute(select.bind(1)).one();
    assertEquals(5, row.size());
    assertEquals(5, row.getInt("added"));
    assertEquals("x", row.getString("v"));
  }

  @Test
  void lightweightTransactions() {
    createTable();
    PreparedStatement insert = session.prepare("INSERT INTO t (p, c, v) VALUES (?, ?, ?) IF NOT EXISTS");
    assertTrue(session.execute(insert.bind(1, 1, "first")).wasApplied());
    ResultSet second = session.execute(insert.bind(1, 1, "second"));
    assertFalse(second.wasApplied());
    assertEquals("first", second.one().getString("v"));

    ResultSet refused = session.execute("UPDATE t SET v = 'third' WHERE p = 1 AND c = 1 IF v = 'other'");
    assertFalse(refused.wasApplied());
    assertEquals("first", refused.one().getString("v"));
    assertTrue(session.execute("UPDATE t SET v = 'third' WHERE p = 1 AND c = 1 IF v = 'first'").wasApplied());
    assertFalse(session.execute("DELETE FROM t WHERE p = 1 AND c = 9 IF EXISTS").wasApplied());
    assertTrue(session.execute("DELETE FROM t WHERE p = 1 AND c = 1 IF EXISTS").wasApplied());
    assertEquals(List.of(), session.execute("SELECT * FROM t").all());
  }

  @Test
  void conditionalBatches() {
    createTable();
    BatchStatement batch = BatchStatement.newInstance(DefaultBatchType.LOGGED,
        SimpleStatement.newInstance("INSERT INTO t (p, s) VALUES (1, 7) IF NOT EXISTS"),
        SimpleStatement.newInstance("INSERT INTO t (p, c, v) VALUES (1, 1, 'a')"));
    assertTrue(session.execute(batch).wasApplied());
    assertFalse(session.execute(batch).wasApplied());
    assertEquals(7, one("SELECT s, v FROM t WHERE p = 1").getInt("s"));
  }

  @ParameterizedTest
  @EnumSource(value = DefaultBatchType.class, names = {"LOGGED", "UNLOGGED"})
  void batches(DefaultBatchType type) {
    session.execute("CREATE TABLE IF NOT EXISTS t (p int, c int, s int static, v text, PRIMARY KEY (p, c))");
    PreparedStatement insert = session.prepare("INSERT INTO t (p, c, v) VALUES (?, ?, ?)");
    session.execute(BatchStatement.newInstance(type, insert.bind(1, 1, "x"), insert.bind(2, 1, "y"),
        SimpleStatement.newInstance("INSERT INTO t (p, c, v) VALUES (?, 2, ?)", 2, "z"),
        SimpleStatement.newInstance("DELETE FROM t WHERE p = 1 AND c = 1")).setQueryTimestamp(1_000_000));
    assertEquals(2, session.execute("SELECT * FROM t").all().size());
    assertEquals(1_000_000, one("SELECT writetime(v) FROM t WHERE p = 2 AND c = 2").getLong(0));
  }

  @Test
  void counters() {
    session.execute("CREATE TABLE hits (page text PRIMARY KEY, n counter)");
    PreparedStatement add = session.prepare("UPDATE hits SET n = n + ? WHERE page = ?");
    session.execute(add.bind(5L, "a"));
    session.execute(add.bind(-2L, "a"));
    session.execute(BatchStatement.newInstance(DefaultBatchType.COUNTER, add.bind(1L, "a"), add.bind(10L, "b")));
    assertEquals(4, one("SELECT n FROM hits WHERE page = 'a'").getLong("n"));
    assertEquals(10, one("SELECT n FROM hits WHERE page = 'b'").getLong("n"));
  }

  @Test
  void timesToLiveAndTimestamps() {
    createTable();
    session.execute("INSERT INTO t (p, c, v) VALUES (1, 1, 'x') USING TTL 1000 AND TIMESTAMP 5");
    Row row = one("SELECT ttl(v), writetime(v) FROM t WHERE p = 1");
    assertTrue(row.getInt(0) > 0 && row.getInt(0) <= 1000);
    assertEquals(5, row.getLong(1));
    // Timestamps of the driver's own are later than any fixed one.
    session.execute("INSERT INTO t (p, c, v) VALUES (1, 1, 'y')");
    session.execute(SimpleStatement.newInstance("INSERT INTO t (p, c, v) VALUES (1, 1, 'z')").setQueryTimestamp(6));
    assertEquals("y", one("SELECT v FROM t WHERE p = 1").getString(0));
  }

  @Test
  void json() {
    createTable();
    session.execute("INSERT INTO t JSON ?", "{\"p\": 1, \"c\": 2, \"v\": \"x\"}");
    assertEquals("{\"p\": 1, \"c\": 2, \"s\": null, \"v\": \"x\"}", one("SELECT JSON * FROM t").getString("[json]"));
  }

  @Test
  void tracesCanBeRead() {
    createTable();
    ResultSet result = session.execute(SimpleStatement.newInstance("SELECT * FROM t WHERE p = 1").setTracing(true));
    QueryTrace trace = result.getExecutionInfo().getQueryTrace();
    assertEquals("SELECT * FROM t WHERE p = 1", trace.getParameters().get("query"));
    assertFalse(trace.getEvents().isEmpty());
  }

  @Test
  void answersTellTheirCharge() {
    createTable();
    ResultSet result = session.execute("INSERT INTO t (p, c) VALUES (1, 1)");
    var charge = result.getExecutionInfo().getIncomingPayload().get("RequestCharge");
    assertNotNull(charge);
    assertTrue(charge.duplicate().getDouble() > 0);
  }

  @Test
  void keyspacePerRequest() {
    createTable();
    session.execute("INSERT INTO t (p, c, v) VALUES (1, 1, 'x')");
    CqlSession elsewhere = connect(builder(patient()));
    SimpleStatement select =
        SimpleStatement.newInstance("SELECT v FROM t").setKeyspace(CqlIdentifier.fromCql(keyspace));
    assertEquals("x", elsewhere.execute(select).one().getString(0));
    assertEquals("x", elsewhere.execute(elsewhere.prepare(select).bind()).one().getString(0));
  }

  @ParameterizedTest
  @EnumSource(value = DefaultConsistencyLevel.class,
      names = {"ANY", "ONE", "QUORUM", "ALL", "LOCAL_ONE", "LOCAL_QUORUM", "EACH_QUORUM"})
  void consistencyLevels(DefaultConsistencyLevel level) {
    session.execute("CREATE TABLE IF NOT EXISTS t (k int PRIMARY KEY, v text)");
    session.execute(SimpleStatement.newInstance("INSERT INTO t (k, v) VALUES (?, ?)", level.ordinal(), level.name())
        .setConsistencyLevel(level));
    if (level != DefaultConsistencyLevel.ANY && level != DefaultConsistencyLevel.EACH_QUORUM) {
      SimpleStatement select = SimpleStatement.newInstance("SELECT v FROM t WHERE k = ?", level.ordinal());
      assertEquals(level.name(), session.execute(select.setConsistencyLevel(level)).one().getString(0));
    }
  }

  @Test
  void theQueryBuilder() {
    session.execute(SchemaBuilder.createTable("built").ifNotExists().withPartitionKey("p", DataTypes.INT)
        .withClusteringColumn("c", DataTypes.INT).withColumn("v", DataTypes.setOf(DataTypes.TEXT)).build());
    PreparedStatement insert = session.prepare(insertInto("built").value("p", bindMarker()).value("c", bindMarker())
        .value("v", bindMarker()).usingTtl(1000).build());
    session.execute(insert.bind(1, 1, Set.of("a")));
    session.execute(update("built").append("v", literal(Set.of("b"))).whereColumn("p").isEqualTo(literal(1))
        .whereColumn("c").isEqualTo(literal(1)).build());
    Row row = session.execute(selectFrom("built").column("v").whereColumn("p").isEqualTo(literal(1)).limit(1).build())
        .one();
    assertEquals(Set.of("a", "b"), row.getSet("v", String.class));
  }
}
