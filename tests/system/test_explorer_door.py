"""Who is let in to the explorer and the admin interface by a browser: sessions, origins, headers."""
import base64
import contextlib
import os
import time

from harness import OrreryTest, WELL_KNOWN_KEY

PAGE = {"X-Orrery-Explorer": "1"}
PAGE_HEADERS = {
    "Content-Security-Policy":
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
        "require-trusted-types-for 'script'; trusted-types svelte-trusted-html",
    "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin", "X-Frame-Options": "DENY"}


def new_key():
    return base64.b64encode(os.urandom(64)).decode()


class DoorTest(OrreryTest):
    def ask(self, server, method, path, body=None, headers=None, **options):
        return server.request(method, path, body, headers=headers, key=None, **options)

    def log_in(self, server, body=None, headers=None, **options):
        return self.ask(server, "POST", "/_explorer/session", {} if body is None else body, headers, **options)

    def cookie_of(self, answer):
        """What a browser sends back."""
        return answer.headers["Set-Cookie"].split(";")[0]


class Strangers(DoorTest):
    def test_without_a_session_or_key_only_the_page_answers(self):
        server = self.start("--auth", "required")
        for path in ("/_explorer/", "/_explorer/session", "/_health", "/", "/_explorer/emulator.pem"):
            self.assertStatus(200, self.ask(server, "GET", path))
        for path in ("/metrics", "/_admin/v1/status", "/_admin/v1/databases", "/_admin/v1/partitions"):
            self.assertStatus(401, self.ask(server, "GET", path), "unauthorized")
        for path in ("/_explorer/assets/none.js", "/_explorer/session/x", "/_explorer/..%2f..%2fetc%2fpasswd"):
            self.assertStatus(404, self.ask(server, "GET", path))

    def test_the_word_leads_to_the_folder(self):
        answer = self.assertStatus(308, self.ask(self.start(), "GET", "/_explorer"))
        self.assertEqual(answer.headers["Location"], "_explorer/")

    def test_off_leaves_the_certificate(self):
        server = self.start("--explorer", "off")
        for path in ("/_explorer", "/_explorer/", "/_explorer/session"):
            self.assertStatus(404, self.ask(server, "GET", path))
        self.assertStatus(404, self.log_in(server))
        self.assertStatus(200, self.ask(server, "GET", "/_explorer/emulator.pem"))


