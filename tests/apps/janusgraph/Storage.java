import java.time.Duration;
import org.janusgraph.diskstorage.BackendException;
import org.janusgraph.diskstorage.configuration.ModifiableConfiguration;
import org.janusgraph.diskstorage.cql.CQLConfigOptions;
import org.janusgraph.diskstorage.cql.CQLStoreManager;
import org.janusgraph.graphdb.configuration.GraphDatabaseConfiguration;
import orrery.OrreryServer;

/** JanusGraph's settings for one server, which all tests share; keyspaces have the names of test classes. */
final class Storage {
  private static final OrreryServer SERVER = OrreryServer.start();

  private Storage() {}

  static ModifiableConfiguration configuration(Class<?> user) {
    ModifiableConfiguration settings = GraphDatabaseConfiguration.buildGraphConfiguration();
    settings.set(GraphDatabaseConfiguration.STORAGE_BACKEND, "cql");
    settings.set(GraphDatabaseConfiguration.STORAGE_HOSTS, new String[] {"127.0.0.1"});
    settings.set(GraphDatabaseConfiguration.STORAGE_PORT, SERVER.cqlPort());
    settings.set(GraphDatabaseConfiguration.CONNECTION_TIMEOUT, Duration.ofSeconds(OrreryServer.PATIENCE_SECONDS));
    settings.set(GraphDatabaseConfiguration.PAGE_SIZE, 500);
    settings.set(GraphDatabaseConfiguration.DROP_ON_CLEAR, false);
    settings.set(CQLConfigOptions.KEYSPACE, user.getSimpleName().toLowerCase());
    settings.set(CQLConfigOptions.LOCAL_DATACENTER, "datacenter1");
    return settings;
  }

  static CQLStoreManager open(Class<?> user) throws BackendException {
    return new CQLStoreManager(configuration(user));
  }
}
