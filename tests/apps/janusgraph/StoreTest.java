import org.janusgraph.diskstorage.BackendException;
import org.janusgraph.diskstorage.KeyColumnValueStoreTest;
import org.janusgraph.diskstorage.cql.CQLStoreManager;
import org.janusgraph.graphdb.configuration.GraphDatabaseConfiguration;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;

/** JanusGraph's own tests of a store: columns in order, slices, scans, deletions, times to live. */
class StoreTest extends KeyColumnValueStoreTest {
  @Override
  public CQLStoreManager openStorageManager() throws BackendException {
    return Storage.open(getClass());
  }

  @Override
  public CQLStoreManager openStorageManagerForClearStorageTest() throws Exception {
    return new CQLStoreManager(Storage.configuration(getClass()).set(GraphDatabaseConfiguration.DROP_ON_CLEAR, true));
  }

  @Test
  @Override
  @Disabled("64 threads that read 10,000 times each: takes longer than all others together")
  public void testConcurrentGetSlice() {}

  @Test
  @Override
  @Disabled("64 threads that read 10,000 times each: takes longer than all others together")
  public void testConcurrentGetSliceAndMutate() {}
}
