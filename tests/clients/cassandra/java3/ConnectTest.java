import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.driver.core.Cluster;
import com.datastax.driver.core.Host;
import com.datastax.driver.core.ProtocolOptions;
import com.datastax.driver.core.ProtocolVersion;
import com.datastax.driver.core.Session;
import com.datastax.driver.core.exceptions.AuthenticationException;
import com.datastax.driver.core.exceptions.UnauthorizedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import orrery.OrreryServer;

class ConnectTest extends CqlTest {
  @Test
  void asTheManualShows() {
    try (Cluster plain = Cluster.builder().addContactPoint("127.0.0.1").withPort(server.cqlPort()).build()) {
      Session plainSession = plain.connect();
      assertEquals("datacenter1", plainSession.execute("SELECT data_center FROM system.local").one().getString(0));
    }
  }

  @Test
  void theNodeIsDescribed() {
    assertEquals(1, cluster.getMetadata().getAllHosts().size());
    Host host = cluster.getMetadata().getAllHosts().iterator().next();
    assertTrue(host.isUp());
    assertEquals(4, host.getCassandraVersion().getMajor());
    assertEquals("127.0.0.1", host.getBroadcastRpcAddress().getAddress().getHostAddress());
    assertTrue(cluster.getMetadata().checkSchemaAgreement());
  }

  @ParameterizedTest
  @EnumSource(value = ProtocolVersion.class, names = {"V3", "V4"})
  void protocolVersions(ProtocolVersion version) {
    for (ProtocolOptions.Compression compression
        : new ProtocolOptions.Compression[] {ProtocolOptions.Compression.NONE, ProtocolOptions.Compression.LZ4}) {
      Session speaker =
          open(builder().withProtocolVersion(version).withCompression(compression)).connect(keyspace);
      speaker.execute("CREATE TABLE IF NOT EXISTS t (k int PRIMARY KEY, v text)");
      speaker.execute("INSERT INTO t (k, v) VALUES (?, ?)", 1, "abc".repeat(50_000));
      assertEquals("abc".repeat(50_000), speaker.execute("SELECT v FROM t").one().getString(0));
    }
  }

  @Test
  void logins() {
    Cluster.Builder atAccountPort = builder().withPort(server.accountPort());
    Session owner = open(builder().withPort(server.accountPort())
        .withCredentials(OrreryServer.ACCOUNT, OrreryServer.ACCOUNT_KEY)).connect(keyspace);
    owner.execute("CREATE TABLE t (k int PRIMARY KEY)");
    owner.execute("CREATE ROLE reader WITH PASSWORD = 'secret' AND LOGIN = true");
    owner.execute("GRANT SELECT ON TABLE t TO reader");
    Session reader = open(builder().withPort(server.accountPort()).withCredentials("reader", "secret")).connect(keyspace);
    assertEquals(0, reader.execute("SELECT * FROM t").all().size());
    assertThrows(UnauthorizedException.class, () -> reader.execute("INSERT INTO t (k) VALUES (1)"));

    Cluster stranger = open(atAccountPort.withCredentials("reader", "wrong"));
    assertInstanceOf(AuthenticationException.class, assertThrows(RuntimeException.class, stranger::connect));
  }
}
