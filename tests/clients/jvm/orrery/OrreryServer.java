package orrery;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An OrreryServer is a built `orrery` that runs as a process on free ports and on data of its own. The system
 * property `orrery.binary` names the program; run.py sets it. It ends with close() and, at the latest, with this JVM.
 *
 * <p>Not thread-safe.
 */
public final class OrreryServer implements AutoCloseable {
  public static final String ACCOUNT = "localhost";
  public static final String ACCOUNT_KEY =
      "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==";
  /** How long to wait for what must happen; only a hung server gets there. */
  public static final int PATIENCE_SECONDS = 60;

  private static final Pattern SQL_PORT = Pattern.compile("listens on \\S+:(\\d+)");
  private static final Pattern CQL_PORT = Pattern.compile("cassandra +127\\.0\\.0\\.1:(\\d+)");
  private static final Pattern TABLE_PORT = Pattern.compile("TableEndpoint=https?://[^/]*:(\\d+)/");
  private static final Pattern TABLE_STORAGE_PORT = Pattern.compile("TableEndpoint=\\S+\\s+127\\.0\\.0\\.1:(\\d+) ");
  private static final Pattern MONGO_PORT = Pattern.compile("mongodb://127\\.0\\.0\\.1:(\\d+)");
  private static final Pattern GREMLIN_PORT = Pattern.compile("gremlin +wss?://127\\.0\\.0\\.1:(\\d+)/");
  private static final Pattern GREMLIN_ACCOUNT_PORT =
      Pattern.compile("127\\.0\\.0\\.1:(\\d+) +\\(with credentials: user /dbs");
  private static final Pattern ACCOUNT_PORT = Pattern.compile("127\\.0\\.0\\.1:(\\d+) +\\(with credentials");

  private final Path root;
  private final List<String> flags;
  private Process process;
  private String welcome = "";

  private OrreryServer(List<String> flags) {
    this.flags = flags;
    try {
      root = Files.createTempDirectory("orrery_jvm_");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Runtime.getRuntime().addShutdownHook(new Thread(this::close));
  }

  /** Starts a server with its SQL and both CQL ports; `flags` go to `orrery serve`. */
  public static OrreryServer start(String... flags) {
    OrreryServer server = new OrreryServer(List.of(flags));
    server.launch("0", "any,any");
    return server;
  }

  /** The SQL API, for https as well as http. */
  public int sqlPort() {
    return port(SQL_PORT);
  }

  /** CQL for clients of this machine, who need no credentials. */
  public int cqlPort() {
    return port(CQL_PORT);
  }

  /** CQL for clients that log in. */
  public int accountPort() {
    return port(ACCOUNT_PORT);
  }

  /** The Table API, for https as well as http. */
  public int tablePort() {
    return port(TABLE_PORT);
  }

  /** The Table API as Azure Storage has it, for https as well as http. REQUIRES: --table-port named two ports. */
  public int tableStoragePort() {
    return port(TABLE_STORAGE_PORT);
  }

  /** The MongoDB API, for clients of this machine. */
  public int mongoPort() {
    return port(MONGO_PORT);
  }

  /** Gremlin for clients of this machine, who need no credentials. */
  public int gremlinPort() {
    return port(GREMLIN_PORT);
  }

  /** Gremlin for clients that log in. */
  public int gremlinAccountPort() {
    return port(GREMLIN_ACCOUNT_PORT);
  }

  /** The certificate of all ports, as PEM. */
  public Path certificate() {
    return root.resolve("data/tls/tls-certificate.pem");
  }

  /** Stops the server as an administrator does. */
  public void stop() {
    process.destroy();
    await();
  }

  /** Kills the server, as a crash does. */
  public void kill() {
    process.destroyForcibly();
    await();
  }

  /** Starts the server again on its data and ports. REQUIRES: it was stopped or killed. */
  public void startAgain() {
    launch(String.valueOf(sqlPort()), cqlPort() + "," + accountPort());
  }

  @Override
  public synchronized void close() {
    if (process != null && process.isAlive()) {
      kill();
    }
    if (!Files.exists(root)) {
      return;
    }
    try (var files = Files.walk(root)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void launch(String sqlPort, String cqlPorts) {
    List<String> command = new ArrayList<>(List.of(
        System.getProperty("orrery.binary"), "serve", "--data", root.resolve("data").toString(), "--sql-port", sqlPort,
        "--cassandra-port", cqlPorts, "--durability", "os", "--log-level", "warn"));
    command.addAll(flags);
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().keySet().removeIf(name -> name.startsWith("ORRERY_"));
    try {
      process = builder.start();
      BufferedReader output =
          new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
      StringBuilder said = new StringBuilder();
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        said.append(line).append('\n');
        if (line.startsWith("Ready in")) {
          break;
        }
      }
      welcome = said.toString();
      if (!welcome.contains("Ready in")) {
        throw new IllegalStateException("the server did not start: " + welcome);
      }
      Thread drain = new Thread(() -> output.lines().forEach(line -> { }), "output of orrery");
      drain.setDaemon(true);
      drain.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void await() {
    try {
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IllegalStateException("the server does not end");
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private int port(Pattern pattern) {
    Matcher matcher = pattern.matcher(welcome);
    if (!matcher.find()) {
      throw new IllegalStateException("no such port in: " + welcome);
    }
    return Integer.parseInt(matcher.group(1));
  }
}
