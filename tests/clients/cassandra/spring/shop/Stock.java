package shop;

import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.Version;
import org.springframework.data.cassandra.core.mapping.Table;

/** A Stock is changed by many at once: its version makes each change a lightweight transaction. */
@Table("stock")
public class Stock {
  @Id private String article;
  @Version private Long version;
  private int pieces;

  public Stock(String article, int pieces) {
    this.article = article;
    this.pieces = pieces;
  }

  public String getArticle() {
    return article;
  }

  public Long getVersion() {
    return version;
  }

  public int getPieces() {
    return pieces;
  }

  public void setPieces(int pieces) {
    this.pieces = pieces;
  }
}
