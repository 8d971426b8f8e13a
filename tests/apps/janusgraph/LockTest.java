import org.janusgraph.diskstorage.BackendException;
import org.janusgraph.diskstorage.LockKeyColumnValueStoreTest;
import org.janusgraph.diskstorage.configuration.Configuration;
import org.janusgraph.diskstorage.cql.CQLStoreManager;

/** JanusGraph's own tests of locks that are kept in the store. */
class LockTest extends LockKeyColumnValueStoreTest {
  @Override
  public CQLStoreManager openStorageManager(int id, Configuration configuration) throws BackendException {
    return Storage.open(getClass());
  }
}
