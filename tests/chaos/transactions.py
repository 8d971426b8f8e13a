#!/usr/bin/env python3
"""transactions.py BINARY DIR [--seconds N] [--faults N] [--seed S]: MongoDB's transactions on three nodes and a private Ceph.

Clients append to lists in two collections, in transactions over the partitions of all nodes, through whichever node they like, while nodes are
killed and stopped, and partitions split. What they saw must be a history of snapshot isolation (tests/system/snapshot_history.py), and what was
committed must be there. Exit code 77: something it needs is not installed.
"""
import argparse
import pathlib
import random
import shutil
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "system"))
from mongo_wire import Connection, Long, Uuid  # noqa: E402
from snapshot_history import violations  # noqa: E402

SKIPPED = 77
KEYS = 12
CLIENTS = 4
COLLECTIONS = ("sharded", "plain")
# Conflicts, moved partitions, transactions that have ended, no budget, no owner.
TRANSIENT = (6, 91, 112, 189, 246, 251, 11600, 16500)
UNKNOWN = (6, 91, 189, 11600)
ANSWER_SECONDS = 45
COMMIT_SECONDS = 120
SUSPEND_SECONDS = (0.5, 12)
BETWEEN_FAULTS = (1, 4)
SETTLE_SECONDS = 60


class Client(threading.Thread):
    """Runs transactions, one after the other, until it is told to stop."""

    def __init__(self, run, number, seed):
        super().__init__(name=f"client {number}", daemon=True)
        self.load, self.number, self.random = run, number, random.Random(seed)
        self.session = {"id": Uuid(bytes([number + 1]) * 16)}
        self.connections, self.node, self.transaction, self.token = {}, None, 0, None
        self.history, self.failure = [], None

    def run(self):
        try:
            while not self.load.stopped.is_set():
                self.run_transaction()
        except Exception as error:  # pylint: disable=broad-except
            self.failure = error

    def ask(self, node, command):
        """None when there is no answer."""
        try:
            if node not in self.connections:
                self.connections[node] = Connection(node.mongo_port, ANSWER_SECONDS, node.address)
            return self.connections[node].ask(command)
        except OSError:
            if node in self.connections:
                self.connections.pop(node).close()
            return None

    def statement(self, command, first=False):
        command = dict(command, lsid=self.session, txnNumber=Long(self.transaction), autocommit=False)
        if first:
            command["startTransaction"] = True
        answer = self.ask(self.node, command)
        if answer is not None and "recoveryToken" in answer:
            self.token = answer["recoveryToken"]
        return answer

    def run_transaction(self):
        self.transaction += 1
        self.token = None
        self.node = self.random.choice(self.load.nodes)
        record = {"id": f"{self.number}.{self.transaction}", "ops": [], "outcome": "fail", "begin": time.monotonic(), "end": None}
        self.history.append(record)
        for step in range(self.random.randint(1, 5)):
            if not self.step(record, step == 0):
                record["end"] = time.monotonic()
                time.sleep(0.02)
                return
        self.commit(record)
        record["end"] = time.monotonic()

    def commit(self, record):
        """Again, through other nodes, until it is known what came of it."""
        command = {"commitTransaction": 1, "$db": "admin"}
        if self.token is not None:
            command["recoveryToken"] = self.token
        record["outcome"] = "unknown"
        origin = self.node
        asks_another_first = self.token is not None and self.random.random() < 0.05
        if asks_another_first:
            self.node = self.random.choice([node for node in self.load.nodes if node is not origin])
        deadline = time.monotonic() + COMMIT_SECONDS
        while time.monotonic() < deadline:
            answer = self.statement(command)
            if answer is not None and answer.get("code") not in UNKNOWN:
                self.load.check(answer["ok"] == 1.0 or answer["code"] in TRANSIENT, answer)
                record["outcome"] = "ok" if answer["ok"] == 1.0 else "fail"
                self.ask_again(command, record, origin, asks_another_first)
                return
            if self.token is None and any(op[0] == "append" for op in record["ops"]):
                return  # another node could not know what it is asked for
            self.node = self.random.choice([node for node in self.load.nodes if not asks_another_first or node is not origin])
            self.load.commits_repeated += 1
            time.sleep(0.1)

    def ask_again(self, command, record, origin, asked_another_first):
        """What was said once is said by every node: the commit was made, or never will be."""
        if asked_another_first:
            self.load.check(record["outcome"] == "fail", "a transaction was committed by a node that it did not begin at")
            self.node = origin
        elif self.token is None or record["outcome"] != "ok" or self.random.random() > 0.2:
            return
        else:
            self.node = self.random.choice(self.load.nodes)
        answer = self.statement(command)
        if answer is None or answer.get("code") in UNKNOWN:
            return
        self.load.asked_again += 1
        self.load.check((answer["ok"] == 1.0) == (record["outcome"] == "ok"), f"{record['outcome']}, and then {answer}")

    def step(self, record, first):
        """One read or append. False: the transaction is over."""
        key, collection = self.random.randrange(KEYS), self.random.choice(COLLECTIONS)
        name = f"{collection}/{key}"
        if self.random.random() < 0.5:
            answer = self.statement({"find": collection, "$db": "t", "filter": {"k": key}}, first)
            if answer is not None and answer["ok"] == 1.0:
                record["ops"].append(["read", name, answer["cursor"]["firstBatch"][0]["v"]])
        else:
            value = self.load.next_value()
            update = {"q": {"k": key}, "u": {"$push": {"v": value}}}
            answer = self.statement({"update": collection, "$db": "t", "updates": [update]}, first)
            record["ops"].append(["append", name, value])
        if answer is None:
            return False
        self.load.check(answer["ok"] == 1.0 or answer["code"] in TRANSIENT, answer)
        return answer["ok"] == 1.0


