"""What was acknowledged is there after a stop, and after a crash."""
import threading

from harness import Container, OrreryTest


class Durability(OrreryTest):
    def test_across_a_restart(self):
        server = self.start()
        container = self.make_container(server, throughput={"manual": 20_000}, defaultTtl=-1)
        for n in range(50):
            self.assertStatus(201, container.create({"id": str(n), "pk": f"k{n}", "n": n}))
        before = server.admin("GET", "databases/db/containers/c").json()
        page = list(container.pages("feed"))[-1]
        self.assertEqual(server.stop(), 0, server.stderr)

        server = container.server = self.start()
        self.assertEqual(server.admin("GET", "databases/db/containers/c").json(), before)
        self.assertEqual(sorted(d["n"] for d in container.scan()), list(range(50)))
        self.assertEqual(container.feed(continuation=page["continuation"]), [])
        self.assertStatus(200, container.upsert({"id": "7", "pk": "k7", "n": 700}))
        self.assertEqual([x["document"]["n"] for x in container.feed(continuation=page["continuation"])], [700])

    def test_kill_9_under_load(self):
        server = self.start()
        self.make_container(server)
        acknowledged = [set() for _ in range(4)]

        def write(worker):
            connection = server.connect()
            container = Container(server, "db", "c")
            try:
                for n in range(10_000):
                    name = f"{worker}-{n}"
                    if container.create({"id": name, "pk": name}, connection=connection).status == 201:
                        acknowledged[worker].add(name)
            except OSError:
                pass  # the server is gone
            except Exception as error:  # http.client's own errors for a connection cut in the middle
                if "http.client" not in type(error).__module__:
                    raise
            finally:
                connection.close()

        threads = [threading.Thread(target=write, args=(worker,)) for worker in range(4)]
        for thread in threads:
            thread.start()
        while min(map(len, acknowledged)) < 20 and any(thread.is_alive() for thread in threads):
            threads[0].join(0.01)
        server.kill()
        for thread in threads:
            thread.join()

        container = Container(self.start(), "db", "c")
        found = [d["id"] for d in container.scan(maxItems=1000)]
        self.assertEqual(len(found), len(set(found)), "an item came twice")
        self.assertEqual(set().union(*acknowledged) - set(found), set(), "acknowledged writes are lost")
        in_feed = [x["id"][0] for x in container.feed(maxItems=1000)]
        self.assertEqual(sorted(in_feed), sorted(found), "the feed disagrees with the items")

    def test_a_dropped_container_stays_dropped(self):
        server = self.start()
        container = self.make_container(server)
        self.assertStatus(201, container.create({"id": "1", "pk": "a"}))
        self.assertStatus(204, server.admin("DELETE", container.path))
        server.kill()
        server = self.start()
        self.assertStatus(404, server.admin("GET", container.path), "not_found")
        container = self.make_container(server)
        self.assertEqual(container.scan(), [])
