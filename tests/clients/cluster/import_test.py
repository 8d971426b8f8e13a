"""import_test.py BINARY: a single machine's data goes into the cluster, interrupted on the way, and out of it again."""
import os
import pathlib
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "system"))
import cql_wire as cql  # noqa: E402
import harness  # noqa: E402

URLS = os.environ["CLUSTER_URLS"].split(",")
ADDRESSES = os.environ["CLUSTER_ADDRESSES"].split(",")
SCHEMA = (
    "CREATE KEYSPACE moved WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
    "CREATE TABLE moved.t (k int, c int, v text, PRIMARY KEY (k, c)) WITH cosmosdb_provisioned_throughput = 30000",
    "CREATE TABLE moved.hits (k text PRIMARY KEY, n counter)",
)
QUESTIONS = ("SELECT k, c, v, writetime(v) FROM moved.t", "SELECT * FROM moved.hits")
ITEMS = 600
PATIENCE_S = 120


def ask(port, *statements, address="127.0.0.1"):
    with cql.Connection(port, address=address) as connection:
        answers = [connection.query(statement) for statement in statements]
    for statement, answer in zip(statements, answers):
        if answer.is_error():
            raise AssertionError(f"{statement}: {answer}")
    return [answer.body for answer in answers]


class ImportIntoCluster(harness.OrreryTest):
    def cli(self, *arguments):
        outcome = harness.run_cli(*arguments, "--key", harness.WELL_KNOWN_KEY)
        self.assertEqual(outcome.returncode, 0, outcome.stderr + outcome.stdout)
        return outcome.stdout

    def fill(self):
        server = self.start("--durability", "os", cassandra_port="any")
        ask(server.cql_port, *SCHEMA, *(f"INSERT INTO moved.t (k, c, v) VALUES ({n % 40}, {n}, 'v{n}')" for n in range(400)),
            "UPDATE moved.hits SET n = n + 41 WHERE k = 'a'")
        orders = self.make_container(server, "orders", database="movedb", throughput={"manual": 30000})
        for n in range(ITEMS):
            self.assertStatus(201, orders.create({"id": str(n), "pk": f"p{n % 50}", "text": "x" * 400}))
        return server

    def interrupt_import(self, archive):
        """Starts an import and kills it once it has begun; returns whether it was killed before its end."""
        process = subprocess.Popen([harness.BINARY, "import", archive, "--exclude", "system_auth", "--url", URLS[0], "--key",
                                    harness.WELL_KNOWN_KEY], env=harness.clean_environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + PATIENCE_S
        while process.poll() is None and not list(pathlib.Path(archive).glob("imported-*")):
            self.assertLess(time.monotonic(), deadline, "the import never begins")
            time.sleep(0.005)
        process.kill()
        return process.wait() != 0

    def test_in_and_out(self):
        server = self.fill()
        before = ask(server.cql_port, *QUESTIONS)
        self.assertEqual(server.stop(), 0)
        archive = self.root / "archive"
        self.cli("export", archive, "--data", self.data)
        self.assertTrue(self.interrupt_import(archive))
        # Through another node, then again: nothing changes, counters included.
        for url in URLS[1:]:
            self.assertIn("all of them are there", self.cli("import", archive, "--url", url, "--exclude", "system_auth"))
        for address in ADDRESSES:
            self.assertEqual(ask(9042, *QUESTIONS, address=address), before)

        out = self.root / "out"
        self.cli("export", out, "--url", URLS[2])
        self.cli("import", out, "--data", self.root / "single")
        again = self.start("--durability", "os", data=self.root / "single", cassandra_port="any")
        self.assertEqual(ask(again.cql_port, *QUESTIONS), before)
        orders = harness.Container(again, "movedb", "orders")
        self.assertEqual(len(orders.scan()), ITEMS)


if __name__ == "__main__":
    harness.BINARY = sys.argv.pop(1)
    unittest.main(verbosity=2)
