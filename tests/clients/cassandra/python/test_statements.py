"""Statements, simple and prepared: how values are bound, which levels and profiles are taken, what rows look like."""
import threading
import unittest

from cassandra import ConsistencyLevel, FunctionFailure, InvalidRequest, ProtocolVersion
from cassandra.cluster import ExecutionProfile
from cassandra.policies import RoundRobinPolicy
from cassandra.query import UNSET_VALUE, SimpleStatement, dict_factory, tuple_factory

import harness
from cql_harness import CqlTest


class Binding(CqlTest):
    def setUp(self):
        super().setUp()
        self.session.execute("CREATE TABLE t (k int PRIMARY KEY, a text, b text)")

    def test_simple_statements_by_position_and_name(self):
        self.session.execute("INSERT INTO t (k, a, b) VALUES (%s, %s, %s)", (1, "it's", None))
        self.session.execute("INSERT INTO t (k, a, b) VALUES (%(k)s, %(v)s, %(v)s)", {"k": 2, "v": "twice"})
        self.assertEqual(sorted(self.rows("SELECT k, a, b FROM t")), [(1, "it's", None), (2, "twice", "twice")])

    def test_prepared_by_position_and_name(self):
        by_position = self.session.prepare("INSERT INTO t (k, a, b) VALUES (?, ?, ?)")
        by_name = self.session.prepare("INSERT INTO t (k, a, b) VALUES (:key, :value, :value)")
        self.session.execute(by_position, (1, "x", "y"))
        self.session.execute(by_position, {"a": "names of columns", "k": 2, "b": None})
        self.session.execute(by_name.bind({"key": 3, "value": "twice"}))
        self.assertEqual(sorted(self.rows("SELECT k, a, b FROM t")),
                         [(1, "x", "y"), (2, "names of columns", None), (3, "twice", "twice")])

    def test_null_deletes_and_unset_leaves_alone(self):
        insert = self.session.prepare("INSERT INTO t (k, a, b) VALUES (?, ?, ?)")
        for version in (4, 5):
            session = self.speaking(version, self.keyspace)
            again = session.prepare(insert.query_string)
            session.execute(again, (version, "a", "b"))
            session.execute(again, (version, UNSET_VALUE, None))
            self.assertEqual(self.one(f"SELECT a, b FROM t WHERE k = {version}"), ("a", None))
            session.execute(again, (version, "c"))  # what is missing at the end is unset
            self.assertEqual(self.one(f"SELECT a, b FROM t WHERE k = {version}"), ("c", None))

    def test_an_unset_key_is_refused(self):
        # The driver itself refuses an unset part of a routing key; a list of keys is not one.
        with self.assertRaisesRegex(InvalidRequest, "(?i)unset"):
            self.session.execute(self.session.prepare("SELECT * FROM t WHERE k IN ?"), (UNSET_VALUE,))

    def test_a_null_key_is_refused(self):
        with self.assertRaisesRegex(InvalidRequest, "(?i)null"):
            self.session.execute(self.session.prepare("INSERT INTO t (k, a) VALUES (?, 'x')"), (None,))

    def test_markers_in_every_place(self):
        self.session.execute("CREATE TABLE m (p int, c int, v text, PRIMARY KEY (p, c))")
        insert = self.session.prepare("INSERT INTO m (p, c, v) VALUES (?, ?, ?) USING TTL ? AND TIMESTAMP ?")
        for c in range(10):
            self.session.execute(insert, (1, c, f"v{c}", 1000, 1_000_000 + c))
        select = self.session.prepare("SELECT c FROM m WHERE p IN ? AND c >= ? AND c < ? LIMIT ?")
        self.assertEqual([c for (c,) in self.session.execute(select, ([1, 2], 3, 8, 4))], [3, 4, 5, 6])
        several = self.session.prepare("SELECT c FROM m WHERE p = ? AND c IN (?, ?)")
        self.assertEqual([c for (c,) in self.session.execute(several, (1, 9, 2))], [2, 9])
        tuples = self.session.prepare("SELECT c FROM m WHERE p = ? AND (c) > ? PER PARTITION LIMIT ?")
        self.assertEqual([c for (c,) in self.session.execute(tuples, (1, (7,), 5))], [8, 9])

    def test_what_a_prepared_statement_says_of_itself(self):
        self.session.execute("CREATE TABLE m (a int, b text, c timeuuid, v list<int>, PRIMARY KEY ((a, b), c))")
        insert = self.session.prepare("INSERT INTO m (v, c, b, a) VALUES (?, ?, ?, ?)")
        self.assertEqual([(c.name, c.type.typename) for c in insert.column_metadata],
                         [("v", "list"), ("c", "timeuuid"), ("b", "varchar"), ("a", "int")])
        self.assertEqual(insert.routing_key_indexes, [3, 2])
        select = self.session.prepare("SELECT c, v FROM m WHERE a = 1 AND b = ?")
        self.assertIsNone(select.routing_key_indexes or None)
        self.assertEqual([c[2] for c in select.result_metadata], ["c", "v"])

    def test_prepared_in_a_keyspace_of_its_own(self):
        other = self.keyspace + "_other"
        self.session.execute(f"CREATE KEYSPACE {other} WITH replication = "
                             "{'class': 'SimpleStrategy', 'replication_factor': 1}")
        self.session.execute(f"CREATE TABLE {other}.t (k int PRIMARY KEY, a text)")
        self.assertTrue(ProtocolVersion.uses_keyspace_flag(self.cluster.protocol_version))
        self.session.execute(self.session.prepare("INSERT INTO t (k, a) VALUES (1, 'other')", keyspace=other))
        statement = SimpleStatement("SELECT a FROM t", keyspace=other)
        self.assertEqual(self.rows(statement), [("other",)])
        self.assertEqual(self.rows("SELECT a FROM t"), [])


