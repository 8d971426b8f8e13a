#!/usr/bin/env python3
"""Compares indexes of all kinds at random: finds, hints and writes with unique, sparse, partial, wildcard and collation indexes, on Orrery and on a genuine mongod.

Usage: index_side_by_side.py ORRERY_PORT MONGOD_PORT [--commands N] [--seed N]

Both servers must run already and lose the database index_side_by_side. Needs Python's bson (Debian's python3-bson or pymongo).
Says how many commands were compared and prints what differs; exits 1 if anything did, 77 without a mongod.
Known differences are left out: documents that an index over two arrays refuses (171), hints of wildcard indexes that do not serve (291), and expressions, which server_side_by_side.py compares.
"""
import argparse
import pathlib
import sys

from bson.son import SON

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "spec"))

from generator import Generator
from mongo_client import Client, CommandError
from mongo_values import dumps

DATABASE = "index_side_by_side"
DOCUMENTS = 12
ROUND = 16
KEYS = ({"a": 1}, {"b": -1}, {"a.b": 1}, {"a": 1, "b": 1}, {"b.a": 1, "c": 1})
COLLATION = SON([("locale", "en"), ("strength", 2)])


def partial_filter(g):
    path = g.pick("a", "b", "c", "a.b")
    test = g.pick(
        lambda: {"$exists": True}, lambda: {"$gt": g.number()}, lambda: {"$lte": g.number()}, lambda: g.number(),
        lambda: {"$in": [g.number(), "x", "Ab"]}, lambda: {"$type": g.pick("string", "int", "array", "object")})()
    return {path: test}


def index(g, number):
    spec = SON([("key", SON(g.pick(*KEYS))), ("name", f"i{number}")])
    kind = g.pick("plain", "sparse", "partial", "wildcard", "below", "projected", "collation", "unique", "unique sparse", "unique partial")
    if "unique" in kind:
        spec["unique"] = True
    if "sparse" in kind:
        spec["sparse"] = True
    if "partial" in kind:
        spec["partialFilterExpression"] = partial_filter(g)
    if kind == "wildcard":
        spec["key"] = SON([("$**", 1)])
    elif kind == "below":
        spec["key"] = SON([("a.$**", 1)])
    elif kind == "projected":
        spec["key"] = SON([("$**", 1)])
        spec["wildcardProjection"] = {g.pick("a", "b", "c"): g.pick(0, 1)}
    elif kind == "collation":
        spec["collation"] = COLLATION
    return spec


def answer(client, run):
    try:
        return run(client)
    except CommandError as error:
        return f"error {error.code}"


def both(clients, run):
    return [answer(client, run) for client in clients]


def find(g, names):
    wanted = g.filter()
    while "$expr" in dumps(wanted):
        wanted = g.filter()
    command = SON([("find", "c"), ("filter", wanted)])
    if g.chance(0.25):
        command["filter"] = {"$and": [command["filter"], partial_filter(g)]}
    if g.chance(0.3):
        command["collation"] = COLLATION
    if names and g.chance(0.3):
        command["hint"] = g.pick(*names)
    return command, lambda client: sorted(dumps(row) for row in client.read(DATABASE, command))


def write(g):
    if g.chance(0.5):
        command = SON([("insert", "c"), ("documents", [g.document(g.r.randrange(2 * DOCUMENTS)) for _ in range(3)]), ("ordered", False)])
    else:
        command = SON([("update", "c"), ("updates", [SON([("q", {"_id": g.r.randrange(DOCUMENTS)}), ("u", {"$set": {g.pick("a", "b", "c"): g.value()}})])])])

    def run(client):
        reply = client.ask(DATABASE, command)
        errors = [(error["index"], error["code"], dumps(error.get("keyValue"))) for error in reply.get("writeErrors", [])]
        rows = client.read(DATABASE, SON([("find", "c"), ("sort", {"_id": 1})]))
        return [reply.get("n"), errors, *map(dumps, rows)]
    return command, run


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ours", type=int)
    parser.add_argument("theirs", type=int)
    parser.add_argument("--commands", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    try:
        clients = (Client(options.ours), Client(options.theirs))
    except OSError as error:
        print(f"skipped: {error}")
        return 77
    g = Generator(options.seed)
    compared = differences = 0
    while compared < options.commands:
        documents = [g.document(i) for i in range(DOCUMENTS)]
        for client in clients:
            client.ask(DATABASE, SON([("drop", "c")]))
            client.run(DATABASE, SON([("insert", "c"), ("documents", documents)]))
        specs = []
        for number in range(g.pick(1, 1, 2, 3)):
            spec = index(g, number)
            replies = [client.ask(DATABASE, SON([("createIndexes", "c"), ("indexes", [spec])])) for client in clients]
            if replies[0].get("code") != replies[1].get("code"):
                # An index that is not there on one of them is on neither.
                if 171 not in {reply.get("code") for reply in replies}:
                    differences += 1
                    print(f"--- {dumps(spec)}\n  documents {dumps(documents)}\n  ours   {dumps(replies[0])}\n  theirs {dumps(replies[1])}", flush=True)
                for client in clients:
                    client.ask(DATABASE, SON([("dropIndexes", "c"), ("index", spec["name"])]))
            elif replies[0]["ok"]:
                specs.append(spec)
        for _ in range(ROUND):
            command, run = write(g) if g.chance(0.3) else find(g, [spec["name"] for spec in specs if "**" not in dumps(spec)])
            ours, theirs = both(clients, run)
            compared += 1
            if ours != theirs and command.get("find") is None and any(code == 171 for _, code, _ in theirs[1]):
                break
            if ours != theirs:
                differences += 1
                print(f"--- {dumps(command)}\n  indexes {dumps(specs)}\n  documents {dumps(documents)}\n  ours   {ours}\n  theirs {theirs}", flush=True)
                break
    print(f"{compared} commands, {differences} differences")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
