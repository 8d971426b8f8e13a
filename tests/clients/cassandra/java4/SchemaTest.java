import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.metadata.schema.ClusteringOrder;
import com.datastax.oss.driver.api.core.metadata.schema.IndexMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.KeyspaceMetadata;
import com.datastax.oss.driver.api.core.metadata.schema.SchemaChangeListenerBase;
import com.datastax.oss.driver.api.core.metadata.schema.TableMetadata;
import com.datastax.oss.driver.api.core.type.DataTypes;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

class SchemaTest extends CqlTest {
  private KeyspaceMetadata metadata() {
    return session.getMetadata().getKeyspace(keyspace).orElseThrow();
  }

  @Test
  void keyspaces() {
    assertTrue(metadata().isDurableWrites());
    Map<String, String> replication = metadata().getReplication();
    assertEquals("1", replication.get("replication_factor"));
    assertTrue(replication.get("class").endsWith("SimpleStrategy"));
    session.execute("ALTER KEYSPACE " + keyspace + " WITH durable_writes = false");
    assertFalse(metadata().isDurableWrites());
    session.execute("DROP KEYSPACE " + keyspace);
    assertTrue(session.getMetadata().getKeyspace(keyspace).isEmpty());
  }

  @Test
  void tables() {
    session.execute("CREATE TABLE t (a text, b int, c timestamp, d uuid, s int static, v map<text, int>, \"Case\" text, "
        + "PRIMARY KEY ((a, b), c, d)) WITH CLUSTERING ORDER BY (c DESC, d ASC) AND comment = 'what it is for' "
        + "AND default_time_to_live = 600 AND gc_grace_seconds = 60");
    TableMetadata table = metadata().getTable("t").orElseThrow();
    assertEquals(List.of("a", "b"), table.getPartitionKey().stream().map(c -> c.getName().asInternal()).toList());
    assertEquals(List.of(ClusteringOrder.DESC, ClusteringOrder.ASC), List.copyOf(table.getClusteringColumns().values()));
    assertTrue(table.getColumn("s").orElseThrow().isStatic());
    assertEquals(DataTypes.mapOf(DataTypes.TEXT, DataTypes.INT), table.getColumn("v").orElseThrow().getType());
    assertTrue(table.getColumn(CqlIdentifier.fromInternal("Case")).isPresent());
    Map<CqlIdentifier, Object> options = table.getOptions();
    assertEquals("what it is for", options.get(CqlIdentifier.fromInternal("comment")));
    assertEquals(600, options.get(CqlIdentifier.fromInternal("default_time_to_live")));
    assertEquals(60, options.get(CqlIdentifier.fromInternal("gc_grace_seconds")));
  }

  @Test
  void whatTheDriverDescribesCanBeCreated() {
    session.execute("CREATE TYPE address (street text, zip int)");
    session.execute("CREATE TABLE t (k int, c text, a frozen<address>, v text, PRIMARY KEY (k, c)) "
        + "WITH CLUSTERING ORDER BY (c DESC)");
    session.execute("CREATE INDEX by_v ON t (v)");
    String text = metadata().describeWithChildren(true);
    session.execute("DROP KEYSPACE " + keyspace);
    for (String statement : text.split(";")) {
      if (!statement.isBlank()) {
        session.execute(statement);
      }
    }
    assertEquals(text, metadata().describeWithChildren(true));
  }

  @Test
  void indexes() {
    session.execute("CREATE TABLE t (k int PRIMARY KEY, v text, m map<text, int>)");
    session.execute("CREATE INDEX by_v ON t (v)");
    session.execute("CREATE INDEX by_keys ON t (keys(m))");
    Map<CqlIdentifier, IndexMetadata> indexes = metadata().getTable("t").orElseThrow().getIndexes();
    assertEquals("v", indexes.get(CqlIdentifier.fromInternal("by_v")).getTarget());
    assertEquals("keys(m)", indexes.get(CqlIdentifier.fromInternal("by_keys")).getTarget());
    session.execute("DROP INDEX by_v");
    assertEquals(Set.of(CqlIdentifier.fromInternal("by_keys")), metadata().getTable("t").orElseThrow().getIndexes().keySet());
  }

  @Test
  void views() {
    session.execute("CREATE TABLE t (k int PRIMARY KEY, v int)");
    session.execute("CREATE MATERIALIZED VIEW by_v AS SELECT * FROM t WHERE v IS NOT NULL AND k IS NOT NULL "
        + "PRIMARY KEY (v, k)");
    var view = metadata().getView("by_v").orElseThrow();
    assertEquals("t", view.getBaseTable().asInternal());
    assertTrue(view.includesAllColumns());
  }

  @Test
  void functionsAndAggregates() {
    session.execute("CREATE FUNCTION plus (a int, b int) CALLED ON NULL INPUT RETURNS int LANGUAGE javascript AS 'a + b'");
    session.execute("CREATE AGGREGATE total (int) SFUNC plus STYPE int INITCOND 0");
    var function = metadata().getFunction("plus", DataTypes.INT, DataTypes.INT).orElseThrow();
    assertEquals("javascript", function.getLanguage());
    assertEquals("a + b", function.getBody());
    assertEquals(0, metadata().getAggregate("total", DataTypes.INT).orElseThrow().getInitCond().orElseThrow());
  }

  @Test
  void otherSessionsHearOfChanges() throws InterruptedException {
    Set<String> heard = ConcurrentHashMap.newKeySet();
    CqlSession listener = connect(builder(patient()).withSchemaChangeListener(new SchemaChangeListenerBase() {
      @Override
      public void onTableCreated(TableMetadata table) {
        heard.add("created " + table.getName());
      }

      @Override
      public void onTableUpdated(TableMetadata table, TableMetadata before) {
        heard.add("updated " + table.getName() + " " + table.getColumn("added").isPresent());
      }

      @Override
      public void onTableDropped(TableMetadata table) {
        heard.add("dropped " + table.getName());
      }
    }));
    session.execute("CREATE TABLE heard (k int PRIMARY KEY)");
    eventually("table created", () -> heard.contains("created heard"));
    session.execute("ALTER TABLE heard ADD added int");
    eventually("table updated", () -> heard.contains("updated heard true"));
    session.execute("DROP TABLE heard");
    eventually("table dropped", () -> heard.contains("dropped heard"));
    assertTrue(listener.getMetadata().getKeyspace(keyspace).orElseThrow().getTable("heard").isEmpty());
  }
}
