"""Functions and procedures whose natives do not look at any limit, or that loop, in all APIs that have them: each call
comes back with its API's own error, and other clients' functions go on."""
import http.client
import json
import unittest

import cql_wire
import mongo_wire
from attack import AttackTest
from signing import signed

PATIENCE_S = 60
LINK = "dbs/attacked/colls/c"
# They fill the heap in one native each, or never end.
BODIES = (
    "return Object.entries(new Uint8Array(3e6)).length;",
    "return JSON.parse('[' + '[],'.repeat(5e6) + '[]]').length;",
    "for (;;);",
    "for (;;) new Float64Array(3e6).fill(2).sort();",
)
KEYSPACE = "CREATE KEYSPACE attacked WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}"


def call(port, method, path, kind, link, body=None, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
    try:
        sent = {**signed(method, kind, link), **{k.replace("_", "-"): v for k, v in headers.items()}}
        connection.request(method, path, body, sent)
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


class Scripts(AttackTest):
    # Scripts take processor time, at a low priority.
    SHARE_MIN = 0.08

    def cql(self):
        connection = cql_wire.Connection(self.server.cql_port)
        connection.socket.settimeout(PATIENCE_S)
        self.addCleanup(connection.close)
        return connection

    def ok(self, cql, text):
        answer = cql.query(text)
        self.assertFalse(answer.is_error(), f"{text}: {answer}")
        return answer

    def asks_meanwhile(self, attack, ask):
        """Somebody else's calls are answered while the attack goes on."""
        asked = 0
        while not attack.over() or asked < 3:
            ask()
            asked += 1

    def test_cql_functions(self):
        cql = self.cql()
        self.ok(cql, KEYSPACE)
        self.ok(cql, "CREATE TABLE attacked.t (k int PRIMARY KEY)")
        self.ok(cql, "INSERT INTO attacked.t (k) VALUES (1)")
        for i, body in enumerate((*BODIES, "return k + 1;")):
            self.ok(cql, f"CREATE FUNCTION attacked.f{i}(k int) CALLED ON NULL INPUT RETURNS int LANGUAGE javascript "
                         f"AS $$ {body} $$")

        def hog(_, index):
            with cql_wire.Connection(self.server.cql_port) as connection:
                connection.socket.settimeout(PATIENCE_S)
                answer = connection.query(f"SELECT attacked.f{index % len(BODIES)}(k) FROM attacked.t")
                assert answer.is_error(), answer

        def honest(attack, _):
            connection = self.cql()
            self.asks_meanwhile(
                attack, lambda: self.ok(connection, f"SELECT attacked.f{len(BODIES)}(k) FROM attacked.t"))

        with self.measured() as attack:
            attack.by(5, lambda attack, index: honest(attack, index) if index == 4 else hog(attack, index))

    def test_procedures(self):
        port = self.server.port
        self.assertEqual(call(port, "POST", "/dbs", "dbs", "", json.dumps({"id": "attacked"}))[0], 201)
        self.assertEqual(call(port, "POST", "/dbs/attacked/colls", "colls", "dbs/attacked", json.dumps(
            {"id": "c", "partitionKey": {"paths": ["/pk"], "version": 2}}), x_ms_offer_throughput="100000")[0], 201)
        for i, body in enumerate((*BODIES, "getContext().getResponse().setBody(1);")):
            script = json.dumps({"id": f"p{i}", "body": f"function () {{ {body} }}"})
            self.assertEqual(call(port, "POST", f"/{LINK}/sprocs", "sprocs", LINK, script)[0], 201)

        def run(name):
            link = f"{LINK}/sprocs/{name}"
            return call(port, "POST", "/" + link, "sprocs", link, "[]", x_ms_documentdb_partitionkey='["a"]')

        def hog(_, index):
            status, body = run(f"p{index % len(BODIES)}")
            assert status in (400, 408), (status, body)

        def honest(attack, _):
            def ask():
                status, body = run(f"p{len(BODIES)}")
                assert status == 200, (status, body)

            self.asks_meanwhile(attack, ask)

        with self.measured() as attack:
            attack.by(5, lambda attack, index: honest(attack, index) if index == 4 else hog(attack, index))

    def test_user_defined_functions(self):
        port = self.server.port
        link = "dbs/quiet/colls/c"
        for i, body in enumerate((*BODIES, "return 1;")):
            script = json.dumps({"id": f"u{i}", "body": f"function () {{ {body} }}"})
            self.assertEqual(call(port, "POST", f"/{link}/udfs", "udfs", link, script)[0], 201)

        def query(name):
            return call(port, "POST", f"/{link}/docs", "docs", link,
                        json.dumps({"query": f"SELECT VALUE udf.{name}() FROM c"}),
                        x_ms_documentdb_partitionkey='["a"]', x_ms_documentdb_isquery="True",
                        content_type="application/query+json")

        def hog(_, index):
            status, body = query(f"u{index % len(BODIES)}")
            assert status in (400, 408), (status, body)

        def honest(attack, _):
            def ask():
                status, body = query(f"u{len(BODIES)}")
                assert status == 200, (status, body)

            self.asks_meanwhile(attack, ask)

        with self.measured() as attack:
            attack.by(5, lambda attack, index: honest(attack, index) if index == 4 else hog(attack, index))

    def test_mongo_functions(self):
        def ask(connection, body):
            return connection.ask({"aggregate": "m", "pipeline": [
                {"$project": {"x": {"$function": {"body": f"function() {{ {body} }}", "args": [], "lang": "js"}}}}],
                "cursor": {}, "$db": "quiet_mongo"})

        def hog(_, index):
            connection = mongo_wire.Connection(self.server.mongo_port, PATIENCE_S)
            reply = ask(connection, BODIES[index % len(BODIES)])
            connection.close()
            assert reply["ok"] == 0.0, reply

        def honest(attack, _):
            connection = mongo_wire.Connection(self.server.mongo_port, PATIENCE_S)

            def one():
                reply = ask(connection, "return 1;")
                assert reply["ok"] == 1.0, reply

            self.asks_meanwhile(attack, one)
            connection.close()

        with self.measured() as attack:
            attack.by(5, lambda attack, index: honest(attack, index) if index == 4 else hog(attack, index))


if __name__ == "__main__":
    unittest.main()
