"""Items, batches, scans and feeds through the admin interface."""
import time

from harness import OrreryTest


class Items(OrreryTest):
    def setUp(self):
        super().setUp()
        self.server = self.start()
        self.container = self.make_container(self.server)

    def test_a_life(self):
        c = self.container
        created = self.assertStatus(201, c.create({"id": "1", "pk": "a", "n": 1}))
        self.assertEqual(created.json(), {"id": "1", "pk": "a", "n": 1})
        self.assertGreater(float(created.headers["x-ms-request-charge"]), 0)
        self.assertTrue(created.headers["x-ms-session-token"])
        read = self.assertStatus(200, c.read("1", "a", headers={"x-ms-session-token": created.headers["x-ms-session-token"]}))
        self.assertEqual(read.json(), created.json())
        self.assertEqual(read.headers["etag"], created.headers["etag"])
        self.assertStatus(409, c.create({"id": "1", "pk": "a"}), "already_exists")
        replaced = self.assertStatus(200, c.upsert({"id": "1", "pk": "a", "n": 2}))
        self.assertNotEqual(replaced.headers["etag"], created.headers["etag"])
        self.assertStatus(200, c.replace("1", {"id": "1", "pk": "a", "n": 3}))
        patched = self.assertStatus(200, c.patch("1", "a", [{"op": "incr", "path": "/n", "value": 4}]))
        self.assertEqual(patched.json()["n"], 7)
        self.assertStatus(204, c.delete("1", "a"))
        nothing = self.assertStatus(404, c.read("1", "a"), "not_found")
        self.assertEqual(nothing.headers["x-ms-request-charge"], "1.00")
        self.assertTrue(nothing.headers["x-ms-session-token"])
        self.assertStatus(404, c.delete("1", "a"), "not_found")
        self.assertStatus(404, c.replace("1", {"id": "1", "pk": "a"}), "not_found")

    def test_the_key_decides(self):
        c = self.container
        self.assertStatus(201, c.create({"id": "1", "pk": "a", "n": 1}))
        self.assertStatus(201, c.create({"id": "1", "pk": "b", "n": 2}))
        self.assertStatus(201, c.create({"id": "1", "pk": 7, "n": 3}))
        self.assertStatus(201, c.create({"id": "1", "pk": None, "n": 4}))
        for key, n in (("a", 1), ("b", 2), (7, 3), (7.0, 3), ([None], 4), (["b"], 2)):
            self.assertEqual(c.read("1", key).json()["n"], n)
        self.assertStatus(404, c.read("1", "7"), "not_found")
        self.assertStatus(400, self.server.admin("GET", c.item_path("1") + "?partitionKey=a"), "invalid_argument")

    def test_conditions(self):
        c = self.container
        etag = self.assertStatus(201, c.create({"id": "1", "pk": "a", "n": 1})).headers["etag"]
        newer = self.assertStatus(200, c.upsert({"id": "1", "pk": "a", "n": 2}, headers={"If-Match": etag})).headers["etag"]
        self.assertStatus(412, c.upsert({"id": "1", "pk": "a", "n": 3}, headers={"If-Match": etag}), "precondition_failed")
        self.assertStatus(412, c.delete("1", "a", headers={"If-Match": etag}), "precondition_failed")
        condition = {"=": [{"path": "/n"}, 2]}
        grow = [{"op": "incr", "path": "/n", "value": 1}]
        self.assertStatus(200, c.patch("1", "a", grow, condition))
        self.assertStatus(412, c.patch("1", "a", grow, condition), "precondition_failed")
        self.assertStatus(400, c.upsert({"id": "1", "pk": "a"}, headers={"If-Match": "rubbish"}), "invalid_argument")
        self.assertEqual(c.read("1", "a").json()["n"], 3)
        self.assertNotEqual(newer, etag)

    def test_json_survives(self):
        document = {"id": "ü/?#%", "pk": "a", "z": 1, "a": [1, 2.5, -0.1, 1e300, {"x": None, "y": True}], "": "empty name",
                    "big": 9007199254740993, "text": "\u0000\u001f\U0001f600\"\\"}
        self.assertStatus(201, self.container.create(document))
        read = self.assertStatus(200, self.container.read("ü/?#%", "a"))
        self.assertEqual(read.json(), document)
        self.assertEqual(list(read.json()), list(document))

    def test_limits(self):
        c = self.container
        self.assertStatus(201, c.create({"id": "x" * 2048, "pk": "a"}))
        self.assertStatus(201, c.create({"id": "1", "pk": "k" * 2000}))
        for document in ({"id": "x" * 2049, "pk": "a"}, {"id": "1", "pk": "k" * 2100},
                         {"id": "1", "pk": "a", "text": "x" * (2 << 20)}):
            answer = c.create(document)
            self.assertIn(answer.status, (400, 413), answer)
        for document, why in (({"pk": "a"}, "missing"), ({"id": 5, "pk": "a"}, "must be a string"),
                              ({"id": None, "pk": "a"}, "must be a string")):
            self.assertIn(why, self.assertStatus(400, c.create(document), "invalid_argument").json()["message"])
        self.assertEqual(len(c.scan()), 2)

    def test_a_body_beyond_all_limits(self):
        answer = self.server.admin("POST", self.container.path + "/items", b"x" * (5 << 20))
        self.assertEqual(answer.status, 413)

    def test_a_unique_key(self):
        c = self.make_container(self.server, "unique", uniqueKeys=[["/mail"]])
        self.assertStatus(201, c.create({"id": "1", "pk": "a", "mail": "x"}))
        self.assertStatus(409, c.create({"id": "2", "pk": "a", "mail": "x"}), "already_exists")
        self.assertStatus(201, c.create({"id": "2", "pk": "b", "mail": "x"}))

    def test_a_fixed_container_needs_no_key(self):
        self.assertStatus(201, self.server.admin("POST", "databases/db/containers", {"id": "fixed"}))
        self.container.path = "databases/db/containers/fixed"
        self.assertStatus(201, self.container.create({"id": "1"}))
        self.assertStatus(200, self.container.read("1"))

    def test_unknown_containers(self):
        self.container.path = "databases/db/containers/no"
        self.assertStatus(404, self.container.create({"id": "1", "pk": "a"}), "not_found")
        self.assertStatus(404, self.container.read("1", "a"), "not_found")


