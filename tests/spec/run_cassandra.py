#!/usr/bin/env python3
"""Runs the spec files of the Cassandra API against a server; README.md has their format."""
import argparse
import contextlib
import pathlib
import re
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "system"))

import skipping

skipping.need(cassandra="python3-cassandra")

import cassandra_values
import spec_file
import spec_runner
from cassandra_client import Client, CqlError, DEFAULT_PAGE, PAGES_MAX
from spec_runner import Mismatch

TARGETS = ("orrery", "cassandra-4.1", "cassandra-5.0")
KEYSPACE = "ks"
# What files may make besides the tables of their keyspace; it goes before each file and in the end.
OWN_KEYSPACE = re.compile(r"ks|ks_\w+")
OWN_ROLE = re.compile(r"role_\w+")
FILL_WAIT_S = 2


class Runner(spec_runner.Runner):
    """Runs files one after another, each in a new keyspace."""

    def __init__(self, connect, target):
        super().__init__(target, spec_file.CQL)
        self.connect = connect
        self.clients = {}

    # Clients, by role.
    def client(self, role="cassandra"):
        if role not in self.clients:
            self.clients[role] = self.connect(role, role)
        return self.clients[role]

    def close(self):
        """Logs everybody out; a role that was dropped and made again needs a new login."""
        for client in self.clients.values():
            client.close()
        self.clients = {}

    def finish(self):
        with contextlib.suppress(Exception):
            self._clean()
        self.close()

    def _clean(self):
        client = self.client()
        for (name,) in client.run("SELECT keyspace_name FROM system_schema.keyspaces").rows:
            if OWN_KEYSPACE.fullmatch(name.strip("'")):
                client.run(f'DROP KEYSPACE "{name.strip(chr(39))}"')
        with contextlib.suppress(CqlError):
            for (name, *_) in client.run("LIST ROLES").rows:
                if OWN_ROLE.fullmatch(name.strip("'")):
                    client.run(f"DROP ROLE {name}")

    # One case.
    def answer(self, case):
        """The directive and the lines that the server's answer would be in a file; at every page size the same."""
        sizes = case.settings.get("page", str(DEFAULT_PAGE)).split(",")
        first, *others = [self.answer_paged(case, int(size)) for size in sizes]
        for other in others:
            if other != first:
                raise Mismatch([first[0], *(first[1] or [])], [other[0], *(other[1] or [])])
        return first

    def answer_paged(self, case, page):
        try:
            client = self.client(case.settings.get("as", "cassandra"))
            given = client.run(case.statement, case.bind, page, int(case.settings.get("pages", PAGES_MAX)))
        except CqlError as error:
            return f"error {error.kind}", [" ".join(str(error).split())]
        lines = [f"warning: {warning}" for warning in given.warnings] if "warning" in case.flags else []
        if "charge" in case.flags and given.charge is not None:
            lines.append(f"charge: {given.charge}")
        if given.columns is None:
            return "statement", lines or None
        if "text" in case.flags:
            texts = [cassandra_values.unquoted(row[-1]) for row in given.rows]
            return "query", [line for text in texts for line in text.splitlines()] + lines
        rows = [" | ".join(row) for row in given.rows]
        if "unordered" in case.flags:
            rows.sort()
        return "query", [" | ".join(given.columns), *rows, *lines]

    @staticmethod
    def check(case, directive, lines):
        wanted = f"error {case.kind}" if case.directive == "error" else case.directive
        expected = case.expected or []
        got = lines or []
        if directive != wanted:
            raise Mismatch([wanted, *expected], [directive, *got])
        if case.directive == "error":
            if any(part not in got[0] for part in expected):
                raise Mismatch(expected, got)
        elif len(expected) != len(got) or not all(map(spec_file.matches, expected, got)):
            raise Mismatch(expected, got)

    def try_case(self, case):
        self.check(case, *self.answer(case))

    # One file.
    def start(self):
        self.close()
        self._clean()
        self.client().run(
            f"CREATE KEYSPACE {KEYSPACE} WITH replication = {{'class': 'SimpleStrategy', 'replication_factor': 1}}")
        self.client().run(f"USE {KEYSPACE}")

    def settled_answer(self, case):
        """The answer once views and indexes have had time; one that is still being built fails reads."""
        give_up = time.monotonic() + spec_runner.PATIENCE_S
        while True:
            time.sleep(FILL_WAIT_S)
            answer = self.answer(case)
            if answer[0] != "error read_failure" or time.monotonic() >= give_up:
                return answer

    def fill(self, path):
        """Writes what this server answers into the file, for its author to judge.

        Where a parser gave up is left out: it is the parser's own affair.
        """
        file = spec_file.SpecFile(path)
        answers = {}
        if not self.applies(file.only):
            return
        self.start()
        for case in file.cases:
            if not self.applies(case.only):
                continue
            try:
                directive, lines = self.settled_answer(case) if "eventually" in case.flags else self.answer(case)
            except Exception as failure:
                sys.exit(f"{case.where()}: {case.statement}\n{failure!r}")
            try:
                self.check(case, directive, lines)
                continue
            except Mismatch:
                pass
            options = file.lines[case.line - 1].split(" ")[2 if case.directive == "error" else 1:]
            if directive == "error syntax" and lines[0].startswith("line "):
                lines = None
            answers[case.line] = " ".join([directive, *options]), lines
        file.fill(answers)


@contextlib.contextmanager
def server(options):
    """Where to connect to: the server that the options name, or one of our own."""
    if options.port:
        yield options.host, options.port
        return
    # The second port: there everybody is asked who they are.
    with spec_runner.own_server(options.binary, cassandra_port="0,any") as started:
        yield "127.0.0.1", started.account_port


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, help="a running server; its keyspaces ks and ks_* and roles role_* are dropped")
    parser.add_argument("--protocol", type=int, default=4)
    parser.add_argument("--fill", action="store_true", help="write the server's answers into the files")
    spec_runner.add_options(parser, TARGETS)
    options = parser.parse_args()
    with server(options) as (host, port):
        runner = Runner(lambda user, password: Client(host, port, user, password, options.protocol), options.target)
        for path in spec_runner.paths("cassandra", options.files):
            (runner.fill if options.fill else runner.run)(path)
        runner.finish()
    sys.exit(0 if options.fill else runner.report())


if __name__ == "__main__":
    main()
