import com.azure.data.tables.TableServiceClient;
import orrery.OrreryServer;

/** The same on the port that follows Azure Storage, with the account that every emulator has. */
class StorageEntitiesTest extends EntitiesTest {
  private static final String ACCOUNT = "devstoreaccount1";
  private static final String KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

  @Override
  TableServiceClient client(OrreryServer server) {
    return client("http://127.0.0.1:" + server.tableStoragePort() + "/" + ACCOUNT, ACCOUNT, KEY);
  }
}
