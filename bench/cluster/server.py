"""Group commit and cached reads through a server on Ceph, beside one on the local disk."""
import pathlib
import statistics
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "peer"))
import generator  # noqa: E402
import nodes  # noqa: E402

ROUNDS = 3
ROWS = {"keys": 50_000, "value_bytes": 200}
SATURATED = {"connections": 64, "in_flight": 32}
SINGLE = {"connections": 1, "in_flight": 1}


def measured_writes(node: nodes.Node, seconds: float, shape: dict) -> dict:
    names = ("orrery_partition_writes_total", "orrery_partition_write_groups_total", "orrery_store_writes_total")
    before = [node.count(name) for name in names]
    run = generator.drive(port=node.port, workload="insert", seconds=seconds, **ROWS, **shape)
    writes, groups, operations = (node.count(name) - was for name, was in zip(names, before))
    return {"rate": run["throughput"], "a group": writes / groups, "an operation": writes / operations,
            "failures": run["failures"]}


def median(runs: list[dict]) -> dict:
    return {key: statistics.median(run[key] for run in runs) for key in runs[0]}


def table(seconds: float, directory: pathlib.Path, conf: pathlib.Path) -> str:
    each = seconds / 2
    reads, single, saturated = {"rados": [], "local": []}, [], []
    with nodes.Node(1, directory, conf) as rados, nodes.Node(0, directory, None) as local:
        servers = {"rados": rados, "local": local}
        for server in servers.values():
            generator.drive(port=server.port, setup=True, workload="none", **ROWS)
            generator.drive(port=server.port, workload="read", seconds=2, **ROWS, **SATURATED)
        for turn in range(2 * ROUNDS):
            # Who comes first changes, as the machine may grow slower or faster meanwhile.
            for name in ("rados", "local") if turn % 2 else ("local", "rados"):
                run = generator.drive(port=servers[name].port, workload="read", seconds=each, warmup=0.5, **ROWS, **SATURATED)
                reads[name].append(run["throughput"])
        local.stop()
        for _ in range(ROUNDS):
            single.append(measured_writes(rados, each, SINGLE))
            saturated.append(measured_writes(rados, each, SATURATED))
    one, many = median(single), median(saturated)
    here, there = statistics.median(reads["local"]), statistics.median(reads["rados"])
    pairs = sorted(ours / theirs for ours, theirs in zip(reads["rados"], reads["local"]))
    return (
        "| durable INSERTs of 200 bytes | writes/s | writes in a group (one append to the log) | writes for each operation on the pool, of any "
        "kind | failed | against one by one |\n|---|---|---|---|---|---|\n"
        f"| one at a time | {one['rate']:.0f} | {one['a group']:.1f} | {one['an operation']:.1f} | {one['failures']:.0f} | **1 x** |\n"
        f"| 64 connections x 32 | {many['rate']:.0f} | **{many['a group']:.0f}** | {many['an operation']:.0f} | {many['failures']:.0f} | "
        f"**{many['rate'] / one['rate']:.0f} x** |\n\n"
        "| cached reads, 64 connections x 32 | reads/s |\n|---|---|\n"
        f"| local store | {here:.0f} |\n| Ceph | {there:.0f} |\n"
        f"| Ceph against local, of the medians | **{there / here:.0%}** |\n"
        f"| pair by pair, lowest to highest | {pairs[0]:.0%} to {pairs[-1]:.0%} |\n")
