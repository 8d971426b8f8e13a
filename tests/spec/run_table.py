#!/usr/bin/env python3
"""Runs the spec files of the Table API against a server; README.md has their format."""
import argparse
import contextlib
import json
import re
import sys

import spec_runner
import spec_file
import sql_values
from spec_runner import Mismatch
from table_client import EMULATOR_KEY, ApiError, Client

TARGETS = ("orrery", "azurite")
DIALECT = spec_file.Dialect(
    directives=("table", "entities", "query", "request", "batch", "error"),
    flags=("unsigned", "keys"),
    settings=("in", "page", "select", "orderby"))
REQUEST = re.compile(r"(GET|HEAD|POST|PUT|PATCH|MERGE|DELETE|OPTIONS|TRACE) (/.*)")
OPERATION = re.compile(r"([A-Z]+) (/\S*)(?: \[(.*?)\])?(?: (\{.*))?")
HEADER = re.compile(r"([A-Za-z][\w-]*): (.*)")


def _head_and_body(lines):
    start = next((at for at, line in enumerate(lines) if not HEADER.fullmatch(line)), len(lines))
    return lines[:start], "\n".join(lines[start:]) or None


def _shown(entity):
    """An entity as files write it: without what differs from run to run."""
    kept = {name: value for name, value in entity.items() if not name.startswith(("odata.", "Timestamp"))}
    return json.dumps(kept, ensure_ascii=False)


class Runner(spec_runner.Runner):
    """Runs files one after another, each without any tables to begin with."""

    def __init__(self, client, target):
        super().__init__(target, DIALECT)
        self.client = client
        self.names = {}
        self.latest = None

    # One file.
    def start(self):
        self.names, self.latest = {}, None
        self._clean()

    def finish(self):
        with contextlib.suppress(Exception):
            self._clean()
        self.client.close()

    def _clean(self):
        for table in self.client.ask("GET", "/Tables").json()["value"]:
            self.client.ask("DELETE", f"/Tables('{table['TableName']}')")

    def _filled(self, text):
        return sql_values.filled(text, self.names)

    def _expected(self, case):
        return [self._filled(line) for line in case.expected or []]

    # One case.
    def try_case(self, case):
        try:
            getattr(self, "_try_" + case.directive)(case)
        except ApiError as error:
            raise Mismatch(self._expected(case) or ["no error"], [str(error)]) from None

    def _try_table(self, case):
        self.latest = case.statement.strip()
        self.client.ask("POST", "/Tables", body=json.dumps({"TableName": self.latest}))

    def _try_entities(self, case):
        for line in self._filled(case.statement).splitlines():
            self.client.ask("POST", f"/{case.settings.get('in', self.latest)}", {"prefer": "return-no-content"}, line)

    def rows(self, case, page=None):
        text = self._filled(case.statement)
        parameters = {"$filter": text} if text != "-" else {}
        if page:
            parameters["$top"] = page
        for name in ("select", "orderby"):
            if name in case.settings:
                parameters["$" + name] = case.settings[name].replace("+", " ")
        pages = self.client.pages(case.settings.get("in", self.latest), parameters)
        found = [entity for answer in pages for entity in answer.json()["value"]]
        if "keys" in case.flags:
            return [f"{entity['PartitionKey']}|{entity['RowKey']}" for entity in found]
        return [_shown(entity) for entity in found]

    def _try_query(self, case):
        for page in case.settings.get("page", "").split(","):
            got = self.rows(case, page)
            if got != self._expected(case):
                raise Mismatch(self._expected(case), [f"(pages of {page or 'any size'})", *got])

    def _request(self, case):
        line, *rest = self._filled(case.statement).splitlines()
        method, target = REQUEST.fullmatch(line).groups()
        head, body = _head_and_body(rest)
        headers = dict(HEADER.fullmatch(line).groups() for line in head)
        return self.client.request(method, target, headers, body, signed="unsigned" not in case.flags)

    def _try_request(self, case):
        answer = self._request(case)
        code, *rest = self._expected(case)
        head, body = _head_and_body(rest)
        same = answer.code == code
        for line in head:
            name, value = HEADER.fullmatch(line).groups()
            came = answer.headers.get(name)
            same = same and (came is None if value == sql_values.ABSENT
                             else came is not None and sql_values.matches_text(value, came, self.names))
        if same and body is not None:
            same = self._is_body(body, answer)
        if not same:
            got = [answer.code, *(f"{n}: {v}" for n, v in answer.headers.items()), answer.body.decode(errors="replace")]
            raise Mismatch([code, *rest], got)

    def _try_batch(self, case):
        """Each line is an operation: method, target, headers in brackets, JSON. Parts of the answer are lines."""
        operations = [OPERATION.fullmatch(line).groups() for line in self._filled(case.statement).splitlines()]
        answer = self.client.batch([(method, target, json.loads("{" + (headers or "") + "}"), body) for method, target, headers, body in operations])
        got = [answer.code] if answer.status != 202 else answer.parts()
        if len(got) != len(self._expected(case)) or not all(map(spec_file.matches, self._expected(case), got)):
            raise Mismatch(self._expected(case), [*got, answer.body.decode(errors="replace")])

    def _is_body(self, body, answer):
        text = answer.body.decode()
        if not body.startswith("{"):
            return all(line in text for line in body.splitlines())
        try:
            came = answer.json()
        except ValueError:
            return False
        return sql_values.matches(json.loads(body), came, self.names, subset=True)

    def _try_error(self, case):
        if REQUEST.fullmatch(case.statement.splitlines()[0]):
            answer = self._request(case)
        else:
            try:
                raise Mismatch([case.kind], ["rows:", *self.rows(case)])
            except ApiError as error:
                answer = error.answer
        expected = self._expected(case)
        if answer.code != case.kind.replace("/", " ") or any(part not in answer.message for part in expected):
            raise Mismatch([case.kind, *expected], [answer.code, answer.message])


@contextlib.contextmanager
def server(options):
    """Endpoint, account and key of the server that the options name, or of one of our own."""
    if options.endpoint:
        yield options.endpoint, "devstoreaccount1", EMULATOR_KEY
        return
    with spec_runner.own_server(options.binary, "--durability", "os") as started:
        yield f"http://127.0.0.1:{started.table_storage_port}/devstoreaccount1", "devstoreaccount1", EMULATOR_KEY


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--endpoint", help="a running server, with devstoreaccount1 in the path; its tables are dropped")
    spec_runner.add_options(parser, TARGETS)
    options = parser.parse_args()
    with server(options) as access:
        runner = Runner(Client(*access), options.target)
        for path in spec_runner.paths("table", options.files):
            runner.run(path)
        runner.finish()
    sys.exit(runner.report())


if __name__ == "__main__":
    main()
