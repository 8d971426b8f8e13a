"""The second client of attack tests: a process that reads one item and runs one simple query over and over, over
several APIs, and tells how long each took."""
import contextlib
import http.client
import json
import multiprocessing
import time

import cql_wire
import mongo_wire
from signing import signed

PAUSE_S = 0.004
# How long it waits for an answer: a server that takes longer has failed.
PATIENCE_S = 30
DATABASE, CONTAINER = "quiet", "c"
LINK = f"dbs/{DATABASE}/colls/{CONTAINER}"


class Watched:
    """What the second client has seen: seconds of each request by kind, and what went wrong."""

    def __init__(self, latencies, failures, seconds):
        self.latencies, self.failures, self.seconds = latencies, failures, seconds

    def rate(self, kind):
        """Rounds by second while nothing but the server makes it wait."""
        return len(self.latencies[kind]) / max(self.seconds, 1e-9)


def _expect(answer, wanted, what):
    if answer != wanted:
        raise AssertionError(f"{what}: {answer}")


class _Sql:
    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)

    def ask(self, method, path, kind, link, body=None, **headers):
        sent = {**signed(method, kind, link), **{k.replace("_", "-"): v for k, v in headers.items()}}
        self.connection.request(method, path, body, sent)
        response = self.connection.getresponse()
        return response.status, response.read()

    def read(self):
        link = f"{LINK}/docs/1"
        status, body = self.ask("GET", "/" + link, "docs", link, x_ms_documentdb_partitionkey='["a"]')
        if status == 429:
            raise AssertionError("throttled: the container has too little throughput for the test")
        _expect(status, 200, body)

    def query(self):
        status, body = self.ask(
            "POST", f"/{LINK}/docs", "docs", LINK, json.dumps({"query": "SELECT c.id FROM c WHERE c.n = 1"}),
            x_ms_documentdb_partitionkey='["a"]', x_ms_documentdb_isquery="True",
            content_type="application/query+json")
        _expect(status, 200, body)

    def close(self):
        self.connection.close()


class _Cql:
    def __init__(self, port):
        self.connection = cql_wire.Connection(port)
        self.connection.socket.settimeout(PATIENCE_S)

    def read(self):
        answer = self.connection.query("SELECT v FROM quiet_cql.t WHERE k = 1")
        if answer is None or answer.is_error():
            raise AssertionError(f"CQL: {answer}")

    def close(self):
        self.connection.close()


class _Mongo:
    def __init__(self, port):
        self.connection = mongo_wire.Connection(port, PATIENCE_S)

    def read(self):
        reply = self.connection.ask({"find": "m", "filter": {"_id": 1}, "$db": "quiet_mongo"})
        _expect(reply.get("ok"), 1.0, reply)

    def close(self):
        self.connection.close()


def prepare(ports):
    """Makes what the second client reads."""
    sql = _Sql(ports["sql"])
    with contextlib.closing(sql):
        _expect(sql.ask("POST", "/dbs", "dbs", "", json.dumps({"id": DATABASE}))[0], 201, "database")
        _expect(sql.ask("POST", f"/dbs/{DATABASE}/colls", "colls", f"dbs/{DATABASE}", json.dumps(
            {"id": CONTAINER, "partitionKey": {"paths": ["/pk"], "version": 2}}),
            x_ms_offer_throughput="100000")[0], 201, "container")
        _expect(sql.ask("POST", f"/{LINK}/docs", "docs", LINK, json.dumps({"id": "1", "pk": "a", "n": 1}),
                        x_ms_documentdb_partitionkey='["a"]')[0], 201, "document")
    with cql_wire.Connection(ports["cql"]) as cql:
        for statement in (
                "CREATE KEYSPACE quiet_cql WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
                "CREATE TABLE quiet_cql.t (k int PRIMARY KEY, v text)",
                "INSERT INTO quiet_cql.t (k, v) VALUES (1, 'one')"):
            answer = cql.query(statement)
            if answer.is_error():
                raise AssertionError(f"{statement}: {answer}")
    mongo = mongo_wire.Connection(ports["mongo"])
    _expect(mongo.ask({"insert": "m", "documents": [{"_id": 1}], "$db": "quiet_mongo"}).get("ok"), 1.0, "mongo")
    mongo.close()


def _work(ports, pipe):
    makers = {"sql": (_Sql, ports["sql"]), "cql": (_Cql, ports["cql"]), "mongo": (_Mongo, ports["mongo"])}
    clients = {name: make(port) for name, (make, port) in makers.items()}
    rounds = {"sql_read": ("sql", "read"), "sql_query": ("sql", "query"), "cql_read": ("cql", "read"),
              "mongo_read": ("mongo", "read")}
    while True:
        order = pipe.recv()
        if order is None:
            return
        latencies, failures = {kind: [] for kind in rounds}, []
        began = time.monotonic()
        end = began + order if order else None
        while not (pipe.poll() if end is None else time.monotonic() >= end):
            for kind, (name, method) in rounds.items():
                start = time.monotonic()
                try:
                    getattr(clients[name], method)()
                except Exception as e:  # pylint: disable=broad-except
                    failures.append(f"{kind} after {time.monotonic() - start:.2f} s: {e!r}")
                    make, port = makers[name]
                    with contextlib.suppress(Exception):
                        clients[name].close()
                        clients[name] = make(port)
                else:
                    latencies[kind].append(time.monotonic() - start)
                if len(failures) > 20:
                    time.sleep(0.1)
            time.sleep(PAUSE_S)
        if end is None:
            pipe.recv()
        pipe.send((latencies, failures[:20], time.monotonic() - began))


class Handle:
    """The second client, as the test has it in hand."""

    def __init__(self, ports):
        self.pipe, other = multiprocessing.Pipe()
        self.process = multiprocessing.Process(target=_work, args=(ports, other), daemon=True)
        self.process.start()

    def watch(self, seconds=0.5):
        """Works for so long and returns what it saw."""
        self.pipe.send(seconds)
        return Watched(*self.pipe.recv())

    def begin(self):
        self.pipe.send(0)

    def end(self):
        self.pipe.send("over")
        return Watched(*self.pipe.recv())

    def close(self):
        with contextlib.suppress(OSError):
            self.pipe.send(None)
        self.process.join(2 * PATIENCE_S)
        if self.process.is_alive():
            self.process.kill()
