"""What the driver learns of the schema: metadata, agreement, events, statements that make it again."""
import queue
import unittest

from cassandra.connection import DefaultEndPoint

import harness
from cql_harness import REPLICATION, CqlTest, eventually


class Metadata(CqlTest):
    def test_keyspaces(self):
        self.session.execute(f"CREATE KEYSPACE more {REPLICATION} AND durable_writes = false")
        known = self.cluster.metadata.keyspaces
        listed = {name for (name,) in self.rows("SELECT keyspace_name FROM system_schema.keyspaces")}
        self.assertLessEqual({"system", "system_schema", "system_auth", "system_traces", self.keyspace, "more"}, listed)
        self.assertLessEqual(listed, set(known))
        self.assertEqual((known["more"].durable_writes, known["more"].replication_strategy.name),
                         (False, "SimpleStrategy"))
        self.session.execute("ALTER KEYSPACE more WITH durable_writes = true")
        self.assertTrue(known["more"].durable_writes)
        self.session.execute("DROP KEYSPACE more")
        self.assertNotIn("more", known)

    def test_network_topology_is_kept(self):
        self.session.execute("CREATE KEYSPACE wide WITH replication = "
                             "{'class': 'NetworkTopologyStrategy', 'datacenter1': 1}")
        self.assertEqual(self.cluster.metadata.keyspaces["wide"].replication_strategy.dc_replication_factors,
                         {"datacenter1": 1})

    def test_tables(self):
        self.session.execute('CREATE TABLE t (a int, "B" text, c timestamp, d uuid, s int static, w text, '
                             'v map<text, frozen<list<int>>>, PRIMARY KEY ((a, "B"), c, d)) '
                             "WITH CLUSTERING ORDER BY (c DESC, d ASC) "
                             "AND comment = 'it''s one' AND default_time_to_live = 60 AND gc_grace_seconds = 0")
        table = self.table()
        self.assertEqual([c.name for c in table.partition_key], ["a", "B"])
        self.assertEqual([(c.name, c.is_reversed) for c in table.clustering_key], [("c", True), ("d", False)])
        self.assertEqual({name: column.cql_type for name, column in table.columns.items()},
                         {"a": "int", "B": "text", "c": "timestamp", "d": "uuid", "s": "int", "w": "text",
                          "v": "map<text, frozen<list<int>>>"})
        self.assertEqual([name for name, column in table.columns.items() if column.is_static], ["s"])
        self.assertEqual([table.options[name] for name in ("comment", "default_time_to_live", "gc_grace_seconds")],
                         ["it's one", 60, 0])

    def test_changes(self):
        self.session.execute("CREATE TABLE t (k int, c int, v int, PRIMARY KEY (k, c))")
        self.session.execute("ALTER TABLE t ADD (w text, x set<int>)")
        self.session.execute("ALTER TABLE t DROP v")
        self.session.execute("ALTER TABLE t RENAME c TO renamed")
        self.session.execute("ALTER TABLE t WITH comment = 'changed'")
        self.assertEqual(set(self.table().columns), {"k", "renamed", "w", "x"})
        self.assertEqual(self.table().options["comment"], "changed")
        self.session.execute("DROP TABLE t")
        self.assertNotIn("t", self.cluster.metadata.keyspaces[self.keyspace].tables)

    def test_indexes(self):
        self.session.execute("CREATE TABLE t (k int, c int, v int, m map<text, int>, PRIMARY KEY (k, c))")
        self.session.execute("CREATE INDEX ON t (v)")
        self.session.execute("CREATE INDEX by_entry ON t (entries(m))")
        self.assertEqual({name: index.index_options["target"] for name, index in self.table().indexes.items()},
                         {"t_v_idx": "v", "by_entry": "entries(m)"})
        self.session.execute("DROP INDEX by_entry")
        self.assertEqual(set(self.table().indexes), {"t_v_idx"})

    def test_user_types(self):
        self.session.execute("CREATE TYPE inner_one (a int)")
        self.session.execute("CREATE TYPE outer_one (x frozen<inner_one>, y list<text>)")
        self.session.execute("ALTER TYPE outer_one ADD z tuple<int, text>")
        self.session.execute("ALTER TYPE outer_one RENAME x TO renamed")
        kind = self.cluster.metadata.keyspaces[self.keyspace].user_types["outer_one"]
        self.assertEqual(list(zip(kind.field_names, kind.field_types)),
                         [("renamed", "frozen<inner_one>"), ("y", "list<text>"), ("z", "frozen<tuple<int, text>>")])
        self.session.execute("DROP TYPE outer_one")
        self.assertEqual(set(self.cluster.metadata.keyspaces[self.keyspace].user_types), {"inner_one"})

    def test_materialized_views(self):
        self.session.execute("CREATE TABLE t (k int PRIMARY KEY, v int, w text)")
        self.session.execute("CREATE MATERIALIZED VIEW by_v AS SELECT k, v FROM t WHERE v IS NOT NULL AND "
                             "k IS NOT NULL PRIMARY KEY (v, k) WITH CLUSTERING ORDER BY (k DESC)")
        view = self.table().views["by_v"]
        self.assertEqual((view.base_table_name, view.include_all_columns, set(view.columns)), ("t", False, {"v", "k"}))
        self.session.execute("INSERT INTO t (k, v, w) VALUES (1, 10, 'x')")
        self.assertEqual(self.rows("SELECT * FROM by_v WHERE v = 10"), [(10, 1)])
        self.session.execute("DROP MATERIALIZED VIEW by_v")
        self.assertEqual(self.table().views, {})

    def test_functions_and_aggregates(self):
        self.session.execute("CREATE FUNCTION plus (a int, b int) RETURNS NULL ON NULL INPUT RETURNS int "
                             "LANGUAGE javascript AS 'return a + b;'")
        self.session.execute("CREATE AGGREGATE total (int) SFUNC plus STYPE int INITCOND 0")
        keyspace = self.cluster.metadata.keyspaces[self.keyspace]
        function = keyspace.functions["plus(int,int)"]
        self.assertEqual((function.argument_names, function.return_type, function.language),
                         (["a", "b"], "int", "javascript"))
        self.assertEqual(keyspace.aggregates["total(int)"].state_func, "plus")
        self.session.execute("CREATE TABLE t (k int PRIMARY KEY)")
        for k in (1, 2, 39):
            self.session.execute(f"INSERT INTO t (k) VALUES ({k})")
        self.assertEqual(self.rows("SELECT total(k) FROM t"), [(42,)])
        self.assertEqual(self.rows("SELECT plus(k, 1) FROM t WHERE k = 39"), [(40,)])

    def test_virtual_tables(self):
        views = self.cluster.metadata.keyspaces["system_views"]
        self.assertTrue(views.virtual)
        self.assertIn("settings", views.tables)
        self.assertIn(("durability", "os"), self.rows("SELECT name, value FROM system_views.settings"))


