"""Statistics of statements: what they count, of all APIs, without values; and their use by the adviser."""
import contextlib
import time

import cql_wire
import mongo_wire
from harness import PATIENCE_S
from test_sql_requests import SqlTest


class Statements(SqlTest):
    FLAGS = ("--limit-partition-rate", "1000", "--mongo-port", "any")

    def statements(self, **question):
        query = "&".join(f"{name}={value}" for name, value in question.items())
        answer = self.server.admin("GET", f"statements?{query}")
        self.assertStatus(200, answer)
        return answer.json()["statements"]

    def query(self, link, text, **headers):
        return self.ask("POST", f"/{link}/docs", "docs", link, {"query": text, "parameters": []},
                        x_ms_documentdb_isquery="true", content_type="application/query+json", **headers)

    def fill(self):
        self.assertStatus(201, self.ask("POST", "/dbs", "dbs", "", {"id": "d"}))
        self.assertStatus(201, self.ask("POST", "/dbs/d/colls", "colls", "dbs/d", {
            "id": "c", "partitionKey": {"paths": ["/pk"], "version": 2}}, x_ms_offer_throughput="3000"))
        for i in range(20):
            answer = self.ask("POST", "/dbs/d/colls/c/docs", "docs", "dbs/d/colls/c",
                              {"id": str(i), "pk": f"p{i}", "customer": f"secret{i % 4}"},
                              x_ms_documentdb_partitionkey=f'["p{i}"]')
            self.assertStatus(201, answer)
        return "dbs/d/colls/c"

    def test_of_the_sql_api(self):
        link = self.fill()
        everywhere = {"x_ms_documentdb_query_enablecrosspartition": "true"}
        for i in range(3):
            text = f"SELECT * FROM c WHERE c.customer = 'secret{i}'"
            self.assertStatus(200, self.query(link, text, **everywhere))
        self.assertStatus(200, self.query(link, "SELECT * FROM c WHERE c.customer = 'x'",
                                          x_ms_documentdb_partitionkey='["p1"]'))
        self.query(link, "SELECT * FROM c WHERE", **everywhere)
        by_text = {one["statement"]: one for one in self.statements(database="d", container="c")}
        asked = by_text["SELECT * FROM c WHERE c.customer = ?"]
        self.assertEqual((asked["api"], asked["count"], asked["failed"]), ("sql", 4, 0))
        self.assertEqual(asked["inOnePartition"], 0.25)
        self.assertEqual(asked["partitions"], 2.5)
        self.assertGreater(asked["charge"], 0)
        self.assertAlmostEqual(asked["meanCharge"], asked["charge"] / 4, places=6)
        self.assertEqual(sum(asked["buckets"]), 4)
        self.assertEqual(by_text["SELECT * FROM c WHERE"]["failed"], 1)
        self.assertEqual(by_text["(create item)"]["count"], 20)
        self.assertEqual(self.statements(order="count", database="d")[0]["statement"], "(create item)")
        self.assertNotIn("secret", self.server.admin("GET", "statements").body.decode())
        self.assertStatus(400, self.server.admin("GET", "statements?order=x"), "invalid_argument")

        # The adviser takes them where nobody tells it what is asked.
        job = self.server.admin("POST", "databases/d/containers/c/advise", {}).json()
        deadline = time.monotonic() + PATIENCE_S
        while job["state"] == "running" and time.monotonic() < deadline:
            time.sleep(0.02)
            job = self.server.admin("GET", f"jobs/{job['id']}").json()
        shares = {each["key"]: each.get("onePartition") for each in job["result"]["candidates"]}
        self.assertGreater(shares["/customer"], 0)
        self.assertGreater(shares["/pk"], 0)

        self.assertStatus(204, self.server.admin("DELETE", "statements"))
        self.assertEqual(self.statements(), [])

    def test_of_other_apis(self):
        self.server = self.start(*self.FLAGS, data=self.root / "other", cassandra_port="any")
        with contextlib.closing(mongo_wire.Connection(self.server.mongo_port)) as mongo:
            mongo.ask({"insert": "m", "documents": [{"_id": 1, "a": "secret"}], "$db": "d"})
            for value in ("secret", "other"):
                mongo.ask({"find": "m", "filter": {"a": value, "b": {"$in": [1, 2]}}, "$db": "d"})
        cql = cql_wire.Connection(self.server.cql_port)
        with contextlib.closing(cql.socket):
            cql.query("CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}")
            cql.query("CREATE TABLE k.t (id int PRIMARY KEY, v text)")
            for i in range(3):
                cql.query(f"INSERT INTO k.t (id, v) VALUES ({i}, 'secret')")
            prepared = cql.prepare("SELECT v FROM k.t WHERE id = ?").prepared_id()
            for i in range(4):
                cql.execute(prepared, values=[i.to_bytes(4, "big")])
        found = {(one["api"], one["statement"]): one["count"] for one in self.statements()}
        self.assertEqual(found["mongo", "find filter: {a: ?, b: {$in: [?]}}"], 2)
        self.assertEqual(found["mongo", "insert"], 1)
        self.assertEqual(found["cassandra", "INSERT INTO k.t (id, v) VALUES (?, ..)"], 3)
        self.assertEqual(found["cassandra", "SELECT v FROM k.t WHERE id = ?"], 4)
        self.assertNotIn("secret", self.server.admin("GET", "statements").body.decode())