class FullKeys(OrreryTest):
    """A logical partition has a limit; it can still be read, and emptied."""

    def test_a_full_logical_partition(self):
        server = self.start("--limit-logical-partition", "100KB")
        c = self.make_container(server)
        stored = []
        for n in range(200):
            answer = c.create({"id": str(n), "pk": "big", "text": "x" * 2000})
            if answer.status != 201:
                break
            stored.append(str(n))
        self.assertStatus(403, answer, "partition_full")
        self.assertIn("Partition key reached maximum size of", answer.json()["message"])
        self.assertStatus(201, c.create({"id": "1", "pk": "other"}))
        self.assertStatus(200, c.read(stored[0], "big"))
        for name in stored[:10]:
            self.assertStatus(204, c.delete(name, "big"))
        self.assertStatus(201, c.create({"id": "again", "pk": "big", "text": "x" * 2000}))


class Expiry(OrreryTest):
    def test_expired_items_are_gone_and_announced(self):
        c = self.make_container(self.start(), defaultTtl=-1, feedRetentionMinutes=60)
        self.assertStatus(201, c.create({"id": "stays", "pk": "a"}))
        self.assertStatus(201, c.create({"id": "goes", "pk": "a", "ttl": 1}))
        while c.read("goes", "a").status != 404:
            time.sleep(0.1)
        self.assertEqual([d["id"] for d in c.scan()], ["stays"])
        while [x["kind"] for x in c.feed(mode="allVersions")] != ["create", "create", "expire"]:
            time.sleep(0.1)
        self.assertStatus(201, c.create({"id": "goes", "pk": "a"}))


class Batches(OrreryTest):
    def setUp(self):
        super().setUp()
        self.container = self.make_container(self.start())

    def test_all(self):
        c = self.container
        self.assertStatus(201, c.create({"id": "old", "pk": "a", "n": 1}))
        answer = self.assertStatus(200, c.batch("a", [
            {"kind": "create", "document": {"id": "1", "pk": "a"}},
            {"kind": "upsert", "document": {"id": "2", "pk": "a"}},
            {"kind": "patch", "id": "old", "patch": [{"op": "set", "path": "/n", "value": 2}]},
            {"kind": "read", "id": "1"},
            {"kind": "delete", "id": "2"}]))
        done = [result["done"] for result in answer.json()["results"]]
        self.assertEqual(done, ["created", "created", "replaced", "read", "deleted"])
        self.assertEqual(sorted(d["id"] for d in c.scan()), ["1", "old"])

    def test_or_nothing(self):
        c = self.container
        self.assertStatus(201, c.create({"id": "1", "pk": "a", "n": 1}))
        answer = c.batch("a", [{"kind": "upsert", "document": {"id": "1", "pk": "a", "n": 2}},
                               {"kind": "create", "document": {"id": "2", "pk": "a"}},
                               {"kind": "delete", "id": "missing"}])
        self.assertStatus(404, answer, "not_found")
        self.assertEqual(answer.json()["failedOperation"], 2)
        self.assertEqual(c.scan(), [{"id": "1", "pk": "a", "n": 1}])

    def test_nonsense(self):
        c = self.container
        for operations in ([], [{"kind": "frobnicate", "id": "1"}], [{"kind": "create"}], ["create"],
                           [{"kind": "create", "document": {"id": "1", "pk": "other"}}],
                           [{"kind": "create", "document": {"id": str(n), "pk": "a"}} for n in range(101)]):
            answer = c.batch("a", operations)
            self.assertIn(answer.status, (400, 413), answer)
        self.assertEqual(c.scan(), [])


