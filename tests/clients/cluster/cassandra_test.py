"""What clients of Debian's python3-cassandra see of one cluster through each of its nodes."""
import os
import pathlib
import sys
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "system"))
import skipping  # noqa: E402

skipping.need(cassandra="python3-cassandra")
from cassandra.auth import PlainTextAuthProvider  # noqa: E402
from cassandra.cluster import EXEC_PROFILE_DEFAULT, Cluster, ExecutionProfile, NoHostAvailable  # noqa: E402
from cassandra.policies import HostFilterPolicy, RoundRobinPolicy, TokenAwarePolicy  # noqa: E402
from cassandra.query import tuple_factory  # noqa: E402

ADDRESSES = os.environ["CLUSTER_ADDRESSES"].split(",")
ACCOUNT_PORT = 10350
PATIENCE_S = 60
KEYSPACE = "CREATE KEYSPACE {} WITH replication = {{'class': 'SimpleStrategy', 'replication_factor': 1}}"


def only(address):
    return HostFilterPolicy(RoundRobinPolicy(), lambda host: host.endpoint.address == address)


def connect(address, policy=None, **options):
    """A driver that hears of the cluster from this node; by default it also asks this node only."""
    profile = ExecutionProfile(policy or only(address), request_timeout=PATIENCE_S, row_factory=tuple_factory)
    return Cluster([address], execution_profiles={EXEC_PROFILE_DEFAULT: profile}, protocol_version=5,
                   connect_timeout=PATIENCE_S, control_connection_timeout=PATIENCE_S, **options)


