"""A container moves to another key, or to more throughput, while it is written to; also through crashes."""
import random
import threading
import time

from harness import Container, OrreryTest, PATIENCE_S

ITEMS = 1200
WRITERS = 3


class Writers:
    """Threads that write, change and delete items of their own until stopped; `model` is what must be there.

    Of an item whose write was cut off by a crash both states are right. The city of an item stays, so that each
    write means the same before and after the switch; deletions try both keys.
    """

    def __init__(self, server):
        self.server = server
        self.model = {}
        self.unsure = {}
        self.refused = 0
        self.errors = []
        self.counts = [0] * WRITERS
        self.longest = 0.0
        self.stopped = threading.Event()
        self.threads = []

    @staticmethod
    def document(i, n):
        return {"id": str(i), "pk": f"p{i % 7}", "city": f"c{i % 29}", "n": n}

    def fill(self):
        container = Container(self.server, "db", "c")
        connection = self.server.connect()
        for i in range(ITEMS):
            answer = container.create(self.document(i, 0), connection=connection)
            assert answer.status == 201, answer
            self.model[i] = 0
        connection.close()

    def start(self, server):
        self.server = server
        self.stopped.clear()
        self.threads = [threading.Thread(target=self._run, args=(worker,)) for worker in range(WRITERS)]
        for thread in self.threads:
            thread.start()

    def stop(self):
        self.stopped.set()
        for thread in self.threads:
            thread.join()

    def _run(self, worker):
        chance = random.Random(self.counts[worker] * WRITERS + worker)
        container = Container(self.server, "db", "c")
        connection = self.server.connect()
        try:
            while not self.stopped.is_set():
                i = chance.randrange(ITEMS // WRITERS) * WRITERS + worker
                self.counts[worker] += 1
                n = self.counts[worker]
                self.unsure[i] = None if n % 5 == 0 else n
                begin = time.monotonic()
                if n % 5 == 0:
                    self._delete(container, connection, i)
                else:
                    answer = container.upsert(self.document(i, n), connection=connection)
                    if answer.status in (200, 201):
                        self.model[i] = n
                    elif answer.status in (429, 503) and answer.json()["code"] != "unavailable":
                        self.refused += 1
                    else:
                        self.errors.append(answer)
                self.longest = max(self.longest, time.monotonic() - begin)
                del self.unsure[i]
        except Exception as error:  # the server is gone
            if not isinstance(error, OSError) and "http.client" not in type(error).__module__:
                raise
        finally:
            connection.close()

    def _delete(self, container, connection, i):
        document = self.document(i, 0)
        for key in (document["pk"], document["city"], document["pk"], document["city"]):
            answer = container.delete(str(i), [key], connection=connection)
            if answer.status == 204:
                self.model.pop(i, None)
                return
            if answer.status in (429, 503):
                self.refused += 1
                return
        # Not there under either key, before and after the other look.
        if i in self.model:
            self.errors.append(f"{i} should be there: {answer}")

    def check(self, test):
        test.assertEqual(self.errors, [])
        stored = Container(self.server, "db", "c").scan(maxItems=1000)
        found = {int(document["id"]): document["n"] for document in stored}
        test.assertEqual(len(found), len(stored), "an item is there twice")
        for i in range(ITEMS):
            right = {self.model.get(i)} | ({self.unsure[i]} if i in self.unsure else set())
            test.assertIn(found.get(i), right, f"item {i}")


class Moves(OrreryTest):
    def await_end(self, server, number):
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            move = server.admin("GET", f"moves/{number}").json()
            if move["ended"] is not None:
                return move
            time.sleep(0.02)
        self.fail(f"the move does not end: {move}")

    def test_to_another_key_under_load(self):
        server = self.start("--limit-partition-rate", "20000")
        self.make_container(server)
        writers = Writers(server)
        writers.fill()
        writers.start(server)
        self.addCleanup(writers.stop)
        outcome = server.cli("move", "db/c", "--partition-key", "/city", "--throughput", "40000")
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        self.assertIn("done:", outcome.stdout)
        time.sleep(0.2)
        writers.stop()
        [move] = server.admin("GET", "moves").json()["moves"]
        self.assertEqual(move["state"], "done")
        self.assertIsNotNone(move["digest"])
        self.assertGreater(move["changes"], 0)
        writers.check(self)
        settings = server.admin("GET", "databases/db/containers/c").json()["settings"]
        self.assertEqual(settings["partitionKey"]["paths"], ["/city"])
        self.assertNotIn("feedRetentionMinutes", settings)
        self.assertEqual(settings["throughput"], {"manual": 40000})
        self.assertEqual([c["id"] for c in server.admin("GET", "databases/db/containers").json()["containers"]], ["c"])
        self.assertIn("done", server.cli("move").stdout)
        self.assertEqual(server.cli("move", "--cancel", move["id"]).returncode, 0)
        self.assertEqual(server.admin("GET", "moves").json(), {"moves": []})

    def test_through_crashes(self):
        flags = ("--limit-partition-rate", "20000")
        server = self.start(*flags)
        self.make_container(server)
        writers = Writers(server)
        writers.fill()
        chance = random.Random(11)
        writers.start(server)
        answer = server.admin("POST", "databases/db/containers/c/move", {"partitionKey": {"paths": ["/city"]}})
        self.assertStatus(202, answer)
        number = answer.json()["id"]
        for _ in range(8):
            time.sleep(chance.random() * 0.4)
            server.kill()
            writers.stop()
            server = self.start(*flags)
            writers.start(server)
            if server.admin("GET", f"moves/{number}").json()["ended"] is not None:
                break
        move = self.await_end(server, number)
        writers.stop()
        self.assertEqual(move["state"], "done", move)
        writers.check(self)
        self.assertEqual(server.stop(), 0, server.stderr)
        writers.server = self.start(*flags)
        writers.check(self)

    def test_refusals_and_giving_up(self):
        server = self.start()
        container = self.make_container(server)
        self.assertStatus(201, container.create({"id": "1", "pk": "a", "city": "x"}))
        self.assertStatus(201, container.create({"id": "1", "pk": "b", "city": "x"}))
        failed = server.cli("move", "db/c", "--partition-key", "/city")
        self.assertFails(failed, "would be the same item of the new container")
        self.assertEqual(len(container.scan()), 2)
        self.assertStatus(201, container.create({"id": "2", "pk": "a"}))
        self.assertFails(server.cli("move", "db/c"), "nothing would change")
        self.assertFails(server.cli("move", "db/none", "--partition-key", "/city"), "no container")
        answer = server.admin("POST", "databases/db/containers/c/move", {"defaultTtl": 5})
        self.assertStatus(400, answer, "invalid_argument")
        self.assertStatus(404, server.admin("GET", "moves/999"))
        self.assertStatus(404, server.admin("DELETE", "moves/x"))
