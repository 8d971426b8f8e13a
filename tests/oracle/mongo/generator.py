"""Random documents, filters, projections, updates and pipelines: few names and values, so that they meet."""
import datetime
import random

import bson
from bson.decimal128 import Decimal128
from bson.int64 import Int64
from bson.son import SON

NAMES = ("a", "b", "c")
INNER = ("a", "b", "c", "0")
UTC = datetime.timezone.utc
SCALARS = (
    0, 1, 2, 3, 5, -1, 7, 100, 1.5, 2.0, -0.0, 0.1, -2.5, 1e300, Int64(0), Int64(2), Int64(2**40), Int64(-3), Decimal128("1.5"), Decimal128("2"), Decimal128("NaN"),
    Decimal128("-0.30"), "a", "b", "abc", "", "Ab", "a.b", "\u00e9t\u00e9", "10", "2020-01-02", "x y z", None, True, False, float("nan"), float("inf"), float("-inf"),
    bson.ObjectId("0" * 24), bson.ObjectId("5f" * 12), bson.MinKey(), bson.MaxKey(), bson.Timestamp(1, 2), bson.Timestamp(7, 0), b"ab", b"", bson.Binary(b"ab", 5),
    datetime.datetime(1970, 1, 1, tzinfo=UTC), datetime.datetime(2020, 2, 29, 12, 34, 56, 789000, UTC), datetime.datetime(1969, 12, 31, 23, 59, tzinfo=UTC),
    bson.Regex("^a", "i"), bson.Regex("b"), bson.Code("x"))
TYPES = ("number", "string", "array", "object", "null", "int", 1, "bool", "date", "objectId", "binData", "regex", "timestamp", "minKey", "maxKey", "decimal",
         "long", "double", 2, 16, ["int", "string"], ["null", "array"], "javascript", "undefined", -1, 127)
ZONES = ("UTC", "Europe/Berlin", "America/New_York", "+05:30", "-0330", "Asia/Kolkata")
UNITS = ("year", "quarter", "month", "week", "day", "hour", "minute", "second", "millisecond")


