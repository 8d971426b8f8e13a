"""A server for the tests of one class, with a client of default settings."""
import os
import pathlib
import shutil
import tempfile
import unittest
import uuid

import pymongo

import harness

harness.BINARY = os.environ["ORRERY"]


class MongoTest(unittest.TestCase):
    """Tests that share one server; each has a database of its own."""

    @classmethod
    def setUpClass(cls):
        root = pathlib.Path(tempfile.mkdtemp(prefix="orrery_mongo_"))
        cls.addClassCleanup(shutil.rmtree, root, ignore_errors=True)
        cls.server = harness.Server(root / "data", "--durability", "os", "--table-port", "0", "--mongo-port", "any")
        cls.addClassCleanup(cls.server.stop)
        cls.client = pymongo.MongoClient(f"mongodb://127.0.0.1:{cls.server.mongo_port}/")
        cls.addClassCleanup(cls.client.close)

    def setUp(self):
        self.db = self.client["t" + uuid.uuid4().hex[:12]]
        self.addCleanup(self.client.drop_database, self.db.name)
