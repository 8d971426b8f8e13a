import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import com.datastax.oss.driver.internal.core.channel.DriverChannel;
import com.datastax.oss.driver.internal.core.context.InternalDriverContext;
import org.junit.jupiter.api.Test;

class RestartTest extends CqlTest {
  private boolean answers() {
    try {
      return session.execute("SELECT key FROM system.local").one() != null;
    } catch (DriverException notYet) {
      return false;
    }
  }

  @Test
  void aSessionComesBackWithItsServer() throws InterruptedException {
    session.execute("CREATE TABLE t (k int PRIMARY KEY, v text)");
    PreparedStatement insert = session.prepare("INSERT INTO t (k, v) VALUES (?, ?)");
    session.execute(insert.bind(1, "before"));
    server.stop();
    eventually("node seen as down", () -> session.getMetadata().getNodes().values().iterator().next().getState()
        != NodeState.UP);
    assertThrows(AllNodesFailedException.class, () -> session.execute("SELECT key FROM system.local"));

    server.startAgain();
    eventually("session answers again", this::answers);
    // The new server has never seen the statement: the driver prepares it again.
    session.execute(insert.bind(2, "after"));
    assertEquals(2, session.execute("SELECT * FROM t").all().size());
    // The driver 4.19 never refreshes its metadata again if a statement changes the schema while its control connection
    // is on its way back.
    eventually("control connection is back", this::controlConnectionIsOpen);
    session.execute("ALTER TABLE t ADD added int");
    eventually("schema events come again", () -> session.getMetadata().getKeyspace(keyspace).orElseThrow()
        .getTable("t").orElseThrow().getColumn("added").isPresent());
  }

  private boolean controlConnectionIsOpen() {
    DriverChannel channel = ((InternalDriverContext) session.getContext()).getControlConnection().channel();
    return channel != null && !channel.closeFuture().isDone();
  }
}
