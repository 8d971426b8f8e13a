#!/usr/bin/env python3
"""Runs the spec files of the SQL API against a server; README.md has their format."""
import argparse
import contextlib
import json
import re
import sys

import spec_file
import spec_runner
import sql_values
from spec_runner import Mismatch
from sql_client import ApiError, Client, partition_key_of

TARGETS = ("orrery", "azure", "emulator")
DATABASE = "db"
# What files may make besides the containers of their database; it goes before each file and in the end.
OWN_DATABASE = re.compile(r"db|db_\w+")
DIALECT = spec_file.Dialect(
    directives=("container", "documents", "query", "plan", "request", "error"),
    flags=("unordered", "eventually", "text", "rid", "unsigned", "plan"),
    settings=("in", "key", "page", "throughput", "autoscale"))
REQUEST = re.compile(r"(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) (/.*)")
HEADER = re.compile(r"([A-Za-z][\w-]*): (.*)")
PLAN_HEADERS = {
    "content-type": "application/query+json",
    "x-ms-cosmos-is-query-plan-request": "True",
    "x-ms-documentdb-query-enablecrosspartition": "true",
    "x-ms-cosmos-query-version": "1.4",
    "x-ms-cosmos-supported-query-features":
        "NonValueAggregate,Aggregate,Distinct,MultipleOrderBy,OffsetAndLimit,OrderBy,Top,CompositeAggregate,GroupBy,"
        "MultipleAggregates,NonStreamingOrderBy,ListAndSetAggregate,CountIf,HybridSearch,WeightedRankFusion,"
        "HybridSearchSkipOrderByRewrite",
}


def _head_and_json(lines):
    """The lines before the first that is JSON, and that JSON, which may take several lines."""
    start = next((at for at, line in enumerate(lines) if not HEADER.fullmatch(line)), len(lines))
    return lines[:start], "\n".join(lines[start:]) or None


