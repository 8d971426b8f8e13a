import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.driver.core.BatchStatement;
import com.datastax.driver.core.BoundStatement;
import com.datastax.driver.core.PagingState;
import com.datastax.driver.core.PreparedStatement;
import com.datastax.driver.core.ResultSet;
import com.datastax.driver.core.ResultSetFuture;
import com.datastax.driver.core.Row;
import com.datastax.driver.core.Session;
import com.datastax.driver.core.SimpleStatement;
import com.datastax.driver.core.Statement;
import com.datastax.driver.core.TableMetadata;
import com.datastax.driver.core.Token;
import com.datastax.driver.core.TokenRange;
import com.datastax.driver.core.UDTValue;
import com.datastax.driver.core.exceptions.AlreadyExistsException;
import com.datastax.driver.core.exceptions.InvalidQueryException;
import com.datastax.driver.core.exceptions.OverloadedException;
import com.datastax.driver.core.exceptions.SyntaxError;
import com.datastax.driver.core.policies.FallthroughRetryPolicy;
import com.datastax.driver.core.querybuilder.QueryBuilder;
import com.datastax.driver.mapping.Mapper;
import com.datastax.driver.mapping.MappingManager;
import com.datastax.driver.mapping.annotations.PartitionKey;
import com.datastax.driver.mapping.annotations.Table;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StatementsTest extends CqlTest {
  private static final String AGGREGATION = "Aggregation query used without partition key";

  private void createTable() {
    session.execute("CREATE TABLE t (p int, c int, v text, PRIMARY KEY (p, c))");
  }

  @Test
  void valuesAndPreparedStatements() {
    createTable();
    session.execute("INSERT INTO t (p, c, v) VALUES (?, ?, ?)", 1, 1, "simple");
    PreparedStatement insert = session.prepare("INSERT INTO t (p, c, v) VALUES (:p, :c, :v)");
    session.execute(insert.bind().setInt("p", 1).setInt("c", 2).setString("v", "prepared"));
    session.execute(insert.bind().setInt("p", 1).setInt("c", 2));  // v is unset
    assertEquals(List.of("simple", "prepared"), session.execute("SELECT v FROM t WHERE p = 1").all().stream()
        .map(row -> row.getString("v")).toList());
  }

  @Test
  void types() throws Exception {
    Map<String, Object> values = Map.ofEntries(
        Map.entry("ascii", "a"), Map.entry("bigint", Long.MIN_VALUE), Map.entry("blob", ByteBuffer.wrap(new byte[] {0, 1})),
        Map.entry("boolean", true), Map.entry("date", com.datastax.driver.core.LocalDate.fromYearMonthDay(2028, 2, 29)),
        Map.entry("decimal", new BigDecimal("-1.50")), Map.entry("double", Double.NaN), Map.entry("float", 1.5f),
        Map.entry("inet", InetAddress.getByName("2001:db8::1")), Map.entry("int", Integer.MAX_VALUE),
        Map.entry("smallint", (short) -5), Map.entry("text", "Ωmega"), Map.entry("time", 86399999999999L),
        Map.entry("timestamp", new Date(1_700_000_000_123L)), Map.entry("tinyint", (byte) -128),
        Map.entry("uuid", UUID.randomUUID()), Map.entry("varint", BigInteger.TWO.pow(100)),
        Map.entry("list<int>", List.of(3, 1, 3)), Map.entry("set<text>", Set.of("a", "b")),
        Map.entry("map<text, bigint>", Map.of("a", 1L)), Map.entry("frozen<map<int, frozen<list<int>>>>", Map.of(1, List.of(2))));
    int number = 0;
    for (Map.Entry<String, Object> each : values.entrySet()) {
      String table = "t" + number++;
      session.execute("CREATE TABLE " + table + " (k int PRIMARY KEY, v " + each.getKey() + ")");
      session.execute(session.prepare("INSERT INTO " + table + " (k, v) VALUES (1, ?)").bind(each.getValue()));
      assertEquals(each.getValue(), one("SELECT v FROM " + table).getObject("v"), each.getKey());
      session.execute(session.prepare("INSERT INTO " + table + " (k, v) VALUES (2, ?)").bind((Object) null));
      assertTrue(one("SELECT v FROM " + table + " WHERE k = 2").isNull("v"), each.getKey());
    }
  }

  @Test
  void userDefinedTypes() {
    session.execute("CREATE TYPE street (name text, number int)");
    session.execute("CREATE TABLE t (k int PRIMARY KEY, s frozen<street>, all_of list<frozen<street>>)");
    UDTValue value = cluster.getMetadata().getKeyspace(keyspace).getUserType("street").newValue()
        .setString("name", "High Street").setInt("number", 5);
    session.execute(session.prepare("INSERT INTO t (k, s, all_of) VALUES (1, ?, ?)").bind(value, List.of(value, value)));
    Row row = one("SELECT * FROM t");
    assertEquals(value, row.getUDTValue("s"));
    assertEquals(List.of(value, value), row.getList("all_of", UDTValue.class));
  }

  @Test
  void pagesAndSavedStates() {
    createTable();
    PreparedStatement insert = session.prepare("INSERT INTO t (p, c) VALUES (1, ?)");
    IntStream.range(0, 250).forEach(c -> session.execute(insert.bind(c)));
    Statement select = new SimpleStatement("SELECT c FROM t WHERE p = 1").setFetchSize(100);
    ResultSet first = session.execute(select);
    assertEquals(100, first.getAvailableWithoutFetching());
    String saved = first.getExecutionInfo().getPagingState().toString();
    assertEquals(250, first.all().size());
    ResultSet rest = session.execute(select.setPagingState(PagingState.fromString(saved)));
    assertEquals(IntStream.range(100, 250).boxed().toList(), rest.all().stream().map(row -> row.getInt(0)).toList());
  }

  @Test
  void warningsComeWithTheirResult() {
    createTable();
    PreparedStatement insert = session.prepare("INSERT INTO t (p, c, v) VALUES (?, 1, ?)");
    IntStream.range(0, 5).forEach(p -> session.execute(insert.bind(p, "x")));
    PreparedStatement count = session.prepare("SELECT count(*) FROM t");
    for (Statement statement : new Statement[] {new SimpleStatement("SELECT count(*) FROM t"), count.bind()}) {
      ResultSet result = session.execute(statement.setRetryPolicy(FallthroughRetryPolicy.INSTANCE));
      assertEquals(List.of(AGGREGATION), result.getExecutionInfo().getWarnings());
      assertEquals(5, result.one().getLong(0));
    }
    BatchStatement wide = new BatchStatement(BatchStatement.Type.UNLOGGED);
    IntStream.range(100, 111).forEach(p -> wide.add(insert.bind(p, "x")));
    BatchStatement large = new BatchStatement();
    IntStream.range(200, 202).forEach(p -> large.add(insert.bind(p, "x".repeat(3000))));
    for (BatchStatement batch : List.of(wide, large)) {
      ResultSet result = session.execute(batch.setRetryPolicy(FallthroughRetryPolicy.INSTANCE));
      assertEquals(1, result.getExecutionInfo().getWarnings().size());
      assertEquals(List.of(), session.execute("SELECT v FROM t WHERE p = 1").getExecutionInfo().getWarnings());
    }
    assertEquals(18, session.execute("SELECT count(*) FROM t").one().getLong(0));
  }

  @Test
  void lightweightTransactionsAndBatches() {
    createTable();
    assertTrue(session.execute("INSERT INTO t (p, c, v) VALUES (1, 1, 'a') IF NOT EXISTS").wasApplied());
    ResultSet second = session.execute("INSERT INTO t (p, c, v) VALUES (1, 1, 'b') IF NOT EXISTS");
    assertFalse(second.wasApplied());
    assertEquals("a", second.one().getString("v"));
    PreparedStatement change = session.prepare("UPDATE t SET v = ? WHERE p = 1 AND c = 1 IF v = ?");
    assertFalse(session.execute(change.bind("c", "b")).wasApplied());
    assertTrue(session.execute(change.bind("c", "a")).wasApplied());

    PreparedStatement insert = session.prepare("INSERT INTO t (p, c, v) VALUES (?, ?, ?)");
    session.execute(new BatchStatement().add(insert.bind(2, 1, "x")).add(insert.bind(3, 1, "y"))
        .add(new SimpleStatement("DELETE FROM t WHERE p = 1")));
    assertEquals(2, session.execute("SELECT * FROM t").all().size());
  }

  @Test
  void counters() {
    session.execute("CREATE TABLE hits (k int PRIMARY KEY, n counter)");
    PreparedStatement add = session.prepare("UPDATE hits SET n = n + ? WHERE k = 1");
    List<ResultSetFuture> futures =
        IntStream.range(0, 200).mapToObj(i -> session.executeAsync(add.bind(2L))).toList();
    futures.forEach(ResultSetFuture::getUninterruptibly);
    assertEquals(400, one("SELECT n FROM hits").getLong("n"));
  }

  @Test
  void errors() {
    createTable();
    assertThrows(SyntaxError.class, () -> session.execute("SELEC * FROM t"));
    assertThrows(InvalidQueryException.class, () -> session.execute("SELECT nothing FROM t"));
    assertThrows(InvalidQueryException.class, () -> session.prepare("SELECT * FROM nowhere"));
    AlreadyExistsException exists =
        assertThrows(AlreadyExistsException.class, () -> session.execute("CREATE TABLE t (k int PRIMARY KEY)"));
    assertEquals(keyspace + ".t", exists.getKeyspace() + "." + exists.getTable());
  }

  @Test
  void throttling() {
    session.execute("CREATE TABLE slow (k int PRIMARY KEY, v text) WITH cosmosdb_provisioned_throughput = 400");
    PreparedStatement insert = session.prepare("INSERT INTO slow (k, v) VALUES (?, ?)");
    insert.setRetryPolicy(FallthroughRetryPolicy.INSTANCE);
    List<ResultSetFuture> writes = IntStream.range(0, 1000)
        .mapToObj(k -> session.executeAsync(insert.bind(k, "x".repeat(1000)))).toList();
    int written = 0;
    int refused = 0;
    for (ResultSetFuture write : writes) {
      try {
        write.getUninterruptibly();
        written++;
      } catch (OverloadedException e) {
        assertTrue(e.getMessage().contains("RetryAfterMs="), e.getMessage());
        refused++;
      }
    }
    assertTrue(written > 0 && refused > 0, written + " written, " + refused + " refused");
  }

  @Test
  void schemaMetadata() {
    session.execute("CREATE TABLE t (a int, b text, c timeuuid, v map<text, int>, PRIMARY KEY ((a, b), c)) "
        + "WITH CLUSTERING ORDER BY (c DESC) AND comment = 'a comment'");
    session.execute("CREATE INDEX by_v ON t (values(v))");
    TableMetadata table = cluster.getMetadata().getKeyspace(keyspace).getTable("t");
    assertEquals(List.of("a", "b"), table.getPartitionKey().stream().map(column -> column.getName()).toList());
    assertEquals("DESC", table.getClusteringOrder().get(0).name());
    assertEquals("a comment", table.getOptions().getComment());
    assertEquals("values(v)", table.getIndex("by_v").getTarget());
    String text = table.exportAsString();
    session.execute("DROP TABLE t");
    assertNull(cluster.getMetadata().getKeyspace(keyspace).getTable("t"));
    for (String statement : text.split(";")) {
      if (!statement.isBlank()) {
        session.execute(statement);
      }
    }
    assertEquals(text, cluster.getMetadata().getKeyspace(keyspace).getTable("t").exportAsString());
  }

  @Test
  void tokens() {
    session.execute("CREATE TABLE t (k text PRIMARY KEY)");
    PreparedStatement insert = session.prepare("INSERT INTO t (k) VALUES (?)");
    for (int i = 0; i < 200; i++) {
      BoundStatement bound = insert.bind("key" + i);
      session.execute(bound);
      Token expected = cluster.getMetadata().newToken(bound.getRoutingKey(
          cluster.getConfiguration().getProtocolOptions().getProtocolVersion(),
          cluster.getConfiguration().getCodecRegistry()));
      assertEquals(expected, session.execute("SELECT token(k) FROM t WHERE k = ?", "key" + i).one().getToken(0));
    }
    PreparedStatement select = session.prepare("SELECT k FROM t WHERE token(k) > ? AND token(k) <= ?");
    List<String> found = new ArrayList<>();
    for (TokenRange range : cluster.getMetadata().getTokenRanges()) {
      for (TokenRange part : range.splitEvenly(4)) {
        for (TokenRange straight : part.unwrap()) {
          session.execute(select.bind().setToken(0, straight.getStart()).setToken(1, straight.getEnd()))
              .forEach(row -> found.add(row.getString(0)));
        }
      }
    }
    assertEquals(200, found.size());
    assertEquals(200, new HashSet<>(found).size());
  }

  @Table(name = "people")
  public static class Person {
    @PartitionKey private UUID id;
    private String name;

    public Person() {}

    Person(UUID id, String name) {
      this.id = id;
      this.name = name;
    }

    public UUID getId() {
      return id;
    }

    public void setId(UUID id) {
      this.id = id;
    }

    public String getName() {
      return name;
    }

    public void setName(String name) {
      this.name = name;
    }
  }

  @Test
  void theMapperAndTheQueryBuilder() {
    session.execute("CREATE TABLE people (id uuid PRIMARY KEY, name text)");
    Session inside = cluster.connect(keyspace);
    Mapper<Person> people = new MappingManager(inside).mapper(Person.class);
    UUID id = UUID.randomUUID();
    people.save(new Person(id, "Ada"));
    assertEquals("Ada", people.get(id).getName());
    session.execute(QueryBuilder.update(keyspace, "people").with(QueryBuilder.set("name", "Grace"))
        .where(QueryBuilder.eq("id", id)));
    assertEquals("Grace", people.get(id).getName());
    people.delete(id);
    assertNull(people.get(id));
    inside.close();
  }
}
