#!/usr/bin/env python3
"""Compares whole servers at random: the same commands to Orrery and to a genuine mongod, replies and errors side by side.

Usage: server_side_by_side.py ORRERY_PORT MONGOD_PORT [--commands N] [--seconds N] [--seed N] [--style any|typed|both] [--only find,update,...] [--texts]

Both servers must run already and lose the database side_by_side_SEED. In the style `any` operands have any type; in `typed` mostly those that the operators ask for, some commands
have a collation, and some are malformed. If mongod was started with enableTestCommands=1, a pipeline that differs is asked again without mongod's optimizer: what is the same
then is counted apart and not shown (parts that mongod moves, drops or joins before it runs them, or that its second engine answers in its own way). Needs Python's bson (Debian's python3-bson or pymongo).
Says how many commands were compared and prints what differs; exits 1 if anything did, 77 without a mongod.
docs/compatibility/mongo-language.md has the differences that are known.
"""
import argparse
import collections
import datetime
import pathlib
import sys
import time

from bson import ObjectId
from bson.errors import InvalidBSON
from bson.son import SON
from bson.timestamp import Timestamp

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "spec"))

from typed_generator import FIELDS, TypedGenerator
from mongo_client import Client, CommandError
from mongo_values import dumps

# Each seed has one of its own, so that several runs may go at once.
DATABASE = "side_by_side_"
DOCUMENTS = 7
# Commands on one set of documents before new ones are made.
ROUND = 12
TYPED_INDEXES = ({"n": 1}, {"m": -1}, {"s": 1}, {"d": 1}, {"l": 1}, {"k": -1}, {"p.a": 1}, {"o.a": 1, "n": 1}, {"p.c": 1}, {"v": 1}, {"f": 1, "m": 1}, {"p.a": 1, "p.b": 1}, {"n": 1, "l": -1})
INDEXES = ({"a": 1}, {"b": -1}, {"a.b": 1}, {"a": 1, "b": 1}, {"c": 1, "a": -1}, {"b.a": 1, "c": 1})
UNORDERED = {"$group", "$sortByCount", "$bucket", "$facet", "$setUnion", "$addToSet", "$graphLookup", "$setWindowFields", "$lookup", "$setIntersection", "$sample", "$densify"}
# Stages and operators whose arrays have no order.
UNORDERED_ARRAYS = ("$facet", "$addToSet", "$setUnion", "$setIntersection", "$setDifference", "$graphLookup", "$lookup")
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
            except InvalidBSON:
                # A date that Python has not.
                answers.append("unreadable")
        self.compared += 1
        return answers

    def plain(self, run):
        """mongod's answer without its optimizer and its second engine; None if it has no fail points."""
        points = ("disablePipelineOptimization", "disableMatchExpressionOptimization")
        mongod = self.clients[1]
        if not all(mongod.ask("admin", SON([("configureFailPoint", point), ("mode", "alwaysOn")])).get("ok") for point in points):
            return None
        mongod.ask("admin", SON([("setParameter", 1), ("internalQueryForceClassicEngine", True)]))
        try:
            return run(mongod)
        except CommandError as error:
            return error
        except InvalidBSON:
            return "unreadable"
        finally:
            for point in points:
                mongod.ask("admin", SON([("configureFailPoint", point), ("mode", "off")]))
            mongod.ask("admin", SON([("setParameter", 1), ("internalQueryForceClassicEngine", False)]))

    def prepare(self, documents, other, indexes):
        self.other = other
        for client in self.clients:
            # Not dropped: a mongod that drops thousands of collections runs out of files.
            client.ask(DATABASE, SON([("dropIndexes", "c"), ("index", "*")]))
            for name in ("c", "other"):
                client.ask(DATABASE, SON([("delete", name), ("deletes", [SON([("q", {}), ("limit", 0)])])]))
            client.run(DATABASE, SON([("insert", "c"), ("documents", documents)]))
            client.run(DATABASE, SON([("insert", "other"), ("documents", other)]))
        for key in indexes:
            # Documents that an index refuses are refused by both.
            name = "_".join(f"{field}_{direction}" for field, direction in key.items())
            self.both(lambda client, key=key, name=name: client.run(DATABASE, SON([("createIndexes", "c"), ("indexes", [SON([("key", SON(key)), ("name", name)])])])))


