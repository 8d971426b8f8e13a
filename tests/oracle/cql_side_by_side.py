#!/usr/bin/env python3
"""Runs random CQL on two servers and shows where they answer differently: Orrery beside Apache Cassandra.

tests/oracle/cql_side_by_side.py [--left PORT] [--right PORT] [--seed N] [--rounds N] [kind]...

  writes   writes of every kind with times that collide, then reads of all that is left
  types    values, orders, casts, arithmetic, JSON and aggregates of all types; conditional writes
  selects  SELECTs of any shape, most of which are refused: which are, and why

bench/peer/cassandra.py serves the other side. A difference in what writes leave is shown with the fewest
statements that make it. Some are known: docs/compatibility/cassandra.md. Exits with 1 when there was one.
"""
import argparse
import collections
import itertools
import random
import re
import sys

from cassandra.cluster import Cluster
from cassandra.query import SimpleStatement

KEYSPACE = "side_by_side"
SHOWN_OF_A_KIND = 2


class Sides:
    """A session on each server, and what differed between them."""

    def __init__(self, ports):
        self.sessions = [Cluster(["127.0.0.1"], port=port, protocol_version=4).connect() for port in ports]
        for session in self.sessions:
            session.default_timeout = 60
            session.execute(f"CREATE KEYSPACE IF NOT EXISTS {KEYSPACE} WITH replication = "
                            "{'class': 'SimpleStrategy', 'replication_factor': 1}")
            session.set_keyspace(KEYSPACE)
        self.statements = 0
        self.differences = collections.Counter()

    @staticmethod
    def answer(session, statement, fetch_size=None):
        try:
            result = session.execute(SimpleStatement(statement, fetch_size=fetch_size))
            return "rows", repr([tuple(row) for row in result]), str(result.column_names), str(result.column_types)
        except Exception as error:  # whatever a driver raises is the server's answer
            return type(error).__name__, re.sub(r'^.*message="', "", str(error))

    def prepare(self, *statements):
        """Statements that both must take."""
        for session in self.sessions:
            for statement in statements:
                session.execute(statement)

    def agree(self, statement, kind, fetch_size=None, compares_errors=False):
        self.statements += 1
        left, right = (self.answer(session, statement, fetch_size) for session in self.sessions)
        if left[0] != right[0]:
            same = False
        elif left[0] == "rows":
            same = left == right
        else:
            same = not compares_errors or left[0] == "SyntaxException" or digitless(left[1]) == digitless(right[1])
        if not same:
            self.differences[kind] += 1
            if self.differences[kind] <= SHOWN_OF_A_KIND:
                print(f"{statement}\n  left:  {str(left)[:500]}\n  right: {str(right)[:500]}", flush=True)
        return same


def digitless(text):
    return re.sub(r"\d+", "N", text)


