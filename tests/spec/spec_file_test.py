#!/usr/bin/env python3
"""The format of spec files, without a server."""
import pathlib
import tempfile
import unittest

import spec_file


class SpecFileTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.path = pathlib.Path(directory.name) / "a.test"

    def parse(self, text):
        self.path.write_text(text)
        return spec_file.SpecFile(self.path)

    def test_blocks(self):
        file = self.parse("# why\n\nstatement\nCREATE\n  TABLE\n\nquery page=1,2 unordered\nSELECT\n----\na int\n1\n\nerror invalid\nDROP\n----\npart\n")
        create, select, drop = file.cases
        self.assertEqual((create.line, create.directive, create.statement, create.expected), (3, "statement", "CREATE\n  TABLE", None))
        self.assertEqual((select.settings, select.flags, select.expected), ({"page": "1,2"}, {"unordered"}, ["a int", "1"]))
        self.assertEqual((drop.kind, drop.expected, drop.where()), ("invalid", ["part"], "a.test:13"))

    def test_bind_takes_the_rest_of_the_line(self):
        values, none = self.parse("query page=1 bind 1, 'bind x'\nSELECT\n----\n\nstatement bind\nINSERT\n").cases
        self.assertEqual((values.bind, values.settings), ("1, 'bind x'", {"page": "1"}))
        self.assertEqual(none.bind, "")

    def test_only(self):
        file = self.parse("only orrery: it is new\n\nonly orrery, cassandra-5.0: it is newer\nstatement\nCREATE\n\nstatement\nDROP\n")
        self.assertEqual(file.only, ["orrery"])
        self.assertEqual([case.only for case in file.cases], [["orrery", "cassandra-5.0"], []])

    def test_what_is_not_understood_is_refused(self):
        for text in ("nonsense\nSELECT\n", "query fast\nSELECT\n", "query page\nSELECT\n", "error\nSELECT\n", "query\n----\n1\n", "only orrery\nquery\nSELECT\n"):
            with self.subTest(text), self.assertRaises(spec_file.FormatError):
                self.parse(text)

    def test_fill_changes_only_what_is_filled(self):
        text = "# one\n\nquery\nSELECT\n----\nold\n\n# two\n\nquery\nSELECT\n\nquery\nSELECT\n----\nkept\n"
        self.parse(text).fill({3: ("error invalid", ["no"]), 10: ("query", ["a int"])})
        self.assertEqual(
            self.path.read_text(),
            "# one\n\nerror invalid\nSELECT\n----\nno\n\n# two\n\nquery\nSELECT\n----\na int\n\nquery\nSELECT\n----\nkept\n")

    def test_placeholders(self):
        self.assertTrue(spec_file.matches("1 | <any> | 'x'", "1 | 2024 | 'x'"))
        self.assertFalse(spec_file.matches("1 | <any> | 'x'", "1 | 2024 | 'y'"))
        self.assertTrue(spec_file.matches("<90..100>", "99"))
        self.assertFalse(spec_file.matches("<90..100>", "89"))
        self.assertFalse(spec_file.matches("<90..100>", "null"))
        self.assertFalse(spec_file.matches("a.c", "abc"))


if __name__ == "__main__":
    unittest.main()
