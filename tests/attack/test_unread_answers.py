"""Clients that ask for large answers again and again and read none of them: what they make the server hold is bounded,
and they are cut before others are refused."""
import contextlib
import json
import unittest

import cql_wire
from attack import AttackTest
from second_client import LINK, Sql
from signing import signed

CLIENTS = 100
ASKED = 50  # times, by each
TEXT_BYTES = 1 << 20
RECEIVE_BYTES = 4096


class UnreadAnswers(AttackTest):
    def flood(self, attack, port, request):
        clients = []
        for _ in range(CLIENTS):
            client = self.socket(port, receive_buffer=RECEIVE_BYTES)
            client.settimeout(0.2)
            clients.append(client)
        for client in clients:
            if attack.over():
                break
            with contextlib.suppress(OSError):
                client.sendall(request * ASKED)

    def test_over_http(self):
        sql = Sql(self.server.port)
        with contextlib.closing(sql):
            status, body = sql.ask(
                "POST", f"/{LINK}/docs", "docs", LINK,
                json.dumps({"id": "large", "pk": "b", "text": "x" * TEXT_BYTES}),
                x_ms_documentdb_partitionkey='["b"]')
            self.assertEqual(status, 201, body)
        fields = [f"{k}: {v}" for k, v in signed("GET", "docs", f"{LINK}/docs/large").items()]
        request = "\r\n".join([f"GET /{LINK}/docs/large HTTP/1.1", "Host: 127.0.0.1", *fields,
                               'x-ms-documentdb-partitionkey: ["b"]', "", ""]).encode()
        with self.measured() as attack:
            self.flood(attack, self.server.port, request)

    def test_over_cql(self):
        with cql_wire.Connection(self.ports["cql"]) as cql:
            for statement in ("CREATE TABLE quiet_cql.large (k int, c int, v text, PRIMARY KEY (k, c))",
                              *(f"INSERT INTO quiet_cql.large (k, c, v) VALUES (1, {i}, '{'x' * (1 << 19)}')"
                                for i in range(8))):
                answer = cql.query(statement)
                self.assertFalse(answer.is_error(), answer)
        start = cql_wire.envelope(cql_wire.STARTUP, cql_wire.string_map({"CQL_VERSION": "3.4.5"}))
        request = cql_wire.envelope(cql_wire.QUERY, cql_wire.query_body("SELECT v FROM quiet_cql.large WHERE k = 1"))
        with self.measured() as attack:
            clients = [self.socket(self.ports["cql"], receive_buffer=RECEIVE_BYTES) for _ in range(CLIENTS)]
            for client in clients:
                client.sendall(start)
                client.recv(64)
            for client in clients:
                if attack.over():
                    break
                with contextlib.suppress(OSError):
                    client.settimeout(0.2)
                    client.sendall(request * ASKED)


if __name__ == "__main__":
    unittest.main()
