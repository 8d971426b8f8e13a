"""What a map of containers is drawn of: load, keys, places, history and events; and keys as users wrote them."""
import base64
import os
import threading
import time

import cql_wire
from harness import OrreryTest, PATIENCE_S
from test_sql_requests import signed

SMALL = ("--limit-partition-rate", "1000", "--limit-rate", "100000")


class MapTest(OrreryTest):
    def eventually(self, question, wanted=bool):
        """Asks until the answer is wanted: the server looks once a second."""
        end = time.monotonic() + PATIENCE_S
        while True:
            answer = question()
            if wanted(answer) or time.monotonic() > end:
                self.assertTrue(wanted(answer), answer)
                return answer
            time.sleep(0.1)

    def ask(self, path, **options):
        return self.assertStatus(200, self.server.admin("GET", path, **options)).json()

    def load(self, query="?database=db&container=c"):
        return self.ask("load" + query)

    def events(self, query=""):
        return self.ask("events" + query)["events"]

    def await_sampling(self):
        """What came before the first look at a partition is of no second."""
        self.eventually(lambda: self.ask("history?database=db&container=c"), lambda past: past["partitions"])

    def split(self):
        answer = self.server.admin("POST", "databases/db/containers/c/split", {})
        return self.assertStatus(200, answer).json()


class Load(MapTest):
    def test_a_row_for_each_slice_of_each_container(self):
        self.server = self.start(*SMALL)
        self.make_container(self.server, throughput={"manual": 2000})
        plain = self.make_container(self.server, name="plain")
        for i in range(10):
            self.assertStatus(201, plain.create({"id": str(i), "pk": str(i)}))
        answer = self.load("")
        self.assertEqual([(c["database"], c["container"], c["metered"], c["api"]) for c in answer["containers"]],
                         [("db", "c", True, "sql"), ("db", "plain", False, "sql")])
        slices = answer["slices"]
        self.assertEqual({len(column) for column in slices.values()}, {3})
        self.assertEqual(slices["container"], [0, 0, 1])
        self.assertEqual(slices["rate"], [1000, 1000, None])
        self.assertEqual(slices["items"], [0, 0, 10])
        self.assertEqual(slices["begin"][0], "0" * 32)
        self.assertEqual(int(slices["begin"][1], 16), int(slices["last"][0], 16) + 1)
        self.assertGreater(slices["bytes"][2], 0)
        self.assertEqual(slices["open"], [True] * 3)
        # Small enough to be asked for every second, whatever the number of partitions.
        self.assertLess(len(str(slices)) / 3, 400)

    def test_names_that_are_none(self):
        self.server = self.start()
        self.assertStatus(404, self.server.admin("GET", "load?database=no"), "not_found")
        self.assertStatus(400, self.server.admin("GET", "load?container=c"), "invalid_argument")


class Keys(MapTest):
    def test_the_hottest_and_largest_and_where_they_are(self):
        self.server = self.start(*SMALL)
        container = self.make_container(self.server, throughput={"manual": 2000})
        for i in range(200):
            container.upsert({"id": str(i), "pk": "hot", "text": "x" * 1000})
        keys = self.eventually(lambda: self.ask("databases/db/containers/c/keys?n=3"), lambda keys: keys["hottest"])
        hottest = keys["hottest"][0]
        self.assertEqual(hottest["partitionKey"], ["hot"])
        self.assertEqual(hottest["columns"], ["/pk"])
        self.assertEqual(keys["largest"][0]["partitionKey"], ["hot"])
        self.assertGreater(keys["largest"][0]["bytes"], 100_000)
        self.assertAlmostEqual(keys["largest"][0]["share"], keys["largest"][0]["bytes"] / keys["bytesMax"], 3)
        place = self.assertStatus(200, self.server.admin("POST", "databases/db/containers/c/locate",
                                                         {"partitionKey": ["hot"]})).json()
        self.assertEqual(place["position"], hottest["position"])
        self.assertEqual(place["partition"], hottest["partition"])
        self.assertTrue(place["begin"] <= place["position"] <= place["last"])
        of_partition = self.ask(f"partitions/{place['partition']}/keys")
        self.assertEqual(of_partition["largest"][0]["partitionKey"], ["hot"])
        self.assertStatus(404, self.server.admin("GET", "partitions/99999/keys"), "not_found")
        self.assertStatus(400, self.server.admin("POST", "databases/db/containers/c/locate",
                                                 {"partitionKey": ["a", "b"]}), "invalid_argument")

    def test_keys_of_tables_are_shown_as_cql_has_them(self):
        self.server = self.start(cassandra_port="any")
        with cql_wire.Connection(self.server.cql_port) as cql:
            cql.query("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}")
            cql.query("CREATE TABLE ks.visits (day date, user bigint, name text, n int, PRIMARY KEY ((day, user), n))")
            cql.query("CREATE TABLE ks.plain (id uuid PRIMARY KEY, v text)")
            for n in range(300):
                cql.query(f"INSERT INTO ks.visits (day, user, n, name) VALUES ('2026-01-02', 409965, {n}, '{'x' * 500}')")
            cql.query("INSERT INTO ks.plain (id, v) VALUES (5b6962dd-3f90-4c93-8f61-eabfa4a803e2, 'a')")
        token = self.assertStatus(200, self.server.admin("POST", "query", {
            "api": "cassandra", "text": "SELECT token(day, user) FROM ks.visits LIMIT 1"})).json()["rows"][0][0]
        keys = self.eventually(lambda: self.ask("databases/ks/containers/visits/keys"), lambda keys: keys["largest"])
        largest = keys["largest"][0]
        self.assertEqual(largest["partitionKey"], ["2026-01-02", 409965])
        self.assertEqual(largest["columns"], ["day", "user"])
        self.assertEqual(largest["token"], token)
        place = self.assertStatus(200, self.server.admin("POST", "databases/ks/containers/visits/locate",
                                                         {"partitionKey": ["2026-01-02", 409965]})).json()
        self.assertEqual((place["token"], place["position"]), (token, largest["position"]))
        place = self.assertStatus(200, self.server.admin(
            "POST", "databases/ks/containers/plain/locate",
            {"partitionKey": "5b6962dd-3f90-4c93-8f61-eabfa4a803e2"})).json()
        self.assertEqual(place["columns"], ["id"])
        self.assertStatus(400, self.server.admin("POST", "databases/ks/containers/visits/locate",
                                                 {"partitionKey": ["no date", 1]}), "invalid_argument")
        listed = self.ask("status")["containers"]
        self.assertEqual([(c["id"], c["partitionKey"], c["api"]) for c in listed],
                         [("plain", ["id"], "cassandra"), ("visits", ["day", "user"], "cassandra")])
        shown = self.server.cli("partitions", "--database", "ks").stdout
        self.assertIn('day, user = ["2026-01-02",409965]', shown)
        self.assertNotIn("$binary", shown)


