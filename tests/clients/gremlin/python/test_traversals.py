"""Everyday traversals with PyPI's gremlinpython: text and bytecode, GraphBinary and GraphSON, with and without credentials."""
import os
import pathlib
import shutil
import tempfile
import unittest

from gremlin_python.driver.client import Client
from gremlin_python.driver.driver_remote_connection import DriverRemoteConnection
from gremlin_python.driver.protocol import GremlinServerError
from gremlin_python.driver.serializer import GraphBinarySerializersV1, GraphSONSerializersV3d0
from gremlin_python.process.anonymous_traversal import traversal
from gremlin_python.process.graph_traversal import __
from gremlin_python.process.traversal import Order, P, T
from gremlin_python.statics import long

import harness

harness.BINARY = os.environ["ORRERY"]


class GremlinTest(unittest.TestCase):
    """Tests that share one server with TinkerPop's sample graph `modern`."""

    SERIALIZER = GraphBinarySerializersV1

    @classmethod
    def setUpClass(cls):
        root = pathlib.Path(tempfile.mkdtemp(prefix="orrery_gremlin_"))
        cls.addClassCleanup(shutil.rmtree, root, ignore_errors=True)
        cls.server = harness.Server(root / "data", "--durability", "os", "--mongo-port", "0", "--table-port", "0", "--gremlin-port", "any,any")
        cls.addClassCleanup(cls.server.stop)
        cls.url = f"ws://127.0.0.1:{cls.server.gremlin_port}/gremlin"
        connection = DriverRemoteConnection(cls.url, "g", message_serializer=cls.SERIALIZER())
        cls.addClassCleanup(connection.close)
        cls.g = traversal().with_remote(connection)
        cls.client = Client(cls.url, "g", message_serializer=cls.SERIALIZER())
        cls.addClassCleanup(cls.client.close)
        people = {1: ("marko", 29), 2: ("vadas", 27), 4: ("josh", 32), 6: ("peter", 35)}
        for number, (name, age) in people.items():
            cls.g.add_v("person").property(T.id, number).property("name", name).property("age", age).iterate()
        for number, name in {3: "lop", 5: "ripple"}.items():
            cls.g.add_v("software").property(T.id, number).property("name", name).iterate()
        for number, (out, label, into, weight) in {7: (1, "knows", 2, 0.5), 8: (1, "knows", 4, 1.0), 9: (1, "created", 3, 0.4),
                                                   10: (4, "created", 5, 1.0), 11: (4, "created", 3, 0.4), 12: (6, "created", 3, 0.2)}.items():
            cls.g.V(out).add_e(label).to(__.V(into)).property(T.id, number).property("weight", weight).iterate()

    def ask(self, text, bindings=None):
        return self.client.submit(text, bindings).all().result()

    def test_bytecode(self):
        g = self.g
        self.assertEqual(g.V().count().next(), 6)
        self.assertEqual(sorted(g.V(1).out("knows").values("name").to_list()), ["josh", "vadas"])
        self.assertEqual(sorted(g.V(3).in_("created").values("name").to_list()), ["josh", "marko", "peter"])
        self.assertEqual(g.V().has("age", P.gt(30)).order().by("age", Order.desc).values("name").to_list(), ["peter", "josh"])
        self.assertEqual(g.V().group_count().by(T.label).next(), {"person": 4, "software": 2})
        self.assertEqual(g.V(1).repeat(__.out()).times(2).order().by("name").values("name").to_list(), ["lop", "ripple"])
        self.assertEqual(g.V(1).project("name", "knows").by("name").by(__.out("knows").count()).next(), {"name": "marko", "knows": 2})

    def test_text(self):
        self.assertEqual(self.ask("g.V().count()"), [6])
        self.assertEqual(self.ask("g.V().has('name', x).values('age')", {"x": "marko"}), [29])
        self.assertEqual(self.ask("g.V().hasLabel('none')"), [])

    def test_elements(self):
        edge = self.g.E(7).next()
        self.assertEqual((edge.id, edge.label, edge.outV.id, edge.inV.id), (7, "knows", 1, 2))
        path = self.g.V(1).out_e("knows").in_v().path().limit(1).next()
        self.assertEqual(len(path.objects), 3)
        self.assertEqual(self.g.V(1).value_map("name").next(), {"name": ["marko"]})

    def test_writes(self):
        made = self.g.add_v("city").property("name", "Bonn").property("size", long(5_000_000_000)).next()
        self.assertEqual(self.g.V(made.id).values("size").next(), 5_000_000_000)
        self.g.V(made.id).drop().iterate()
        self.assertFalse(self.g.V(made.id).has_next())

    def test_errors(self):
        with self.assertRaises(GremlinServerError) as caught:
            self.g.add_v("person").property(T.id, 1).iterate()
        self.assertEqual(caught.exception.status_code, 500)
        self.assertEqual(caught.exception.status_attributes["x-ms-status-code"], 409)
        with self.assertRaises(GremlinServerError) as caught:
            self.ask("g.V().nope()")
        self.assertEqual(caught.exception.status_code, 597)

    def test_credentials(self):
        port = self.server._port_in_welcome(r"127\.0\.0\.1:(\d+) +\(with credentials: user /dbs")
        url = f"ws://127.0.0.1:{port}/gremlin"
        client = Client(url, "g", username="localhost", password=harness.WELL_KNOWN_KEY, message_serializer=self.SERIALIZER())
        self.addCleanup(client.close)
        self.assertEqual(client.submit("g.V(1).values('name')").all().result(), ["marko"])
        stranger = Client(url, "g", username="localhost", password="d3Jvbmc=", message_serializer=self.SERIALIZER())
        self.addCleanup(stranger.close)
        with self.assertRaises(GremlinServerError) as caught:
            stranger.submit("g.V()").all().result()
        self.assertEqual(caught.exception.status_code, 401)


class GraphSonTest(GremlinTest):
    SERIALIZER = GraphSONSerializersV3d0


if __name__ == "__main__":
    unittest.main()