class Nodes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.clusters = [connect(address) for address in ADDRESSES]
        cls.sessions = [cluster.connect() for cluster in cls.clusters]
        cls.addClassCleanup(lambda: [cluster.shutdown() for cluster in cls.clusters])

    def eventually(self, predicate, what):
        deadline = time.monotonic() + PATIENCE_S
        while not predicate():
            self.assertLess(time.monotonic(), deadline, "never happened: " + what)
            time.sleep(0.05)

    def make(self, name):
        """A keyspace through the first node."""
        self.sessions[0].execute(KEYSPACE.format(name))
        return name

    def test_each_node_knows_all(self):
        # Who was there first is told of the others.
        for cluster in self.clusters:
            self.eventually(lambda c=cluster: {host.endpoint.address for host in c.metadata.all_hosts()} == set(ADDRESSES),
                            "every node in the driver's list")

    def test_schema_events_reach_the_clients_of_every_node(self):
        self.make("told")
        first = self.sessions[0]
        first.execute("CREATE TYPE told.pair (a int, b int)")
        first.execute("CREATE TABLE told.t (k int PRIMARY KEY, v frozen<pair>)")
        for cluster in self.clusters[1:]:
            self.eventually(lambda c=cluster: "told" in c.metadata.keyspaces and
                            "t" in c.metadata.keyspaces["told"].tables, "the event of a new table")
        self.sessions[1].execute("ALTER TABLE told.t ADD w int")
        for cluster in self.clusters:
            self.eventually(lambda c=cluster: "w" in c.metadata.keyspaces["told"].tables["t"].columns,
                            "the event of a new column")
        self.sessions[2].execute("DROP KEYSPACE told")
        for cluster in self.clusters:
            self.eventually(lambda c=cluster: "told" not in c.metadata.keyspaces, "the event of a dropped keyspace")

    def test_nodes_agree_on_the_version_when_a_statement_returns(self):
        self.make("agreed")
        for turn in range(6):
            self.sessions[turn % 3].execute(f"CREATE TABLE agreed.t{turn} (k int PRIMARY KEY)")
            versions = set()
            for session in self.sessions:
                versions |= set(session.execute("SELECT schema_version FROM system.local"))
                versions |= set(session.execute("SELECT schema_version FROM system.peers"))
            self.assertEqual(len(versions), 1)

    def test_statements_prepared_at_one_node_and_run_at_others(self):
        self.make("prepared")
        self.sessions[0].execute("CREATE TABLE prepared.t (k int PRIMARY KEY, a int)")
        # Prepares at the host it asks first; elsewhere it is told to prepare when it gets there.
        cluster = connect(ADDRESSES[0], RoundRobinPolicy(), prepare_on_all_hosts=False)
        self.addCleanup(cluster.shutdown)
        session = cluster.connect()
        insert = session.prepare("INSERT INTO prepared.t (k, a) VALUES (?, ?)")
        select = session.prepare("SELECT * FROM prepared.t WHERE k = ?")
        for k in range(12):
            session.execute(insert, (k, k))
        for k in range(12):
            self.assertEqual(list(session.execute(select, (k,))), [(k, k)])
        self.sessions[1].execute("ALTER TABLE prepared.t ADD b int")
        self.sessions[2].execute("UPDATE prepared.t SET b = 7 WHERE k = 1")
        for _ in range(6):
            self.assertEqual(list(session.execute(select, (1,))), [(1, 1, 7)])

    def test_statements_of_the_schema_through_all_nodes_at_once(self):
        self.make("busy")
        self.sessions[0].execute("CREATE TABLE busy.t (k int PRIMARY KEY)")
        errors = []

        def work(number):
            try:
                for turn in range(4):
                    self.sessions[number].execute(f"ALTER TABLE busy.t ADD c{number}_{turn} int")
                    self.sessions[number].execute(f"CREATE TYPE busy.ty{number}_{turn} (f int)")
                    self.sessions[number].execute("CREATE TABLE IF NOT EXISTS busy.same (k int PRIMARY KEY)")
            except Exception as error:  # the driver's exceptions have no common base
                errors.append(error)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(errors, [])
        for session in self.sessions:
            columns = session.execute("SELECT column_name FROM system_schema.columns WHERE keyspace_name = 'busy' "
                                      "AND table_name = 't'")
            self.assertEqual(len(list(columns)), 13)
            types = session.execute("SELECT type_name FROM system_schema.types WHERE keyspace_name = 'busy'")
            self.assertEqual(len(list(types)), 12)

    def test_roles_are_those_of_every_node(self):
        def let_in(address, password):
            cluster = connect(address, port=ACCOUNT_PORT, auth_provider=PlainTextAuthProvider("theo", password))
            try:
                cluster.connect()
                return True
            except NoHostAvailable:
                return False
            finally:
                cluster.shutdown()

        self.sessions[0].execute("CREATE ROLE theo WITH LOGIN = true AND PASSWORD = 'first'")
        self.assertTrue(let_in(ADDRESSES[1], "first"))
        self.sessions[1].execute("ALTER ROLE theo WITH PASSWORD = 'second'")
        self.assertTrue(let_in(ADDRESSES[2], "second"))
        self.assertFalse(let_in(ADDRESSES[2], "first"))
        self.sessions[2].execute("DROP ROLE theo")
        self.assertFalse(let_in(ADDRESSES[0], "second"))

    def test_functions_and_views_of_other_nodes(self):
        self.make("derived")
        first, second, third = self.sessions
        first.execute("CREATE TABLE derived.t (k int PRIMARY KEY, v int)")
        for k in range(20):
            second.execute(f"INSERT INTO derived.t (k, v) VALUES ({k}, {k % 4})")
        second.execute("CREATE MATERIALIZED VIEW derived.by_v AS SELECT * FROM derived.t WHERE v IS NOT NULL AND "
                       "k IS NOT NULL PRIMARY KEY (v, k)")
        first.execute("UPDATE derived.t SET v = 100 WHERE k = 3")
        self.eventually(lambda: len(list(third.execute("SELECT k FROM derived.by_v"))) == 20, "the view is built")
        self.assertEqual(list(third.execute("SELECT k FROM derived.by_v WHERE v = 100")), [(3,)])
        function = "CREATE OR REPLACE FUNCTION derived.f (a int) CALLED ON NULL INPUT RETURNS int LANGUAGE javascript AS "
        first.execute(function + "'return a + 1;'")
        self.assertEqual(list(third.execute("SELECT derived.f(v) FROM derived.t WHERE k = 3")), [(101,)])
        second.execute(function + "'return a + 2;'")
        self.assertEqual(list(third.execute("SELECT derived.f(v) FROM derived.t WHERE k = 3")), [(102,)])
        third.execute("CREATE INDEX ON derived.t (v)")
        self.assertEqual(list(first.execute("SELECT k FROM derived.t WHERE v = 100")), [(3,)])

    def test_pages_begun_at_one_node_go_on_at_another(self):
        self.make("paged")
        self.sessions[0].execute("CREATE TABLE paged.t (k int PRIMARY KEY) WITH cosmosdb_provisioned_throughput = 30000")
        for k in range(100):
            self.sessions[k % 3].execute(f"INSERT INTO paged.t (k) VALUES ({k})")
        cluster = connect(ADDRESSES[0], RoundRobinPolicy())
        self.addCleanup(cluster.shutdown)
        session = cluster.connect()
        session.default_fetch_size = 7
        self.assertEqual(sorted(session.execute("SELECT k FROM paged.t")), [(k,) for k in range(100)])

    def test_token_aware_drivers_find_the_owner(self):
        self.make("routed")
        self.sessions[0].execute("CREATE TABLE routed.t (k int PRIMARY KEY) WITH cosmosdb_provisioned_throughput = 30000")
        cluster = connect(ADDRESSES[0], TokenAwarePolicy(RoundRobinPolicy()))
        self.addCleanup(cluster.shutdown)
        session = cluster.connect("routed")
        # The driver returns with the first connection, and passes over an owner to which it has none yet.
        self.eventually(lambda: len(session.get_pool_state()) == len(ADDRESSES), "all nodes are connected")
        insert = session.prepare("INSERT INTO t (k) VALUES (?)")
        for k in range(30):
            key = insert.bind((k,)).routing_key
            before = cluster.metadata.get_replicas("routed", key)
            future = session.execute_async(insert, (k,))
            future.result()
            # The manager may be moving partitions.
            after = cluster.metadata.get_replicas("routed", key)
            self.assertEqual((len(before), len(after)), (1, 1))
            self.assertIn(list(future.attempted_hosts)[0], before + after)


if __name__ == "__main__":
    unittest.main(verbosity=2)
