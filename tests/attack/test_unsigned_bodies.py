"""Bodies of requests that nobody has signed: they are refused by their headers, before the body is read."""
import json
import unittest

from attack import AttackTest, read_rest

CONNECTIONS = 300
ANNOUNCED = 4 << 20
PATHS = ("/dbs/quiet/colls/c/docs", "/_admin/v1/databases", "/nowhere")


def head(path, *fields):
    return "\r\n".join([f"POST {path} HTTP/1.1", "Host: 127.0.0.1", *fields, "", ""]).encode()


class UnsignedBodies(AttackTest):
    def test_many_bodies_without_their_last_byte(self):
        with self.measured() as attack:
            clients = []
            for i in range(CONNECTIONS):
                client = self.socket(self.server.port)
                client.sendall(head(PATHS[i % len(PATHS)], f"Content-Length: {ANNOUNCED}"))
                clients.append(client)
            chunk = bytes(64 << 10)
            for client in clients:
                if attack.over():
                    break
                try:
                    for _ in range(ANNOUNCED // len(chunk) - 1):
                        client.sendall(chunk)
                except (ConnectionResetError, BrokenPipeError):
                    pass

    def test_the_answer_comes_before_the_body(self):
        """By the headers alone, also where the client waits for leave to send the body."""
        for fields in ((f"Content-Length: {ANNOUNCED}",), (f"Content-Length: {ANNOUNCED}", "Expect: 100-continue")):
            for path, status in zip(PATHS, (401, 401, 404)):
                client = self.socket(self.server.port)
                client.sendall(head(path, *fields))
                answer = read_rest(client)
                self.assertTrue(answer.startswith(f"HTTP/1.1 {status} ".encode()), answer)
                self.assertTrue(json.loads(answer.split(b"\r\n\r\n", 1)[1])["message"], answer)

    def test_a_client_that_sends_all_sees_the_answer(self):
        client = self.socket(self.server.port)
        client.sendall(head(PATHS[0], f"Content-Length: {ANNOUNCED}") + bytes(ANNOUNCED))
        self.assertTrue(read_rest(client).startswith(b"HTTP/1.1 401 "))


if __name__ == "__main__":
    unittest.main()
