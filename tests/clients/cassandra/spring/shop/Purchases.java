package shop;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.data.cassandra.core.mapping.MapId;
import org.springframework.data.cassandra.repository.AllowFiltering;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.Query;
import org.springframework.data.domain.Limit;
import org.springframework.data.domain.Pageable;
import org.springframework.data.domain.Slice;

/** Queries that Spring Data derives from the names of methods, and one that is written out. */
public interface Purchases extends CassandraRepository<Purchase, MapId> {
  List<Purchase> findByCustomer(String customer);

  List<Purchase> findByCustomerAndPlacedBetween(String customer, Instant from, Instant to);

  List<Purchase> findByCustomerOrderByPlacedAsc(String customer, Limit limit);

  Slice<Purchase> findSliceByCustomer(String customer, Pageable page);

  List<Purchase> findByState(String state);

  @AllowFiltering
  List<Purchase> findByTotalGreaterThan(BigDecimal total);

  Stream<Purchase> findAllByCustomerIn(List<String> customers);

  long countByCustomer(String customer);

  boolean existsByCustomer(String customer);

  void deleteByCustomer(String customer);

  @Query("SELECT sum(total) FROM purchases WHERE customer = ?0")
  BigDecimal totalOf(String customer);
}
