package shop;

import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import java.time.Duration;
import java.util.List;
import org.springframework.data.cassandra.config.AbstractCassandraConfiguration;
import org.springframework.data.cassandra.config.SchemaAction;
import org.springframework.data.cassandra.config.SessionBuilderConfigurer;
import org.springframework.data.cassandra.core.cql.keyspace.CreateKeyspaceSpecification;
import org.springframework.data.cassandra.repository.config.EnableCassandraRepositories;
import orrery.OrreryServer;

/** As the reference manual has it: the keyspace, the types and the tables are made from the entities. */
@org.springframework.context.annotation.Configuration
@EnableCassandraRepositories
public class Configuration extends AbstractCassandraConfiguration {
  static OrreryServer server;

  @Override
  protected String getKeyspaceName() {
    return "shop";
  }

  @Override
  protected int getPort() {
    return server.cqlPort();
  }

  @Override
  protected String getContactPoints() {
    return "127.0.0.1";
  }

  @Override
  protected String getLocalDataCenter() {
    return "datacenter1";
  }

  @Override
  public SchemaAction getSchemaAction() {
    return SchemaAction.CREATE_IF_NOT_EXISTS;
  }

  @Override
  protected List<CreateKeyspaceSpecification> getKeyspaceCreations() {
    return List.of(CreateKeyspaceSpecification.createKeyspace("shop").ifNotExists().withSimpleReplication());
  }

  @Override
  protected SessionBuilderConfigurer getSessionBuilderConfigurer() {
    Duration patience = Duration.ofSeconds(OrreryServer.PATIENCE_SECONDS);
    return builder -> builder.withConfigLoader(DriverConfigLoader.programmaticBuilder()
        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, patience)
        .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, patience)
        .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, patience)
        .withDuration(DefaultDriverOption.METADATA_SCHEMA_WINDOW, Duration.ZERO).build());
  }
}
