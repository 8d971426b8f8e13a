"""What the stored fixtures of test_upgrade.py hold: `write` makes it through all APIs, `check` reads it back.

To keep the data of a version for later ones:  upgrade_data.py BINARY fixtures/NAME.tar.xz
A fixture that is there is never made again: it is what that version wrote.
"""
import json
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import urllib.request

import cql_wire
import harness
import mongo_wire

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "spec"))

import sql_client  # noqa: E402
import table_client  # noqa: E402

COLLECTION = "/dbs/shop/colls/orders"
KEYSPACE = "CREATE KEYSPACE shop_cql WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}"
CQL = (KEYSPACE,
       "CREATE TYPE shop_cql.place (street text, number int)",
       "CREATE TABLE shop_cql.orders (shop text, id int, tags set<text>, marks map<text, int>, at frozen<place>, "
       "note text static, PRIMARY KEY (shop, id)) WITH CLUSTERING ORDER BY (id DESC)",
       "CREATE INDEX by_tag ON shop_cql.orders (tags)",
       "CREATE TABLE shop_cql.hits (page text PRIMARY KEY, n counter)",
       "INSERT INTO shop_cql.orders (shop, note) VALUES ('a', 'static')",
       *(f"INSERT INTO shop_cql.orders (shop, id, tags, marks, at) VALUES ('a', {i}, {{'t{i % 2}', 'all'}}, "
         f"{{'m': {i}}}, {{street: 's', number: {i}}})" for i in range(20)),
       "DELETE FROM shop_cql.orders WHERE shop = 'a' AND id = 7",
       "UPDATE shop_cql.hits SET n = n + 5 WHERE page = 'p'")


class Clients:
    def __init__(self, server):
        self.sql = sql_client.Client(server.url, server.key)
        self.tables = table_client.Client(f"http://127.0.0.1:{server.table_port}", "localhost", server.key)
        self.cql_port, self.mongo_port = server.cql_port, server.mongo_port
        self.gremlin_url = f"http://127.0.0.1:{server.gremlin_port}/gremlin"

    def cql(self, *statements):
        """The bodies of the answers."""
        with cql_wire.Connection(self.cql_port) as connection:
            answers = [connection.query(statement) for statement in statements]
        for statement, answer in zip(statements, answers):
            if answer.is_error():
                raise AssertionError(f"{statement}: {answer}")
        return [answer.body for answer in answers]

    def mongo(self, **command):
        connection = mongo_wire.Connection(self.mongo_port)
        reply = connection.ask({**command, "$db": "shop_mongo"})
        connection.close()
        if reply.get("ok") != 1.0:
            raise AssertionError(f"{command}: {reply}")
        return reply

    def gremlin(self, script):
        request = urllib.request.Request(self.gremlin_url, json.dumps({"gremlin": script}).encode(),
                                         {"content-type": "application/json"})
        with urllib.request.urlopen(request, timeout=harness.PATIENCE_S) as answer:
            return json.dumps(json.load(answer)["result"]["data"])


def write(server):
    clients = Clients(server)
    sql = clients.sql
    sql.ask("POST", "/dbs", {}, json.dumps({"id": "shop"}))
    sql.ask("POST", "/dbs/shop/colls", {"x-ms-offer-throughput": "1000"}, json.dumps({
        "id": "orders", "partitionKey": {"paths": ["/shop"], "kind": "Hash", "version": 2},
        "uniqueKeyPolicy": {"uniqueKeys": [{"paths": ["/number"]}]}, "defaultTtl": -1}))
    for i in range(30):
        sql.ask("POST", COLLECTION + "/docs", {"x-ms-documentdb-partitionkey": json.dumps([f"s{i % 3}"])},
                json.dumps({"id": f"o{i}", "shop": f"s{i % 3}", "number": i, "lines": [{"sku": "x", "n": i}],
                            "text": "ü" * 50}))
    sql.ask("DELETE", COLLECTION + "/docs/o4", {"x-ms-documentdb-partitionkey": '["s1"]'})
    sql.ask("POST", COLLECTION + "/sprocs", {}, json.dumps(
        {"id": "hello", "body": "function (who) { getContext().getResponse().setBody('hello ' + who); }"}))
    clients.cql(*CQL)
    clients.mongo(insert="orders", documents=[{"_id": i, "shop": f"s{i % 3}", "n": i} for i in range(20)])
    clients.mongo(createIndexes="orders", indexes=[{"key": {"shop": 1, "n": 1}, "name": "by_shop"}])
    clients.tables.ask("POST", "/Tables", {}, json.dumps({"TableName": "People"}))
    clients.tables.ask("POST", "/People", {}, json.dumps({"PartitionKey": "Smith", "RowKey": "Ben", "age": 33}))
    clients.gremlin("g.addV('person').property(id, 'ada').property('name', 'Ada').as('a')"
                    ".addV('person').property(id, 'bob').property('name', 'Bob').addE('knows').from('a')")


