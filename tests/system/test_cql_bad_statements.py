"""CQL statements and values of every kind of wrongness: an error in CQL's own words, the server unhurt."""
import pathlib
import random
import struct
import sys
import unittest

import cql_wire as cql
from cql_abuse import AbuseTest, ROUNDS, SEED
from cql_wire import ALREADY_EXISTS, CONFIG, INVALID, PROTOCOL, RESULT, SYNTAX

SPEC = pathlib.Path(__file__).resolve().parents[1] / "spec"
sys.path.append(str(SPEC))
import spec_file

# Fixed sizes; the empty value is allowed too.
SIZES = {"ascii": None, "bigint": (8,), "blob": None, "boolean": (1,), "date": (4,), "decimal": None, "double": (8,),
         "duration": None, "float": (4,), "inet": (4, 16), "int": (4,), "smallint": (2,), "text": None, "time": (8,),
         "timestamp": (8,), "timeuuid": (16,), "tinyint": (1,), "uuid": (16,), "varint": None,
         "list<int>": None, "set<text>": None, "map<text, int>": None, "tuple<int, text>": None, "vector<float, 3>": (12,),
         "frozen<list<frozen<map<int, frozen<set<bigint>>>>>>": None, "frozen<pair>": None, "frozen<map<uuid, blob>>": None}
STRICT = ("smallint", "tinyint", "date", "time", "vector<float, 3>")  # no empty value


def nested(opening, closing, depth, inside="1"):
    return opening * depth + inside + closing * depth


