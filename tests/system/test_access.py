"""Keys, TLS, and what is refused to strangers."""
import base64
import http.client
import os
import socket
import ssl
import urllib.request

import harness
from harness import OrreryTest


def new_key():
    return base64.b64encode(os.urandom(64)).decode()


class Keys(OrreryTest):
    def test_the_admin_interface_needs_a_key(self):
        server = self.start()
        self.assertStatus(401, server.admin("GET", "status", key=None), "unauthorized")
        self.assertStatus(401, server.admin("GET", "status", key=new_key()), "unauthorized")
        self.assertStatus(401, server.admin("GET", "status", key="nonsense"), "unauthorized")
        self.assertStatus(401, server.admin("GET", "status", headers={"Authorization": "Basic eDp5"}), "unauthorized")
        self.assertStatus(200, server.admin("GET", "status"))

    def test_own_keys_replace_the_well_known_one(self):
        primary, secondary, reader = new_key(), new_key(), new_key()
        server = self.start("--key", primary, "--secondary-key", secondary, "--read-only-key", reader)
        self.assertNotIn(primary, server.welcome)
        self.assertStatus(401, server.admin("GET", "databases"))
        for key in (primary, secondary, reader):
            self.assertStatus(200, server.admin("GET", "databases", key=key))
        self.assertStatus(403, server.admin("POST", "databases", {"id": "x"}, key=reader), "forbidden")
        self.assertStatus(201, server.admin("POST", "databases", {"id": "x"}, key=secondary))
        self.assertStatus(403, server.admin("DELETE", "databases/x", key=reader), "forbidden")

    def test_readers_may_scan_and_follow_the_feed(self):
        reader = new_key()
        server = self.start("--read-only-key", reader)
        container = self.make_container(server)
        self.assertStatus(201, container.create({"id": "1", "pk": "a"}))
        server.key = reader
        self.assertEqual(len(container.scan()), 1)
        self.assertEqual(len(container.feed()), 1)
        self.assertStatus(403, container.create({"id": "2", "pk": "a"}), "forbidden")
        self.assertStatus(200, container.read("1", "a"))

    def test_a_key_file(self):
        key = new_key()
        path = self.root / "key"
        path.write_text(key + "\n")
        server = self.start("--key-file", path)
        self.assertStatus(200, server.admin("GET", "status", key=key))
        self.assertStatus(401, server.admin("GET", "status"))

    def test_a_key_that_is_none(self):
        self.assertFails(harness.run_cli("serve", "--data", self.data, "--key", "short"), "key")
        self.assertFalse(self.data.exists())


class Names(OrreryTest):
    """A web page that leads its own name to this machine (DNS rebinding) is not answered."""

    def asked_as(self, server, host):
        return server.admin("GET", "status", headers={"Host": host})

    def test_foreign_names_are_refused_while_the_key_is_known(self):
        server = self.start("--allowed-hosts", "db.example.com,other.example.com")
        refused = self.assertStatus(421, self.asked_as(server, "evil.example"), "misdirected_request")
        self.assertIn(b"--allowed-hosts evil.example", refused.body)
        self.assertStatus(421, server.request("GET", "/metrics", key=None, headers={"Host": "evil.example"}))
        for host in ("localhost", "127.0.0.1", "orrery:8081", "other.example.com:1"):
            self.assertStatus(200, self.asked_as(server, host))

    def test_a_key_of_ones_own_opens_all_names(self):
        key = new_key()
        server = self.start("--key", key, "--auth", "required")
        self.assertStatus(200, server.admin("GET", "status", key=key, headers={"Host": "db.example.com"}))

    def test_a_star_opens_all_names(self):
        self.assertStatus(200, self.asked_as(self.start("--allowed-hosts", "*"), "evil.example"))


