"""Orrery nodes on one Ceph, all on 127.0.0.1, each with ports of its own, and what they count."""
import pathlib
import re
import sys
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "bench/peer"))
import process  # noqa: E402

BINARY = ROOT / "build/release/bin/orrery"
START_SECONDS_MAX = 60
CASSANDRA_PORT, SQL_PORT, PEER_PORT = 9340, 8380, 7370


class Node(process.ServerProcess):
    """Number 0 has a local store, for comparison; the others are nodes of a cluster in `conf`'s, in a namespace that
    is called as `directory` is."""

    def __init__(self, number: int, directory: pathlib.Path, conf: pathlib.Path | None, flags=()):
        self.sql_port = SQL_PORT + number
        self.url = f"http://127.0.0.1:{self.sql_port}"
        directory.mkdir(parents=True, exist_ok=True)
        self.log = directory / f"node-{number}.log"
        store = ["--store", "rados", "--rados-conf", conf, "--rados-namespace", directory.name] if conf else []
        super().__init__(
            [BINARY, "serve", "--data", directory / f"node-{number}", "--cassandra-port", CASSANDRA_PORT + number,
             "--sql-port", self.sql_port, "--peer-port", PEER_PORT + number, "--sql-default-throughput", "0", *store, *flags],
            CASSANDRA_PORT + number, self.log, START_SECONDS_MAX)

    def metrics(self) -> list[tuple[str, dict, float]]:
        """All that /metrics shows: name, labels, value."""
        with urllib.request.urlopen(self.url + "/metrics", timeout=30) as answer:
            text = answer.read().decode()
        found = re.findall(r"^(\w+)(?:\{(.*)\})? (\S+)$", text, flags=re.M)
        return [(name, dict(re.findall(r'(\w+)="((?:[^"\\]|\\.)*)"', labels)), float(value)) for name, labels, value in found]

    def count(self, name: str) -> float:
        """The sum of a metric over its labels."""
        return sum(value for each, _, value in self.metrics() if each == name)

    def partitions(self) -> dict[str, str]:
        """Open here: partition -> who pays for it."""
        return {labels["partition"]: labels["owner"] for name, labels, _ in self.metrics() if name == "orrery_partition_last_lsn"}