class Changes(CqlTest):
    def test_a_prepared_select_follows_the_table(self):
        self.session.execute("CREATE TABLE t (k int PRIMARY KEY, a int)")
        self.session.execute("INSERT INTO t (k, a) VALUES (1, 2)")
        for version in (4, 5):
            with self.subTest(version):
                session = self.speaking(version, self.keyspace)
                select = session.prepare("SELECT * FROM t WHERE k = ?")
                before = session.execute(select, (1,)).column_names
                self.session.execute(f"ALTER TABLE t ADD v{version} int")
                self.session.execute(f"UPDATE t SET v{version} = {version} WHERE k = 1")
                row = session.execute(select, (1,)).one()
                self.assertEqual(getattr(row, f"v{version}", None), version, f"was {before}, is {row}")

    def test_a_prepared_statement_outlives_its_table(self):
        self.session.execute("CREATE TABLE t (k int PRIMARY KEY, a int)")
        insert = self.session.prepare("INSERT INTO t (k, a) VALUES (?, ?)")
        self.session.execute(insert, (1, 1))
        self.session.execute("DROP TABLE t")
        with self.assertRaises(InvalidRequest):
            self.session.execute(insert, (2, 2))
        self.session.execute("CREATE TABLE t (k int PRIMARY KEY, a int)")
        self.session.execute(insert, (3, 3))
        self.assertEqual(self.rows("SELECT k, a FROM t"), [(3, 3)])

    def test_use_moves_a_session(self):
        self.session.execute("CREATE TABLE t (k int PRIMARY KEY)")
        session = self.connect()
        with self.assertRaisesRegex(InvalidRequest, "(?i)keyspace"):
            session.execute("SELECT * FROM t")
        session.execute(f"USE {self.keyspace}")
        self.assertEqual(self.rows("SELECT * FROM t", session=session), [])
        self.assertEqual(session.keyspace, self.keyspace)


class Levels(CqlTest):
    def setUp(self):
        super().setUp()
        self.session.execute("CREATE TABLE t (k int PRIMARY KEY, v int)")

    def test_every_consistency_level_that_reads_and_writes(self):
        for name in ("ONE", "TWO", "THREE", "QUORUM", "ALL", "LOCAL_QUORUM", "EACH_QUORUM", "LOCAL_ONE"):
            level = ConsistencyLevel.name_to_value[name]
            with self.subTest(name):
                self.session.execute(SimpleStatement(f"INSERT INTO t (k, v) VALUES ({level}, 1)",
                                                     consistency_level=level))
                read = SimpleStatement(f"SELECT v FROM t WHERE k = {level}", consistency_level=level)
                self.assertEqual(self.rows(read), [(1,)])

    def test_levels_of_one_direction_only(self):
        self.session.execute(SimpleStatement("INSERT INTO t (k, v) VALUES (1, 2)", consistency_level=ConsistencyLevel.ANY))
        for name in ("SERIAL", "LOCAL_SERIAL"):
            read = SimpleStatement("SELECT v FROM t WHERE k = 1",
                                   consistency_level=ConsistencyLevel.name_to_value[name])
            self.assertEqual(self.rows(read), [(2,)])
        with self.assertRaises(InvalidRequest):
            self.session.execute(SimpleStatement("SELECT v FROM t", consistency_level=ConsistencyLevel.ANY))

    def test_serial_levels_of_conditions(self):
        for k, level in enumerate((ConsistencyLevel.SERIAL, ConsistencyLevel.LOCAL_SERIAL)):
            insert = SimpleStatement(f"INSERT INTO t (k, v) VALUES ({k}, 1) IF NOT EXISTS",
                                     serial_consistency_level=level)
            self.assertTrue(self.session.execute(insert).was_applied)

    def test_execution_profiles(self):
        profiles = {"dict": ExecutionProfile(RoundRobinPolicy(), row_factory=dict_factory,
                                             consistency_level=ConsistencyLevel.LOCAL_QUORUM,
                                             serial_consistency_level=ConsistencyLevel.LOCAL_SERIAL),
                    "tuple": ExecutionProfile(RoundRobinPolicy(), row_factory=tuple_factory,
                                              consistency_level=ConsistencyLevel.ALL)}
        session = self.connect(self.keyspace, profiles=profiles)
        session.execute("INSERT INTO t (k, v) VALUES (1, 2)", execution_profile="dict")
        self.assertEqual(session.execute("SELECT * FROM t", execution_profile="dict").one(), {"k": 1, "v": 2})
        self.assertEqual(session.execute("SELECT * FROM t", execution_profile="tuple").one(), (1, 2))
        row = session.execute("SELECT k AS key, v FROM t").one()
        self.assertEqual((row.key, row.v), (1, 2))


