"""The long run: three nodes on a private Ceph, clients that record what they do, and one fault after the other.

At the end everything is read back through every node, and the history is checked: no acknowledged write
lost, nothing doubled, every key linearizable. The seed decides faults and operations; threads and the
machine decide the rest.
"""
import argparse
import pathlib
import random
import shutil
import subprocess
import sys
import time

import cql
import faults
import isolation
import pauses as pausing
from counters import CounterLog
from deployment import Deployment
from history import History, now_us
from load import Load
from network import Network
from workload import SCHEMA, Workload

# How long the cluster may take to serve everything again once a fault is mended.
RECOVERY_SECONDS = 90
# Two seconds apart: drivers take a while to find nodes again that were slow.
READ_BACK_ATTEMPTS = 30
QUIET_SECONDS = (0.2, 0.8)
CHECK_SECONDS = 1800
# So old may be what the monitor knows of copies (mgr_stats_period, mgr_tick_period).
HEARSAY_SECONDS = 3


class Run:
    """One run; `world` of the faults."""

    def __init__(self, args, network):
        self._args = args
        self._rng = random.Random(args.seed)
        self.network = network
        self.deployment = Deployment(args.dir, args.binary)
        self._history = History(args.dir / "history.jsonl")
        self._counters = CounterLog()
        self._pauses = pausing.Pauses(Workload.slots())
        self._workload = Workload(self._history, self._counters, self._pauses)
        self._violations = []
        self._began = time.monotonic()

    def found(self, words):
        self.say(f"FOUND: {words}")
        self._violations.append(words)

    def say(self, words):
        print(f"{time.monotonic() - self._began:7.1f} s  {words}", flush=True)

    def go(self):
        """Returns the number of things that were wrong."""
        try:
            self.deployment.start()
            self.say("Ceph and three nodes are there")
            self._make_schema()
            load = Load(self.deployment, self._workload, self._args.seed)
            self.deployment.watch()
            load.start()
            try:
                self._inject(load)
            finally:
                load.stop()
            self._read_back(load)
            load.disconnect()
            for words in [*load.broken, *self.deployment.crashes]:
                self.found(words)
        finally:
            self._history.close()
            self.deployment.destroy()
        self._check()
        self._summarize(load)
        return len(self._violations)

    # ---- steps

    def _make_schema(self):
        cluster, session = cql.connect(self.deployment.nodes[0])
        for statement in SCHEMA:
            session.execute(statement)
        cluster.shutdown()

    def _inject(self, load):
        time.sleep(2)
        ends = self._began + self._args.seconds
        kinds = faults.draw(self._args.kinds, self._rng)
        for number in range(1, self._args.faults + 1):
            if time.monotonic() > ends or load.broken:
                break
            if not self._one(number, next(kinds), load):
                break

    def _one(self, number, kind, load):
        """False when the cluster did not come back."""
        before = load.operations
        harm = faults.KINDS[kind][0](self, self._rng)
        fault = self._pauses.begin(kind, "", now_us())
        fault.what, seconds = next(harm)
        time.sleep(seconds)
        next(harm, None)
        self._pauses.heal(now_us())
        recovered = self._wait_recovered()
        self._pauses.end()
        tail = f"{load.operations - before} operations, longest pause {fault.longest_us / 1e6:.1f} s"
        if not recovered:
            self.found(f"after fault {number}, {kind} ({fault.what}), not all could be written again within "
                       f"{RECOVERY_SECONDS} s: {' '.join(self._pauses.waiting()) or 'a node is not ready'}")
            return False
        if kind in faults.OF_OSDS and not self._wait_osds():
            self.found(f"after fault {number}, {kind} ({fault.what}), not all copies came back")
            return False
        self.say(f"{number:4} {kind:15} {fault.what:15} {seconds:4.1f} s, back {(fault.recovered - fault.healed) / 1e6:4.1f} s later; {tail}")
        time.sleep(self._rng.uniform(*QUIET_SECONDS))
        return True

    def _wait_recovered(self):
        deadline = time.monotonic() + RECOVERY_SECONDS
        while self._pauses.waiting() or not self.deployment.all_ready():
            if time.monotonic() > deadline:
                return False
            time.sleep(0.05)
        return True

    def _wait_osds(self):
        """The next fault meets all of them, with all copies: one that is killed while another still gets what it missed
        would be two."""
        deadline = time.monotonic() + RECOVERY_SECONDS
        whole_since = None
        while whole_since is None or time.monotonic() < whole_since + HEARSAY_SECONDS:
            if time.monotonic() > deadline:
                return False
            time.sleep(0.2)
            if not self.deployment.whole():
                whole_since = None
            elif whole_since is None:
                whole_since = time.monotonic()
        return True

    def _read_back(self, load):
        for client in load.per_node:
            for attempt_number in range(READ_BACK_ATTEMPTS):
                error = next((each.error for each in self._workload.read_back(client) if each.error), None)
                if error is None:
                    break
                time.sleep(2)
            else:
                self.found(f"not everything could be read back: {error}")
                return
        self.say("everything was read back through every node")

    def _check(self):
        for words in [*self._workload.oddities, *self._counters.violations()]:
            self.found(words)
        checked = subprocess.run([str(self._args.checker), str(self._history.path)], text=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=CHECK_SECONDS)
        print(checked.stdout, end="", flush=True)
        if checked.returncode:
            self.found(f"the history does not hold (orrery-history: {checked.returncode})")

    def _summarize(self, load):
        counts = self._history.counts
        unknown = sum(count for (_, outcome), count in counts.items() if outcome == "unknown")
        takeovers = [fault.longest_us for fault in self._pauses.faults if fault.kind in ("kill-node", "suspend-node")]
        print(f"\nseed {self._args.seed}: {len(self._pauses.faults)} faults, {load.operations} operations, {unknown} of "
              f"unknown outcome, in {time.monotonic() - self._began:.0f} s")
        print("  " + ", ".join(f"{op} {outcome} {count}" for (op, outcome), count in sorted(counts.items())))
        print("  errors: " + (", ".join(f"{name} {count}" for name, count in sorted(load.errors.items())) or "none"))
        print(f"  nodes that lost their lease and ended: {self.deployment.fenced}; starts refused and tried again: "
              f"{len(self.deployment.refused)}; memory at most: "
              + ", ".join(f"{name} {mb} MB" for name, mb in sorted(self.deployment.resident_mb_max.items())))
        if takeovers:
            print(f"  take-over: p99 {pausing.percentile(takeovers, 0.99) / 1e6:.1f} s of {len(takeovers)}")
        print("\n" + pausing.table(self._pauses.faults) + "\n")
        for words in sorted(set(self.deployment.refused)):
            print(f"  refused: {words}")
        for words in self._violations:
            print(f"FOUND: {words}")
        print("all held" if not self._violations else f"{len(self._violations)} things were wrong; seed {self._args.seed}")


