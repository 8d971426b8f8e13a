#!/usr/bin/env python3
"""Literals and wire bytes of every type; needs the Python driver, no server."""
import pathlib
import sys
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "system"))

import skipping

skipping.need(cassandra="python3-cassandra")

from cassandra import cqltypes

import cassandra_values


def parameterized(base, *parameters):
    return base.apply_parameters(parameters)


INT, TEXT = cqltypes.Int32Type, cqltypes.UTF8Type
ADDRESS = cqltypes.UserType.make_udt_class("ks", "address", ("street", "nr"), (TEXT, INT))
BOTH_WAYS = [
    (INT, "-5", "fffffffb"),
    (cqltypes.LongType, "1", "0000000000000001"),
    (cqltypes.IntegerType, "128", "0080"),
    (cqltypes.IntegerType, "-129", "ff7f"),
    (cqltypes.DecimalType, "1.50", "000000020096"),
    (cqltypes.DoubleType, "1.5", "3ff8000000000000"),
    (cqltypes.FloatType, "0.1", "3dcccccd"),
    (cqltypes.BooleanType, "true", "01"),
    (TEXT, "'it''s é'", "6974277320c3a9"),
    (cqltypes.BytesType, "0xff00", "ff00"),
    (cqltypes.UUIDType, "00000000-0000-4000-8000-000000000001", "00000000000040008000000000000001"),
    (cqltypes.InetAddressType, "'1.2.3.4'", "01020304"),
    (cqltypes.SimpleDateType, "'1970-01-02'", "80000001"),
    (parameterized(cqltypes.ListType, INT), "[1, 2]", "00000002" "0000000400000001" "0000000400000002"),
    (parameterized(cqltypes.SetType, TEXT), "{'a'}", "00000001" "0000000161"),
    (parameterized(cqltypes.MapType, TEXT, INT), "{'a': 1}", "00000001" "0000000161" "0000000400000001"),
    (parameterized(cqltypes.TupleType, INT, TEXT), "(1, null)", "0000000400000001" "ffffffff"),
    (ADDRESS, "{street: 'x', nr: null}", "0000000178" "ffffffff"),
]


class CassandraValuesTest(unittest.TestCase):
    def test_both_ways(self):
        for cql_type, literal, wire in BOTH_WAYS:
            with self.subTest(literal=literal, type=cassandra_values.type_name(cql_type)):
                self.assertEqual(cassandra_values.format_value(bytes.fromhex(wire), cql_type), literal)
                (value,) = cassandra_values.parse_values(literal)
                self.assertEqual(cassandra_values.encode_value(value, cql_type).hex(), wire)

    def test_only_shown(self):
        for cql_type, wire, literal in [
                (cqltypes.TimestampType, "00000000000003e8", "'1970-01-01 00:00:01.000+0000'"),
                (cqltypes.TimestampType, "7fffffffffffffff", "9223372036854775807"),
                (cqltypes.TimeType, "0000000000000001", "'00:00:00.000000001'"),
                (cqltypes.DurationType, "020406", "1mo2d3ns"),
                (cqltypes.DurationType, "000000", "0ns"),
                (cqltypes.DoubleType, "7ff8000000000000", "NaN"),
                (cqltypes.DoubleType, "fff0000000000000", "-Infinity"),
                (INT, "", "empty"),
                (TEXT, "0a5c", r"'\n\\'")]:
            with self.subTest(literal=literal):
                self.assertEqual(cassandra_values.format_value(bytes.fromhex(wire), cql_type), literal)
        self.assertEqual(cassandra_values.format_value(None, INT), "null")

    def test_quoting_is_undone(self):
        for text in ("it's", "a\nb\\c", "žluť 日本 🚀", ""):
            self.assertEqual(cassandra_values.unquoted(cassandra_values.quoted(text)), text)

    def test_values_to_bind(self):
        self.assertEqual(cassandra_values.parse_values(""), [])
        null, unset, raw = cassandra_values.parse_values("null, unset, raw 0x01")
        self.assertIsNone(cassandra_values.encode_value(null, INT))
        self.assertIs(cassandra_values.encode_value(unset, INT), cassandra_values.UNSET)
        self.assertEqual(cassandra_values.encode_value(raw, INT), b"\1")
        for wrong in ("1 2", "'open", "[1"):
            with self.subTest(wrong), self.assertRaises((ValueError, IndexError)):
                cassandra_values.parse_values(wrong)


if __name__ == "__main__":
    unittest.main()
