#!/usr/bin/env python3
"""Random operations and filters on Orrery and on Azurite, one after the other; answers must be the same.

    npm install azurite && npx azurite-table --tableHost 127.0.0.1 --tablePort 21002 --silent --skipApiVersionCheck &
    orrery serve --table-port 8902,10002 &
    tests/oracle/table_side_by_side.py http://127.0.0.1:10002/devstoreaccount1 http://127.0.0.1:21002/devstoreaccount1

Compares status and error code of every write, and the keys and properties of every query. What Azurite is known to get wrong
(docs/compatibility/table.md) is left out: limits, Int64 beside other numbers, guids in capitals, numbers with exponents, times finer
than a millisecond, pages of $top (some of its queries never end). The seed is printed; --seed repeats a run.
"""
import argparse
import json
import pathlib
import random
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "spec"))

from table_client import EMULATOR_KEY, Client

TABLE = "SideBySide"
COMPARISONS = ("eq", "ne", "gt", "ge", "lt", "le")


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def key(self):
        return f"p{self.random.randrange(6)}", f"r{self.random.randrange(12)}"

    def entity(self):
        properties = {"n": self.random.randrange(-3, 10), "s": f"s{self.random.randrange(5)}", "b": self.random.random() < 0.5,
                      "d": self.random.randrange(-3, 10) + 0.5}
        kept = {name: value for name, value in properties.items() if self.random.random() < 0.8}
        if self.random.random() < 0.3:
            kept |= {"t": f"2026-01-{self.random.randrange(1, 28):02}T00:00:00Z", "t@odata.type": "Edm.DateTime"}
        return kept

    def comparison(self):
        op = self.random.choice(COMPARISONS)
        return self.random.choice((
            f"PartitionKey {op} 'p{self.random.randrange(6)}'", f"RowKey {op} 'r{self.random.randrange(12)}'",
            f"n {op} {self.random.randrange(-3, 10)}", f"s {op} 's{self.random.randrange(5)}'",
            f"d {op} {self.random.randrange(-3, 10)}.5", f"b eq {self.random.choice(('true', 'false'))}",
            f"t {op} datetime'2026-01-{self.random.randrange(1, 28):02}T00:00:00Z'"))

    def filter(self, depth=2):
        if depth == 0 or self.random.random() < 0.3:
            return self.comparison()
        word = self.random.choice(("and", "or"))
        text = f"({self.filter(depth - 1)}) {word} ({self.filter(depth - 1)})"
        return f"not ({text})" if self.random.random() < 0.15 else text

    def write(self, etags):
        """Method, target, headers, body of a random write."""
        pk, rk = self.key()
        target = f"/{TABLE}(PartitionKey='{pk}',RowKey='{rk}')"
        body = json.dumps(self.entity())
        condition = self.random.choice(({}, {"if-match": "*"}, {"if-match": etags.get((pk, rk), "*")}))
        kind = self.random.choice(("insert", "insert", "PUT", "MERGE", "DELETE"))
        if kind == "insert":
            return (pk, rk), "POST", f"/{TABLE}", {}, json.dumps({"PartitionKey": pk, "RowKey": rk, **json.loads(body)})
        if kind == "DELETE":
            return (pk, rk), kind, target, condition or {"if-match": "*"}, None
        return (pk, rk), kind, target, condition, body


def rows(client, text):
    return [{name: value.replace(".0000000Z", "Z") if isinstance(value, str) else value
             for name, value in entity.items() if not name.startswith(("odata.", "Timestamp"))}
            for page in client.pages(TABLE, {"$filter": text}) for entity in page.json()["value"]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("endpoints", nargs=2)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--writes", type=int, default=600)
    parser.add_argument("--queries", type=int, default=300)
    options = parser.parse_args()
    print(f"seed {options.seed}")
    generator = Generator(options.seed)
    clients = [Client(endpoint, "devstoreaccount1", EMULATOR_KEY) for endpoint in options.endpoints]
    for client in clients:
        client.request("DELETE", f"/Tables('{TABLE}')")
        client.ask("POST", "/Tables", body=json.dumps({"TableName": TABLE}))
    etags = [{}, {}]
    different = 0
    for _ in range(options.writes):
        state = generator.random.getstate()
        got = []
        for at, client in enumerate(clients):
            generator.random.setstate(state)
            key, *call = generator.write(etags[at])
            answer = client.request(*call)
            got.append(answer.code)
            # Now and then a stale one is kept.
            if answer.headers.get("etag") and hash(key) % 3:
                etags[at][key] = answer.headers["etag"]
        if got[0] != got[1]:
            different += 1
            print(*call, *got, sep="\n  ")
    for _ in range(options.queries):
        text = generator.filter()
        got = [rows(client, text) for client in clients]
        if got[0] != got[1]:
            different += 1
            print(text, *map(json.dumps, got), sep="\n  ")
    print(f"{options.writes} writes and {options.queries} queries, {different} different")
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
