"""A reader of a change stream that is closed and resumed at random sees every committed change once and in order, over
splits, merges and kill -9."""
import random
import threading
import time

from harness import OrreryTest
from mongo_wire import Connection, Long, Uuid

WRITERS = 3
KEYS = 12  # of each writer
PATIENCE_S = 120
THROTTLED = 16500


class Cluster:
    """The server that runs now: writers and the reader find it again after it was killed."""

    def __init__(self, test):
        self.test = test
        self.lock = threading.Lock()
        self.server = None
        self.start()

    def start(self):
        self.server = self.test.start("--mongo-port", "any")
        self.port = self.server.mongo_port

    def kill(self):
        with self.lock:
            self.server.kill()
            self.start()

    def connect(self):
        end = time.monotonic() + PATIENCE_S
        while True:
            try:
                return Connection(self.port)
            except OSError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.02)


class Writer(threading.Thread):
    """Creates, updates and deletes documents of its own. Every write is retried until it is answered, under the same
    number, so it is made once; `done` has what was made, in order."""

    def __init__(self, cluster, number, stop):
        super().__init__(daemon=True)
        self.cluster, self.number, self.stop = cluster, number, stop
        self.random = random.Random(number)
        self.done, self.error, self.txn = [], None, 0
        self.connection = None

    def write(self, command):
        self.txn += 1
        command |= {"$db": "d", "lsid": {"id": Uuid(bytes([self.number + 1]) * 16)}, "txnNumber": Long(self.txn)}
        end = time.monotonic() + PATIENCE_S
        while True:
            try:
                if self.connection is None:
                    self.connection = self.cluster.connect()
                answer = self.connection.ask(command)
                if answer["ok"] == 1.0 and answer.get("n") == 1:
                    return
                if any(each["code"] == THROTTLED for each in answer.get("writeErrors", [])):
                    time.sleep(0.02)
                    continue
                if not {"RetryableWriteError"} & set(answer.get("errorLabels", [])):
                    raise AssertionError(answer)
            except (OSError, IndexError, ValueError) as error:
                self.connection = None
                if time.monotonic() > end:
                    raise AssertionError(f"no answer: {error!r}") from error
            time.sleep(0.02)

    def run(self):
        there = {}
        try:
            while not self.stop.is_set():
                n = self.random.randrange(KEYS)
                key = self.number * KEYS + n
                shard = f"k{key}"
                if key not in there:
                    there[key] = 1
                    self.write({"insert": "c", "documents": [{"_id": key, "k": shard, "v": 1}]})
                    self.done.append(("insert", key, 1))
                elif self.random.random() < 0.15:
                    del there[key]
                    self.write({"delete": "c", "deletes": [{"q": {"_id": key, "k": shard}, "limit": 1}]})
                    self.done.append(("delete", key, None))
                else:
                    there[key] += 1
                    self.write({"update": "c", "updates": [{"q": {"_id": key, "k": shard},
                                                            "u": {"$set": {"v": there[key]}}}]})
                    self.done.append(("update", key, there[key]))
        except Exception as error:  # noqa: BLE001 - told by the test
            self.error = error


