import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.List;
import orrery.OrreryServer;

/**
 * Servers whose certificate this JVM trusts, in the way docs/apis/sql.md says: by javax.net.ssl.trustStore.
 *
 * <p>Java reads that store once. So the first server makes a certificate as every new server does, and the servers
 * after it show the same one.
 */
final class TrustedServer {
  private static final String PASSWORD = "changeit";
  private static final List<String> FILES = List.of("tls-certificate.pem", "tls-key.pem");
  private static Path kept;

  private TrustedServer() {}

  static OrreryServer start(String... flags) throws IOException {
    List<String> all = new ArrayList<>(List.of(flags));
    all.addAll(List.of("--sql-direct-port", "any"));
    if (kept != null) {
      all.addAll(List.of("--tls", kept.resolve(FILES.get(0)) + "," + kept.resolve(FILES.get(1))));
    }
    OrreryServer server = OrreryServer.start(all.toArray(new String[0]));
    if (kept != null) {
      return server;
    }
    kept = Files.createTempDirectory("orrery_java_tls_");
    kept.toFile().deleteOnExit();
    for (String name : FILES) {
      Path copy = kept.resolve(name);
      Files.copy(server.certificate().resolveSibling(name), copy, StandardCopyOption.REPLACE_EXISTING);
      copy.toFile().deleteOnExit();
    }
    Path store = kept.resolve("trust.p12");
    trust(List.of(server.certificate()), store);
    store.toFile().deleteOnExit();
    return server;
  }

  /** Writes a trust store of these certificates and names it to Java. Has no effect once TLS has been used. */
  static void trust(List<Path> certificates, Path store) throws IOException {
    try {
      KeyStore trusted = KeyStore.getInstance("PKCS12");
      trusted.load(null, null);
      for (Path certificate : certificates) {
        try (InputStream bytes = Files.newInputStream(certificate)) {
          trusted.setCertificateEntry(certificate.toString(), CertificateFactory.getInstance("X.509").generateCertificate(bytes));
        }
      }
      try (OutputStream out = Files.newOutputStream(store)) {
        trusted.store(out, PASSWORD.toCharArray());
      }
    } catch (GeneralSecurityException error) {
      throw new IOException(error);
    }
    System.setProperty("javax.net.ssl.trustStore", store.toString());
    System.setProperty("javax.net.ssl.trustStorePassword", PASSWORD);
  }
}
