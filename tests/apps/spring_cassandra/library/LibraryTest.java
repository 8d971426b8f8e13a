package library;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.driver.api.core.CqlSession;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.cassandra.core.CassandraTemplate;
import org.springframework.data.cassandra.core.InsertOptions;
import org.springframework.data.domain.PageRequest;
import org.springframework.data.domain.Slice;
import orrery.OrreryServer;

/** A Spring Boot application whose only settings are where the server is, and that tables are to be made. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LibraryTest {
  @SpringBootApplication
  public static class Library {}

  private OrreryServer server;
  private ConfigurableApplicationContext application;
  private Books books;

  @BeforeAll
  void start() {
    server = OrreryServer.start();
    try (CqlSession session = CqlSession.builder().withLocalDatacenter("datacenter1")
        .addContactPoint(new InetSocketAddress("127.0.0.1", server.cqlPort())).build()) {
      session.execute("CREATE KEYSPACE library WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    }
    application = run();
    books = application.getBean(Books.class);
  }

  private ConfigurableApplicationContext run() {
    return SpringApplication.run(Library.class, "--spring.cassandra.contact-points=127.0.0.1:" + server.cqlPort(),
        "--spring.cassandra.local-datacenter=datacenter1", "--spring.cassandra.keyspace-name=library",
        "--spring.cassandra.schema-action=create_if_not_exists", "--spring.cassandra.request.timeout=60s",
        "--spring.main.banner-mode=off", "--logging.level.root=warn");
  }

  @AfterAll
  void stop() {
    application.close();
    server.close();
  }

  private static Book book(String author, int year) {
    return new Book(author, year, new UUID(0, year), author + " in " + year, Set.of("novel"));
  }

  @Test
  void booksAreKeptAndFound() {
    books.saveAll(IntStream.range(1900, 1950).mapToObj(year -> book("woolf", year)).toList());
    assertEquals(50, books.countByAuthor("woolf"));
    assertEquals(List.of(1948, 1949), books.findByAuthorAndYearGreaterThanEqual("woolf", 1948).stream().map(Book::year).toList());
  }

  @Test
  void slicesAndCounts() {
    books.saveAll(IntStream.range(0, 105).mapToObj(year -> book("sand", year)).toList());
    Set<Integer> seen = new HashSet<>();
    Slice<Book> slice = books.findByAuthor("sand", PageRequest.of(0, 25));
    while (true) {
      slice.forEach(each -> assertTrue(seen.add(each.year())));
      if (!slice.hasNext()) {
        break;
      }
      slice = books.findByAuthor("sand", slice.nextPageable());
    }
    assertEquals(105, seen.size());
    // With a warning in each answer.
    for (int i = 0; i < 10; i++) {
      assertTrue(books.count() >= 105);
    }
  }

  @Test
  void aBookIsBoughtOnce() {
    CassandraTemplate template = application.getBean(CassandraTemplate.class);
    InsertOptions once = InsertOptions.builder().withIfNotExists().build();
    assertTrue(template.insert(book("austen", 1813), once).wasApplied());
    assertFalse(template.insert(book("austen", 1813), once).wasApplied());
  }

  @Test
  void theApplicationStartsAgain() {
    books.save(book("eliot", 1871));
    try (ConfigurableApplicationContext second = run()) {
      assertEquals(1, second.getBean(Books.class).countByAuthor("eliot"));
    }
  }
}
