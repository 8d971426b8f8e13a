"""Queries that ask for much work at once, on more connections than the server has threads for them. Each ends by itself
or when its client hangs up; a simple query of somebody else waits for none of them."""
import http.client
import json
import socket
import time
import unittest

import mongo_wire
from attack import AttackTest
from signing import signed

CLIENTS = 8
PATIENCE_S = 120
LINK = "dbs/attacked/colls/c"
ITEMS = 100
ARRAY = list(range(100))
CONCATENATED = "ARRAY_CONCAT(" + ", ".join(["c.a"] * 500) + ")"
QUERIES = (
    f"SELECT VALUE ARRAY_LENGTH(SetUnion({CONCATENATED}, c.a)) FROM c",
    f"SELECT VALUE LENGTH(ToString({CONCATENATED})) FROM c",
    "SELECT VALUE c.n FROM c WHERE " + " AND ".join(f"c.n != {-1 - i}" for i in range(5000)),
    "SELECT VALUE COUNT(1) FROM c JOIN a IN c.a JOIN b IN c.a JOIN d IN c.a WHERE a + b + d = -1",
)


class HeavyQueries(AttackTest):
    # Eight heavy queries, the attacker and the second client share the processors.
    SHARE_MIN = 0.05

    def setUp(self):
        super().setUp()
        self.ask("POST", "/dbs", "dbs", "", json.dumps({"id": "attacked"}), want=201)
        self.ask("POST", "/dbs/attacked/colls", "colls", "dbs/attacked", json.dumps(
            {"id": "c", "partitionKey": {"paths": ["/pk"], "version": 2}}), want=201, x_ms_offer_throughput="1000000")
        for i in range(ITEMS):
            self.ask("POST", f"/{LINK}/docs", "docs", LINK, json.dumps({"id": str(i), "pk": "a", "n": i, "a": ARRAY}),
                     want=201, x_ms_documentdb_partitionkey='["a"]')

    def ask(self, method, path, kind, link, body=None, want=None, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=PATIENCE_S)
        try:
            sent = {**signed(method, kind, link), **{k.replace("_", "-"): v for k, v in headers.items()}}
            connection.request(method, path, body, sent)
            response = connection.getresponse()
            answer = response.status, response.read(), response.getheader("x-ms-continuation")
        finally:
            connection.close()
        if want is not None:
            self.assertEqual(answer[0], want, answer)
        return answer

    def query(self, text, continuation=None):
        headers = {"x_ms_continuation": continuation} if continuation else {}
        return self.ask("POST", f"/{LINK}/docs", "docs", LINK, json.dumps({"query": text}),
                        x_ms_documentdb_partitionkey='["a"]', x_ms_documentdb_isquery="True",
                        content_type="application/query+json", **headers)

    def test_of_clients_that_wait(self):
        def work(attack, index):
            text, continuation = QUERIES[index % len(QUERIES)], None
            while not attack.over():
                status, body, continuation = self.query(text, continuation)
                assert status in (200, 408, 413, 429), (status, body[:500])

        with self.measured() as attack:
            attack.by(CLIENTS, work)

    def test_of_clients_that_hang_up(self):
        body = json.dumps({"query": QUERIES[0]}).encode()

        def work(attack, _):
            while not attack.over():
                client = socket.create_connection(("127.0.0.1", self.server.port))
                fields = {**signed("POST", "docs", LINK), "x-ms-documentdb-partitionkey": '["a"]',
                          "x-ms-documentdb-isquery": "True", "content-type": "application/query+json",
                          "content-length": len(body), "host": "127.0.0.1"}
                head = [f"POST /{LINK}/docs HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items()), "", ""]
                client.sendall("\r\n".join(head).encode() + body)
                time.sleep(0.5)
                client.close()

        with self.measured() as attack:
            attack.by(CLIENTS, work)
        # Nothing of it goes on.
        deadline = time.monotonic() + 10
        while self.gauge("orrery_io_tasks_long") > 0:
            self.assertLess(time.monotonic(), deadline, "queries of clients that have gone go on")
            time.sleep(0.1)

    def gauge(self, name):
        text = self.server.request("GET", "/metrics").body.decode()
        return float(next(line.split()[-1] for line in text.splitlines() if line.startswith(name)))

    def test_of_mongo(self):
        reduce = {"$reduce": {"input": {"$range": [0, 3000]}, "initialValue": [],
                              "in": {"$concatArrays": ["$$value", ["$$this"]]}}}

        def work(attack, _):
            connection = mongo_wire.Connection(self.server.mongo_port, PATIENCE_S)
            while not attack.over():
                reply = connection.ask({"aggregate": "m", "pipeline": [
                    {"$project": {"x": {"$size": reduce}, "y": {"$size": reduce}}}], "cursor": {},
                    "maxTimeMS": 1000, "$db": "quiet_mongo"})
                assert reply["ok"] == 1.0 or reply["code"] == 50, reply
            connection.close()

        with self.measured() as attack:
            attack.by(CLIENTS, work)


if __name__ == "__main__":
    unittest.main()
