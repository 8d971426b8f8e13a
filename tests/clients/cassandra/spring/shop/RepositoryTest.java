package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.metadata.schema.ClusteringOrder;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.data.cassandra.CassandraInvalidQueryException;
import org.springframework.data.cassandra.core.CassandraTemplate;
import org.springframework.data.cassandra.core.DeleteOptions;
import org.springframework.data.cassandra.core.InsertOptions;
import org.springframework.data.cassandra.core.ReactiveCassandraTemplate;
import org.springframework.data.cassandra.core.UpdateOptions;
import org.springframework.data.cassandra.core.cql.session.DefaultBridgedReactiveSession;
import org.springframework.data.cassandra.core.mapping.BasicMapId;
import org.springframework.data.cassandra.core.query.CassandraPageRequest;
import org.springframework.data.cassandra.core.query.Criteria;
import org.springframework.data.cassandra.core.query.Query;
import org.springframework.data.cassandra.core.query.Update;
import org.springframework.data.domain.Limit;
import org.springframework.data.domain.PageRequest;
import org.springframework.data.domain.Slice;
import orrery.OrreryServer;

/** An application of Spring Data Cassandra on one server. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RepositoryTest {
  private AnnotationConfigApplicationContext context;
  private Purchases purchases;
  private Stocks stocks;
  private CassandraTemplate template;

  @BeforeAll
  void start() {
    Configuration.server = OrreryServer.start();
    context = new AnnotationConfigApplicationContext(Configuration.class);
    purchases = context.getBean(Purchases.class);
    stocks = context.getBean(Stocks.class);
    template = (CassandraTemplate) context.getBean("cassandraTemplate");
  }

  @AfterAll
  void stop() {
    context.close();
    Configuration.server.close();
  }

  @BeforeEach
  void empty() {
    purchases.deleteAll();
    stocks.deleteAll();
  }

  private static List<Integer> minutes(List<Purchase> found) {
    return found.stream().map(each -> (int) each.placed().getEpochSecond() / 60).toList();
  }

  private void buy(String customer, int count) {
    purchases.saveAll(IntStream.rangeClosed(1, count).mapToObj(i -> Purchase.of(customer, i, i + ".50")).toList());
  }

  @Test
  void theSchemaIsMadeFromTheEntities() {
    var keyspace = context.getBean(CqlSession.class).getMetadata().getKeyspace("shop").orElseThrow();
    var table = keyspace.getTable("purchases").orElseThrow();
    assertEquals(List.of(ClusteringOrder.DESC), List.copyOf(table.getClusteringColumns().values()));
    assertEquals(1, table.getIndexes().size());
    assertTrue(keyspace.getUserDefinedType("address").isPresent());
    // A second application finds it there.
    new AnnotationConfigApplicationContext(Configuration.class).close();
  }

  @Test
  void entitiesComeBackAsTheyWere() {
    Purchase purchase = Purchase.of("ada", 7, "12.30");
    purchases.save(purchase);
    assertEquals(purchase, purchases.findById(BasicMapId.id("customer", "ada").with("placed", purchase.placed())).orElseThrow());
    assertEquals(List.of(purchase), purchases.findAll());
  }

  @Test
  void derivedQueries() {
    buy("ada", 9);
    buy("grace", 2);
    assertEquals(List.of(9, 8, 7, 6, 5, 4, 3, 2, 1), minutes(purchases.findByCustomer("ada")));
    assertEquals(List.of(4, 3), minutes(purchases.findByCustomerAndPlacedBetween("ada", Instant.ofEpochSecond(121),
        Instant.ofEpochSecond(299))));
    assertEquals(List.of(1, 2, 3), minutes(purchases.findByCustomerOrderByPlacedAsc("ada", Limit.of(3))));
    assertEquals(11, purchases.findByState("open").size());
    assertEquals(2, purchases.findByTotalGreaterThan(new BigDecimal("8.00")).size());
    try (var found = purchases.findAllByCustomerIn(List.of("ada", "grace", "nobody"))) {
      assertEquals(11, found.count());
    }
    assertEquals(2, purchases.countByCustomer("grace"));
    assertTrue(purchases.existsByCustomer("ada"));
    assertEquals(new BigDecimal("4.00"), purchases.totalOf("grace"));
    purchases.deleteByCustomer("ada");
    assertFalse(purchases.existsByCustomer("ada"));
  }

  /** Its answer comes with a warning. */
  @Test
  void countingEverything() {
    buy("ada", 5);
    buy("grace", 4);
    for (int i = 0; i < 5; i++) {
      assertEquals(9, purchases.count());
    }
  }

  @Test
  void slices() {
    buy("ada", 25);
    List<Integer> seen = new ArrayList<>();
    List<Integer> sizes = new ArrayList<>();
    Slice<Purchase> slice = purchases.findSliceByCustomer("ada", PageRequest.of(0, 10));
    while (true) {
      sizes.add(slice.getNumberOfElements());
      seen.addAll(minutes(slice.getContent()));
      if (!slice.hasNext()) {
        break;
      }
      slice = purchases.findSliceByCustomer("ada", slice.nextPageable());
    }
    assertEquals(List.of(10, 10, 5), sizes);
    assertEquals(IntStream.rangeClosed(1, 25).map(i -> 26 - i).boxed().toList(), seen);
  }

  @Test
  void savedPagingStates() {
    buy("ada", 12);
    Slice<Purchase> first = purchases.findSliceByCustomer("ada", CassandraPageRequest.first(5));
    ByteBuffer state = ((CassandraPageRequest) first.nextPageable()).getPagingState();
    byte[] saved = new byte[state.remaining()];
    state.duplicate().get(saved);
    Slice<Purchase> second = purchases.findSliceByCustomer("ada",
        CassandraPageRequest.of(PageRequest.of(1, 5), ByteBuffer.wrap(saved)));
    assertEquals(List.of(7, 6, 5, 4, 3), minutes(second.getContent()));
  }

  @Test
  void conditionalWrites() {
    Purchase purchase = Purchase.of("ada", 1, "1.00");
    InsertOptions ifNew = InsertOptions.builder().withIfNotExists().build();
    assertTrue(template.insert(purchase, ifNew).wasApplied());
    assertFalse(template.insert(purchase, ifNew).wasApplied());
    UpdateOptions ifOpen = UpdateOptions.builder().ifCondition(Criteria.where("state").is("open")).build();
    UpdateOptions ifSent = UpdateOptions.builder().ifCondition(Criteria.where("state").is("sent")).build();
    assertFalse(template.update(purchase, ifSent).wasApplied());
    assertTrue(template.update(purchase, ifOpen).wasApplied());
    assertFalse(template.delete(purchase, DeleteOptions.builder().ifCondition(Criteria.where("state").is("sent")).build())
        .wasApplied());
    assertEquals(1, purchases.count());
  }

  @Test
  void versionsKeepLateWritersOut() {
    stocks.save(new Stock("apples", 10));
    Stock mine = stocks.findById("apples").orElseThrow();
    Stock other = stocks.findById("apples").orElseThrow();
    mine.setPieces(9);
    stocks.save(mine);
    other.setPieces(8);
    assertThrows(OptimisticLockingFailureException.class, () -> stocks.save(other));
    assertEquals(9, stocks.findById("apples").orElseThrow().getPieces());
  }

  @Test
  void batches() {
    buy("ada", 3);
    Purchase first = Purchase.of("ada", 1, "1.50");
    template.batchOps().insert(Purchase.of("ada", 4, "4.00")).insert(Purchase.of("grace", 1, "1.00")).delete(first)
        .execute();
    assertEquals(List.of(4, 3, 2), minutes(purchases.findByCustomer("ada")));
    assertEquals(1, purchases.countByCustomer("grace"));
  }

  @Test
  void templatesAndUpdates() {
    buy("ada", 2);
    Query one = Query.query(Criteria.where("customer").is("ada"), Criteria.where("placed").is(Instant.ofEpochSecond(60)));
    assertTrue(template.update(one, Update.empty().set("state", "sent").addTo("tags").append("gift").set("items")
        .atKey("pears").to(3), Purchase.class));
    Purchase changed = template.selectOne(one, Purchase.class);
    assertEquals("sent", changed.state());
    assertEquals(java.util.Set.of("gift", "new"), changed.tags());
    assertEquals(java.util.Map.of("apples", 1, "pears", 3), changed.items());
    assertEquals(1, purchases.findByState("sent").size());
  }

  @Test
  void errorsAreSpringsOwn() {
    assertThrows(CassandraInvalidQueryException.class,
        () -> template.getCqlOperations().execute("SELECT * FROM nowhere"));
  }

  @Test
  void reactiveTemplates() {
    var reactive = new ReactiveCassandraTemplate(new DefaultBridgedReactiveSession(context.getBean(CqlSession.class)),
        template.getConverter());
    buy("ada", 30);
    List<Purchase> found = reactive.select("SELECT * FROM purchases WHERE customer = 'ada'", Purchase.class)
        .collectList().block();
    assertEquals(30, found.size());
    assertEquals(30L, reactive.count(Purchase.class).block());
  }
}
