"""Random requests whose operands mostly have the types that operators ask for, so that values are compared, not refusals.

Every operator of the query, update and aggregation languages that MongoDB 6.0 has is made here or in generator.py; operators.py checks it.
"""
import copy
import datetime

import bson
from bson.decimal128 import Decimal128
from bson.int64 import Int64
from bson.son import SON

from generator import SCALARS, TYPES, UNITS, UTC, ZONES, Generator

NUMBERS = (0, 1, 2, 3, 7, -1, -4, 10, 100, 2**31 - 1, -2**31, 0.5, 1.5, 2.5, -2.5, -0.0, 0.1, 1e-7, 1e15, 1e21, 1e300, Int64(0), Int64(5), Int64(-6), Int64(2**40),
           Int64(2**53 + 1), Int64(2**63 - 1), Int64(-2**63), Decimal128("1.5"), Decimal128("2"), Decimal128("-0.30"), Decimal128("1E+3"), Decimal128("0.1"),
           Decimal128("12345678901234567890.5"), float("nan"), float("inf"), float("-inf"), Decimal128("NaN"), Decimal128("Infinity"), Decimal128("-0"))
SMALL = (0, 1, 2, 3, -1, -2, 5, 1.5, 2.0, Int64(2), Int64(-3), Decimal128("2.5"), 0.25)
TEXTS = ("", "a", "A", "b", "abc", "ABC", "abcabc", "Ab c", " padded  ", "\u00e9t\u00e9", "e\u0301", "stra\u00dfe", "\u00e4rger", "Zebra", "z", "item10", "item9", "item2", "10", "-3", "1.5", "1e3", "x.y",
         "$a", "true", "a,b,,c", "\u4e2d\u6587", "\U0001f600x", "2020-02-29", "2021-06-15T10:20:30.456Z", "5f5f5f5f5f5f5f5f5f5f5f5f", "co-op", "coop", "co op", "\ttab\n", "0x1f", "Mon", "I", "\u0131\u0130")
DATES = (datetime.datetime(1970, 1, 1, tzinfo=UTC), datetime.datetime(2020, 2, 29, 12, 34, 56, 789000, UTC), datetime.datetime(1969, 12, 31, 23, 59, 59, 999000, UTC),
         datetime.datetime(2021, 3, 28, 0, 30, tzinfo=UTC), datetime.datetime(2021, 10, 31, 1, 30, tzinfo=UTC), datetime.datetime(2024, 12, 30, tzinfo=UTC),
         datetime.datetime(2021, 1, 3, 23, 15, 1, 1000, UTC), datetime.datetime(1900, 1, 1, tzinfo=UTC), datetime.datetime(2100, 12, 31, 23, 59, 59, tzinfo=UTC),
         datetime.datetime(2016, 1, 1, 6, tzinfo=UTC))
OTHERS = (None, True, False, bson.ObjectId("0" * 24), bson.ObjectId("5f" * 12), bson.Timestamp(1, 2), bson.Timestamp(2**31 + 7, 1), b"ab", b"", bson.Binary(b"abc", 5), bson.Binary(b"0" * 16, 4),
          bson.Regex("^a", "i"), bson.MinKey(), bson.MaxKey(), bson.Code("x"), bson.Code("y", {"z": 1}))
PLACES = ([0, 0], [10, 10], [-5, 3.5], [179, 80], [-179.5, -80], [1, 1])
FIELDS = "nmstdelkopfjgxwv"
ZONE_MORE = (*ZONES, "GMT", "Australia/Lord_Howe", "America/St_Johns", "+00", "-10", "Asia/Tokyo", "Nowhere/Here")
FORMATS = ("%Y-%m-%d", "%H:%M:%S.%L", "%G-W%V-%u", "%j", "%U %w %%", "%z %Z", "%d/%m/%Y", "%Y%m%dT%H%M%S%z", "%")
TRIGONOMETRY = ("$sin", "$cos", "$tan", "$asin", "$acos", "$atan", "$asinh", "$acosh", "$atanh", "$sinh", "$cosh", "$tanh", "$degreesToRadians", "$radiansToDegrees")
DATE_PARTS = ("$year", "$month", "$dayOfMonth", "$dayOfWeek", "$dayOfYear", "$hour", "$minute", "$second", "$millisecond", "$week", "$isoWeek", "$isoWeekYear", "$isoDayOfWeek")


