import static org.junit.jupiter.api.Assertions.assertThrows;

import com.datastax.driver.core.PreparedStatement;
import com.datastax.driver.core.Statement;
import com.datastax.driver.core.exceptions.DriverException;
import org.junit.jupiter.api.Test;

class RestartTest extends CqlTest {
  private boolean works(Statement statement) {
    try {
      session.execute(statement);
      return true;
    } catch (DriverException notYet) {
      return false;
    }
  }

  @Test
  void aSessionComesBackWithItsServer() throws InterruptedException {
    session.execute("CREATE TABLE t (k int PRIMARY KEY, v text)");
    PreparedStatement insert = session.prepare("INSERT INTO t (k, v) VALUES (?, ?)");
    session.execute(insert.bind(1, "before"));
    server.kill();
    assertThrows(DriverException.class, () -> session.execute("SELECT key FROM system.local"));
    server.startAgain();
    // Late news of the old connections may take the host down once more after a first answer.
    eventually("prepared statement works again", () -> works(insert.bind(2, "after")));
    eventually("both rows are read", () -> {
      try {
        return session.execute("SELECT * FROM t").all().size() == 2;
      } catch (DriverException notYet) {
        return false;
      }
    });
  }
}
