"""Appends to one collection until the row is as large as a row may be, and reads of it at the same time."""
import unittest

import cql_wire
from attack import AttackTest

PATIENCE_S = 60
APPEND = "UPDATE attacked.t SET l = l + [" + ",".join(["1"] * 20_000) + "] WHERE k = 1"


class GrowingRows(AttackTest):
    SHARE_MIN = 0.04

    def test_appends(self):
        with cql_wire.Connection(self.server.cql_port) as cql:
            cql.socket.settimeout(PATIENCE_S)
            for text in (
                    "CREATE KEYSPACE attacked WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
                    "CREATE TABLE attacked.t (k int PRIMARY KEY, l list<int>)"):
                self.assertFalse(cql.query(text).is_error())
            taken = 0
            answer = cql.query(APPEND)
            while not answer.is_error() and taken < 200:
                taken += 1
                answer = cql.query(APPEND)
            self.assertTrue(answer.is_error(), "appends are taken without end")
            self.assertIn("too large", answer.text())

            def work(attack, _):
                with cql_wire.Connection(self.server.cql_port) as connection:
                    connection.socket.settimeout(PATIENCE_S)
                    while not attack.over():
                        connection.query("SELECT l FROM attacked.t WHERE k = 1")

            with self.measured() as attack:
                attack.by(4, work)
            # Room can be made.
            self.assertFalse(cql.query("DELETE l FROM attacked.t WHERE k = 1").is_error())
            self.assertFalse(cql.query("UPDATE attacked.t SET l = l + [1] WHERE k = 1").is_error())


if __name__ == "__main__":
    unittest.main()