class MakingItAgain(CqlTest):
    def test_exported_statements_run(self):
        self.session.execute("CREATE TYPE pair (a int, b text)")
        self.session.execute("CREATE TABLE t (p int, \"Q\" text, c int, s int static, l list<frozen<pair>>, "
                             "PRIMARY KEY ((p, \"Q\"), c)) WITH CLUSTERING ORDER BY (c DESC) AND comment = 'it''s'")
        self.session.execute("CREATE TABLE n (k int PRIMARY KEY, a counter)")
        self.session.execute("CREATE INDEX by_c ON t (c)")
        text = self.cluster.metadata.keyspaces[self.keyspace].export_as_string()
        self.session.execute(f"DROP KEYSPACE {self.keyspace}")
        for statement in filter(str.strip, text.split(";\n")):
            self.session.execute(statement)
        self.assertEqual(self.cluster.metadata.keyspaces[self.keyspace].export_as_string(), text)

    def test_describe_runs_too(self):
        self.session.execute("CREATE TABLE t (k int PRIMARY KEY, v text) WITH comment = 'here'")
        described = self.session.execute("DESCRIBE TABLE t").one()
        self.assertEqual((described.keyspace_name, described.type, described.name), (self.keyspace, "table", "t"))
        self.session.execute("DROP TABLE t")
        self.session.execute(described.create_statement)
        self.assertEqual(self.table().options["comment"], "here")


