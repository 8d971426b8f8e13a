"""Connecting: versions, compression, TLS, credentials."""
import ssl
import unittest

from cassandra import AuthenticationFailed, Unauthorized
from cassandra.auth import PlainTextAuthProvider
from cassandra.cluster import Cluster, ExecutionProfile
from cassandra.connection import DefaultEndPoint
from cassandra.policies import DCAwareRoundRobinPolicy

import harness
from cql_harness import CqlTest, account


class Versions(CqlTest):
    def test_a_driver_that_names_none_gets_the_newest(self):
        cluster = Cluster(["127.0.0.1"], port=self.server.cql_port)
        self.addCleanup(cluster.shutdown)
        session = cluster.connect()
        self.assertEqual(cluster.protocol_version, 5)
        self.assertEqual(self.rows("SELECT key FROM system.local", session=session), [("local",)])

    def test_each_that_is_offered(self):
        self.session.execute("CREATE TABLE t (k int PRIMARY KEY, v text)")
        for version in (3, 4, 5):
            with self.subTest(version):
                session = self.connect(self.keyspace, protocol_version=version)
                insert = session.prepare("INSERT INTO t (k, v) VALUES (?, ?)")
                session.execute(insert, (version, "prepared"))
                self.assertEqual(self.rows(f"SELECT v FROM t WHERE k = {version}", session=session), [("prepared",)])

    def test_one_that_is_too_old_is_refused(self):
        error = self.assertNoHost(Exception, lambda: self.connect(protocol_version=2))
        self.assertIn("ProtocolError returned from server", str(error))

    def test_the_server_says_who_it_is(self):
        (host,) = self.cluster.metadata.all_hosts()
        self.assertEqual(self.cluster.metadata.cluster_name, "Orrery")
        self.assertRegex(host.release_version, r"^4\.1\.")
        self.assertEqual((host.datacenter, host.rack), ("datacenter1", "rack1"))
        self.assertEqual(host.endpoint, DefaultEndPoint("127.0.0.1", self.server.cql_port))
        self.assertEqual(self.cluster.metadata.partitioner, "org.apache.cassandra.dht.Murmur3Partitioner")


class ClusterNames(CqlTest):
    FLAGS = ("--cassandra-datacenter", "eu-west", "--cassandra-cluster-name", "Test Cluster")

    def test_clients_are_told(self):
        self.assertEqual(self.one("SELECT cluster_name, data_center FROM system.local"), ("Test Cluster", "eu-west"))
        self.assertEqual(self.cluster.metadata.cluster_name, "Test Cluster")
        self.assertEqual([host.datacenter for host in self.cluster.metadata.all_hosts()], ["eu-west"])

    def test_a_policy_of_that_data_center_finds_the_host(self):
        profile = ExecutionProfile(load_balancing_policy=DCAwareRoundRobinPolicy("eu-west"), request_timeout=harness.PATIENCE_S)
        session = self.connect(profile=profile)
        self.assertEqual(self.rows("SELECT key FROM system.local", session=session), [("local",)])

    def test_replication_by_that_data_center(self):
        self.session.execute("CREATE KEYSPACE dcs WITH replication = {'class': 'NetworkTopologyStrategy', 'replication_factor': 1}")
        (replication,) = self.one("SELECT replication FROM system_schema.keyspaces WHERE keyspace_name = 'dcs'")
        self.assertEqual(dict(replication)["eu-west"], "1")

    def test_they_are_in_the_start_up_text(self):
        self.assertIn("data center eu-west, cluster Test Cluster", self.server.welcome)


class Compression(CqlTest):
    def test_frames_in_every_version(self):
        self.session.execute("CREATE TABLE t (k int PRIMARY KEY, v text)")
        # Longer than one frame of version 5 (128 KB), in a form that compresses and one that does not.
        values = ("orrery " * 40_000, "".join(chr(0x4E00 + (i * i) % 20_000) for i in range(100_000)))
        for version, algorithm in ((3, "lz4"), (3, "snappy"), (4, "lz4"), (4, "snappy"), (5, "lz4"), (5, False)):
            with self.subTest(version=version, algorithm=algorithm):
                session = self.connect(self.keyspace, protocol_version=version, compression=algorithm)
                insert = session.prepare("INSERT INTO t (k, v) VALUES (?, ?)")
                select = session.prepare("SELECT v FROM t WHERE k = ?")
                for k, value in enumerate(values):
                    session.execute(insert, (k, value))
                    self.assertEqual(session.execute(select, (k,)).one().v, value)
                (holder,) = session.get_pools()
                (connection,) = holder.get_connections()
                self.assertEqual(bool(connection.compressor or connection._compressor), bool(algorithm))

    def test_snappy_is_not_part_of_version_5(self):
        session = self.connect(protocol_version=5, compression="snappy")
        self.assertEqual(self.rows("SELECT key FROM system.local", session=session), [("local",)])


