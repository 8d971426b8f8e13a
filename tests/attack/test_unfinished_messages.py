"""Large messages of binary protocols that are begun and never finished: they hold a share of what there is, not all."""
import contextlib
import struct
import unittest

import cql_wire
from attack import AttackTest, read_rest

CONNECTIONS = 60
CQL_BYTES = 15 << 20
MONGO_BYTES = 40 << 20


class UnfinishedMessages(AttackTest):
    def send(self, attack, client, data):
        client.settimeout(1)
        with contextlib.suppress(OSError):
            for begin in range(0, len(data), 1 << 20):
                if attack.over():
                    return
                client.sendall(data[begin:begin + (1 << 20)])

    def test_cql_requests(self):
        start = cql_wire.envelope(cql_wire.STARTUP, cql_wire.string_map({"CQL_VERSION": "3.4.5"}))
        begun = struct.pack(">BBhBi", 4, 0, 1, cql_wire.QUERY, CQL_BYTES + 1) + bytes(CQL_BYTES)
        with self.measured() as attack:
            for _ in range(CONNECTIONS):
                client = self.socket(self.ports["cql"])
                client.sendall(start)
                client.recv(64)
                self.send(attack, client, begun)

    def test_mongo_messages(self):
        begun = struct.pack("<iiii", MONGO_BYTES + 17, 1, 0, 2013) + bytes(MONGO_BYTES)
        with self.measured() as attack:
            for _ in range(CONNECTIONS // 2):
                self.send(attack, self.socket(self.ports["mongo"]), begun)

    def test_strangers_may_send_little(self):
        """More than 64 KB before the client is known ends the connection: at once, not by a deadline."""
        begun = {self.ports["cql"]: struct.pack(">BBhBi", 4, 0, 1, cql_wire.STARTUP, 1 << 20),
                 self.server.account_port: struct.pack(">BBhBi", 4, 0, 1, cql_wire.STARTUP, 1 << 20),
                 self.mongo_login_port(): struct.pack("<iiii", 1 << 20, 1, 0, 2013)}
        for port, head in begun.items():
            client = self.socket(port)
            client.settimeout(8)  # less than the deadlines
            with contextlib.suppress(ConnectionResetError, BrokenPipeError):
                client.sendall(head + bytes(80 << 10))
            read_rest(client)  # throws when the connection stays open

    def mongo_login_port(self):
        return int(self.server.welcome.split("mongodb://", 1)[1].split("127.0.0.1:")[2].split()[0])


if __name__ == "__main__":
    unittest.main()