class TypedGenerator(Generator):
    """Documents with a field of each type, and requests for them."""

    def typed_document(self, number):
        """n, m numbers; s, t texts; d, e dates; l numbers, k texts, p objects in arrays; o an object; f a bool; j any; g a timestamp; x bytes; w a place; v anything."""
        r = self.r
        makers = {
            "n": lambda: r.choice(NUMBERS), "m": lambda: r.choice(SMALL), "s": lambda: r.choice(TEXTS), "t": lambda: r.choice(TEXTS), "d": lambda: r.choice(DATES), "e": lambda: r.choice(DATES),
            "l": lambda: [r.choice(NUMBERS if self.chance(0.5) else SMALL) for _ in range(r.randrange(5))], "k": lambda: [r.choice(TEXTS) for _ in range(r.randrange(4))],
            "o": lambda: self.typed_object(), "p": lambda: [self.typed_object() for _ in range(r.randrange(4))], "f": lambda: self.chance(0.5),
            "j": lambda: self.pick(bson.ObjectId("0" * 24), bson.ObjectId("5f" * 12)), "g": lambda: self.pick(bson.Timestamp(1, 2), bson.Timestamp(2**31 + 7, 1)),
            "x": lambda: self.pick(b"ab", b"", bson.Binary(b"abc", 5), b"abc"), "w": self.place, "v": self.value}
        found = SON([("_id", number)])
        for name in FIELDS:
            kind = r.random()
            if kind < 0.08:
                continue
            found[name] = None if kind < 0.12 else self.value(1) if kind < 0.16 else makers[name]()
        return found

    def typed_object(self):
        r = self.r
        made = [("a", r.choice(SMALL)), ("b", r.choice(TEXTS)), ("c", [r.choice(SMALL) for _ in range(r.randrange(3))]), ("q", r.choice(DATES))]
        return SON(pair for pair in made if self.chance(0.85))

    def place(self):
        at = list(self.r.choice(PLACES))
        return self.pick(at, SON([("type", "Point"), ("coordinates", at)]), SON([("type", "LineString"), ("coordinates", [at, [at[0] / 2 + 1, at[1] / 2 + 1]])]))

    def collation(self):
        found = SON([("locale", self.pick("en", "en", "de", "fr", "sv", "de@collation=phonebook", "fr_CA", "simple", "zh", "tr"))])
        if found["locale"] == "simple":
            return found
        for name, options in (("strength", (1, 2, 3, 4, 5)), ("caseLevel", (True, False)), ("caseFirst", ("upper", "lower", "off")), ("numericOrdering", (True, False)),
                              ("alternate", ("shifted", "non-ignorable")), ("backwards", (True, False)), ("normalization", (True, False)), ("maxVariable", ("punct", "space"))):
            if self.chance(0.3):
                found[name] = self.r.choice(options)
        return found

    # Expressions by the type of their value.
    def literal(self, value):
        return SON([("$literal", value)]) if isinstance(value, (SON, dict, list)) or isinstance(value, str) and value.startswith("$") else value

    def num(self, depth=0):
        r, n = self.r, lambda: self.num(depth + 1)
        if depth > 2 or self.chance(0.3):
            return self._leaf(("$n", "$m", "$n", "$m", "$o.a", "$_id"), NUMBERS if self.chance(0.4) else SMALL)
        s, a, d = lambda: self.text(depth + 1), lambda: self.numbers(depth + 1), lambda: self.date(depth + 1)
        return self.pick(
            lambda: {"$add": [n() for _ in range(r.randrange(1, 4))]}, lambda: {"$subtract": [n(), n()]}, lambda: {"$multiply": [n() for _ in range(r.randrange(1, 4))]}, lambda: {"$divide": [n(), n()]},
            lambda: {"$mod": [n(), n()]}, lambda: {self.pick("$abs", "$ceil", "$floor", "$sqrt", "$exp", "$ln", "$log10"): n()}, lambda: {self.pick("$round", "$trunc"): [n(), self.pick(0, 1, 2, -1, -3, 15, Int64(2))]},
            lambda: {self.pick("$round", "$trunc"): n()}, lambda: {"$pow": [n(), self.pick(2, 0, -1, 0.5, 3, Int64(10), Decimal128("2"), "$m")]}, lambda: {"$log": [n(), self.pick(2, 10, 1.5, "$m")]},
            lambda: {self.r.choice(TRIGONOMETRY): n()}, lambda: {"$atan2": [n(), n()]}, lambda: {"$size": self.array(depth + 1)}, lambda: {self.pick("$strLenCP", "$strLenBytes"): s()},
            lambda: {self.pick("$indexOfCP", "$indexOfBytes"): [s(), s(), *self.pick([], [1], [0, 3], [2, 1])]}, lambda: {"$indexOfArray": [self.array(depth + 1), self.any(depth + 1), *self.pick([], [1], [0, 2])]},
            lambda: {self.pick("$sum", "$avg", "$min", "$max", "$stdDevPop", "$stdDevSamp"): self.pick(a, lambda: [n(), n()], lambda: [a(), n()])()},
            lambda: {self.pick("$toInt", "$toLong", "$toDouble", "$toDecimal"): self.pick(n, n, s, d, lambda: self.boolean(depth + 1))()},
            lambda: {"$dateDiff": {"startDate": d(), "endDate": d(), "unit": r.choice(UNITS), **self.zone(), **self.pick({}, {}, {"startOfWeek": self.pick("monday", "FRI", "sun")})}},
            lambda: {r.choice(DATE_PARTS): self.pick(d, lambda: {"date": d(), **self.zone()})()}, lambda: {"$cmp": [self.any(depth + 1), self.any(depth + 1)]}, lambda: {"$strcasecmp": [s(), s()]},
            lambda: {"$bsonSize": self.object(depth + 1)}, lambda: {"$binarySize": self.pick("$x", s())}, lambda: {self.pick("$tsSecond", "$tsIncrement"): self.pick("$g", bson.Timestamp(5, 6))},
            lambda: self.choice(n, depth), lambda: {"$arrayElemAt": [a(), self.pick(0, 1, -1, 5)]}, lambda: {self.pick("$first", "$last"): a()}, lambda: {"$subtract": [d(), d()]},
            lambda: {"$reduce": SON([("input", a()), ("initialValue", self.pick(0, 1, Int64(0))), ("in", self.pick({"$add": ["$$value", "$$this"]}, {"$max": ["$$value", "$$this"]}, {"$multiply": ["$$this", 2]}))])},
            lambda: {"$let": SON([("vars", {"x": n(), "y": n()}), ("in", self.pick({"$add": ["$$x", "$$y"]}, "$$x", {"$subtract": ["$$y", "$$x"]}))])}, lambda: {"$getField": self.pick("n", SON([("field", "a"), ("input", self.object(depth + 1))]))},
            lambda: {"$convert": SON([("input", self.any(depth + 1)), ("to", self.pick("int", "long", "double", "decimal", 1, 16, 18, 19)), *self.pick([], [("onError", "bad")], [("onError", "bad"), ("onNull", -1)])])},
        )()

    def _leaf(self, paths, values):
        return self.r.choice(paths) if self.chance(0.65) else self.literal(self.r.choice(values))

    def zone(self):
        return {"timezone": self.r.choice(ZONE_MORE)} if self.chance(0.35) else {}

    def choice(self, make, depth):
        """An expression that has one of several others' values."""
        return self.pick(
            lambda: {"$cond": self.pick([self.boolean(depth + 1), make(), make()], SON([("if", self.boolean(depth + 1)), ("then", make()), ("else", make())]))},
            lambda: {"$ifNull": [self.pick("$nope", make()), make(), *self.pick([], [make()])]},
            lambda: {"$switch": SON([("branches", [SON([("case", self.boolean(depth + 1)), ("then", make())]) for _ in range(self.pick(1, 2))]), ("default", make())])})()

    def text(self, depth=0):
        r, s = self.r, lambda: self.text(depth + 1)
        if depth > 2 or self.chance(0.35):
            return self._leaf(("$s", "$t", "$s", "$t", "$o.b"), TEXTS)
        return self.pick(
            lambda: {"$concat": [s() for _ in range(r.randrange(1, 4))]}, lambda: {self.pick("$toUpper", "$toLower"): self.pick(s, s, lambda: self.any(depth + 1))()}, lambda: {self.pick("$substrCP", "$substrBytes", "$substr"): [s(), self.pick(0, 1, 2, 20), self.pick(0, 1, 3, 50)]},
            lambda: {self.pick("$trim", "$ltrim", "$rtrim"): {"input": s(), **self.pick({}, {}, {"chars": self.pick("a", "abc", " ", "\u00e9z", s())})}},
            lambda: {self.pick("$replaceOne", "$replaceAll"): {"input": s(), "find": self.pick("a", "b", "", s()), "replacement": self.pick("", "XY", s())}},
            lambda: {"$toString": self.pick(lambda: self.num(depth + 1), lambda: self.date(depth + 1), lambda: self.boolean(depth + 1), s, lambda: "$j", lambda: self.any(depth + 1))()},
            lambda: {"$dateToString": {"date": self.date(depth + 1), **self.pick({}, {"format": r.choice(FORMATS)}), **self.zone(), **self.pick({}, {"onNull": "none"})}},
            lambda: {"$arrayElemAt": [{"$split": [s(), self.pick(",", "b", " ", s())]}, self.pick(0, 1, -1)]}, lambda: {"$type": self.any(depth + 1)}, lambda: self.choice(s, depth),
            lambda: {"$reduce": SON([("input", "$k"), ("initialValue", ""), ("in", {"$concat": ["$$value", "$$this"]})])}, lambda: {self.pick("$min", "$max", "$first", "$last"): self.texts(depth + 1)},
            lambda: {"$convert": SON([("input", self.any(depth + 1)), ("to", self.pick("string", 2, {"$literal": "string"})), ("onError", "bad"), ("onNull", "nul")])},
        )()

    def date(self, depth=0):
        r, d = self.r, lambda: self.date(depth + 1)
        if depth > 2 or self.chance(0.45):
            return self._leaf(("$d", "$e", "$d", "$e", "$o.q"), DATES)
        return self.pick(
            lambda: {self.pick("$dateAdd", "$dateSubtract"): {"startDate": d(), "unit": r.choice(UNITS), "amount": self.pick(0, 1, -1, 13, 400, Int64(5), "$m"), **self.zone()}},
            lambda: {"$dateTrunc": {"date": d(), "unit": r.choice(UNITS), **self.pick({}, {"binSize": self.pick(1, 2, 3, 7, 25)}), **self.zone(), **self.pick({}, {}, {"startOfWeek": self.pick("monday", "thu", "Sunday")})}},
            lambda: {"$dateFromParts": {self.pick("year", "year", "year", "isoWeekYear"): self.pick(2020, 1969, 2000.0, Int64(1), 9999, 0, "$m"), **self.pick({}, {"month": self.pick(1, 12, 13, 0, -3, 100)}), **self.pick({}, {"day": self.pick(1, 31, 0, -1, 400)}),
                                        **self.pick({}, {"hour": self.pick(0, 25, -1)}), **self.pick({}, {"minute": 61}, {"second": -1}, {"millisecond": 1234}), **self.zone()}},
            lambda: {"$dateFromParts": {"isoWeekYear": self.pick(2020, 2015, 1970), "isoWeek": self.pick(1, 53, 54, 0), "isoDayOfWeek": self.pick(1, 7, 8, 0), **self.zone()}},
            lambda: {"$dateFromString": {"dateString": self.pick("2020-01-02", "2020-01-02T03:04:05Z", "2020-01-02T03:04:05.678+02:00", "2020-02-30", "20200102", "2020-1-2", "2020-01-02 03:04", "Jan 2 2020", "2020-W05-1", "12:30", "", "2020-01-02T03:04:05.6789", "$s", "2017-02-08T12:10:40.787 Europe/Berlin"),
                                         **self.pick({}, {}, {"format": self.pick("%Y-%m-%d", "%Y-%m-%dT%H:%M:%S.%LZ", "%d-%m-%Y", "%Y-%m-%dT%H:%M:%SZ", "%G-W%V-%u", "%Y-%j")}), **self.zone(), **self.pick({}, {"onError": "bad"}), **self.pick({}, {"onNull": "nul"})}},
            lambda: {"$toDate": self.pick(d, lambda: self.pick(Int64(10**12), Int64(-10**11), 1e12, Decimal128("1000"), "$j", "$g", "2020-02-29"), lambda: self.num(depth + 1))()},
            lambda: {"$add": [d(), self.pick(1000, -1, 0.5, Int64(86400000), "$m")]}, lambda: {"$subtract": [d(), self.pick(1000, 1.5, Int64(10**10), "$m")]}, lambda: self.choice(d, depth), lambda: {self.pick("$min", "$max"): [d(), d()]},
        )()

    def boolean(self, depth=0):
        b, any_ = lambda: self.boolean(depth + 1), lambda: self.any(depth + 1)
        if depth > 2 or self.chance(0.15):
            return self._leaf(("$f",), (True, False, None, 0, 1))
        return self.pick(
            lambda: {self.pick("$eq", "$ne", "$gt", "$gte", "$lt", "$lte"): self.pick(lambda: [self.num(depth + 1), self.num(depth + 1)], lambda: [self.text(depth + 1), self.text(depth + 1)], lambda: [any_(), any_()])()},
            lambda: {self.pick("$and", "$or"): [b() for _ in range(self.r.randrange(3))]}, lambda: {"$not": [b()]}, lambda: {"$in": [any_(), self.array(depth + 1)]}, lambda: {"$isArray": [any_()]}, lambda: {"$isNumber": any_()},
            lambda: {"$setIsSubset": [self.array(depth + 1), self.array(depth + 1)]}, lambda: {"$setEquals": [self.array(depth + 1), self.array(depth + 1)]}, lambda: {self.pick("$allElementsTrue", "$anyElementTrue"): [self.array(depth + 1)]},
            lambda: {"$regexMatch": {"input": self.text(depth + 1), "regex": self.pick("a", "^[A-Z]", bson.Regex("B", "i"), "\\d+$", "(?i)ABC"), **self.pick({}, {"options": self.pick("i", "s", "x", "m")})}},
            lambda: {"$toBool": any_()}, lambda: {"$convert": SON([("input", any_()), ("to", "bool")])})()

    def numbers(self, depth=0):
        if depth > 2 or self.chance(0.5):
            return self._leaf(("$l", "$o.c", "$p.a"), ([1, 2, 3], [], [5, 1.5, Int64(2)], [None, 1], [Decimal128("1"), 1, 1.0]))
        a = lambda: self.numbers(depth + 1)
        return self.pick(
            lambda: {"$map": SON([("input", a()), *self.pick([], [("as", "this")]), ("in", self.pick({"$add": ["$$this", 1]}, {"$multiply": ["$$this", "$$this"]}, "$$this"))])},
            lambda: {"$filter": SON([("input", a()), ("as", "x"), ("cond", self.pick({"$gt": ["$$x", 1]}, {"$isNumber": "$$x"}, {"$ne": ["$$x", "$m"]})), *self.pick([], [], [("limit", self.pick(1, 2))])])},
            lambda: {"$range": [self.pick(0, -2, 5), self.pick(3, 10, 0), *self.pick([], [2], [-1])]}, lambda: {"$concatArrays": [a(), a()]}, lambda: {"$reverseArray": a()}, lambda: {"$sortArray": SON([("input", a()), ("sortBy", self.pick(1, -1))])},
            lambda: {"$slice": [a(), *self.pick([1], [-2], [1, 2], [-3, 2], [10, 1])]}, lambda: {self.pick("$firstN", "$lastN", "$maxN", "$minN"): SON([("n", self.pick(1, 2, 5)), ("input", a())])},
            lambda: {self.pick("$setUnion", "$setIntersection"): [a(), a()]}, lambda: {"$setDifference": [a(), a()]}, lambda: self.choice(a, depth))()

    def texts(self, depth=0):
        if depth > 2 or self.chance(0.4):
            return self._leaf(("$k", "$p.b"), (["a", "B"], [], ["x", "x", "\u00e9"]))
        return self.pick(
            lambda: {"$split": [self.text(depth + 1), self.pick(",", "b", " ", "bc")]}, lambda: {"$map": SON([("input", self.texts(depth + 1)), ("as", "x"), ("in", self.pick({"$toUpper": "$$x"}, {"$concat": ["$$x", "!"]}, {"$strLenCP": "$$x"}))])},
            lambda: {"$sortArray": SON([("input", self.texts(depth + 1)), ("sortBy", self.pick(1, -1))])}, lambda: {"$setUnion": [self.texts(depth + 1), self.texts(depth + 1)]}, lambda: {"$concatArrays": [self.texts(depth + 1), self.texts(depth + 1)]},
            lambda: {"$setDifference": [self.texts(depth + 1), self.texts(depth + 1)]})()

    def array(self, depth=0):
        if depth > 2 or self.chance(0.25):
            return self._leaf(("$l", "$k", "$p", "$p.c", "$o.c", "$v"), ([], [1, "a", None], [[1, 2], [3]], [{"k": "x", "v": 1}], [["y", 2]]))
        o = lambda: self.object(depth + 1)
        return self.pick(
            lambda: self.numbers(depth + 1), lambda: self.texts(depth + 1), lambda: {"$objectToArray": o()}, lambda: {"$zip": {"inputs": [self.array(depth + 1), self.array(depth + 1)], **self.pick({}, {"useLongestLength": True}, SON([("useLongestLength", True), ("defaults", [0, "none"])]))}},
            lambda: {"$regexFindAll": {"input": self.text(depth + 1), "regex": self.pick("a", "(b)(c)?", "[a-z]+", "\u00e9|e", "")}}, lambda: {"$sortArray": SON([("input", "$p"), ("sortBy", self.pick({"a": 1}, {"b": -1}, SON([("c", 1), ("a", -1)]), {"q": 1}))])},
            lambda: {"$map": SON([("input", self.array(depth + 1)), ("as", "x"), ("in", self.pick({"$type": "$$x"}, ["$$x"], {"v": "$$x"}, "$$x.a"))])}, lambda: {"$filter": SON([("input", "$p"), ("as", "x"), ("cond", self.pick({"$gt": ["$$x.a", 1]}, {"$in": [2, {"$ifNull": ["$$x.c", []]}]}, {"$eq": ["$$x.b", "$s"]}))])},
            lambda: [self.any(depth + 1) for _ in range(self.r.randrange(3))], lambda: {self.pick("$firstN", "$lastN", "$maxN", "$minN"): SON([("n", self.pick(1, 2, {"$add": [1, 1]})), ("input", self.array(depth + 1))])},
            lambda: {"$reverseArray": self.array(depth + 1)}, lambda: {"$slice": [self.array(depth + 1), self.pick(1, -1, 2)]})()

    def object(self, depth=0):
        o = lambda: self.object(depth + 1)
        if depth > 2 or self.chance(0.3):
            return self._leaf(("$o", "$$ROOT", "$$CURRENT", "$o"), ({}, {"a": 1, "b": "x"}))
        return self.pick(
            lambda: {"$mergeObjects": self.pick([o(), o()], "$p", [o(), {"z": self.any(depth + 1)}])}, lambda: {"$arrayToObject": self.pick({"$objectToArray": o()}, {"$literal": [["y", 2], ["y", 3]]}, {"$literal": [{"k": "x", "v": [1]}]}, [["x", self.any(depth + 1)]])},
            lambda: {"$setField": SON([("field", self.pick("a", "x.y", {"$literal": "$z"})), ("input", o()), ("value", self.pick("$$REMOVE", self.any(depth + 1)))])}, lambda: {"$unsetField": SON([("field", self.pick("a", "q")), ("input", o())])},
            lambda: {"$dateToParts": {"date": self.date(depth + 1), **self.zone(), **self.pick({}, {"iso8601": True})}}, lambda: {"$regexFind": {"input": self.text(depth + 1), "regex": self.pick("(a)(z)?", bson.Regex("B.", "i"), "\\w$"), **self.pick({}, {"options": "i"})}},
            lambda: SON([("x", self.any(depth + 1)), ("y", self.any(depth + 1))]), lambda: {self.pick("$first", "$last"): "$p"}, lambda: {"$arrayElemAt": ["$p", self.pick(0, -1)]}, lambda: self.choice(o, depth))()

    def any(self, depth=0):
        return self.pick(self.num, self.num, self.text, self.date, self.boolean, self.array, self.object, lambda _: self._leaf(("$v", "$j", "$x", "$g", "$nope", "$w", "$v.a", "$p.b", "$$REMOVE"), OTHERS))(depth + 1)

    # Filters.
    def typed_filter(self, depth=0):
        r = self.r
        if depth < 2 and self.chance(0.2):
            return SON([(self.pick("$and", "$or", "$nor"), [self.typed_filter(depth + 1) for _ in range(1 + r.randrange(3))])])
        comparison = lambda: self.pick("$eq", "$ne", "$gt", "$gte", "$lt", "$lte")
        of = lambda values: self.pick(lambda: {comparison(): r.choice(values)}, lambda: r.choice(values), lambda: {self.pick("$in", "$nin"): [r.choice(values) for _ in range(r.randrange(4))]}, lambda: {"$gte": r.choice(values), "$lt": r.choice(values)},
                                      lambda: {"$not": {comparison(): r.choice(values)}})()
        number = lambda: self.pick(lambda: of(NUMBERS), lambda: of(SMALL), lambda: {"$mod": self.pick([2, 1], [3, 0], [2.5, 0], [-2, 1], [Int64(5), 0])}, lambda: {self.pick("$bitsAllSet", "$bitsAnySet", "$bitsAllClear", "$bitsAnyClear"): self.pick(1, 6, [0, 3], b"\x05", Int64(2**40), [63, 70])})()
        text = lambda: self.pick(lambda: of(TEXTS), lambda: {"$regex": self.pick("^a", "A", "b.*c", "\\d", "^$", "\u00e9", "(?i)z"), **self.pick({}, {"$options": self.pick("i", "m", "s", "x", "si")})}, lambda: bson.Regex("^A", self.pick("", "i")), lambda: {"$in": [bson.Regex("b"), r.choice(TEXTS)]}, lambda: {"$not": bson.Regex("a")})()
        anything = lambda: self.pick(lambda: {"$exists": self.pick(True, False)}, lambda: {"$type": r.choice(TYPES)}, lambda: of(SCALARS), lambda: of(OTHERS), lambda: None, lambda: {"$eq": self.value(1)})()
        made = self.pick(
            lambda: {self.pick("n", "m", "o.a"): number()}, lambda: {self.pick("s", "t", "o.b"): text()}, lambda: {self.pick("d", "e", "o.q"): of(DATES)}, lambda: {self.pick("l", "p.a", "o.c", "p.c", "l.0", "p.1.a", "p.c.0"): number()},
            lambda: {self.pick("k", "p.b"): text()}, lambda: {self.pick("l", "k", "p", "p.c", "o.c"): {"$size": self.pick(0, 1, 2, Int64(2))}}, lambda: {"l": {"$all": [r.choice(SMALL) for _ in range(self.pick(1, 2))]}}, lambda: {"k": {"$all": [r.choice(TEXTS), self.pick(bson.Regex("a"), "a")]}},
            lambda: {"l": {"$elemMatch": number() if self.chance(0.1) else SON([(comparison(), r.choice(SMALL)), *self.pick([], [("$lt", 3)], [("$ne", 1)])])}}, lambda: {"p": {"$elemMatch": SON([("a", number()), *self.pick([], [("b", text())])])}}, lambda: {"p": {"$all": [{"$elemMatch": {"a": number()}}, {"$elemMatch": {"b": text()}}]}},
            lambda: {self.pick(*FIELDS): anything()}, lambda: {self.pick("v", "v.a", "o", "p", "o.c", "p.c"): anything()}, lambda: {"$expr": self.boolean(1)}, lambda: {"$jsonSchema": self.schema()}, lambda: {"_id": of((0, 1, 2, 3, 4, 5, 6, 9, Int64(2), 3.0, None, "x"))},
            lambda: {"w": {"$geoWithin": self.pick({"$box": [[-1, -1], [11, 11]]}, {"$center": [[0, 0], self.pick(2, 15)]}, {"$centerSphere": [[0, 0], self.pick(0.1, 1)]}, {"$polygon": [[-1, -1], [11, -1], [11, 11], [-1, 11]]},
                                                   {"$geometry": SON([("type", "Polygon"), ("coordinates", [[[-1, -1], [12, -1], [12, 12], [-1, 12], [-1, -1]]])])})}},
            lambda: {"w": {"$geoIntersects": {"$geometry": self.pick(SON([("type", "Point"), ("coordinates", list(r.choice(PLACES)))]), SON([("type", "LineString"), ("coordinates", [[0, 0], [20, 20]])]), SON([("type", "Polygon"), ("coordinates", [[[-1, -1], [12, -1], [12, 12], [-1, 12], [-1, -1]]])]))}}},
            lambda: self.pick({"$alwaysTrue": 1}, {"$alwaysFalse": 1}, {"$comment": "x"}, {"$sampleRate": self.pick(0, 1.0)}))()
        made = SON(made)
        if depth < 2 and self.chance(0.25):
            made.update(self.typed_filter(depth + 1))
        return made

    def schema(self, depth=0):
        r = self.r
        leaf = lambda: self.pick({"bsonType": self.pick("int", "string", "number", "array", "object", ["null", "date"], "bool")}, {"type": self.pick("number", "string", "object", "null", ["array", "boolean"])}, {"minimum": r.choice(SMALL), **self.pick({}, {"exclusiveMinimum": True})}, {"maximum": r.choice(SMALL)},
                                 {"multipleOf": self.pick(2, 0.5, Decimal128("1.5"))}, {"minLength": 2}, {"maxLength": 3}, {"pattern": "^a"}, {"enum": [1, "a", None, [], 2.0]}, {"minItems": 2}, {"maxItems": 2}, {"uniqueItems": True}, {"minProperties": 2}, {"maxProperties": 2})
        if depth > 1 or self.chance(0.3):
            return leaf()
        sub = lambda: self.schema(depth + 1)
        return self.pick(
            lambda: {"properties": {self.pick(*FIELDS): sub(), self.pick(*FIELDS): sub()}}, lambda: {"required": self.r.sample(FIELDS, self.pick(1, 2))}, lambda: {"patternProperties": {self.pick("^[a-n]$", "s|t"): sub()}}, lambda: {"additionalProperties": self.pick(True, sub())},
            lambda: {"items": self.pick(sub(), [sub(), sub()]), **self.pick({}, {"additionalItems": self.pick(False, sub())})}, lambda: {self.pick("allOf", "anyOf", "oneOf"): [sub(), sub()]}, lambda: {"not": sub()}, lambda: {"dependencies": self.pick({"n": ["s"]}, {"n": sub()})},
            lambda: {"properties": {self.pick("p", "l", "k"): {"items": sub()}, "o": sub()}}, leaf)()

    def typed_projection(self):
        fields = (*FIELDS, "o.a", "p.a", "p.c", "o.b", "v.a")
        found = self.pick(
            lambda: SON((self.r.choice(fields), 1) for _ in range(1 + self.r.randrange(3))), lambda: SON((self.r.choice(fields), 0) for _ in range(1 + self.r.randrange(3))), lambda: SON([("y", self.any(0))]), lambda: SON([("y", self.any(0)), (self.r.choice(fields), 1)]),
            lambda: SON([(self.pick("l", "k", "p", "o.c"), {"$slice": self.pick(1, -2, [1, 1], [-2, 1], [0, 5])}), *self.pick([], [("n", 1)], [("n", 0)])]), lambda: SON([("p", {"$elemMatch": {"a": {"$gte": 1}}}), *self.pick([], [("n", 1)])]), lambda: SON([("l", {"$elemMatch": {"$gt": 1}})]),
            lambda: SON([("o", {self.pick("a", "z"): self.num(1)}), ("p", {"a": 1})]), lambda: SON([("n", self.pick(True, False, 1.0, Int64(1), "text", "$m"))]))()
        if self.chance(0.2):
            found["_id"] = self.pick(0, 1, False)
        return found

    def typed_sort(self):
        fields = (*FIELDS, "o.a", "p.a", "p.c", "o.b", "v.a", "p.0.a", "l.0")
        found = SON((self.r.choice(fields), self.pick(1, -1)) for _ in range(1 + self.r.randrange(2)))
        found["_id"] = self.pick(1, -1)
        return found

    # Updates.
    def typed_update(self):
        r = self.r
        number = lambda: r.choice(SMALL)
        parts = [
            lambda: ("$set", SON((self.pick(*FIELDS, "o.a", "o.z", "l.1", "l.6", "p.0.a", "p.2.z", "v.a.b", "z", "k.0"), self.pick(self.value(1), r.choice(NUMBERS), r.choice(TEXTS))) for _ in range(self.pick(1, 2, 3)))),
            lambda: ("$unset", SON((self.pick(*FIELDS, "o.a", "l.1", "p.0.a", "p.0", "v.a", "z"), "") for _ in range(self.pick(1, 2)))), lambda: ("$inc", {self.pick("n", "m", "o.a", "l.0", "p.0.a", "z"): self.pick(number(), r.choice(NUMBERS))}),
            lambda: ("$mul", {self.pick("n", "m", "o.a", "l.0", "z"): self.pick(number(), r.choice(NUMBERS))}), lambda: (self.pick("$min", "$max"), {self.pick("n", "m", "s", "d", "v", "l.0", "z", "o"): self.pick(number(), r.choice(TEXTS), r.choice(DATES), r.choice(OTHERS), None)}),
            lambda: ("$rename", SON([(self.pick("n", "s", "o.a", "o", "l", "z", "p"), self.pick("n", "y", "o.y", "v", "o.b", "k"))])), lambda: ("$push", {self.pick("l", "k", "p", "o.c", "z"): self.typed_push()}), lambda: ("$addToSet", {self.pick("l", "k", "p", "o.c", "z"): self.pick(number(), r.choice(TEXTS), {"$each": [number(), 1, 1.0, r.choice(TEXTS)]}, self.typed_object(), [1])}),
            lambda: ("$pop", {self.pick("l", "k", "p", "o.c"): self.pick(1, -1, 1.0, Int64(-1))}), lambda: ("$pull", {self.pick("l", "k", "p", "o.c"): self.pick(number(), {"$gte": number()}, {"a": number()}, {"a": {"$gt": 1}, "b": {"$exists": True}}, {"$in": [1, "a", bson.Regex("b")]}, bson.Regex("^a"), {"c": 2}, self.typed_object(), None, {"$elemMatch": {"a": 1}}, {"$not": {"$gt": 1}})}),
            lambda: ("$pullAll", {self.pick("l", "k", "p"): [number(), r.choice(TEXTS), self.typed_object()]}), lambda: ("$bit", {self.pick("n", "m", "z", "l.0"): SON([(self.pick("and", "or", "xor"), self.pick(5, Int64(6), -1)), *self.pick([], [("or", 8)])])}), lambda: ("$setOnInsert", {self.pick("n", "z", "y.x"): self.value(1)}),
            lambda: ("$currentDate", {self.pick("d", "g"): self.pick(True, {"$type": "timestamp"}, {"$type": "date"}, False)}),
            lambda: (self.pick("$set", "$inc", "$mul", "$max", "$unset"), {self.pick("l.$[]", "l.$", "l.$[e]", "p.$[].a", "p.$.a", "p.$[e].a", "p.$[].c.$[e]", "p.$[e].c.$[]", "k.$[e]", "p.$[].a"): number()}),
            lambda: (self.pick("$push", "$pull", "$addToSet"), {self.pick("p.$[].c", "p.$[e].c", "p.$.c"): number()})]
        update = SON()
        for _ in range(self.pick(1, 1, 1, 2, 2)):
            operator, operand = r.choice(parts)()
            update[operator] = SON(operand)
        return update

    def typed_push(self):
        if self.chance(0.3):
            return self.pick(self.r.choice(SMALL), self.r.choice(TEXTS), self.typed_object(), [1, 2])
        push = SON([("$each", [self.pick(self.r.choice(SMALL), self.typed_object(), self.r.choice(TEXTS)) for _ in range(self.r.randrange(4))])])
        for name, options in (("$position", (0, 1, -1, -2, 100)), ("$slice", (0, 2, -2, 5, -3)), ("$sort", (1, -1, {"a": 1}, {"b": -1}, SON([("c", 1), ("a", -1)]), {"c.0": 1}))):
            if self.chance(0.4):
                push[name] = self.r.choice(options)
        return push

    def array_filters(self):
        return [self.pick({"e": {"$gte": self.r.choice(SMALL)}}, {"e.a": {"$gt": 0}}, {"e.c": 2}, {"$or": [{"e": 1}, {"e.a": {"$exists": True}}]}, {"e": {"$regex": "a"}}, {"e.a": {"$in": [1, 2]}, "e.b": {"$ne": "a"}}, {"e": {"$in": list(SMALL[:4])}})]

    def typed_update_pipeline(self):
        return [self.pick(lambda: SON([(self.pick("$set", "$addFields"), SON([(self.pick("n", "z", "o.a", "p.a", "l", "o", "v.a"), self.any(0))]))]), lambda: SON([("$unset", self.pick("n", ["o.a", "p.c"], "v"))]), lambda: SON([("$project", self.typed_projection())]),
                          lambda: SON([(self.pick("$replaceWith", "$replaceRoot"), {"$mergeObjects": ["$$ROOT", {"z": self.any(1)}]})]))() for _ in range(self.pick(1, 1, 2))]

    # Pipelines.
    def typed_accumulator(self):
        r = self.r
        order = lambda: self.typed_sort()
        return self.pick(
            lambda: {self.pick("$sum", "$avg", "$stdDevPop", "$stdDevSamp", "$min", "$max"): self.num(1)}, lambda: {self.pick("$sum", "$avg"): 1}, lambda: {self.pick("$min", "$max", "$first", "$last", "$push", "$addToSet"): self.any(1)}, lambda: {"$mergeObjects": self.pick("$o", self.object(1))}, lambda: {"$count": {}},
            lambda: {self.pick("$firstN", "$lastN", "$maxN", "$minN"): SON([("input", self.any(1)), ("n", self.pick(1, 2, 3))])}, lambda: {self.pick("$top", "$bottom"): SON([("sortBy", order()), ("output", self.pick("$_id", ["$_id", "$n"], self.any(1)))])},
            lambda: {self.pick("$topN", "$bottomN"): SON([("n", self.pick(1, 2, 5)), ("sortBy", order()), ("output", self.pick("$_id", ["$_id", "$s"]))])})()

    def typed_window(self):
        r = self.r
        field = self.pick("_id", "_id", "m", "d", "n", "s")
        bounds = lambda: self.pick(["unbounded", "current"], [-1, 1], ["current", "unbounded"], [-2, -1], [0, 1], ["unbounded", "unbounded"], [1, 2])
        windowed = {}
        if self.chance(0.75):
            windowed = {"window": {"documents": bounds()}}
            if field in ("_id", "m", "n") and self.chance(0.4):
                windowed = {"window": {"range": self.pick(bounds(), [-1.5, 1])}}
            elif field == "d" and self.chance(0.6):
                windowed = {"window": SON([("range", bounds()), ("unit", self.pick("year", "month", "day", "hour", "quarter", "week"))])}
        function = self.pick(
            lambda: {self.pick("$sum", "$avg", "$stdDevPop", "$stdDevSamp"): self.num(2), **windowed}, lambda: {self.pick("$min", "$max", "$push", "$first", "$last", "$addToSet"): self.any(1), **windowed}, lambda: {"$count": {}, **windowed},
            lambda: {self.pick("$firstN", "$lastN", "$maxN", "$minN"): SON([("input", "$" + self.pick("n", "s", "v")), ("n", 2)]), **windowed}, lambda: {self.pick("$rank", "$denseRank", "$documentNumber"): {}}, lambda: {self.pick("$top", "$bottom"): SON([("sortBy", self.typed_sort()), ("output", "$_id")]), **windowed},
            lambda: {self.pick("$topN", "$bottomN"): SON([("n", 2), ("sortBy", self.typed_sort()), ("output", "$_id")]), **windowed}, lambda: {"$shift": SON([("output", self.any(2)), ("by", self.pick(1, -1, 2, 0)), *self.pick([], [("default", "none")])])},
            lambda: {"$expMovingAvg": SON([("input", self.pick("$m", "$n", "$_id")), self.pick(("N", 3), ("alpha", 0.5))])}, lambda: {self.pick("$derivative", "$integral"): SON([("input", self.pick("$m", "$_id")), *([("unit", self.pick("day", "hour"))] if field == "d" else [])]), **windowed},
            lambda: {self.pick("$covariancePop", "$covarianceSamp"): ["$m", "$_id"], **windowed}, lambda: {self.pick("$linearFill", "$locf"): self.pick("$m", "$n")})()
        stage = SON([("sortBy", SON([(field, self.pick(1, -1) if field not in ("m", "n", "d") or "range" not in windowed.get("window", {}) else 1)]))])
        if "range" not in windowed.get("window", {}) and not set(function) & {"$rank", "$denseRank", "$derivative", "$integral", "$linearFill"} and field != "_id":
            stage["sortBy"]["_id"] = 1
        stage["output"] = SON([(self.pick("w", "w.x", "n"), function)])
        if self.chance(0.35):
            stage["partitionBy"] = self.pick("$f", {"$type": "$n"}, {"$mod": ["$_id", 2]}, "$o.a", None)
        return stage

    def typed_stage(self, depth=0):
        r = self.r
        keys = ("$n", "$m", "$s", "$f", "$o", "$o.a", "$v", None, "$l", "$d")
        key = lambda: self.pick(r.choice(keys), r.choice(keys), self.any(1), SON([("x", r.choice(keys)), ("y", self.any(2))]))
        inner = lambda: [self.typed_stage(depth + 1) for _ in range(self.pick(1, 1, 2))]
        field = lambda: self.pick("n", "m", "s", "o.a", "l", "k", "p.a", "v", "_id", "p.c", "p", "o")
        return self.pick(
            lambda: [{"$match": self.typed_filter()}], lambda: [{"$project": self.typed_projection()}], lambda: [{self.pick("$addFields", "$set"): SON([(self.pick("z", "n", "o.a", "p.a", "o.z", "l"), self.any(0)) for _ in range(self.pick(1, 1, 2))])}], lambda: [{"$set": SON([("z", self.any(0))])}], lambda: [{"$project": SON([("z", self.any(0))])}],
            lambda: [{"$unset": self.pick("n", ["o.a", "p.c"], "v.a")}], lambda: [{"$unwind": self.pick("$l", "$k", "$p", "$o.c", "$p.c", "$v", SON([("path", self.pick("$l", "$p", "$n", "$o.c")), ("preserveNullAndEmptyArrays", self.pick(True, False)), ("includeArrayIndex", self.pick("i", "o.i"))]))}],
            lambda: [{"$group": SON([("_id", key()), ("x", self.typed_accumulator()), ("y", self.typed_accumulator())])}, {"$sort": {"_id": 1}}], lambda: [{"$sort": self.typed_sort()}], lambda: [{"$sort": self.typed_sort()}, {self.pick("$limit", "$skip"): self.pick(1, 3, Int64(2))}],
            lambda: [{"$sortByCount": self.pick("$f", "$m", {"$type": "$v"})}, {"$sort": SON([("count", -1), ("_id", 1)])}], lambda: [{"$bucket": SON([("groupBy", self.pick("$n", "$m", "$d", "$s", self.num(1))), ("boundaries", self.pick([0, 2, 10], [-5, 0, 1.5, Int64(3)], ["a", "b", "z"], list(sorted(DATES[:3])))), ("default", self.pick("other", -1000, None)),
                                                                                                           ("output", {"x": self.typed_accumulator()})])}, {"$sort": {"_id": 1}}],
            lambda: [{"$bucketAuto": SON([("groupBy", self.pick("$m", "$_id", "$s", "$n", "$d")), ("buckets", self.pick(1, 2, 3, 10)), *self.pick([], [("output", SON([("c", {"$sum": 1}), ("x", {"$push": "$_id"})]))], [("granularity", self.pick("R5", "1-2-5", "POWERSOF2", "E6"))])])}],
            lambda: [{self.pick("$replaceWith"): self.pick(self.object(0), {"$mergeObjects": ["$$ROOT", {"z": self.any(1)}]})}], lambda: [{"$replaceRoot": {"newRoot": self.object(0)}}], lambda: [{"$count": "n"}],
            lambda: [{"$lookup": SON([("from", "other"), ("localField", field()), ("foreignField", field()), ("as", self.pick("joined", "o.j", "n"))])}, *self.pick([], [{"$unwind": "$joined"}])],
            lambda: [{"$lookup": SON([("from", "other"), ("let", SON([("v", self.any(2)), ("u", "$m")])), ("pipeline", [{"$match": {"$expr": self.pick({"$eq": ["$$v", "$" + field()]}, {"$gt": ["$m", "$$u"]}, {"$in": ["$$u", {"$ifNull": ["$l", []]}]})}}, {"$sort": {"_id": 1}}, {"$project": {"n": 1, "u": "$$u"}}]), ("as", "joined")])}],
            lambda: [{"$lookup": SON([("from", "other"), ("localField", field()), ("foreignField", field()), *self.pick([], [("let", {"u": "$m"})]), ("pipeline", [{"$match": self.typed_filter(1)}, {"$sort": {"_id": -1}}, {"$limit": 2}]), ("as", "joined")])}],
            lambda: [{"$graphLookup": SON([("from", "other"), ("startWith", self.pick("$m", "$_id", "$l", self.num(2))), ("connectFromField", self.pick("m", "o.a", "l", "p.a")), ("connectToField", self.pick("_id", "m", "l", "o.a")), ("as", "reached"), *self.pick([], [("maxDepth", self.pick(0, 1, 2))]), *self.pick([], [("depthField", "depth")]),
                                             *self.pick([], [("restrictSearchWithMatch", self.typed_filter(1))])])}],
            lambda: [{"$setWindowFields": self.typed_window()}], lambda: [{"$setWindowFields": self.typed_window()}], lambda: [{"$unionWith": self.pick("other", SON([("coll", "other"), ("pipeline", [{"$match": self.typed_filter(1)}])]))}, {"$sort": SON([("_id", 1), ("n", 1), ("s", 1), ("d", 1), ("m", 1)])}],
            lambda: [{"$redact": {"$cond": [self.boolean(1), self.pick("$$DESCEND", "$$KEEP"), self.pick("$$PRUNE", "$$KEEP")]}}],
            lambda: [{"$densify": SON([("field", self.pick("m", "_id", "o.a")), *self.pick([], [("partitionByFields", ["f"])]), ("range", SON([("step", self.pick(1, 0.5, Int64(2))), ("bounds", self.pick("full", "partition", [0, 4], [-1, 2.5]))]))])}, *self.pick([], [{"$sort": SON([("m", 1), ("_id", 1)])}])],
            lambda: [{"$match": {"d": {"$type": "date"}}}, {"$densify": SON([("field", "d"), *self.pick([], [("partitionByFields", ["f"])]), ("range", SON([("step", self.pick(1, 3)), ("unit", self.pick("year", "month", "quarter")), ("bounds", self.pick("full", [DATES[0], datetime.datetime(1975, 1, 1, tzinfo=UTC)]))]))])}],
            lambda: [{"$fill": SON([*self.pick([], [("partitionByFields", ["f"])], [("partitionBy", {"f": "$f"})]), ("sortBy", SON([("_id", 1)])), ("output", SON([(self.pick("m", "n", "nope", "o.a"), self.pick({"method": "locf"}, {"method": "linear"}, {"value": self.any(2)}))]))])}],
            lambda: [{"$facet": SON([("x", inner()), ("y", [{"$count": "n"}])])}] if depth == 0 else [{"$sort": {"_id": 1}}, {"$limit": 2}], lambda: [{"$sample": {"size": 50}}, {"$sort": {"_id": 1}}], lambda: [{"$match": {"$expr": self.boolean(1)}}])()

    def typed_pipeline(self):
        return [stage for _ in range(self.pick(1, 1, 2, 2, 3)) for stage in self.typed_stage()]

    # Malformed requests.
    def mutated(self, request):
        """A request in which one part has another value, another name, is gone or stands twice."""
        request = copy.deepcopy(request)
        places = []

        def walk(node):
            entries = node.items() if isinstance(node, dict) else enumerate(node)
            for key, value in list(entries):
                places.append((node, key))
                if isinstance(value, (dict, list)):
                    walk(value)
        walk(request)
        # The command's own name and its collection stay.
        places = [(node, key) for node, key in places if not (node is request and key == next(iter(request)))]
        node, key = self.r.choice(places)
        kind = self.r.random()
        if kind < 0.6:
            node[key] = self.pick(self.r.choice(SCALARS), self.value(2), [], SON(), "", "$a", "$$x", [node[key]], SON([("$x", 1)]), SON([("a", node[key])]), -1, Int64(2**62), "x", None, True)
        elif kind < 0.75:
            del node[key]
        elif isinstance(node, dict):
            value = node.pop(key)
            node[self.pick("$" + str(key), str(key).lstrip("$"), str(key) + "x", "a", "$set", "$match", "", str(key) + ".", ".a", "a..b", "$", "a.$b")] = value
        else:
            node.insert(key, copy.deepcopy(node[key]))
        return request