class Trial:
    """Makes one command at random, and says what of its reply counts. `documents` are those that it is about."""

    INDEXES = INDEXES

    def __init__(self, generator):
        self.g = generator

    def documents(self):
        g = self.g
        return [g.document(i) for i in range(DOCUMENTS)], [g.document(i) for i in range(4)]

    # The parts, which a TypedTrial makes in its own way.
    def _filter(self):
        return self.g.filter()

    def _sort(self):
        return self.g.sort()

    def _projection(self):
        return self.g.projection()

    def _update(self):
        g = self.g
        return g.update_pipeline() if g.chance(0.12) else g.update()

    def _replacement(self):
        return self.g.document(self.g.pick(1, 2))

    def _path(self):
        return self.g.top()

    def _array_filters(self):
        g = self.g
        return [g.pick({"e": {"$gt": 0}}, {"e.a": 1}, {"e": g.scalar()}, {"e": g.operators(1)})]

    def _pipeline(self):
        return [{"$sort": {"_id": 1}}, *self.g.pipeline()]

    def _finished(self, command):
        """The command as it is sent: with a collation now and then, or malformed."""
        return command

    # The commands.
    def find(self):
        g = self.g
        command = SON([("find", "c"), ("filter", self._filter())])
        command["sort"] = self._sort() if g.chance(0.4) else SON([("_id", g.pick(1, 1, -1))])
        if g.chance(0.4):
            command["projection"] = self._projection()
        if g.chance(0.2):
            command["limit"] = g.pick(1, 2, 4)
        if g.chance(0.2):
            command["skip"] = g.pick(1, 3)
        return self._rows(self._finished(command))

    def aggregate(self):
        pipeline = self.g.grouping_pipeline() if self.g.chance(0.2) else self._pipeline()
        return self._rows(self._finished(SON([("aggregate", "c"), ("pipeline", pipeline), ("cursor", SON())])))

    def write_stage(self):
        """A pipeline that fills another collection, and what is there then."""
        g = self.g
        last = g.pick(
            lambda: {"$out": "target"},
            lambda: {"$merge": SON([("into", "target"), *g.pick([], [("on", "_id")]), ("whenMatched", g.pick("replace", "keepExisting", "merge", "fail", [{"$set": {"z": g.pick("$$new._id", "$_id")}}])),
                                    ("whenNotMatched", g.pick("insert", "discard", "fail"))])})()
        command = self._finished(SON([("aggregate", "c"), ("pipeline", [*self._pipeline(), last]), ("cursor", SON())]))

        def run(client):
            client.ask(DATABASE, SON([("delete", "target"), ("deletes", [SON([("q", {}), ("limit", 0)])])]))
            client.run(DATABASE, SON([("insert", "target"), ("documents", [SON([("_id", number), ("old", number)]) for number in range(3)])]))
            failed = None
            try:
                client.read(DATABASE, command)
            except CommandError as error:
                failed = error
            after = client.read(DATABASE, SON([("find", "target"), ("sort", SON([("_id", 1)]))]))
            if failed is not None:
                # How much of a batch was written before it failed is the server's affair.
                raise failed
            # Documents without an `_id` get one.
            return sorted(canonical(SON(pair for pair in row.items() if not isinstance(pair[1], ObjectId) or pair[0] != "_id")) for row in after)
        return command, run

    def update(self):
        g = self.g
        query = self._filter() if g.chance(0.4) else SON([("_id", g.r.randrange(DOCUMENTS))])
        multi = g.chance(0.3)
        if not multi and "_id" not in query:
            query = SON([("_id", g.r.randrange(DOCUMENTS)), *query.items()])
        statement = SON([("q", query), ("u", self._update() if g.chance(0.9) else self._replacement()), ("multi", multi)])
        if g.chance(0.15):
            statement["upsert"] = True
        if "$[e]" in str(statement["u"]) and g.chance(0.8):
            statement["arrayFilters"] = self._array_filters()
        return self._changes(self._finished(SON([("update", "c"), ("updates", [statement])])))

    def find_and_modify(self):
        g = self.g
        command = SON([("findAndModify", "c"), ("query", self._filter()), ("sort", self._sort())])
        if g.chance(0.3):
            command["remove"] = True
        else:
            command["update"] = self._update()
            command["new"] = g.chance(0.5)
            if "$[e]" in str(command["update"]):
                command["arrayFilters"] = self._array_filters()
        if g.chance(0.3):
            command["fields"] = SON([(self._path(), g.pick(0, 1))])
        if g.chance(0.1):
            command["upsert"] = True
        return self._changes(self._finished(command))

    def delete(self):
        return self._changes(self._finished(SON([("delete", "c"), ("deletes", [SON([("q", self._filter()), ("limit", 0)])])])))

    def count(self):
        command = SON([("count", "c"), ("query", self._filter())])
        if self.g.chance(0.2):
            command[self.g.pick("limit", "skip")] = self.g.pick(1, 2, 5)
        command = self._finished(command)
        return command, lambda client: client.run(DATABASE, command)["n"]

    def distinct(self):
        command = self._finished(SON([("distinct", "c"), ("key", self._path()), ("query", self._filter() if self.g.chance(0.3) else SON())]))
        # mongod counts missing fields as null where an index on the key answers, and only there.
        # Of equal numbers of several types either may stand for all.
        return command, lambda client: sorted(canonical(float(value) if isinstance(value, int) and not isinstance(value, bool) else value)
                                              for value in client.run(DATABASE, command)["values"] if value is not None)

    def _rows(self, command):
        return command, lambda client: unordered(command, client.read(DATABASE, command))

    def _changes(self, command):
        """A command that writes: its reply, and all documents behind it. The next command finds them so."""
        statements = command.get("updates")
        is_multi = "deletes" in command or isinstance(statements, list) and any(isinstance(statement, dict) and statement.get("multi") for statement in statements)

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
            if isinstance(reply.get("value"), dict) and isinstance(reply["value"].get("_id"), ObjectId):
                del reply["value"]["_id"]
            return [reply, *after]
        return command, run


