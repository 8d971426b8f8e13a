import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.TokenMap;
import com.datastax.oss.driver.api.core.metadata.token.Token;
import com.datastax.oss.driver.api.core.metadata.token.TokenRange;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RoutingTest extends CqlTest {
  private TokenMap ring() {
    return session.getMetadata().getTokenMap().orElseThrow();
  }

  @Test
  void theServersTokensAreTheDrivers() {
    session.execute("CREATE TABLE t (a text, b uuid, c int, PRIMARY KEY ((a, b), c))");
    PreparedStatement insert = session.prepare("INSERT INTO t (a, b, c) VALUES (?, ?, 1)");
    PreparedStatement select = session.prepare("SELECT token(a, b) FROM t WHERE a = ? AND b = ?");
    for (int i = 0; i < 50; i++) {
      UUID id = UUID.randomUUID();
      BoundStatement bound = insert.bind("name" + i, id);
      session.execute(bound);
      Token expected = ring().newToken(bound.getRoutingKey());
      assertEquals(expected, session.execute(select.bind("name" + i, id)).one().getToken(0));
    }
  }

  @Test
  void statementsGoToTheirReplica() {
    session.execute("CREATE TABLE t (k int PRIMARY KEY, v int)");
    BoundStatement bound = session.prepare("INSERT INTO t (k, v) VALUES (?, ?)").bind(1, 2);
    assertEquals(keyspace, bound.getRoutingKeyspace().asInternal());
    Set<Node> replicas = ring().getReplicas(keyspace, bound.getRoutingKey());
    assertEquals(1, replicas.size());
    ResultSet result = session.execute(bound);
    assertTrue(replicas.contains(result.getExecutionInfo().getCoordinator()));
    assertEquals(List.of(), result.getExecutionInfo().getErrors());
  }

  /** What Spark, DSBulk and JanusGraph do: one query per part of the ring. */
  @Test
  void rangesOfTokensAreTheWholeTable() {
    session.execute("CREATE TABLE t (k int PRIMARY KEY)");
    PreparedStatement insert = session.prepare("INSERT INTO t (k) VALUES (?)");
    for (int k = 0; k < 500; k++) {
      session.execute(insert.bind(k));
    }
    assertFalse(ring().getTokenRanges().isEmpty());
    PreparedStatement select = session.prepare("SELECT k FROM t WHERE token(k) > ? AND token(k) <= ?");
    Set<Integer> seen = new HashSet<>();
    int count = 0;
    for (TokenRange range : ring().getTokenRanges()) {
      for (TokenRange part : range.splitEvenly(8)) {
        for (TokenRange straight : part.unwrap()) {
          for (Row row : session.execute(select.bind(straight.getStart(), straight.getEnd()))) {
            seen.add(row.getInt(0));
            count++;
          }
        }
      }
    }
    assertEquals(500, count);
    assertEquals(500, seen.size());
  }
}
