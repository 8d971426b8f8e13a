"""How long writes to a partition wait while it is handed over to another node.

Three nodes; the third stops and starts again and again. Each time others take its partitions, and when it is back it is given
some. A writer for each table (probe.py) sits at the first node. That a hand-over is done is read off the nodes' logs; its pause is
the longest write to that table that was under way around then.
"""
import datetime
import pathlib
import re
import statistics
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "peer"))
import generator  # noqa: E402
import nodes  # noqa: E402
import probe  # noqa: E402

TABLES = 12
FLAGS = ("--limit-partition-rate", "1000000", "--limit-rate", "1000000")
WITH = "WITH cosmosdb_provisioned_throughput = 1000000"  # a partition of its own
GOAL_MS = 500
AROUND_SECONDS = 0.1
START_LOOKS_MAX = 60
LOOK_SECONDS = 0.25
CYCLE_SECONDS_MAX = 8
OPENED = re.compile(r"^(\S+Z) I partition (\d+) is open here", flags=re.M)


def opened(logs: list[pathlib.Path]) -> list[tuple[float, str]]:
    """When which partition was opened by its next owner, in any node."""
    found = []
    for log in logs:
        for when, partition in OPENED.findall(log.read_text(errors="replace")):
            found.append((datetime.datetime.fromisoformat(when.replace("Z", "+00:00")).timestamp(), partition))
    return sorted(found)


def wait(what) -> None:
    for _ in range(START_LOOKS_MAX):
        if what():
            return
        time.sleep(LOOK_SECONDS)


def pauses(hand_overs, table_of: dict, writes) -> list[float]:
    found = []
    for when, partition in hand_overs:
        table = table_of.get(partition)
        near = [end - begin for each, begin, end in writes
                if each == table and begin <= when + AROUND_SECONDS and end >= when - AROUND_SECONDS]
        if near:
            found.append(1000 * max(near))
    return sorted(found)


def quantile(values: list[float], part: float) -> float:
    return values[min(len(values) - 1, int(part * len(values)))] if values else float("nan")


class Trial:
    def __init__(self, directory: pathlib.Path, conf: pathlib.Path):
        self._directory, self._conf = directory, conf
        self._nodes = {number: self._start(number) for number in (1, 2, 3)}
        self.tables = [f"handover.t{number}" for number in range(TABLES)]
        conversation = probe.Conversation(self._nodes[1].port)
        conversation.run("CREATE KEYSPACE handover WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}")
        for table in self.tables:
            conversation.run(f"CREATE TABLE {table} (key text PRIMARY KEY, value blob) {WITH}")
        wait(lambda: min(len(node.partitions()) for node in self._nodes.values()) >= TABLES // 3 - 1)
        owners = {partition: owner for node in self._nodes.values() for partition, owner in node.partitions().items()}
        self._table_of = {partition: table for partition, owner in owners.items() for table in self.tables
                          if re.search(rf"\b{table.partition('.')[2]}\b", owner)}

    def _start(self, number: int) -> nodes.Node:
        return nodes.Node(number, self._directory, self._conf, FLAGS)

    def row(self, name: str, seconds: float, load: dict | None) -> str:
        logs = [self._directory / f"node-{number}.log" for number in (1, 2, 3)]
        port, begin = self._nodes[1].port, time.time()
        loads = [subprocess.Popen([generator.BENCH, "cql", "--json", "--port", str(port), "--workload", "insert", "--table", table,
                                   "--value-bytes", "200", "--seconds", f"{seconds:g}", "--warmup", "0",
                                   *(str(word) for flag in load.items() for word in flag)],
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
                 for table in (self.tables if load else [])]
        with probe.Probes(port, self.tables) as probes:
            while time.time() < begin + seconds:
                self._nodes[3].stop()
                self._nodes[3] = self._start(3)
                came_back = time.time()
                patience = min(came_back + CYCLE_SECONDS_MAX, begin + seconds)
                while time.time() < patience and len(self._nodes[3].partitions()) < TABLES // 3 - 1:
                    time.sleep(LOOK_SECONDS)
        for number, node in self._nodes.items():
            if not node.running():
                raise RuntimeError(f"node {number} ended by itself: see {node.log}; a machine that is too busy loses leases")
        hand_overs = [each for each in opened(logs) if begin < each[0] < begin + seconds]
        found = pauses(hand_overs, self._table_of, probes.writes)
        usual = sorted(1000 * (end - start) for _, start, end in probes.writes)
        rate = len(probes.writes) / (time.time() - begin)
        for each in loads:
            report = re.search(r'"throughput":([\d.]+)', each.communicate()[0])
            rate += float(report[1]) if report else 0
        above = sum(pause > GOAL_MS for pause in found)
        return (f"| {name} | {rate:.0f} | {len(found)} | {quantile(found, 0.5):.0f} | {quantile(found, 0.99):.0f} | "
                f"**{max(found, default=float('nan')):.0f}** | {above} | {len(probes.failures)} | {statistics.median(usual):.1f} | "
                f"{quantile(usual, 0.99):.0f} |\n")

    def stop(self) -> None:
        for node in self._nodes.values():
            node.stop()


LOADS = {"light": None,
         "heavy": {"--connections": 2, "--in-flight": 8, "--rate": 500}}


def table(seconds: float, directory: pathlib.Path, conf: pathlib.Path) -> str:
    text = ("| load | writes/s | hand-overs | pause p50, ms | p99 | longest | over 500 | failed writes of probes | "
            "all probes' writes p50, ms | p99 |\n"
            "|---|---|---|---|---|---|---|---|---|---|\n")
    trial = Trial(directory, conf)
    try:
        for name, load in LOADS.items():
            text += trial.row(name, 3 * seconds, load)
    finally:
        trial.stop()
    return text