class Reader(threading.Thread):
    """Reads some events, closes the stream without a word, and goes on from the last token."""

    def __init__(self, cluster, token):
        super().__init__(daemon=True)
        self.cluster, self.token = cluster, token
        self.random = random.Random(99)
        self.events, self.error, self.opened = [], None, 0

    def run(self):
        end = time.monotonic() + 2 * PATIENCE_S
        try:
            while not (self.events and self.events[-1]["documentKey"]["_id"] == -1):
                if time.monotonic() > end:
                    raise AssertionError("the last event did not come")
                try:
                    self.read(self.cluster.connect())
                except (OSError, IndexError, ValueError):
                    time.sleep(0.02)
        except Exception as error:  # noqa: BLE001 - told by the test
            self.error = error

    def read(self, connection):
        start = {"resumeAfter": self.token}
        answer = connection.ask({"aggregate": "c", "$db": "d", "pipeline": [{"$changeStream": start}],
                                 "cursor": {"batchSize": self.random.choice([1, 7, 101])}})
        if answer["ok"] != 1.0:
            raise AssertionError(answer)
        self.opened += 1
        cursor, key = answer["cursor"], "firstBatch"
        for _ in range(self.random.randrange(1, 12)):
            for event in cursor[key]:
                self.events.append(event)
                self.token = event["_id"]
                if event["documentKey"]["_id"] == -1:
                    connection.close()
                    return
                if self.random.random() < 0.01:
                    connection.close()
                    return
            if not cursor[key] and self.random.random() < 0.5:
                self.token = cursor["postBatchResumeToken"]
            answer = connection.ask({"getMore": Long(cursor["id"]), "collection": "c", "$db": "d",
                                     "maxTimeMS": Long(self.random.choice([1, 50, 300]))})
            if answer["ok"] != 1.0:
                raise AssertionError(answer)
            cursor, key = answer["cursor"], "nextBatch"
        connection.close()


def change(event):
    kind, key = event["operationType"], event["documentKey"]["_id"]
    if kind == "insert":
        return (kind, key, event["fullDocument"]["v"])
    if kind == "update":
        return (kind, key, event["updateDescription"]["updatedFields"]["v"])
    return (kind, key, None)


class MongoStreams(OrreryTest):
    def partitions(self, cluster):
        listed = cluster.server.admin("GET", "partitions?database=d&container=c").json()["partitions"]
        return [p["id"] for p in sorted(listed, key=lambda p: p["ranges"][0]["begin"])]

    def test_each_change_once_and_in_order(self):
        cluster = Cluster(self)
        connection = cluster.connect()
        made = connection.ask({"customAction": "CreateCollection", "collection": "c", "shardKey": "k",
                               "offerThroughput": 20000, "$db": "d"})
        self.assertEqual(made["ok"], 1.0, made)
        opened = connection.ask({"aggregate": "c", "$db": "d", "pipeline": [{"$changeStream": {}}], "cursor": {}})
        self.assertEqual(opened["ok"], 1.0, opened)
        stop = threading.Event()
        reader = Reader(cluster, opened["cursor"]["postBatchResumeToken"])
        writers = [Writer(cluster, number, stop) for number in range(WRITERS)]
        for thread in [reader, *writers]:
            thread.start()
        time.sleep(0.5)
        for round_number in range(3):
            outcome = cluster.server.cli("split", "d/c")
            self.assertEqual(outcome.returncode, 0, outcome.stderr)
            time.sleep(0.3)
            cluster.kill()
            time.sleep(0.3)
            if round_number == 1:
                self.merge_two(cluster)
        time.sleep(0.3)
        stop.set()
        for writer in writers:
            writer.join(PATIENCE_S)
            self.assertIsNone(writer.error)
        last = {"insert": "c", "$db": "d", "documents": [{"_id": -1, "k": "last", "v": 0}]}
        self.assertEqual(cluster.connect().ask(last)["n"], 1)
        reader.join(2 * PATIENCE_S)
        self.assertIsNone(reader.error)
        tokens = [event["_id"]["_data"] for event in reader.events]
        self.assertEqual(tokens, sorted(set(tokens)), "events come once, in the order of their tokens")
        times = [event["clusterTime"] for event in reader.events]
        self.assertEqual(times, sorted(times))
        seen = [change(event) for event in reader.events[:-1]]
        total = 0
        for writer in writers:
            # A writer writes one after the other, so its changes are in the order of their times.
            of_writer = [c for c in seen if c[1] // KEYS == writer.number]
            self.assertEqual(of_writer, writer.done)
            total += len(of_writer)
        self.assertEqual(total, len(seen))
        self.assertGreater(reader.opened, 3)
        self.assertGreater(total, 100)

    def merge_two(self, cluster):
        self.assertStatus(204, cluster.server.admin("POST", "partitions/settle"))
        left, right = self.partitions(cluster)[:2]
        outcome = cluster.server.cli("merge", left, right)
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
