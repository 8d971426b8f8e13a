"""Owners that others take for dead and that live on: a thousand of them, several at once.

Some small clusters share a private Ceph, each in a namespace of its own. In each, one trial after the other
(zombie_trial.py): a node that owns partitions is stopped for longer than its lease, or cut off from the store, or
from everybody but clients; others take over; it lives on, and must neither answer with what was before nor
change anything. At the end orrery-history judges everything that clients were told.

With --blindfold LIBRARY nodes do not notice that they were stopped, nothing that they write is guarded, and nobody
is blocklisted: such a run must find something, or it could not have found anything.
"""
import argparse
import os
import pathlib
import random
import shutil
import subprocess
import sys
import threading
import time

import cql
import isolation
from deployment import OSDS
from history import History
from network import Network
from node import FENCED, Node, NodeError, free_ports
from pauses import percentile
from zombie_trial import Client, Trial, TrialError

from ceph_dev.cluster import Cluster  # deployment.py knows where that is

NODES = 3  # of each cluster
FIRST_USER = 40_000
CHECK_SECONDS = 1800
END_SECONDS = 30
READY_SECONDS = 90
SCHEMA = ["CREATE KEYSPACE zombies WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1} "
          "AND cosmosdb_provisioned_throughput = 40000",
          "CREATE TABLE zombies.registers (k text PRIMARY KEY, v text)"]


class Tally:
    """What all clusters have tried so far. Thread-safe."""

    def __init__(self, wanted):
        self._lock = threading.Lock()
        self._wanted = wanted
        self.trials = {}   # kind -> how many
        self.idle = 0      # attempts on nodes that owned nothing
        self.spared = 0    # attempts on nodes that kept their lease
        self.writes = self.refused_writes = self.reads = self.answered_reads = self.stale = self.visible = 0
        self.take_overs = []
        self.ends = {}     # exit code -> how many
        self.troubles = []

    def done(self):
        with self._lock:
            return sum(self.trials.values()) >= self._wanted

    def add(self, kind, trial, code):
        with self._lock:
            self.trials[kind] = self.trials.get(kind, 0) + 1
            self.writes += len(trial.zombie_writes)
            self.refused_writes += sum(not call.ok() for call in trial.zombie_writes)
            self.reads += len(trial.zombie_reads)
            self.answered_reads += sum(call.ok() for call in trial.zombie_reads)
            self.stale += trial.stale()
            self.visible += trial.visible
            self.take_overs.append(trial.take_over_seconds)
            self.ends[code] = self.ends.get(code, 0) + 1
            return sum(self.trials.values())

    def add_spared(self):
        with self._lock:
            self.spared += 1

    def add_idle(self):
        with self._lock:
            self.idle += 1

    def trouble(self, words):
        with self._lock:
            self.troubles.append(words)


