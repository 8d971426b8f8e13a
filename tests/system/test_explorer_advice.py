"""Advice on partition keys, from stored items and from files, on sets with a known right answer; and jobs."""
import json
import random
import time

import harness
from harness import OrreryTest, PATIENCE_S

ORDERS = ["--requests", "/tenant=90", "--requests", "/tenant,/user=10"]


def hot_tenant(count=1500):
    chance = random.Random(1)
    return [{"id": str(i), "tenant": "big" if chance.random() < 0.9 else f"t{chance.randrange(300)}",
             "user": f"u{chance.randrange(800)}"} for i in range(count)]


def time_series(count=3000):
    chance = random.Random(2)
    return [{"id": str(i), "date": f"2026-{i // 300 + 1:02}", "device": f"d{chance.randrange(200)}",
             "value": chance.randrange(1_000_000)} for i in range(count)]


def uniform_ids(count=1500):
    chance = random.Random(3)
    return [{"id": f"{chance.randrange(1 << 32):08x}", "customer": f"c{chance.randrange(400)}"} for i in range(count)]


class Files(OrreryTest):
    def advise(self, items, *flags, csv=False):
        path = self.root / ("items.csv" if csv else "items.json")
        if csv:
            names = list(items[0])
            path.write_text("\n".join([",".join(names)] + [",".join(str(item[name]) for name in names) for item in items]))
        else:
            path.write_text("\n".join(map(json.dumps, items)))
        outcome = harness.run_cli("advise", "--file", path, "--json", *flags)
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        return {each["key"]: each for each in json.loads(outcome.stdout)["candidates"]}

    def best(self, advice):
        return [key for key, each in advice.items() if each["verdict"] == "best"]

    def test_one_hot_tenant(self):
        for csv in (False, True):
            advice = self.advise(hot_tenant(), "--rate", "4000", *ORDERS, csv=csv)
            self.assertEqual(advice["/tenant"]["verdict"], "hot key", advice["/tenant"])
            self.assertEqual(advice["/tenant"]["hottest"], ["big"])
            self.assertTrue(self.best(advice)[0].startswith("/tenant, "), self.best(advice))
            self.assertEqual(advice["/user"]["verdict"], "scatters")

    def test_a_time_series_by_date(self):
        advice = self.advise(time_series(), "--requests", "/device=100")
        self.assertIn(advice["/date"]["verdict"], ("hot key", "too few"))
        self.assertTrue(self.best(advice)[0].startswith("/device"), self.best(advice))

    def test_uniform_ids_that_nobody_asks_for(self):
        advice = self.advise(uniform_ids(), "--requests", "/customer=95", "--requests", "/id=5")
        self.assertEqual(advice["/id"]["verdict"], "scatters")
        self.assertTrue(self.best(advice)[0].startswith("/customer"), self.best(advice))
        only = self.advise(uniform_ids(), "--candidate", "/customer", "--candidate", "/customer,/id")
        self.assertEqual(list(only), ["/customer", "/customer, /id (2 levels)"])

    def test_what_is_refused(self):
        self.assertFails(harness.run_cli("advise"), "--file")
        self.assertFails(harness.run_cli("advise", "--file", self.root / "none"), "none")
        (self.root / "bad.csv").write_text("a,b\n1\n")
        self.assertFails(harness.run_cli("advise", "--file", self.root / "bad.csv"), "record 2")
        self.assertFails(harness.run_cli("advise", "--file", self.root / "bad.csv", "--requests", "x"), "--requests")


class Stored(OrreryTest):
    def test_a_container_is_judged_by_what_it_has(self):
        server = self.start("--durability", "os")
        self.assertStatus(201, server.admin("POST", "databases", {"id": "db"}))
        self.assertStatus(201, server.admin("POST", "databases/db/containers", {
            "id": "c", "partitionKey": {"paths": ["/tenant"]}}))
        batches = {}
        for item in hot_tenant(600):
            batches.setdefault(item["tenant"], []).append(item)
        for tenant, items in batches.items():
            for begin in range(0, len(items), 100):
                operations = [{"kind": "create", "document": item} for item in items[begin:begin + 100]]
                self.assertStatus(200, server.admin("POST", "databases/db/containers/c/batch",
                                                    {"partitionKey": tenant, "operations": operations}))
        job = self.assertStatus(202, server.admin("POST", "databases/db/containers/c/advise", {
            "seed": 5, "statements": [{"paths": ["/tenant"], "charge": 90}, {"paths": [], "charge": 1.5}]})).json()
        self.assertEqual((job["kind"], job["database"], job["container"]), ("advise", "db", "c"))
        end = time.monotonic() + PATIENCE_S
        while job["state"] == "running" and time.monotonic() < end:
            job = server.admin("GET", f"jobs/{job['id']}").json()
        self.assertEqual((job["state"], job["error"], job["done"], job["total"]), ("done", None, 600, 600))
        result = job["result"]
        self.assertEqual((result["sampled"], result["items"], result["seed"]), (600, 600, 5))
        today = next(each for each in result["candidates"] if each["today"])
        self.assertEqual((today["key"], today["verdict"], today["largest"]), ("/tenant", "hot key", ["big"]))
        self.assertAlmostEqual(today["onePartition"], 90 / 91.5, 3)
        self.assertEqual([j["id"] for j in server.admin("GET", "jobs").json()["jobs"]], [job["id"]])
        self.assertStatus(204, server.admin("DELETE", f"jobs/{job['id']}"))
        self.assertStatus(404, server.admin("GET", f"jobs/{job['id']}"), "not_found")
        shown = server.cli("advise", "db/c", "--requests", "/tenant=1")
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertIn("/tenant (today)", shown.stdout)
        self.assertIn("never split", shown.stdout)

    def test_what_is_refused(self):
        server = self.start()
        self.make_container(server)
        path = "databases/db/containers/c/advise"
        for body in ({"sampleItems": 0}, {"candidates": [[]]}, {"candidates": [{"bucket": "/a", "of": 1}]},
                     {"statements": [7]}, {"dataFactor": -1}, {"nonsense": 1}):
            self.assertStatus(400, server.admin("POST", path, body), "invalid_argument")
        self.assertStatus(404, server.admin("POST", "databases/db/containers/no/advise", {}), "not_found")
        # Nothing is stored: there is nothing to judge by.
        job = self.assertStatus(202, server.admin("POST", path, {})).json()
        end = time.monotonic() + PATIENCE_S
        while job["state"] == "running" and time.monotonic() < end:
            job = server.admin("GET", f"jobs/{job['id']}").json()
        self.assertEqual(job["state"], "failed")
        self.assertIn("store some first", job["error"])
