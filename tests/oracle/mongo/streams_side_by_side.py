#!/usr/bin/env python3
"""Compares change streams at random: the same writes to Orrery and to a genuine mongod, events side by side.

Usage: streams_side_by_side.py ORRERY_PORT MONGOD_PORT [--rounds N] [--seed N] [--show N]

Both servers must run already, mongod as a replica set, and lose the database streams_side_by_side. Each round makes the
same random inserts, updates, replacements, deletes, drops, renames and changes of indexes on both, and compares what a
stream on the database tells, field by field and in order: all but tokens, times and uuids. Needs Python's bson.
Exits 1 if anything differs.
"""
import argparse
import pathlib
import sys

from bson.int64 import Int64
from bson.son import SON

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "spec"))

from generator import Generator
from mongo_client import Client, CommandError
from mongo_values import dumps

DATABASE = "streams_side_by_side"
WRITES = 12
VARIES = {"_id", "clusterTime", "wallTime", "collectionUUID"}


class Stream:
    def __init__(self, client, options):
        self.client = client
        command = SON([("aggregate", 1), ("pipeline", [{"$changeStream": options}]), ("cursor", {})])
        self.cursor = client.run(DATABASE, command)["cursor"]["id"]

    def read(self):
        """All there is, up to the insert into `end`."""
        events = []
        while True:
            reply = self.client.run(DATABASE, SON([("getMore", Int64(self.cursor)), ("collection", "$cmd.aggregate"), ("maxTimeMS", Int64(2000))]))
            batch = reply["cursor"]["nextBatch"]
            for event in batch:
                if event["operationType"] == "insert" and event["ns"]["coll"] == "end":
                    self.client.run(DATABASE, SON([("killCursors", "$cmd.aggregate"), ("cursors", [Int64(self.cursor)])]))
                    return events
                events.append(event)
            if not batch:
                return events


def plain_event(event):
    shown = SON((k, v) for k, v in event.items() if k not in VARIES)
    if "operationDescription" in shown and isinstance(shown["operationDescription"], dict):
        shown["operationDescription"] = SON((k, v) for k, v in shown["operationDescription"].items() if k != "dropTarget")
    if "stateBeforeChange" in shown:
        options = shown["stateBeforeChange"].get("collectionOptions", {})
        options.pop("uuid", None)
    return dumps(shown)


class Trial:
    def __init__(self, generator):
        self.g = generator

    def write(self, ids):
        g = self.g
        kind = g.pick("insert", "update", "update", "update", "update", "replace", "delete", "pipeline", "upsert", "modify")
        target = g.pick(*ids)
        if kind == "insert":
            return SON([("insert", "c"), ("documents", [g.document(target)])])
        if kind == "delete":
            return SON([("delete", "c"), ("deletes", [SON([("q", {"_id": target}), ("limit", 1)])])])
        if kind == "modify":
            return SON([("findAndModify", "c"), ("query", {"_id": target}), ("update", g.update())])
        update = g.document(target) if kind == "replace" else g.update_pipeline() if kind == "pipeline" else g.update()
        return SON([("update", "c"), ("updates", [SON([("q", {"_id": target}), ("u", update), ("upsert", kind == "upsert")])])])

    def change(self):
        g = self.g
        return g.pick(SON([("drop", "c")]), SON([("create", "c")]), SON([("createIndexes", "c"), ("indexes", [SON([("key", {"a": 1}), ("name", "a_1")])])]),
                      SON([("dropIndexes", "c"), ("index", "a_1")]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ours", type=int)
    parser.add_argument("theirs", type=int)
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=10)
    options = parser.parse_args()
    clients = (Client(options.ours), Client(options.theirs))
    compared = different = others = 0
    for number in range(options.rounds):
        trial = Trial(Generator(options.seed * 10_000 + number))
        has_images = trial.g.chance(0.3)
        stream_options = {"showExpandedEvents": trial.g.chance(0.3)}
        if has_images:
            stream_options |= {"fullDocument": "whenAvailable", "fullDocumentBeforeChange": "whenAvailable"}
        elif trial.g.chance(0.3):
            stream_options["fullDocument"] = "updateLookup"
        documents = [trial.g.document(i) for i in range(5)]
        writes = [trial.change() if trial.g.chance(0.06) else trial.write(range(7)) for _ in range(WRITES)]
        told = []
        made = []
        for client in clients:
            client.ask(DATABASE, SON([("dropDatabase", 1)]))
            create = SON([("create", "c")])
            if has_images:
                create["changeStreamPreAndPostImages"] = {"enabled": True}
            client.run(DATABASE, create)
            stream = Stream(client, stream_options)
            outcomes = []
            for command in [SON([("insert", "c"), ("documents", documents)]), *writes, SON([("insert", "end"), ("documents", [{"_id": 0}])])]:
                try:
                    reply = client.run(DATABASE, command)
                    outcomes.append((reply.get("n"), reply.get("nModified"), bool(reply.get("writeErrors"))))
                except CommandError:
                    outcomes.append("error")
            made.append(outcomes)
            told.append([plain_event(event) for event in stream.read()])
        if made[0] != made[1]:
            others += 1  # the writes had other outcomes: what the language does not do alike
            continue
        compared += len(told[1])
        if told[0] == told[1]:
            continue
        different += 1
        if different <= options.show:
            print(f"round {number}: {stream_options} images={has_images}")
            for command, ours, theirs in zip(writes, made[0][1:], made[1][1:]):
                print("   ", dumps(command), ours, theirs if ours != theirs else "")
            for i in range(max(map(len, told))):
                ours, theirs = (side[i] if i < len(side) else "-" for side in told)
                if ours != theirs:
                    print(f"  event {i}\n    ours   {ours}\n    theirs {theirs}")
    print(f"{compared} events of {options.rounds} rounds compared, {different} rounds differ; in {others} the writes had other outcomes")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
