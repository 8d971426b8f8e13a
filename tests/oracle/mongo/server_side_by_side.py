#!/usr/bin/env python3
"""Compares whole servers at random: the same commands to Orrery and to a genuine mongod, replies and errors side by side.

Usage: server_side_by_side.py ORRERY_PORT MONGOD_PORT [--commands N] [--seconds N] [--seed N] [--only find,update,...] [--texts]

Both servers must run already and lose the databases side_by_side. Needs Python's bson (Debian's python3-bson or pymongo).
Says how many commands were compared and prints what differs; exits 1 if anything did, 77 without a mongod.
docs/compatibility/mongo-language.md has the differences that are known.
"""
import argparse
import pathlib
import sys
import time

from bson.son import SON

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "spec"))

from generator import Generator
from mongo_client import Client, CommandError
from mongo_values import dumps

DATABASE = "side_by_side"
DOCUMENTS = 7
# Commands on one set of documents before new ones are made.
ROUND = 12
INDEXES = ({"a": 1}, {"b": -1}, {"a.b": 1}, {"a": 1, "b": 1}, {"c": 1, "a": -1}, {"b.a": 1, "c": 1})
UNORDERED = {"$group", "$sortByCount", "$bucket", "$facet", "$setUnion", "$addToSet", "$graphLookup", "$setWindowFields", "$lookup", "$setIntersection"}
# The parts of an error that the versions word differently: a prefix says which phase of the executor met it.
PHASES = (" :: caused by :: ",)


def plain_text(message):
    for phase in PHASES:
        message = message.rpartition(phase)[2]
    return message


class Servers:
    """Both servers; a command goes to one after the other."""

    def __init__(self, ours, theirs):
        self.clients = (Client(ours), Client(theirs))
        self.compared = 0
        self.other = []

    def both(self, action):
        answers = []
        for client in self.clients:
            try:
                answers.append(action(client))
            except CommandError as error:
                answers.append(error)
        self.compared += 1
        return answers

    def prepare(self, documents, other, indexes):
        self.other = other
        for client in self.clients:
            client.ask(DATABASE, SON([("drop", "c")]))
            client.ask(DATABASE, SON([("drop", "other")]))
            client.run(DATABASE, SON([("insert", "c"), ("documents", documents)]))
            client.run(DATABASE, SON([("insert", "other"), ("documents", other)]))
        for key in indexes:
            # Documents that an index refuses are refused by both.
            name = "_".join(f"{field}_{direction}" for field, direction in key.items())
            self.both(lambda client, key=key, name=name: client.run(DATABASE, SON([("createIndexes", "c"), ("indexes", [SON([("key", SON(key)), ("name", name)])])])))


class Trial:
    """Makes one command at random, and says what of its reply counts."""

    def __init__(self, generator):
        self.g = generator

    def find(self):
        g = self.g
        command = SON([("find", "c"), ("filter", g.filter())])
        command["sort"] = g.sort() if g.chance(0.4) else SON([("_id", g.pick(1, 1, -1))])
        if g.chance(0.4):
            command["projection"] = g.projection()
        if g.chance(0.2):
            command["limit"] = g.pick(1, 2, 4)
        if g.chance(0.2):
            command["skip"] = g.pick(1, 3)
        return command, lambda client: client.read(DATABASE, command)

    def aggregate(self):
        if self.g.chance(0.2):
            pipeline, first = self.g.grouping_pipeline(), []
        else:
            pipeline, first = self.g.pipeline(), [{"$sort": {"_id": 1}}]
        command = SON([("aggregate", "c"), ("pipeline", first + pipeline), ("cursor", {})])
        text = str(pipeline)
        is_unordered = any(f"'{word}'" in text for word in UNORDERED)

        def run(client):
            rows = client.read(DATABASE, command)
            return sorted(map(canonical, rows)) if is_unordered else rows
        return command, run

    def update(self):
        g = self.g
        update = g.update_pipeline() if g.chance(0.12) else g.update() if g.chance(0.9) else g.document(g.pick(1, 2))
        query = g.filter() if g.chance(0.4) else SON([("_id", g.r.randrange(DOCUMENTS))])
        multi = g.chance(0.3)
        if not multi and "_id" not in query:
            query = SON([("_id", g.r.randrange(DOCUMENTS)), *query.items()])
        statement = SON([("q", query), ("u", update), ("multi", multi)])
        if g.chance(0.15):
            statement["upsert"] = True
        if "$[e]" in str(update) and g.chance(0.8):
            statement["arrayFilters"] = [g.pick({"e": {"$gt": 0}}, {"e.a": 1}, {"e": g.scalar()}, {"e": g.operators(1)})]
        return self._changes(SON([("update", "c"), ("updates", [statement])]))

    def find_and_modify(self):
        g = self.g
        command = SON([("findAndModify", "c"), ("query", g.filter()), ("sort", g.sort())])
        if g.chance(0.3):
            command["remove"] = True
        else:
            command["update"] = g.update_pipeline() if g.chance(0.1) else g.update()
            command["new"] = g.chance(0.5)
        if g.chance(0.3):
            command["fields"] = SON([(g.top(), g.pick(0, 1))])
        return self._changes(command)

    def delete(self):
        g = self.g
        return self._changes(SON([("delete", "c"), ("deletes", [SON([("q", g.filter()), ("limit", 0)])])]))

    def count(self):
        command = SON([("count", "c"), ("query", self.g.filter())])
        return command, lambda client: client.run(DATABASE, command)["n"]

    def distinct(self):
        command = SON([("distinct", "c"), ("key", self.g.top()), ("query", self.g.filter() if self.g.chance(0.3) else {})])
        # mongod counts missing fields as null where an index on the key answers, and only there.
        return command, lambda client: sorted(canonical(value) for value in client.run(DATABASE, command)["values"] if value is not None)

    def _changes(self, command):
        """A command that writes: its reply, and all documents behind it. The next command finds them so."""
        is_multi = any(statement.get("multi") for statement in command.get("updates", []))

        def run(client):
            reply = client.ask(DATABASE, command)
            failed = None if reply.get("ok") and "writeErrors" not in reply else CommandError(reply)
            for entry in reply.get("writeErrors", []):
                entry.pop("errInfo", None)
            after = client.read(DATABASE, SON([("find", "c"), ("sort", SON([("_id", 1)]))]))
            after = [row for row in after if isinstance(row["_id"], int)] + [SON([*row.items()][1:]) for row in after if not isinstance(row["_id"], int)]
            if failed is not None:
                # In which order an update of many documents met the one that failed is the server's affair.
                failed.after = [] if is_multi else after
                raise failed
            for upserted in reply.get("upserted", []):
                upserted.pop("_id", None)
            reply.get("lastErrorObject", {}).pop("upserted", None)
            return [reply, *after]
        return command, run