class Sessions(DoorTest):
    def test_a_key_gives_a_cookie_that_is_not_the_key(self):
        server = self.start("--auth", "required")
        self.assertStatus(401, self.log_in(server), "unauthorized")
        self.assertStatus(401, self.log_in(server, {"key": new_key()}), "unauthorized")
        self.assertStatus(400, self.log_in(server, {"kee": WELL_KNOWN_KEY}))
        answer = self.assertStatus(200, self.log_in(server, {"key": WELL_KNOWN_KEY}))
        self.assertEqual(answer.json()["access"], "readWrite")
        self.assertFalse(answer.json()["trustLocal"])
        cookie, *rules = answer.headers["Set-Cookie"].split("; ")
        self.assertTrue(cookie.startswith(f"orrery-{server.port}="), cookie)
        self.assertEqual(set(rules), {"HttpOnly", "SameSite=Strict", "Path=/", "Max-Age=43200"})
        self.assertNotIn(WELL_KNOWN_KEY, answer.headers["Set-Cookie"])
        self.assertNotIn(WELL_KNOWN_KEY.encode(), answer.body)
        self.assertAlmostEqual(answer.json()["expires"] / 1000, time.time() + 43_200, delta=60)
        session = {"Cookie": "a=b; " + cookie, **PAGE}
        self.assertEqual(self.ask(server, "GET", "/_explorer/session", headers=session).json()["access"], "readWrite")
        self.assertStatus(200, self.ask(server, "GET", "/_admin/v1/status", headers=session))
        self.assertStatus(200, self.ask(server, "GET", "/metrics", headers=session))
        self.assertStatus(201, self.ask(server, "POST", "/_admin/v1/databases", {"id": "d"}, headers=session))

    def test_over_tls_the_cookie_is_secure(self):
        server = self.start()
        answer = self.assertStatus(200, self.log_in(server, {"key": WELL_KNOWN_KEY}, tls=True))
        cookie, *rules = answer.headers["Set-Cookie"].split("; ")
        self.assertTrue(cookie.startswith(f"__Host-orrery-{server.port}="), cookie)
        self.assertIn("Secure", rules)
        self.assertTrue(answer.json()["tls"])
        session = {"Cookie": cookie, **PAGE}
        self.assertStatus(200, self.ask(server, "GET", "/_admin/v1/status", headers=session, tls=True))
        # Under its other name, as in the clear, it is none.
        self.assertStatus(401, self.ask(server, "GET", "/_admin/v1/status", headers=session))

    def test_a_cookie_counts_only_with_the_pages_header(self):
        server = self.start()
        cookie = {"Cookie": self.cookie_of(self.log_in(server, {"key": WELL_KNOWN_KEY}))}
        self.assertStatus(401, self.ask(server, "GET", "/_admin/v1/status", headers=cookie))
        self.assertStatus(401, self.ask(server, "GET", "/_admin/v1/status", headers={"X-Orrery-Explorer": "0", **cookie}))
        self.assertEqual(self.ask(server, "GET", "/_explorer/session", headers=cookie).json()["access"], "none")
        # It is none of the keys that other APIs of the port know.
        self.assertStatus(401, self.ask(server, "GET", "/dbs", headers={**cookie, **PAGE}))

    def test_forged_and_ended_cookies_are_none(self):
        server = self.start()
        good = self.cookie_of(self.log_in(server, {"key": WELL_KNOWN_KEY}))
        name, value = good.split("=", 1)
        expires, nonce, seal = value.split(".")
        for forged in (f"{int(expires) + 1}.{nonce}.{seal}", f"{expires}.{nonce}.{'0' * 64}", f"{expires}.{nonce}", "", "."):
            headers = {"Cookie": f"{name}={forged}", **PAGE}
            self.assertStatus(401, self.ask(server, "GET", "/_admin/v1/status", headers=headers))
        headers = {"Cookie": good, **PAGE}
        self.assertStatus(200, self.ask(server, "GET", "/_admin/v1/status", headers=headers))
        ended = self.assertStatus(204, self.ask(server, "DELETE", "/_explorer/session", headers=headers))
        self.assertIn("Max-Age=0", ended.headers["Set-Cookie"])
        self.assertStatus(401, self.ask(server, "GET", "/_admin/v1/status", headers=headers))

    def test_a_new_key_ends_the_sessions_of_the_old(self):
        server = self.start("--auth", "required")
        headers = {"Cookie": self.cookie_of(self.log_in(server, {"key": WELL_KNOWN_KEY})), **PAGE}
        headers["Host"] = f"localhost:{server.port}"  # cookies are known by the port of the address
        server.stop()
        # Restarting alone does not.
        server = self.start("--auth", "required")
        self.assertStatus(200, self.ask(server, "GET", "/_admin/v1/status", headers=headers))
        server.stop()
        server = self.start("--auth", "required", "--key", new_key())
        self.assertStatus(401, self.ask(server, "GET", "/_admin/v1/status", headers=headers))

    def test_readers_see_everything_and_change_nothing(self):
        reader = new_key()
        server = self.start("--read-only-key", reader)
        answer = self.log_in(server, {"key": reader})
        self.assertEqual(answer.json()["access"], "readOnly")
        headers = {"Cookie": self.cookie_of(answer), **PAGE}
        self.assertStatus(200, self.ask(server, "GET", "/_admin/v1/databases", headers=headers))
        self.assertStatus(403, self.ask(server, "POST", "/_admin/v1/databases", {"id": "x"}, headers=headers), "forbidden")

    def test_wrong_keys_close_the_door_for_a_while(self):
        server = self.start()
        for _ in range(10):
            self.assertStatus(401, self.log_in(server, {"key": new_key()}))
        closed = self.assertStatus(429, self.log_in(server, {"key": WELL_KNOWN_KEY}), "throttled")
        self.assertGreater(int(closed.headers["Retry-After"]), 0)
        self.assertLessEqual(int(closed.headers["Retry-After"]), 60)
        # Whoever has a key still gets in.
        self.assertStatus(200, server.admin("GET", "status"))

    def test_keys_and_cookies_stay_out_of_the_log(self):
        server = self.start("--log-level", "debug", "--auth", "required")
        wrong = new_key()
        self.log_in(server, {"key": wrong})
        cookie = self.cookie_of(self.log_in(server, {"key": WELL_KNOWN_KEY}))
        self.ask(server, "GET", "/_admin/v1/status", headers={"Cookie": cookie, **PAGE})
        server.stop()
        for secret in (wrong, WELL_KNOWN_KEY, cookie.split("=", 1)[1]):
            self.assertNotIn(secret, server.stderr)


