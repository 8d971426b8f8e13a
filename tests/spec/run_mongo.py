#!/usr/bin/env python3
"""Runs the spec files of the MongoDB API against a server; README.md has their format."""
import argparse
import contextlib
import importlib.util
import sys

if importlib.util.find_spec("bson") is None:
    print("skipped: no Python bson on this machine; tools/bootstrap installs it")
    sys.exit(77)

from bson.son import SON

import spec_file
import spec_runner
from mongo_client import Client, CommandError
from mongo_values import dumps, loads, matches
from spec_runner import Mismatch

TARGETS = ("orrery", "mongod")
DATABASE = "spec"
COLLECTION = "c"
DIALECT = spec_file.Dialect(
    directives=("documents", "find", "aggregate", "update", "command", "error"),
    flags=("unordered", "eventually"),
    settings=("in", "db"))


class Runner(spec_runner.Runner):
    """Runs files one after another, each with an empty database to begin with."""

    def __init__(self, client, target):
        super().__init__(target, DIALECT)
        self.client = client
        self.documents = {}

    def start(self):
        self.documents = {}
        self._clean()

    def finish(self):
        with contextlib.suppress(Exception):
            self._clean()
        self.client.close()

    def _clean(self):
        for database in self.client.run("admin", SON([("listDatabases", 1), ("nameOnly", True)]))["databases"]:
            if database["name"].startswith(DATABASE):
                self.client.run(database["name"], SON([("dropDatabase", 1)]))

    # What a case asks, as the lines that its file has below the separator.
    def answer(self, case):
        return getattr(self, "_" + case.directive)(case)

    def _documents(self, case):
        name = case.settings.get("in", COLLECTION)
        self.documents[name] = [loads(line) for line in case.statement.splitlines()]
        self._fill(name)
        return None

    def _fill(self, name):
        self.client.ask(DATABASE, SON([("delete", name), ("deletes", [{"q": {}, "limit": 0}])]))
        self.client.run(DATABASE, SON([("insert", name), ("documents", self.documents[name])]))

    def _rows(self, case, command):
        rows = [dumps(row) for row in self.client.read(DATABASE, command)]
        return sorted(rows) if "unordered" in case.flags else rows

    def _find(self, case):
        arguments = loads(case.statement)
        return self._rows(case, SON([("find", case.settings.get("in", COLLECTION)), *arguments.items()]))

    def _aggregate(self, case):
        pipeline = loads(case.statement)
        return self._rows(case, SON([("aggregate", case.settings.get("in", COLLECTION)), ("pipeline", pipeline), ("cursor", SON())]))

    def _update(self, case):
        """A statement of an update on the documents as they were, its reply and what it left."""
        self._fill(COLLECTION)
        reply = self.client.ask(DATABASE, SON([("update", COLLECTION), ("updates", [loads(case.statement)])]))
        if not reply.get("ok"):
            raise CommandError(reply)
        shown = SON((name, reply[name]) for name in ("n", "nModified", "upserted") if name in reply)
        if "writeErrors" in reply:
            shown["code"] = reply["writeErrors"][0]["code"]
        rows = self.client.read(DATABASE, SON([("find", COLLECTION), ("sort", SON([("_id", 1)]))]))
        return [dumps(shown), *map(dumps, rows)]

    def _command(self, case):
        return [dumps(self.client.ask(case.settings.get("db", DATABASE), loads(case.statement)))]

    def _error(self, case):
        reply = self.client.ask(case.settings.get("db", DATABASE), loads(case.statement))
        failed = CommandError(reply)
        return [str(failed.code), failed.message]

    # One case.
    def try_case(self, case):
        try:
            got = self.answer(case)
        except CommandError as error:
            raise Mismatch(case.expected or [], [f"error {error}"]) from None
        if case.directive == "documents":
            return
        expected = case.expected or []
        if case.directive == "error":
            same = got[0] == case.kind and all(line in got[1] for line in expected)
        elif case.directive == "command":
            same = len(expected) == 1 and matches(loads(expected[0]), loads(got[0]))
        else:
            same = [dumps(loads(line)) for line in expected] == got
        if not same:
            raise Mismatch([case.kind, *expected] if case.directive == "error" else expected, got)


def fill(runner, path):
    """Writes what a server answers into a file: for new cases, against the genuine one."""
    file = spec_file.SpecFile(path, DIALECT)
    runner.start()
    answers = {}
    for case in file.cases:
        head = file.lines[case.line - 1]
        if case.directive == "documents" or (case.directive == "command" and case.expected is not None):
            runner.answer(case)
            continue
        try:
            got = runner.answer(case)
        except CommandError as error:
            print(f"{case.where()}: {error}")
            continue
        if case.directive == "error":
            flags = head.split()[2:]
            head, got = " ".join(["error", got[0], *flags]), [got[1].rpartition(" :: caused by :: ")[2]]
        answers[case.line] = (head, got)
    file.fill(answers)


@contextlib.contextmanager
def server(options):
    """The port of the server that the options name, or of one of our own."""
    if options.port:
        yield options.port
        return
    with spec_runner.own_server(options.binary, "--durability", "os", "--table-port", "0", "--mongo-port", "any") as started:
        yield started.mongo_port


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, help="a running server; its databases spec* are dropped")
    parser.add_argument("--fill", action="store_true", help="write the answers into the files")
    spec_runner.add_options(parser, TARGETS)
    options = parser.parse_args()
    with server(options) as port:
        runner = Runner(Client(port), options.target)
        for path in spec_runner.paths("mongo", options.files):
            fill(runner, path) if options.fill else runner.run(path)
        runner.finish()
    sys.exit(0 if options.fill else runner.report())


if __name__ == "__main__":
    main()
