"""A server that goes away and comes back on the same ports and data."""
import threading
import unittest

from cassandra.cluster import NoHostAvailable
from cassandra.policies import HostStateListener

import harness
from cql_harness import CqlTest


class Watcher(HostStateListener):
    """Tells when the driver has lost the server and when it has it again."""

    def __init__(self):
        self.up, self.down = threading.Event(), threading.Event()

    def on_up(self, host):
        self.up.set()

    def on_down(self, host):
        self.down.set()

    def on_add(self, host):
        pass

    def on_remove(self, host):
        pass


class Reconnect(CqlTest):
    def setUp(self):
        self.session = self.connect()  # the class's own may be of a server that is gone
        super().setUp()
        self.session.execute("CREATE TABLE t (k int PRIMARY KEY, v text)")

    def start_again(self, session, crash=False):
        watcher = Watcher()
        session.cluster.register_listener(watcher)
        self.server.kill() if crash else self.server.stop()
        # The driver looks at an idle connection every 30 s; a request that fails makes it look at once.
        with self.assertRaises(NoHostAvailable):
            session.execute("SELECT * FROM t")
        self.assertTrue(watcher.down.wait(harness.PATIENCE_S))
        type(self).server = self.server.start_again()
        self.assertTrue(watcher.up.wait(harness.PATIENCE_S))

    def test_a_session_goes_on(self):
        for crash in (False, True):
            for version in (4, 5):
                with self.subTest(crash=crash, version=version):
                    session = self.connect(self.keyspace, protocol_version=version)
                    insert = session.prepare("INSERT INTO t (k, v) VALUES (?, ?)")
                    select = session.prepare("SELECT v FROM t WHERE k = ?")
                    session.execute(insert, (version, "before"))
                    self.start_again(session, crash)
                    # The new server has never seen these statements; the driver prepares them again.
                    self.assertEqual(session.execute(select, (version,)).one().v, "before")
                    session.execute(insert, (version, "after"))
                    self.assertEqual(session.execute(select, (version,)).one().v, "after")

    def test_the_schema_is_the_same(self):
        self.session.execute("CREATE TYPE pair (a int, b text)")
        self.session.execute("CREATE TABLE u (p int, c frozen<pair>, s int static, PRIMARY KEY (p, c)) "
                             "WITH CLUSTERING ORDER BY (c DESC) AND comment = 'kept'")
        self.session.execute("CREATE INDEX by_v ON t (v)")
        before = self.connect().cluster.metadata.keyspaces[self.keyspace].export_as_string()
        self.server.stop()
        type(self).server = self.server.start_again()
        after = self.connect().cluster.metadata.keyspaces[self.keyspace].export_as_string()
        self.assertEqual(before, after)


if __name__ == "__main__":
    unittest.main()
