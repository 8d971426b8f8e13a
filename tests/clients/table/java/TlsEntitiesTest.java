import com.azure.data.tables.TableServiceClient;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import orrery.OrreryServer;

/** The same over TLS, with the server's own certificate in the store that javax.net.ssl.trustStore names. */
class TlsEntitiesTest extends EntitiesTest {
  private static final String PASSWORD = "changeit";

  @Override
  TableServiceClient client(OrreryServer server) throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    try (InputStream bytes = Files.newInputStream(server.certificate())) {
      trusted.setCertificateEntry("orrery", CertificateFactory.getInstance("X.509").generateCertificate(bytes));
    }
    Path store = Files.createTempFile("orrery_table_tls_", ".p12");
    store.toFile().deleteOnExit();
    try (OutputStream out = Files.newOutputStream(store)) {
      trusted.store(out, PASSWORD.toCharArray());
    }
    // Java reads it with its first TLS connection: no other class of this suite makes one.
    System.setProperty("javax.net.ssl.trustStore", store.toString());
    System.setProperty("javax.net.ssl.trustStorePassword", PASSWORD);
    return client("https://localhost:" + server.tablePort(), OrreryServer.ACCOUNT, OrreryServer.ACCOUNT_KEY);
  }
}
