"""--seed: databases and data from files, before the server is ready."""
import http.client
import json
import os
import pathlib
import struct
import sys
import tempfile
import time
import unittest

import harness

CONTAINERS = """
# What the application expects.
databases:
  shop:
    throughput: 1000
    containers:
      orders:
        partitionKey: /customer
        throughput: 400
        defaultTtl: -1
        indexingPolicy: {includedPaths: [{path: /*}], excludedPaths: [{path: /note/?}]}
        uniqueKeys: [[/number]]
        storedProcedures:
          hello: hello.js
        userDefinedFunctions:
          double: |
            function double(n) {
              return n * 2;
            }
      places:
        partitionKey: [/country, /city]
    users:
      ann:
        read-orders: {container: orders, mode: Read}
collections:
  app.carts: {shardKey: region, indexes: [{key: {at: 1}}]}
tables:
  People: {throughput: 800}
graphs:
  social/people: {partitionKey: /country}
"""

CQL = """-- a comment; with a semicolon
CREATE KEYSPACE uprofile WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};
CREATE TABLE uprofile.user (name text, id int, tags set<text>, "When" timestamp, PRIMARY KEY (name, id));
BEGIN BATCH
  INSERT INTO uprofile.user (name, id) VALUES ('semi;colon', 1);
  INSERT INTO uprofile.user (name, id) VALUES ('semi;colon', 2);
APPLY BATCH;
"""

GREMLIN = """// Two towns
g.addV('town').property('id', 'york').property('country', 'UK').property('name', 'York; old')
g.addV('town').property('id', 'bath')
  .property('country', 'UK');
g.V(['UK', 'york']).addE('road').to(g.V(['UK', 'bath']))
"""


def bson_document(fields):
    """int32, text and object ids are enough here."""
    body = b""
    for name, value in fields.items():
        key = name.encode() + b"\0"
        if isinstance(value, bytes):
            body += b"\x07" + key + value
        elif isinstance(value, int):
            body += b"\x10" + key + struct.pack("<i", value)
        else:
            text = value.encode() + b"\0"
            body += b"\x02" + key + struct.pack("<i", len(text)) + text
    return struct.pack("<i", len(body) + 5) + body + b"\0"


def write_files(root, files):
    for name, content in files.items():
        path = pathlib.Path(root) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


ALL = {
    "containers.yaml": CONTAINERS,
    "hello.js": "function hello(name) { getContext().getResponse().setBody('Hello ' + name); }",
    "README.md": "Passed over.",
    "schema.cql": CQL,
    "shop/orders.ndjson": '{"id": "1", "customer": "ann", "number": 1}\n\n{"id": "2", "customer": "bob", "number": 2}\n',
    "shop.places.csv": 'id,country,city,size.km2,code\n1,UK,York,271.9,007\n2,DE,"Bonn, am Rhein",141,"5"\n',
    "mongo/app/carts.json": '[{"_id": {"$oid": "65a1b2c3d4e5f60718293a4b"}, "region": "eu", "total": {"$numberDecimal": "9.95"},\n'
                            '  "at": {"$date": "2024-05-01T10:00:00Z"}},\n {"region": "us", "total": 3}]',
    "cassandra/uprofile/user.csv": 'name,id,tags,When\nann,7,"[""a"", ""b""]",2024-05-01\nbob,8,,\n',
    "tables/People.csv": "PartitionKey,RowKey,Age,Age@type,Name\nSmith,Ben,44,Edm.Int32,Ben\n",
    "social/people.gremlin": GREMLIN,
    "dump/legacy/items.bson": bson_document({"_id": b"0123456789ab", "name": "bolt", "n": 3}),
    "dump/legacy/items.metadata.json": '{"options": {}, "indexes": [{"v": {"$numberInt": "2"}, "key": {"_id": {"$numberInt": "1"}}, "name": "_id_"},'
                                       ' {"v": {"$numberInt": "2"}, "unique": true, "key": {"name": {"$numberInt": "1"}}, "name": "name_1"}]}',
}

PORTS = ("--mongo-port", "any", "--table-port", "any", "--gremlin-port", "any")


