"""The MongoDB, Gremlin and Table APIs asked for work without end: scripts, regular expressions, nesting, filters, blocks
that unpack to much, and TLS handshakes."""
import contextlib
import http.client
import json
import pathlib
import re
import socket
import ssl
import struct
import sys
import unittest
import zlib

import harness
import mongo_wire
from attack import AttackTest

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "spec"))
import table_client  # noqa: E402

CLIENTS = 6
PATIENCE_S = 120
# What MongoDB's codes say of work that was cut, was too much, or was not valid.
CUT = {8, 50, 96, 4568, 139, 146, 292, 16819, 16945, 17261, 51091, 51156, 40324, 10334, 17419, 11601, 16500, 125, 241, 245}


class MongoAttacks(AttackTest):
    # The attackers compute as well, on the same processors.
    SHARE_MIN = 0.05

    def connect(self):
        return contextlib.closing(mongo_wire.Connection(self.server.mongo_port, PATIENCE_S))

    def setUp(self):
        super().setUp()
        with self.connect() as mongo:
            for i in range(10):
                reply = mongo.ask({"insert": "c", "$db": "attacked", "documents": [
                    {"_id": i, "n": i, "s": "a" * 30_000, "l": list(range(300))}]})
                self.assertEqual(reply.get("ok"), 1.0, reply)

    def flood(self, *commands):
        """Clients that ask for these over and over. Each is answered, maybe by an error that says it was too much."""
        def work(attack, index):
            with self.connect() as mongo:
                while not attack.over():
                    reply = mongo.ask({**commands[index % len(commands)], "maxTimeMS": 1000, "$db": "attacked"})
                    assert reply["ok"] == 1.0 or reply["code"] in CUT, reply

        with self.measured() as attack:
            attack.by(CLIENTS, work)

    def test_scripts_without_end(self):
        self.flood({"find": "c", "filter": {"$where": "while (true) {}"}},
                   {"find": "c", "filter": {"$where": "var a = []; while (true) a.push(a); "}},
                   {"aggregate": "c", "cursor": {}, "pipeline": [{"$project": {"x": {"$function": {
                       "body": "function() { return 'x'.repeat(1e7).split('') }", "args": [], "lang": "js"}}}}]})

    def test_regular_expressions(self):
        self.flood({"find": "c", "filter": {"s": {"$regex": "(a+)+$b"}}},
                   {"find": "c", "filter": {"s": {"$regex": "(.*)*(.*)*(.*)*[^a]"}}},
                   {"aggregate": "c", "cursor": {}, "pipeline": [{"$project": {"x": {"$regexFindAll": {
                       "input": "$s", "regex": "(a|aa)+?c|a"}}}}]})

    def test_nesting(self):
        def nested(depth):
            body = b"\x05\0\0\0\0"
            for _ in range(depth):
                body = struct.pack("<i", len(body) + 8) + b"\x03a\0" + body + b"\0"
            return body

        def work(attack, index):
            while not attack.over():
                with self.connect() as mongo:
                    filters = nested((100, 1_000, 100_000)[index % 3])
                    command = (b"\x02find\0\x02\0\0\0c\0" + b"\x03filter\0" + filters + b"\x02$db\0\x02\0\0\0d\0" + b"\0")
                    body = b"\0\0\0\0\0" + struct.pack("<i", len(command) + 4) + command
                    with contextlib.suppress(ConnectionError):
                        mongo.socket.sendall(struct.pack("<iiii", len(body) + 16, 1, 0, 2013) + body)
                        mongo.receive()

        with self.measured() as attack:
            attack.by(CLIENTS, work)

    def test_blocks_that_unpack_to_much(self):
        def message(block, announced):
            body = struct.pack("<iiB", 2013, announced, 2) + block
            return struct.pack("<iiii", len(body) + 16, 1, 0, 2012) + body

        zeros = zlib.compress(bytes(40 << 20))
        bombs = (message(zeros, 40 << 20), message(zeros, 2**31 - 1), message(zeros, 100), message(b"rubbish", 40 << 20))

        # At the port that lets nobody in without credentials.
        port = int(re.search(r"mongodb://\S+\s+127\.0\.0\.1:(\d+) +\(with cred", self.server.welcome).group(1))

        def work(attack, index):
            while not attack.over():
                with contextlib.closing(mongo_wire.Connection(port, PATIENCE_S)) as mongo:
                    self.assertEqual(mongo.ask({"hello": 1, "compression": ["zlib"], "$db": "admin"})["ok"], 1.0)
                    try:
                        mongo.socket.sendall(bombs[index % len(bombs)])
                        reply = mongo.receive()
                    except ConnectionError:
                        continue
                    assert reply["ok"] == 0.0, reply

        with self.measured() as attack:
            attack.by(CLIENTS, work)


