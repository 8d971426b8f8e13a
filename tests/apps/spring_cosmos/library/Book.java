package library;

import com.azure.spring.data.cosmos.core.mapping.Container;
import com.azure.spring.data.cosmos.core.mapping.PartitionKey;
import java.util.List;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.Version;

@Container(containerName = "books", ru = "4000")
public class Book {
  @Id private String id;
  @PartitionKey private String author;
  private int year;
  private String title;
  private List<String> subjects;
  @Version private String _etag;

  public Book() {}

  public Book(String id, String author, int year, String title, List<String> subjects) {
    this.id = id;
    this.author = author;
    this.year = year;
    this.title = title;
    this.subjects = subjects;
  }

  public String getId() {
    return id;
  }

  public void setId(String id) {
    this.id = id;
  }

  public String getAuthor() {
    return author;
  }

  public void setAuthor(String author) {
    this.author = author;
  }

  public int getYear() {
    return year;
  }

  public void setYear(int year) {
    this.year = year;
  }

  public String getTitle() {
    return title;
  }

  public void setTitle(String title) {
    this.title = title;
  }

  public List<String> getSubjects() {
    return subjects;
  }

  public void setSubjects(List<String> subjects) {
    this.subjects = subjects;
  }

  public String get_etag() {
    return _etag;
  }

  public void set_etag(String etag) {
    this._etag = etag;
  }
}
