#!/usr/bin/env python3
"""clock_skew.py BINARY CLOCK_SHIFT DIR: three nodes on a private Ceph, one on a machine whose clock is 20 s ahead.

It is told whose clock that is; no update is lost, whichever nodes it goes through; and nobody owns a partition
beside another. Exit code 77: something it needs is not installed.
"""
import pathlib
import shutil
import subprocess
import sys
import time

TESTS = pathlib.Path(__file__).resolve().parents[1]
for folder in (TESTS / "chaos", TESTS.parent / "tools", TESTS / "system"):
    sys.path.insert(0, str(folder))
import skipping  # noqa: E402

skipping.need(cassandra="python3-cassandra")
import cql  # noqa: E402
from ceph_dev import packages  # noqa: E402
from deployment import Deployment  # noqa: E402
from node import FENCED  # noqa: E402

SKIPPED = 77
AHEAD_SECONDS = 20
PATIENCE_SECONDS = 60
KEYS = range(20)
# Far less than the clocks are apart, far more than the nodes' times are.
PAUSE_SECONDS = 1


def insist(condition, words):
    if not condition:
        sys.exit(f"clock_skew: {words}")


def eventually(predicate, words):
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not predicate():
        insist(time.monotonic() < deadline, words())
        time.sleep(0.1)


class Case:
    def __init__(self, binary, deployment):
        self._binary, self._deployment = binary, deployment
        self.nodes = deployment.nodes
        self._drivers = {}
        self._round = 0

    def session(self, node):
        if node.name not in self._drivers:
            self._drivers[node.name] = cql.connect(node)
        return self._drivers[node.name][1]

    def forget(self, node):
        if node.name in self._drivers:
            self._drivers.pop(node.name)[0].shutdown()

    def ask(self, node, verb):
        return subprocess.run([self._binary, verb, "--url", f"http://{node.address}:{node.sql_port}"], text=True,
                              timeout=PATIENCE_SECONDS, stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout

    def execute(self, node, statement):
        """Until it is taken: partitions may be changing hands."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                return list(self.session(node).execute(statement))
            except Exception as error:
                if not cql.is_known(error) or time.monotonic() > deadline:
                    raise
                time.sleep(0.2)

    def clock_is_told(self, by):
        """By its number in the roster, by every node, with what to do."""
        two = self.nodes[1]
        for node in by:
            words = f"is {AHEAD_SECONDS}.0 s ahead of the cluster's time"
            eventually(lambda n=node: words in n.words(), lambda n=node: f"not told by {n.name}:\n{n.words()}")
            insist("time servers (NTP)" in node.words(), f"does not say what to do:\n{node.words()}")

            def told(n=node):
                marked = [line for line in self.ask(n, "status").splitlines() if "clock " in line]
                return len(marked) == 1 and f"clock +{AHEAD_SECONDS}.0 s" in marked[0] and two.address in marked[0]
            eventually(told, lambda n=node: f"status through {n.name}:\n{self.ask(n, 'status')}")

    def updates_win(self, *nodes):
        """Of one cell, through one node after the other: the last that was acknowledged is what is read."""
        for writer in nodes:
            self._round += 1
            for key in KEYS:
                self.execute(writer, f"UPDATE skew.t SET v = {self._round} WHERE k = {key}")
            time.sleep(PAUSE_SECONDS)
            for reader in nodes:
                found = dict(self.execute(reader, "SELECT k, v FROM skew.t"))
                insist(found == dict.fromkeys(KEYS, self._round),
                       f"updates of round {self._round}, through {writer.name}, are lost: {found}")

    def owners_agree(self, *nodes):
        def agreed():
            told = [self.ask(node, "partitions") for node in nodes]
            owners = [[line.split()[:2] for line in text.splitlines() if line[:1].isdigit()] for text in told]
            return all(each == owners[0] for each in owners) and "not open" not in told[0]
        eventually(agreed, lambda: "\n".join(self.ask(node, "partitions") for node in nodes))


def run(case):
    one, two, three = case.nodes
    case.execute(one, "CREATE KEYSPACE skew WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}")
    case.execute(one, "CREATE TABLE skew.t (k int PRIMARY KEY, v int) WITH cosmosdb_provisioned_throughput = 30000")
    case.updates_win(two, one, three, two, three)
    case.clock_is_told(case.nodes)
    print("a wrong clock: told, and no update is lost", flush=True)

    # It lives on, without its lease: the others take over, and it ends when it hears of that.
    two.suspend()
    case.updates_win(one, three)
    two.resume()
    eventually(lambda: not two.runs(), lambda: f"is a second owner:\n{two.words()}")
    insist(two.exit_code() == FENCED, f"ended with {two.exit_code()}:\n{two.last_words()}")
    case.forget(two)
    case.updates_win(three, one)
    print("a wrong clock without a lease: fenced", flush=True)

    two.start()
    two.wait_ready()
    case.updates_win(two, one, three)
    # The manager goes, so that perhaps the one with the wrong clock leads.
    case.forget(one)
    one.kill()
    case.updates_win(two, three, two)
    case.owners_agree(two, three)
    one.start()
    one.wait_ready()
    case.updates_win(one, two, three)
    case.clock_is_told(case.nodes)
    case.owners_agree(one, two, three)
    print("a wrong clock and another manager: nothing is lost", flush=True)


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    if packages.missing():
        print(f"skipped: not installed: {' '.join(packages.missing())} (tools/ceph install)")
        sys.exit(SKIPPED)
    binary, shift, root = (str(pathlib.Path(each).resolve()) for each in sys.argv[1:])
    shutil.rmtree(root, ignore_errors=True)
    deployment = Deployment(root, binary)
    deployment.nodes[1].environment = {"LD_PRELOAD": shift, "CLOCK_SHIFT_SECONDS": str(AHEAD_SECONDS)}
    try:
        deployment.start()
        run(Case(binary, deployment))
    finally:
        deployment.destroy()


if __name__ == "__main__":
    main()
