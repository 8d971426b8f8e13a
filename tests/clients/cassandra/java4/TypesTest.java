import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.data.CqlDuration;
import com.datastax.oss.driver.api.core.data.CqlVector;
import com.datastax.oss.driver.api.core.data.TupleValue;
import com.datastax.oss.driver.api.core.data.UdtValue;
import com.datastax.oss.driver.api.core.type.DataTypes;
import com.datastax.oss.driver.api.core.type.TupleType;
import com.datastax.oss.driver.api.core.type.UserDefinedType;
import com.datastax.oss.driver.api.core.type.reflect.GenericType;
import com.datastax.oss.driver.api.core.uuid.Uuids;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TypesTest extends CqlTest {
  static Stream<Arguments> scalars() throws Exception {
    return Stream.of(
        scalar("ascii", "", "plain"), scalar("text", "", "Ωmega \uD83D\uDE80", "x".repeat(100_000)),
        scalar("varchar", "v"), scalar("boolean", true, false),
        scalar("tinyint", Byte.MIN_VALUE, Byte.MAX_VALUE), scalar("smallint", Short.MIN_VALUE, Short.MAX_VALUE),
        scalar("int", Integer.MIN_VALUE, 0, Integer.MAX_VALUE), scalar("bigint", Long.MIN_VALUE, -1L, Long.MAX_VALUE),
        scalar("varint", BigInteger.ZERO, BigInteger.TWO.pow(200), BigInteger.TWO.pow(200).negate()),
        scalar("decimal", new BigDecimal("1.50"), new BigDecimal("-1E+30"), new BigDecimal("0.000000000000000000001")),
        scalar("float", 1.5f, Float.NaN, Float.NEGATIVE_INFINITY, -0.0f, Float.MIN_VALUE),
        scalar("double", 1.5, Double.NaN, Double.POSITIVE_INFINITY, -0.0, Double.MAX_VALUE),
        scalar("blob", ByteBuffer.wrap(new byte[0]), ByteBuffer.wrap(new byte[] {0, -1, 127})),
        scalar("uuid", new UUID(0, 0), UUID.fromString("12345678-1234-4234-8234-123456789abc")),
        scalar("timeuuid", Uuids.startOf(0), Uuids.timeBased()),
        scalar("timestamp", Instant.EPOCH, Instant.ofEpochMilli(-1), Instant.parse("2026-02-28T12:34:56.789Z")),
        scalar("date", LocalDate.EPOCH, LocalDate.of(1582, 10, 4), LocalDate.of(2028, 2, 29)),
        scalar("time", LocalTime.MIDNIGHT, LocalTime.MAX), scalar("duration", CqlDuration.from("1y2mo3d4h5m6s7ns"),
            CqlDuration.newInstance(-1, -2, -3)),
        scalar("inet", InetAddress.getByName("127.0.0.1"), InetAddress.getByName("2001:db8::1")));
  }

  private static Arguments scalar(String type, Object... values) {
    return Arguments.of(type, List.of(values));
  }

  @ParameterizedTest
  @MethodSource("scalars")
  void comeBackAsTheyWereSent(String type, List<Object> values) {
    session.execute("CREATE TABLE of_" + type + " (k int PRIMARY KEY, v " + type + ")");
    PreparedStatement insert = session.prepare("INSERT INTO of_" + type + " (k, v) VALUES (?, ?)");
    PreparedStatement select = session.prepare("SELECT v FROM of_" + type + " WHERE k = ?");
    for (int k = 0; k < values.size(); k++) {
      session.execute(insert.bind(k, values.get(k)));
      Row row = session.execute(select.bind(k)).one();
      assertEquals(values.get(k), row.getObject("v"));
      // A literal as the driver writes it is the same value.
      String literal = row.codecRegistry().codecFor(values.get(k)).format(values.get(k));
      session.execute("INSERT INTO of_" + type + " (k, v) VALUES (1000, " + literal + ")");
      assertEquals(values.get(k), session.execute(select.bind(1000)).one().getObject("v"));
    }
    session.execute(insert.bind(-1, null));
    assertNull(session.execute(select.bind(-1)).one().getObject("v"));
  }

  @Test
  void collections() {
    session.execute("CREATE TABLE t (k int PRIMARY KEY, l list<int>, s set<text>, m map<text, bigint>, "
        + "fl frozen<list<text>>, n map<int, frozen<list<frozen<set<text>>>>>)");
    PreparedStatement insert = session.prepare("INSERT INTO t (k, l, s, m, fl, n) VALUES (?, ?, ?, ?, ?, ?)");
    Map<Integer, List<Set<String>>> nested = Map.of(1, List.of(Set.of("a", "b"), Set.of()), 2, List.of());
    session.execute(insert.bind(1, List.of(3, 1, 3), Set.of("x", "y"), Map.of("a", 1L), List.of("f"), nested));
    Row row = one("SELECT * FROM t");
    assertEquals(List.of(3, 1, 3), row.getList("l", Integer.class));
    assertEquals(Set.of("x", "y"), row.getSet("s", String.class));
    assertEquals(Map.of("a", 1L), row.getMap("m", String.class, Long.class));
    assertEquals(List.of("f"), row.getList("fl", String.class));
    assertEquals(nested, row.get("n", new GenericType<Map<Integer, List<Set<String>>>>() {}));

    session.execute("UPDATE t SET l = l + ?, s = s - ?, m[?] = ? WHERE k = 1", List.of(9), Set.of("x"), "b", 2L);
    session.execute("DELETE l[0] FROM t WHERE k = 1");
    row = one("SELECT l, s, m FROM t WHERE k = 1");
    assertEquals(List.of(1, 3, 9), row.getList("l", Integer.class));
    assertEquals(Set.of("y"), row.getSet("s", String.class));
    assertEquals(Map.of("a", 1L, "b", 2L), row.getMap("m", String.class, Long.class));
    // An empty collection is no value.
    session.execute("UPDATE t SET l = [], s = {} WHERE k = 1");
    assertTrue(one("SELECT l FROM t WHERE k = 1").isNull("l"));
  }

  @Test
  void userDefinedTypes() {
    session.execute("CREATE TYPE street (name text, number int)");
    session.execute("CREATE TYPE address (home frozen<street>, zips frozen<set<int>>, note text)");
    session.execute("CREATE TABLE t (k int PRIMARY KEY, a frozen<address>, b address, l list<frozen<street>>)");
    UserDefinedType address = session.getMetadata().getKeyspace(keyspace).orElseThrow()
        .getUserDefinedType("address").orElseThrow();
    UserDefinedType street = session.getMetadata().getKeyspace(keyspace).orElseThrow()
        .getUserDefinedType("street").orElseThrow();
    UdtValue home = street.newValue("High Street", 5);
    UdtValue value = address.newValue().setUdtValue("home", home).setSet("zips", Set.of(1, 2), Integer.class);
    session.execute(session.prepare("INSERT INTO t (k, a, b, l) VALUES (?, ?, ?, ?)")
        .bind(1, value, value, List.of(home)));
    Row row = one("SELECT a, b, l, b.note AS note FROM t");
    assertEquals("High Street", row.getUdtValue("a").getUdtValue("home").getString("name"));
    assertEquals(Set.of(1, 2), row.getUdtValue("b").getSet("zips", Integer.class));
    assertTrue(row.getUdtValue("a").isNull("note") && row.isNull("note"));
    assertEquals(5, row.getList("l", UdtValue.class).get(0).getInt("number"));

    session.execute("UPDATE t SET b.note = 'n' WHERE k = 1");
    session.execute("ALTER TYPE address ADD added int");
    Row later = one("SELECT b FROM t");
    assertEquals("n", later.getUdtValue("b").getString("note"));
    assertTrue(later.getUdtValue("b").isNull("added"));
  }

  @Test
  void tuples() {
    session.execute("CREATE TABLE t (k int PRIMARY KEY, v tuple<int, text, frozen<list<int>>>)");
    TupleType type = DataTypes.tupleOf(DataTypes.INT, DataTypes.TEXT, DataTypes.listOf(DataTypes.INT));
    TupleValue value = type.newValue(1, null, List.of(1, 2));
    session.execute(session.prepare("INSERT INTO t (k, v) VALUES (?, ?)").bind(1, value));
    TupleValue found = one("SELECT v FROM t").getTupleValue("v");
    assertEquals(1, found.getInt(0));
    assertNull(found.getString(1));
    assertEquals(List.of(1, 2), found.getList(2, Integer.class));
  }

  @Test
  void vectors() {
    session.execute("CREATE TABLE t (k int PRIMARY KEY, v vector<float, 3>)");
    PreparedStatement insert = session.prepare("INSERT INTO t (k, v) VALUES (?, ?)");
    CqlVector<Float> vector = CqlVector.newInstance(1.5f, -2f, 0f);
    session.execute(insert.bind(1, vector));
    session.execute(insert.bind(2, CqlVector.newInstance(-1f, -1f, -1f)));
    assertEquals(vector, one("SELECT v FROM t WHERE k = 1").getVector("v", Float.class));
    Row nearest = session.execute("SELECT k FROM t ORDER BY v ANN OF ? LIMIT 1", CqlVector.newInstance(1f, -1f, 0f)).one();
    assertEquals(1, nearest.getInt("k"));
  }

  @Test
  void clusteringOrderIsTheValuesOrder() {
    session.execute("CREATE TABLE t (k int, c decimal, d timestamp, PRIMARY KEY (k, c, d)) "
        + "WITH CLUSTERING ORDER BY (c DESC, d ASC)");
    List<BigDecimal> values = Arrays.asList(new BigDecimal("-10"), new BigDecimal("0.5"), new BigDecimal("9"),
        new BigDecimal("10"), new BigDecimal("100.25"));
    PreparedStatement insert = session.prepare("INSERT INTO t (k, c, d) VALUES (1, ?, ?)");
    for (BigDecimal value : values) {
      session.execute(insert.bind(value, Instant.EPOCH));
    }
    List<BigDecimal> found = session.execute("SELECT c FROM t WHERE k = 1").all().stream()
        .map(row -> row.getBigDecimal("c")).toList();
    assertEquals(values.stream().sorted(java.util.Comparator.reverseOrder()).toList(), found);
  }
}
