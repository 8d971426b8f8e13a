"""Unique indexes under writers and crashes: a key is never given twice, and a build that was cut off goes on or is taken back."""
import threading

from harness import OrreryTest
from mongo_wire import Connection

DOCUMENTS = 4000
BATCH = 500
WRITERS = 4


class MongoUnique(OrreryTest):
    def start_mongo(self):
        return self.start("--mongo-port", "any", "--durability", "os")

    def connect(self, server):
        return Connection(server._port_in_welcome(r"mongodb://127\.0\.0\.1:(\d+)"))

    def fill(self, connection, collection, distinct):
        for first in range(0, DOCUMENTS, BATCH):
            documents = [{"_id": n, "a": n % distinct} for n in range(first, first + BATCH)]
            self.assertEqual(connection.ask({"insert": collection, "$db": "d", "documents": documents})["n"], BATCH)

    def create(self, connection, collection):
        return {"createIndexes": collection, "$db": "d", "indexes": [{"key": {"a": 1}, "name": "a_1", "unique": True}]}

    def names(self, connection, collection):
        return [index["name"] for index in connection.ask({"listIndexes": collection, "$db": "d"})["cursor"]["firstBatch"]]

    def test_writers_of_one_key_while_the_index_is_built(self):
        server = self.start_mongo()
        connection = self.connect(server)
        self.fill(connection, "c", DOCUMENTS)
        made = [0] * WRITERS
        stop = threading.Event()

        def write(writer):
            mine = self.connect(server)
            n = 0
            while not stop.is_set():
                answer = mine.ask({"insert": "c", "$db": "d", "documents": [{"_id": f"{writer}-{n}", "a": f"k{n}"}]})
                made[writer] += answer["n"]
                if answer["n"] == 0:
                    assert answer["writeErrors"][0]["code"] == 11000, answer
                n += 1
            mine.close()

        threads = [threading.Thread(target=write, args=(writer,)) for writer in range(WRITERS)]
        for thread in threads:
            thread.start()
        answer = connection.ask(self.create(connection, "c"))
        stop.set()
        for thread in threads:
            thread.join()
        # Writers may have made the same key before the index: then it is refused as a whole.
        if answer["ok"] == 1.0:
            keys = connection.ask({"aggregate": "c", "$db": "d", "cursor": {}, "pipeline": [
                {"$group": {"_id": "$a", "n": {"$sum": 1}}}, {"$match": {"n": {"$gt": 1}}}]})["cursor"]["firstBatch"]
            self.assertEqual(keys, [])
        else:
            self.assertEqual(answer["code"], 11000, answer)
            self.assertEqual(self.names(connection, "c"), ["_id_"])
        connection.close()

    def test_kill_9_while_indexes_are_built(self):
        server = self.start_mongo()
        connection = self.connect(server)
        self.fill(connection, "good", DOCUMENTS)
        self.fill(connection, "bad", DOCUMENTS - 1)
        connection.send(self.create(connection, "good"))
        other = self.connect(server)
        other.send(self.create(other, "bad"))
        server.kill()
        connection.close()
        other.close()
        server = self.start_mongo()
        connection = self.connect(server)
        # A command that comes again waits for the build that goes on.
        good = connection.ask(self.create(connection, "good"))
        self.assertEqual(good["ok"], 1.0, good)
        repeated = connection.ask({"insert": "good", "$db": "d", "documents": [{"_id": "x", "a": 7}]})
        self.assertEqual(repeated["writeErrors"][0]["code"], 11000)
        bad = connection.ask(self.create(connection, "bad"))
        self.assertEqual(bad["code"], 11000, bad)
        self.assertEqual(self.names(connection, "bad"), ["_id_"])
        self.assertEqual(connection.ask({"insert": "bad", "$db": "d", "documents": [{"_id": "x", "a": 7}]})["n"], 1)
        connection.close()
