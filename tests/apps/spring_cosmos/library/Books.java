package library;

import com.azure.spring.data.cosmos.repository.CosmosRepository;
import com.azure.spring.data.cosmos.repository.Query;
import java.util.List;
import org.springframework.data.domain.Page;
import org.springframework.data.domain.Pageable;
import org.springframework.data.repository.query.Param;

public interface Books extends CosmosRepository<Book, String> {
  List<Book> findByAuthor(String author);

  List<Book> findByAuthorAndYearBetween(String author, int from, int to);

  List<Book> findByTitleContainingIgnoreCase(String words);

  List<Book> findByYearGreaterThanOrderByYearDesc(int year);

  Page<Book> findByAuthor(String author, Pageable page);

  long countByAuthor(String author);

  boolean existsByAuthor(String author);

  void deleteByAuthor(String author);

  @Query("SELECT * FROM c WHERE c.author = @author AND ARRAY_CONTAINS(c.subjects, @subject)")
  List<Book> about(@Param("author") String author, @Param("subject") String subject);

  @Query("SELECT VALUE COUNT(1) FROM c WHERE c.year >= @year")
  long since(@Param("year") int year);
}