class History(MapTest):
    def test_the_past_of_partitions_over_a_split(self):
        self.server = self.start(*SMALL)
        container = self.make_container(self.server, throughput={"manual": 1000})
        self.await_sampling()
        for i in range(30):
            self.assertStatus(201, container.create({"id": str(i), "pk": str(i)}))
        history = lambda: self.ask("history?database=db&container=c")
        used = lambda partition: sum(row for row in partition["used"] if row is not None)
        past = self.eventually(history, lambda past: past["partitions"] and used(past["partitions"][0]) > 0)
        self.assertEqual(past["step"], 1000)
        self.assertLessEqual(past["since"], past["to"])
        parent = past["partitions"][0]
        steps = (past["to"] - past["from"]) // 1000
        for column in ("used", "usedMax", "throttled", "bytes"):
            self.assertEqual(len(parent[column]), steps)
        self.assertEqual(parent["rate"][-1][1], 1000)
        report = self.split()
        past = self.eventually(history, lambda past: len(past["partitions"]) == 3 and past["partitions"][0]["died"])
        parent, *children = past["partitions"]
        self.assertEqual(parent["id"], report["partition"])
        self.assertEqual(parent["children"], report["children"])
        self.assertEqual(sorted(child["id"] for child in children), sorted(report["children"]))
        for child in children:
            self.assertEqual(child["parents"], [report["partition"]])
            self.assertIsNotNone(child["born"])
            self.assertIsNone(child["died"])
        self.assertEqual(min(child["begin"] for child in children), parent["begin"])
        coarse = self.ask("history?database=db&container=c&step=60000")
        self.assertEqual(coarse["step"], 60000)
        self.assertStatus(400, self.server.admin("GET", "history?database=db&container=c&step=7000"))
        self.assertStatus(404, self.server.admin("GET", "history?database=db&container=no"))

    def test_a_budget_in_the_shared_pool_is_the_containers_own(self):
        self.server = self.start()
        for path, kind, link, body in (
                ("/dbs", "dbs", "", {"id": "d"}),
                ("/dbs/d/colls", "colls", "dbs/d", {"id": "c", "partitionKey": {"paths": ["/pk"], "version": 2}})):
            answer = self.server.request("POST", path, body, headers=signed("POST", kind, link), key=None)
            self.assertStatus(201, answer)
        quiet = self.make_container(self.server, name="quiet")
        self.assertStatus(201, quiet.create({"id": "1", "pk": "a"}))
        self.assertEqual(self.load("?database=d&container=c")["slices"]["rate"], [400])
        past = self.eventually(lambda: self.ask("history?database=d&container=c"), lambda past: past["partitions"])
        self.assertEqual(len(past["partitions"]), 1)
        self.assertEqual(past["partitions"][0]["rate"][-1][1], 400)
        self.assertEqual(sum(used or 0 for used in past["partitions"][0]["used"]), 0)

    def test_off(self):
        self.server = self.start("--history-mb", "0")
        self.make_container(self.server)
        past = self.ask("history?database=db&container=c")
        self.assertEqual((past["since"], past["partitions"]), (None, []))
        self.assertEqual(self.load()["slices"]["open"], [True])


