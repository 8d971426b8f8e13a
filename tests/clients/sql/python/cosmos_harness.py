"""A server, and clients of Debian's python3-azure-cosmos on it."""
import contextlib
import pathlib
import shutil
import tempfile
import unittest
import uuid
import warnings

import azure.cosmos.cosmos_client as cosmos_client
import azure.cosmos.documents as documents
import azure.cosmos.errors as errors

import harness


def connect(server, tls=False, **authorization):
    policy = documents.ConnectionPolicy()
    policy.SSLConfiguration = documents.SSLConfiguration()
    policy.SSLConfiguration.SSLCaCerts = str(server.data / "tls" / "tls-certificate.pem") if tls else False
    url = f"{'https' if tls else 'http'}://localhost:{server.port}"
    return cosmos_client.CosmosClient(url, authorization or {"masterKey": harness.WELL_KNOWN_KEY}, policy)


class CosmosTest(unittest.TestCase):
    """Tests that share one server and one client; each has a database of its own."""

    TLS = False

    @classmethod
    def setUpClass(cls):
        warnings.simplefilter("ignore")  # the client leaves sockets open
        root = pathlib.Path(tempfile.mkdtemp(prefix="orrery_cosmos_"))
        cls.addClassCleanup(shutil.rmtree, root, ignore_errors=True)
        cls.server = harness.Server(root / "data", "--durability", "os", "--sql-default-throughput", "10000")
        cls.addClassCleanup(lambda: cls.server.process.poll() is None and cls.server.kill())
        cls.client = connect(cls.server, cls.TLS)

    def setUp(self):
        self.database = self.client.CreateDatabase({"id": uuid.uuid4().hex})

    def make_container(self, paths=("/pk",), **options):
        definition = {"id": "c"}
        if paths:
            definition["partitionKey"] = {"paths": list(paths), "kind": "Hash"}
        return self.client.CreateContainer(self.database["_self"], definition, options)

    @contextlib.contextmanager
    def assertRefused(self, status):
        with self.assertRaises(errors.HTTPFailure) as caught:
            yield caught
        self.assertEqual(caught.exception.status_code, status)