class Tls(CqlTest):
    def test_on_the_port_that_takes_plain_too(self):
        for version in (3, 4, 5):
            session = self.connect(ssl_context=self.server.tls(), protocol_version=version)
            self.assertEqual(self.rows("SELECT key FROM system.local", session=session), [("local",)])
            listed = session.execute("SELECT ssl_enabled, ssl_protocol FROM system_views.clients")
            self.assertIn((True, "TLSv1.3"), [tuple(row) for row in listed])

    def test_with_credentials_and_compression(self):
        session = self.connect(port=self.server.account_port, ssl_context=self.server.tls(), compression="lz4",
                               auth_provider=account())
        self.assertEqual(self.rows("SELECT key FROM system.local", session=session), [("local",)])

    def test_the_certificate_names_this_machine(self):
        for name in ("localhost", "127.0.0.1"):
            context = self.server.tls()
            context.check_hostname = True
            session = self.connect(ssl_context=context, ssl_options={"server_hostname": name})
            self.assertEqual(self.rows("SELECT key FROM system.local", session=session), [("local",)])

    def test_a_client_that_does_not_trust_it_stays_out(self):
        context = ssl.create_default_context()
        context.check_hostname = False
        error = self.assertNoHost(Exception, lambda: self.connect(ssl_context=context))
        self.assertIn("certificate verify failed", str(error).lower())


class Credentials(CqlTest):
    def assertLetIn(self, **options):
        session = self.connect(**options)
        self.assertEqual(self.rows("SELECT key FROM system.local", session=session), [("local",)])

    def test_local_clients_need_none(self):
        self.assertLetIn()

    def test_cassandras_own_default(self):
        provider = PlainTextAuthProvider("cassandra", "cassandra")
        self.assertLetIn(auth_provider=provider)
        self.assertLetIn(auth_provider=provider, port=self.server.account_port)

    def test_the_account_and_its_key(self):
        for version in (3, 4, 5):
            self.assertLetIn(auth_provider=account(), port=self.server.account_port,
                             protocol_version=version)
        self.assertLetIn(auth_provider=account())

    def test_the_other_port_asks_everybody(self):
        error = self.assertNoHost(AuthenticationFailed, lambda: self.connect(port=self.server.account_port))
        self.assertIn("requires authentication", str(error))

    def test_wrong_ones_are_refused(self):
        for user, password in (("localhost", "wrong"), ("localhost", ""), ("nobody", harness.WELL_KNOWN_KEY),
                               ("cassandra", "Cassandra"), ("", "")):
            with self.subTest(user=user, password=password):
                provider = PlainTextAuthProvider(user, password)
                error = self.assertNoHost(AuthenticationFailed, lambda: self.connect(
                    auth_provider=provider, port=self.server.account_port))
                self.assertIn("code=0100", str(error))


class CredentialsRequired(CqlTest):
    KEY = "dGhlIHdob2xlIGFjY291bnQsIGZvciB0aGlzIHRlc3Qgb25seQ=="
    READ_ONLY_KEY = "bG9va3Mgb25seSwgd3JpdGVzIG5ldmVyLCB0aGlzIHRlc3Qgb25seQ=="
    FLAGS = ("--auth", "required", "--key", KEY, "--read-only-key", READ_ONLY_KEY)
    OPTIONS = {"auth_provider": account(KEY)}

    def test_nobody_comes_in_without(self):
        for port in (self.server.cql_port, self.server.account_port):
            self.assertNoHost(AuthenticationFailed, lambda: self.connect(port=port))

    def test_cassandras_default_is_off(self):
        provider = PlainTextAuthProvider("cassandra", "cassandra")
        self.assertNoHost(AuthenticationFailed, lambda: self.connect(auth_provider=provider))

    def test_the_well_known_key_is_off(self):
        self.assertNoHost(AuthenticationFailed, lambda: self.connect(auth_provider=account()))

    def test_the_read_only_key_reads_only(self):
        self.session.execute("CREATE TABLE t (k int PRIMARY KEY)")
        self.session.execute("INSERT INTO t (k) VALUES (1)")
        reader = self.connect(self.keyspace, auth_provider=account(self.READ_ONLY_KEY))
        self.assertEqual(self.rows("SELECT * FROM t", session=reader), [(1,)])
        for statement in ("INSERT INTO t (k) VALUES (2)", "CREATE TABLE u (k int PRIMARY KEY)", "TRUNCATE t",
                          "DROP TABLE t"):
            with self.assertRaises(Unauthorized):
                reader.execute(statement)
        self.assertEqual(self.rows("SELECT * FROM t"), [(1,)])


if __name__ == "__main__":
    unittest.main()
