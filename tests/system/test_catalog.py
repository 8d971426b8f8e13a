"""Databases, containers and throughput through the admin interface."""
from harness import OrreryTest


class Catalog(OrreryTest):
    def setUp(self):
        super().setUp()
        self.server = self.start()

    def test_databases(self):
        admin = self.server.admin
        self.assertEqual(admin("GET", "databases").json(), {"databases": []})
        self.assertStatus(201, admin("POST", "databases", {"id": "shop"}))
        self.assertStatus(409, admin("POST", "databases", {"id": "shop"}), "already_exists")
        self.assertStatus(201, admin("POST", "databases", {"id": "shared", "throughput": {"manual": 1000}}))
        self.assertEqual([d["id"] for d in admin("GET", "databases").json()["databases"]], ["shared", "shop"])
        self.assertEqual(admin("GET", "databases/shared").json()["throughput"], {"manual": 1000})
        self.assertStatus(204, admin("DELETE", "databases/shop"))
        self.assertStatus(404, admin("GET", "databases/shop"), "not_found")
        self.assertStatus(404, admin("DELETE", "databases/shop"), "not_found")

    def test_names(self):
        admin = self.server.admin
        for name in ("", "a/b", "a\\b", "a?b", "a#b", "x" * 256, "trailing ", "new\nline"):
            self.assertStatus(400, admin("POST", "databases", {"id": name}), "invalid_argument")
        self.assertStatus(201, admin("POST", "databases", {"id": "Größe 1"}))
        self.assertStatus(200, admin("GET", "databases/Gr%C3%B6%C3%9Fe%201"))

    def test_containers(self):
        admin = self.server.admin
        self.make_container(self.server, "orders", "shop", throughput={"manual": 1000})
        got = self.assertStatus(200, admin("GET", "databases/shop/containers/orders")).json()
        self.assertEqual((got["database"], got["id"], got["kind"]), ("shop", "orders", "unlimited"))
        self.assertEqual(got["throughputOf"], "container")
        self.assertEqual(got["settings"]["partitionKey"]["paths"], ["/pk"])
        self.assertEqual(len(admin("GET", "databases/shop/containers").json()["containers"]), 1)
        again = admin("POST", "databases/shop/containers", {"id": "orders", "partitionKey": {"paths": ["/pk"]}})
        self.assertStatus(409, again, "already_exists")
        self.assertStatus(204, admin("DELETE", "databases/shop/containers/orders"))
        self.assertStatus(404, admin("GET", "databases/shop/containers/orders"), "not_found")

    def test_what_may_change_later(self):
        admin = self.server.admin
        self.make_container(self.server, "c", "db")
        path = "databases/db/containers/c"
        settings = admin("GET", path).json()["settings"]
        changed = self.assertStatus(200, admin("PUT", path, {**settings, "defaultTtl": 60})).json()
        self.assertEqual(changed["settings"]["defaultTtl"], 60)
        other_key = {**settings, "partitionKey": {"paths": ["/other"]}}
        self.assertStatus(400, admin("PUT", path, other_key), "invalid_argument")
        self.assertStatus(400, admin("PUT", path, {**settings, "id": "renamed"}), "invalid_argument")
        self.assertStatus(404, admin("PUT", "databases/db/containers/x", {**settings, "id": "x"}), "not_found")

    def test_unknown_things(self):
        admin = self.server.admin
        for method, path in (("GET", "databases/no"), ("GET", "databases/no/containers"),
                             ("GET", "databases/no/containers/c"), ("GET", "databases/no/throughput"),
                             ("GET", "partitions?database=no"), ("GET", "nonsense")):
            self.assertStatus(404, admin(method, path), "not_found")
        self.assertStatus(201, admin("POST", "databases", {"id": "db"}))
        self.assertStatus(404, admin("GET", "databases/db/containers/c"), "not_found")
        self.assertStatus(404, admin("POST", "databases/no/containers", {"id": "c"}), "not_found")
        self.assertStatus(405, admin("PATCH", "databases"))

    def test_bodies_that_make_no_sense(self):
        admin = self.server.admin
        self.assertStatus(201, admin("POST", "databases", {"id": "db"}))
        for path, body in (("databases", b"{"), ("databases", b"[]"), ("databases", b""), ("databases", {"name": "x"}),
                           ("databases", {"id": 5}), ("databases", {"id": "x", "trougput": 1}),
                           ("databases", {"id": "x", "throughput": {"manual": "many"}}),
                           ("databases/db/containers", {"id": "c", "partitonKey": {"paths": ["/pk"]}}),
                           ("databases/db/containers", {"id": "c", "partitionKey": {"paths": ["pk"]}}),
                           ("databases/db/containers", {"id": "c", "partitionKey": {"paths": []}})):
            with self.subTest(path=path, body=body):
                self.assertStatus(400, admin("POST", path, body), "invalid_argument")
        self.assertEqual(len(admin("GET", "databases").json()["databases"]), 1)


