"""Collections, tuples and user types, nested too, in every protocol version."""
import collections
import datetime
import unittest
import uuid

from cassandra.util import OrderedMapSerializedKey, SortedSet

from cql_harness import CqlTest

TIME_UUID = uuid.UUID("5b6962dd-3f90-11e4-8e5f-0123456789ab")
UUID = uuid.UUID("f0a5c8d2-6b4e-4c9a-9d3b-7a1e2f3c4d5e")


class Collections(CqlTest):
    def round_trip(self, declared, value, expected=None):
        name = "t%d" % len(self.cluster.metadata.keyspaces[self.keyspace].tables)
        self.session.execute(f"CREATE TABLE {name} (k int PRIMARY KEY, v {declared})")
        for version in (3, 4, 5):
            session = self.speaking(version, self.keyspace)
            session.execute(session.prepare(f"INSERT INTO {name} (k, v) VALUES (?, ?)"), (version, value))
            got = self.rows(f"SELECT v FROM {name} WHERE k = {version}", session=session)[0][0]
            self.assertEqual(got, value if expected is None else expected, f"{declared}, version {version}")

    def test_lists_sets_and_maps(self):
        self.round_trip("list<text>", ["b", "a", "b"])
        self.round_trip("set<int>", SortedSet([3, 1, 2]))
        self.round_trip("map<text, bigint>", {"a": 1, "b": -(2**63)})
        self.round_trip("frozen<list<uuid>>", [UUID, TIME_UUID])
        self.round_trip("map<timestamp, inet>", {datetime.datetime(2026, 1, 1): "::1"})

    def test_empty_ones_are_null_unless_frozen(self):
        self.session.execute("CREATE TABLE t (k int PRIMARY KEY, l list<int>, f frozen<list<int>>)")
        self.session.execute("INSERT INTO t (k, l, f) VALUES (1, [], [])")
        self.assertEqual(self.one("SELECT l, f FROM t"), (None, []))

    def test_nested(self):
        self.round_trip("list<frozen<list<int>>>", [[1, 2], [], [3]])
        self.round_trip("map<text, frozen<set<int>>>", {"a": SortedSet([1, 2]), "b": SortedSet([3])})
        self.round_trip("frozen<map<int, map<text, list<double>>>>", {1: {"x": [0.5]}, 2: {}})
        self.round_trip("set<frozen<tuple<int, text>>>", SortedSet([(1, "a"), (1, "b"), (2, "a")]))

    def test_map_with_keys_that_python_cannot_hash(self):
        self.session.execute("CREATE TABLE t (k int PRIMARY KEY, v map<frozen<map<text, int>>, int>)")
        self.session.execute("INSERT INTO t (k, v) VALUES (1, {{'a': 1}: 10, {'b': 2}: 20})")
        (got,) = self.one("SELECT v FROM t")
        self.assertIsInstance(got, OrderedMapSerializedKey)
        self.assertEqual(sorted(got.values()), [10, 20])

    def test_tuples(self):
        self.round_trip("tuple<int, text, boolean>", (1, "one", True))
        self.round_trip("tuple<int, text>", (None, "only the second"))
        self.round_trip("tuple<int, tuple<text, list<int>>>", (1, ("a", [1, 2])))

    def test_a_short_tuple_is_filled_with_nulls(self):
        self.round_trip("tuple<int, text, int>", (1,), (1, None, None))

    def test_elements_one_by_one(self):
        self.session.execute("CREATE TABLE t (k int PRIMARY KEY, l list<int>, s set<int>, m map<text, int>)")
        for statement, values in (
                ("UPDATE t SET l = l + ? WHERE k = 1", [[2, 3]]), ("UPDATE t SET l = ? + l WHERE k = 1", [[1]]),
                ("UPDATE t SET l[1] = ? WHERE k = 1", [20]), ("UPDATE t SET s = s + ? WHERE k = 1", [{1, 2, 3}]),
                ("UPDATE t SET s = s - ? WHERE k = 1", [{2}]), ("UPDATE t SET m[?] = ? WHERE k = 1", ["a", 1]),
                ("UPDATE t SET m = m + ? WHERE k = 1", [{"b": 2, "c": 3}]), ("DELETE m[?] FROM t WHERE k = 1", ["b"]),
                ("UPDATE t SET l = l - ? WHERE k = 1", [[3]])):
            self.session.execute(self.session.prepare(statement), values)
        self.assertEqual(self.one("SELECT l, s, m FROM t"), ([1, 20], {1, 3}, {"a": 1, "c": 3}))


class UserTypes(CqlTest):
    Address = collections.namedtuple("Address", "street zip phones")

    def setUp(self):
        super().setUp()
        self.session.execute("CREATE TYPE phone (kind text, number bigint)")
        self.session.execute("CREATE TYPE address (street text, zip int, phones frozen<list<phone>>)")
        self.session.execute("CREATE TABLE t (k int PRIMARY KEY, home frozen<address>, work address, "
                             "more map<text, frozen<address>>)")

    def test_registered_class(self):
        class Phone:
            def __init__(self, kind, number):
                self.kind, self.number = kind, number

            def __eq__(self, other):
                return (self.kind, self.number) == (other.kind, other.number)

        self.cluster.register_user_type(self.keyspace, "phone", Phone)
        self.cluster.register_user_type(self.keyspace, "address", self.Address)
        home = self.Address("Main Street 1", 12345, [Phone("home", 1), Phone("mobile", 2**40)])
        for version in (3, 4, 5):
            session = self.speaking(version, self.keyspace)
            session.cluster.register_user_type(self.keyspace, "phone", Phone)
            session.cluster.register_user_type(self.keyspace, "address", self.Address)
            insert = session.prepare("INSERT INTO t (k, home, work, more) VALUES (?, ?, ?, ?)")
            session.execute(insert, (version, home, home, {"x": home}))
            row = session.execute(f"SELECT home, work, more FROM t WHERE k = {version}").one()
            self.assertIsInstance(row.home, self.Address)
            self.assertEqual((row.home, row.work, row.more["x"]), (home, home, home))
        self.session.execute("INSERT INTO t (k, home) VALUES (%s, %s)", (9, home))  # as a literal
        self.assertEqual(self.one("SELECT home FROM t WHERE k = 9"), (home,))

    def test_unregistered_is_a_named_tuple(self):
        insert = self.session.prepare("INSERT INTO t (k, home) VALUES (?, ?)")
        self.session.execute(insert, (1, self.Address("S", None, None)))
        (home,) = self.one("SELECT home FROM t")
        self.assertEqual((home.street, home.zip, home.phones), ("S", None, None))

    def test_one_field_of_one_that_is_not_frozen(self):
        self.session.execute("INSERT INTO t (k, work) VALUES (1, {street: 'A', zip: 1})")
        self.session.execute("UPDATE t SET work.zip = 2 WHERE k = 1")
        self.assertEqual(self.one("SELECT work.street, work.zip FROM t"), ("A", 2))

    def test_a_field_added_later_is_null_in_old_values(self):
        self.session.execute("INSERT INTO t (k, home) VALUES (1, {street: 'A', zip: 1})")
        self.session.execute("ALTER TYPE address ADD city text")
        (home,) = self.one("SELECT home FROM t")
        self.assertEqual((home.street, home.city), ("A", None))


if __name__ == "__main__":
    unittest.main()
