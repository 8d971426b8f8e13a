"""Scalar values of every CQL type, through prepared statements and literals, in every protocol version."""
import datetime
import decimal
import ipaddress
import math
import struct
import unittest
import uuid

from cassandra import InvalidRequest
from cassandra.util import Date, Duration, Time

from cql_harness import CqlTest

TIME_UUID = uuid.UUID("5b6962dd-3f90-11e4-8e5f-0123456789ab")
UUID = uuid.UUID("f0a5c8d2-6b4e-4c9a-9d3b-7a1e2f3c4d5e")
SCALARS = {
    "ascii": ["", "plain", "~!@#"],
    "bigint": [0, 1, -1, 2**63 - 1, -(2**63)],
    "blob": [b"", b"\x00", bytes(range(256))],
    "boolean": [True, False],
    "date": [Date(0), Date("2026-02-28"), Date(-1), Date(-(2**31)), Date(2**31 - 1)],
    "decimal": [decimal.Decimal("0"), decimal.Decimal("-12345678901234567890.0987654321"), decimal.Decimal("1E+50"),
                decimal.Decimal("1E-50")],
    "double": [0.0, -0.5, 1.7976931348623157e308, 5e-324, math.inf, -math.inf],
    "duration": [Duration(0, 0, 0), Duration(14, 3, 5_000_000_123), Duration(-1, -2, -3)],
    "float": [0.0, 0.5, -1.25, struct.unpack(">f", b"\x7f\x7f\xff\xff")[0], math.inf],
    "inet": ["127.0.0.1", "255.255.255.255", "::1", "2001:db8::ff00:42:8329"],
    "int": [0, 1, -1, 2**31 - 1, -(2**31)],
    "smallint": [0, 2**15 - 1, -(2**15)],
    "text": ["", "theo", "Ωmega \U0001f52d 轨道", "line\nline", "it's"],
    "time": [Time(0), Time("23:59:59.999999999"), Time("08:12:54.123456789")],
    "timestamp": [datetime.datetime(1970, 1, 1), datetime.datetime(2026, 2, 28, 12, 30, 15, 123000),
                  datetime.datetime(1904, 2, 29)],
    "timeuuid": [TIME_UUID],
    "tinyint": [0, 127, -128],
    "uuid": [UUID, TIME_UUID],
    "varchar": ["varchar is text"],
    "varint": [0, -1, 127, 128, -129, 2**200, -(2**200)],
}


class Scalars(CqlTest):
    def setUp(self):
        super().setUp()
        columns = ", ".join(f"c_{name} {name}" for name in SCALARS)
        self.session.execute(f"CREATE TABLE t (k int PRIMARY KEY, {columns})")

    def test_prepared_in_every_version(self):
        for version in (3, 4, 5):
            session = self.speaking(version, self.keyspace)
            for name, values in SCALARS.items():
                insert = session.prepare(f"INSERT INTO t (k, c_{name}) VALUES (?, ?)")
                select = session.prepare(f"SELECT c_{name} FROM t WHERE k = ?")
                for k, value in enumerate(values):
                    with self.subTest(version=version, type=name, value=value):
                        session.execute(insert, (k, value))
                        self.assertEqual(session.execute(select, (k,)).one()[0], value)

    def test_literals(self):
        for name, values in SCALARS.items():
            for k, value in enumerate(values):
                if isinstance(value, decimal.Decimal) or (name == "date" and abs(value.days_from_epoch) > 1_000_000):
                    continue  # the driver writes these with an exponent, or not at all
                if name == "inet":
                    value = ipaddress.ip_address(value)
                with self.subTest(type=name, value=value):
                    self.session.execute(f"INSERT INTO t (k, c_{name}) VALUES (%s, %s)", (k, value))
                    got = self.one(f"SELECT c_{name} FROM t WHERE k = {k}")[0]
                    self.assertEqual(ipaddress.ip_address(got) if name == "inet" else got, value)

    def test_nan_is_kept(self):
        insert = self.session.prepare("INSERT INTO t (k, c_double, c_float) VALUES (1, ?, ?)")
        self.session.execute(insert, (math.nan, math.nan))
        self.assertTrue(all(map(math.isnan, self.one("SELECT c_double, c_float FROM t"))))

    def test_null_of_every_type(self):
        names = ", ".join(f"c_{name}" for name in SCALARS)
        marks = ", ".join("?" for _ in SCALARS)
        insert = self.session.prepare(f"INSERT INTO t (k, {names}) VALUES (1, {marks})")
        self.session.execute(insert, [None] * len(SCALARS))
        self.assertEqual(self.one(f"SELECT {names} FROM t"), (None,) * len(SCALARS))

    def test_wrong_bytes_are_refused(self):
        insert = self.session.prepare("INSERT INTO t (k, c_int) VALUES (?, ?)")
        bound = insert.bind((1, 1))
        bound.values[1] = b"\x00\x01\x02"
        with self.assertRaises(InvalidRequest):
            self.session.execute(bound)
        text = self.session.prepare("INSERT INTO t (k, c_text) VALUES (?, ?)").bind((1, "x"))
        text.values[1] = b"\xff\xfe"
        with self.assertRaises(InvalidRequest):
            self.session.execute(text)


