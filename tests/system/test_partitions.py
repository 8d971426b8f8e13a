"""Splits and merges from the command line, under load; what the partitions verb shows."""
import json
import threading

from harness import Container, OrreryTest


class Partitions(OrreryTest):
    def setUp(self):
        super().setUp()
        self.server = self.start()
        self.container = self.make_container(self.server, throughput={"manual": 10_000})

    def partitions(self):
        return self.server.admin("GET", "partitions?database=db&container=c").json()["partitions"]

    def cli(self, *arguments):
        outcome = self.server.cli(*arguments)
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        return outcome.stdout

    def fill(self, count):
        for n in range(count):
            self.assertStatus(201, self.container.create({"id": str(n), "pk": f"k{n}", "n": n}))

    def test_split_and_merge(self):
        self.fill(40)
        page = list(self.container.pages("feed"))[-1]
        parent = self.partitions()[0]["id"]
        self.assertIn("writers paused", self.cli("split", "db/c"))
        children = self.partitions()
        self.assertEqual(len(children), 2)
        self.assertTrue(all(parent in child["parents"] for child in children))
        self.assertLess(children[0]["ranges"][0]["last"], children[1]["ranges"][0]["begin"])
        self.assertEqual(sorted(d["n"] for d in self.container.scan()), list(range(40)))
        self.assertEqual(self.container.feed(continuation=page["continuation"]), [])
        self.assertStatus(200, self.container.upsert({"id": "0", "pk": "k0", "n": 100}))
        self.assertEqual(len(self.container.feed(continuation=page["continuation"])), 1)

        self.assertStatus(204, self.server.admin("POST", "partitions/settle"))
        self.cli("merge", children[0]["id"], children[1]["id"])
        self.assertEqual(len(self.partitions()), 1)
        self.assertEqual(len(self.container.scan()), 40)

    def test_split_under_load(self):
        stop = threading.Event()
        written = [0, 0, 0]
        troubles = []

        def write(worker):
            connection = self.server.connect()
            container = Container(self.server, "db", "c")
            while not stop.is_set():
                name = f"{worker}-{written[worker]}"
                answer = container.create({"id": name, "pk": name}, connection=connection)
                if answer.status == 201:
                    written[worker] += 1
                elif answer.status != 429:
                    troubles.append(answer)
                    break
            connection.close()

        threads = [threading.Thread(target=write, args=(worker,)) for worker in range(3)]
        for thread in threads:
            thread.start()
        try:
            for _ in range(3):
                goal = sum(written) + 30
                while sum(written) < goal and not troubles:
                    threads[0].join(0.01)
                self.cli("split", "db/c")
        finally:
            stop.set()
            for thread in threads:
                thread.join()
        self.assertEqual(troubles, [])
        self.assertEqual(len(self.partitions()), 4)
        found = [d["id"] for d in self.container.scan(maxItems=1000)]
        self.assertEqual(len(found), len(set(found)))
        self.assertEqual(set(found), {f"{w}-{n}" for w in range(3) for n in range(written[w])})
        self.server.kill()
        self.container.server = self.start()
        self.assertEqual(sorted(d["id"] for d in self.container.scan(maxItems=1000)), sorted(found))

    def test_raising_throughput_splits(self):
        self.fill(10)
        self.assertIn("40,000", self.cli("throughput", "db/c", "--set", "40000"))
        for _ in range(20):
            self.assertStatus(204, self.server.admin("POST", "partitions/settle"))
            if len(self.partitions()) >= 4:
                break
            threading.Event().wait(0.5)  # upkeep starts the next round of splits
        self.assertGreaterEqual(len(self.partitions()), 4)
        self.assertEqual(len(self.container.scan()), 10)

    def test_one_key_does_not_split(self):
        for n in range(5):
            self.assertStatus(201, self.container.create({"id": str(n), "pk": "only"}))
        outcome = self.server.cli("split", "db/c")
        self.assertNotEqual(outcome.returncode, 0, outcome.stdout)
        self.assertEqual(len(self.container.scan()), 5)

    def test_what_cannot_be_split_or_merged(self):
        self.assertFails(self.server.cli("split", "db/no"), "no")
        self.assertFails(self.server.cli("split", "no/c"), "no")
        self.assertFails(self.server.cli("split", "db/c", "--partition", "424242"), "424242")
        self.assertFails(self.server.cli("merge", "424242", "424243"), "42424")
        self.assertStatus(400, self.server.admin("POST", "partitions/x/split"), "invalid_argument")
        self.assertStatus(404, self.server.admin("POST", "partitions/424242/split"), "not_found")

    def test_show(self):
        self.fill(20)
        text = self.cli("partitions", "--database", "db", "--container", "c")
        for part in ("ID", "SIZE", "ITEMS", "RU/S", "10,000", "USED", "THROTTLED", "PARENTS", "largest", "hottest", "00000000.."):
            self.assertIn(part, text)
        self.cli("create", "team", "--throughput", "20000")
        self.cli("create", "team/notes", "--partition-key", "/user")
        self.assertIn("team/notes 20000000..FFFFFFFF", self.cli("partitions", "--database", "team"))
        shown = json.loads(self.cli("partitions", "--json"))["partitions"]
        mine = [p for p in shown if p["ranges"] and p["ranges"][0]["container"] == "c"]
        self.assertEqual(mine[0]["items"], 20)
        self.assertFails(self.server.cli("partitions", "--database", "no"), "no")
        self.assertFails(self.server.cli("partitions", "--keys", "-1"), "--keys")


