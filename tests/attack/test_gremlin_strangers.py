"""Clients over WebSocket that never say who they are: requests that wait for credentials, and half messages, are
counted and bounded."""
import base64
import contextlib
import json
import os
import struct
import unittest
import uuid

from attack import AttackTest

CONNECTIONS = 200
REQUESTS = 40  # of each, all before it has logged in
TEXT_BYTES = 200 << 10


def masked(opcode, payload, whole=None):
    """A frame whose mask changes nothing; with `whole` it announces so many bytes."""
    size = len(payload) if whole is None else whole
    return bytes([0x80 | opcode, 0xFF]) + struct.pack(">Q", size) + bytes(4) + payload


class GremlinStrangers(AttackTest):
    def open(self):
        port = self.server._port_in_welcome(r"127\.0\.0\.1:(\d+) +\(with credentials: user /dbs")
        client = self.socket(port, receive_buffer=4096)
        key = base64.b64encode(os.urandom(16)).decode()
        client.sendall((f"GET /gremlin HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: Upgrade\r\n"
                        f"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n").encode())
        answer = client.recv(4096)
        self.assertTrue(answer.startswith(b"HTTP/1.1 101 "), answer)
        client.settimeout(0.5)
        return client

    def test_requests_before_credentials(self):
        def request():
            arguments = {"@type": "g:Map", "@value": ["gremlin", "g.V(" + "1" * TEXT_BYTES + ")"]}
            body = {"requestId": {"@type": "g:UUID", "@value": str(uuid.uuid4())}, "op": "eval", "processor": "",
                    "args": arguments}
            mime = b"application/vnd.gremlin-v3.0+json"
            return masked(2, bytes([len(mime)]) + mime + json.dumps(body).encode())

        data = request()
        with self.measured() as attack:
            for _ in range(CONNECTIONS):
                if attack.over():
                    break
                client = self.open()
                with contextlib.suppress(OSError):
                    for _ in range(REQUESTS):
                        client.sendall(data)

    def test_half_messages(self):
        begun = masked(2, bytes(TEXT_BYTES), whole=TEXT_BYTES + 1)
        with self.measured() as attack:
            for _ in range(CONNECTIONS):
                if attack.over():
                    break
                with contextlib.suppress(OSError):
                    self.open().sendall(begun)


if __name__ == "__main__":
    unittest.main()
