#!/usr/bin/env python3
"""cluster_smoke.py BINARY DIR: three nodes on a private Ceph, in a minute.

A table made through one node is written and read through the others; one node is killed, maybe while it
builds an index; every row that was acknowledged is there through another, and found by the index; the rest
stops cleanly. Exit code 77: something it needs is not
installed.
"""
import importlib.util
import pathlib
import shutil
import sys
import time

SKIPPED = 77
ROWS = 60
KEYSPACE = ("CREATE KEYSPACE smoke WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1} "
            "AND cosmosdb_provisioned_throughput = 60000")
# While a killed node's lease runs its partitions have no other owner, and its connections are refused at once.
ATTEMPTS = 60
AGAIN_SECONDS = 0.5


def need(condition, words):
    if not condition:
        print(f"skipped: {words}")
        sys.exit(SKIPPED)


def insist(condition, words):
    if not condition:
        sys.exit(f"cluster_smoke: {words}")


def persist(session, statement, values):
    """Its rows. Tried again, as users do: a partition may be between two owners."""
    for attempt in range(ATTEMPTS):
        try:
            return list(session.execute(statement, values))
        except Exception as error:  # the driver's exceptions have no common base
            insist(attempt + 1 < ATTEMPTS, f"{statement} {values} fails again and again: {error}")
            time.sleep(AGAIN_SECONDS)


def write(session, numbers):
    for number in numbers:
        persist(session, "INSERT INTO smoke.t (k, v) VALUES (%s, %s)", (number, f"value {number}"))


def expect_rows(session, numbers):
    for number in numbers:
        found = persist(session, "SELECT v FROM smoke.t WHERE k = %s", (number,))
        insist(found == [(f"value {number}",)], f"row {number} was acknowledged and is now {found}")


def expect_found_by_value(session, numbers):
    for number in numbers:
        found = persist(session, "SELECT k FROM smoke.t WHERE v = %s", (f"value {number}",))
        insist(found == [(number,)], f"the index knows of row {number}: {found}")


def test(deployment):
    import cql
    deployment.start()
    connections = [cql.connect(node) for node in deployment.nodes]
    first, second, third = (session for _, session in connections)
    first.execute(KEYSPACE)
    first.execute("CREATE TABLE smoke.t (k int PRIMARY KEY, v text)")
    write(second, range(ROWS))
    expect_rows(third, range(ROWS))

    first.execute("CREATE INDEX ON smoke.t (v)")
    deployment.nodes[0].kill()
    # These wait for the partitions that the killed node had.
    write(second, range(ROWS, 2 * ROWS))
    expect_rows(third, range(2 * ROWS))
    expect_found_by_value(third, range(2 * ROWS))

    deployment.nodes[0].start()
    deployment.nodes[0].wait_ready()
    cluster, again = cql.connect(deployment.nodes[0])
    expect_rows(again, range(2 * ROWS))
    for connection in [cluster, *(each for each, _ in connections)]:
        connection.shutdown()
    for node in deployment.nodes:
        code = node.stop()
        insist(code == 0, f"{node.name} was asked to stop and ended with {code}:\n{node.last_words()}")
    print(f"{2 * ROWS} acknowledged rows, all there")


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    need(importlib.util.find_spec("cassandra"), "no python3-cassandra (tools/bootstrap installs it)")
    from deployment import Deployment
    from ceph_dev import packages
    need(not packages.missing(), f"not installed: {' '.join(packages.missing())} (tools/ceph install)")
    root = pathlib.Path(sys.argv[2])
    shutil.rmtree(root, ignore_errors=True)
    deployment = Deployment(root, sys.argv[1])
    try:
        test(deployment)
    finally:
        deployment.destroy()


if __name__ == "__main__":
    main()
