"""`orrery export` and `orrery import`: everything a server has, in another server, with its times."""
import json

import cql_wire as cql
from harness import Container, OrreryTest, run_cli

SCHEMA = (
    "CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
    "CREATE TYPE ks.place (street text, number int)",
    "CREATE TABLE ks.t (k int, c int, s text STATIC, v text, l list<int>, p frozen<place>, PRIMARY KEY (k, c))",
    "CREATE INDEX by_v ON ks.t (v)",
    "CREATE MATERIALIZED VIEW ks.by_c AS SELECT k, c, v FROM ks.t WHERE c IS NOT NULL AND k IS NOT NULL PRIMARY KEY (c, k)",
    "CREATE TABLE ks.hits (k text PRIMARY KEY, n counter)",
    "CREATE TABLE ks.plain (k text PRIMARY KEY, v blob)",
)
CHANGES = (
    "UPDATE ks.t USING TIMESTAMP 50 SET s = 'static' WHERE k = 3",
    "INSERT INTO ks.t (k, c, v) VALUES (4, 1, 'mortal') USING TTL 86400",
    "UPDATE ks.t USING TIMESTAMP 2000 SET l = [1, 2, 3], p = {street: 'x', number: 7} WHERE k = 5 AND c = 1",
    "DELETE v FROM ks.t USING TIMESTAMP 3000 WHERE k = 5 AND c = 2",
    "DELETE FROM ks.t USING TIMESTAMP 3000 WHERE k = 6 AND c > 2",
    "DELETE FROM ks.t USING TIMESTAMP 3000 WHERE k = 7",
    "INSERT INTO ks.t (k, c, v) VALUES (7, 1, 'after') USING TIMESTAMP 4000",
    "UPDATE ks.hits SET n = n + 41 WHERE k = 'a'",
    "UPDATE ks.hits SET n = n + 1 WHERE k = 'a'",
    "UPDATE ks.hits SET n = n - 5 WHERE k = 'b'",
    "INSERT INTO ks.plain (k, v) VALUES ('k', 0x00ff) USING TIMESTAMP -7",
)
QUESTIONS = (
    "SELECT k, c, s, v, l, p, writetime(s), writetime(v) FROM ks.t",
    "SELECT c, k, v, writetime(v) FROM ks.by_c",
    "SELECT k, c FROM ks.t WHERE v = 'v7'",
    "SELECT * FROM ks.hits",
    "SELECT k, v, writetime(v) FROM ks.plain",
    "SELECT table_name, id FROM system_schema.tables WHERE keyspace_name = 'ks'",
    "SELECT * FROM system_schema.types WHERE keyspace_name = 'ks'",
)


def ask(server, *statements):
    """The answers' bytes: the same bytes mean the same rows."""
    with cql.Connection(server.cql_port) as connection:
        answers = [connection.query(statement) for statement in statements]
    for statement, answer in zip(statements, answers):
        if answer.is_error():
            raise AssertionError(f"{statement}: {answer}")
    return [answer.body for answer in answers]


