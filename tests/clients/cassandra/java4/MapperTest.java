import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.PagingIterable;
import com.datastax.oss.driver.api.mapper.annotations.ClusteringColumn;
import com.datastax.oss.driver.api.mapper.annotations.Dao;
import com.datastax.oss.driver.api.mapper.annotations.DaoFactory;
import com.datastax.oss.driver.api.mapper.annotations.DaoKeyspace;
import com.datastax.oss.driver.api.mapper.annotations.Delete;
import com.datastax.oss.driver.api.mapper.annotations.Entity;
import com.datastax.oss.driver.api.mapper.annotations.Insert;
import com.datastax.oss.driver.api.mapper.annotations.Mapper;
import com.datastax.oss.driver.api.mapper.annotations.PartitionKey;
import com.datastax.oss.driver.api.mapper.annotations.Query;
import com.datastax.oss.driver.api.mapper.annotations.Select;
import com.datastax.oss.driver.api.mapper.annotations.Update;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MapperTest extends CqlTest {
  @Entity
  public static class Reading {
    @PartitionKey private String sensor;
    @ClusteringColumn private int day;
    private Double degrees;
    private Set<String> tags;

    public Reading() {}

    public Reading(String sensor, int day, Double degrees, Set<String> tags) {
      this.sensor = sensor;
      this.day = day;
      this.degrees = degrees;
      this.tags = tags;
    }

    public String getSensor() {
      return sensor;
    }

    public void setSensor(String sensor) {
      this.sensor = sensor;
    }

    public int getDay() {
      return day;
    }

    public void setDay(int day) {
      this.day = day;
    }

    public Double getDegrees() {
      return degrees;
    }

    public void setDegrees(Double degrees) {
      this.degrees = degrees;
    }

    public Set<String> getTags() {
      return tags;
    }

    public void setTags(Set<String> tags) {
      this.tags = tags;
    }
  }

  @Dao
  public interface Readings {
    @Insert
    void save(Reading reading);

    @Insert(ifNotExists = true)
    boolean saveNew(Reading reading);

    @Update(ifExists = true)
    boolean change(Reading reading);

    @Select
    Reading find(String sensor, int day);

    @Select(customWhereClause = "sensor = :sensor", orderBy = "day DESC")
    PagingIterable<Reading> all(String sensor);

    @Query("SELECT count(*) FROM ${keyspaceId}.reading")
    long count();

    @Delete
    void remove(Reading reading);
  }

  @Mapper
  public interface Station {
    @DaoFactory
    Readings readings(@DaoKeyspace CqlIdentifier keyspace);
  }

  @Test
  void entitiesAreKeptAndFound() {
    session.execute("CREATE TABLE reading (sensor text, day int, degrees double, tags set<text>, "
        + "PRIMARY KEY (sensor, day))");
    // The class is made from the interfaces above by the driver's annotation processor.
    Station station = new MapperTest_StationBuilder(session).build();
    Readings readings = station.readings(CqlIdentifier.fromCql(keyspace));
    for (int day = 1; day <= 30; day++) {
      readings.save(new Reading("roof", day, day / 2.0, Set.of("dry")));
    }
    assertFalse(readings.saveNew(new Reading("roof", 30, 0.0, Set.of())));
    assertTrue(readings.saveNew(new Reading("cellar", 1, 12.5, Set.of())));
    assertEquals(7.5, readings.find("roof", 15).getDegrees());
    assertEquals(List.of(30, 29, 28), readings.all("roof").all().stream().limit(3).map(Reading::getDay).toList());
    assertEquals(31, readings.count());
    assertTrue(readings.change(new Reading("roof", 1, -1.0, Set.of("wet"))));
    assertFalse(readings.change(new Reading("roof", 99, -1.0, Set.of("wet"))));
    assertEquals(Set.of("wet"), readings.find("roof", 1).getTags());
    readings.remove(readings.find("roof", 1));
    assertNull(readings.find("roof", 1));
  }
}
