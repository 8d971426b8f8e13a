"""Queries in the languages of the APIs through the admin interface, and what their charges consist of."""
import base64
import json
import os
import pathlib
import sys
import threading

import cql_wire

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "spec"))

import table_client
from harness import OrreryTest, PATIENCE_S

SMALL = ("--limit-partition-rate", "1000", "--limit-rate", "100000")


class QueryTest(OrreryTest):
    def run_query(self, api, text, status=200, key="", **question):
        answer = self.server.admin("POST", "query", {"api": api, "text": text, **question}, key=key)
        return self.assertStatus(status, answer).json()

    def pages(self, api, text, **question):
        """All rows and documents."""
        found, continuation = [], ""
        while True:
            page = self.run_query(api, text, continuation=continuation, **question)
            found += page["rows"] + page["documents"]
            continuation = page["continuation"]
            if not continuation:
                return found

    def assertExplained(self, answer):
        explanation = answer["explanation"]
        self.assertEqual(explanation["total"], answer["charge"])
        self.assertEqual(round(sum(round(part["charge"] * 100) for part in explanation["parts"])),
                         round(answer["charge"] * 100), explanation)
        return explanation


class Sql(QueryTest):
    def setUp(self):
        super().setUp()
        self.server = self.start(*SMALL)
        self.container = self.make_container(self.server, name="orders", database="shop",
                                             throughput={"manual": 3000})
        for i in range(60):
            self.container.upsert({"id": str(i), "pk": f"customer{i % 6}", "total": i})
        self.place = {"database": "shop", "container": "orders"}

    def sql(self, text, **question):
        return self.run_query("sql", text, **{**self.place, **question})

    def test_rows_parameters_and_pages(self):
        answer = self.sql("SELECT c.id, c.total FROM c WHERE c.total >= @n", parameters={"@n": 58})
        self.assertEqual(answer["form"], "documents")
        self.assertEqual(sorted(row["total"] for row in answer["documents"]), [58, 59])
        self.assertGreater(answer["charge"], 0)
        self.assertNotIn("explanation", answer)
        totals = self.pages("sql", "SELECT VALUE c.total FROM c ORDER BY c.total", maxItems=7, **self.place)
        self.assertEqual(totals, list(range(60)))

    def test_every_charge_is_explained(self):
        partitions = {p["id"] for p in self.server.admin("GET", "partitions?database=shop&container=orders")
                      .json()["partitions"]}
        self.assertGreater(len(partitions), 1)
        for text in ("SELECT * FROM c", "SELECT * FROM c WHERE c.total > 10", "SELECT VALUE COUNT(1) FROM c",
                     "SELECT c.pk, SUM(c.total) AS s FROM c GROUP BY c.pk", "SELECT * FROM c ORDER BY c.total DESC",
                     "SELECT * FROM c WHERE c.pk = 'customer1'", "SELECT * FROM c WHERE c.pk = 'customer1' AND c.id = '1'",
                     "SELECT DISTINCT VALUE c.pk FROM c", "SELECT * FROM c WHERE CONTAINS(c.id, '5')"):
            explanation = self.assertExplained(self.sql(text, explain=True))
            for part in explanation["parts"]:
                self.assertIn(part["partition"], partitions, (text, part))
                self.assertGreater(part["count"], 0)

    def test_hints_are_true(self):
        scattered = self.sql("SELECT * FROM c WHERE c.total = 5", explain=True)
        self.assertTrue(any("/pk" in hint for hint in scattered["explanation"]["hints"]), scattered["explanation"])
        in_one = self.sql("SELECT * FROM c WHERE c.total = 5 AND c.pk = 'customer5'", explain=True)
        self.assertEqual(in_one["explanation"]["hints"], [])
        self.assertLess(in_one["charge"], scattered["charge"])

    def test_errors_tell_where(self):
        answer = self.sql("SELECT *\nFROM c WHERE ???", status=400)
        self.assertEqual(answer["code"], "invalid_argument")
        self.assertEqual(answer["position"]["line"], 2)
        self.assertEqual(answer["detail"], "SC1001")
        self.assertEqual(self.sql("SELECT * FROM c", container="none", status=404)["code"], "not_found")
        self.sql("SELECT * FROM c", continuation="nonsense", status=400)
        self.sql("SELECT * FROM c", maxItems=0, status=400)
        self.sql("SELECT * FROM c", parameters=[1], status=400)
        self.run_query("prolog", "x", status=400)

    def test_plans(self):
        answer = self.server.admin("POST", "query/plan", {"api": "sql", "text": "SELECT * FROM c ORDER BY c.total",
                                                          **self.place})
        self.assertIn("queryInfo", self.assertStatus(200, answer).json()["plan"])

    def test_a_query_is_cancelled_by_its_name(self):
        self.assertStatus(404, self.server.admin("DELETE", "query/none"), "not_found")
        # Joins that never end.
        self.container.upsert({"id": "wide", "pk": "wide", "a": list(range(900))})
        text = ("SELECT VALUE COUNT(1) FROM c JOIN x IN c.a JOIN y IN c.a WHERE x * y = -1 AND c.pk = 'wide'")
        answers = []
        thread = threading.Thread(target=lambda: answers.append(self.server.admin("POST", "query", {
            "api": "sql", "text": text, "activity": "slow-1", **self.place})))
        thread.start()
        cancelled = 404
        while thread.is_alive() and cancelled == 404:
            cancelled = self.server.admin("DELETE", "query/slow-1").status
        thread.join(PATIENCE_S)
        # Cancelled, or done before anybody could.
        self.assertIn(answers[0].status, (503,) if cancelled == 204 else (200, 413, 503), answers)
        self.sql("SELECT 1", activity="no spaces", status=400)


