"""The SQL API as whoever speaks HTTP by hand sees it: signatures, routes, bodies that are none, and its neighbours on
the port."""
import base64
import contextlib
import email.utils
import hashlib
import hmac
import json
import os
import time
import urllib.parse

import harness
import hybrid_row
from harness import OrreryTest

SKEW_MAX_S = 15 * 60


def signed(method, kind, link, key=harness.WELL_KNOWN_KEY, at=None):
    """The headers of a signed request."""
    date = email.utils.formatdate(at, usegmt=True)
    text = f"{method.lower()}\n{kind}\n{link}\n{date.lower()}\n\n"
    signature = base64.b64encode(hmac.new(base64.b64decode(key), text.encode(), hashlib.sha256).digest()).decode()
    token = urllib.parse.quote(f"type=master&ver=1.0&sig={signature}", safe="")
    return {"authorization": token, "x-ms-date": date, "x-ms-version": "2020-07-15"}


class SqlTest(OrreryTest):
    FLAGS = ()

    def setUp(self):
        super().setUp()
        self.server = self.start(*self.FLAGS)

    def ask(self, method, path, kind, link, body=None, tls=False, at=None, **headers):
        sent = {**signed(method, kind, link, at=at), **{name.replace("_", "-"): value for name, value in headers.items()}}
        return self.server.request(method, path, body, headers=sent, key=None, tls=tls)

    def assertTold(self, status, answer):
        """Every error has a body that clients can read."""
        self.assertEqual(answer.status, status, answer)
        self.assertTrue(answer.json()["message"], answer)
        self.assertTrue(answer.headers["x-ms-activity-id"], answer)

    def make_sql_container(self, name):
        self.assertStatus(201, self.ask("POST", "/dbs", "dbs", "", {"id": name}))
        self.assertStatus(201, self.ask("POST", f"/dbs/{name}/colls", "colls", f"dbs/{name}", {
            "id": "c", "partitionKey": {"paths": ["/pk"], "version": 2}}))
        return f"dbs/{name}/colls/c"


class SqlRequests(SqlTest):
    def test_the_account_is_where_it_was_asked_for(self):
        for tls in (False, True):
            account = self.assertStatus(200, self.ask("GET", "/", "", "", tls=tls)).json()
            self.assertEqual(account["writableLocations"][0]["databaseAccountEndpoint"],
                             f"{'https' if tls else 'http'}://127.0.0.1:{self.server.port}/")

    def test_who_is_let_in(self):
        self.assertTold(401, self.server.request("GET", "/dbs", key=None))
        self.assertTold(401, self.server.request("GET", "/dbs"))
        self.assertTold(401, self.ask("GET", "/dbs", "colls", ""))
        self.assertTold(403, self.ask("GET", "/dbs", "dbs", "", at=time.time() - SKEW_MAX_S - 60))
        self.assertStatus(200, self.ask("GET", "/dbs", "dbs", ""))

    def test_a_key_that_only_reads(self):
        reader = base64.b64encode(os.urandom(64)).decode()
        server = self.start("--read-only-key", reader, data=self.root / "other")

        def ask(method, body=None):
            return server.request(method, "/dbs", body, headers=signed(method, "dbs", "", reader), key=None)
        self.assertStatus(200, ask("GET"))
        self.assertTold(403, ask("POST", {"id": "x"}))

    def test_routes_and_methods(self):
        self.assertTold(404, self.ask("GET", "/dbs/x/things", "things", "dbs/x"))
        self.assertTold(404, self.ask("GET", "/dbs/nowhere", "dbs", "dbs/nowhere"))
        self.assertTold(405, self.ask("PUT", "/dbs", "dbs", ""))
        self.assertStatus(404, self.server.request("GET", "/nothing", key=None))

    def test_bodies(self):
        link = self.make_sql_container("bodies")
        key = {"x-ms-documentdb-partitionkey": '["a"]'}

        def post(body, **headers):
            return self.ask("POST", f"/{link}/docs", "docs", link, body, **{**key, **headers})
        for body in (b"", b"{", b"[]", b'{"id":"1","pk":"a"} x', b'{"id":"\xff","pk":"a"}', b'{"pk":"a"}'):
            self.assertTold(400, post(body))
        self.assertTold(413, post(json.dumps({"id": "1", "pk": "a", "x": "x" * (2 << 20)}).encode()))
        self.assertTold(400, post(b'{"id":"1","pk":"b"}'))
        self.assertStatus(201, post(b'{"id":"1","pk":"a","n":1,"n":2}'))
        read = self.ask("GET", f"/{link}/docs/1", "docs", f"{link}/docs/1", **key)
        self.assertEqual(read.json()["n"], 2)
        self.assertEqual(read.headers["x-ms-request-charge"], "1.00")

    def test_batches_as_the_client_for_net_sends_them(self):
        link = self.make_sql_container("rows")

        def send(*operations, **headers):
            return self.ask("POST", f"/{link}/docs", "docs", link, hybrid_row.batch(*operations),
                            x_ms_cosmos_is_batch_request="true", **headers)

        def atomic(*operations):
            return send(*operations, x_ms_cosmos_batch_atomic="true", x_ms_documentdb_partitionkey='["a"]')
        one, two = '{"id":"1","pk":"a","n":1}', '{"id":"2","pk":"a"}'
        answer = self.assertStatus(200, atomic(
            hybrid_row.operation("Create", resourceBody=one),
            hybrid_row.operation("Upsert", resourceBody=two, minimal=True),
            hybrid_row.operation("Patch", id="1", resourceBody='[{"op":"incr","path":"/n","value":4}]'),
            hybrid_row.operation("Read", id="1"),
            hybrid_row.operation("Delete", id="2")))
        created, upserted, patched, read, deleted = hybrid_row.results(answer.body)
        self.assertEqual([r["statusCode"] for r in (created, upserted, patched, read, deleted)], [201, 201, 200, 200, 204])
        self.assertEqual(json.loads(read["resourceBody"])["n"], 5)
        self.assertEqual(json.loads(created["resourceBody"])["id"], "1")
        self.assertNotIn("resourceBody", upserted)
        self.assertGreater(created["requestCharge"], 1)
        # One fails, so all do: the client shows the failed one's text.
        answer = self.assertStatus(207, atomic(
            hybrid_row.operation("Create", resourceBody=two),
            hybrid_row.operation("Replace", id="1", resourceBody=one, ifMatch='"nothing"')))
        dependent, failed = hybrid_row.results(answer.body)
        self.assertEqual([dependent["statusCode"], failed["statusCode"]], [424, 412])
        self.assertTrue(failed["resourceBody"])
        # In bulk each names its own key and fails by itself.
        answer = self.assertStatus(207, send(
            hybrid_row.operation("Create", partitionKey='["b"]', resourceBody='{"id":"3","pk":"b"}'),
            hybrid_row.operation("Read", partitionKey='["c"]', id="4"),
            x_ms_cosmos_batch_continue_on_error="true"))
        self.assertEqual([r["statusCode"] for r in hybrid_row.results(answer.body)], [201, 404])
        # What is no such stream is refused in words.
        body = hybrid_row.batch(hybrid_row.operation("Create", resourceBody=one))
        for broken in (body[:-1], body[:-1] + b"?", body[:20]):
            self.assertTold(400, self.ask("POST", f"/{link}/docs", "docs", link, broken, x_ms_cosmos_is_batch_request="true",
                                          x_ms_cosmos_batch_atomic="true", x_ms_documentdb_partitionkey='["a"]'))

    def test_head_has_no_body(self):
        self.make_sql_container("heads")
        answer = self.assertStatus(200, self.ask("HEAD", "/dbs/heads", "dbs", "dbs/heads"))
        self.assertEqual(answer.body, b"")

    def test_its_neighbours_are_still_there(self):
        self.assertStatus(200, self.server.request("GET", "/_health", key=None))
        self.assertStatus(200, self.server.request("GET", "/", key=None))
        self.assertStatus(200, self.server.admin("GET", "status"))


