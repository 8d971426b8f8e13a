import org.janusgraph.diskstorage.BackendException;
import org.janusgraph.diskstorage.MultiWriteKeyColumnValueStoreTest;
import org.janusgraph.diskstorage.cql.CQLStoreManager;

/** JanusGraph's own tests of writes that go to many rows in one batch. */
class MultiWriteTest extends MultiWriteKeyColumnValueStoreTest {
  @Override
  public CQLStoreManager openStorageManager() throws BackendException {
    return Storage.open(getClass());
  }
}
