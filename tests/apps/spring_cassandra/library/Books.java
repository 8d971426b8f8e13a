package library;

import java.util.List;
import org.springframework.data.cassandra.core.mapping.MapId;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.domain.Pageable;
import org.springframework.data.domain.Slice;

public interface Books extends CassandraRepository<Book, MapId> {
  List<Book> findByAuthorAndYearGreaterThanEqual(String author, int year);

  Slice<Book> findByAuthor(String author, Pageable page);

  long countByAuthor(String author);
}
