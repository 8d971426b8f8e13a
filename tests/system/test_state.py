"""--allow-reset: reset, snapshots and the clock, for tests between each other."""
import base64
import os
import struct
import sys
import threading
import time
import unittest

import harness
from cql_wire import Connection as CqlConnection
from harness import Container

KEYSPACE = "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}"


class State(harness.OrreryTest):
    def serve(self, *flags, **options):
        return self.start("--allow-reset", "--mongo-port", "any", "--table-port", "any", "--gremlin-port", "any", *flags,
                          cassandra_port="any,any", **options)

    def fill(self, server, count=50):
        own = self.make_container(server, "own", throughput={"manual": 20000})
        shared = self.make_container(server, "shared")
        for i in range(count):
            for container in (own, shared):
                self.assertStatus(201, container.create({"id": str(i), "pk": str(i % 7), "n": i}))
        return own, shared

    def post(self, server, path, body=None, status=204, code=None, method="POST"):
        return self.assertStatus(status, server.admin(method, path, body), code)

    def cql(self, connection, *statements):
        for statement in statements:
            answer = connection.query(statement)
            self.assertFalse(answer.is_error(), answer)
        return answer

    def count(self, connection, table):
        """The one cell of the one row is the end of the answer."""
        return struct.unpack(">q", self.cql(connection, f"SELECT count(*) FROM {table}").body[-8:])[0]

    def state(self, container):
        return {document["id"]: document["n"] for document in container.scan()}

    def test_nothing_without_the_flag(self):
        server = self.start()
        for method, path in (("POST", "reset"), ("GET", "snapshots"), ("PUT", "snapshots/a"), ("POST", "snapshots/a/restore"),
                             ("DELETE", "snapshots/a"), ("GET", "clock"), ("POST", "clock/advance")):
            with self.subTest(path=path):
                answer = self.post(server, path, {"seconds": 1} if "advance" in path else None, 403, "forbidden", method)
                self.assertIn("--allow-reset", answer.json()["message"])
        self.make_container(server)

    def test_read_only_keys_change_nothing(self):
        reader = base64.b64encode(b"reader" * 10).decode()
        server = self.serve("--read-only-key", reader)
        for method, path in (("POST", "reset"), ("PUT", "snapshots/a"), ("POST", "clock/advance")):
            self.assertStatus(403, server.admin(method, path, key=reader), "forbidden")
        self.assertStatus(200, server.admin("GET", "snapshots", key=reader))

    def test_reset_removes_everything_and_the_server_goes_on(self):
        server = self.serve()
        self.fill(server)
        cql = CqlConnection(server.cql_port)
        self.cql(cql, KEYSPACE, "CREATE TABLE k.t (a int PRIMARY KEY)", "INSERT INTO k.t (a) VALUES (1)")
        for _ in range(2):
            self.post(server, "reset")
            self.assertEqual(server.admin("GET", "databases").json()["databases"], [])
        # The same connections, the same names: as new.
        own, shared = self.fill(server, count=3)
        self.assertEqual(self.state(own), {"0": 0, "1": 1, "2": 2})
        self.cql(cql, KEYSPACE, "CREATE TABLE k.t (a int PRIMARY KEY, b int)", "INSERT INTO k.t (a, b) VALUES (1, 2)")
        self.assertEqual(self.count(cql, "k.t"), 1)
        self.assertEqual(server.stop(), 0)
        again = self.serve()
        self.assertEqual(self.state(Container(again, "db", "shared")), {"0": 0, "1": 1, "2": 2})
        left = os.listdir(self.data / "partitions")
        self.assertEqual(len(left), len(again.admin("GET", "partitions").json()["partitions"]))

    def test_a_snapshot_is_gone_back_to_again_and_again(self):
        server = self.serve()
        own, shared = self.fill(server)
        before = self.state(own)
        self.post(server, "snapshots/clean", status=201, method="PUT")
        self.post(server, "snapshots/clean", status=409, code="already_exists", method="PUT")
        for round_number in range(3):
            own.upsert({"id": "0", "pk": "0", "n": 1000 + round_number})
            own.create({"id": "new", "pk": "1", "n": 1})
            shared.delete("3", "3")
            self.make_container(server, f"extra{round_number}")
            self.assertStatus(204, server.admin("DELETE", "databases/db/containers/shared"))
            self.post(server, "snapshots/clean/restore")
            self.assertEqual(self.state(own), before)
            self.assertEqual(self.state(shared), before)
            self.assertStatus(404, server.admin("GET", f"databases/db/containers/extra{round_number}"))
        # Writes go on, also in partitions that were split meanwhile, and over a restart.
        self.assertStatus(201, own.create({"id": "later", "pk": "1", "n": 5}))
        self.assertStatus(200, server.admin("POST", "databases/db/containers/own/split", {}))
        self.assertEqual(server.stop(), 0)
        again = self.serve()
        own = Container(again, "db", "own")
        self.assertEqual(self.state(own), {**before, "later": 5})
        self.post(again, "snapshots/clean/restore")
        self.assertEqual(self.state(own), before)
        listed = again.admin("GET", "snapshots").json()["snapshots"]
        self.assertEqual([snapshot["name"] for snapshot in listed], ["clean"])
        self.post(again, "snapshots/clean", status=204, method="DELETE")
        self.post(again, "snapshots/clean", status=404, code="not_found", method="DELETE")
        self.assertEqual(self.state(own), before)

    def test_restore_after_reset(self):
        server = self.serve()
        own, _ = self.fill(server)
        before = self.state(own)
        self.post(server, "snapshots/a.b-c_1", status=201, method="PUT")
        self.post(server, "reset")
        self.post(server, "snapshots/a.b-c_1/restore")
        self.assertEqual(self.state(own), before)

    def test_bad_names(self):
        server = self.serve()
        self.post(server, "snapshots/none/restore", status=404, code="not_found")
        for name in ("..", "a%2Fb", ".hidden", "x" * 101, "a.new"):
            self.post(server, f"snapshots/{name}", status=400, method="PUT")
        self.post(server, "clock/advance", {"seconds": -5}, 400)
        self.post(server, "clock/advance", {}, 400)

    def test_a_crash_leaves_the_old_state_or_the_new(self):
        server = self.serve()
        own, _ = self.fill(server)
        before = self.state(own)
        self.post(server, "snapshots/s", status=201, method="PUT")
        own.upsert({"id": "0", "pk": "0", "n": 77})
        after = self.state(own)
        for delay in (0.0, 0.005, 0.02, 0.05):
            threading.Timer(delay, server.process.kill).start()
            try:
                server.admin("POST", "snapshots/s/restore")
            except OSError:
                pass
            server._reap()
            server = self.serve()
            state = self.state(Container(server, "db", "own"))
            self.assertIn(state, (before, after), delay)
            partitions = server.admin("GET", "partitions").json()["partitions"]
            self.assertEqual(len(os.listdir(self.data / "partitions")), len(partitions))
            if state == before:
                Container(server, "db", "own").upsert({"id": "0", "pk": "0", "n": 77})

    def test_writers_go_on_while_snapshots_are_taken_and_each_is_of_one_moment(self):
        server = self.serve()
        own, _ = self.fill(server, count=0)
        for key in range(7):
            self.assertStatus(201, own.create({"id": str(key), "pk": str(key), "n": 0}))
        stopped = threading.Event()

        def count_up():
            number = 0
            while not stopped.is_set():
                number += 1
                for key in range(7):  # in this order: an earlier one is never behind a later one
                    own.upsert({"id": str(key), "pk": str(key), "n": number})

        writer = threading.Thread(target=count_up)
        writer.start()
        try:
            for i in range(4):
                self.post(server, f"snapshots/s{i}", status=201, method="PUT")
        finally:
            stopped.set()
            writer.join()
        for i in range(4):
            self.post(server, f"snapshots/s{i}/restore")
            numbers = [self.state(own)[str(key)] for key in range(7)]
            self.assertEqual(numbers, sorted(numbers, reverse=True))
            self.assertLessEqual(numbers[0] - numbers[-1], 1)

    def test_the_clock_makes_items_expire(self):
        server = self.serve()
        container = self.make_container(server)
        cql = CqlConnection(server.cql_port)
        self.cql(cql, KEYSPACE, "CREATE TABLE k.t (a int PRIMARY KEY, b int)",
                 "INSERT INTO k.t (a, b) VALUES (1, 2) USING TTL 3600")
        self.assertEqual(self.count(cql, "k.t"), 1)
        shown = server.cli("clock", "--advance", "2h")
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertIn("2h ahead", shown.stdout)
        self.assertEqual(self.count(cql, "k.t"), 0)
        # Clients sign with their own time.
        self.assertStatus(201, container.create({"id": "1", "pk": "a"}))

    def test_verbs(self):
        server = self.serve()
        self.fill(server, count=2)
        self.assertEqual(server.cli("snapshot", "create", "one").returncode, 0)
        self.assertIn("one", server.cli("snapshot", "list").stdout)
        self.assertFails(server.cli("reset"), "--yes")
        self.assertEqual(server.cli("reset", "--yes").returncode, 0)
        self.assertEqual(server.cli("snapshot", "restore", "one").returncode, 0)
        self.assertEqual(len(self.state(Container(server, "db", "own"))), 2)
        self.assertFails(server.cli("snapshot", "restore", "two"), "there is no snapshot 'two'")

    def test_a_hundred_containers(self):
        server = self.serve()
        for i in range(100):
            self.make_container(server, f"c{i}")
        self.post(server, "snapshots/hundred", status=201, method="PUT")
        begin = time.monotonic()
        self.post(server, "reset")
        reset = time.monotonic()
        self.post(server, "snapshots/hundred/restore")
        print(f"100 containers: reset {1000 * (reset - begin):.1f} ms, restore {1000 * (time.monotonic() - reset):.1f} ms", file=sys.stderr)
        self.assertEqual(len(server.admin("GET", "databases/db/containers").json()["containers"]), 100)


if __name__ == "__main__":
    unittest.main()
