import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.InvalidKeyspaceException;
import com.datastax.oss.driver.api.core.auth.AuthenticationException;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import com.datastax.oss.driver.api.core.ssl.ProgrammaticSslEngineFactory;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.OrreryServer;

class ConnectTest extends CqlTest {
  @Test
  void asTheManualShows() {
    try (CqlSession plain = CqlSession.builder().addContactPoint(new InetSocketAddress("127.0.0.1", server.cqlPort()))
        .withLocalDatacenter("datacenter1").build()) {
      assertEquals("V5", plain.getContext().getProtocolVersion().name());
      assertEquals("datacenter1", plain.execute("SELECT data_center FROM system.local").one().getString(0));
    }
  }

  @Test
  void theNodeIsDescribed() {
    List<Node> nodes = List.copyOf(session.getMetadata().getNodes().values());
    assertEquals(1, nodes.size());
    Node node = nodes.get(0);
    assertEquals(NodeState.UP, node.getState());
    assertEquals("datacenter1", node.getDatacenter());
    assertEquals("127.0.0.1", node.getBroadcastRpcAddress().orElseThrow().getAddress().getHostAddress());
    assertEquals(4, node.getCassandraVersion().getMajor());
    assertTrue(node.getHostId() != null && node.getSchemaVersion() != null);
    assertTrue(session.getMetadata().getClusterName().isPresent());
    assertTrue(session.checkSchemaAgreement());
  }

  @ParameterizedTest
  @ValueSource(strings = {"V3", "V4", "V5"})
  void protocolVersions(String version) {
    CqlSession speaker = connect(builder(patient().withString(DefaultDriverOption.PROTOCOL_VERSION, version)));
    assertEquals(version, speaker.getContext().getProtocolVersion().name());
    speaker.execute("CREATE TABLE IF NOT EXISTS protocolversions.t (k text PRIMARY KEY, v text)");
    var insert = speaker.prepare("INSERT INTO protocolversions.t (k, v) VALUES (?, ?)");
    speaker.execute(insert.bind(version, "x".repeat(200_000)));
    String found =
        speaker.execute("SELECT v FROM protocolversions.t WHERE k = ?", version).one().getString("v");
    assertEquals(200_000, found.length());
  }

  @ParameterizedTest
  @ValueSource(strings = {"V4", "V5"})
  void compression(String version) {
    CqlSession squeezed = connect(builder(patient().withString(DefaultDriverOption.PROTOCOL_COMPRESSION, "lz4")
        .withString(DefaultDriverOption.PROTOCOL_VERSION, version)));
    squeezed.execute("CREATE TABLE IF NOT EXISTS compression.t (k int PRIMARY KEY, v text)");
    squeezed.execute("INSERT INTO compression.t (k, v) VALUES (?, ?)", 1, "abc".repeat(100_000));
    assertEquals("abc".repeat(100_000), squeezed.execute("SELECT v FROM compression.t").one().getString(0));
  }

  @Test
  void theAccountLogsIn() {
    CqlSession owner = connect(atAccountPort().withAuthCredentials(OrreryServer.ACCOUNT, OrreryServer.ACCOUNT_KEY));
    assertEquals("local", owner.execute("SELECT key FROM system.local").one().getString(0));
  }

  @Test
  void rolesLogInAndMayDoWhatIsGranted() {
    session.execute("CREATE TABLE t (k int PRIMARY KEY)");
    session.execute("CREATE ROLE reader WITH PASSWORD = 'secret' AND LOGIN = true");
    session.execute("GRANT SELECT ON KEYSPACE " + keyspace + " TO reader");
    CqlSession reader = connect(atAccountPort().withAuthCredentials("reader", "secret").withKeyspace(keyspace));
    assertEquals(List.of(), reader.execute("SELECT * FROM t").all());
    String refused =
        assertThrows(UnauthorizedException.class, () -> reader.execute("INSERT INTO t (k) VALUES (1)")).getMessage();
    assertTrue(refused.contains("reader"), refused);
    session.execute("GRANT MODIFY ON KEYSPACE " + keyspace + " TO reader");
    reader.execute("INSERT INTO t (k) VALUES (1)");
  }

  @Test
  void wrongAndMissingCredentialsAreRefused() {
    for (CqlSessionBuilder stranger :
        List.of(atAccountPort(), atAccountPort().withAuthCredentials(OrreryServer.ACCOUNT, "wrong"))) {
      AllNodesFailedException error = assertThrows(AllNodesFailedException.class, stranger::build);
      Throwable cause = error.getAllErrors().values().iterator().next().get(0);
      assertInstanceOf(AuthenticationException.class, cause);
    }
  }

  @Test
  void tls() throws Exception {
    CqlSession safe = connect(builder(patient()).withSslEngineFactory(new ProgrammaticSslEngineFactory(trusting())));
    assertEquals("local", safe.execute("SELECT key FROM system.local").one().getString(0));
  }

  @Test
  void anUnknownKeyspaceIsRefused() {
    assertThrows(InvalidKeyspaceException.class, () -> builder(patient()).withKeyspace("nowhere").build());
  }

  @Test
  void anUnknownDatacenterHasNoNodes() {
    assertThrows(AllNodesFailedException.class, () -> {
      try (CqlSession lost = CqlSession.builder().withLocalDatacenter("elsewhere")
          .addContactPoint(new InetSocketAddress("127.0.0.1", server.cqlPort())).withConfigLoader(patient().build()).build()) {
        lost.execute("SELECT key FROM system.local");
      }
    });
  }

  private CqlSessionBuilder atAccountPort() {
    return CqlSession.builder().addContactPoint(new InetSocketAddress("127.0.0.1", server.accountPort()))
        .withLocalDatacenter("datacenter1").withConfigLoader(patient().build());
  }

  private SSLContext trusting() throws Exception {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    try (InputStream pem = Files.newInputStream(server.certificate())) {
      store.setCertificateEntry("orrery", CertificateFactory.getInstance("X.509").generateCertificate(pem));
    }
    TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }
}