class Runner(spec_runner.Runner):
    """Runs files one after another, each in a new database."""

    def __init__(self, client, target):
        super().__init__(target, DIALECT)
        self.client = client
        self.names = {}
        self.paths = {}  # of a container's partition key
        self.latest = None

    # One file.
    def start(self):
        self.names, self.paths, self.latest = {}, {}, None
        self._clean()
        self.client.ask("POST", "/dbs", body=json.dumps({"id": DATABASE}))

    def finish(self):
        with contextlib.suppress(Exception):
            self._clean()
        self.client.close()

    def _clean(self):
        for database in self.client.ask("GET", "/dbs")["Databases"]:
            if OWN_DATABASE.fullmatch(database["id"]):
                self.client.ask("DELETE", f"/dbs/{database['id']}")

    # What cases name.
    def _container(self, case):
        return case.settings.get("in", self.latest)

    def _documents_path(self, case):
        return f"/dbs/{DATABASE}/colls/{self._container(case)}/docs"

    def _filled(self, text):
        return sql_values.filled(text, self.names)

    def _expected(self, case):
        return [self._filled(line) for line in case.expected or []]

    # One case.
    def try_case(self, case):
        try:
            getattr(self, "_try_" + case.directive)(case)
        except ApiError as error:
            expected = ["no error"] if case.directive in ("container", "documents") else self._expected(case)
            raise Mismatch(expected, [str(error)]) from None

    def _try_container(self, case):
        headers = {}
        if "throughput" in case.settings:
            headers["x-ms-offer-throughput"] = case.settings["throughput"]
        if "autoscale" in case.settings:
            headers["x-ms-cosmos-offer-autopilot-settings"] = json.dumps({"maxThroughput": int(case.settings["autoscale"])})
        text = self._filled(case.statement)
        body = json.loads(text)
        self.client.ask("POST", f"/dbs/{DATABASE}/colls", headers, text)
        self.latest = body["id"]
        self.paths[self.latest] = body.get("partitionKey", {}).get("paths", [])

    def _try_documents(self, case):
        paths = self.paths[self._container(case)]
        for line in self._filled(case.statement).splitlines():
            key = partition_key_of(json.loads(line), paths)
            headers = {"x-ms-documentdb-partitionkey": json.dumps(key)} if paths else {}
            self.client.ask("POST", self._documents_path(case), headers, line)

    def _rows(self, case, page):
        parameters = json.loads(self._filled(case.bind)) if case.bind else None
        key = json.loads(case.settings["key"]) if "key" in case.settings else None
        text = self._filled(case.statement)
        pages = self.client.pages(self._documents_path(case), text, parameters, key, page)
        return [row for answer in pages for row in answer.json()["Documents"]]

    def _try_query(self, case):
        expected = self._expected(case)
        unordered = "unordered" in case.flags
        for page in case.settings.get("page", "-1").split(","):
            got = self._rows(case, int(page))
            shown = [sql_values.as_text(row) for row in got]
            if "text" in case.flags:
                same = shown == expected
            else:
                same = sql_values.matches_rows(list(map(json.loads, expected)), got, self.names, unordered)
            if not same:
                raise Mismatch(expected, [f"(pages of {page})", *shown])

    def _plan(self, case):
        body = {"query": self._filled(case.statement), "parameters": []}
        if case.bind:
            body["parameters"] = [{"name": n, "value": v} for n, v in json.loads(case.bind).items()]
        return self.client.request("POST", self._documents_path(case), PLAN_HEADERS, json.dumps(body))

    def _try_plan(self, case):
        answer = self._plan(case)
        expected = "\n".join(self._expected(case))
        if answer.status != 200 or not sql_values.matches(json.loads(expected), answer.json(), self.names, subset=True):
            raise Mismatch([expected], [answer.code, answer.body.decode()])

    def _request(self, case):
        line, *rest = self._filled(case.statement).splitlines()
        method, path = REQUEST.fullmatch(line).groups()
        head, body = _head_and_json(rest)
        headers = dict(HEADER.fullmatch(line).groups() for line in head)
        return self.client.request(method, path, headers, body, by_rid="rid" in case.flags, signed="unsigned" not in case.flags)

    def _try_request(self, case):
        answer = self._request(case)
        code, *rest = self._expected(case)
        head, body = _head_and_json(rest)
        got = [answer.code, *(f"{n}: {v}" for n, v in answer.headers.items()), answer.body.decode(errors="replace")]
        same = answer.code == code
        for line in head:
            name, value = HEADER.fullmatch(line).groups()
            came = answer.headers.get(name)
            same = same and (came is None if value == sql_values.ABSENT
                             else came is not None and sql_values.matches_text(value, came, self.names))
        if same and body is not None:
            same = self._is_json(body, answer)
        if not same:
            raise Mismatch([code, *rest], got)

    def _is_json(self, body, answer):
        try:
            came = answer.json()
        except ValueError:
            return False
        return sql_values.matches(json.loads(body), came, self.names, subset=True)

    def _try_error(self, case):
        if REQUEST.fullmatch(case.statement.splitlines()[0]):
            answer = self._request(case)
        elif "plan" in case.flags:
            answer = self._plan(case)
        else:
            try:
                rows = self._rows(case, int(case.settings.get("page", "-1")))
            except ApiError as error:
                answer = error.answer
            else:
                raise Mismatch([case.kind, *self._expected(case)], ["rows:", *map(sql_values.as_text, rows)])
        expected = self._expected(case)
        if answer.code != case.kind or any(part not in answer.message for part in expected):
            raise Mismatch([case.kind, *expected], [answer.code, answer.message])


@contextlib.contextmanager
def server(options):
    """Endpoint and key of the server that the options name, or of one of our own."""
    if options.endpoint:
        yield options.endpoint, options.key
        return
    # With the default of 400 RU/s files would wait for their budget.
    with spec_runner.own_server(options.binary, "--sql-default-throughput", "10000") as started:
        yield started.url, started.key


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--endpoint", help="a running server; its databases db and db_* are dropped")
    parser.add_argument("--key", default=spec_runner.harness.WELL_KNOWN_KEY)
    spec_runner.add_options(parser, TARGETS)
    options = parser.parse_args()
    with server(options) as (endpoint, key):
        runner = Runner(Client(endpoint, key), options.target)
        for path in spec_runner.paths("sql", options.files):
            runner.run(path)
        runner.finish()
    sys.exit(runner.report())


if __name__ == "__main__":
    main()
