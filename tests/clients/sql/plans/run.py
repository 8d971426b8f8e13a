#!/usr/bin/env python3
"""run.py CLIENT BINARY BUILD_FOLDER [spec file ...]: queries by way of their plans, as official clients execute them.

Every query of tests/spec/sql is asked twice, over containers of several partitions: of the server, which merges the
rows of all partitions itself, and of CLIENT (node, python, java), which asks for the plan, sends what the plan says to
each partition and merges the rows (go: which has the server merge, page by page). The answers must be the same, in any order where the query has no ORDER BY.

What CLIENT needs is fetched into BUILD_FOLDER the first time. Exit code 77: it cannot be had here; with CI=true that
is a failure."""
import collections
import contextlib
import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
TESTS = HERE.parents[2]
sys.path[:0] = [str(TESTS / "spec"), str(TESTS / "clients/jvm")]

import clients
import run_sql
import spec_file
import spec_runner
import sql_values
from maven import NotAvailable, skip
from spec_runner import Mismatch
from sql_client import Client

# Of each container: enough for several partitions, and for no query to wait for its budget.
THROUGHPUT = "40000"
PARTITIONS_MIN = 3
# Of all files; fewer say that something keeps queries from being compared at all.
COMPARED_MIN = 700

# Takes the server's whole answer where there is one: it is asked of a server that wants its clients to merge.
NEEDS_MERGE = {"python"}
# Takes a page whose only row is an array for the rows: of arrays only the values are compared.
OPENS_ARRAYS = {"java"}
# @azure/cosmos that is told to take the plan asks every range of it for the same partition key.
NOT_BY_KEY = {"node"}

ORDERED = re.compile(r"\bORDER\s+BY\b", re.IGNORECASE)
PLACEHOLDER = re.compile(r"<any|<-?[\d.]+\.\.|<absent>")
# Queries that have no plan, for this client or for any: the server says so instead of giving a wrong one.
WITHOUT_PLAN = re.compile(r"cannot be executed partition by partition by a client|Compositions of aggregates|"
                          r"unsupported features")
# What clients say of rows that they do not merge: values of several types in order, null among them; vectors without
# TOP; rankings of anything but objects; aggregates beside names.
CLIENT_REFUSES = re.compile(r"order-by queries on mixed types|unrecognizable type|Tried to compare an object type|"
                            r"Expected \w+, but got \w+|without TOP or LIMIT|componentScores must exist|"
                            r"only supports 'VALUE <AggregateFunc>'|NullPointerException|does not have an 'payload' field")
# Two servers do not have the same.
SYSTEM = re.compile(r"\b_(rid|self|etag|ts)\b")


# Answers that are the client's own, whoever makes the plan. All of them leave a partition whose sum is undefined out of
# the sum, and have documents of equal distance in an order of their own.
_ALL = {
    "SELECT VALUE SUM(c.m) FROM c", "SELECT VALUE AVG(c.m) FROM c", "SELECT SUM(c.m) AS s FROM c",
    """SELECT TOP 3 VALUE c.id FROM c WHERE c.n = 1 AND c.pk != "c" ORDER BY VectorDistance(c.v, [1, 2], false, """
    """{'distanceFunction': 'dotproduct'})""",
    """SELECT TOP 3 VALUE c.id FROM c WHERE c.n = 1 AND c.pk != "c" ORDER BY VectorDistance(c.v, [1, 2], false, """
    """{'distanceFunction': 'euclidean'})""",
    # And documents without a vector before all others, where the least distance comes first.
    """SELECT TOP 3 VALUE c.id FROM c ORDER BY VectorDistance(c.o.w, [0, 0], false, {'distanceFunction': 'euclidean'})""",
}
KNOWN = {
    # Loses null, false and "" among distinct values.
    "node": _ALL | {"SELECT DISTINCT VALUE c.v FROM c", "SELECT DISTINCT VALUE IS_DEFINED(c.o) FROM c",
                    "SELECT DISTINCT VALUE c.s FROM c"},
    # So does this one, takes true for 1, and has null behind true.
    "python": _ALL | {"SELECT DISTINCT VALUE c.v FROM c", "SELECT DISTINCT c.v FROM c", "SELECT VALUE MIN(c.mixed) FROM c"},
    # Loses null in rows of groups, and takes values of arrays for rows.
    "java": _ALL | {"SELECT DISTINCT VALUE c.l FROM c", "SELECT c.city FROM c GROUP BY c.city", "SELECT c.city, COUNT(1) AS n FROM c GROUP BY c.city"},
    "go": set(),
}

# @azure/cosmos 4.9 never ends where it orders documents without a vector, whose distance is undefined, among others.
FILES_LEFT_OUT = {"node": {"vectors"}}


def canonical(row):
    """A row as text, without what two servers need not have in common. Numbers are doubles, as they are to clients."""
    def plain(value):
        if isinstance(value, bool) or not isinstance(value, (int, float, list, dict)):
            return value
        if isinstance(value, list):
            return [plain(each) for each in value]
        if isinstance(value, dict):
            return {name: plain(each) for name, each in sorted(value.items()) if name not in sql_values.SYSTEM_PROPERTIES}
        return float(value)

    return json.dumps(plain(row), sort_keys=True)


def values(rows):
    """Rows with each array replaced by what it holds."""
    return [value for row in rows for value in (values(row) if isinstance(row, list) else [row])]