class Growth(OrreryTest):
    def test_a_full_partition_splits_by_itself(self):
        server = self.start("--limit-physical-partition", "400KB")
        container = self.make_container(server, throughput={"manual": 10_000})
        count = 0
        while len(server.admin("GET", "partitions?database=db&container=c").json()["partitions"]) < 3:
            for _ in range(20):
                answer = container.create({"id": str(count), "pk": f"k{count}", "text": "x" * 5000})
                if answer.status == 429:
                    continue
                self.assertStatus(201, answer)
                count += 1
        self.assertStatus(204, server.admin("POST", "partitions/settle"))
        found = [int(d["id"]) for d in container.scan(maxItems=500)]
        self.assertEqual(sorted(found), list(range(count)))


class Shell(OrreryTest):
    def test_create_show_drop(self):
        server = self.start()

        def cli(*arguments):
            outcome = server.cli(*arguments)
            self.assertEqual(outcome.returncode, 0, outcome.stderr)
            return outcome.stdout

        self.assertIn("no containers yet", cli("status"))
        self.assertIn("created shop/orders", cli("create", "shop/orders", "--partition-key", "/customer"))
        cli("create", "shop/visits", "--partition-key", "/tenant", "--partition-key", "/user", "--throughput", "1000")
        cli("create", "team", "--throughput", "4000")
        cli("create", "team/notes", "--partition-key", "/user", "--ttl", "60")
        text = cli("status")
        for part in ("shop/orders", "/tenant, /user", "1,000 RU/s", "shared", "unmetered"):
            self.assertIn(part, text)
        self.assertIn("autoscale, 400 to 4,000", cli("throughput", "team", "--autoscale-max", "4000"))
        self.assertIn("no throughput of its own", cli("throughput", "shop/orders"))
        self.assertFails(server.cli("create", "shop/orders", "--partition-key", "/customer"), "orders")
        self.assertFails(server.cli("create", "x/y", "--partition-key", "/k", "--throughput", "450"), "450")
        self.assertFails(server.cli("throughput", "shop/visits", "--set", "399"), "400")
        for rate, why in (("-5", "at least 400"), ("99999999999999999999", "too high"), ("400.5", "--set"), ("many", "--set"), ("", "--set")):
            self.assertFails(server.cli("throughput", "shop/visits", "--set", rate), why)
        self.assertFails(server.cli("create", "x/y", "--throughput", "400", "--autoscale-max", "4000"), "--autoscale-max")
        self.assertFails(server.cli("drop", "shop"), "--yes")
        self.assertIn("dropped shop/orders", cli("drop", "shop/orders"))
        cli("drop", "shop", "--yes")
        self.assertNotIn("shop", cli("status"))

    def test_the_wrong_key(self):
        server = self.start()
        server.key = "d3Jvbmc="
        self.assertFails(server.cli("status"), "--key")