class BadStatementTest(AbuseTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        with cls.connect() as connection:
            columns = ", ".join(f"c{index} {kind}" for index, kind in enumerate(SIZES))
            for statement in ("CREATE TYPE ks.pair (a int, b frozen<list<text>>)",
                              f"CREATE TABLE ks.kinds (k int PRIMARY KEY, {columns})".replace("<pair>", "<ks.pair>"),
                              "CREATE TABLE ks.wide (k int, j int, c int, d int, v text, PRIMARY KEY ((k, j), c, d))"):
                answer = connection.query(statement)
                if answer.opcode != RESULT:
                    raise RuntimeError(f"{statement}: {answer}")

    def setUp(self):
        self.connection = self.ready()

    def tearDown(self):
        # Whatever was asked, the client that asked it is served on.
        self.assertServed(self.connection)
        super().tearDown()


class Texts(BadStatementTest):
    def test_bytes_that_are_no_utf8(self):
        for bad in (b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf5\x80\x80\x80", b"\xe2\x82", b"\x80"):
            for text in (b"SELECT " + bad, b"SELECT v FROM lasting.kept WHERE k = 1 -- " + bad,
                         b"INSERT INTO lasting.kept (k, v) VALUES (3, '" + bad + b"')"):
                self.assertError(self.connection.query(text), PROTOCOL)
                self.assertError(self.connection.ask(cql.PREPARE, cql.long_string(text)), PROTOCOL)
            self.assertError(self.connection.query("INSERT INTO lasting.kept (k, v) VALUES (3, ?)", values=[bad]), INVALID)
            self.assertError(self.connection.query("SELECT v FROM lasting.kept WHERE v = ? ALLOW FILTERING", values=[bad]), INVALID)

    def test_depth(self):
        insert = "INSERT INTO ks.kinds (k, c19) VALUES (1, {})"
        select = "SELECT {} FROM lasting.kept"
        where = "SELECT v FROM lasting.kept WHERE {}"
        for depth in (100, 2_000, 200_000):
            for text in (insert.format(nested("[", "]", depth)), insert.format(nested("{", "}", depth)),
                         insert.format(nested("{1: ", "}", depth)), insert.format(nested("(", ")", depth)),
                         insert.format(nested("(int)", "", depth)), insert.format(nested("abs(", ")", depth)),
                         insert.format(nested("-", "", depth)), insert.format("[" * depth), insert.format("1" + "+1" * depth),
                         insert.format("1" + " - -1" * depth),
                         select.format(nested("abs(", ")", depth, "k")), select.format(nested("(", ")", depth, "k")),
                         select.format(nested("cast(", " as int)", depth, "k")), select.format("k" + ".a" * depth),
                         select.format("k" + "[1]" * depth), select.format("k" + "+k" * depth),
                         select.format(", ".join(["k"] * min(depth, 20_000))),
                         where.format(nested("(", ")", depth, "k = 1")), where.format("k = 1" + " AND k = 1" * min(depth, 20_000)),
                         where.format("token(" * depth), where.format("k IN " + nested("(", ")", depth)),
                         where.format("(k" + ", k" * depth + ") = (1" + ", 1" * depth + ")"),
                         f"CREATE TABLE ks.deep (k int PRIMARY KEY, v {nested('frozen<list<', '>>', depth, 'int')})",
                         f"CREATE TABLE ks.deep (k int PRIMARY KEY, v {nested('tuple<', '>', depth, 'int')})",
                         f"CREATE TYPE ks.deep (a {nested('frozen<', '>', depth, 'int')})",
                         f"INSERT INTO ks.kinds JSON '{nested('[', ']', depth)}'",
                         "INSERT INTO ks.kinds JSON '" + nested('{"k":', "}", depth) + "'",
                         "INSERT INTO ks.kinds JSON '" + '{"k": 1, "c19": ' + nested("[", "]", depth) + "}'",
                         "/*" * depth, "BEGIN BATCH " * depth):
                self.assertSane(self.connection.query(text))
        self.assertError(self.connection.query(insert.format(nested("[", "]", 200_000))), SYNTAX, INVALID)

    def test_size(self):
        name = "n" * 100_000
        for text in ("", " ", ";", ";;;;", "--", "/*", "'", '"', "$$", "$$$", "0x", "SELECT", name, f"SELECT {name} FROM lasting.kept",
                     f"SELECT * FROM {name}.{name}", f"CREATE TABLE ks.{name} (k int PRIMARY KEY)", f"USE {name}",
                     f"CREATE KEYSPACE {name} WITH replication = {{'class': 'SimpleStrategy', 'replication_factor': 1}}",
                     f"SELECT {'9' * 100_000} FROM lasting.kept", f"INSERT INTO ks.kinds (k, c18) VALUES (1, {'9' * 100_000})",
                     f"INSERT INTO ks.kinds (k, c5) VALUES (1, 1e{'9' * 1_000})", "INSERT INTO ks.kinds (k, c5) VALUES (1, 1e2147483647)",
                     "SELECT 1e1000000000 + 1 FROM lasting.kept", "SELECT 9223372036854775807 * 9223372036854775807 FROM lasting.kept",
                     "SELECT k / 0, k % 0 FROM lasting.kept", "SELECT (int)-2147483648 / -1, (bigint)-9223372036854775808 % -1 FROM lasting.kept",
                     "INSERT INTO lasting.kept (k, v) VALUES (-2147483649, 'a')", "SELECT v FROM lasting.kept LIMIT 99999999999999999999",
                     "SELECT v FROM lasting.kept LIMIT -1", "SELECT v FROM lasting.kept PER PARTITION LIMIT 0", "\0", "SELECT \0 FROM lasting.kept",
                     "INSERT INTO lasting.kept (k, v) VALUES (4, 'a') USING TTL 999999999999", "\N{GRINNING FACE}" * 1_000,
                     "INSERT INTO lasting.kept (k, v) VALUES (4, 'a') USING TIMESTAMP -9223372036854775808 AND TTL -1"):
            self.assertSane(self.connection.query(text))
        self.assertError(self.connection.query("SELECT v FROM lasting.kept WHERE v = '" + "x" * (17 << 20)), INVALID)

    def test_statements_of_the_specification_with_wrong_bytes(self):
        """Each gives its answer or an error of the client's making; also when it was right by chance."""
        statements = sorted({case.statement for path in (SPEC / "cassandra").glob("*.test")
                             for case in spec_file.SpecFile(path).cases})
        dice = random.Random(SEED)
        pieces = ["'", '"', "(", ")", "[", "]", "{", "}", "<", ">", ",", ";", "?", ":a", "-", "1e9", "NULL", "0xF", " ", "ks.", "=",
                  " AND ", " IN ", "token(k)", "frozen<", "99999999999", "\N{EURO SIGN}", "\0", "$$", "--", "NaN", "1mo", "USING TTL ?"]
        self.assertSane(self.connection.query("USE ks"))
        for _ in range(10 * ROUNDS):
            batch = []
            for statement in dice.choices(statements, k=150):
                text = list(statement)
                for _ in range(dice.randrange(4)):
                    at = dice.randrange(len(text))
                    match dice.randrange(4):
                        case 0:
                            text[at] = dice.choice(pieces)
                        case 1:
                            del text[at]
                        case 2:
                            text.insert(at, dice.choice(pieces))
                        case _:
                            other = dice.choice(statements)
                            text[at:] = other[dice.randrange(len(other)):]
                    if not text:
                        break
                batch.append("".join(text))
            self.ask_all(batch)

    def ask_all(self, texts):
        """Prepared and with a wrong value, or at once, many at a time; nothing must be the server's fault."""
        sent = bytearray()
        for stream, text in enumerate(texts):
            if stream % 3 == 0:
                sent += cql.envelope(cql.PREPARE, cql.long_string(text), stream)
            else:
                values = [b"\0\0\0\x01"] * text.count("?") if stream % 3 == 1 else []
                sent += cql.envelope(cql.QUERY, cql.query_body(text, values=values), stream)
        self.connection.send_raw(bytes(sent))
        for _ in texts:
            answer = self.connection.receive()
            self.assertIsNotNone(answer, texts)
            self.assertFalse(answer.is_error() and answer.code() == cql.SERVER_ERROR, (answer, texts[answer.stream]))


class Amounts(BadStatementTest):
    def test_in_lists(self):
        count = 70_000
        ints = [struct.pack(">i", number) for number in range(count)]
        listed = ", ".join(map(str, range(count)))
        self.assertError(self.connection.query(f"SELECT v FROM lasting.kept WHERE k IN ({listed})"), SYNTAX)
        self.assertError(self.connection.query(f"DELETE FROM lasting.kept WHERE k IN ({listed})"), SYNTAX)
        bound = struct.pack(">i", count) + b"".join(map(cql.value, ints))
        self.assertError(self.connection.query("SELECT v FROM lasting.kept WHERE k IN ?", values=[bound]), INVALID)
        markers = ", ".join("?" * 65_535)
        self.assertSane(self.connection.query(f"SELECT v FROM lasting.kept WHERE k IN ({markers})", values=ints[:65_535]))
        few = ", ".join(map(str, range(300)))
        self.assertError(self.connection.query(
            f"SELECT v FROM ks.wide WHERE k IN ({few}) AND j IN ({few}) AND c IN ({few}) AND d IN ({few})"), INVALID)

    def test_markers(self):
        many = ", ".join("?" * 65_536)
        for statement in (f"SELECT v FROM lasting.kept WHERE k IN ({many})", f"INSERT INTO ks.kinds (k, c19) VALUES (1, [{many}])"):
            self.assertError(self.connection.query(statement), SYNTAX, INVALID)
            self.assertError(self.connection.prepare(statement), SYNTAX, INVALID)
        for count in (0, 1, 2, 65_535):
            given = self.connection.query("SELECT v FROM ks.wide WHERE k = ? AND j = ? AND c = ?", values=[b"\0\0\0\x01"] * count)
            self.assertError(given, INVALID)

    def test_batches(self):
        one = "INSERT INTO lasting.kept (k, v) VALUES (9, 'batched')"
        self.assertError(self.connection.query("BEGIN BATCH " + f"{one}; " * 66_000 + "APPLY BATCH"), INVALID, SYNTAX)
        known = self.connection.prepare("INSERT INTO lasting.kept (k, v) VALUES (?, 'batched')").prepared_id()
        values = [[struct.pack(">i", 1_000 + number)] for number in range(65_535)]
        self.assertSane(self.connection.ask(cql.BATCH, cql.batch_body([(known, value) for value in values], kind=1)))
        # A count of 0 with 65,536 statements behind it, and the other way round.
        self.assertSane(self.connection.ask(cql.BATCH, cql.batch_body([(known, values[0])] * 65_536)))
        self.assertError(self.connection.ask(cql.BATCH, b"\0\xff\xff" + cql.batch_body([(known, values[0])])[3:]), PROTOCOL)
        for wrong in (("SELECT v FROM lasting.kept", ()), ("USE ks", ()), ("DROP TABLE lasting.kept", ()), ("", ()), (b"", ()),
                      (bytes(16), ()), (known, ()), (known, [cql.UNSET]), (known, [b"\0\0\0\0\0"]), (one, values[0]),
                      (known, [cql.NULL]), ("UPDATE ks.missing SET v = 1 WHERE k = 1", ())):
            self.assertError(self.connection.ask(cql.BATCH, cql.batch_body([(one, ()), wrong])),
                             INVALID, SYNTAX, PROTOCOL, cql.UNPREPARED)
        for kind in (3, 255):
            self.assertError(self.connection.ask(cql.BATCH, cql.batch_body([(one, ())], kind=kind)), PROTOCOL)
        self.assertError(self.connection.ask(cql.BATCH, cql.batch_body([(one, ())], kind=2)), INVALID)

    def test_columns_and_options(self):
        for text in ("CREATE TABLE ks.many (k int PRIMARY KEY, " + ", ".join(f"c{n} int" for n in range(20_000)) + ")",
                     "CREATE TYPE ks.many (" + ", ".join(f"f{n} int" for n in range(40_000)) + ")",
                     "CREATE TABLE ks.many (k int PRIMARY KEY) WITH " + " AND ".join(["comment = 'a'"] * 10_000),
                     "CREATE TABLE ks.many (" + ", ".join(f"c{n} int" for n in range(3_000)) + ", PRIMARY KEY (" +
                     ", ".join(f"c{n}" for n in range(3_000)) + "))",
                     "CREATE TABLE ks.many (k int PRIMARY KEY, v vector<float, 2147483647>)",
                     "CREATE TABLE ks.many (k int PRIMARY KEY, v vector<float, 99999999999>)",
                     "CREATE TABLE ks.many (k int PRIMARY KEY, v tuple<" + ", ".join(["int"] * 40_000) + ">)",
                     "CREATE TABLE ks.many (k int PRIMARY KEY, v 'org.apache." + "a(" * 30_000 + "')"):
            self.assertSane(self.connection.query(text))
            self.connection.query("DROP TABLE IF EXISTS ks.many")
            self.connection.query("DROP TYPE IF EXISTS ks.many")


class Values(BadStatementTest):
    def test_sizes_of_every_type(self):
        dice = random.Random(SEED)
        for index, (kind, sizes) in enumerate(SIZES.items()):
            known = self.connection.prepare(f"INSERT INTO ks.kinds (k, c{index}) VALUES (1, ?)").prepared_id()
            for size in (*range(0, 21), 100, 70_000):
                for data in (bytes(size), b"\xff" * size, dice.randbytes(size)):
                    answer = self.connection.execute(known, values=[data])
                    self.assertSane(answer)
                    if sizes and size not in sizes and (size > 0 or kind in STRICT):
                        self.assertError(answer, INVALID)
                    if not answer.is_error() and size <= 100:
                        shown = self.connection.query(f"SELECT c{index}, toJson(c{index}) FROM ks.kinds WHERE k = 1")
                        self.assertSane(shown)

    def test_collections_that_lie_about_their_sizes(self):
        dice = random.Random(SEED)
        for index, kind in enumerate(SIZES):
            if "<" not in kind:
                continue
            known = self.connection.prepare(f"INSERT INTO ks.kinds (k, c{index}) VALUES (2, ?)").prepared_id()
            for _ in range(60 * ROUNDS):
                lengths = (0, 1, 2, 3, 4, 8, 16, -1, -2, -3, 0x7FFFFFFF, -0x80000000, 0x10000, 0x7FFF0000)
                data = b"".join(struct.pack(">i", dice.choice(lengths)) + dice.randbytes(dice.choice((0, 0, 1, 4, 4, 8, 16)))
                                for _ in range(dice.randrange(1, 6)))
                answer = self.connection.execute(known, values=[data])
                self.assertSane(answer)
                if not answer.is_error():
                    self.assertSane(self.connection.query(f"SELECT c{index}, toJson(c{index}) FROM ks.kinds WHERE k = 2"))

    def test_lengths_below_unset(self):
        for length in (-3, -0x80000000):
            self.assertError(self.connection.query("SELECT v FROM lasting.kept WHERE k = ?", values=[length]), PROTOCOL)
        self.assertError(self.connection.query("SELECT v FROM lasting.kept WHERE k = ?", values=[cql.UNSET]), INVALID)
        self.assertError(self.connection.query("SELECT v FROM lasting.kept WHERE k = ?", values=[cql.NULL]), INVALID)
        old = self.ready(version=3)
        self.assertError(old.query("SELECT v FROM lasting.kept WHERE k = ?", values=[-3]), INVALID)

    def test_names(self):
        one = b"\0\0\0\x01"
        text = "SELECT v FROM ks.wide WHERE k = :a AND j = :b"
        self.assertEqual(self.connection.query(text, values=[one, one], names=["b", "a"]).opcode, RESULT)
        for names in (["a"], ["b"], ["a", "c"], ["", "a"], ["a" * 60_000, "b"], ["a", "a"], ["A", "B"]):
            self.assertError(self.connection.query(text, values=[one] * len(names), names=names), INVALID)
        self.assertError(self.connection.query(text, values=[one, one], names=[b"\xff", "b"]), PROTOCOL)
        self.assertSane(self.connection.query(text, values=[one] * 60_000, names=["a"] * 60_000))
        self.assertSane(self.connection.query("SELECT v FROM lasting.kept WHERE k = ?", values=[one], names=["nobody"]))

    def test_statements_nobody_prepared(self):
        for unknown in (b"", b"a", bytes(16), b"\xff" * 16, b"\xff" * 65_535):
            self.assertError(self.connection.execute(unknown), cql.UNPREPARED)
        for version in (3, 5):
            self.assertError(self.ready(version=version).execute(bytes(16), values=[b"a"] * 100), cql.UNPREPARED)

    def test_paging_states(self):
        dice = random.Random(SEED)
        for number in range(20):
            self.connection.query(f"INSERT INTO ks.wide (k, j, c, d, v) VALUES ({number % 3}, 0, {number}, 0, 'v')")
        texts = ("SELECT v FROM ks.wide", "SELECT v FROM ks.wide WHERE k = 1 AND j = 0", "SELECT count(*) FROM ks.wide GROUP BY k, j",
                 "SELECT v FROM ks.wide WHERE k = 1 AND j = 0 ORDER BY c DESC", "SELECT DISTINCT k, j FROM ks.wide",
                 "SELECT v FROM lasting.kept", "SELECT table_name FROM system_schema.columns", "SELECT v FROM ks.wide LIMIT 5",
                 "SELECT v FROM ks.wide WHERE v = 'v' ALLOW FILTERING", "SELECT v FROM ks.wide WHERE token(k, j) > 0")
        states = []
        for text in texts:
            page = self.connection.query(text, page=2)
            self.assertEqual(page.opcode, RESULT, page)
            states.append(page.paging_state())
        states = [state for state in states if state]
        self.assertGreater(len(states), 5)
        garbage = [b"", b"\0", b"\xff" * 40, bytes(100), dice.randbytes(70_000), cql.NULL]
        for _ in range(300 * ROUNDS):
            state = bytearray(dice.choice(states))
            for _ in range(dice.randrange(3)):
                state[dice.randrange(len(state))] = dice.randrange(256)
            garbage.append(bytes(state[:dice.randrange(len(state) + 1)] if dice.random() < 0.3 else state))
        for state in garbage:
            answer = self.connection.query(dice.choice(texts), page=dice.choice((0, 1, 2, -1, 0x7FFFFFFF)), state=state)
            self.assertSane(answer)
            if answer.is_error():
                self.assertError(answer, INVALID, PROTOCOL)


if __name__ == "__main__":
    unittest.main()