class Cql(QueryTest):
    def setUp(self):
        super().setUp()
        self.server = self.start(cassandra_port="any")
        for text in ("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
                     "CREATE TABLE ks.t (k int, c int, v text, big bigint, tags set<text>, b blob, PRIMARY KEY (k, c))"):
            self.assertEqual(self.run_query("cassandra", text)["form"], "none")

    def cql(self, text, **question):
        return self.run_query("cassandra", text, database="ks", **question)

    def test_values_go_in_and_come_out(self):
        self.cql("INSERT INTO t (k, c, v, big, tags, b) VALUES (1, 2, 'x', 9007199254740993, {'b', 'a'}, 0xcafe)")
        self.cql("INSERT INTO t (k, c, v) VALUES (?, ?, ?)", parameters=[1, 3, None])
        self.cql("INSERT INTO t (k, c, v) VALUES (:k, :c, :v)", parameters={"k": 2, "c": 1, "v": "quote\" ü"})
        answer = self.cql("SELECT * FROM t WHERE k = 1")
        self.assertEqual([(column["name"], column["type"]) for column in answer["columns"]],
                         [("k", "int"), ("c", "int"), ("b", "blob"), ("big", "bigint"), ("tags", "set<text>"), ("v", "text")])
        self.assertEqual(answer["rows"], [[1, 2, "0xcafe", "9007199254740993", ["a", "b"], "x"],
                                          [1, 3, None, None, None, None]])
        self.assertGreater(answer["charge"], 0)
        self.assertEqual(self.cql("SELECT v FROM t WHERE k = ?", parameters=[2])["rows"], [["quote\" ü"]])
        # What came in is what clients of the protocol see.
        with cql_wire.Connection(self.server.cql_port) as connection:
            self.assertIn("quote\" ü".encode(), connection.query("SELECT v FROM ks.t WHERE k = 2").body)

    def test_pages(self):
        for c in range(25):
            self.cql("INSERT INTO t (k, c) VALUES (7, ?)", parameters=[c])
        rows = self.pages("cassandra", "SELECT c FROM ks.t WHERE k = 7", maxItems=10)
        self.assertEqual(rows, [[c] for c in range(25)])

    def test_charges_are_explained(self):
        for c in range(25):
            self.assertExplained(self.cql("INSERT INTO t (k, c) VALUES (7, ?)", parameters=[c], explain=True))
        for text in ("SELECT * FROM t", "SELECT * FROM t WHERE k = 7", "SELECT * FROM t WHERE k = 7 AND c = 3"):
            parts = self.assertExplained(self.cql(text, explain=True))["parts"]
            self.assertTrue(all(part["partition"] for part in parts), parts)

    def test_errors_are_cassandras(self):
        wrong = self.cql("SELEC * FROM t", status=400)
        self.assertEqual((wrong["code"], wrong["detail"]), ("invalid_argument", "0x2000"))
        self.assertEqual(self.cql("SELECT * FROM none", status=400)["detail"], "0x2200")
        self.assertEqual(self.cql("CREATE TABLE t (k int PRIMARY KEY)", status=409)["code"], "already_exists")
        self.cql("SELECT * FROM t WHERE k = ?", parameters=["no number"], status=400)
        self.cql("SELECT * FROM t WHERE k = ?", parameters=[1, 2], status=400)
        self.cql("SELECT * FROM t WHERE k = :k", parameters={"j": 1}, status=400)

    def test_no_plan_to_show(self):
        self.assertStatus(501, self.server.admin("POST", "query/plan", {"api": "cassandra", "text": "SELECT 1"}))