class Generator:
    def __init__(self, seed):
        self.r = random.Random(seed)

    def pick(self, *options):
        return self.r.choice(options)

    def chance(self, share):
        return self.r.random() < share

    # Values.
    def scalar(self):
        return self.r.choice(SCALARS)

    def value(self, depth=0):
        kind = self.r.random()
        if depth < 3 and kind < 0.2:
            return [self.value(depth + 1) for _ in range(self.r.randrange(4))]
        if depth < 3 and kind < 0.38:
            return SON((name, self.value(depth + 1)) for name in self.r.sample(INNER, self.r.randrange(3)))
        return self.scalar()

    def path(self):
        return ".".join(self.pick("a", "b", "c", "a", "b", "0", "1") for _ in range(self.pick(1, 1, 2, 2, 3)))

    def top(self):
        return ".".join([self.r.choice(NAMES)] + self.path().split(".")[:self.r.randrange(3)])

    def document(self, number):
        return SON([("_id", number), *((name, self.value()) for name in NAMES if self.chance(0.8))])

    def number(self):
        return self.pick(1, 2, -1, 1.5, Int64(3), Decimal128("0.5"), 2**31 - 1, Int64(2**62), 0, -0.0)

    # Filters.
    def operators(self, depth=0):
        operator = self.pick("$eq", "$ne", "$gt", "$gte", "$lt", "$lte", "$in", "$nin", "$exists", "$type", "$size", "$mod", "$all", "$elemMatch", "$not", "$regex",
                             "$bitsAllSet", "$bitsAnyClear", "$bitsAnySet", "$bitsAllClear")
        if operator in ("$in", "$nin", "$all"):
            operand = [self.value(2) for _ in range(self.r.randrange(4))]
        elif operator == "$exists":
            operand = self.pick(True, False, 1, 0)
        elif operator == "$type":
            operand = self.r.choice(TYPES)
        elif operator == "$size":
            operand = self.pick(0, 1, 2, 2.0, Int64(1), -1, 1.5, "x")
        elif operator == "$mod":
            operand = [self.pick(2, 3, -2, 2.7, Int64(2), 0), self.pick(0, 1, -1)]
        elif operator == "$regex":
            return SON([("$regex", self.pick("^a", "b$", "A", "a.b", "", "^$"))] + ([("$options", self.pick("i", "m", "s", "x", "q"))] if self.chance(0.4) else []))
        elif operator.startswith("$bits"):
            operand = self.pick(1, 3, [0, 2], bson.Binary(b"\x05"), -1, Int64(4), [70], 1.5)
        elif operator == "$elemMatch":
            operand = self.operators(depth + 1) if self.chance(0.5) or depth > 1 else self.filter(depth + 1)
        elif operator == "$not":
            operand = self.operators(depth + 1) if depth < 2 else SON([("$gt", self.scalar())])
        else:
            operand = self.value(1)
        found = SON([(operator, operand)])
        if depth < 2 and self.chance(0.15):
            found.update(self.operators(depth + 1))
        return found

    def filter(self, depth=0):
        if depth < 2 and self.chance(0.2):
            return SON([(self.pick("$and", "$or", "$nor"), [self.filter(depth + 1) for _ in range(1 + self.r.randrange(2))])])
        if depth == 0 and self.chance(0.05):
            return SON([("$expr", self.expression(1))])
        condition = self.operators(depth) if self.chance(0.8) else self.value(1)
        found = SON([(self.path() if depth else self.pick(self.top(), self.top(), "_id"), condition)])
        if depth < 2 and self.chance(0.2):
            found.update(self.filter(depth + 1))
        return found

    # Projections and sorts.
    def projection(self):
        kind = self.r.random()
        if kind < 0.35:
            found = SON((self.top(), 1) for _ in range(1 + self.r.randrange(2)))
        elif kind < 0.6:
            found = SON((self.top(), 0) for _ in range(1 + self.r.randrange(2)))
        elif kind < 0.75:
            found = SON([(self.top(), SON([("$slice", self.pick(1, -1, [1, 2], [-2, 1], 0))]))])
        elif kind < 0.85:
            found = SON([(self.r.choice(NAMES), SON([("$elemMatch", self.operators(1) if self.chance(0.5) else self.filter(1))]))])
        elif kind < 0.9:
            found = SON([(self.top() + ".$", 1)])
        else:
            found = SON([("x", self.expression(1))])
        if self.chance(0.2):
            found["_id"] = 0
        if self.chance(0.1):
            found[self.top()] = self.pick(0, 1)
        return found

    def sort(self):
        found = SON((self.top(), self.pick(1, -1)) for _ in range(1 + self.r.randrange(2)))
        found["_id"] = 1
        return found

    # Updates.
    def update(self):
        update = SON()
        for _ in range(self.pick(1, 1, 1, 2)):
            operator = self.pick("$set", "$unset", "$inc", "$mul", "$min", "$max", "$rename", "$push", "$addToSet", "$pop", "$pull", "$pullAll", "$bit", "$setOnInsert")
            update[operator] = SON((self.update_path(), self.operand(operator)) for _ in range(1 + self.r.randrange(2)))
        return update

    def update_path(self):
        path = self.top()
        if self.chance(0.12):
            return path + self.pick(".$", ".$[]", ".$[].a", ".$[e]", ".$[e].b")
        return path

    def operand(self, operator):
        makers = {
            "$unset": lambda: "", "$inc": self.number, "$mul": self.number, "$rename": self.top, "$pop": lambda: self.pick(1, -1, 1, -1, 2),
            "$pull": lambda: self.operators(1) if self.chance(0.4) else self.value(1), "$pullAll": lambda: [self.value(2) for _ in range(2)],
            "$bit": lambda: SON([(self.pick("and", "or", "xor"), self.pick(self.r.randrange(8), Int64(6), 1.5))]), "$push": self.push,
            "$addToSet": lambda: self.pick(self.value(1), SON([("$each", [self.value(2), self.value(2)])]))}
        return makers.get(operator, lambda: self.value(1))()

    def push(self):
        if self.chance(0.5):
            return self.value(1)
        push = SON([("$each", [self.value(2) for _ in range(self.r.randrange(3))])])
        if self.chance(0.5):
            push["$slice"] = self.pick(0, 1, 2, -1, -2, 5)
        if self.chance(0.4):
            push["$position"] = self.pick(0, 1, -1, 9)
        if self.chance(0.4):
            push["$sort"] = self.pick(1, -1, SON([("a", 1)]), SON([("b", -1)]))
        return push

    def update_pipeline(self):
        return [self.pick(lambda: SON([("$set", SON([(self.top(), self.expression(1))]))]), lambda: SON([("$unset", self.top())]),
                          lambda: SON([("$replaceWith", SON([("$mergeObjects", ["$$ROOT", SON([("z", self.expression(1))])])]))]))()
                for _ in range(self.pick(1, 2))]

    # Expressions.
    def expression(self, depth=0):
        if depth > 2 or self.chance(0.3):
            if self.chance(0.6):
                return self.pick("$a", "$b", "$c", "$a.b", "$b.a", "$c.a.b", "$$ROOT", "$_id", "$nope")
            return SON([("$literal", self.value(1))])
        if self.chance(0.25):
            return self.special(depth + 1)
        name, count = self.r.choice(EXPRESSIONS)
        return SON([(name, [self.expression(depth + 1) for _ in range(count if count >= 0 else self.r.randrange(1, 4))])])

    def special(self, depth):
        e = lambda: self.expression(depth)
        date = lambda: self.pick("$a", "$b", SON([("$literal", self.scalar())]), SON([("$toDate", self.pick(Int64(10**12), Int64(-10**11), "$a"))]))
        zone = lambda: {"timezone": self.r.choice(ZONES)} if self.chance(0.4) else {}
        return self.pick(
            lambda: {"$map": SON([("input", e()), ("as", "x"), ("in", self.pick("$$x", {"$add": ["$$x", 1]}, {"$type": "$$x"}))])},
            lambda: {"$filter": SON([("input", e()), ("as", "x"), ("cond", self.pick({"$gt": ["$$x", 1]}, {"$isNumber": "$$x"}, "$$x"))])},
            lambda: {"$reduce": SON([("input", e()), ("initialValue", self.pick(0, [], "")), ("in", self.pick({"$add": ["$$value", 1]}, {"$concatArrays": ["$$value", ["$$this"]]}, "$$this"))])},
            lambda: {"$let": SON([("vars", {"x": e()}), ("in", self.pick("$$x", {"$eq": ["$$x", "$$ROOT.a"]}, "$$x.b"))])},
            lambda: {"$switch": SON([("branches", [SON([("case", e()), ("then", e())])]), ("default", e())])},
            lambda: {"$cond": SON([("if", e()), ("then", e()), ("else", e())])},
            lambda: {"$convert": SON([("input", e()), ("to", self.pick("int", "long", "double", "decimal", "string", "bool", "date", "objectId")), ("onError", "err"), ("onNull", "nul")])},
            lambda: {"$convert": SON([("input", e()), ("to", self.pick("int", "double", "string", "bool", "date"))])},
            lambda: {"$zip": {"inputs": [e(), e()], "useLongestLength": self.pick(True, False)}},
            lambda: {"$sortArray": SON([("input", e()), ("sortBy", self.pick(1, -1, {"a": 1}, {"b": -1}))])},
            lambda: {self.pick("$trim", "$ltrim", "$rtrim"): {"input": e(), **self.pick({}, {"chars": "ab"})}},
            lambda: {self.pick("$regexMatch", "$regexFind", "$regexFindAll"): {"input": e(), "regex": self.pick("a", "(b)(c)?", "^", "")}},
            lambda: {self.pick("$replaceOne", "$replaceAll"): {"input": e(), "find": self.pick("a", "b", ""), "replacement": self.pick("X", "")}},
            lambda: {self.pick("$year", "$month", "$dayOfMonth", "$dayOfWeek", "$dayOfYear", "$hour", "$minute", "$second", "$millisecond", "$week", "$isoWeek", "$isoWeekYear",
                               "$isoDayOfWeek"): self.pick(date(), {"date": date(), **zone()})},
            lambda: {"$dateToString": {"date": date(), **self.pick({}, {"format": self.pick("%Y-%m-%d", "%H:%M:%S.%L", "%G-%V-%u %j", "%U %%", "%z %Z")}), **zone(), **self.pick({}, {"onNull": "none"})}},
            lambda: {"$dateToParts": {"date": date(), **self.pick({}, {"iso8601": True}), **zone()}},
            lambda: {"$dateAdd": {"startDate": date(), "unit": self.r.choice(UNITS), "amount": self.pick(1, -13, 40), **zone()}},
            lambda: {"$dateSubtract": {"startDate": date(), "unit": self.r.choice(UNITS), "amount": self.pick(1, 13), **zone()}},
            lambda: {"$dateTrunc": {"date": date(), "unit": self.r.choice(UNITS), **self.pick({}, {"binSize": self.pick(1, 3)}), **zone()}},
            lambda: {"$dateDiff": {"startDate": date(), "endDate": date(), "unit": self.r.choice(UNITS), **zone()}},
            lambda: {"$dateFromParts": {"year": self.pick(2020, 1969), "month": self.pick(1, 13, 0), "day": self.pick(1, 31, 0), "hour": self.pick(0, 25), **zone()}},
            lambda: {"$dateFromString": {"dateString": self.pick("2020-01-02", "2020-01-02T03:04:05Z", "2020-01-02T03:04:05.678+02:00", "x", "$a"), **self.pick({}, {"onError": "bad"}), **self.pick({}, {"onNull": "nul"})}},
            lambda: {"$getField": SON([("field", self.pick("a", "b.c", "$x")), ("input", e())])},
            lambda: {"$setField": SON([("field", "a"), ("input", e()), ("value", e())])},
            lambda: {"$unsetField": SON([("field", "a"), ("input", e())])},
            lambda: {self.pick("$firstN", "$lastN", "$maxN", "$minN"): SON([("n", self.pick(1, 2, 5)), ("input", e())])},
            lambda: {"$range": [self.pick(0, 3), self.pick(5, -2), self.pick(1, 2, -1)]},
        )()

    # Pipelines.
    def accumulator(self):
        name = self.pick("$sum", "$avg", "$min", "$max", "$first", "$last", "$push", "$stdDevPop", "$stdDevSamp", "$addToSet", "$mergeObjects", "$count",
                         "$firstN", "$lastN", "$maxN", "$minN", "$top", "$bottom", "$topN", "$bottomN")
        if name == "$count":
            return {"$count": {}}
        if name in ("$firstN", "$lastN", "$maxN", "$minN"):
            return {name: SON([("input", "$" + self.top()), ("n", self.pick(1, 2))])}
        if name in ("$top", "$bottom"):
            return {name: SON([("sortBy", self.sort()), ("output", ["$_id", "$" + self.top()])])}
        if name in ("$topN", "$bottomN"):
            return {name: SON([("n", 2), ("sortBy", self.sort()), ("output", "$_id")])}
        return {name: self.pick("$" + self.top(), "$" + self.top(), self.expression(2))}

    def window(self):
        function = self.pick(
            lambda: {self.pick("$sum", "$avg", "$min", "$max", "$push", "$first", "$last", "$count", "$stdDevPop"): "$" + self.r.choice(NAMES)},
            lambda: {self.pick("$rank", "$denseRank", "$documentNumber"): {}}, lambda: {"$shift": {"output": "$_id", "by": self.pick(1, -1, 3), "default": "none"}})()
        if "$count" in function:
            function = {"$count": {}}
        if not set(function) & {"$rank", "$denseRank", "$documentNumber", "$shift"} and self.chance(0.7):
            function = dict(function, window={"documents": self.pick(["unbounded", "current"], [-1, 1], ["current", "unbounded"], [-2, -1], ["unbounded", "unbounded"])})
        stage = SON([("sortBy", SON([("_id", 1)])), ("output", {"w": function})])
        if self.chance(0.4):
            stage["partitionBy"] = self.pick({"$type": "$a"}, {"$mod": ["$_id", 2]})
        return stage

    def stage(self, depth=0):
        return self.pick(
            lambda: {"$match": self.filter()}, lambda: {"$project": {"x": self.expression()}}, lambda: {"$project": {self.top(): 1}},
            lambda: {"$project": {self.top(): 0}}, lambda: {"$project": SON([(self.top(), 1), ("y", self.expression(1))])}, lambda: {"$addFields": {self.top(): self.expression()}},
            lambda: {"$set": {"b": self.expression()}}, lambda: {"$unset": self.top()}, lambda: {"$unwind": "$" + self.top()},
            lambda: {"$unwind": SON([("path", "$" + self.top()), ("preserveNullAndEmptyArrays", True), ("includeArrayIndex", "i")])},
            lambda: {"$group": SON([("_id", self.pick("$a", "$b", None, "$a.b", {"x": "$a"}, {"$type": "$b"})), ("x", self.accumulator())])},
            lambda: {"$sort": self.sort()}, lambda: {"$limit": self.pick(1, 3)}, lambda: {"$skip": self.pick(0, 1)}, lambda: {"$sortByCount": "$" + self.top()},
            lambda: {"$replaceWith": {"$mergeObjects": ["$$ROOT", {"z": self.expression(1)}]}}, lambda: {"$replaceRoot": {"newRoot": self.pick("$a", "$$ROOT", {"x": "$b"})}},
            lambda: {"$count": "n"}, lambda: {"$lookup": SON([("from", "other"), ("localField", self.top()), ("foreignField", self.top()), ("as", "joined")])},
            lambda: {"$lookup": SON([("from", "other"), ("let", {"v": "$a"}), ("pipeline", [{"$match": {"$expr": {"$eq": ["$$v", "$a"]}}}, {"$project": {"a": 1}}]), ("as", "joined")])},
            lambda: {"$graphLookup": SON([("from", "other"), ("startWith", "$a"), ("connectFromField", "b"), ("connectToField", "a"), ("as", "reached"), ("maxDepth", 2)])},
            lambda: {"$bucket": SON([("groupBy", "$" + self.top()), ("boundaries", [0, 2, 10]), ("default", "other")])},
            lambda: {"$setWindowFields": self.window()}, lambda: {"$unionWith": SON([("coll", "other"), ("pipeline", [{"$match": self.filter()}])])},
            lambda: {"$redact": {"$cond": [self.expression(2), self.pick("$$DESCEND", "$$KEEP"), self.pick("$$PRUNE", "$$KEEP")]}},
            lambda: {"$facet": SON([("x", [self.stage(1)]), ("y", [{"$count": "n"}])])} if depth == 0 else {"$limit": 2},

        )()

    def grouping_pipeline(self):
        """A filter and a group that do not depend on the order of documents: what owners of partitions do themselves."""
        key = self.pick(None, 7, "$" + self.top(), "$a", {"x": "$" + self.top()}, SON([("x", "$a"), ("y", "$" + self.top())]))
        outputs = [(name, {self.pick("$sum", "$avg", "$min", "$max"): self.pick("$" + self.top(), "$a", 1, 2.5)}) for name in "nm"[:self.pick(1, 2)]]
        group = self.pick({"$group": SON([("_id", key), *outputs])}, {"$group": SON([("_id", key), *outputs])}, {"$count": "n"}, {"$group": SON([("_id", key), ("n", {"$count": {}})])})
        return [{"$match": self.filter()} for _ in range(self.pick(0, 1, 1, 2))] + [group]

    def pipeline(self):
        stages = []
        for _ in range(1 + self.r.randrange(3)):
            stages.append(self.stage())
            # Groups come in no order of their own.
            if set(stages[-1]) & {"$group", "$sortByCount"}:
                stages.append({"$sort": SON([("_id", 1)])})
        return stages


