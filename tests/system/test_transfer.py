"""`orrery export --from` and `orrery import` of files and of live databases, with this server as the source."""
import json
import pathlib
import signal
import struct
import subprocess
import sys
import time

import harness
import mongo_wire
from cql_wire import Connection as CqlConnection

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "spec"))

import sql_client

KEYSPACE = "CREATE KEYSPACE shop WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}"
FLAGS = ("--mongo-port", "any,any", "--table-port", "any,any", "--gremlin-port", "any,any", "--durability", "os",
         "--sql-default-throughput", "0")


class Transfer(harness.OrreryTest):
    def serve(self, name):
        return self.start(*FLAGS, data=self.root / name, cassandra_port="any,any")

    def setUp(self):
        super().setUp()
        self.source, self.target = self.serve("source"), self.serve("target")
        self.folder = self.root / "files"

    def client(self, server):
        client = sql_client.Client(server.url, server.key)
        self.addCleanup(client.close)
        return client

    def account(self, server):
        return f"AccountEndpoint={server.url}/;AccountKey={server.key};"

    def run_cli(self, *arguments):
        done = self.target.cli(*arguments)
        self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
        return done.stdout

    def fill_sql(self, server, count=2500):
        client = self.client(server)
        client.ask("POST", "/dbs", {"x-ms-offer-throughput": "20000"}, '{"id": "shop"}')
        client.ask("POST", "/dbs/shop/colls", {}, json.dumps({
            "id": "orders", "partitionKey": {"paths": ["/customer"], "version": 2}, "defaultTtl": 100000,
            "uniqueKeyPolicy": {"uniqueKeys": [{"paths": ["/number"]}]},
            "indexingPolicy": {"indexingMode": "consistent", "includedPaths": [{"path": "/*"}], "excludedPaths": [{"path": "/note/?"}]}}))
        client.ask("POST", "/dbs/shop/colls", {"x-ms-offer-throughput": "700"},
                   '{"id": "empty", "partitionKey": {"paths": ["/a", "/b"], "kind": "MultiHash", "version": 2}}')
        client.ask("POST", "/dbs/shop/colls/orders/sprocs", {}, '{"id": "bump", "body": "function bump() { return 1; }"}')
        client.ask("POST", "/dbs/shop/colls/orders/udfs", {}, '{"id": "tax", "body": "function tax(n) { return n * 1.2; }"}')
        client.ask("POST", "/dbs/shop/colls/orders/triggers", {}, json.dumps({
            "id": "stamp", "body": "function stamp() {}", "triggerType": "Pre", "triggerOperation": "Create"}))
        client.ask("POST", "/dbs/shop/users", {}, '{"id": "ann"}')
        client.ask("POST", "/dbs/shop/users/ann/permissions", {},
                   '{"id": "read", "permissionMode": "Read", "resource": "dbs/shop/colls/orders"}')
        for start in range(0, count, 100):
            body = [{"operationType": "Create", "resourceBody": {
                "id": f"ö{i}", "customer": f"c{i % 7}", "number": i, "price": i / 4, "deep": {"list": [i, None, "x"], "b": True}}}
                for i in range(start, min(start + 100, count))]
            while body:
                answers = client.ask("POST", "/dbs/shop/colls/orders/docs", {
                    "x-ms-cosmos-is-batch-request": "true", "x-ms-cosmos-batch-atomic": "false",
                    "x-ms-cosmos-batch-continue-on-error": "true"}, json.dumps(body))
                self.assertLessEqual({each["statusCode"] for each in answers}, {201, 429})
                body = [each for each, answer in zip(body, answers) if answer["statusCode"] == 429]

    def documents(self, server, container="orders"):
        rows = {}
        for page in self.client(server).pages(f"/dbs/shop/colls/{container}/docs", "SELECT * FROM c", page=1000):
            for row in page.json()["Documents"]:
                rows[row["id"]] = {name: value for name, value in row.items() if not name.startswith("_")}
        return rows

    # The SQL API.
    def test_an_account(self):
        self.fill_sql(self.source)
        said = self.run_cli("import", self.folder, "--from", self.account(self.source))
        self.assertIn("shop/orders: 2500 documents\n", said)
        self.assertIn("sql/shop/orders.ndjson: all 2500 items are there\n", said)
        self.assertRegex(said, r"imported 25\d\d items of 3 files\n")
        self.assertEqual(self.documents(self.target), self.documents(self.source))
        self.assertEqual(len(self.documents(self.target)), 2500)
        here, there = self.client(self.source), self.client(self.target)
        for path in ("/dbs/shop/colls/orders", "/dbs/shop/colls/empty"):
            for field in ("partitionKey", "indexingPolicy", "uniqueKeyPolicy", "defaultTtl"):
                self.assertEqual(there.ask("GET", path).get(field), here.ask("GET", path).get(field), field)
        for path, field in (("sprocs/bump", "body"), ("udfs/tax", "body"), ("triggers/stamp", "triggerType")):
            path = "/dbs/shop/colls/orders/" + path
            self.assertEqual(there.ask("GET", path)[field], here.ask("GET", path)[field])
        self.assertEqual(there.ask("GET", "/dbs/shop/users/ann/permissions/read")["resource"], "dbs/shop/colls/orders")
        rates = {each["content"]["offerThroughput"] for each in there.ask("GET", "/offers")["Offers"]}
        self.assertLessEqual({20000, 700}, rates)
        # A seed for others.
        third = self.start(*FLAGS, "--seed", str(self.folder), data=self.root / "third", cassandra_port="any,any")
        self.assertEqual(self.documents(third), self.documents(self.source))

    def test_an_export_goes_on_where_it_was_interrupted(self):
        self.fill_sql(self.source, 5500)
        part = self.folder / "sql/shop/.orders.ndjson.part"
        command = [harness.BINARY, "export", str(self.folder), "--from", self.account(self.source)]
        for _ in range(3):
            process = subprocess.Popen(command, env=harness.clean_environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            deadline = time.monotonic() + harness.PATIENCE_S
            while process.poll() is None and not (part.exists() and part.stat().st_size > 0) and time.monotonic() < deadline:
                pass
            process.send_signal(signal.SIGKILL)
            process.wait()
        said = self.run_cli("export", self.folder, "--from", self.account(self.source))
        self.assertRegex(said, r"exported \d+ items of 2 containers of http")
        lines = (self.folder / "sql/shop/orders.ndjson").read_text().splitlines()
        self.assertEqual(len(lines), 5500)
        self.assertEqual(len({json.loads(line)["id"] for line in lines}), 5500)
        self.assertFalse(part.exists())
        # What is there is not read again.
        self.assertIn("shop/orders: is there already\n", self.run_cli("export", self.folder, "--from", self.account(self.source)))

    def test_what_did_not_arrive_is_found(self):
        self.fill_sql(self.source, 300)
        self.run_cli("import", self.folder, "--from", self.account(self.source))
        self.assertEqual([path.name for path in self.folder.glob(".imported-*")], [])
        file = self.folder / "sql/shop/orders.ndjson"
        first = json.loads(file.read_text().splitlines()[0])
        # As if another writer had been there: noted as loaded, and then not as the file has it.
        self.assertEqual(self.target.cli("import", self.folder, "--no-verify").returncode, 0)
        key = {"x-ms-documentdb-partitionkey": json.dumps([first["customer"]]), "x-ms-documentdb-is-upsert": "true"}
        self.client(self.target).ask("POST", "/dbs/shop/colls/orders/docs", key, json.dumps({**first, "price": -1}))
        self.assertFails(self.target.cli("import", self.folder), "1 of the 300 items of sql/shop/orders.ndjson are not on the server")

    # Files.
    def test_files(self):
        (self.folder / "mongo/app").mkdir(parents=True)
        (self.folder / "cassandra/ks").mkdir(parents=True)
        (self.folder / "containers.yaml").write_text("databases: {shop: {containers: {orders: {partitionKey: /customer}}}}\n"
                                                     "tables: {People: {}}\ngraphs: {social/towns: {partitionKey: /country}}\n")
        (self.folder / "shop.orders.csv").write_text("customer,n\na,1\nb,2\n")
        (self.folder / "mongo/app/carts.json").write_text('{"_id": {"$oid": "507f1f77bcf86cd799439011"}, "at": {"$date": "2024-01-01T00:00:00Z"}}\n{"n": 1}\n')
        (self.folder / "schema.cql").write_text(KEYSPACE.replace("shop", "ks") + "; CREATE TABLE ks.t (a int PRIMARY KEY, b text);")
        (self.folder / "cassandra/ks/t.json").write_text('{"a": 1, "b": "x"}\n')
        (self.folder / "tables").mkdir()
        (self.folder / "tables/People.json").write_text('[{"PartitionKey": "p", "RowKey": "1", "n": 1}]')
        (self.folder / "social").mkdir()
        (self.folder / "social/towns.gremlin").write_text("g.addV('town').property('id', 'york').property('country', 'UK')\n")
        said = self.run_cli("import", self.folder)
        self.assertIn("4 items of 2 files were compared: all of them are there\n", said)
        self.assertIn("5 files with definitions, statements or entities were not compared\n", said)
        self.assertEqual(sorted(row["n"] for row in self.documents(self.target).values()), [1, 2])
        # Again is no error, and changes nothing; but traversals run as they stand.
        (self.folder / "social/towns.gremlin").unlink()
        self.run_cli("import", self.folder)
        self.assertEqual(len(self.documents(self.target)), 2)
        answer = self.run_cli("import", self.folder, "--json")
        self.assertEqual(json.loads(answer)["compared"], 4)

    def test_errors_name_file_and_line(self):
        (self.folder / "shop").mkdir(parents=True)
        (self.folder / "containers.yaml").write_text("databases: {shop: {containers: {orders: {partitionKey: /customer}}}}\n")
        (self.folder / "shop/orders.ndjson").write_text('{"id": "1", "customer": "a"}\n{"id": "2", "customer"\n')
        self.assertFails(self.target.cli("import", self.folder), "shop/orders.ndjson:2:")
        self.assertFails(self.target.cli("import", self.folder / "nothing"), "nothing")
        self.assertFails(self.target.cli("import", self.folder, "--data", self.root / "x"), "running server")

    def test_sources_that_make_no_sense(self):
        self.assertFails(self.target.cli("export", self.folder, "--from", "postgres://host"), "AccountEndpoint=")
        self.assertFails(self.target.cli("export", self.folder, "--from", "AccountEndpoint=http://127.0.0.1:1/;AccountKey=a2V5;"), "127.0.0.1")
        wrong = self.target.cli("export", self.folder, "--from", f"AccountEndpoint={self.source.url}/;AccountKey=a2V5a2V5;")
        self.assertFails(wrong, "401")
        self.assertNotIn("a2V5a2V5", wrong.stderr + wrong.stdout)

    # MongoDB.
    def test_mongo(self):
        connection = mongo_wire.Connection(self.source.mongo_port)
        self.addCleanup(connection.close)
        ids = [*range(1500), *(f"text {i}" for i in range(1500)), {"a": 1}, 2.5, True]
        for start in range(0, len(ids), 1000):
            connection.ask({"insert": "carts", "$db": "app", "documents": [
                {"_id": each, "n": mongo_wire.Long(7), "list": [1, {"x": 1.5}]} for each in ids[start:start + 1000]]})
        connection.ask({"createIndexes": "carts", "$db": "app", "indexes": [{"key": {"n": 1}, "name": "by n"}]})
        connection.ask({"create": "view", "$db": "app", "viewOn": "carts", "pipeline": []})
        connection.ask({"insert": "other", "$db": "elsewhere", "documents": [{"_id": 1}]})
        url = f"mongodb://127.0.0.1:{self.source.mongo_port}"
        said = self.run_cli("import", self.folder, "--from", url, "--database", "app")
        self.assertIn(f"app.carts: {len(ids)} documents\n", said)
        self.assertIn("left out: app.view: it is a view\n", said)
        self.assertIn(f"{len(ids)} items of 1 files were compared", said)
        there = mongo_wire.Connection(self.target.mongo_port)
        self.addCleanup(there.close)
        self.assertEqual(there.ask({"count": "carts", "$db": "app"})["n"], len(ids))
        self.assertEqual(there.ask({"find": "carts", "$db": "app", "filter": {"_id": {"a": 1}}})["cursor"]["firstBatch"],
                         [{"_id": {"a": 1}, "n": 7, "list": [1, {"x": 1.5}]}])
        names = {each["name"] for each in there.ask({"listIndexes": "carts", "$db": "app"})["cursor"]["firstBatch"]}
        self.assertEqual(names, {"_id_", "by n"})
        self.assertFalse((self.folder / "dump/elsewhere").exists())

    # Cassandra.
    def test_cassandra(self):
        connection = CqlConnection(self.source.cql_port)
        for statement in (KEYSPACE, "CREATE TYPE shop.place (city text, at frozen<tuple<double, double>>)",
                          "CREATE TABLE shop.t (a int, b text, c map<text, int>, d blob, e timestamp, f place, g set<uuid>, "
                          "s text static, PRIMARY KEY (a, b)) WITH CLUSTERING ORDER BY (b DESC)",
                          "CREATE INDEX ON shop.t (e)", "CREATE TABLE shop.hits (a int PRIMARY KEY, n counter)",
                          "UPDATE shop.hits SET n = n + 1 WHERE a = 1"):
            answer = connection.query(statement)
            self.assertFalse(answer.is_error(), answer)
        for i in range(2300):
            answer = connection.query(
                f"INSERT INTO shop.t (a, b, c, d, e, f, g, s) VALUES ({i % 50}, 'it''s {i}', {{'k': {i}}}, 0x{i:08x}, {1700000000000 + i}, "
                f"{{city: 'Köln', at: ({i}.5, -1)}}, {{00000000-0000-0000-0000-{i:012x}}}, 'static {i % 50}')")
            self.assertFalse(answer.is_error(), answer)
        said = self.run_cli("import", self.folder, "--from", f"cassandra://127.0.0.1:{self.source.cql_port}")
        self.assertIn("shop.t: 2300 rows\n", said)
        self.assertIn("left out: rows of shop.hits: counters cannot be inserted\n", said)
        self.assertIn("2300 items of 1 files were compared", said)
        there = CqlConnection(self.target.cql_port)
        for query in ("SELECT count(*) FROM shop.t", "SELECT JSON * FROM shop.t WHERE a = 7", "SELECT * FROM shop.t WHERE e = 1700000000077"):
            here, now = connection.query(query), there.query(query)
            self.assertFalse(now.is_error(), now)
            self.assertEqual(now.body, here.body, query)
        self.assertEqual(struct.unpack(">q", there.query("SELECT count(*) FROM shop.t").body[-8:])[0], 2300)


if __name__ == "__main__":
    import unittest
    unittest.main()
