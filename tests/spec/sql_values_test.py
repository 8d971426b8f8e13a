#!/usr/bin/env python3
"""What counts as equal, and what is signed, without a server."""
import unittest

import sql_client
import sql_values


class SqlValuesTest(unittest.TestCase):
    def check(self, expected, got, **options):
        return sql_values.matches(expected, got, {}, **options)

    def test_values(self):
        for value in (None, True, 0, 1.5, "a", [], [1, [2]], {}, {"a": {"b": None}}):
            self.assertTrue(self.check(value, value), value)
        self.assertTrue(self.check(1, 1.0))
        for expected, got in ((1, True), (False, 0), (None, 0), ("1", 1), ([], {}), ([1, 2], [2, 1]), ({"a": 1}, {})):
            self.assertFalse(self.check(expected, got), (expected, got))

    def test_system_properties_count_only_when_named(self):
        self.assertTrue(self.check({"a": 1}, {"a": 1, "_ts": 5}))
        self.assertFalse(self.check({"a": 1, "_ts": 6}, {"a": 1, "_ts": 5}))
        self.assertFalse(self.check({"a": 1}, {"a": 1, "b": 2}))

    def test_subset(self):
        self.assertTrue(self.check({"a": {"b": 1}}, {"a": {"b": 1, "c": 2}, "d": 3}, subset=True))
        self.assertFalse(self.check({"a": [1]}, {"a": [1, 2]}, subset=True))
        self.assertFalse(self.check({"a": "<absent>"}, {"a": None}, subset=True))

    def test_placeholders(self):
        self.assertTrue(self.check(["<any>", "a<any>"], [{}, "abc"]))
        self.assertFalse(self.check("a<any>", 1))
        self.assertTrue(self.check("<0.5..1>", 0.75))
        self.assertFalse(self.check("<0.5..1>", 1.5))
        names = {}
        self.assertTrue(sql_values.matches({"e": "<any as etag>"}, {"e": '"x"'}, names))
        self.assertEqual(sql_values.filled("If-Match: ${etag}", names), 'If-Match: "x"')
        self.assertEqual(sql_values.filled("${url etag} ${a*3}", names), "%22x%22 aaa")

    def test_rows(self):
        self.assertTrue(sql_values.matches_rows([1, 2], [2, 1], {}, unordered=True))
        self.assertFalse(sql_values.matches_rows([1, 2], [2, 1], {}))
        self.assertFalse(sql_values.matches_rows([1, 1], [1, 2], {}, unordered=True))
        self.assertEqual(sql_values.as_text({"b": 1, "_ts": 2, "a": [{"_rid": ""}]}), '{"b": 1, "a": [{}]}')


class SigningTest(unittest.TestCase):
    def test_parts(self):
        for path, parts in {
                "/": ("", ""),
                "/dbs": ("dbs", ""),
                "/dbs/Db": ("dbs", "dbs/Db"),
                "/dbs/db/colls/c/docs": ("docs", "dbs/db/colls/c"),
                "/dbs/db/colls/c/docs/a b": ("docs", "dbs/db/colls/c/docs/a b"),
                "/offers/AbC": ("offers", "abc"),
                "/dbs/db/colls/c/operations/partitionkeydelete": ("partitionKey", "dbs/db/colls/c"),
        }.items():
            self.assertEqual(sql_client.signed_parts(path), parts)

    def test_the_documented_example(self):
        key = "dsZQi3KtZmCv1ljt3VNWNm7sQUF1y5rJfC6kv5JiwvW0EndXdDku/dkKBp8/ufDToSxLzR4y+O/0H/t4bQtVNw=="
        self.assertEqual(
            sql_client.authorization(key, "GET", "dbs", "dbs/ToDoList", "Thu, 27 Apr 2017 00:51:12 GMT"),
            "type%3Dmaster%26ver%3D1.0%26sig%3Dc09PEVJrgp2uQRkr934kFbTqhByc7TVr3OHyqlu%2Bc%2Bc%3D")

    def test_partition_keys(self):
        document = {"a": {"b": 1}, "x y": None}
        self.assertEqual(sql_client.partition_key_of(document, ["/a/b", '/"x y"', "/none/at/all"]), [1, None, {}])


if __name__ == "__main__":
    unittest.main()