def arguments():
    parser = argparse.ArgumentParser(prog="tools/chaos", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=3600, help="begin no new fault after so long (3600)")
    parser.add_argument("--faults", type=int, default=200, help="at most so many (200)")
    parser.add_argument("--seed", type=int, default=None, help="decides faults and operations (random)")
    parser.add_argument("--kinds", default=None, help=f"with commas, of: {','.join(faults.KINDS)} (all)")
    parser.add_argument("--binary", type=pathlib.Path, default=pathlib.Path("build/release/bin/orrery"))
    parser.add_argument("--checker", type=pathlib.Path, default=pathlib.Path("build/release/bin/orrery-history"))
    parser.add_argument("--dir", type=pathlib.Path, default=pathlib.Path("build/chaos"),
                        help="logs and the history stay there (build/chaos)")
    args = parser.parse_args()
    for program in (args.binary, args.checker):
        if not program.is_file():
            parser.error(f"{program} is not built: tools/build release orrery orrery-history")
    if args.seed is None:
        args.seed = random.SystemRandom().randrange(1 << 31)
    if args.kinds is not None:
        args.kinds = args.kinds.split(",")
        for kind in args.kinds:
            if kind not in faults.KINDS:
                parser.error(f"no fault is called '{kind}'")
    return args


def main():
    args = arguments()
    inside = isolation.enter()
    if args.kinds is None:
        args.kinds = [kind for kind in faults.KINDS if inside or kind not in faults.NEED_NETWORK]
    elif not inside and faults.NEED_NETWORK & set(args.kinds):
        sys.exit("tools/chaos: cutting the network needs namespaces (unshare) and ip, which cannot be had here")
    if not inside:
        print("no namespaces can be had here: the network is not cut")
    print(f"seed {args.seed}", flush=True)
    shutil.rmtree(args.dir, ignore_errors=True)
    args.dir.mkdir(parents=True)
    sys.exit(1 if Run(args, Network() if inside else None).go() else 0)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