class Agreement(CqlTest):
    def test_every_change_ends_in_agreement(self):
        for statement in ("CREATE TABLE t (k int PRIMARY KEY)", "ALTER TABLE t ADD v int", "DROP TABLE t"):
            result = self.session.execute(statement)
            self.assertTrue(result.response_future.is_schema_agreed)

    def test_the_version_changes_with_the_schema_only(self):
        version = "SELECT schema_version FROM system.local"
        first = self.one(version)
        self.session.execute("CREATE TABLE t (k int PRIMARY KEY)")
        second = self.one(version)
        self.assertNotEqual(first, second)
        self.session.execute("INSERT INTO t (k) VALUES (1)")
        self.session.execute("CREATE TABLE IF NOT EXISTS t (k int PRIMARY KEY)")
        self.assertEqual(second, self.one(version))


class Events(CqlTest):
    def test_each_change_is_told(self):
        connection = self.cluster.connection_factory(DefaultEndPoint("127.0.0.1", self.server.cql_port))
        self.addCleanup(connection.close)
        told = queue.Queue()
        connection.register_watcher("SCHEMA_CHANGE", told.put, register_timeout=harness.PATIENCE_S)
        ks = self.keyspace
        for statement, change in (
                (f"CREATE KEYSPACE e {REPLICATION}", ("CREATED", "KEYSPACE", {"keyspace": "e"})),
                ("ALTER KEYSPACE e WITH durable_writes = false", ("UPDATED", "KEYSPACE", {"keyspace": "e"})),
                ("DROP KEYSPACE e", ("DROPPED", "KEYSPACE", {"keyspace": "e"})),
                ("CREATE TABLE t (k int PRIMARY KEY)", ("CREATED", "TABLE", {"keyspace": ks, "table": "t"})),
                ("ALTER TABLE t ADD v int", ("UPDATED", "TABLE", {"keyspace": ks, "table": "t"})),
                ("CREATE INDEX ON t (v)", ("UPDATED", "TABLE", {"keyspace": ks, "table": "t"})),
                ("DROP TABLE t", ("DROPPED", "TABLE", {"keyspace": ks, "table": "t"})),
                ("CREATE TYPE u (a int)", ("CREATED", "TYPE", {"keyspace": ks, "type": "u"})),
                ("ALTER TYPE u ADD b int", ("UPDATED", "TYPE", {"keyspace": ks, "type": "u"})),
                ("DROP TYPE u", ("DROPPED", "TYPE", {"keyspace": ks, "type": "u"}))):
            with self.subTest(statement):
                self.session.execute(statement)
                event = told.get(timeout=harness.PATIENCE_S)
                rest = {k: v for k, v in event.items() if k not in ("change_type", "target_type")}
                self.assertEqual((event["change_type"], event["target_type"], rest), change)
        self.assertTrue(told.empty())

    def test_another_session_learns_of_a_table(self):
        other = self.connect(schema_event_refresh_window=0)
        self.session.execute("CREATE TABLE t (k int PRIMARY KEY)")
        tables = other.cluster.metadata.keyspaces[self.keyspace].tables
        eventually(lambda: "t" in tables, "the other session's metadata has the table")
        self.session.execute("DROP TABLE t")
        eventually(lambda: "t" not in tables, "the other session's metadata has lost the table")


if __name__ == "__main__":
    unittest.main()
