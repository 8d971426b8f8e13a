"""Graphs as users of several APIs see them: samples, concurrent writers, expiry, and in() through crashes, splits and other APIs' writes."""
import json
import pathlib
import random
import sys
import tempfile
import threading
import time
import unittest
import urllib.error
import urllib.request

import harness

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "spec"))

import gremlin_client


class GraphsTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="orrery_graphs_")
        self.addCleanup(self.folder.cleanup)
        self.start()
        self.addCleanup(lambda: self.server.process.poll() is None and self.server.stop())

    def start(self, *flags):
        self.server = harness.Server(pathlib.Path(self.folder.name) / "data", "--gremlin-port", "any", *flags)
        self.url = f"http://127.0.0.1:{self.server.gremlin_port}/gremlin"

    def ask(self, script, graph=None, **bindings):
        """Results as plain values."""
        body = {"gremlin": script, "bindings": bindings}
        if graph is not None:
            body["aliases"] = {"g": graph}
        request = urllib.request.Request(self.url, json.dumps(body).encode(),
                                         {"content-type": "application/json", "accept": "application/vnd.gremlin-v3.0+json"})
        try:
            with urllib.request.urlopen(request, timeout=harness.PATIENCE_S) as answer:
                data = json.load(answer)["result"]["data"]
        except urllib.error.HTTPError as failure:
            raise gremlin_client.GremlinError(failure.code, failure.read().decode(errors="replace")) from None
        return [plain(value) for value in data["@value"]] if data else []

    def until(self, condition):
        deadline = time.monotonic() + harness.PATIENCE_S
        while not condition():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)

    def test_samples(self):
        loaded = self.server.cli("sample", "modern")
        self.assertEqual((loaded.returncode, loaded.stdout), (0, "loaded modern into graphs/g: 6 vertices, 6 edges\n"))
        self.assertEqual(sorted(self.ask("g.V(1).out('knows').values('name')")), ["josh", "vadas"])
        self.assertEqual(sorted(self.ask("g.V(3).in('created').values('age')")), [29, 32, 35])
        self.assertEqual(sorted(self.ask("g.V().id()")), [1, 2, 3, 4, 5, 6])
        self.assertEqual(self.ask("g.V(1).property('age', 30).values('age')"), [30])
        # Loading it again puts it back.
        self.assertEqual(self.server.cli("sample", "modern").returncode, 0)
        self.assertEqual(self.ask("g.V(1).values('age')"), [29])
        self.assertEqual(self.ask("g.V().count()") + self.ask("g.E().count()"), [6, 6])
        self.assertEqual(self.server.cli("sample", "crew", "social/crew").returncode, 0)
        self.assertEqual(sorted(self.ask("g.V(9).properties('location').has('startTime', gt(2000)).value()", "social.crew")),
                         ["aachen", "kaiserslautern"])
        self.assertEqual(self.ask("g.V(11).in('uses').dedup().count()", "social.crew"), [4])

    def test_samples_in_graphs_with_a_key(self):
        self.assertEqual(self.server.cli("create", "social/kinds", "--partition-key", "/kind").returncode, 0)
        self.assertEqual(self.server.cli("sample", "classic", "social/kinds").returncode, 0)
        self.assertEqual(sorted(self.ask("g.V(['vertex', 1]).out().values('name')", "social.kinds")), ["josh", "lop", "vadas"])
        self.assertEqual(self.server.cli("create", "social/ids", "--partition-key", "/id").returncode, 0)
        refused = self.server.cli("sample", "modern", "social/ids")
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("neither /id nor /label", refused.stderr)
        with self.assertRaisesRegex(gremlin_client.GremlinError, "/id as its partition key"):
            self.ask("g.V()", "social.ids")
        unknown = self.server.cli("sample", "moderm")
        self.assertNotEqual(unknown.returncode, 0)
        self.assertIn("modern, classic, crew", unknown.stderr)

    def test_counts(self):
        self.server.cli("sample", "modern")
        for script, count in {"g.V().count()": 6, "g.E().count()": 6, "g.V().hasLabel('person').count()": 4, "g.V().hasLabel('person', 'software').count()": 6,
                              "g.E().hasLabel('knows').count()": 2, "g.V().hasLabel('knows').count()": 0, "g.V().hasLabel('person').hasLabel('software').count()": 0,
                              "g.V().hasLabel('person').count().math('_ * 2')": 8, "g.V().count().is(gt(5))": 6,
                              "g.V().has('age', gt(28)).count()": 3, "g.V().has('age', within(27, 35, 99)).count()": 2,
                              "g.V().has('person', 'age', between(27, 32)).count()": 2, "g.V().has('age', lt(30)).has('age', gt(27)).count()": 1}.items():
            self.assertEqual(self.ask(script), [count], script)
        # What another API wrote and is no element is not counted.
        graph = harness.Container(self.server, "graphs", "g")
        graph.create({"id": "half", "_pk": "half", "label": "knows", "_isEdge": True, "_vertexId": "1"})
        self.assertEqual(self.ask("g.E().count()"), [6])
        self.assertEqual(self.ask("g.E().hasLabel('knows').count()"), [2])
        # What the request itself writes is.
        self.assertEqual(self.ask("g.addV('person').V().hasLabel('person').count()"), [5])

    def test_no_update_is_lost(self):
        self.ask("g.addV('counter').property(id, 'c').property('n', 0)")
        writers, rounds = 4, 20
        failures = []

        def write():
            for _ in range(rounds):
                try:
                    self.ask("g.V('c').property('n', __.union(__.values('n'), __.constant(1)).sum())")
                except gremlin_client.GremlinError as failure:
                    failures.append(str(failure))

        threads = [threading.Thread(target=write) for _ in range(writers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        # A writer that lost every race says so; whoever was not refused has counted.
        for failure in failures:
            self.assertIn("pre-condition", failure)
        self.assertEqual(self.ask("g.V('c').values('n')"), [writers * rounds - len(failures)])
        self.assertLess(len(failures), writers * rounds // 4)

    def test_versions_are_those_of_other_apis(self):
        self.ask("g.addV('person').property(id, 'ada').property('age', 36)")
        graph = harness.Container(self.server, "graphs", "g")
        read = graph.read("ada", ["ada"])
        self.ask("g.V('ada').property('age', 37)")
        stale = graph.replace("ada", read.json(), headers={"if-match": read.headers["etag"]})
        self.assertEqual(stale.status, 412)
        fresh = graph.read("ada", ["ada"])
        self.assertEqual(graph.replace("ada", fresh.json(), headers={"if-match": fresh.headers["etag"]}).status, 200)
        self.assertEqual(self.ask("g.V('ada').values('age')"), [37])

    def test_elements_expire(self):
        self.ask("g.addV('person').property(id, 'a').as('a').addV('person').property(id, 'b').as('b').addE('knows').from('a').to('b').property('ttl', 1)")
        self.ask("g.addV('person').property(id, 'c').property('ttl', 1)")
        self.until(lambda: self.ask("g.V('b').in('knows').count()") == [0])
        self.until(lambda: self.ask("g.V('c').count()") == [0])
        self.assertEqual(self.ask("g.V().count()"), [2])

    def test_incoming_edges_through_crashes_and_splits(self):
        """in() against all edges, whoever wrote them: killed, split, written by two APIs."""
        rng = random.Random(1)
        self.assertEqual(self.server.cli("create", "social/friends", "--partition-key", "/_pk", "--throughput", "30000").returncode, 0)
        name, people = "social.friends", 12
        for i in range(people):
            self.ask("g.addV('person').property(id, x)", name, x=f"p{i}")
        for crash in range(3):
            graph = harness.Container(self.server, "social", "friends")
            for i in range(20):
                out, target, edge = f"p{rng.randrange(people)}", f"p{rng.randrange(4)}", f"e{crash}-{i}"
                if i % 2 == 0:
                    self.ask("g.V(a).addE('knows').property(id, e).to(__.V(b))", name, a=out, b=target, e=edge)
                else:
                    graph.create({"id": edge, "label": "knows", "_pk": out, "_isEdge": True, "_vertexId": out, "_vertexLabel": "person",
                                  "_sink": target, "_sinkLabel": "person", "_sinkPartition": target})
                if i % 7 == 6:
                    removed = rng.choice(self.ask("g.E().id()", name))
                    self.ask("g.E().hasId(e).drop()", name, e=removed)
                if i % 5 == 0:
                    self.compare(name, people)
            if crash == 1:
                split = self.server.cli("split", "social/friends")
                self.assertEqual(split.returncode, 0, split.stderr)
                self.compare(name, people)
            self.server.kill()
            self.start()
            self.compare(name, people)

    def compare(self, name, people):
        edges = self.ask("g.E().project('id', 'in').by(id).by(inV().id())", name)
        for i in range(people):
            expected = sorted(edge["id"] for edge in edges if edge["in"] == f"p{i}")
            self.assertEqual(sorted(self.ask("g.V(x).inE().id()", name, x=f"p{i}")), expected)


def plain(value):
    if not isinstance(value, dict) or "@type" not in value:
        return value
    inner = value["@value"]
    if value["@type"] == "g:Map":
        return dict(zip((plain(key) for key in inner[::2]), (plain(each) for each in inner[1::2])))
    if value["@type"] in ("g:List", "g:Set"):
        return [plain(each) for each in inner]
    return inner


if __name__ == "__main__":
    unittest.main()