class Seed(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.seed = self.root / "seed"

    def serve(self, *flags, data=None):
        server = harness.Server(data or self.root / "data", "--seed", self.seed, *PORTS, *flags, cassandra_port="any,any")
        self.addCleanup(lambda: server.process.poll() is None and server.kill())
        return server

    def refused(self, *flags, data=None):
        """The message of a start that fails."""
        done = harness.run_cli("serve", "--data", data or self.root / "data", "--sql-port", "0", "--cassandra-port", "any",
                               *PORTS, "--seed", self.seed, *flags)
        self.assertEqual(done.returncode, 1, done.stderr)
        return done.stderr

    def scan(self, server, database, container):
        return harness.Container(server, database, container).scan()

    def check_all(self, server):
        self.assertEqual({order["id"]: order["customer"] for order in self.scan(server, "shop", "orders")},
                         {"1": "ann", "2": "bob"})
        places = {place["id"]: place for place in self.scan(server, "shop", "places")}
        self.assertEqual(places["1"]["size"], {"km2": 271.9})
        self.assertEqual((places["1"]["code"], places["2"]["code"], places["2"]["city"]), ("007", "5", "Bonn, am Rhein"))
        carts = {cart["region"]: cart for cart in self.scan(server, "app", "carts")}
        self.assertEqual(carts["eu"]["total"], {"$numberDecimal": "9.95"})
        self.assertEqual(len(carts), 2)
        self.assertEqual([item["name"] for item in self.scan(server, "legacy", "items")], ["bolt"])
        kinds = sorted(element["label"] for element in self.scan(server, "social", "people"))
        self.assertEqual(kinds, ["road", "town", "town"])

    def test_all_kinds_of_files_are_loaded_once(self):
        write_files(self.seed, ALL)
        server = self.serve()
        self.check_all(server)
        self.assertIn("seed: shop/orders.ndjson: 2 documents", server.stderr)
        connection = http.client.HTTPConnection("127.0.0.1", server.table_port, timeout=harness.PATIENCE_S)
        connection.request("GET", "/People(PartitionKey='Smith',RowKey='Ben')",
                           headers={"Authorization": "Bearer " + server.key, "Accept": "application/json;odata=nometadata"})
        entity = json.loads(connection.getresponse().read())
        self.assertEqual((entity["Age"], entity["Name"]), (44, "Ben"))
        self.assertEqual(server.stop(), 0)
        # The second start finds it loaded, traversals too, and does not load it again.
        again = self.serve()
        self.check_all(again)
        self.assertIn("loaded already", again.stderr)
        self.assertEqual(again.stop(), 0)

    def test_a_changed_file_is_loaded_again_and_the_rest_stays(self):
        write_files(self.seed, ALL)
        self.assertEqual(self.serve().stop(), 0)
        write_files(self.seed, {"shop/orders.ndjson": '{"id": "2", "customer": "bob", "number": 5}\n{"id": "3", "customer": "cy", "number": 3}'})
        server = self.serve()
        orders = {order["id"]: order["number"] for order in self.scan(server, "shop", "orders")}
        self.assertEqual(orders, {"1": 1, "2": 5, "3": 3})
        self.assertNotIn("people.gremlin", server.stderr)
        self.assertEqual(server.stop(), 0)

    def test_an_error_names_file_and_line_and_leaves_nothing(self):
        cases = {
            "shop/orders.ndjson": ('{"id": "1", "customer": "ann"}\n{"id": 5, "customer": "x"}\n', "shop/orders.ndjson:2:"),
            "shop/orders.json": ('[{"id": "1", "customer": "ann"},\n\n {"id": ]', "shop/orders.json:3:"),
            "a.cql": ("CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};\nSELEC;", "a.cql:2:"),
            "social/people.gremlin": ("g.addV('x').property('country', 'UK')\n\ng.V(", "social/people.gremlin:3:"),
            "mongo/app/x.json": ('{"a": {"$oid": "zz"}}', "mongo/app/x.json:1:"),
            "tables/People.csv": ("PartitionKey,RowKey\na,b\na\n", "tables/People.csv:3: 1 fields"),
            "nowhere/thing.json": ("{}", "there is no container nowhere/thing"),
            "containers.yaml": ("databases:\n  shop:\n    containers:\n      a: {partitionKey: /a}\n      a: {partitionKey: /b}\n",
                                "containers.yaml:5: 'a' is here for the second time"),
            "odd.xml": ("<a/>", "odd.xml: not a kind of file"),
            "dump/db/c.bson": (b"\x09\x00\x00\x00", "dump/db/c.bson"),
        }
        for name, (content, expected) in cases.items():
            with self.subTest(name=name), tempfile.TemporaryDirectory() as folder:
                self.seed = pathlib.Path(folder) / "seed"
                data = pathlib.Path(folder) / "data"
                write_files(self.seed, {"containers.yaml": CONTAINERS, "hello.js": ALL["hello.js"], name: content})
                self.assertIn(expected, self.refused(data=data))
                # The directory is as it was before: no data, and the next start finds nothing half-made.
                self.assertFalse((data / "system").exists() or (data / "seeding").exists())
                server = harness.Server(data)
                self.assertEqual(server.admin("GET", "databases").json()["databases"], [])
                self.assertEqual(server.stop(), 0)

    def test_an_error_leaves_the_data_of_before(self):
        write_files(self.seed, {"containers.yaml": CONTAINERS, "hello.js": ALL["hello.js"], "shop/orders.ndjson": ALL["shop/orders.ndjson"]})
        self.assertEqual(self.serve().stop(), 0)
        write_files(self.seed, {"shop/orders.ndjson": '{"id": "1", "customer": "ann", "number": 9}\n{"id": 5}\n'})
        self.assertIn("shop/orders.ndjson:2:", self.refused())
        server = harness.Server(self.root / "data")
        self.assertEqual({o["id"]: o["number"] for o in self.scan(server, "shop", "orders")}, {"1": 1, "2": 2})
        self.assertEqual(server.stop(), 0)

    def test_what_can_be_loaded_is_with_seed_continue(self):
        write_files(self.seed, {"containers.yaml": CONTAINERS, "hello.js": ALL["hello.js"],
                                "shop/orders.ndjson": '{"id": "1", "customer": "ann"}\n{"id": 5}\n{"id": "6", "customer": "ann", "number": 6}\n'})
        server = self.serve("--seed-continue")
        self.assertEqual(sorted(order["id"] for order in self.scan(server, "shop", "orders")), ["1", "6"])
        self.assertEqual(server.stop(), 0)
        self.assertIn("shop/orders.ndjson:2:", server.stderr)

    def test_a_start_that_was_killed_in_the_middle_is_made_good(self):
        write_files(self.seed, ALL)
        server = self.serve()
        self.assertEqual(server.stop(), 0)
        data = self.root / "data"
        # As a crash leaves it between the two renames of the adoption.
        os.makedirs(data / "seeding")
        os.makedirs(data / "retired")
        os.rename(data / "partitions", data / "seeding" / "partitions")
        (data / "ADOPT").touch()
        again = self.serve()
        self.check_all(again)
        self.assertEqual(again.stop(), 0)
        self.assertFalse((data / "ADOPT").exists() or (data / "seeding").exists() or (data / "retired").exists())
        # Without ADOPT what was being made is forgotten.
        os.makedirs(data / "seeding" / "system")
        third = self.serve()
        self.check_all(third)
        self.assertEqual(third.stop(), 0)
        self.assertFalse((data / "seeding").exists())

    def test_run_and_memory(self):
        write_files(self.seed, ALL)
        script = ("import json,os,urllib.request as u\n"
                  "r=u.Request(os.environ['ORRERY_URL']+'_admin/v1/databases',headers={'Authorization':'Bearer '+os.environ['ORRERY_KEY']})\n"
                  "print(sorted(d['id'] for d in json.load(u.urlopen(r))['databases']))")
        done = harness.run_cli("run", "--seed", self.seed, "--", sys.executable, "-c", script)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("'shop'", done.stdout)

    def test_many_documents(self):
        count = 20_000
        write_files(self.seed, {
            "containers.yaml": "databases: {d: {containers: {c: {partitionKey: /pk}}}}",
            "d/c.ndjson": "".join('{"id":"%d","pk":"%d","name":"item %d","price":%d.5}\n' % (i, i % 100, i, i) for i in range(count))})
        begin = time.monotonic()
        server = self.serve("--sql-default-throughput", "0", data="memory")
        print(f"{count} documents: {time.monotonic() - begin:.2f} s", file=sys.stderr)
        self.assertIn("seed: d/c.ndjson: 20,000 documents", server.stderr)
        self.assertEqual(server.stop(), 0)


if __name__ == "__main__":
    unittest.main()
