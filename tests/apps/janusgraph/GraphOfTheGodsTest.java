import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.janusgraph.core.JanusGraph;
import org.janusgraph.core.JanusGraphFactory;
import org.janusgraph.core.SchemaViolationException;
import org.janusgraph.example.GraphOfTheGodsFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The first chapter of JanusGraph's manual: the Graph of the Gods is loaded, traversed, changed and opened again. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GraphOfTheGodsTest {
  private static final int PEOPLE = 2000;

  private JanusGraph graph;

  @BeforeAll
  void load() {
    open();
    GraphOfTheGodsFactory.loadWithoutMixedIndex(graph, true);
  }

  @AfterAll
  void close() {
    graph.close();
  }

  private void open() {
    graph = JanusGraphFactory.open(Storage.configuration(getClass()).getConfiguration());
  }

  private GraphTraversalSource g() {
    return graph.traversal();
  }

  @Test
  void traversals() {
    assertEquals(12, g().V().count().next());
    assertEquals(17, g().E().count().next());
    Vertex saturn = g().V().has("name", "saturn").next();
    assertEquals("hercules", g().V(saturn).in("father").in("father").values("name").next());
    assertEquals(Set.of("jupiter", "alcmene"),
        g().V().has("name", "hercules").out("father", "mother").values("name").toSet());
    assertEquals(List.of("nemean", "hydra", "cerberus"),
        g().V().has("name", "hercules").outE("battled").order().by("time").inV().values("name").toList());
    assertEquals(2, g().V().has("name", "hercules").outE("battled").has("time", P.gt(1)).count().next());
    assertEquals(Set.of("neptune", "jupiter"), g().V().has("name", "pluto").out("brother").values("name").toSet());
    assertEquals(List.of("sky"), g().V().has("name", "jupiter").out("lives").values("name").toList());
  }

  @Test
  void theIndexOfNamesIsUnique() {
    assertThrows(SchemaViolationException.class, () -> {
      try {
        graph.addVertex("name", "jupiter");
        graph.tx().commit();
      } finally {
        graph.tx().rollback();
      }
    });
  }

  @Test
  void rollbacksAndReopening() {
    graph.addVertex("name", "nobody");
    graph.tx().rollback();
    assertEquals(0, g().V().has("name", "nobody").count().next());
    graph.tx().rollback();

    Vertex minerva = graph.addVertex("name", "minerva");
    minerva.addEdge("father", g().V().has("name", "jupiter").next());
    graph.tx().commit();
    graph.close();
    open();
    assertEquals(Set.of("hercules", "minerva"), g().V().has("name", "jupiter").in("father").values("name").toSet());
    g().V().has("name", "minerva").drop().iterate();
    graph.tx().commit();
    assertEquals(List.of("hercules"), g().V().has("name", "jupiter").in("father").values("name").toList());
    graph.tx().rollback();
  }

  @Test
  void aLargerGraph() {
    Vertex[] people = new Vertex[PEOPLE];
    for (int i = 0; i < PEOPLE; i++) {
      people[i] = graph.addVertex("person");
      people[i].property("number", i);
      if (i > 0) {
        people[i].addEdge("follows", people[i / 2]);
      }
      if (i % 500 == 499) {
        graph.tx().commit();
        for (int j = 0; j <= i; j++) {
          people[j] = null;
        }
        List<Vertex> again = g().V().hasLabel("person").toList();
        again.forEach(each -> people[(int) each.value("number")] = each);
      }
    }
    graph.tx().commit();
    assertEquals(PEOPLE - 1, g().E().hasLabel("follows").count().next());
    // A binary tree: its root is reached from everywhere, in eleven steps at most.
    assertEquals(PEOPLE - 1L, g().V().hasLabel("person").has("number", 0).repeat(__.in("follows")).emit().dedup().count().next());
    assertTrue(g().V().hasLabel("person").has("number", PEOPLE - 1).repeat(__.out("follows")).until(__.has("number", 0))
        .path().next().size() <= 12);
    g().V().hasLabel("person").drop().iterate();
    graph.tx().commit();
    assertEquals(0, g().V().hasLabel("person").count().next());
    graph.tx().rollback();
  }
}
