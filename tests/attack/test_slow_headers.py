"""Requests that come byte by byte: they end by their deadline, and until then hold next to nothing."""
import contextlib
import time
import unittest

from attack import AttackTest

CONNECTIONS = 800


class SlowHeaders(AttackTest):
    def test_a_byte_now_and_then(self):
        request = b"GET /_admin/v1/status HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Filler: "
        with self.measured() as attack:
            clients = [self.socket(self.server.port) for _ in range(CONNECTIONS)]
            sent = 0
            while not attack.over():
                for client in clients:
                    with contextlib.suppress(OSError):
                        client.sendall(request[sent:sent + 1] if sent < len(request) else b"x")
                sent += 1
                time.sleep(0.2)


if __name__ == "__main__":
    unittest.main()