EXPRESSIONS = [
    ("$add", -1), ("$subtract", 2), ("$multiply", -1), ("$divide", 2), ("$mod", 2), ("$abs", 1), ("$ceil", 1), ("$floor", 1), ("$round", 1), ("$round", 2), ("$trunc", 1), ("$trunc", 2),
    ("$pow", 2), ("$sqrt", 1), ("$exp", 1), ("$ln", 1), ("$log", 2), ("$log10", 1), ("$sin", 1), ("$cos", 1), ("$atan2", 2), ("$degreesToRadians", 1), ("$eq", 2), ("$ne", 2), ("$gt", 2),
    ("$lt", 2), ("$gte", 2), ("$lte", 2), ("$cmp", 2), ("$and", -1), ("$or", -1), ("$not", 1), ("$cond", 3), ("$ifNull", 2), ("$ifNull", 3), ("$arrayElemAt", 2), ("$concatArrays", -1),
    ("$in", 2), ("$isArray", 1), ("$reverseArray", 1), ("$size", 1), ("$slice", 2), ("$slice", 3), ("$setUnion", -1), ("$setIntersection", 2), ("$setDifference", 2), ("$setIsSubset", 2),
    ("$setEquals", 2), ("$concat", -1), ("$toUpper", 1), ("$toLower", 1), ("$strLenCP", 1), ("$strLenBytes", 1), ("$substrCP", 3), ("$substrBytes", 3), ("$split", 2), ("$indexOfArray", 2),
    ("$type", 1), ("$isNumber", 1), ("$toString", 1), ("$toInt", 1), ("$toLong", 1), ("$toDouble", 1), ("$toDecimal", 1), ("$toBool", 1), ("$toDate", 1), ("$toObjectId", 1),
    ("$objectToArray", 1), ("$arrayToObject", 1), ("$mergeObjects", -1), ("$sum", -1), ("$avg", -1), ("$max", -1), ("$min", -1), ("$stdDevPop", -1), ("$first", 1), ("$last", 1),
    ("$allElementsTrue", 1), ("$anyElementTrue", 1), ("$strcasecmp", 2), ("$indexOfCP", 2), ("$indexOfBytes", 2), ("$bsonSize", 1), ("$binarySize", 1), ("$tsSecond", 1), ("$tsIncrement", 1),
]