class Keys(CqlTest):
    def test_every_type_that_can_be_a_key_is_one(self):
        for name, values in SCALARS.items():
            if name == "duration":
                continue
            self.session.execute(f"CREATE TABLE of_{name} (p {name}, c {name}, v int, PRIMARY KEY (p, c))")
            insert = self.session.prepare(f"INSERT INTO of_{name} (p, c, v) VALUES (?, ?, ?)")
            select = self.session.prepare(f"SELECT p, c, v FROM of_{name} WHERE p = ? AND c = ?")
            for value in values:
                if value in ("", b""):
                    continue  # no empty partition keys
                with self.subTest(type=name, value=value):
                    self.session.execute(insert, (value, value, 7))
                    self.assertEqual(tuple(self.session.execute(select, (value, value)).one()), (value, value, 7))

    def test_clustering_order_is_the_types_order(self):
        for name in ("int", "bigint", "smallint", "tinyint", "varint", "decimal", "double", "timestamp", "time"):
            with self.subTest(name):
                self.session.execute(f"CREATE TABLE order_{name} (p int, c {name}, PRIMARY KEY (p, c))")
                insert = self.session.prepare(f"INSERT INTO order_{name} (p, c) VALUES (1, ?)")
                for value in SCALARS[name]:
                    self.session.execute(insert, (value,))
                got = [c for (c,) in self.rows(f"SELECT c FROM order_{name} WHERE p = 1")]
                self.assertEqual(got, sorted(SCALARS[name]))

    def test_no_key_of_durations(self):
        self.assertRefuses(InvalidRequest, "(?i)duration", "CREATE TABLE t (p duration PRIMARY KEY)")


class Others(CqlTest):
    def test_counters(self):
        self.session.execute("CREATE TABLE t (k text PRIMARY KEY, a counter, b counter)")
        add = self.session.prepare("UPDATE t SET a = a + ?, b = b - ? WHERE k = ?")
        for step in range(1, 11):
            self.session.execute(add, (step, 1, "x"))
        self.assertEqual(self.one("SELECT a, b FROM t WHERE k = 'x'"), (55, -10))

    def test_vectors_reach_a_driver_that_does_not_know_them_as_bytes(self):
        self.session.execute("CREATE TABLE t (k int PRIMARY KEY, v vector<float, 3>)")
        self.session.execute("INSERT INTO t (k, v) VALUES (1, [1, 2.5, -3])")
        self.assertEqual(self.one("SELECT v FROM t"), (struct.pack(">3f", 1, 2.5, -3),))
        self.assertEqual(self.one("SELECT JSON v FROM t"), ('{"v": [1.0, 2.5, -3.0]}',))

    def test_json(self):
        self.session.execute("CREATE TABLE t (k int PRIMARY KEY, m map<text, frozen<list<int>>>, d date, u uuid)")
        self.session.execute("INSERT INTO t JSON %s", (
            '{"k": 1, "m": {"a": [1, 2]}, "d": "2026-02-28", "u": "%s"}' % UUID,))
        self.assertEqual(self.one("SELECT m, d, u FROM t"), ({"a": [1, 2]}, Date("2026-02-28"), UUID))
        self.assertEqual(self.one("SELECT toJson(m) FROM t"), ('{"a": [1, 2]}',))


if __name__ == "__main__":
    unittest.main()