class Mongo(QueryTest):
    def setUp(self):
        super().setUp()
        self.server = self.start("--mongo-port", "any")

    def mongo(self, text, **question):
        return self.run_query("mongo", text, database="shop", **question)

    def test_statements_and_commands(self):
        self.mongo("db.orders.insertMany([{_id: 1, who: 'ann', n: 5}, {_id: 2, who: 'bob', at: ISODate('2026-01-02')}])")
        self.assertEqual(self.mongo("db.orders.find({who: 'ann'})")["documents"], [{"_id": 1, "who": "ann", "n": 5}])
        self.assertEqual(self.mongo('{"find": "orders", "filter": {"_id": {"$gt": 1}}}')["documents"],
                         [{"_id": 2, "who": "bob", "at": {"$date": "2026-01-02T00:00:00.000Z"}}])
        self.mongo("db.orders.updateOne({_id: 1}, {$inc: {n: 1}})")
        summed = self.mongo("db.orders.aggregate([{$group: {_id: null, n: {$sum: '$n'}}}])", explain=True)
        self.assertEqual(summed["documents"], [{"_id": None, "n": 6}])
        self.assertExplained(summed)
        self.assertEqual(self.mongo("db.orders.distinct('who')")["documents"], ["ann", "bob"])
        self.assertEqual(self.mongo("db.orders.countDocuments({})")["documents"][0]["n"], 2)

    def test_pages(self):
        self.mongo("db.c.insertMany([%s])" % ",".join("{_id: %d}" % i for i in range(25)))
        found = self.pages("mongo", "db.c.find().sort({_id: 1})", database="shop", maxItems=10)
        self.assertEqual([document["_id"] for document in found], list(range(25)))

    def test_errors(self):
        wrong = self.mongo("db.c.find({a: })", status=400)
        self.assertEqual(wrong["position"], {"line": 1, "column": 15})
        self.assertEqual(self.mongo("db.c.aggregate([{$nonsense: 1}])", status=400)["code"], "invalid_argument")
        self.mongo("db.c.insertOne({_id: 1})")
        self.assertEqual(self.mongo("db.c.insertOne({_id: 1})", status=409)["detail"], "DuplicateKey")
        plan = self.server.admin("POST", "query/plan", {"api": "mongo", "database": "shop", "text": "db.c.find({_id: 1})"})
        self.assertIn("queryPlanner", self.assertStatus(200, plan).json()["plan"])


class Gremlin(QueryTest):
    def setUp(self):
        super().setUp()
        self.server = self.start("--gremlin-port", "any")

    def test_results_and_the_graph_of_them(self):
        self.run_query("gremlin", "g.addV('person').property('id', '1').property('name', 'ann')")
        self.run_query("gremlin", "g.addV('person').property('id', '2').property('name', name)", parameters={"name": "bob"})
        self.run_query("gremlin", "g.V('1').addE('knows').to(g.V('2')).property('since', 2020)")
        answer = self.run_query("gremlin", "g.V('1').outE().inV().path()", explain=True)
        self.assertEqual(answer["form"], "graph")
        graph = answer["graph"]
        self.assertEqual({vertex["id"]: vertex["properties"].get("name") for vertex in graph["vertices"]},
                         {"1": ["ann"], "2": ["bob"]})
        self.assertEqual([(edge["label"], edge["from"], edge["to"], edge["properties"]) for edge in graph["edges"]],
                         [("knows", "1", "2", {"since": 2020})])
        self.assertExplained(answer)
        names = self.run_query("gremlin", "g.V().values('name').order()")
        self.assertEqual((names["form"], names["documents"]), ("documents", ["ann", "bob"]))
        cut = self.run_query("gremlin", "g.V()", maxItems=1)
        self.assertEqual((len(cut["documents"]), len(cut["warnings"])), (1, 1))

    def test_errors(self):
        self.assertEqual(self.run_query("gremlin", "g.V(", status=400)["code"], "invalid_argument")
        self.run_query("gremlin", "g.V()", database="no", container="graph", status=404)