class Stopping(SqlTest):
    # Runs for long in one function of the JavaScript engine, which no interrupt reaches.
    DEAF = "function deaf() { getContext().getResponse().setBody(Object.entries(new Uint8Array(3e6)).length); }"

    def busy_ticks(self):
        """The processor time that the server has used."""
        with open(f"/proc/{self.server.process.pid}/stat") as file:
            return sum(map(int, file.read().rpartition(")")[2].split()[11:13]))

    def test_a_script_that_ignores_interrupts_does_not_hold_up_the_end(self):
        link = self.make_sql_container("deaf")
        self.assertStatus(201, self.ask("POST", f"/{link}/sprocs", "sprocs", link, {"id": "deaf", "body": self.DEAF}))
        call = f"{link}/sprocs/deaf"
        with contextlib.ExitStack() as stack:
            before = self.busy_ticks()
            for _ in range(4):
                connection = stack.enter_context(contextlib.closing(self.server.connect()))
                connection.request("POST", f"/{call}", body=b"[]", headers={
                    **signed("POST", "sprocs", call), "x-ms-documentdb-partitionkey": '["a"]'})
            deadline = time.monotonic() + harness.PATIENCE_S
            while self.busy_ticks() < before + os.sysconf("SC_CLK_TCK") and time.monotonic() < deadline:
                time.sleep(0.05)
            self.assertEqual(self.server.stop(), 0)
        self.server = self.start(*self.FLAGS)
        self.assertStatus(200, self.ask("GET", f"/{call}", "sprocs", call)).json()


class ClientsThatMerge(SqlTest):
    FLAGS = ("--sql-merge", "client")

    def query(self, link, text):
        return self.ask("POST", f"/{link}/docs", "docs", link, {"query": text}, content_type="application/query+json",
                        x_ms_documentdb_isquery="true", x_ms_documentdb_query_enablecrosspartition="true")

    def test_one_key_needs_no_merging(self):
        link = self.make_sql_container("merge")
        for number, key in enumerate(("a", "b", "a")):
            self.assertStatus(201, self.ask("POST", f"/{link}/docs", "docs", link,
                                            {"id": str(number), "pk": key, "n": -number},
                                            x_ms_documentdb_partitionkey=json.dumps([key])))
        refused = self.query(link, "SELECT * FROM c ORDER BY c.n")
        self.assertTold(400, refused)
        self.assertEqual(refused.headers["x-ms-substatus"], "1004")
        self.assertIn("cross partition query can not be directly served by the gateway", refused.json()["message"])
        answer = self.assertStatus(200, self.query(link, "SELECT VALUE c.id FROM c WHERE c.pk = 'a' ORDER BY c.n"))
        self.assertEqual(answer.json()["Documents"], ["2", "0"])
