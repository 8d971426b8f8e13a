"""Start, health, metrics, drain."""
import re
import signal
import socket
import unittest

import harness
from harness import OrreryTest


class Start(OrreryTest):
    def test_says_what_one_needs_to_connect(self):
        server = self.start()
        for part in ("AccountEndpoint=http://127.0.0.1:", harness.WELL_KNOWN_KEY, "/_admin/v1/status", "/metrics",
                     str(self.data)):
            self.assertIn(part, server.welcome)
        self.assertRegex(server.welcome, r"Ready in \d+ ms")

    def test_health_needs_no_key(self):
        server = self.start()
        answer = self.assertStatus(200, server.request("GET", "/_health", key=None))
        self.assertEqual(answer.json()["status"], "ok")

    def test_root_says_where_to_go(self):
        server = self.start()
        answer = self.assertStatus(200, server.request("GET", "/", key=None))
        self.assertIn(b"/_admin/v1/", answer.body)

    def test_status(self):
        server = self.start("--account", "laboratory")
        status = self.assertStatus(200, server.admin("GET", "status")).json()
        self.assertEqual(status["status"], "ok")
        self.assertEqual(status["account"], "laboratory")
        self.assertEqual(status["containers"], [])

    def test_sigterm_and_sigint_exit_0(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            server = self.start()
            server.process.send_signal(number)
            self.assertEqual(server._reap(), 0, server.stderr)

    def test_a_kept_connection_does_not_hold_up_the_end(self):
        server = self.start()
        connection = server.connect()
        self.assertStatus(200, server.request("GET", "/_health", connection=connection))
        self.assertEqual(server.stop(), 0)
        connection.close()

    def test_a_taken_port_is_a_clear_error(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]
            outcome = harness.run_cli("serve", "--data", self.data, "--sql-port", port)
        self.assertFails(outcome, str(port), "--sql-port")


class Metrics(OrreryTest):
    LINE = re.compile(r'^[a-z_:][a-z0-9_:]*(\{[a-z_]+="[^"]*"(,[a-z_]+="[^"]*")*\})? (-?[0-9.e+-]+|[+-]Inf|NaN)$')

    def test_are_prometheus_text(self):
        server = self.start()
        container = self.make_container(server)
        self.assertStatus(201, container.create({"id": "1", "pk": "a"}))
        answer = self.assertStatus(200, server.request("GET", "/metrics", key=None))
        self.assertTrue(answer.headers["Content-Type"].startswith("text/plain; version=0.0.4"))
        families = set()
        for line in answer.body.decode().splitlines():
            if line.startswith("# "):
                families.add(line.split()[2])
                continue
            self.assertRegex(line, self.LINE)
            name = re.sub(r"_(bucket|sum|count)$", "", re.split(r"[{ ]", line)[0])
            self.assertTrue(name in families or re.split(r"[{ ]", line)[0] in families, line)
        self.assertIn("process_resident_memory_bytes", families)

    def test_need_a_key_when_told_so(self):
        server = self.start("--auth", "required")
        self.assertStatus(401, server.request("GET", "/metrics", key=None))
        self.assertStatus(200, server.request("GET", "/metrics"))
        self.assertStatus(200, server.request("GET", "/_health", key=None))


if __name__ == "__main__":
    unittest.main()
