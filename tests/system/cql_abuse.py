"""What tests that mistreat the CQL server share: one server, and what must hold after each of them."""
import os
import pathlib
import re
import shutil
import tempfile
import unittest

import harness
from cql_wire import AUTH_SUCCESS, Connection, READY, RESULT, SERVER_ERROR

# More of everything that is random, and from another seed, for long runs by hand.
ROUNDS = int(os.environ.get("ABUSE_ROUNDS", "1"))
SEED = int(os.environ.get("ABUSE_SEED", "20240917"))
# How much memory the server may have gained after any test, and at its worst moment. A server under a sanitizer keeps
# what is freed for a while.
SLACK = 4 if "ABUSE_SANITIZED" in os.environ else 1
GROWTH_BYTES_MAX = SLACK * (400 << 20)
PEAK_BYTES_MAX = SLACK * (1200 << 20)


def _memory(pid, field):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(rf"{field}:\s+(\d+) kB", status).group(1)) << 10


class AbuseTest(unittest.TestCase):
    """Whatever a test does, afterwards the server answers, in bounded memory, and it still stops cleanly."""

    @classmethod
    def setUpClass(cls):
        cls.root = pathlib.Path(tempfile.mkdtemp(prefix="orrery_abuse_"))
        cls.addClassCleanup(shutil.rmtree, cls.root, ignore_errors=True)
        cls.server = harness.Server(cls.root / "data", cassandra_port="any,any")
        cls.addClassCleanup(cls._stop)
        cls.port, cls.login_port = cls.server.cql_port, cls.server.account_port
        with cls.connect() as connection:
            replication = "WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}"
            # Tests may do with ks what they like.
            for statement in (f"CREATE KEYSPACE ks {replication}", f"CREATE KEYSPACE lasting {replication}",
                              "CREATE TABLE lasting.kept (k int PRIMARY KEY, v text)",
                              "INSERT INTO lasting.kept (k, v) VALUES (1, 'one')"):
                answer = connection.query(statement)
                if answer.opcode != RESULT:
                    raise RuntimeError(f"{statement}: {answer}")
        cls.first_bytes = _memory(cls.server.process.pid, "VmRSS")

    @classmethod
    def _stop(cls):
        if cls.server.process.poll() is None and cls.server.stop() == 0:
            return
        raise AssertionError(f"the server ended with {cls.server.process.returncode}: {cls.server.stderr[-8000:]}")

    @classmethod
    def connect(cls, **options):
        return Connection(cls.port, **options)

    def ready(self, **options):
        connection = self.connect(**options)
        self.addCleanup(connection.close)
        self.assertIn(connection.started.opcode, (READY, AUTH_SUCCESS), connection.started)
        return connection

    def tearDown(self):
        self.assertIsNone(self.server.process.poll(), self.server.stderr[-8000:])
        for version in (4, 5):
            with self.connect(version=version) as connection:
                self.assertServed(connection)
        pid = self.server.process.pid
        self.assertLess(_memory(pid, "VmRSS"), self.first_bytes + GROWTH_BYTES_MAX)
        self.assertLess(_memory(pid, "VmHWM"), PEAK_BYTES_MAX)

    def assertServed(self, connection):
        answer = connection.query("SELECT v FROM lasting.kept WHERE k = 1")
        self.assertEqual(answer.opcode, RESULT, answer)
        self.assertTrue(answer.body.endswith(b"\0\0\0\x03one"), answer)

    def assertError(self, answer, *codes):
        self.assertIsNotNone(answer, "the connection was closed without a word")
        self.assertTrue(answer.is_error(), answer)
        self.assertIn(answer.code(), codes, answer)

    def assertSane(self, answer):
        """Any answer but none at all and the server's own fault."""
        self.assertIsNotNone(answer, "the connection was closed")
        self.assertFalse(answer.is_error() and answer.code() == SERVER_ERROR, answer)

    def assertClosed(self, connection):
        self.assertIsNone(connection.receive())