class TypedTrial(Trial):
    """Commands whose operands mostly have the types that operators ask for."""

    INDEXES = TYPED_INDEXES

    def documents(self):
        g = self.g
        return [g.typed_document(i) for i in range(DOCUMENTS)], [g.typed_document(i) for i in range(5)]

    def _filter(self):
        return self.g.typed_filter()

    def _sort(self):
        return self.g.typed_sort()

    def _projection(self):
        return self.g.typed_projection()

    def _update(self):
        return self.g.typed_update_pipeline() if self.g.chance(0.2) else self.g.typed_update()

    def _replacement(self):
        return self.g.typed_document(self.g.pick(1, 2))

    def _path(self):
        return self.g.pick(*FIELDS, "o.a", "p.a", "p.c", "l.0", "p.0.b")

    def _array_filters(self):
        return self.g.array_filters()

    def _pipeline(self):
        return [{"$sort": {"_id": 1}}, *self.g.typed_pipeline()]

    def _finished(self, command):
        g = self.g
        if g.chance(0.15):
            place = command["updates"][0] if "updates" in command else command["deletes"][0] if "deletes" in command else command
            place["collation"] = g.collation()
        return g.mutated(command) if g.chance(0.15) else command


def canonical(value):
    """A text that is the same for values of the same types and numbers."""
    return dumps(timeless(value))


def timeless(value):
    """The value without times of now, which $currentDate and $$NOW leave."""
    now = time.time()
    if isinstance(value, dict):
        return SON((name, timeless(inner)) for name, inner in value.items())
    if isinstance(value, list):
        return [timeless(inner) for inner in value]
    if isinstance(value, datetime.datetime) and abs(value.timestamp() - now) < 600:
        return "a date of now"
    if isinstance(value, Timestamp) and abs(value.time - now) < 600:
        return "a timestamp of now"
    return value


def unordered(command, rows):
    """The rows in an order of their own where the command leaves it open, in arrays, too."""
    text = str(command)
    if not any(f"'{word}'" in text for word in UNORDERED):
        return rows
    has_arrays = any(f"'{word}'" in text for word in UNORDERED_ARRAYS)

    def arranged(value):
        if isinstance(value, dict):
            return SON((name, arranged(inner)) for name, inner in value.items())
        return sorted(map(arranged, value), key=canonical) if isinstance(value, list) else value
    return sorted(canonical(arranged(row) if has_arrays else row) for row in rows)


def differs(ours, theirs, with_texts):
    if isinstance(ours, CommandError) != isinstance(theirs, CommandError):
        return True
    if isinstance(ours, CommandError):
        if ours.code != theirs.code or canonical(getattr(ours, "after", 0)) != canonical(getattr(theirs, "after", 0)):
            return True
        return with_texts and plain_text(ours.message) != plain_text(theirs.message)
    return canonical(ours) != canonical(theirs)


