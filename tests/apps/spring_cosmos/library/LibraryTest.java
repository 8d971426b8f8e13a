package library;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.models.PartitionKey;
import com.azure.spring.data.cosmos.config.AbstractCosmosConfiguration;
import com.azure.spring.data.cosmos.core.query.CosmosPageRequest;
import com.azure.spring.data.cosmos.exception.CosmosPreconditionFailedException;
import com.azure.spring.data.cosmos.repository.config.EnableCosmosRepositories;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.domain.Page;
import org.springframework.data.domain.Pageable;
import org.springframework.data.domain.Sort;
import orrery.OrreryServer;

/** An application of Spring Data Cosmos, which makes its database and container when it starts. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LibraryTest {
  private static OrreryServer server;

  @Configuration
  @EnableCosmosRepositories
  static class Settings extends AbstractCosmosConfiguration {
    @Bean
    CosmosClientBuilder cosmosClientBuilder() {
      return new CosmosClientBuilder().endpoint("https://127.0.0.1:" + server.sqlPort() + "/")
          .key(OrreryServer.ACCOUNT_KEY).gatewayMode();
    }

    @Override
    protected String getDatabaseName() {
      return "library";
    }
  }

  private AnnotationConfigApplicationContext application;
  private Books books;

  @BeforeAll
  void start() throws Exception {
    server = OrreryServer.start();
    trust(server.certificate());
    application = new AnnotationConfigApplicationContext(Settings.class);
    books = application.getBean(Books.class);
  }

  @AfterAll
  void stop() {
    if (application != null) {
      application.close();
    }
    server.close();
  }

  @BeforeEach
  void empty() {
    books.deleteAll();
  }

  /** Makes the server's certificate the one that this JVM trusts. */
  private static void trust(Path certificate) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    try (InputStream pem = Files.newInputStream(certificate)) {
      store.setCertificateEntry("orrery", CertificateFactory.getInstance("X.509").generateCertificate(pem));
    }
    Path file = certificate.resolveSibling("trust.p12");
    try (OutputStream out = Files.newOutputStream(file)) {
      store.store(out, "changeit".toCharArray());
    }
    System.setProperty("javax.net.ssl.trustStore", file.toString());
    System.setProperty("javax.net.ssl.trustStorePassword", "changeit");
  }

  private static Book book(String author, int year) {
    return new Book(author + year, author, year, author + " in " + year, List.of("novel", year % 2 == 0 ? "even" : "odd"));
  }

  private void keep(String author, int from, int to) {
    books.saveAll(IntStream.range(from, to).mapToObj(year -> book(author, year)).toList());
  }

  private static List<Integer> years(Iterable<Book> found) {
    return java.util.stream.StreamSupport.stream(found.spliterator(), false).map(Book::getYear).sorted().toList();
  }

  @Test
  void booksAreKeptAndFound() {
    Book saved = books.save(book("woolf", 1925));
    assertEquals("woolf in 1925", books.findById("woolf1925", new PartitionKey("woolf")).orElseThrow().getTitle());
    assertTrue(books.findById("woolf1925").isPresent());
    assertFalse(saved.get_etag().isEmpty());
    saved.setTitle("Mrs Dalloway");
    books.save(saved);
    assertEquals("Mrs Dalloway", books.findById("woolf1925", new PartitionKey("woolf")).orElseThrow().getTitle());
    books.deleteById("woolf1925", new PartitionKey("woolf"));
    assertTrue(books.findById("woolf1925").isEmpty());
  }

  @Test
  void derivedQueries() {
    keep("woolf", 1915, 1925);
    keep("sand", 1832, 1836);
    assertEquals(10, books.findByAuthor("woolf").size());
    assertEquals(List.of(1920, 1921, 1922), years(books.findByAuthorAndYearBetween("woolf", 1920, 1922)));
    assertEquals(List.of(1833), years(books.findByTitleContainingIgnoreCase("SAND IN 1833")));
    assertEquals(List.of(1924, 1923), books.findByYearGreaterThanOrderByYearDesc(1922).stream().map(Book::getYear).toList());
    assertEquals(4, books.countByAuthor("sand"));
    assertTrue(books.existsByAuthor("sand"));
    assertEquals(14, books.count());
    books.deleteByAuthor("sand");
    assertFalse(books.existsByAuthor("sand"));
  }

  @Test
  void writtenQueries() {
    keep("woolf", 1915, 1925);
    assertEquals(List.of(1916, 1918, 1920, 1922, 1924), years(books.about("woolf", "even")));
    assertEquals(5, books.since(1920));
  }

  @Test
  void pagesAndSorting() {
    keep("woolf", 1900, 1955);
    Set<Integer> seen = new HashSet<>();
    Pageable next = new CosmosPageRequest(0, 20, null);
    int pages = 0;
    while (true) {
      Page<Book> page = books.findByAuthor("woolf", next);
      page.forEach(each -> assertTrue(seen.add(each.getYear())));
      pages++;
      assertEquals(55, page.getTotalElements());
      if (!page.hasNext()) {
        break;
      }
      next = page.nextPageable();
    }
    assertEquals(55, seen.size());
    assertEquals(3, pages);
    List<Integer> sorted = new java.util.ArrayList<>();
    books.findAll(Sort.by(Sort.Direction.DESC, "year")).forEach(each -> sorted.add(each.getYear()));
    assertEquals(IntStream.range(0, 55).map(i -> 1954 - i).boxed().toList(), sorted);
  }

  @Test
  void lateWritersAreKeptOut() {
    books.save(book("woolf", 1925));
    Book mine = books.findById("woolf1925", new PartitionKey("woolf")).orElseThrow();
    Book other = books.findById("woolf1925", new PartitionKey("woolf")).orElseThrow();
    mine.setTitle("first");
    books.save(mine);
    other.setTitle("second");
    assertThrows(CosmosPreconditionFailedException.class, () -> books.save(other));
  }
}
