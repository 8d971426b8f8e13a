#!/usr/bin/env python3
"""run.py BINARY DIR CLIENTS_BUILD [part ...]: unchanged clients against three nodes on a private Ceph.

  cassandra  python3-cassandra: schema, events, prepared statements and roles through several nodes
  node       npm's cassandra-driver on all nodes
  cosmos     npm's @azure/cosmos, each step through another node
  azure      python3-azure-cosmos: databases, items, queries and sessions through several nodes
  java       Microsoft's Java client in Direct mode, which asks the owners of partitions
  import     `orrery import` of a single machine's archive, interrupted, and `orrery export` of the cluster
  kill       a node is killed while npm's cassandra-driver and gocql work
  java_kill  one more node is killed while the Java client works

DIR is the cluster's and goes in the end; CLIENTS_BUILD has what the suites of single servers installed
(build/release/tests/clients). A part whose client is missing is left out; with CI=true it fails. Exit code 77: Ceph, or every client, is
missing.
"""
import os
import pathlib
import subprocess
import sys

SKIPPED = 77
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
# Not the addresses of `make cluster`.
NET = "127.77.0"
PARTS = ("cassandra", "node", "cosmos", "azure", "java", "import", "kill", "java_kill")


def python(module, *arguments):
    return [sys.executable, "-B", str(HERE / module), *arguments]


def java(name, binary, built):
    return [sys.executable, "-B", str(HERE.parent / "jvm/run.py"), str(HERE.parent / "sql/java"), binary, str(built / "sql/java"), name]


def commands(part, binary, built):
    node = [str(HERE.parent / "cassandra/node/run"), binary, str(built / "cassandra/node")]
    return {
        "cassandra": [python("cassandra_test.py")],
        "node": [[*node, str(HERE / "drivers.test.js")]],
        "cosmos": [[str(HERE.parent / "sql/node/run"), binary, str(built / "sql/node"), str(HERE / "cosmos.test.js")]],
        "azure": [python("azure_cosmos_test.py")],
        "java": [java("ClusterTest", binary, built)],
        "import": [python("import_test.py", binary)],
        # The first kills a node, while the second works.
        "kill": [[*node, str(HERE / "kill.test.js")],
                 [str(HERE.parent / "cassandra/go/run"), binary, str(built / "cassandra/go"), "-run", "TestCluster", "-v"]],
        "java_kill": [java("ClusterKillTest", binary, built)],
    }[part]


def inside(binary, built, parts):
    """In the cluster: one part after the other, its programs together. Later ones run although an earlier one failed."""
    codes = []
    for part in parts:
        print(f"==== {part}", flush=True)
        running = [subprocess.Popen(command) for command in commands(part, binary, built)]
        codes += [process.wait() for process in running]
    if set(codes) == {SKIPPED}:
        return SKIPPED
    allowed = {0} if os.environ.get("CI") == "true" else {0, SKIPPED}
    return 1 if set(codes) - allowed else 0


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    binary, directory, built = (str(pathlib.Path(each).resolve()) for each in sys.argv[1:4])
    parts = sys.argv[4:] or list(PARTS)
    if "CLUSTER_ADDRESSES" in os.environ:
        return inside(binary, pathlib.Path(built), parts)
    sys.path.insert(0, str(ROOT / "tools"))
    from ceph_dev import packages
    if packages.missing():
        print(f"skipped: not installed: {' '.join(packages.missing())} (tools/ceph install)")
        return SKIPPED
    return subprocess.call([str(ROOT / "tools/cluster"), "--fresh", "--net", NET, "--dir", directory, "--binary", binary,
                            "--", sys.executable, "-B", __file__, binary, directory, built, *parts])


if __name__ == "__main__":
    sys.exit(main())
