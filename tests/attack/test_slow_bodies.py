"""Bodies that are announced, sent but for the last byte and held, by somebody who has the key: they count, and what
does not fit is refused."""
import unittest

from attack import AttackTest
from signing import signed

CONNECTIONS = 300
ANNOUNCED = 2 << 20
LINK = "dbs/quiet/colls/c"


class SlowBodies(AttackTest):
    def test_signed_bodies_without_their_last_byte(self):
        with self.measured() as attack:
            body = bytes(ANNOUNCED - 1)
            for _ in range(CONNECTIONS):
                if attack.over():
                    break
                client = self.socket(self.server.port)
                fields = [f"{name}: {value}" for name, value in signed("POST", "docs", LINK).items()]
                client.settimeout(2)
                try:
                    client.sendall("\r\n".join([f"POST /{LINK}/docs HTTP/1.1", "Host: 127.0.0.1", *fields,
                                                f"Content-Length: {ANNOUNCED}", "", ""]).encode() + body)
                except OSError:
                    pass


if __name__ == "__main__":
    unittest.main()
