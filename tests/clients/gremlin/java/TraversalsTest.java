import static org.apache.tinkerpop.gremlin.process.traversal.AnonymousTraversalSource.traversal;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.tinkerpop.gremlin.driver.Client;
import org.apache.tinkerpop.gremlin.driver.Cluster;
import org.apache.tinkerpop.gremlin.driver.Result;
import org.apache.tinkerpop.gremlin.driver.ResultSet;
import org.apache.tinkerpop.gremlin.driver.exception.ResponseException;
import org.apache.tinkerpop.gremlin.driver.remote.DriverRemoteConnection;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.Path;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalMetrics;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.util.ser.Serializers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import orrery.OrreryServer;

/** Everyday traversals by bytecode and text, in GraphBinary, the driver's default, and in GraphSON. */
class TraversalsTest {
  private static OrreryServer server;
  private static Cluster cluster;
  private static GraphTraversalSource g;

  @BeforeAll
  static void connect() {
    server = OrreryServer.start("--gremlin-port", "any,any");
    cluster = Cluster.build("127.0.0.1").port(server.gremlinPort()).create();
    g = traversal().withRemote(DriverRemoteConnection.using(cluster, "g"));
    g.addV("person").property(T.id, 1).property("name", "marko").property("age", 29).iterate();
    g.addV("person").property(T.id, 2).property("name", "vadas").property("age", 27).iterate();
    g.addV("software").property(T.id, 3).property("name", "lop").iterate();
    g.V(1).addE("knows").to(__.V(2)).property(T.id, 7).property("weight", 0.5).iterate();
    g.V(1).addE("created").to(__.V(3)).property(T.id, 9).property("weight", 0.4).iterate();
  }

  @AfterAll
  static void stop() {
    cluster.close();
    server.close();
  }

  @Test
  void bytecodeReads() throws Exception {
    assertEquals(3L, g.V().count().next());
    assertEquals(List.of("vadas"), g.V(1).out("knows").values("name").toList());
    assertEquals(Set.of("vadas", "lop"), Set.copyOf(g.V(1).out().values("name").toList()));
    assertEquals(List.of("marko"), g.V(3).in("created").values("name").toList());
    assertEquals(List.of("marko"), g.V().has("age", P.gt(28)).values("name").toList());
    assertEquals(Map.of("person", 2L, "software", 1L), g.V().groupCount().by(T.label).next());
    assertFalse(g.V().hasLabel("nothing").hasNext());
  }

  @Test
  void elementsArriveWhole() {
    Vertex marko = g.V(1).next();
    assertEquals(1, marko.id());
    assertEquals("marko", marko.value("name"));
    Edge knows = g.E(7).next();
    assertEquals(0.5, knows.value("weight"));
    assertEquals(2, knows.inVertex().id());
    Path path = g.V(1).out("knows").values("name").path().next();
    assertEquals(3, path.size());
    assertEquals(List.of("marko"), g.V(1).valueMap("name").next().get("name"));
  }

  @Test
  void writes() {
    Vertex city = g.addV("city").property("name", "Bonn").next();
    g.V(city).property("size", 5_000_000_000L).iterate();
    assertEquals(5_000_000_000L, g.V(city).values("size").next());
    g.mergeV(Map.of(T.id, "m", T.label, "made")).iterate();
    g.mergeV(Map.of(T.id, "m", T.label, "made")).iterate();
    assertEquals(1L, g.V().hasLabel("made").count().next());
    g.V().hasLabel("city", "made").drop().iterate();
    assertEquals(3L, g.V().count().next());
  }

  @Test
  void textWithBindings() throws Exception {
    Client client = cluster.connect();
    List<Result> found = client.submit("g.V().has('name', n).values('age')", Map.of("n", "marko")).all().get();
    assertEquals(29, found.get(0).getInt());
    ResultSet results = client.submit("g.V()");
    assertEquals(3, results.all().get().size());
    assertTrue((double) results.statusAttributes().get().get("x-ms-total-request-charge") > 0);
    ExecutionException failure =
        assertThrows(ExecutionException.class, () -> client.submit("g.V().nope()").all().get());
    assertEquals(597, ((ResponseException) failure.getCause()).getResponseStatusCode().getValue());
  }

  @Test
  void everySerializerGivesTheSame() throws Exception {
    for (Serializers form : List.of(Serializers.GRAPHBINARY_V1, Serializers.GRAPHSON_V3, Serializers.GRAPHSON_V2)) {
      Cluster typed =
          Cluster.build("127.0.0.1").port(server.gremlinPort()).serializer(form.simpleInstance()).create();
      GraphTraversalSource source = traversal().withRemote(DriverRemoteConnection.using(typed, "g"));
      assertEquals(3L, source.V().count().next(), form.name());
      assertEquals(List.of("vadas"), source.V(1).out("knows").values("name").toList(), form.name());
      assertEquals(
          List.of("lop"),
          source
              .V()
              .match(__.as("a").out("knows").as("b"), __.as("a").out("created").as("c"))
              .select("c")
              .by("name")
              .toList(),
          form.name());
      assertEquals(1, source.V(1).next().id(), form.name());
      assertEquals(29, typed.connect().submit("g.V(1).values('age')").one().getInt(), form.name());
      typed.close();
    }
  }

  @Test
  void profilesAreMetrics() {
    TraversalMetrics metrics = g.V().out().profile().next();
    assertEquals(2, metrics.getMetrics().size());
    assertEquals(2L, metrics.getMetrics(1).getCount(TraversalMetrics.ELEMENT_COUNT_ID));
  }

  @Test
  void transactionsAreRefusedWithTheReason() {
    GraphTraversalSource session = g.tx().begin();
    Exception failure = assertThrows(Exception.class, () -> session.addV("x").iterate());
    assertTrue(failure.getMessage().contains("sessions are not supported"), failure.getMessage());
  }

  @Test
  void theSecondPortAsksForCredentials() throws Exception {
    Cluster known = login(OrreryServer.ACCOUNT_KEY);
    assertEquals(3L, known.connect().submit("g.V().count()").one().getLong());
    known.close();
    Cluster stranger = login("d3Jvbmc=");
    assertThrows(ExecutionException.class, () -> stranger.connect().submit("g.V()").all().get());
    stranger.close();
  }

  private static Cluster login(String key) {
    return Cluster.build("127.0.0.1")
        .port(server.gremlinAccountPort())
        .credentials(OrreryServer.ACCOUNT, key)
        .create();
  }
}