class Throughput(OrreryTest):
    def setUp(self):
        super().setUp()
        self.server = self.start()
        self.assertStatus(201, self.server.admin("POST", "databases", {"id": "db"}))

    def create(self, name, throughput=None, key=True):
        body = {"id": name}
        if throughput is not None:
            body["throughput"] = throughput
        if key:
            body["partitionKey"] = {"paths": ["/pk"]}
        return self.server.admin("POST", "databases/db/containers", body)

    def test_invalid_numbers(self):
        for throughput in ({"manual": 399}, {"manual": 450}, {"manual": 0}, {"manual": -400}, {"manual": 1_000_100},
                           {"manual": 400.5}, {"manual": 1e30}, {"manual": 10**30}, {"manual": None}, {"manual": "400"},
                           {"autoscaleMax": 999}, {"autoscaleMax": 1500}, {"manual": 400, "autoscaleMax": 1000},
                           {}, {"manual": 400, "burst": True}, {"ru": 400}):
            with self.subTest(throughput=throughput):
                self.assertStatus(400, self.create("c", throughput), "invalid_argument")
                database = {"id": "other", "throughput": throughput}
                self.assertStatus(400, self.server.admin("POST", "databases", database), "invalid_argument")
        self.assertStatus(400, self.create("fixed", {"manual": 10_100}, key=False), "invalid_argument")
        self.assertEqual(self.server.admin("GET", "databases/db/containers").json(), {"containers": []})

    def test_partitions_follow(self):
        for name, throughput, partitions in (("one", {"manual": 10_000}, 1), ("two", {"manual": 10_100}, 2),
                                             ("three", {"autoscaleMax": 30_000}, 3)):
            self.assertStatus(201, self.create(name, throughput))
            got = self.server.admin("GET", f"partitions?database=db&container={name}").json()["partitions"]
            self.assertEqual(len(got), partitions, name)

    def test_change(self):
        self.assertStatus(201, self.create("c", {"manual": 1000}))
        path = "databases/db/containers/c/throughput"
        self.assertEqual(self.server.admin("GET", path).json()["throughput"], {"manual": 1000})
        changed = self.assertStatus(200, self.server.admin("PUT", path, {"autoscaleMax": 4000})).json()
        self.assertEqual(changed["throughput"], {"autoscaleMax": 4000})
        for throughput in ({"manual": 450}, {}, {"manual": -1}, {"manual": 1000, "autoscaleMax": 1000}, {"rate": 400}):
            self.assertStatus(400, self.server.admin("PUT", path, throughput), "invalid_argument")
        self.assertEqual(self.server.admin("GET", path).json()["throughput"], {"autoscaleMax": 4000})

    def test_none_stays_none(self):
        self.assertStatus(201, self.create("c"))
        path = "databases/db/containers/c/throughput"
        self.assertIsNone(self.server.admin("GET", path).json()["throughput"])
        self.assertGreaterEqual(self.server.admin("PUT", path, {"manual": 1000}).status, 400)

    def test_fixed_and_unlimited(self):
        self.assertStatus(201, self.create("fixed", {"manual": 400}, key=False))
        self.assertStatus(201, self.create("keyed", {"manual": 1000}))
        kinds = {c["id"]: c["kind"] for c in self.server.admin("GET", "databases/db/containers").json()["containers"]}
        self.assertEqual(kinds, {"fixed": "fixed", "keyed": "unlimited"})

    def test_over_the_rate_requests_are_refused(self):
        self.assertStatus(201, self.create("c", {"manual": 400}))
        # 400 RU/s carry less than a hundred of these writes a second; one of many is refused.
        document = {"pk": "a", "text": "x" * 20_000}
        connection = self.server.connect()
        for number in range(2_000):
            answer = self.server.admin("POST", "databases/db/containers/c/items", {**document, "id": str(number)},
                                       connection=connection)
            if answer.status == 429:
                break
            self.assertStatus(201, answer)
        connection.close()
        self.assertStatus(429, answer, "throttled")
        self.assertGreater(int(answer.headers["x-ms-retry-after-ms"]), 0)
        self.assertEqual(answer.headers["x-ms-retry-after-ms"], answer.headers["Retry-After-Ms"])