class Arena:
    """One small cluster and its clients; run() on a thread of its own."""

    def __init__(self, number, args, ceph, network, history, tally):
        self._name = f"z{number}"
        self._rng = random.Random(f"{args.seed}/{number}")
        self._kinds = args.kinds
        self._network, self._history, self._tally = network, history, tally
        self._store_ports = [_monitor_port(ceph.conf), "6800-7300"]
        root = args.dir / self._name
        root.mkdir()
        os.chmod(root, 0o777)
        ports = free_ports(3 * NODES, from_port=10_000 + 100 * number)
        options = ("--rados-namespace", self._name, "--rados-lease", str(args.lease), "--io-threads", "2")
        self.nodes = [Node(f"{self._name}n{n + 1}", args.binary, root, ceph.conf, f"127.0.{number}.{n + 1}",
                           ports[3 * n:3 * n + 3], options, FIRST_USER + 10 * number + n) for n in range(NODES)]
        if args.blindfold:
            for node in self.nodes:
                node.environment = {"LD_PRELOAD": str(args.blindfold.resolve())}
        self._peer_ports = [node.peer_port for node in self.nodes]
        self._drivers = []
        self._clients = {}
        self._number = number

    def start(self):
        for node in self.nodes:
            node.start()
            node.wait_ready()
        cluster, session = cql.connect(self.nodes[0])
        for statement in SCHEMA:
            session.execute(statement)
        cluster.shutdown()
        for n, node in enumerate(self.nodes):
            cluster, session = cql.connect(node, "zombies")
            self._drivers.append(cluster)
            self._clients[node.name] = Client(10 * self._number + n, session, self._history)

    def run(self, say):
        attempt = 0
        while not self._tally.done():
            attempt += 1
            try:
                self._one(f"{self._name}.{attempt}", self._rng.choice(self._kinds), say)
            except (TrialError, NodeError) as error:
                self._tally.trouble(str(error))
                say(f"{error}")

    def stop(self):
        for driver in self._drivers:
            driver.shutdown()
        for node in self.nodes:
            if node.runs():
                node.kill()

    # ---- one trial

    def _one(self, name, kind, say):
        ready = self._ready()
        zombie = self._rng.choice(ready)
        other = self._rng.choice([node for node in ready if node is not zombie])
        ports = [*self._store_ports, *(self._peer_ports if kind == "cut-all" else [])]

        def harm():
            if kind == "stop":
                zombie.suspend()
            else:
                self._network.cut_user(zombie.user, ports)

        def mend():
            if kind == "stop":
                zombie.resume()
            else:
                self._network.mend_user(zombie.user, ports)

        trial = Trial(name, self._clients[zombie.name], self._clients[other.name], harm, mend,
                      lambda: not zombie.runs(), lambda: self._start_all_but(zombie))
        if not trial.run():
            self._tally.add_idle()
            return
        code = self._end_of(zombie)
        if code is None:
            self._tally.add_spared()
            return
        number = self._tally.add(kind, trial, code)
        say(f"{number:5} {name:9} {kind:9} taken over after {trial.take_over_seconds:4.1f} s, {trial.taken_over} keys; "
            f"ended with {code}" + (f"; STALE READS {trial.stale()}" if trial.stale() else "")
            + (f"; unacknowledged writes that are there: {trial.visible}" if trial.visible else ""))

    def _start_all_but(self, zombie):
        for node in self.nodes:
            if node is not zombie and not node.runs():
                node.start()

    def _ready(self):
        """Two nodes or more that serve; those that ended are started again."""
        deadline = time.monotonic() + READY_SECONDS
        while True:
            self._start_all_but(None)
            ready = [node for node in self.nodes if node.ready()]
            # Now and then while the last one still comes back.
            if len(ready) == NODES or (len(ready) == NODES - 1 and self._rng.random() < 0.05):
                return ready
            if time.monotonic() > deadline:
                raise TrialError(f"{self._name}: nodes do not come back:\n" + "\n".join(
                    node.last_words(2) for node in self.nodes if not node.ready()))
            time.sleep(0.05)

    def _end_of(self, node):
        """Its exit code; None when it lives on: nobody took its place, and the delay was another."""
        deadline = time.monotonic() + END_SECONDS
        while node.runs() and time.monotonic() < deadline:
            time.sleep(0.02)
        if node.runs():
            return None
        if node.exit_code() != FENCED:
            self._tally.trouble(f"{node.name} ended with {node.exit_code()}:\n{node.last_words()}")
        return node.exit_code()


def _monitor_port(conf):
    for line in conf.read_text().splitlines():
        if line.startswith("mon_host"):
            return int(line.rstrip("]").rpartition(":")[2])
    raise TrialError(f"{conf} names no monitor")