class Events(MapTest):
    def kinds(self, events):
        return [(event["kind"], event.get("what")) for event in events]

    def test_what_happens_is_told_and_survives_a_restart(self):
        self.server = self.start(*SMALL)
        self.make_container(self.server, name="other")
        # Seen before it changes: the first look only learns what is there.
        self.eventually(lambda: self.ask("history?database=db&container=other"), lambda past: past["partitions"])
        self.make_container(self.server, throughput={"manual": 1000})
        self.eventually(lambda: self.events("?database=db&container=c"),
                        lambda events: ("setting", "created") in self.kinds(events))
        report = self.split()
        split = self.eventually(lambda: self.events("?database=db&container=c"),
                                lambda events: events and events[0]["kind"] == "split")[0]
        self.assertEqual((split["before"], split["after"]), ([report["partition"]], report["children"]))
        self.assertEqual((split["why"], split["database"], split["container"]), ("asked", "db", "c"))
        self.assertGreater(split["pauseMs"], 0)
        self.assertAlmostEqual(split["time"] / 1000, time.time(), delta=60)
        self.assertStatus(204, self.server.admin("POST", "partitions/settle"))
        merged = self.assertStatus(200, self.server.admin(
            "POST", "partitions/merge", dict(zip(("left", "right"), report["children"])))).json()
        merge = self.eventually(self.events, lambda events: events[0]["kind"] == "merge")[0]
        self.assertEqual((merge["before"], merge["after"]), (sorted(report["children"]), [merged["partition"]]))
        self.assertStatus(204, self.server.admin("DELETE", "databases/db/containers/other"))
        self.eventually(self.events, lambda events: ("setting", "deleted") in self.kinds(events))
        before = self.events()
        self.assertEqual([event["number"] for event in before], sorted((e["number"] for e in before), reverse=True))
        self.assertEqual(self.kinds(self.events("?database=db&container=other")), [("setting", "deleted"), ("setting", "created")])
        self.server.stop()
        self.server = self.start(*SMALL)
        self.assertEqual(self.events(), before)
        newest = self.events(f"?after={before[1]['number']}")
        self.assertEqual([event["number"] for event in newest], [before[0]["number"]])

    def test_throttling_is_one_event_with_a_beginning_and_an_end(self):
        self.server = self.start("--limit-partition-rate", "1000")
        container = self.make_container(self.server, throughput={"manual": 400})
        self.await_sampling()
        refused = 0
        end = time.monotonic() + PATIENCE_S
        while refused < 20 and time.monotonic() < end:
            refused += container.upsert({"id": "1", "pk": "ann", "text": "x" * 50_000}).status == 429
        began = self.eventually(self.events, lambda events: any(e["kind"] == "throttling" for e in events))
        began = next(e for e in began if e["kind"] == "throttling")
        self.assertIsNone(began["ended"])
        self.assertEqual((began["database"], began["container"]), ("db", "c"))
        self.assertEqual(began["hottest"], ["ann"])
        ended = self.eventually(lambda: [e for e in self.events() if e["kind"] == "throttling" and e["ended"]])[0]
        self.assertEqual(ended["begins"], began["number"])
        self.assertGreaterEqual(ended["refused"], 20)
        self.assertGreater(ended["ended"], began["time"])
        self.assertGreaterEqual(self.load()["slices"]["throttledTotal"][0], 20)

    def test_waiting_for_the_next(self):
        self.server = self.start(*SMALL)
        self.make_container(self.server, throughput={"manual": 1000})
        self.eventually(lambda: self.ask("history?database=db&container=c"), lambda past: past["partitions"])
        after = self.ask("events")["next"]
        # Nothing comes: answered when the time is over.
        waited = self.ask(f"events?after={after}&wait=1&database=db&container=none")
        self.assertEqual((waited["events"], waited["next"] >= after), ([], True))
        answers = []
        waiter = threading.Thread(target=lambda: answers.append(self.ask(f"events?after={after}&wait=30")))
        waiter.start()
        report = self.split()
        waiter.join(PATIENCE_S)
        self.assertEqual(answers[0]["events"][0]["before"], [report["partition"]])
        self.assertStatus(400, self.server.admin("GET", "events?wait=31"), "invalid_argument")
        self.assertStatus(400, self.server.admin("GET", "events?after=x"), "invalid_argument")

    def test_stopping_does_not_wait_for_who_waits(self):
        self.server = self.start()
        after = self.ask("events")["next"]
        answers = []
        waiter = threading.Thread(
            target=lambda: answers.append(self.server.admin("GET", f"events?after={after + 99}&wait=30").status))
        waiter.start()
        time.sleep(0.2)
        begin = time.monotonic()
        self.assertEqual(self.server.stop(), 0)
        self.assertLess(time.monotonic() - begin, 20)
        waiter.join(PATIENCE_S)
        self.assertEqual(answers, [200])


class Access(MapTest):
    def test_readers_may_look(self):
        reader = base64.b64encode(os.urandom(64)).decode()
        self.server = self.start("--read-only-key", reader)
        self.make_container(self.server)
        for path in ("load", "history?database=db&container=c", "events", "databases/db/containers/c/keys"):
            self.assertStatus(200, self.server.admin("GET", path, key=reader))
            self.assertStatus(401, self.server.admin("GET", path, key=None))