def canonical(value):
    """A text that is the same for values of the same types and numbers."""
    return dumps(value)


def differs(ours, theirs, with_texts):
    if isinstance(ours, CommandError) != isinstance(theirs, CommandError):
        return True
    if isinstance(ours, CommandError):
        if ours.code != theirs.code or canonical(getattr(ours, "after", 0)) != canonical(getattr(theirs, "after", 0)):
            return True
        return with_texts and plain_text(ours.message) != plain_text(theirs.message)
    return canonical(ours) != canonical(theirs)


def shrunk(servers, run, documents, answers, with_texts):
    """The first document that suffices for a difference, and its answers; all documents if none does."""
    for document in documents:
        servers.prepare([document], servers.other, [])
        alone = servers.both(run)
        if differs(*alone, with_texts):
            return [document], *alone
    return documents, *answers


KINDS = {"find": 34, "aggregate": 34, "update": 16, "find_and_modify": 6, "delete": 2, "count": 4, "distinct": 4}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ours", type=int)
    parser.add_argument("theirs", type=int)
    parser.add_argument("--commands", type=int, default=2000)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="ends sooner, if that takes longer")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="kinds of commands, separated by commas")
    parser.add_argument("--texts", action="store_true", help="texts of errors must be the same, too")
    options = parser.parse_args()
    try:
        Client(options.theirs).close()
    except OSError as error:
        print(f"skipped: no mongod at port {options.theirs}: {error}")
        return 77
    servers = Servers(options.ours, options.theirs)
    generator = Generator(options.seed)
    trial = Trial(generator)
    kinds = options.only.split(",") if options.only else list(KINDS)
    differences = 0
    end = time.monotonic() + options.seconds
    while servers.compared < options.commands and time.monotonic() < end:
        documents = [generator.document(i) for i in range(DOCUMENTS)]
        servers.prepare(documents, [generator.document(i) for i in range(4)], generator.r.sample(INDEXES, generator.pick(0, 0, 1, 2)))
        for _ in range(ROUND):
            kind = generator.r.choices(kinds, [KINDS[kind] for kind in kinds])[0]
            command, run = getattr(trial, kind)()
            ours, theirs = servers.both(run)
            if differs(ours, theirs, options.texts):
                differences += 1
                fewer, ours, theirs = shrunk(servers, run, documents, (ours, theirs), options.texts)
                print(f"--- {kind} {dumps(command)}\n  documents {dumps(fewer)}\n  ours   {shown(ours)}\n  theirs {shown(theirs)}", flush=True)
                if fewer != documents:
                    break
            if kind in ("update", "find_and_modify", "delete"):
                documents = theirs.after if isinstance(theirs, CommandError) else theirs[1:]
                if differs(ours, theirs, False) or not documents or any("_id" not in document for document in documents):
                    break
    print(f"{servers.compared} commands, {differences} differences")
    return 1 if differences else 0


def shown(answer):
    return f"error {answer}" if isinstance(answer, CommandError) else dumps(answer)


if __name__ == "__main__":
    sys.exit(main())
