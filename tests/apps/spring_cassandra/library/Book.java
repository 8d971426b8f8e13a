package library;

import java.util.Set;
import java.util.UUID;
import org.springframework.data.cassandra.core.cql.PrimaryKeyType;
import org.springframework.data.cassandra.core.mapping.PrimaryKeyColumn;
import org.springframework.data.cassandra.core.mapping.Table;

@Table("books")
public record Book(
    @PrimaryKeyColumn(type = PrimaryKeyType.PARTITIONED) String author,
    @PrimaryKeyColumn(type = PrimaryKeyType.CLUSTERED, ordinal = 1) int year,
    @PrimaryKeyColumn(type = PrimaryKeyType.CLUSTERED, ordinal = 2) UUID id, String title, Set<String> subjects) {}