class GremlinAttacks(AttackTest):
    SHARE_MIN = 0.05

    def ask(self, script, patience=PATIENCE_S):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.gremlin_port, timeout=patience)
        with contextlib.closing(connection):
            connection.request("POST", "/gremlin", json.dumps({"gremlin": script}), {
                "content-type": "application/json", "accept": "application/vnd.gremlin-v3.0+json"})
            response = connection.getresponse()
            return response.status, response.read()

    def flood(self, *scripts, patience=1.0):
        """Clients that hang up after a while."""
        def work(attack, index):
            while not attack.over():
                with contextlib.suppress(socket.timeout):
                    self.ask(scripts[index % len(scripts)], patience)

        with self.measured() as attack:
            attack.by(CLIENTS, work)

    def test_nesting(self):
        self.flood("g.inject(1)" + ".map(__.identity()" * 20_000 + ")" * 20_000,
                   "g.inject(" + "[" * 50_000 + "]" * 50_000 + ")",
                   "g.inject(1)" + ".identity()" * 50_000, patience=PATIENCE_S)


class TableAttacks(AttackTest):
    SHARE_MIN = 0.05

    def test_filters(self):
        def client():
            return table_client.Client(f"http://127.0.0.1:{self.server.table_port}", "localhost", self.server.key)

        tables = client()
        tables.ask("POST", "/Tables", body=json.dumps({"TableName": "Attacked"}))
        for i in range(100):
            tables.ask("POST", "/Attacked", body=json.dumps({"PartitionKey": "a", "RowKey": str(i), "t": "x" * 1000}))
        filters = ("(" * 1500 + "t eq 'x'" + ")" * 1500, "not " * 1500 + "(t eq 'x')",
                   " and ".join(["t ne 'y'"] * 400), " or ".join(["t eq 'y'"] * 400))

        def work(attack, index):
            own = client()
            while not attack.over():
                answer = own.request("GET", "/Attacked()?$filter=" + filters[index % len(filters)])
                assert answer.status in (200, 400, 413, 414, 431), answer
            own.close()

        with self.measured() as attack:
            attack.by(CLIENTS, work)


class Handshakes(AttackTest):
    SHARE_MIN = 0.05

    def test_handshakes_that_are_not_finished(self):
        hello = ssl.MemoryBIO()
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        with contextlib.suppress(ssl.SSLWantReadError):
            context.wrap_bio(ssl.MemoryBIO(), hello).do_handshake()
        first = hello.read()
        ports = (self.server.port, self.server.cql_port, self.server.mongo_port, self.server.gremlin_port,
                 self.server.table_port)

        def work(attack, index):
            while not attack.over():
                with contextlib.suppress(OSError), socket.create_connection(
                        ("127.0.0.1", ports[index % len(ports)]), harness.PATIENCE_S) as client:
                    client.sendall(first)
                    client.recv(1)

        with self.measured() as attack:
            attack.by(CLIENTS, work)


if __name__ == "__main__":
    unittest.main()