class Asynchronous(CqlTest):
    def test_callbacks(self):
        self.session.execute("CREATE TABLE t (k int PRIMARY KEY)")
        self.session.execute("INSERT INTO t (k) VALUES (7)")
        done, failed, got = threading.Event(), threading.Event(), []
        self.session.execute_async("SELECT k FROM t").add_callbacks(
            lambda rows: (got.extend(rows), done.set()), lambda error: None)
        self.session.execute_async("SELECT nothing").add_errback(lambda error: failed.set())
        self.assertTrue(done.wait(harness.PATIENCE_S) and failed.wait(harness.PATIENCE_S))
        self.assertEqual([row.k for row in got], [7])


class PreparedList(CqlTest):
    def test_statements_of_dropped_tables_are_forgotten(self):
        self.session.execute("CREATE TABLE t (k int PRIMARY KEY, v int)")
        self.session.execute("CREATE TABLE u (k int PRIMARY KEY)")
        texts = [f"SELECT v FROM {self.keyspace}.t WHERE k = ?", f"INSERT INTO {self.keyspace}.t (k, v) VALUES (?, ?)",
                 f"SELECT k FROM {self.keyspace}.u WHERE k = ?"]
        for text in texts:
            self.session.prepare(text)

        def listed():
            kept = {row.query_string for row in self.session.execute("SELECT query_string FROM system.prepared_statements")}
            return [text for text in texts if text in kept]
        self.assertEqual(listed(), texts)
        self.session.execute("DROP TABLE t")
        self.assertEqual(listed(), texts[2:])
        self.session.execute(f"DROP KEYSPACE {self.keyspace}")
        self.assertEqual(listed(), [])


class JavaFunctions(CqlTest):
    FLAGS = ("--cassandra-java-functions", "skip")
    TEXT = "CREATE FUNCTION f (x int) RETURNS NULL ON NULL INPUT RETURNS int LANGUAGE java AS 'return x + 1;'"

    def test_are_kept_and_cannot_be_called(self):
        result = self.session.execute(self.TEXT)
        self.assertIn("cannot be called", result.response_future.warnings[0])
        self.session.execute("CREATE FUNCTION g (s int, x int) CALLED ON NULL INPUT RETURNS int LANGUAGE java AS 'return s;'")
        self.session.execute("CREATE AGGREGATE a (int) SFUNC g STYPE int FINALFUNC f INITCOND 0")
        self.assertEqual(self.one("SELECT language, body FROM system_schema.functions WHERE keyspace_name = %s AND "
                                  "function_name = 'f'", (self.keyspace,)), ("java", "return x + 1;"))
        self.assertIn("LANGUAGE java", self.one(f"DESCRIBE FUNCTION {self.keyspace}.f")[-1])
        self.session.execute("CREATE TABLE t (k int PRIMARY KEY)")
        self.session.execute("INSERT INTO t (k) VALUES (1)")
        for call in ("f(k)", "a(k)"):
            self.assertRefuses(FunctionFailure, "LANGUAGE is java", f"SELECT {call} FROM t")


class JavaFunctionsRefused(CqlTest):
    def test_with_what_to_do(self):
        self.assertRefuses(InvalidRequest, "LANGUAGE javascript.*--cassandra-java-functions=skip", JavaFunctions.TEXT)


if __name__ == "__main__":
    unittest.main()
