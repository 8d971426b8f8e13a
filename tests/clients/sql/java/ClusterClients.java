import static org.junit.jupiter.api.Assertions.assertEquals;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.ThroughputProperties;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import orrery.OrreryServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** A client in Direct mode of each node of the running cluster. tests/clients/cluster/run.py runs these classes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ClusterClients {
  static final int ITEMS = 60;
  private static final int THROUGHPUT = 30_000;
  private final List<String> addresses = List.of(System.getenv().getOrDefault("CLUSTER_ADDRESSES", "").split(","));
  final List<CosmosClient> clients = new ArrayList<>();

  @BeforeAll
  void connect() throws Exception {
    Path folder = Files.createTempDirectory("orrery_java_tls_");
    List<Path> certificates = new ArrayList<>();
    for (String address : living()) {
      Path file = folder.resolve(address + ".pem");
      HttpResponse<Path> got = HttpClient.newHttpClient().send(
          HttpRequest.newBuilder(URI.create("http://" + address + ":8081/_explorer/emulator.pem")).build(),
          HttpResponse.BodyHandlers.ofFile(file));
      assertEquals(200, got.statusCode());
      certificates.add(file);
    }
    TrustedServer.trust(certificates, folder.resolve("trust.p12"));
    for (String address : living()) {
      clients.add(new CosmosClientBuilder().endpoint("https://" + address + ":8081/").key(OrreryServer.ACCOUNT_KEY).buildClient());
    }
  }

  @AfterAll
  void disconnect() {
    clients.forEach(CosmosClient::close);
  }

  static List<Long> processes() {
    return Arrays.stream(System.getenv("CLUSTER_PIDS").split(",")).map(Long::valueOf).collect(Collectors.toList());
  }

  /** A node that was killed stays a process, without a program, until the one that started it looks. */
  static boolean isRunning(long pid) {
    try {
      String status = Files.readString(Path.of("/proc", String.valueOf(pid), "stat"));
      return "ZX".indexOf(status.charAt(status.lastIndexOf(')') + 2)) < 0;
    } catch (IOException gone) {
      return false;
    }
  }

  List<String> living() {
    List<Long> processes = processes();
    return IntStream.range(0, addresses.size()).filter(i -> isRunning(processes.get(i))).mapToObj(addresses::get)
        .collect(Collectors.toList());
  }

  CosmosContainer through(int number, String database) {
    return clients.get(number % clients.size()).getDatabase(database).getContainer("c");
  }

  void create(String database) {
    clients.get(0).createDatabase(database);
    clients.get(0).getDatabase(database).createContainer(new CosmosContainerProperties("c", "/pk"),
        ThroughputProperties.createManualThroughput(THROUGHPUT));
  }
}
