"""More connections than files, all silent: the longest idle give way, storage keeps its files, and health checks are
answered."""
import contextlib
import json
import socket
import time
import unittest

import cql_wire
from attack import AttackTest
from second_client import LINK, Sql


class IdleConnections(AttackTest):
    OPEN_FILES = 600
    CONNECTIONS = 900  # in turn at all ports

    def open_one(self, port, ready):
        client = socket.socket()
        client.settimeout(5)
        client.connect(("127.0.0.1", port))
        self.addCleanup(client.close)
        if ready:
            client.sendall(cql_wire.envelope(cql_wire.STARTUP, cql_wire.string_map({"CQL_VERSION": "3.4.5"})))
        return client

    def assertAnswered(self):
        """On a new connection, soon: somebody has to give way first."""
        for _ in range(20):
            try:
                self.assertEqual(self.server.request("GET", "/_health", key=None).status, 200)
                return
            except OSError:
                time.sleep(0.1)
        self.fail("nobody gave way")

    def test_silent_connections_at_all_ports(self):
        ports = [(self.ports["cql"], False), (self.ports["cql"], True), (self.ports["mongo"], False),
                 (self.server.gremlin_port, False), (self.server.port, False), (self.server.table_port, False)]
        sql = Sql(self.server.port)
        written = 0
        with self.measured() as attack, contextlib.closing(sql):
            held = []
            for i in range(self.CONNECTIONS):
                if attack.over() and i > self.CONNECTIONS // 2:
                    break
                with contextlib.suppress(OSError):
                    held.append(self.open_one(*ports[i % len(ports)]))
                if i % 50 == 0:
                    # Storage has its files, and whoever asks how the server is gets an answer.
                    status, body = sql.ask(
                        "POST", f"/{LINK}/docs", "docs", LINK, json.dumps({"id": f"i{i}", "pk": "a"}),
                        x_ms_documentdb_partitionkey='["a"]')
                    self.assertEqual(status, 201, body)
                    written += 1
                    self.assertAnswered()
        self.assertGreater(written, 5)
        self.assertLess(self.server.stderr.count(" refuses connections"), 3)
        self.assertNotIn("Too many open files", self.server.stderr)


if __name__ == "__main__":
    unittest.main()
