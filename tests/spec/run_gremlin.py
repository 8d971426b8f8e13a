#!/usr/bin/env python3
"""Runs the spec files of the Gremlin API against a server; README.md has their format."""
import argparse
import contextlib
import re
import sys

import spec_file
import spec_runner
from gremlin_client import Client, GremlinError, shown
from spec_runner import Mismatch

TARGETS = ("orrery", "tinkerpop")
DIALECT = spec_file.Dialect(directives=("graph", "run", "traversal", "error"), flags=("ordered", "count"), settings=())

GRAPHS = {
    "empty": [],
    "modern": [
        "g.addV('person').property(T.id, 1).property('name', 'marko').property('age', 29)",
        "g.addV('person').property(T.id, 2).property('name', 'vadas').property('age', 27)",
        "g.addV('software').property(T.id, 3).property('name', 'lop').property('lang', 'java')",
        "g.addV('person').property(T.id, 4).property('name', 'josh').property('age', 32)",
        "g.addV('software').property(T.id, 5).property('name', 'ripple').property('lang', 'java')",
        "g.addV('person').property(T.id, 6).property('name', 'peter').property('age', 35)",
        "g.V(1).addE('knows').to(__.V(2)).property(T.id, 7).property('weight', 0.5d)",
        "g.V(1).addE('knows').to(__.V(4)).property(T.id, 8).property('weight', 1.0d)",
        "g.V(1).addE('created').to(__.V(3)).property(T.id, 9).property('weight', 0.4d)",
        "g.V(4).addE('created').to(__.V(5)).property(T.id, 10).property('weight', 1.0d)",
        "g.V(4).addE('created').to(__.V(3)).property(T.id, 11).property('weight', 0.4d)",
        "g.V(6).addE('created').to(__.V(3)).property(T.id, 12).property('weight', 0.2d)",
    ],
}


def _shared_part(message):
    """What of a message other servers say too: nothing of Java's, nor what follows a colon or a dash."""
    line = (message.splitlines() or [""])[0]
    if any(word in line for word in ("class ", "Failed to interpret", "GraphStep")):
        return None
    return [re.split(r" - |: |, encountered|[.]$", line)[0].removesuffix(" in onCreate")] if line else None


class Runner(spec_runner.Runner):
    """Runs files one after another; each says which graph it begins with."""

    def __init__(self, client, target):
        super().__init__(target, DIALECT)
        self.client = client

    def start(self):
        self._load("empty")

    def _load(self, name):
        self.client.ask("g.V().drop().iterate()")
        for line in GRAPHS[name]:
            self.client.ask(line)

    def lines(self, case):
        got = [shown(each) for each in self.client.ask(case.statement)]
        return got if "ordered" in case.flags else sorted(got)

    def try_case(self, case):
        if case.directive == "graph":
            return self._load(case.statement.strip())
        if case.directive == "run":
            for line in case.statement.splitlines():
                self.client.ask(line)
            return None
        try:
            got = self.lines(case)
        except GremlinError as error:
            # Which status an error has differs between servers over HTTP; its text matters where features check it.
            if case.directive == "error" and all(part.lower() in error.message.lower() for part in case.expected or []):
                return None
            raise Mismatch([case.kind, *(case.expected or [])], [str(error)]) from None
        if case.directive == "error":
            raise Mismatch([case.kind, *(case.expected or [])], ["results:", *got])
        expected = case.expected or []
        if "count" in case.flags:
            got = [str(len(got))]
        if len(got) != len(expected) or not all(map(spec_file.matches, expected, got)):
            raise Mismatch(expected, got)
        return None

    def fill(self, path):
        """Writes into a file what this server answers to its traversals."""
        file = spec_file.SpecFile(path, DIALECT)
        answers = {}
        self.start()
        for case in file.cases:
            if case.directive in ("graph", "run"):
                self.try_case(case)
                continue
            flags = "".join(" " + flag for flag in sorted(case.flags))
            try:
                got = self.lines(case)
                answers[case.line] = ("traversal" + flags, [str(len(got))] if "count" in case.flags else got)
            except GremlinError as error:
                answers[case.line] = ("error failed", _shared_part(error.message))
        file.fill(answers)


@contextlib.contextmanager
def server(options):
    """The URL of the server that the options name, or of one of our own."""
    if options.endpoint:
        yield options.endpoint
        return
    with spec_runner.own_server(options.binary, "--durability", "os", "--gremlin-port", "any") as started:
        yield f"http://127.0.0.1:{started.gremlin_port}/gremlin"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--endpoint", help="a running server that takes Gremlin by HTTP; its graph is emptied")
    parser.add_argument("--fill", action="store_true", help="write what the server answers into the files")
    spec_runner.add_options(parser, TARGETS)
    options = parser.parse_args()
    with server(options) as url:
        runner = Runner(Client(url), options.target)
        for path in spec_runner.paths("gremlin", options.files):
            if options.fill:
                runner.fill(path)
            else:
                runner.run(path)
    sys.exit(0 if options.fill else runner.report())


if __name__ == "__main__":
    main()
