"""Servers with CQL ports, and sessions of the Python driver on them."""
import pathlib
import re
import shutil
import ssl
import struct
import tempfile
import threading
import unittest

from cassandra.auth import PlainTextAuthProvider
from cassandra.cluster import EXEC_PROFILE_DEFAULT, Cluster, ExecutionProfile, NoHostAvailable
from cassandra.policies import ConstantReconnectionPolicy, RoundRobinPolicy

import harness

REPLICATION = "WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}"
RECONNECT_AFTER_S = 0.05


class CqlServer(harness.Server):
    """A server with both CQL ports."""

    def __init__(self, data, *flags, ports="any,any", **options):
        super().__init__(data, *flags, cassandra_port=ports, **options)
        self.flags = flags
        self.certificate = self.data / "tls" / "tls-certificate.pem"

    def start_again(self):
        """A new server with the data, ports and flags of this one, which has ended."""
        return CqlServer(self.data, *self.flags, ports=f"{self.cql_port},{self.account_port}")

    def tls(self):
        """Trusts this server's certificate and nothing else."""
        context = ssl.create_default_context(cafile=str(self.certificate))
        context.check_hostname = False
        return context


def account(key=harness.WELL_KNOWN_KEY):
    return PlainTextAuthProvider("localhost", key)


def make_cluster(server, port=None, profile=None, **options):
    profile = profile or ExecutionProfile(load_balancing_policy=RoundRobinPolicy(),
                                          request_timeout=harness.PATIENCE_S)
    options.setdefault("protocol_version", 5)
    options.setdefault("connect_timeout", harness.PATIENCE_S)
    options.setdefault("control_connection_timeout", harness.PATIENCE_S)
    options.setdefault("reconnection_policy", ConstantReconnectionPolicy(RECONNECT_AFTER_S, max_attempts=None))
    profiles = {EXEC_PROFILE_DEFAULT: profile, **options.pop("profiles", {})}
    return Cluster(["127.0.0.1"], port=port or server.cql_port, execution_profiles=profiles, **options)


def charge(future):
    """The RequestCharge of an answer: 8 bytes, a big-endian double."""
    return struct.unpack(">d", future.custom_payload["RequestCharge"])[0]


def eventually(predicate, what):
    """Waits for something that must happen but tells nobody when it does."""
    pause = threading.Event()
    for _ in range(harness.PATIENCE_S * 100):
        if predicate():
            return
        pause.wait(0.01)
    raise AssertionError("never happened: " + what)


class CqlTest(unittest.TestCase):
    """Tests that share one server and one session; each test has a keyspace of its own, the session is in it."""

    FLAGS = ()    # of the server
    OPTIONS = {}  # of the driver's Cluster

    @classmethod
    def setUpClass(cls):
        root = pathlib.Path(tempfile.mkdtemp(prefix="orrery_cql_"))
        cls.addClassCleanup(shutil.rmtree, root, ignore_errors=True)
        # What is measured here is not durability: tests that restart a server stop it cleanly.
        cls.server = CqlServer(root / "data", "--durability", "os", *cls.FLAGS)
        cls.addClassCleanup(lambda: cls.server.process.poll() is None and cls.server.kill())
        cls.cluster = make_cluster(cls.server, **cls.OPTIONS)
        cls.addClassCleanup(lambda: cls.cluster.shutdown())
        cls.session = cls.cluster.connect()
        cls.speakers = {}

    def setUp(self):
        self.keyspace = re.sub(r"\W", "_", self._testMethodName)[:48].lower()
        self.session.execute(f"CREATE KEYSPACE {self.keyspace} {REPLICATION}")
        self.session.set_keyspace(self.keyspace)

    def connect(self, keyspace=None, **options):
        """One more session, of a cluster of its own."""
        cluster = make_cluster(self.server, **options)
        self.addCleanup(cluster.shutdown)
        return cluster.connect(keyspace)

    @classmethod
    def speaking(cls, version, keyspace):
        """A session in that protocol version, made once for all tests of the class."""
        if version not in cls.speakers:
            cluster = make_cluster(cls.server, **{**cls.OPTIONS, "protocol_version": version})
            cls.addClassCleanup(cluster.shutdown)
            cls.speakers[version] = cluster.connect()
        cls.speakers[version].set_keyspace(keyspace)
        return cls.speakers[version]

    def rows(self, query, values=None, session=None):
        return [tuple(row) for row in (session or self.session).execute(query, values)]

    def one(self, query, values=None):
        (row,) = self.rows(query, values)
        return row

    def table(self):
        """What the driver knows about table t of this test's keyspace."""
        return self.cluster.metadata.keyspaces[self.keyspace].tables["t"]

    def assertRefuses(self, error, text, query, values=None):
        with self.assertRaisesRegex(error, text):
            self.session.execute(query, values)

    def assertNoHost(self, cause, connect):
        """The driver gave up on the only host, because of `cause`. Returns that error."""
        with self.assertRaises(NoHostAvailable) as caught:
            connect()
        (error,) = caught.exception.errors.values()
        self.assertIsInstance(error, cause, error)
        return error