class Writes:
    """Rows of two partitions, written at times that are often equal."""

    SCHEMA = ("k int, c1 int, c2 text, st int static, sm map<int, text> static, v int, w text, l list<int>, s set<int>, "
              "m map<int, text>, f frozen<list<int>>, PRIMARY KEY (k, c1, c2)")
    ORDERS = ["", "WITH CLUSTERING ORDER BY (c1 DESC, c2 ASC)", "WITH CLUSTERING ORDER BY (c1 DESC, c2 DESC)"]
    READS = [
        "SELECT * FROM {t} WHERE k = 1", "SELECT * FROM {t} WHERE k = 2", "SELECT k, c1, c2, v, writetime(v), writetime(st) FROM {t}",
        "SELECT * FROM {t} WHERE k = 1 ORDER BY c1 DESC", "SELECT * FROM {t} WHERE k = 1 ORDER BY c1 ASC LIMIT 3",
        "SELECT * FROM {t} WHERE k IN (2, 1) AND c1 = 1", "SELECT * FROM {t} WHERE k = 1 AND c1 >= 1 AND c1 < 3",
        "SELECT * FROM {t} WHERE k = 1 AND (c1, c2) > (1, 'a')", "SELECT DISTINCT k, st, sm FROM {t}",
        "SELECT k, count(*), max(v), min(w), sum(v) FROM {t} GROUP BY k", "SELECT * FROM {t} PER PARTITION LIMIT 2",
        "SELECT c1, c2, m[1], s[2], m FROM {t} WHERE k = 1", "SELECT JSON * FROM {t} WHERE k = 1",
        "SELECT * FROM {t} WHERE v = 1 ALLOW FILTERING", "SELECT * FROM {t} WHERE s CONTAINS 1 ALLOW FILTERING",
        "SELECT * FROM {t} WHERE st = 1 ALLOW FILTERING", "SELECT * FROM {t} WHERE m[1] = 'z' ALLOW FILTERING"]
    WRITES_OF_A_ROUND = 70

    def __init__(self, sides, rng):
        self.sides, self.rng = sides, rng
        self.tables = (f"w{number}" for number in itertools.count())

    def run(self):
        order = self.rng.choice(self.ORDERS)
        writes = [self.write() for _ in range(self.WRITES_OF_A_ROUND)]
        table = next(self.tables)
        self.sides.prepare(f"DROP TABLE IF EXISTS {table}", f"CREATE TABLE {table} ({self.SCHEMA}) {order}")
        for write in writes:
            self.sides.agree(write.format(t=table), "writes")
        for read in self.READS:
            if not self.sides.agree(read.format(t=table), "what writes leave"):
                self.show_fewest(order, writes, read)
                break
        self.sides.prepare(f"DROP TABLE {table}")

    def left_by(self, order, writes, read):
        table = next(self.tables)
        answers = []
        for session in self.sides.sessions:
            session.execute(f"DROP TABLE IF EXISTS {table}")
            session.execute(f"CREATE TABLE {table} ({self.SCHEMA}) {order}")
            for write in writes:
                self.sides.answer(session, write.format(t=table))
            answers.append(self.sides.answer(session, read.format(t=table)))
            session.execute(f"DROP TABLE {table}")
        return answers

    def show_fewest(self, order, writes, read):
        step = len(writes) // 2
        while step > 0:
            at = 0
            while at < len(writes):
                fewer = writes[:at] + writes[at + step:]
                left, right = self.left_by(order, fewer, read)
                if left != right:
                    writes = fewer
                else:
                    at += step
            step //= 2
        print("\n".join(["  of these:", *(f"    {write}" for write in writes), f"    {read}"]), flush=True)

    def number(self):
        return self.rng.choice([0, 1, 2, 3, -1, 5])

    def list(self):
        return "[" + ", ".join(str(self.number()) for _ in range(self.rng.randint(0, 3))) + "]"

    def set(self):
        return "{{" + ", ".join(str(each) for each in sorted({self.number() for _ in range(self.rng.randint(1, 3))})) + "}}"

    def map(self):
        keys = sorted({self.number() for _ in range(self.rng.randint(1, 3))})
        return "{{" + ", ".join(f"{key}: '{self.rng.choice('xyz')}'" for key in keys) + "}}"

    def write(self):
        pick, number = self.rng.choice, self.number
        key, c1, c2 = self.rng.randint(1, 2), self.rng.randint(0, 3), pick(["'a'", "'b'", "''"])
        row = f"k = {key} AND c1 = {c1} AND c2 = {c2}"
        using = f"USING TIMESTAMP {1_000_000 + self.rng.randint(0, 12)}"
        kinds = {self.insert: 22, self.update: 33, self.update_static: 7, self.delete_row: 8, self.delete_cells: 7, self.delete_range: 13,
                 self.delete_partition: 3, self.batch: 3, self.write_several: 4}
        make = self.rng.choices(list(kinds), weights=list(kinds.values()))[0]
        return make(key, c1, c2, row, using, pick, number)

    def insert(self, key, c1, c2, row, using, pick, number):
        values = {"v": pick(["null", str(number())]), "w": pick(["'q'", "''", "null"]), "l": self.list(), "s": self.set(),
                  "m": pick([self.map(), "null"]), "f": self.list(), "st": str(number()), "sm": self.map()}
        named = self.rng.sample(list(values), self.rng.randint(0, 4))
        return (f"INSERT INTO {{t}} ({', '.join(['k', 'c1', 'c2', *named])}) VALUES "
                f"({', '.join([str(key), str(c1), c2, *(values[name] for name in named)])}) {using}")

    def update(self, key, c1, c2, row, using, pick, number):
        changes = {"v": [f"v = {number()}", "v = null"], "w": [f"w = '{pick('pqr')}'"],
                   "l": [f"l = l + {self.list()}", f"l = {self.list()} + l", f"l = {self.list()}"],
                   "s": [f"s = s + {self.set()}", f"s = s - {self.set()}", f"s = {self.set()}", "s = {{}}"],
                   "m": [f"m[{number()}] = 'z'", f"m[{number()}] = null", f"m = m + {self.map()}", f"m = m - {self.set()}",
                         f"m = {self.map()}", "m = null"],
                   "f": [f"f = {self.list()}"]}
        named = self.rng.sample(list(changes), self.rng.randint(1, 3))
        return f"UPDATE {{t}} {using} SET {', '.join(pick(changes[name]) for name in named)} WHERE {row}"

    def update_static(self, key, c1, c2, row, using, pick, number):
        return f"UPDATE {{t}} {using} SET {pick([f'st = {number()}', 'st = null', f'sm = sm + {self.map()}'])} WHERE k = {key}"

    def delete_row(self, key, c1, c2, row, using, pick, number):
        return f"DELETE FROM {{t}} {using} WHERE {row}"

    def delete_cells(self, key, c1, c2, row, using, pick, number):
        return f"DELETE {pick(['v', 'w', 'l', 's', 'm', f'm[{number()}]', f's[{number()}]', 'v, w'])} FROM {{t}} {using} WHERE {row}"

    def delete_range(self, key, c1, c2, row, using, pick, number):
        operator = pick([">", ">=", "<", "<="])
        where = pick([f"c1 = {c1}", f"c1 {operator} {c1}", f"(c1, c2) {operator} ({c1}, {c2})", f"c1 IN ({c1}, 2) AND c2 = {c2}"])
        return f"DELETE FROM {{t}} {using} WHERE k = {key} AND {where}"

    def delete_partition(self, key, c1, c2, row, using, pick, number):
        return f"DELETE {pick(['', 'st', 'sm'])} FROM {{t}} {using} WHERE k = {key}"

    def batch(self, key, c1, c2, row, using, pick, number):
        return (f"BEGIN BATCH {using} UPDATE {{t}} SET v = {number()} WHERE {row}; DELETE FROM {{t}} WHERE k = {key} AND c1 = 1; "
                f"INSERT INTO {{t}} (k, c1, c2, w) VALUES ({key}, {c1}, 'b', 'bb'); APPLY BATCH")

    def write_several(self, key, c1, c2, row, using, pick, number):
        return f"UPDATE {{t}} {using} SET w = 'u{number()}' WHERE k IN (1, 2) AND c1 = {c1} AND c2 IN ('a', 'b')"


