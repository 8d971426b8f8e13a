import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.dsbulk.runner.DataStaxBulkLoader;
import com.datastax.oss.dsbulk.runner.ExitStatus;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import orrery.OrreryServer;

/** What goes in with `dsbulk load` comes out with `dsbulk unload`. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DsbulkTest {
  private static final int ROWS = 20_000;
  private static final String HEADER = "sensor,at,celsius,note,tags";

  private OrreryServer server;
  private CqlSession session;
  @TempDir Path folder;

  @BeforeAll
  void start() {
    server = OrreryServer.start();
    session = CqlSession.builder().addContactPoint(new InetSocketAddress("127.0.0.1", server.cqlPort()))
        .withLocalDatacenter("datacenter1").build();
    session.execute("CREATE KEYSPACE bulk WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
  }

  @AfterAll
  void stop() {
    session.close();
    server.close();
  }

  private void createTable(String name) {
    session.execute("CREATE TABLE bulk." + name + " (sensor int, at timestamp, celsius double, note text, "
        + "tags set<text>, PRIMARY KEY (sensor, at))");
  }

  /** Runs DSBulk as its script does: with its own settings but for where the server is. */
  private ExitStatus dsbulk(String operation, String... arguments) {
    List<String> all = new ArrayList<>(List.of(operation, "-h", "127.0.0.1", "-port", String.valueOf(server.cqlPort()),
        "-dc", "datacenter1", "-logDir", folder.resolve("logs").toString(), "--log.verbosity", "quiet"));
    all.addAll(Arrays.asList(arguments));
    return new DataStaxBulkLoader(all.toArray(new String[0])).run();
  }

  private static List<String> rows() {
    return IntStream.range(0, ROWS).mapToObj(i -> String.format(Locale.ROOT,
        "%d,2026-02-%02dT%02d:%02d:00Z,%.1f,\"note %d, with \\\"quotes\\\" and Ω\",\"[\\\"a%d\\\",\\\"b\\\"]\"", i % 500,
        1 + i / 500 / 24 % 28, i / 500 % 24, i % 60, i / 7.0, i, i % 3)).toList();
  }

  private Path write(String name, List<String> lines) throws IOException {
    List<String> all = new ArrayList<>(List.of(HEADER));
    all.addAll(lines);
    return Files.write(folder.resolve(name), all);
  }

  /** The lines of all files that an unload wrote, in order, without headers. */
  private static List<String> unloaded(Path directory) throws IOException {
    List<String> lines = new ArrayList<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        lines.addAll(Files.readAllLines(file));
      }
    }
    lines.removeIf(line -> line.equals(HEADER));
    lines.sort(null);
    return lines;
  }

  @Test
  void loadAndUnload() throws IOException {
    createTable("t");
    List<String> sent = rows();
    assertEquals(ExitStatus.STATUS_OK,
        dsbulk("load", "-k", "bulk", "-t", "t", "-url", write("in.csv", sent).toString()));
    Path out = folder.resolve("out");
    assertEquals(ExitStatus.STATUS_OK, dsbulk("unload", "-url", out.toString(), "-query",
        "SELECT sensor, at, celsius, note, tags FROM bulk.t"));
    assertEquals(ROWS, sent.stream().distinct().count());
    assertEquals(session.execute("SELECT count(*) FROM bulk.t").one().getLong(0), ROWS);
    List<String> expected = sent.stream().sorted().toList();
    List<String> found = unloaded(out);
    assertEquals(expected.size(), found.size());
    for (int i = 0; i < expected.size(); i++) {
      assertEquals(expected.get(i), found.get(i));
    }

    // DSBulk asks for each range of the ring apart. Each count comes with a warning.
    Path count = folder.resolve("count");
    assertEquals(ExitStatus.STATUS_OK,
        dsbulk("unload", "-url", count.toString(), "-query", "SELECT count(*) FROM bulk.t", "-header", "false"));
    assertEquals(ROWS, unloaded(count).stream().mapToInt(Integer::parseInt).sum());
  }

  @Test
  void jsonAndTimesToLive() throws IOException {
    createTable("j");
    Path file = Files.write(folder.resolve("in.json"), IntStream.range(0, 500).mapToObj(
        i -> "{\"sensor\": " + i + ", \"at\": \"2026-02-28T00:00:00Z\", \"celsius\": " + i + ".5, \"tags\": [\"x\"]}").toList());
    assertEquals(ExitStatus.STATUS_OK, dsbulk("load", "-c", "json", "-k", "bulk", "-t", "j", "-url", file.toString(),
        "--schema.queryTtl", "3600", "--schema.allowMissingFields", "true"));
    var row = session.execute("SELECT celsius, ttl(celsius) AS ttl, note FROM bulk.j WHERE sensor = 7").one();
    assertEquals(7.5, row.getDouble("celsius"));
    assertTrue(row.getInt("ttl") > 0 && row.getInt("ttl") <= 3600);
    assertTrue(row.isNull("note"));
    Path out = folder.resolve("json_out");
    assertEquals(ExitStatus.STATUS_OK, dsbulk("unload", "-c", "json", "-k", "bulk", "-t", "j", "-url", out.toString()));
    assertEquals(500, unloaded(out).size());
  }

  @Test
  void wrongRowsAreLeftOut() throws IOException {
    createTable("w");
    Path file = write("wrong.csv", List.of("1,2026-02-28T00:00:00Z,1.5,good,", "one,2026-02-28T00:00:00Z,1.5,bad,"));
    assertEquals(ExitStatus.STATUS_COMPLETED_WITH_ERRORS,
        dsbulk("load", "-k", "bulk", "-t", "w", "-url", file.toString()));
    assertEquals(1, session.execute("SELECT * FROM bulk.w").all().size());
  }
}