class Run:
    def __init__(self, args, network):
        self._args = args
        self._ceph = Cluster(args.dir / "ceph")
        self._history = History(args.dir / "history.jsonl")
        self._tally = Tally(args.trials)
        self._network = network
        self._began = time.monotonic()

    def say(self, words):
        print(f"{time.monotonic() - self._began:7.1f} s  {words}", flush=True)

    def go(self):
        """Returns the number of things that were wrong."""
        arenas = []
        try:
            self._ceph.start(osds=OSDS, size=4, min_size=3, die_with_us=True)
            # Nodes run as users of their own.
            for key in self._ceph.root.glob("*.keyring"):
                key.chmod(0o644)
            for number in range(1, self._args.clusters + 1):
                arena = Arena(number, self._args, self._ceph, self._network, self._history, self._tally)
                arenas.append(arena)
                arena.start()
            self.say(f"Ceph and {len(arenas)} clusters of {NODES} nodes are there")
            threads = [threading.Thread(target=arena.run, args=(self.say,), daemon=True) for arena in arenas]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        finally:
            for arena in arenas:
                arena.stop()
            self._history.close()
            self._ceph.destroy()
        return self._judge()

    def _judge(self):
        tally = self._tally
        checked = subprocess.run([str(self._args.checker), str(self._history.path)], text=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=CHECK_SECONDS)
        print(checked.stdout, end="", flush=True)
        kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(tally.trials.items()))
        print(f"\nseed {self._args.seed}: {sum(tally.trials.values())} trials ({kinds}) in {time.monotonic() - self._began:.0f} s; "
              f"{tally.idle} more on nodes that owned nothing, {tally.spared} on nodes that nobody took for dead")
        print(f"  through zombies: {tally.writes} writes, {tally.refused_writes} of them not acknowledged, "
              f"{tally.visible} of these there in the end, as it passed them on; {tally.reads} reads, {tally.answered_reads} answered, {tally.stale} stale")
        print(f"  ended with: " + ", ".join(f"{code}: {count}" for code, count in tally.ends.items()))
        if tally.take_overs:
            print(f"  taken over after: median {percentile(tally.take_overs, 0.5):.1f} s, p99 "
                  f"{percentile(tally.take_overs, 0.99):.1f} s (lease {self._args.lease} s)")
        wrong = len(tally.troubles)
        if tally.stale or checked.returncode:
            wrong += 1
            print(f"FOUND: the history does not hold (orrery-history: {checked.returncode}; stale reads: {tally.stale})")
        for words in tally.troubles:
            print(f"TROUBLE: {words}")
        print("all held" if not wrong else f"{wrong} things were wrong")
        return wrong


def arguments():
    parser = argparse.ArgumentParser(prog="tools/zombies", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trials", type=int, default=1000, help="how many (1000)")
    parser.add_argument("--clusters", type=int, default=4, help="side by side (4)")
    parser.add_argument("--lease", type=int, default=1, help="of the nodes, in seconds (1)")
    parser.add_argument("--kinds", default="stop,stop,cut-store,cut-all", help="with commas; one named twice comes twice as often")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--blindfold", type=pathlib.Path, default=None, help="a library that switches fences off")
    parser.add_argument("--binary", type=pathlib.Path, default=pathlib.Path("build/release/bin/orrery"))
    parser.add_argument("--checker", type=pathlib.Path, default=pathlib.Path("build/release/bin/orrery-history"))
    parser.add_argument("--dir", type=pathlib.Path, default=pathlib.Path("build/zombies"),
                        help="logs and the history stay there (build/zombies)")
    args = parser.parse_args()
    for program in (args.binary, args.checker):
        if not program.is_file():
            parser.error(f"{program} is not built: tools/build release orrery orrery-history")
    if args.seed is None:
        args.seed = random.SystemRandom().randrange(1 << 31)
    args.kinds = args.kinds.split(",")
    return args


def main():
    args = arguments()
    if not isolation.enter() or os.geteuid() != 0:
        sys.exit("tools/zombies: needs namespaces (unshare), ip, and to be root: each node is a user of its own, whose network is cut")
    print(f"seed {args.seed}", flush=True)
    shutil.rmtree(args.dir, ignore_errors=True)
    args.dir.mkdir(parents=True)
    sys.exit(1 if Run(args, Network()).go() else 0)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