class Scans(OrreryTest):
    def setUp(self):
        super().setUp()
        self.server = self.start()
        self.container = self.make_container(self.server, throughput={"manual": 30_000})
        for n in range(30):
            self.assertStatus(201, self.container.create({"id": f"{n:02}", "pk": f"k{n % 5}", "n": n, "tags": ["x", n]}))

    def test_pages_over_all_partitions(self):
        pages = list(self.container.pages("scan", maxItems=7))
        self.assertGreater(len(pages), 4)
        found = [item["document"]["n"] for page in pages for item in page["items"]]
        self.assertEqual(sorted(found), list(range(30)))

    def test_one_logical_partition_is_in_order(self):
        found = [d["id"] for d in self.container.scan(partitionKey="k2", maxItems=2)]
        self.assertEqual(found, ["02", "07", "12", "17", "22", "27"])

    def test_filter(self):
        condition = {"and": [{">=": [{"path": "/n"}, 10]}, {"<": [{"path": "/n"}, 13]}]}
        self.assertEqual(sorted(d["n"] for d in self.container.scan(filter=condition)), [10, 11, 12])

    def test_index_range(self):
        found = self.container.scan(index={"path": "/n", "lower": 25, "upper": 28, "upperInclusive": False})
        self.assertEqual(sorted(d["n"] for d in found), [25, 26, 27])
        self.assertEqual([d["n"] for d in self.container.scan(index={"path": "/tags/[]", "lower": 3, "upper": 3})], [3])

    def test_nonsense(self):
        path = self.container.path + "/scan"
        for question in ({"continuation": "rubbish"}, {"maxItems": 0}, {"maxItems": 10**9}, {"fliter": True},
                         {"filter": {"frob": [1]}}, {"index": {"name": "a", "path": "/n"}}, {"index": {}}):
            with self.subTest(question=question):
                self.assertStatus(400, self.server.admin("POST", path, question), "invalid_argument")
        self.assertStatus(404, self.server.admin("POST", path, {"index": {"name": "no"}}), "not_found")


class Feeds(OrreryTest):
    def setUp(self):
        super().setUp()
        self.server = self.start()

    def test_latest_versions(self):
        c = self.make_container(self.server)
        for n in range(3):
            self.assertStatus(201, c.create({"id": str(n), "pk": "a", "n": 0}))
        self.assertStatus(200, c.upsert({"id": "0", "pk": "a", "n": 1}))
        self.assertStatus(204, c.delete("1", "a"))
        self.assertEqual([(x["id"], x["document"]["n"]) for x in c.feed(maxItems=1)], [(["2"], 0), (["0"], 1)])

    def test_resumes(self):
        c = self.make_container(self.server)
        self.assertStatus(201, c.create({"id": "1", "pk": "a"}))
        page = list(c.pages("feed"))[-1]
        self.assertEqual(c.feed(continuation=page["continuation"]), [])
        self.assertStatus(201, c.create({"id": "2", "pk": "b"}))
        self.assertEqual([x["id"] for x in c.feed(continuation=page["continuation"])], [["2"]])

    def test_from_now(self):
        c = self.make_container(self.server)
        self.assertStatus(201, c.create({"id": "1", "pk": "a"}))
        page = list(c.pages("feed", start="now"))[-1]
        self.assertEqual(page["changes"], [])
        self.assertStatus(201, c.create({"id": "2", "pk": "a"}))
        self.assertEqual([x["id"] for x in c.feed(continuation=page["continuation"])], [["2"]])

    def test_all_versions_and_deletes(self):
        c = self.make_container(self.server, "all", feedRetentionMinutes=60)
        self.assertStatus(201, c.create({"id": "1", "pk": "a", "n": 1}))
        self.assertStatus(200, c.upsert({"id": "1", "pk": "a", "n": 2}))
        self.assertStatus(204, c.delete("1", "a"))
        changes = c.feed(mode="allVersions")
        self.assertEqual([x["kind"] for x in changes], ["create", "replace", "delete"])
        self.assertEqual([x["document"]["n"] for x in changes[:2]], [1, 2])
        self.assertEqual(changes[1]["previousEtag"], changes[0]["etag"])

    def test_nonsense(self):
        c = self.make_container(self.server)
        for question in ({"mode": "some"}, {"start": "yesterday"}, {"continuation": "rubbish"}, {"form": 1}):
            self.assertStatus(400, self.server.admin("POST", c.path + "/feed", question), "invalid_argument")