class LocalTrust(DoorTest):
    def test_the_page_logs_itself_in_on_loopback(self):
        server = self.start()
        self.assertTrue(self.ask(server, "GET", "/_explorer/session").json()["trustLocal"])
        answer = self.assertStatus(200, self.log_in(server))
        self.assertEqual(answer.json()["access"], "readWrite")
        headers = {"Cookie": self.cookie_of(answer), **PAGE}
        self.assertStatus(200, self.ask(server, "GET", "/_admin/v1/status", headers=headers))

    def test_never_for_what_was_passed_on(self):
        server = self.start()
        for name in ("X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "Forwarded"):
            self.assertStatus(401, self.log_in(server, headers={name: "10.0.0.1"}))
        behind = self.start("--explorer-origin", "https://db.example", data=self.root / "behind")
        self.assertStatus(401, self.log_in(behind))

    def test_never_with_keys_required_nor_where_others_reach_it(self):
        self.assertStatus(401, self.log_in(self.start("--auth", "required")))
        key = new_key()
        exposed = self.start("--listen", "0.0.0.0", "--key", key, data=self.root / "exposed")
        self.assertFalse(self.ask(exposed, "GET", "/_explorer/session", tls=True).json()["trustLocal"])
        self.assertStatus(401, self.log_in(exposed, tls=True))
        # Keys only over TLS there, sessions too.
        self.assertStatus(403, self.log_in(exposed, {"key": key}), "forbidden")
        self.assertStatus(200, self.log_in(exposed, {"key": key}, tls=True))
        open_to_all = self.start("--listen", "0.0.0.0", "--allow-insecure", "--auth", "local", data=self.root / "open")
        self.assertStatus(401, self.log_in(open_to_all))


class Origins(DoorTest):
    def test_pages_of_other_origins_are_refused(self):
        server = self.start()
        own = f"http://127.0.0.1:{server.port}"
        self.assertStatus(200, self.log_in(server, headers={"Origin": own, "Sec-Fetch-Site": "same-origin"}))
        self.assertStatus(200, server.admin("GET", "status", headers={"Origin": own}))
        for origin in ("http://127.0.0.1:3000", "https://127.0.0.1", f"https://127.0.0.1:{server.port}",
                       f"http://localhost:{server.port}", "http://evil.example", "null"):
            refused = self.assertStatus(403, self.log_in(server, headers={"Origin": origin}), "forbidden")
            self.assertNotIn("Set-Cookie", refused.headers)
            # A key does not help: a page has no business here.
            self.assertStatus(403, server.admin("GET", "status", headers={"Origin": origin}), "forbidden")
        for site in ("cross-site", "same-site", "nonsense"):
            for path in ("/_explorer/", "/_explorer/session", "/_admin/v1/status", "/metrics"):
                self.assertStatus(403, server.request("GET", path, headers={"Sec-Fetch-Site": site}), "forbidden")
        self.assertStatus(200, self.ask(server, "GET", "/_explorer/", headers={"Sec-Fetch-Site": "none"}))
        self.assertStatus(403, self.log_in(server, headers={"Sec-Fetch-Site": "none"}), "forbidden")

    def test_a_proxys_origin_takes_the_place_of_the_host(self):
        server = self.start("--explorer-origin", "https://db.example")
        theirs = {"Host": "db.example", "Origin": "https://db.example"}
        answer = self.assertStatus(200, self.log_in(server, {"key": WELL_KNOWN_KEY}, headers=theirs))
        self.assertTrue(answer.headers["Set-Cookie"].startswith("__Host-orrery-443="))
        self.assertIn("Secure", answer.headers["Set-Cookie"])
        self.assertStatus(403, self.log_in(server, {"key": WELL_KNOWN_KEY}, headers={"Origin": server.url}), "forbidden")

    def test_nothing_is_ever_shared_with_other_origins(self):
        server = self.start()
        for path in ("/_admin/v1/status", "/_explorer/session", "/_explorer/", "/metrics", "/nowhere"):
            asked = {"Access-Control-Request-Method": "POST"}
            self.assertStatus(405, self.ask(server, "OPTIONS", path, headers=asked))
            for method in ("OPTIONS", "GET"):
                answer = server.request(method, path)
                self.assertEqual([name for name in answer.headers if name.lower().startswith("access-control")], [])

    def test_foreign_hosts_are_told_which_setting_opens(self):
        server = self.start()
        for path in ("/_explorer/", "/_explorer/session", "/_admin/v1/status", "/metrics", "/_health", "/dbs"):
            for host in ("evil.example", "localhost.evil.example", "db.example.com"):
                refused = self.assertStatus(421, server.request("GET", path, headers={"Host": host}), "misdirected_request")
                self.assertIn("--allowed-hosts", refused.json()["message"])
        for host in ("localhost", "a.localhost:1", "[::1]:8081", "orrery", "host.docker.internal", "o.ns.svc.cluster.local"):
            self.assertStatus(200, self.ask(server, "GET", "/_explorer/", headers={"Host": host}))
        # Behind a proxy its name is this server's.
        behind = self.start("--explorer-origin", "https://db.example", data=self.root / "behind")
        self.assertStatus(200, self.ask(behind, "GET", "/_explorer/", headers={"Host": "db.example"}))


class Headers(DoorTest):
    def test_the_page_may_do_little(self):
        server = self.start()
        for path in ("/_explorer/", "/_explorer/session", "/_explorer/nothing", "/_explorer"):
            answer = self.ask(server, "GET", path)
            for name, value in PAGE_HEADERS.items():
                self.assertEqual(answer.headers.get_all(name), [value], path)

    def test_answers_are_for_this_origin_and_kept_by_nobody(self):
        server = self.start()
        for path in ("/_admin/v1/status", "/_admin/v1/nothing", "/metrics"):
            answer = server.request("GET", path)
            self.assertEqual(answer.headers["X-Content-Type-Options"], "nosniff")
            self.assertEqual(answer.headers["Cache-Control"], "no-store")
            self.assertEqual(answer.headers["Cross-Origin-Resource-Policy"], "same-origin")
            if path.startswith("/_admin"):
                self.assertEqual(answer.headers.get_content_type(), "application/json")
        self.assertEqual(self.ask(server, "GET", "/_explorer/session").headers["Cache-Control"], "no-store")

    def test_the_page_is_asked_for_again(self):
        server = self.start()
        answer = self.assertStatus(200, self.ask(server, "GET", "/_explorer/", headers={"Accept-Encoding": "gzip"}))
        self.assertEqual(answer.headers["Cache-Control"], "no-cache")
        self.assertEqual(answer.headers.get_content_type(), "text/html")
        with contextlib.closing(server.connect()) as connection:
            head = self.ask(server, "HEAD", "/_explorer/", connection=connection)
            self.assertEqual((head.status, head.body), (200, b""))


class Connections(DoorTest):
    def test_where_clients_connect(self):
        reader = new_key()
        server = self.start("--read-only-key", reader, "--mongo-port", "any")
        found = self.assertStatus(200, server.admin("GET", "connect", headers={"Host": f"localhost:{server.port}"})).json()
        self.assertEqual((found["host"], found["account"], found["key"], found["tls"]), ("localhost", "localhost", None, True))
        self.assertEqual(found["ports"]["sql"], server.port)
        self.assertEqual(found["ports"]["mongo"], server.mongo_port)
        self.assertEqual(found["strings"]["sql"], f"AccountEndpoint=http://localhost:{server.port}/;AccountKey=ACCOUNT-KEY;")
        self.assertNotIn(WELL_KNOWN_KEY, str(found))
        self.assertEqual(server.admin("GET", "connect?key=true").json()["key"], WELL_KNOWN_KEY)
        self.assertStatus(200, server.admin("GET", "connect", key=reader))
        self.assertStatus(403, server.admin("GET", "connect?key=true", key=reader), "forbidden")
        self.assertStatus(401, server.admin("GET", "connect", key=None))
