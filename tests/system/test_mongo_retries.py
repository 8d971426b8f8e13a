"""Writes that a client repeats after a crash, because it got no reply, are made once."""
from harness import OrreryTest
from mongo_wire import Connection, Long, Uuid

SESSIONS = 24


def session(n):
    return {"id": Uuid(bytes([n]) * 16)}


def increment(n, number):
    """By a filter on another field than _id, which the update makes false."""
    return {"update": "c", "$db": "d", "lsid": session(n), "txnNumber": Long(number),
            "updates": [{"q": {"owner": n, "step": number - 1}, "u": {"$inc": {"step": 1, "total": 1}}}]}


class MongoRetries(OrreryTest):
    def start_mongo(self):
        return self.start("--mongo-port", "any")

    def mongo_port(self, server):
        return server._port_in_welcome(r"mongodb://127\.0\.0\.1:(\d+)")

    def test_kill_9_between_write_and_reply(self):
        server = self.start_mongo()
        connection = Connection(self.mongo_port(server))
        documents = [{"_id": n, "owner": n, "step": 0, "total": 0} for n in range(SESSIONS)]
        insert = {"insert": "c", "$db": "d", "lsid": session(200), "txnNumber": Long(1), "documents": documents}
        self.assertEqual(connection.ask(insert)["n"], SESSIONS)
        connection.close()
        for number in range(1, 4):
            connections = [Connection(self.mongo_port(server)) for _ in range(SESSIONS)]
            for n, each in enumerate(connections):
                each.send(increment(n, number))
            # Some are done and answered, some done, some not begun.
            self.assertEqual(connections[number].receive()["n"], 1)
            server.kill()
            for each in connections:
                each.close()
            server = self.start_mongo()
            connection = Connection(self.mongo_port(server))
            for n in range(SESSIONS):
                answer = connection.ask(increment(n, number))
                self.assertEqual((answer["ok"], answer["n"], answer["nModified"]), (1.0, 1, 1), answer)
                self.assertEqual(connection.ask(increment(n, number))["retriedStmtIds"], [0])
            self.assertEqual(connection.ask(increment(number, number))["retriedStmtIds"], [0])
            found = connection.ask({"find": "c", "$db": "d"})["cursor"]["firstBatch"]
            self.assertEqual([d["total"] for d in found], [number] * SESSIONS)
            connection.close()
        connection = Connection(self.mongo_port(server))
        self.assertEqual(connection.ask(insert)["retriedStmtIds"], list(range(SESSIONS)))
        self.assertEqual(connection.ask(increment(0, 2))["code"], 225, "a newer number was used")
        connection.close()
