"""Transactions over several partitions under load, splits and kill -9: what clients saw is snapshot isolation (snapshot_history.py), and what was committed is there."""
import random
import threading
import time

from harness import OrreryTest
from mongo_wire import Connection, Long, Uuid
from snapshot_history import violations

KEYS = 12
CLIENTS = 5
TRANSIENT = (112, 246, 251, 16500)  # the last when there is no budget left
COLLECTIONS = ("sharded", "plain")


class Client(threading.Thread):
    """Runs transactions, one after the other, until it is told to stop. Those that were cut off by a crash are committed again, or known to have failed."""

    def __init__(self, test, number, seed):
        super().__init__(daemon=True)
        self.test, self.number = test, number
        self.random = random.Random(seed)
        self.session = {"id": Uuid(bytes([number + 1]) * 16)}
        self.connection, self.transaction = None, 0
        self.history, self.failure = [], None

    def run(self):
        try:
            while not self.test.stopped.is_set():
                (self.read_outside if self.random.random() < 0.2 else self.run_transaction)()
        except Exception as error:  # pylint: disable=broad-except
            self.failure = error

    def ask(self, command):
        """None when the server is gone."""
        while self.connection is None:
            try:
                self.connection = Connection(self.test.port)
            except OSError:
                if self.test.stopped.is_set():
                    return None
                time.sleep(0.02)
        try:
            return self.connection.ask(command)
        except OSError:
            self.connection.close()
            self.connection = None
            return None

    def statement(self, command, first=False):
        command = dict(command, lsid=self.session, txnNumber=Long(self.transaction), autocommit=False)
        if first:
            command["startTransaction"] = True
        return self.ask(command)

    def begin(self):
        self.transaction += 1
        record = {"id": f"{self.number}.{self.transaction}", "ops": [], "outcome": "fail", "begin": time.monotonic(), "end": None}
        self.history.append(record)
        return record

    def run_transaction(self):
        record = self.begin()
        for step in range(self.random.randint(1, 5)):
            if not self.step(record, step == 0):
                record["end"] = time.monotonic()
                return
        commit = {"commitTransaction": 1, "$db": "admin"}
        answer = self.statement(commit)
        record["outcome"] = "unknown"
        while answer is None or answer.get("code") in (6, 91, 189, 11600):
            if self.test.stopped.is_set() and self.connection is None:
                break
            answer = self.statement(commit)
        if answer is not None:
            self.test.check(answer["ok"] == 1.0 or answer["code"] in TRANSIENT, answer)
            record["outcome"] = "ok" if answer["ok"] == 1.0 else "fail"
            if answer["ok"] == 1.0 and self.random.random() < 0.1:
                again = self.statement(commit)
                self.test.check(again is None or again["ok"] == 1.0, again)
        record["end"] = time.monotonic()

    def step(self, record, first):
        """One read or append. False: the transaction is over."""
        key, collection = self.random.randrange(KEYS), self.random.choice(COLLECTIONS)
        name = f"{collection}/{key}"
        if self.random.random() < 0.5:
            answer = self.statement({"find": collection, "$db": "t", "filter": {"k": key}}, first)
            if answer is not None and answer["ok"] == 1.0:
                record["ops"].append(["read", name, answer["cursor"]["firstBatch"][0]["v"]])
        else:
            value = self.test.next_value()
            update = {"q": {"k": key}, "u": {"$push": {"v": value}}}
            answer = self.statement({"update": collection, "$db": "t", "updates": [update]}, first)
            record["ops"].append(["append", name, value])
        if answer is None:
            return False
        self.test.check(answer["ok"] == 1.0 or answer["code"] in TRANSIENT, answer)
        if answer["ok"] != 1.0:
            self.test.check("TransientTransactionError" in answer["errorLabels"], answer)
        return answer["ok"] == 1.0

    def read_outside(self):
        """A read of one document outside transactions is a transaction of its own."""
        record = self.begin()
        self.transaction -= 1
        record["id"] = f"{self.number}.r{len(self.history)}"
        key, collection = self.random.randrange(KEYS), self.random.choice(COLLECTIONS)
        answer = self.ask({"find": collection, "$db": "t", "filter": {"k": key}})
        record["end"] = time.monotonic()
        if answer is not None and answer.get("code") != 16500:
            self.test.check(answer["ok"] == 1.0, answer)
            record["ops"].append(["read", f"{collection}/{key}", answer["cursor"]["firstBatch"][0]["v"]])
            record["outcome"] = "ok"


class MongoTransactions(OrreryTest):
    def check(self, condition, what):
        if not condition:
            raise AssertionError(what)

    def next_value(self):
        with self.lock:
            self.value += 1
            return self.value

    def start_mongo(self):
        server = self.start("--mongo-port", "any", "--durability", "os")
        self.port = server._port_in_welcome(r"mongodb://127\.0\.0\.1:(\d+)")
        return server

    def set_up_load(self):
        self.lock, self.value, self.stopped = threading.Lock(), 0, threading.Event()
        self.server = self.start_mongo()
        connection = Connection(self.port)
        made = connection.ask({"customAction": "CreateCollection", "collection": "sharded", "shardKey": "k", "offerThroughput": 40_000, "$db": "t"})
        self.assertEqual(made["ok"], 1.0, made)
        for collection in COLLECTIONS:
            documents = [{"_id": key, "k": key, "v": []} for key in range(KEYS)]
            self.assertEqual(connection.ask({"insert": collection, "$db": "t", "documents": documents})["n"], KEYS)
        connection.close()

    def run_load(self, seconds, disturb=lambda: None):
        clients = [Client(self, n, seed=n) for n in range(CLIENTS)]
        for client in clients:
            client.start()
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            time.sleep(0.3)
            disturb()
        self.stopped.set()
        for client in clients:
            client.join(60)
            self.assertFalse(client.is_alive())
        for client in clients:
            if client.failure is not None:
                raise client.failure
        history = [record for client in clients for record in client.history]
        connection, final = Connection(self.port), {}
        for collection in COLLECTIONS:
            for document in connection.ask({"find": collection, "$db": "t"})["cursor"]["firstBatch"]:
                final[f"{collection}/{document['k']}"] = document["v"]
        connection.close()
        self.assertEqual(violations(history, final), [])
        committed = [record for record in history if record["outcome"] == "ok"]
        self.assertGreater(len([record for record in committed if any(op[0] == "append" for op in record["ops"])]), 10)
        return len(committed)

    def test_under_load(self):
        self.set_up_load()
        self.run_load(4)

    def test_through_splits(self):
        self.set_up_load()

        def split():
            self.server.cli("split", "t/sharded")

        self.run_load(3, split)

    def test_through_kill_9(self):
        self.set_up_load()

        def kill():
            time.sleep(random.random() * 0.5)
            self.server.kill()
            self.server = self.start_mongo()

        self.run_load(6, kill)