def kind_of_difference(ours, theirs):
    if isinstance(ours, CommandError) and isinstance(theirs, CommandError):
        if ours.code == theirs.code:
            return "data" if canonical(getattr(ours, "after", 0)) != canonical(getattr(theirs, "after", 0)) else "text"
        return f"code {ours.code} {theirs.code}"
    if isinstance(ours, CommandError):
        return f"refused {ours.code}"
    return f"accepted {theirs.code}" if isinstance(theirs, CommandError) else "data"


def shrunk(servers, run, documents, answers, with_texts):
    """The first document, and what of its fields, suffices for a difference, and its answers; all documents if none does."""
    def still(document):
        servers.prepare([document], servers.other, [])
        alone = servers.both(run)
        servers.compared -= 1
        return alone if differs(*alone, with_texts) else None

    for document in documents:
        alone = still(document)
        if alone is None:
            continue
        kind = kind_of_difference(*alone)
        for name in list(document):
            fewer = SON(pair for pair in document.items() if pair[0] != name)
            if name != "_id" and (found := still(fewer)) is not None and kind_of_difference(*found) == kind:
                document, alone = fewer, found
        return [document], *alone
    return documents, *answers


KINDS = {"find": 34, "aggregate": 34, "update": 16, "find_and_modify": 6, "delete": 2, "count": 4, "distinct": 4, "write_stage": 2}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ours", type=int)
    parser.add_argument("theirs", type=int)
    parser.add_argument("--commands", type=int, default=2000)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="ends sooner, if that takes longer")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--style", choices=("any", "typed", "both"), default="both")
    parser.add_argument("--only", help="kinds of commands, separated by commas")
    parser.add_argument("--texts", action="store_true", help="texts of errors must be the same, too")
    options = parser.parse_args()
    global DATABASE
    DATABASE += str(options.seed)
    try:
        Client(options.theirs).close()
    except OSError as error:
        print(f"skipped: no mongod at port {options.theirs}: {error}")
        return 77
    servers = Servers(options.ours, options.theirs)
    generator = TypedGenerator(options.seed)
    trials = {"any": [Trial(generator)], "typed": [TypedTrial(generator)], "both": [Trial(generator), TypedTrial(generator)]}[options.style]
    kinds = options.only.split(",") if options.only else list(KINDS)
    found = collections.Counter()
    optimized = 0
    end = time.monotonic() + options.seconds
    while servers.compared < options.commands and time.monotonic() < end:
        trial = generator.pick(*trials)
        documents, other = trial.documents()
        servers.prepare(documents, other, generator.r.sample(trial.INDEXES, generator.pick(0, 0, 1, 2)))
        for _ in range(ROUND):
            kind = generator.r.choices(kinds, [KINDS[kind] for kind in kinds])[0]
            command, run = getattr(trial, kind)()
            try:
                ours, theirs = servers.both(run)
            except (ConnectionError, OSError) as error:
                print(f"--- {kind} lost the connection: {error}: {dumps(command)}\n  documents {dumps(documents)}", flush=True)
                return 1
            if differs(ours, theirs, options.texts):
                if kind in ("find", "aggregate", "count", "distinct") and (plain := servers.plain(run)) is not None and not differs(ours, plain, options.texts):
                    optimized += 1
                    continue
                fewer, ours, theirs = shrunk(servers, run, documents, (ours, theirs), options.texts)
                name = kind_of_difference(ours, theirs)
                found[name] += 1
                print(f"--- {name}: {kind} {dumps(command)}\n  documents {dumps(fewer)}{'  other ' + dumps(other) if has_other(command) else ''}\n  ours   {shown(ours)}\n  theirs {shown(theirs)}", flush=True)
                break
            if kind in ("update", "find_and_modify", "delete"):
                documents = theirs.after if isinstance(theirs, CommandError) else theirs[1:]
                if differs(ours, theirs, False) or not documents or any("_id" not in document for document in documents):
                    break
    for name, count in found.most_common():
        print(f"{count:6} {name}")
    print(f"{servers.compared} commands, {found.total()} differences, and {optimized} that mongod's optimizer and second engine make")
    return 1 if found else 0


def has_other(command):
    return "'other'" in str(command)


def shown(answer):
    return f"error {answer}" if isinstance(answer, CommandError) else dumps(answer)


if __name__ == "__main__":
    sys.exit(main())
