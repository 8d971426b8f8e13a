#!/usr/bin/env python3
"""tools/check_layers finds what it is there to find: run on small trees that break one rule each."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECK = pathlib.Path(__file__).resolve().parent.parent / "tools/check_layers"


def offences(files: dict[str, str]) -> str:
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = pathlib.Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        run = subprocess.run([sys.executable, CHECK, folder], capture_output=True, text=True, check=False)
        # A small tree has not all of the values that the table names.
        return "\n".join(line for line in run.stdout.splitlines() if not line.startswith("tools/check_layers:"))


class CheckLayers(unittest.TestCase):
    def test_direct_includes(self):
        found = offences({"model/a.h": '#include "storage/b.h"\n', "storage/b.h": ""})
        self.assertIn("model/a.h:1: model may not include storage/b.h", found)

    def test_includes_are_followed_to_the_end(self):
        tree = {"api/sql/a.cc": '#include "query/b.h"\n', "query/b.h": '#include "gateway/c.h"\n',
                "gateway/c.h": '#include "cluster/secret.h"\n', "cluster/secret.h": ""}
        found = offences(tree)
        self.assertIn("api/sql/a.cc: reaches cluster/secret.h through gateway/c.h", found)
        self.assertIn("query/b.h: reaches cluster/secret.h through gateway/c.h", found)
        self.assertNotIn("gateway/c.h: ", found)
        self.assertEqual(offences({"api/sql/a_test.cc": tree.pop("api/sql/a.cc"), "query/b.h": "", "gateway/c.h": ""}), "")

    def test_values_may_be_reached_but_not_included(self):
        tree = {"api/sql/a.cc": '#include "gateway/c.h"\n', "gateway/c.h": '#include "partition/limits.h"\n',
                "partition/limits.h": "struct Limits {};\n"}
        self.assertEqual(offences(tree), "")
        tree["api/sql/a.cc"] = '#include "partition/limits.h"\n'
        self.assertIn("api/sql may not include partition/limits.h", offences(tree))

    def test_only_values_may_be_named(self):
        tree = {"api/sql/a.cc": '#include "gateway/c.h"\npartition::Limits a;\ncluster::Node* b;  // cluster::Topology\n',
                "gateway/c.h": '#include "partition/limits.h"\n#include "cluster/node.h"\n',
                "partition/limits.h": "struct Limits {};\nclass Forward;\n", "cluster/node.h": "class Node {};\n"}
        self.assertEqual(offences(tree), "api/sql/a.cc:3: api/sql may not name cluster::Node")
        tree["api/sql/a.cc"] = '#include "gateway/c.h"\npartition::Forward* a;\n'
        self.assertEqual(offences(tree), "api/sql/a.cc:2: api/sql may not name partition::Forward")

    def test_the_node_is_the_gateways_own(self):
        tree = {"portal/a.cc": "auto n = gateway_.node().topology();\n", "gateway/b.cc": "gateway_.node();\n"}
        self.assertEqual(offences(tree), "portal/a.cc:1: the node belongs to the gateway")

    def test_foreign_headers_stay_at_home(self):
        found = offences({"api/sql/a.cc": "#include <pcre2.h>\n", "model/regex/b.cc": "#include <pcre2.h>\n"})
        self.assertEqual(found, "api/sql/a.cc:1: <pcre2.h> belongs under model/regex/")

    def test_unknown_folders(self):
        self.assertIn("folder 'misc' is not in the layer table", offences({"misc/a.h": ""}))


if __name__ == "__main__":
    unittest.main()
