"""Tokens: the driver's own hash, the ring it is told, statements it routes by key."""
import datetime
import decimal
import unittest
import uuid

from cassandra.cluster import ExecutionProfile
from cassandra.metadata import Murmur3Token
from cassandra.policies import DCAwareRoundRobinPolicy, RoundRobinPolicy, TokenAwarePolicy
from cassandra.query import SimpleStatement

import harness
from cql_harness import CqlTest


class Tokens(CqlTest):
    def test_the_servers_are_the_drivers(self):
        keys = {"int": [0, -1, 2**31 - 1], "text": ["a", "theo", "Ωmega", "x" * 1000], "bigint": [-(2**63)],
                "uuid": [uuid.UUID(int=1)], "blob": [bytes(range(128, 256))], "boolean": [True],
                "decimal": [decimal.Decimal("1.50")], "timestamp": [datetime.datetime(2026, 2, 28)], "inet": ["::1"]}
        for name, values in keys.items():
            self.session.execute(f"CREATE TABLE of_{name} (p {name} PRIMARY KEY)")
            insert = self.session.prepare(f"INSERT INTO of_{name} (p) VALUES (?)")
            select = self.session.prepare(f"SELECT token(p) FROM of_{name} WHERE p = ?")
            for value in values:
                with self.subTest(type=name, value=value):
                    self.session.execute(insert, (value,))
                    expected = Murmur3Token.from_key(insert.bind((value,)).routing_key).value
                    self.assertEqual(self.session.execute(select, (value,)).one()[0], expected)

    def test_keys_of_several_columns(self):
        self.session.execute("CREATE TABLE t (a text, b int, c int, PRIMARY KEY ((a, b), c))")
        insert = self.session.prepare("INSERT INTO t (c, b, a) VALUES (1, ?, ?)")
        for a, b in (("firstname", 1), ("", 0), ("x" * 300, -5)):
            bound = insert.bind((b, a))
            self.session.execute(bound)
            self.assertEqual(self.one("SELECT token(a, b) FROM t WHERE a = %s AND b = %s", (a, b)),
                             (Murmur3Token.from_key(bound.routing_key).value,))

    def test_a_scan_goes_round_the_ring(self):
        self.session.execute("CREATE TABLE t (k int PRIMARY KEY)")
        for k in range(100):
            self.session.execute(f"INSERT INTO t (k) VALUES ({k})")
        tokens = [token for (token,) in self.rows("SELECT token(k) FROM t")]
        self.assertEqual(tokens, sorted(tokens))
        self.assertEqual(len(set(tokens)), 100)

    def test_the_ring_belongs_to_the_hosts(self):
        metadata = self.cluster.metadata
        (host,) = metadata.all_hosts()
        self.assertTrue(metadata.token_map.ring)
        self.assertEqual(set(metadata.token_map.token_to_host_owner.values()), {host})
        self.assertEqual(metadata.get_replicas(self.keyspace, b"any key"), [host])


class Routing(CqlTest):
    def test_token_aware_policies(self):
        self.session.execute("CREATE TABLE t (k int PRIMARY KEY, v int)")
        for child in (RoundRobinPolicy(), DCAwareRoundRobinPolicy("datacenter1")):
            profile = ExecutionProfile(TokenAwarePolicy(child), request_timeout=harness.PATIENCE_S)
            session = self.connect(self.keyspace, profile=profile)
            insert = session.prepare("INSERT INTO t (k, v) VALUES (?, ?)")
            for k in range(50):
                future = session.execute_async(insert, (k, k))
                future.result()
                self.assertEqual(len(future.attempted_hosts), 1)
            routed = SimpleStatement("SELECT v FROM t WHERE k = 7", routing_key=b"\x00\x00\x00\x07",
                                     keyspace=self.keyspace)
            self.assertEqual(self.rows(routed, session=session), [(7,)])


if __name__ == "__main__":
    unittest.main()