class Runner(run_sql.Runner):
    """Runs files, on two servers at once where `planned`, which the client asks, is another than `whole`."""

    def __init__(self, whole, planned, worker, name):
        super().__init__(whole, "orrery")
        self.mirror = run_sql.Runner(planned, "orrery") if planned is not whole else None
        self.worker = worker
        self.by_key = name not in NOT_BY_KEY
        self.opens_arrays = name in OPENS_ARRAYS
        self.known = KNOWN[name]
        self.left_out = FILES_LEFT_OUT.get(name, set())
        self.without_plan = collections.Counter()
        self.compared = 0

    def start(self):
        super().start()
        if self.mirror is not None:
            self.mirror.start()

    def finish(self):
        super().finish()
        if self.mirror is not None:
            self.mirror.finish()

    def run(self, path):
        queries = [case for case in spec_file.SpecFile(path, self.dialect).cases if case.directive == "query"]
        if queries and path.stem not in self.left_out:
            super().run(path)

    def try_case(self, case):
        if case.directive == "container" and not case.settings and "partitionKey" in case.statement:
            case.settings["throughput"] = THROUGHPUT
        if case.directive in ("container", "documents"):
            super().try_case(case)
            if self.mirror is not None:
                self.mirror.try_case(case)
        elif case.directive == "request":
            # For what it changes; whether the answer is right is run_sql.py's to say. KeyError: it needs a value of an
            # answer before it that was another one over several partitions.
            with contextlib.suppress(Mismatch, KeyError):
                super().try_case(case)
            with contextlib.suppress(Mismatch, KeyError):
                if self.mirror is not None:
                    self.mirror.try_case(case)
        elif case.directive == "query" and self._is_comparable(case):
            self._compare(case)

    def _is_comparable(self, case):
        # Each client has a way of its own to name a key that is not there.
        if "key" in case.settings and (not self.by_key or "{}" in case.settings["key"]):
            return False
        if case.statement in self.known:
            return False
        return self.mirror is None or SYSTEM.search(case.statement) is None

    def _compare(self, case):
        for page in map(int, case.settings.get("page", "-1").split(",")):
            expected = self._rows(case, page)
            answer = self.worker.ask({
                "file": case.path.name, "container": self._container(case), "query": self._filled(case.statement), "page": page,
                "parameters": json.loads(self._filled(case.bind)) if case.bind else {},
                "key": json.loads(case.settings["key"]) if "key" in case.settings else None})
            if "error" in answer:
                found = WITHOUT_PLAN.search(answer["error"]) or CLIENT_REFUSES.search(answer["error"])
                if found is None:
                    raise Mismatch(list(map(canonical, expected)), [f"(pages of {page}) error:", answer["error"]])
                self.without_plan[found.group()] += 1
                continue
            self.compared += 1
            if not self._same(case, expected, answer["rows"]):
                raise Mismatch(list(map(canonical, expected)),
                               [f"(pages of {page})", *map(canonical, answer["rows"])])

    def _same(self, case, expected, got):
        unordered = "unordered" in case.flags or ORDERED.search(case.statement) is None
        if self.opens_arrays and any(isinstance(row, list) for row in expected):
            if any(PLACEHOLDER.search(line) for line in case.expected):
                return len(values(expected)) == len(values(got))
            expected, got = values(expected), values(got)
        if any(PLACEHOLDER.search(line) for line in case.expected):
            # Not the same each time.
            return sql_values.matches_rows(list(map(json.loads, self._expected(case))), got, self.names, unordered)
        ours, theirs = list(map(canonical, expected)), list(map(canonical, got))
        return sorted(ours) == sorted(theirs) if unordered else ours == theirs


def check_partitions(client):
    """The comparison says nothing unless rows come of several partitions."""
    client.ask("POST", "/dbs", body=json.dumps({"id": "db_partitions"}))
    client.ask("POST", "/dbs/db_partitions/colls", {"x-ms-offer-throughput": THROUGHPUT}, json.dumps(
        {"id": "c", "partitionKey": {"paths": ["/pk"], "kind": "Hash", "version": 2}}))
    ranges = client.ask("GET", "/dbs/db_partitions/colls/c/pkranges")["PartitionKeyRanges"]
    client.ask("DELETE", "/dbs/db_partitions")
    if len(ranges) < PARTITIONS_MIN:
        sys.exit(f"containers have {len(ranges)} partitions, not {PARTITIONS_MIN}")


def main():
    if len(sys.argv) < 4 or sys.argv[1] not in clients.CLIENTS:
        sys.exit(__doc__)
    name, binary, folder, *names = sys.argv[1:]
    try:
        command = clients.CLIENTS[name](pathlib.Path(folder).resolve())
    except NotAvailable as reason:
        skip(str(reason))
    with contextlib.ExitStack() as stack:
        whole = planned = stack.enter_context(spec_runner.own_server(binary))
        if name in NEEDS_MERGE:
            planned = stack.enter_context(spec_runner.own_server(binary, "--sql-merge", "client"))
        worker = stack.enter_context(clients.Worker([*command, planned.url, planned.key, run_sql.DATABASE]))
        client = Client(whole.url, whole.key)
        runner = Runner(client, client if planned is whole else Client(planned.url, planned.key), worker, name)
        check_partitions(client)
        for path in spec_runner.paths("sql", names):
            runner.run(path)
        runner.finish()
    code = runner.report()
    print(f"{runner.compared} answers compared; not by a plan: {dict(runner.without_plan)}")
    if not names and runner.compared < COMPARED_MIN:
        sys.exit(f"fewer than {COMPARED_MIN} answers were compared")
    sys.exit(code)


if __name__ == "__main__":
    main()