class Table(QueryTest):
    def test_filters_selections_and_pages(self):
        self.server = self.start("--table-port", "any")
        tables = table_client.Client(f"http://127.0.0.1:{self.server.table_port}", "localhost", self.server.key)
        tables.ask("POST", "/Tables", {}, json.dumps({"TableName": "People"}))
        for row in range(12):
            tables.ask("POST", "/People", {}, json.dumps({"PartitionKey": "p", "RowKey": f"{row:02}", "n": row, "t": "a & b"}))
        ask = lambda text, **question: self.run_query("table", text, container="People", **question)
        found = ask("n gt 9 and t eq 'a & b'&$select=n", explain=True)
        self.assertEqual([{k: v for k, v in entity.items() if "odata" not in k} for entity in found["documents"]],
                         [{"n": 10}, {"n": 11}])
        self.assertExplained(found)
        rows = self.pages("table", "", container="People", maxItems=5)
        self.assertEqual([entity["n"] for entity in rows], list(range(12)))
        self.assertEqual(ask("n gt", status=400)["detail"], "InvalidInput")
        self.assertEqual(self.run_query("table", "", container="None", status=404)["detail"], "TableNotFound")
        keys = self.server.admin("GET", "databases/TablesDB/containers/People/keys").json()
        self.assertEqual({tuple(key["columns"]) for key in keys["largest"]}, {("PartitionKey",)})


class Readers(QueryTest):
    def test_readers_cannot_write_in_any_language(self):
        reader = base64.b64encode(os.urandom(64)).decode()
        self.server = self.start("--read-only-key", reader, "--mongo-port", "any", "--gremlin-port", "any", cassandra_port="any")
        self.run_query("cassandra", "CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', "
                                    "'replication_factor': 1}")
        self.run_query("cassandra", "CREATE TABLE ks.t (k int PRIMARY KEY, v int)")
        for text in ("INSERT INTO ks.t (k) VALUES (1)", "UPDATE ks.t SET v = 1 WHERE k = 1", "DELETE FROM ks.t WHERE k = 1",
                     "TRUNCATE ks.t", "DROP TABLE ks.t", "DROP KEYSPACE ks", "CREATE ROLE r",
                     "BEGIN BATCH INSERT INTO ks.t (k) VALUES (1); APPLY BATCH",
                     "CREATE KEYSPACE k2 WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}"):
            refused = self.run_query("cassandra", text, status=403, key=reader)
            self.assertEqual(refused["code"], "forbidden", text)
        self.assertEqual(self.run_query("cassandra", "SELECT * FROM ks.t", key=reader)["rows"], [])
        self.run_query("mongo", "db.c.insertOne({_id: 1})", database="shop")
        for text in ("db.c.insertOne({_id: 2})", "db.c.updateMany({}, {$set: {a: 1}})", "db.c.deleteMany({})", "db.c.drop()",
                     "db.c.aggregate([{$match: {}}, {$out: 'd'}])", "db.c.createIndex({a: 1})", "db.dropDatabase()",
                     "db.runCommand({createUser: 'u', pwd: 'p', roles: []})", "db.runCommand({findAndModify: 'c', remove: true})",
                     "db.runCommand({bulkWrite: 1, ops: [], nsInfo: []})"):
            refused = self.run_query("mongo", text, database="shop", status=403, key=reader)
            self.assertEqual(refused["code"], "forbidden", text)
        self.assertEqual(self.run_query("mongo", "db.c.find()", database="shop", key=reader)["documents"], [{"_id": 1}])
        self.run_query("gremlin", "g.addV('a').property('id', '1')")
        for text in ("g.addV('a')", "g.V().drop()", "g.V().property('x', 1)", "g.V().addE('e').to(g.V())"):
            self.assertEqual(self.run_query("gremlin", text, status=403, key=reader)["code"], "forbidden", text)
        self.assertEqual(len(self.run_query("gremlin", "g.V()", key=reader)["documents"]), 1)