class Tls(OrreryTest):
    def test_the_certificate_is_where_the_emulators_have_theirs(self):
        server = self.start()
        pem = self.assertStatus(200, server.request("GET", "/_explorer/emulator.pem", key=None)).body.decode()
        # Whoever trusts it, and nothing else, can talk to the server.
        context = ssl.create_default_context(cadata=pem)
        connection = http.client.HTTPSConnection("localhost", server.port, timeout=harness.PATIENCE_S, context=context)
        self.assertStatus(200, server.request("GET", "/_health", key=None, connection=connection))
        connection.close()
        bare = self.start("--tls", "off", data=self.root / "bare")
        self.assertStatus(404, bare.request("GET", "/_explorer/emulator.pem", key=None))

    def test_tls_and_plain_on_one_port(self):
        server = self.start()
        self.assertStatus(200, server.request("GET", "/_health", tls=False))
        self.assertStatus(200, server.request("GET", "/_health", tls=True))
        self.assertStatus(200, server.admin("GET", "status", tls=True))

    def test_the_own_certificate_is_kept_and_can_be_trusted(self):
        server = self.start()
        certificate = ssl.get_server_certificate(("127.0.0.1", server.port))
        authority = self.root / "ca.pem"
        authority.write_text(certificate)
        context = ssl.create_default_context(cafile=str(authority))
        with urllib.request.urlopen(f"https://localhost:{server.port}/_health", context=context) as answer:
            self.assertEqual(answer.status, 200)
        outcome = harness.run_cli("status", "--url", f"https://localhost:{server.port}", "--ca", authority)
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        server.stop()
        server = self.start()
        self.assertEqual(ssl.get_server_certificate(("127.0.0.1", server.port)), certificate)

    def test_the_own_certificate_names_the_address_of_the_server(self):
        server = self.start("--listen", "127.0.0.9", "--advertise", "orrery.test")
        pem = (self.data / "tls" / "tls-certificate.pem").read_text()
        for name in ("127.0.0.9", "orrery.test", "localhost"):
            context = ssl.create_default_context(cadata=pem)
            with socket.create_connection(("127.0.0.9", server.port), harness.PATIENCE_S) as plain:
                with context.wrap_socket(plain, server_hostname=name) as tls:
                    self.assertIsNotNone(tls.version())

    def test_off(self):
        server = self.start("--tls", "off")
        self.assertStatus(200, server.request("GET", "/_health"))
        self.assertIn("(http)", server.welcome)
        self.assertFalse((self.data / "tls").exists())
        with self.assertRaisesRegex(ssl.SSLError, "(?i)handshake failure"):
            server.request("GET", "/_health", tls=True)
        self.assertIn('orrery_tls_refused_total{listener="sql"} 1', server.request("GET", "/metrics").body.decode())
        self.assertFails(harness.run_cli("status", "--url", f"https://127.0.0.1:{server.port}"), "handshake failure")

    def test_files_that_are_none(self):
        outcome = harness.run_cli("serve", "--data", self.data, "--sql-port", 0, "--tls", "/no/cert.pem,/no/key.pem")
        self.assertFails(outcome, "/no/cert.pem")


class Exposure(OrreryTest):
    def test_other_machines_are_let_in_only_safely(self):
        serve = ("serve", "--data", self.data, "--sql-port", 0, "--listen", "0.0.0.0")
        self.assertFails(harness.run_cli(*serve), "--key-file", "--allow-insecure")
        self.assertFails(harness.run_cli(*serve, "--key", new_key(), "--tls", "off"), "--tls", "--allow-insecure")
        self.assertFails(harness.run_cli(*serve, "--key", new_key(), "--auth", "local"), "--auth")
        self.assertFalse(self.data.exists())

    def test_an_exposed_server_takes_keys_over_tls_only(self):
        key = new_key()
        server = self.start("--listen", "0.0.0.0", "--key", key)
        server.key = key
        plain = self.assertStatus(403, server.admin("GET", "status"), "forbidden")
        self.assertIn("https://", plain.json()["message"])
        self.assertStatus(200, server.admin("GET", "status", tls=True))
        self.assertStatus(401, server.request("GET", "/metrics", key=None, tls=True))
        self.assertStatus(200, server.request("GET", "/_health", key=None))

    def test_insecure_when_told_so(self):
        server = self.start("--listen", "0.0.0.0", "--allow-insecure")
        self.assertStatus(200, server.admin("GET", "status"))