class Run:
    def __init__(self, deployment, seed):
        self.deployment, self.nodes = deployment, deployment.nodes
        self.random, self.seed = random.Random(seed), seed
        self.lock, self.value, self.stopped = threading.Lock(), 0, threading.Event()
        self.commits_repeated, self.asked_again = 0, 0
        self.faults = {}

    def check(self, condition, what):
        if not condition:
            raise AssertionError(what)

    def next_value(self):
        with self.lock:
            self.value += 1
            return self.value

    def ask(self, command):
        """Of any node, again and again."""
        deadline = time.monotonic() + SETTLE_SECONDS
        while True:
            node = self.random.choice(self.nodes)
            try:
                connection = Connection(node.mongo_port, ANSWER_SECONDS, node.address)
                answer = connection.ask(command)
                connection.close()
                if answer["ok"] == 1.0 or time.monotonic() > deadline:
                    return answer
            except OSError:
                self.check(time.monotonic() < deadline, f"{command} gets no answer")
            time.sleep(0.3)

    def set_up(self):
        made = self.ask({"customAction": "CreateCollection", "collection": "sharded", "shardKey": "k", "offerThroughput": 60_000, "$db": "t"})
        self.check(made["ok"] == 1.0, made)
        for collection in COLLECTIONS:
            for key in range(KEYS):
                answer = self.ask({"update": collection, "$db": "t",
                                   "updates": [{"q": {"_id": key, "k": key}, "u": {"$set": {"v": []}}, "upsert": True}]})
                self.check(answer["ok"] == 1.0 and "writeErrors" not in answer, answer)

    # ---- what goes wrong

    def kill(self):
        node = self.random.choice(self.nodes)
        self.deployment.leave(node)
        node.kill()
        time.sleep(self.random.uniform(0, 3))
        self.deployment.come_back(node)

    def suspend(self):
        node = self.random.choice(self.nodes)
        if not node.runs():
            return
        node.suspend()
        time.sleep(self.random.uniform(*SUSPEND_SECONDS))
        node.resume()

    def run(self, seconds, faults):
        clients = [Client(self, n, seed=self.seed * 100 + n) for n in range(CLIENTS)]
        for client in clients:
            client.start()
        until = time.monotonic() + seconds
        kinds = [self.kill, self.suspend]
        for n in range(faults):
            time.sleep(self.random.uniform(*BETWEEN_FAULTS))
            if time.monotonic() > until and n >= len(kinds):
                break
            kind = kinds[n % len(kinds)]
            kind()
            self.faults[kind.__name__] = self.faults.get(kind.__name__, 0) + 1
        time.sleep(max(0, until - time.monotonic()))
        self.stopped.set()
        for client in clients:
            client.join(ANSWER_SECONDS + COMMIT_SECONDS)
            self.check(not client.is_alive(), f"{client.name} waits for an answer")
            if client.failure is not None:
                raise client.failure
        return [record for client in clients for record in client.history]

    def judge(self, history):
        final = {}
        for collection in COLLECTIONS:
            for key in range(KEYS):
                answer = self.ask({"find": collection, "$db": "t", "filter": {"k": key}})
                self.check(answer["ok"] == 1.0, answer)
                final[f"{collection}/{key}"] = answer["cursor"]["firstBatch"][0]["v"]
        found = violations(history, final)
        self.check(not found, found[:5])
        outcomes = {each: sum(record["outcome"] == each for record in history) for each in ("ok", "fail", "unknown")}
        wrote = sum(record["outcome"] == "ok" and any(op[0] == "append" for op in record["ops"]) for record in history)
        self.check(wrote >= 10, f"only {wrote} transactions that wrote were committed: {outcomes}")
        operations = sum(len(record["ops"]) for record in history)
        print(f"{operations} operations in {len(history)} transactions: {outcomes['ok']} committed ({wrote} wrote), {outcomes['fail']} failed, "
              f"{outcomes['unknown']} unknown; {self.commits_repeated} commits repeated, {self.asked_again} asked for again; faults: {self.faults}; no violation")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("binary")
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=25)
    parser.add_argument("--faults", type=int, default=2)
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000))
    arguments = parser.parse_args()
    from deployment import Deployment
    from ceph_dev import packages
    if packages.missing():
        print(f"skipped: not installed: {' '.join(packages.missing())} (tools/ceph install)")
        sys.exit(SKIPPED)
    print(f"--seed {arguments.seed}", flush=True)
    shutil.rmtree(arguments.root, ignore_errors=True)
    deployment = Deployment(arguments.root, arguments.binary)
    try:
        deployment.start()
        deployment.watch()
        run = Run(deployment, arguments.seed)
        run.set_up()
        run.judge(run.run(arguments.seconds, arguments.faults))
        if deployment.crashes:
            sys.exit("\n".join(deployment.crashes))
    finally:
        deployment.destroy()


if __name__ == "__main__":
    main()