class Types:
    """Tables with columns of random types."""

    VALUES = {
        "int": ["0", "1", "-1", "2147483647", "-2147483648"], "bigint": ["0", "1", "-5", "9223372036854775807"],
        "smallint": ["0", "1", "-32768"], "tinyint": ["0", "1", "-128", "127"], "varint": ["0", "-1", "123456789012345678901234567890"],
        "double": ["0.0", "-0.0", "1.5", "NaN", "Infinity", "1e300"], "float": ["0.0", "1.25", "NaN", "-Infinity", "3.4e38"],
        "decimal": ["0", "0.5", "1.25", "-10", "100"], "text": ["''", "'a'", "'aa'", "'é'", "'Z'"], "ascii": ["'a'", "'B'", "'~'"],
        "blob": ["0x", "0x00", "0xff", "0x0102"], "boolean": ["true", "false"], "timestamp": ["'2020-01-01'", "0", "1577836800123"],
        "date": ["'2020-02-29'", "'1969-12-31'"], "time": ["'00:00:00'", "'23:59:59.999999999'"],
        "uuid": ["00000000-0000-0000-0000-000000000000", "9c5b94b1-35ad-49bb-b118-8e8fc24abf80", "50554d6e-29bb-11e5-b345-feff819cdc9f"],
        "timeuuid": ["50554d6e-29bb-11e5-b345-feff819cdc9f", "00000000-0000-1000-8080-808080808080"],
        "inet": ["'1.2.3.4'", "'::1'"], "duration": ["1mo", "2d", "1mo2d3h"]}
    NUMBERS = ["int", "bigint", "smallint", "tinyint", "double", "float", "decimal", "varint"]

    def __init__(self, sides, rng):
        self.sides, self.rng = sides, rng
        sides.prepare("CREATE TYPE IF NOT EXISTS u (a int, b text, c frozen<list<int>>)")

    def run(self):
        pick = self.rng.choice
        key_type = pick([each for each in self.VALUES if each != "duration"])
        columns = {f"v{number}": pick(list(self.VALUES)) for number in range(4)} | {"n1": pick(self.NUMBERS), "n2": pick(self.NUMBERS)}
        self.sides.prepare("DROP TABLE IF EXISTS types", f"CREATE TABLE types (k int, c {key_type}, u u, "
                           + ", ".join(f"{name} {kind}" for name, kind in columns.items())
                           + f", PRIMARY KEY (k, c)) WITH CLUSTERING ORDER BY (c {pick(['ASC', 'DESC'])})")
        for _ in range(25):
            self.sides.agree(self.write(key_type, columns), "types: writes")
        for fetch_size in (None, 3):
            self.sides.agree("SELECT * FROM types", f"types: rows by {key_type}", fetch_size)
        for operator in (">", ">=", "<", "<=", "="):
            self.sides.agree(f"SELECT c FROM types WHERE k = 1 AND c {operator} {pick(self.VALUES[key_type])}", f"types: ranges of {key_type}")
        for name, kind in columns.items():
            self.read(name, kind)
        for operator in "+-*/%":
            self.sides.agree(f"SELECT n1 {operator} n2 FROM types", f"types: {columns['n1']} {operator} {columns['n2']}")
        self.sides.agree("SELECT sum(n1), avg(n1), sum(n2), avg(n2) FROM types", "types: sums")
        self.sides.agree("SELECT u, u.a, u.c FROM types", "types: user-defined")

    def write(self, key_type, columns):
        pick = self.rng.choice
        at = pick(self.VALUES[key_type])
        name = pick(list(columns))
        value = pick(self.VALUES[columns[name]])
        row = f"k = 1 AND c = {at}"
        field = pick(["u.a = 1", "u.a = null", "u.b = 'x'", "u.c = [1, 2]", "u = null", "u = {a: 1}"])
        return pick([f"INSERT INTO types (k, c, {name}) VALUES (1, {at}, {value})"] * 5 + [
            f"UPDATE types SET {field} WHERE {row}",
            f"UPDATE types SET {name} = {value} WHERE {row} IF {name} {pick(['=', '!=', '>', '<='])} {pick(self.VALUES[columns[name]] + ['null'])}",
            f"INSERT INTO types (k, c, {name}) VALUES (1, {at}, {value}) IF NOT EXISTS", f"DELETE FROM types WHERE {row} IF EXISTS"])

    def read(self, name, kind):
        pick = self.rng.choice
        if kind != "timeuuid":  # of which Cassandra's have a type that drivers do not know
            self.sides.agree(f"SELECT min({name}), max({name}), count({name}) FROM types", f"types: extremes of {kind}")
        self.sides.agree(f"SELECT c FROM types WHERE {name} {pick(['=', '>', '<='])} {pick(self.VALUES[kind])} ALLOW FILTERING", f"types: filters of {kind}")
        self.sides.agree(f"SELECT JSON {name} FROM types", f"types: JSON of {kind}")
        for target in ("text", pick(self.NUMBERS)):
            self.sides.agree(f"SELECT cast({name} as {target}) FROM types", f"types: {kind} as {target}")