class ExportImport(OrreryTest):
    def setUp(self):
        super().setUp()
        self.archive = self.root / "archive"

    def fill(self):
        """A server with rows and documents."""
        server = self.start(cassandra_port="any")
        ask(server, *SCHEMA)
        ask(server, *(f"INSERT INTO ks.t (k, c, v) VALUES ({k}, {c}, 'v{k}') USING TIMESTAMP {1000 + k}"
                      for k in range(10) for c in range(5)), *CHANGES)
        orders = self.make_container(server, "orders", uniqueKeys=[["/mail"]])
        for n in range(300):
            self.assertStatus(201, orders.create({"id": str(n), "pk": f"p{n % 7}", "mail": f"m{n}", "text": "x" * n}))
        mortal = self.make_container(server, "mortal", defaultTtl=86400)
        self.assertStatus(201, mortal.create({"id": "1", "pk": "a"}))
        self.make_container(server, "metered", throughput={"manual": 1000})
        self.make_container(server, "empty")
        return server

    def stored(self, server, name):
        items = [item for page in Container(server, "db", name).pages("scan") for item in page["items"]]
        return sorted((item["document"]["id"], item["timeMicros"], json.dumps(item["document"])) for item in items)

    def assertSame(self, before, server):
        rows, documents = before
        self.assertEqual(ask(server, *QUESTIONS), rows)
        for name, items in documents.items():
            self.assertEqual(self.stored(server, name), items)

    def picture(self, server):
        return ask(server, *QUESTIONS), {name: self.stored(server, name) for name in ("orders", "mortal", "empty")}

    def succeed(self, outcome):
        self.assertEqual(outcome.returncode, 0, outcome.stderr + outcome.stdout)
        return outcome.stdout

    def test_from_a_directory_into_a_server(self):
        source = self.fill()
        before = self.picture(source)
        self.assertFails(run_cli("export", self.archive, "--data", self.data), "another")
        self.assertEqual(source.stop(), 0)
        self.assertIn("exported", self.succeed(run_cli("export", self.archive, "--data", self.data)))
        self.assertFails(run_cli("export", self.archive, "--data", self.data), "finished")

        target = self.start(data=self.root / "target", cassandra_port="any")
        self.assertIn("all of them are there", self.succeed(target.cli("import", self.archive)))
        self.assertSame(before, target)
        self.assertEqual(target.admin("GET", "databases/db/containers/metered/throughput").json()["throughput"],
                         {"manual": 1000})
        # Again: nothing changes, counters included.
        self.succeed(target.cli("import", self.archive))
        self.assertSame(before, target)
        # What is written now has its place.
        ask(target, "INSERT INTO ks.t (k, c, v) VALUES (100, 1, 'new')", "UPDATE ks.hits SET n = n + 1 WHERE k = 'a'")
        self.assertFails(target.cli("import", self.archive), "is not what the archive has")

    def test_from_a_server_into_a_directory(self):
        source = self.fill()
        before = self.picture(source)
        self.succeed(source.cli("export", self.archive))
        self.succeed(run_cli("import", self.archive, "--data", self.root / "target"))
        target = self.start(data=self.root / "target", cassandra_port="any")
        self.assertSame(before, target)

    def test_an_interrupted_import_goes_on(self):
        source = self.fill()
        before = self.picture(source)
        self.succeed(source.cli("export", self.archive))
        target = self.start(data=self.root / "target", cassandra_port="any")
        # Damage stops it on the way; the message names the file.
        last = sorted(self.archive.glob("*/*.seg"))[-1]
        good = last.read_bytes()
        last.write_bytes(good[:-3])
        self.assertFails(target.cli("import", self.archive), str(last), "damaged")
        self.assertTrue(list(self.archive.glob("imported-*")))
        last.write_bytes(good)
        self.succeed(target.cli("import", self.archive))
        self.assertSame(before, target)
        self.assertFalse(list(self.archive.glob("imported-*")))

    def test_an_interrupted_export_goes_on(self):
        source = self.fill()
        self.succeed(source.cli("export", self.archive))
        whole = {path.name: path.read_bytes() for path in self.archive.glob("*/*.seg")}
        (self.archive / "manifest").unlink()
        last = sorted(self.archive.glob("*/*.seg"))[-1]
        last.unlink()
        self.assertFails(run_cli("import", self.archive, "--data", self.root / "t"), "was not finished")
        self.succeed(source.cli("export", self.archive))
        self.assertEqual({path.name: path.read_bytes() for path in self.archive.glob("*/*.seg")}, whole)

    def test_mistakes(self):
        source = self.fill()
        self.succeed(source.cli("export", self.archive))
        self.assertFails(run_cli("import", self.archive, "--url", source.url, "--key", "d3Jvbmc="), "does not take this key")
        self.assertFails(run_cli("import", self.root / "nothing", "--url", source.url), "nothing")
        self.assertFails(run_cli("import", self.data, "--url", source.url), "not an archive")
        self.assertFails(run_cli("export", self.root / "new", "--data", self.root / "nothing"), "not a data directory")
        self.assertFails(source.cli("export", self.data), "not an archive")
        target = self.start(data=self.root / "target")
        self.make_container(target, "orders", defaultTtl=5)
        self.assertFails(target.cli("import", self.archive), "db/orders", "other settings", "--exclude db")
        self.assertIn("all of them", self.succeed(target.cli("import", self.archive, "--exclude", "db")))
