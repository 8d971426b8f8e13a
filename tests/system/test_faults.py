"""--allow-faults: requests that fail, wait or lose their connection on demand, in the form of each API."""
import base64
import http.client
import json
import pathlib
import struct
import sys
import threading
import unittest
import urllib.error
import urllib.request

import harness
import mongo_wire
from cql_wire import BATCH, Connection as CqlConnection, OVERLOADED, batch_body

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "spec"))

import sql_client
import table_client

UNAVAILABLE, WRITE_TIMEOUT, READ_TIMEOUT = 0x1000, 0x1100, 0x1200
KEYSPACE = "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}"
DOCUMENTS = "/dbs/db/colls/c/docs"
KEY = {"x-ms-documentdb-partitionkey": '["p"]'}
STATUSES = ("429", "408", "410", "449", "503")
# Long enough for anything else to be answered before; what waits for it is not what tests look at.
LATE_MS = 3000


class Faults(harness.OrreryTest):
    def serve(self, *flags):
        server = self.start("--allow-faults", "--mongo-port", "any", "--table-port", "any,any", "--gremlin-port", "any",
                            "--durability", "os", *flags, cassandra_port="any,any")
        self.server = server
        return server

    def fault(self, kind, status=201, **rule):
        answer = self.assertStatus(status, self.server.admin("POST", "faults", {"fault": kind, **rule}))
        return answer.json()

    def clear(self):
        self.assertStatus(204, self.server.admin("DELETE", "faults"))

    def made(self):
        return [each["made"] for each in self.server.admin("GET", "faults").json()["faults"]]

    # Each API once: makes a container with one item.
    def sql(self):
        client = sql_client.Client(self.server.url, self.server.key)
        client.ask("POST", "/dbs", {}, '{"id": "db"}')
        client.ask("POST", "/dbs/db/colls", {}, '{"id": "c", "partitionKey": {"paths": ["/pk"], "version": 2}}')
        client.ask("POST", DOCUMENTS, KEY, '{"id": "1", "pk": "p"}')
        self.addCleanup(client.close)
        return client

    def cql(self):
        connection = CqlConnection(self.server.cql_port)
        for statement in (KEYSPACE, "CREATE TABLE k.t (a int PRIMARY KEY, b int)", "INSERT INTO k.t (a, b) VALUES (1, 1)"):
            self.assertFalse(connection.query(statement).is_error())
        return connection

    def mongo(self):
        connection = mongo_wire.Connection(self.server.mongo_port)
        self.addCleanup(connection.close)
        self.assertEqual(connection.ask({"insert": "c", "$db": "app", "documents": [{"_id": 1}]})["ok"], 1)
        return connection

    def tables(self):
        client = table_client.Client(f"http://127.0.0.1:{self.server.table_port}", "localhost", self.server.key)
        self.addCleanup(client.close)
        client.ask("POST", "/Tables", {}, '{"TableName": "People"}')
        client.ask("POST", "/People", {}, '{"PartitionKey": "p", "RowKey": "1"}')
        return client

    def gremlin(self, script):
        """The status and the answer."""
        request = urllib.request.Request(f"http://127.0.0.1:{self.server.gremlin_port}/gremlin",
                                         json.dumps({"gremlin": script}).encode(),
                                         {"content-type": "application/json", "accept": "application/vnd.gremlin-v3.0+json"})
        try:
            with urllib.request.urlopen(request, timeout=harness.PATIENCE_S) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as failure:
            return failure.code, json.load(failure)

    @staticmethod
    def attributes(answer):
        """Of a Gremlin answer, as plain values."""
        flat = answer["status"]["attributes"]["@value"]
        return {name: value["@value"] if isinstance(value, dict) else value for name, value in zip(flat[::2], flat[1::2])}

    # The door.
    def test_nothing_without_the_flag(self):
        server = self.start("--allow-reset")
        container = self.make_container(server)
        for method, path in (("POST", "faults"), ("GET", "faults"), ("DELETE", "faults"), ("DELETE", "faults/1")):
            with self.subTest(method=method, path=path):
                answer = self.assertStatus(403, server.admin(method, path, {"fault": "503"} if method == "POST" else None), "forbidden")
                self.assertIn("--allow-faults", answer.json()["message"])
        self.assertFails(server.cli("fault", "add", "503"), "--allow-faults")
        self.assertStatus(201, container.create({"id": "1", "pk": "1"}))

    def test_keys_that_only_read_make_no_faults(self):
        reader = base64.b64encode(b"reader" * 10).decode()
        server = self.serve("--read-only-key", reader)
        self.assertStatus(403, server.admin("POST", "faults", {"fault": "503"}, key=reader))
        self.assertStatus(403, server.admin("DELETE", "faults", key=reader))
        self.assertStatus(200, server.admin("GET", "faults", key=reader))
        self.assertStatus(401, server.admin("GET", "faults", key=None, headers={"Authorization": "Bearer no"}))

    def test_bad_rules_are_refused_by_name(self):
        server = self.serve()
        for rule, word in (({}, "fault"), ({"fault": "404"}, "fault"), ({"fault": 429}, "fault"), ({"fault": "429", "api": "redis"}, "api"),
                           ({"fault": "429", "share": 0}, "share"), ({"fault": "429", "share": 2}, "share"),
                           ({"fault": "429", "share": "all"}, "share"), ({"fault": "429", "count": 0}, "count"),
                           ({"fault": "429", "skip": -1}, "skip"), ({"fault": "429", "retryAfterMs": 0}, "retryAfterMs"),
                           ({"fault": "429", "retryAfterMs": 1 << 40}, "retryAfterMs"), ({"fault": "delay"}, "delayMs"),
                           ({"fault": "503", "delayMs": 5}, "delayMs"), ({"fault": "slow", "delayMs": 5}, "partition"),
                           ({"fault": "cut", "partition": 1}, "partition"), ({"fault": "503", "colour": "red"}, "colour"),
                           ({"fault": "410", "code": -1}, "code"), ({"fault": "503", "after": "yes"}, "after")):
            with self.subTest(rule=rule):
                answer = self.assertStatus(400, server.admin("POST", "faults", rule), "invalid_argument")
                self.assertIn(f"'{word}'", answer.json()["message"])
        self.assertStatus(404, server.admin("POST", "faults", {"fault": "slow", "partition": 999, "delayMs": 5}), "not_found")
        self.assertStatus(404, server.admin("DELETE", "faults/77"), "not_found")
        self.assertStatus(400, server.admin("DELETE", "faults/x"), "invalid_argument")
        self.assertEqual(server.admin("GET", "faults").json(), {"faults": []})

    def test_the_command_line(self):
        server = self.serve()
        client = self.sql()
        self.assertEqual(server.cli("fault", "add", "503", "--api", "sql", "--container", "c", "--operation", "read", "--count", "1",
                                    "--share", "1", "--seed", "3").stdout, "fault 1 is on\n")
        self.assertEqual(server.cli("fault", "add", "delay", "--time", "1ms").returncode, 0)
        self.assertEqual(client.request("GET", DOCUMENTS + "/1", KEY).status, 503)
        self.assertEqual(client.request("GET", DOCUMENTS + "/1", KEY).status, 200)
        listed = server.cli("fault", "list").stdout
        self.assertRegex(listed, r"1  503    api sql  container c  operation read  count 1  seed 3  \(1 of 2 requests\)\n")
        self.assertRegex(listed, r"2  delay  delayMs 1  \(1 of 1 requests\)\n")
        self.assertEqual(server.cli("fault", "remove", "1").stdout, "removed 1\n")
        self.assertFails(server.cli("fault", "remove", "1"), "there is no fault 1")
        self.assertFails(server.cli("fault", "add", "404"), "'fault' must be")
        self.assertEqual(server.cli("fault", "clear").stdout, "all faults are removed\n")
        self.assertEqual(server.cli("fault", "list").stdout, "")

    # Forms.
    def test_the_sql_api(self):
        self.serve()
        client = self.sql()
        expected = {"429": "429/3200", "408": "408", "410": "410/1002", "449": "449", "503": "503"}
        for kind in STATUSES:
            with self.subTest(kind=kind):
                self.fault(kind, count=1, retryAfterMs=27)
                answer = client.request("GET", DOCUMENTS + "/1", KEY)
                self.assertEqual(answer.code, expected[kind])
                self.assertTrue(answer.json()["message"])
                self.assertEqual(answer.headers.get("x-ms-retry-after-ms"), "27" if kind == "429" else None)
                self.assertEqual(client.request("GET", DOCUMENTS + "/1", KEY).status, 200)
                self.clear()
        self.fault("410", code=1000, count=1)
        self.assertEqual(client.request("GET", DOCUMENTS + "/1", KEY).code, "410/1000")

    def test_what_is_no_container(self):
        """The account, databases, users: there is nothing to look up."""
        self.serve()
        client = self.sql()
        client.ask("POST", "/dbs/db/users", {}, '{"id": "ann"}')
        self.fault("503", operation="batch")
        for path in ("/", "/dbs", "/dbs/db", "/dbs/db/colls", "/dbs/db/users", "/dbs/db/users/ann", "/offers"):
            self.assertEqual(client.request("GET", path).status, 200, path)
        self.assertEqual(client.request("GET", "/dbs/db/colls/none/docs/1", KEY).status, 404)
        self.fault("503", operation="metadata", database="db")
        self.assertEqual([client.request("GET", path).status for path in ("/", "/dbs/db", "/dbs/db/colls/c", "/dbs/db/users/ann")],
                         [200, 503, 503, 503])

    def test_direct_resource_ids_are_seen_as_names(self):
        self.serve()
        client = self.sql()
        container = client.ask("GET", "/dbs/db/colls/c")
        document = client.ask("GET", DOCUMENTS + "/1", KEY)
        self.fault("503", container="c", count=1)
        self.assertEqual(client.request("GET", "/" + document["_self"].rstrip("/"), KEY, by_rid=True).status, 503)
        self.assertEqual(client.request("GET", "/" + document["_self"].rstrip("/"), KEY, by_rid=True).status, 200)
        self.assertEqual(container["id"], "c")

    def test_the_cassandra_api(self):
        self.serve()
        connection = self.cql()
        read, write = "SELECT b FROM k.t WHERE a = 1", "INSERT INTO k.t (a, b) VALUES (2, 2)"
        for kind, statement, code in (("429", read, OVERLOADED), ("429", write, OVERLOADED), ("408", read, READ_TIMEOUT),
                                      ("408", write, WRITE_TIMEOUT), ("410", read, UNAVAILABLE), ("449", write, WRITE_TIMEOUT),
                                      ("503", read, UNAVAILABLE), ("503", write, UNAVAILABLE)):
            with self.subTest(kind=kind, statement=statement):
                self.fault(kind, count=1, retryAfterMs=27)
                answer = connection.query(statement)
                self.assertEqual(answer.code(), code, answer)
                if kind == "429":
                    self.assertIn("RetryAfterMs=27,", answer.text())
                    self.assertIn("TooManyRequests (429)", answer.text())
                elif code == WRITE_TIMEOUT:
                    # consistency, received, required, type
                    tail = answer.body[6 + len(answer.text().encode()):]
                    self.assertEqual(struct.unpack_from(">Hii", tail), (1, 0, 1))
                    self.assertEqual(tail[12:], b"CAS" if kind == "449" else b"SIMPLE")
                elif code == UNAVAILABLE:
                    self.assertEqual(struct.unpack(">Hii", answer.body[-10:]), (1, 1, 0))
                self.assertFalse(connection.query(statement).is_error())
                self.clear()
        # The type of a logged batch is the one that drivers try again.
        self.fault("408", count=1, operation="batch")
        self.assertFalse(connection.query(write).is_error())
        answer = connection.ask(BATCH, batch_body([(write, [])]))
        self.assertEqual(answer.code(), WRITE_TIMEOUT)
        self.assertTrue(answer.body.endswith(b"BATCH_LOG"))
        # What drivers ask for themselves goes well, unless it is named.
        self.fault("503")
        self.assertFalse(connection.query("SELECT key FROM system.local").is_error())
        self.assertFalse(connection.query("CREATE TABLE k.u (a int PRIMARY KEY)").is_error())
        self.fault("503", database="system")
        self.assertEqual(connection.query("SELECT key FROM system.local").code(), UNAVAILABLE)

    def test_prepared_statements(self):
        self.serve()
        connection = self.cql()
        statement = connection.prepare("SELECT b FROM k.t WHERE a = ?").prepared_id()
        self.fault("503", operation="select", container="t", count=1)
        self.assertEqual(connection.execute(statement, values=[struct.pack(">i", 1)]).code(), UNAVAILABLE)
        self.assertFalse(connection.execute(statement, values=[struct.pack(">i", 1)]).is_error())

    def test_the_mongo_api(self):
        self.serve()
        connection = self.mongo()
        find = {"find": "c", "$db": "app", "filter": {}}
        for kind, code, name in (("429", 16500, "TooManyRequests"), ("408", 262, "ExceededTimeLimit"), ("410", 189, "PrimarySteppedDown"),
                                 ("449", 112, "WriteConflict"), ("503", 6, "HostUnreachable")):
            with self.subTest(kind=kind):
                self.fault(kind, count=1, retryAfterMs=27)
                reply = connection.ask(find)
                self.assertEqual((reply["ok"], reply["code"]), (0, code))
                self.assertIn(reply["codeName"], (name, f"Location{code}"))
                if kind == "429":
                    self.assertIn("RetryAfterMs=27", reply["errmsg"])
                    self.assertEqual(reply["errorLabels"], ["SystemOverloadedError", "RetryableError"])
                self.assertEqual(connection.ask(find)["ok"], 1)
                self.clear()
        session = {"id": mongo_wire.Uuid(b"s" * 16)}
        insert = {"insert": "c", "$db": "app", "documents": [{"_id": 2}], "lsid": session, "txnNumber": mongo_wire.Long(1)}
        self.fault("503", count=1)
        self.assertEqual(connection.ask(insert)["errorLabels"], ["RetryableWriteError"])
        self.assertEqual(connection.ask(insert)["n"], 1)
        self.clear()
        start = {"find": "c", "$db": "app", "filter": {}, "lsid": session, "txnNumber": mongo_wire.Long(2), "autocommit": False,
                 "startTransaction": True}
        self.fault("449", count=1)
        self.assertEqual(connection.ask(start)["errorLabels"], ["TransientTransactionError"])
        self.clear()
        self.fault("503", code=50, count=1)
        self.assertEqual(connection.ask(find)["code"], 50)
        # What drivers do to watch the server goes well.
        self.fault("503", operation="any")
        self.assertEqual(connection.ask({"hello": 1, "$db": "admin"})["ok"], 1)
        self.assertEqual(connection.ask({"ping": 1, "$db": "admin"})["ok"], 1)
        self.assertEqual(connection.ask({"create": "d", "$db": "app"})["code"], 6)

    def test_the_table_api(self):
        self.serve()
        client = self.tables()
        entity = "/People(PartitionKey='p',RowKey='1')"
        for kind, code in (("429", "429 TooManyRequests"), ("408", "500 OperationTimedOut"), ("410", "503 ServerBusy"),
                           ("449", "503 ServerBusy"), ("503", "503 ServerBusy")):
            with self.subTest(kind=kind):
                self.fault(kind, count=1, retryAfterMs=1027)
                answer = client.request("GET", entity)
                self.assertEqual(answer.code, code)
                if kind == "429":
                    self.assertEqual((answer.headers["x-ms-retry-after-ms"], answer.headers["Retry-After"]), ("1027", "2"))
                self.assertEqual(client.request("GET", entity).status, 200)
                self.clear()

    def test_the_gremlin_api(self):
        self.serve()
        self.assertEqual(self.gremlin("g.addV('v').property(T.id, 1)")[0], 200)
        for kind, status, cosmos in (("429", 500, 429), ("408", 598, 1009), ("410", 500, 410), ("449", 500, 449), ("503", 500, 503)):
            with self.subTest(kind=kind):
                self.fault(kind, count=1, retryAfterMs=3950)
                code, answer = self.gremlin("g.V(1).id()")
                # Over HTTP all of them are 500; the protocol's own code is in the body.
                self.assertEqual((code, self.attributes(answer)["x-ms-status-code"]), (500, cosmos))
                self.assertIn(answer["status"]["code"], (status, 597))
                if kind == "429":
                    self.assertEqual(self.attributes(answer)["x-ms-retry-after-ms"], "00:00:03.9500000")
                self.assertEqual(self.gremlin("g.V(1).id()")[0], 200)
                self.assertEqual(self.gremlin("g.V(1)")[0], 200)
                self.clear()
        self.fault("503", operation="write")
        self.assertEqual(self.gremlin("g.V(1)")[0], 200)
        self.assertEqual(self.gremlin("g.addV('v').property(T.id, 2)")[0], 500)
        self.clear()
        self.assertEqual(self.gremlin("g.V().count()")[1]["result"]["data"]["@value"][0]["@value"], 1)

    # Which requests.
    def test_rules_choose_by_api_container_and_operation(self):
        self.serve()
        client, connection = self.sql(), self.mongo()
        client.ask("POST", "/dbs/db/colls", {}, '{"id": "other", "partitionKey": {"paths": ["/pk"], "version": 2}}')
        client.ask("POST", "/dbs/db/colls/other/docs", KEY, '{"id": "1", "pk": "p"}')
        self.fault("503", api="sql", database="db", container="c", operation="read")
        self.assertEqual(client.request("GET", DOCUMENTS + "/1", KEY).status, 503)
        self.assertEqual(client.request("GET", "/dbs/db/colls/other/docs/1", KEY).status, 200)
        self.assertEqual(client.request("GET", DOCUMENTS, KEY).status, 200)
        self.assertEqual(client.request("GET", "/dbs/db/colls/c").status, 200)
        self.assertEqual(connection.ask({"find": "c", "$db": "app", "filter": {"_id": 1}})["ok"], 1)
        self.assertEqual(self.made(), [1])

    def test_the_same_seed_gives_the_same_faults(self):
        self.serve()
        client = self.sql()

        def run(seed):
            self.fault("503", share=0.5, seed=seed)
            seen = [client.request("GET", DOCUMENTS + "/1", KEY).status for _ in range(40)]
            self.clear()
            return seen

        first = run(7)
        self.assertEqual(set(first), {200, 503})
        self.assertEqual(run(7), first)
        self.assertNotEqual(run(8), first)

    # After the work.
    def test_what_is_done_and_not_told(self):
        self.serve()
        client, cql, mongo, tables = self.sql(), self.cql(), self.mongo(), self.tables()
        self.fault("408", after=True, operation="write")
        self.assertEqual(client.request("POST", DOCUMENTS, KEY, '{"id": "2", "pk": "p"}').code, "408")
        self.assertEqual(cql.query("INSERT INTO k.t (a, b) VALUES (2, 2)").code(), WRITE_TIMEOUT)
        self.assertEqual(mongo.ask({"insert": "c", "$db": "app", "documents": [{"_id": 2}]})["code"], 262)
        self.assertEqual(tables.request("POST", "/People", {}, '{"PartitionKey": "p", "RowKey": "2"}').status, 500)
        self.assertEqual(self.gremlin("g.addV('v').property(T.id, 2)")[0], 500)
        self.assertEqual(self.made(), [5])
        self.clear()
        self.assertEqual(client.request("GET", DOCUMENTS + "/2", KEY).status, 200)
        self.assertEqual(cql.query("SELECT b FROM k.t WHERE a = 2").body[-4:], struct.pack(">i", 2))
        self.assertEqual(len(mongo.ask({"find": "c", "$db": "app", "filter": {"_id": 2}})["cursor"]["firstBatch"]), 1)
        self.assertEqual(tables.request("GET", "/People(PartitionKey='p',RowKey='2')").status, 200)
        self.assertEqual(self.gremlin("g.V(2).id()")[1]["result"]["data"]["@value"][0]["@value"], 2)

    # Connections.
    def test_connections_are_cut(self):
        self.serve()
        client, cql, mongo, tables = self.sql(), self.cql(), self.mongo(), self.tables()
        self.assertEqual(self.gremlin("g.addV('v').property(T.id, 1)")[0], 200)
        for after in (False, True):
            with self.subTest(after=after):
                self.fault("cut", after=after)
                with self.assertRaises((http.client.HTTPException, OSError)):
                    client.request("GET", DOCUMENTS + "/1", KEY)
                with self.assertRaises((http.client.HTTPException, OSError)):
                    tables.request("GET", "/People(PartitionKey='p',RowKey='1')")
                tables.close()
                with self.assertRaises(OSError):
                    mongo.ask({"find": "c", "$db": "app", "filter": {}})
                cql.send(7, struct.pack(">i", 33) + b"SELECT a FROM k.t WHERE a = 1    " + b"\0\1\0")
                self.assertIsNone(cql.receive())
                with self.assertRaises((urllib.error.URLError, http.client.HTTPException, OSError)):
                    self.gremlin("g.V(1)")
                self.assertEqual(self.made(), [5])
                self.clear()
                cql, mongo = CqlConnection(self.server.cql_port), mongo_wire.Connection(self.server.mongo_port)
                self.addCleanup(mongo.close)
                self.assertEqual(client.request("GET", DOCUMENTS + "/1", KEY).status, 200)
                self.assertEqual(tables.request("GET", "/People(PartitionKey='p',RowKey='1')").status, 200)
                self.assertFalse(cql.query("SELECT a FROM k.t").is_error())
                self.assertEqual(mongo.ask({"find": "c", "$db": "app", "filter": {}})["ok"], 1)
                self.assertEqual(self.gremlin("g.V(1)")[0], 200)
        self.assertEqual(self.server.stop(), 0)

    # Time.
    def overtaken(self, slow, fast):
        """Runs `slow` beside `fast`, which must be answered first."""
        outcome = []
        thread = threading.Thread(target=lambda: outcome.append(slow()))
        thread.start()
        while self.made() == [0]:
            pass
        fast()
        self.assertEqual(outcome, [])
        thread.join(harness.PATIENCE_S)
        return outcome[0]

    def test_answers_are_late(self):
        self.serve()
        client, cql, mongo, tables = self.sql(), self.cql(), self.mongo(), self.tables()
        self.assertEqual(self.gremlin("g.addV('v').property(T.id, 1)")[0], 200)

        def ask_status():
            self.assertStatus(200, self.server.admin("GET", "status"))

        for slow, wanted in ((lambda: client.request("GET", DOCUMENTS + "/1", KEY).status, 200),
                             (lambda: tables.request("GET", "/People(PartitionKey='p',RowKey='1')").status, 200),
                             (lambda: cql.query("SELECT a FROM k.t").is_error(), False),
                             (lambda: mongo.ask({"find": "c", "$db": "app", "filter": {}})["ok"], 1),
                             (lambda: self.gremlin("g.V(1)")[0], 200)):
            self.fault("delay", delayMs=LATE_MS, count=1)
            self.assertEqual(self.overtaken(slow, ask_status), wanted)
            self.clear()

    def test_stopping_does_not_wait_for_delays(self):
        server = self.serve()
        client = self.sql()
        self.fault("delay", delayMs=60_000)
        outcome = []
        thread = threading.Thread(target=lambda: outcome.append(client.request("GET", DOCUMENTS + "/1", KEY).status))
        thread.start()
        while self.made() == [0]:
            pass
        self.assertEqual(server.stop(), 0)
        thread.join(harness.PATIENCE_S)
        self.assertEqual(outcome, [200])

    def test_a_slow_partition(self):
        server = self.serve()
        slow = self.make_container(server, "slow", throughput={"manual": 400})
        fast = self.make_container(server, "fast", throughput={"manual": 400})
        for container in (slow, fast):
            self.assertStatus(201, container.create({"id": "1", "pk": "1"}))
        client = sql_client.Client(server.url, server.key)
        self.addCleanup(client.close)
        partitions = server.admin("GET", "partitions").json()["partitions"]
        number = next(each["id"] for each in partitions if any(s["container"] == "slow" for s in each["ranges"]))
        key = {"x-ms-documentdb-partitionkey": '["1"]'}
        done = []

        def ask(method, path, body=None):
            own = sql_client.Client(server.url, server.key)
            done.append((method, own.request(method, path, key, body).status))
            own.close()

        self.fault("slow", partition=number, delayMs=LATE_MS)
        threads = [threading.Thread(target=ask, args=("GET", "/dbs/db/colls/slow/docs/1")),
                   threading.Thread(target=ask, args=("GET", "/dbs/db/colls/slow/docs")),
                   threading.Thread(target=ask, args=("POST", "/dbs/db/colls/slow/docs", '{"id": "2", "pk": "1"}'))]
        for thread in threads:
            thread.start()
        self.assertEqual(client.request("GET", "/dbs/db/colls/fast/docs/1", key).status, 200)
        self.assertEqual(client.request("POST", "/dbs/db/colls/fast/docs", key, '{"id": "2", "pk": "1"}').status, 201)
        self.assertEqual(done, [])
        self.clear()
        for thread in threads:
            thread.join(harness.PATIENCE_S)
        self.assertEqual(sorted(done), [("GET", 200), ("GET", 200), ("POST", 201)])
        self.assertEqual(client.request("GET", "/dbs/db/colls/slow/docs/2", key).status, 200)


if __name__ == "__main__":
    unittest.main()