class Selects:
    """One table, and SELECTs that say anything of its columns."""

    COLUMNS = ["k1", "k2", "c1", "c2", "c3", "st", "v", "w", "l", "se", "m", "fl"]
    STATEMENTS_OF_A_ROUND = 100

    def __init__(self, sides, rng):
        self.sides, self.rng = sides, rng
        sides.prepare("DROP TABLE IF EXISTS selects",
                      "CREATE TABLE selects (k1 int, k2 int, c1 int, c2 int, c3 int, st int static, v int, w text, l list<int>, se set<int>, "
                      "m map<int, int>, fl frozen<list<int>>, PRIMARY KEY ((k1, k2), c1, c2, c3)) "
                      "WITH CLUSTERING ORDER BY (c1 ASC, c2 DESC, c3 ASC)",
                      "CREATE INDEX ON selects (v)", "CREATE INDEX ON selects (se)", "CREATE INDEX ON selects (keys(m))")
        for i in range(40):
            sides.prepare(f"INSERT INTO selects (k1, k2, c1, c2, c3, st, v, w, l, se, m, fl) VALUES ({i % 2}, {i % 3}, {i % 4}, {i % 5}, {i}, "
                          f"{i % 2}, {i % 3}, 'w{i % 2}', [{i % 3}, {i % 4}], {{{i % 5}}}, {{{i % 3}: {i % 2}}}, [{i % 2}])")

    def run(self):
        for _ in range(self.STATEMENTS_OF_A_ROUND):
            self.sides.agree(self.select(), "selects", compares_errors=True)

    def chance(self, share, text):
        return text if self.rng.random() < share else ""

    def select(self):
        pick = self.rng.choice
        what = pick(["*"] * 6 + ["k1, k2", "DISTINCT k1, k2", "DISTINCT k1, k2, st", "DISTINCT k1", "count(*)", "c1, max(v)", "st", "JSON k1, c1"])
        known = pick([[], ["k1 = 1", "k2 = 1"], ["k1 = 1", "k2 = 1"], ["k1 = 1"], ["k1 IN (0, 1)", "k2 = 1"]])
        relations = known + [self.relation() for _ in range(pick([0, 1, 1, 2, 2, 3]))]
        return (f"SELECT {what} FROM selects" + (" WHERE " + " AND ".join(relations) if relations else "")
                + self.chance(0.15, " GROUP BY " + pick(["k1, k2", "k1, k2, c1", "k1", "c1", "k1, k2, c2", "v"]))
                + self.chance(0.25, " ORDER BY " + pick(["c1", "c1 DESC", "c1 ASC, c2 DESC", "c1 DESC, c2 ASC", "c1, c2", "c2", "k1", "v"]))
                + self.chance(0.15, " PER PARTITION LIMIT 2") + self.chance(0.2, f" LIMIT {pick([1, 3, 0, -1])}")
                + self.chance(0.5, " ALLOW FILTERING"))

    def relation(self):
        pick, number = self.rng.choice, lambda: self.rng.randint(0, 3)
        if self.rng.random() < 0.08:
            return f"token(k1, k2) {pick(['>', '<=', '='])} {pick(['0', 'token(1, 1)'])}"
        if self.rng.random() < 0.1:
            names = pick([["c1", "c2"], ["c1", "c2", "c3"], ["c2", "c3"], ["c1", "c3"]])
            values = "(" + ", ".join(str(number()) for _ in names) + ")"
            return f"({', '.join(names)}) " + pick([f"= {values}", f"> {values}", f"<= {values}", f"IN ({values}, {values})"])
        name = pick(self.COLUMNS + ["k1", "k2", "k1", "k2", "c1", "c1", "c2", "v"])
        if name in ("l", "se", "m"):
            return f"{name} " + pick([f"CONTAINS {number()}", f"CONTAINS KEY {number()}", "= {1}", "IN ({1})"])
        value = {"w": "'w1'", "fl": "[0]"}.get(name, str(number()))
        return f"{name} " + pick([f"= {value}"] * 4 + [f"IN ({value})", "IN ()", f"> {value}", f"<= {value}", f"!= {value}", f"LIKE {value}",
                                                        "IS NOT NULL", "= null", f"CONTAINS {value}"])


KINDS = {"writes": Writes, "types": Types, "selects": Selects}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--left", type=int, default=9142, help="port of the one (9142, as bench/peer/cassandra.py has it)")
    parser.add_argument("--right", type=int, default=9042, help="port of the other (9042)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=10, help="of each kind (10)")
    parser.add_argument("kind", nargs="*", help=", ".join(KINDS))
    options = parser.parse_args()
    if unknown := set(options.kind) - set(KINDS):
        parser.error(f"no such kind: {', '.join(unknown)}")
    sides = Sides([options.left, options.right])
    for name in options.kind or KINDS:
        kind = KINDS[name](sides, random.Random(f"{options.seed} {name}"))
        for _ in range(options.rounds):
            kind.run()
    print(f"seed {options.seed}: {sides.statements:,} statements, {sides.differences.total():,} with another answer")
    for kind, count in sides.differences.most_common():
        print(f"{count:7,}  {kind}")
    return 1 if sides.differences else 0


if __name__ == "__main__":
    sys.exit(main())
