package shop;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.data.cassandra.core.cql.Ordering;
import org.springframework.data.cassandra.core.cql.PrimaryKeyType;
import org.springframework.data.cassandra.core.mapping.Frozen;
import org.springframework.data.cassandra.core.mapping.Indexed;
import org.springframework.data.cassandra.core.mapping.PrimaryKeyColumn;
import org.springframework.data.cassandra.core.mapping.Table;

/** A Purchase is a row of its customer's partition, the latest first. */
@Table("purchases")
public record Purchase(
    @PrimaryKeyColumn(type = PrimaryKeyType.PARTITIONED) String customer,
    @PrimaryKeyColumn(type = PrimaryKeyType.CLUSTERED, ordering = Ordering.DESCENDING) Instant placed,
    BigDecimal total, @Indexed String state, Set<String> tags, Map<String, Integer> items, @Frozen Address address,
    List<Address> formerly) {
  static Purchase of(String customer, int minute, String total) {
    return new Purchase(customer, Instant.ofEpochSecond(60L * minute), new BigDecimal(total), "open", Set.of("new"),
        Map.of("apples", minute), new Address("High Street", "London"), List.of(new Address("Low Street", "Leeds")));
  }
}