def check(test, server):
    """By `test`'s assertions. May be called again after it has written something of its own."""
    clients = Clients(server)
    sql = clients.sql
    read = sql.ask("GET", COLLECTION + "/docs/o5", {"x-ms-documentdb-partitionkey": '["s2"]'})
    test.assertEqual((read["number"], read["lines"], read["text"]), (5, [{"sku": "x", "n": 5}], "ü" * 50))
    rows = [row for page in sql.pages(COLLECTION + "/docs", "SELECT VALUE c.id FROM c WHERE c.number < 10 AND c.number >= 0")
            for row in page.json()["Documents"]]
    test.assertEqual(sorted(rows), sorted(f"o{i}" for i in range(10) if i != 4))
    taken = sql.request("POST", COLLECTION + "/docs", {"x-ms-documentdb-partitionkey": '["s0"]'},
                        json.dumps({"id": "other", "shop": "s0", "number": 3}))
    test.assertEqual(taken.status, 409)
    done = sql.request("POST", COLLECTION + "/sprocs/hello", {"x-ms-documentdb-partitionkey": '["s0"]'}, '["you"]')
    test.assertEqual((done.status, done.json()), (200, "hello you"))

    body = clients.cql("SELECT count(*) FROM shop_cql.orders WHERE shop = 'a'",
                       "SELECT id, note, marks, at FROM shop_cql.orders WHERE shop = 'a' LIMIT 1",
                       "SELECT count(*) FROM shop_cql.orders WHERE tags CONTAINS 't1'",
                       "SELECT n FROM shop_cql.hits WHERE page = 'p'")
    test.assertTrue(body[0].endswith((19).to_bytes(8, "big")), body[0])
    test.assertIn(b"static", body[1])
    test.assertIn((19).to_bytes(4, "big"), body[1])
    test.assertTrue(body[2].endswith((9).to_bytes(8, "big")), body[2])
    test.assertGreaterEqual(int.from_bytes(body[3][-8:], "big"), 5)

    found = clients.mongo(find="orders", filter={"shop": "s1", "n": {"$gte": 7}}, sort={"n": 1})["cursor"]["firstBatch"]
    test.assertEqual([each["_id"] for each in found], [7, 10, 13, 16, 19])
    names = [each["name"] for each in clients.mongo(listIndexes="orders")["cursor"]["firstBatch"]]
    test.assertEqual(sorted(names), ["_id_", "by_shop"])

    test.assertEqual(clients.tables.ask("GET", "/People(PartitionKey='Smith',RowKey='Ben')").json()["age"], 33)
    test.assertIn("Bob", clients.gremlin("g.V('ada').out('knows').values('name')"))
    test.assertIn("Ada", clients.gremlin("g.V('bob').in('knows').values('name')"))


def write_more(server, round_number):
    """As much as shows that the data can still be written."""
    clients = Clients(server)
    clients.sql.ask("POST", COLLECTION + "/docs", {"x-ms-documentdb-partitionkey": '["s0"]'},
                    json.dumps({"id": f"more{round_number}", "shop": "s0", "number": 1000 + round_number}))
    clients.cql(f"INSERT INTO shop_cql.orders (shop, id) VALUES ('b', {round_number})",
                "UPDATE shop_cql.hits SET n = n + 1 WHERE page = 'p'")
    clients.mongo(insert="orders", documents=[{"_id": 1000 + round_number, "shop": "other"}])


PORTS = ("--mongo-port", "any,any", "--gremlin-port", "any,any", "--table-port", "any,any", "--sql-direct-port", "0")


def main():
    binary, target = sys.argv[1:]
    if pathlib.Path(target).exists():
        sys.exit(f"{target} is there already")
    harness.BINARY = binary
    with tempfile.TemporaryDirectory() as folder:
        data = pathlib.Path(folder) / "data"
        server = harness.Server(data, *PORTS, cassandra_port="any,any")
        write(server)
        server.kill()  # so that the logs are part of it
        for spare in data.rglob("SPARE"):
            spare.unlink()
        with tarfile.open(target, "w:xz") as archive:
            archive.add(data, "data")
    print(subprocess.run(["ls", "-l", target], capture_output=True, text=True).stdout)


if __name__ == "__main__":
    main()
