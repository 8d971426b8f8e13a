"""What a split writes to the pool, by how large the partition is, and what trimming its children writes afterwards."""
import json
import pathlib
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "peer"))
import generator  # noqa: E402
import nodes  # noqa: E402

WRITTEN = "orrery_store_written_bytes_total"
# A table with partitions of its own, and no limit that would be felt.
FLAGS = ("--limit-partition-rate", "1000000", "--limit-rate", "1000000")
WITH = "cosmosdb_provisioned_throughput = 1000000"
VALUE_BYTES = 1_000
SIZES_MB = (10, 100)
LOOK_SECONDS = 2.0
QUIET_BYTES = 64 << 10
LOOKS_MAX = 30


def when_quiet(node: nodes.Node) -> float:
    """Bytes written so far, once hardly any more come."""
    written = node.count(WRITTEN)
    for _ in range(LOOKS_MAX):
        time.sleep(LOOK_SECONDS)
        former, written = written, node.count(WRITTEN)
        if written - former < QUIET_BYTES:
            break
    return written


def split_row(node: nodes.Node, name: str) -> str:
    before = when_quiet(node)
    sizes = [value for metric, labels, value in node.metrics() if metric == "orrery_partition_bytes" and labels["owner"] != "commons"]
    done = subprocess.run([nodes.BINARY, "split", name, "--json", "--url", node.url], check=True, stdout=subprocess.PIPE, text=True)
    at_answer = node.count(WRITTEN)
    trimmed = when_quiet(node)
    return (f"| {max(sizes) / 1e6:.0f} | **{(at_answer - before) / 1e3:.0f}** | {json.loads(done.stdout)['pauseMs']:.0f} | "
            f"{(trimmed - at_answer) / 1e6:.1f} |\n")


def table(_: float, directory: pathlib.Path, conf: pathlib.Path) -> str:
    text = ("| MB in the partition | KB written to the pool until the split was answered | writers paused, ms | MB written afterwards, to trim both "
            "children |\n|---|---|---|---|\n")
    for megabytes in SIZES_MB:
        name = f"split_{megabytes}"
        with nodes.Node(1, directory, conf, FLAGS) as node:
            generator.drive(port=node.port, setup=True, workload="none", table=f"{name}.rows", table_with=WITH,
                            keys=megabytes * 1000, value_bytes=VALUE_BYTES)
        # Its end wrote out what was only in memory, which a split would have to write first.
        with nodes.Node(1, directory, conf, FLAGS) as node:
            text += split_row(node, f"{name}/rows")
    return text
