#!/usr/bin/env python3
"""Compares filters, updates and pipelines of orrery-mongo-eval with a genuine mongod, at random.

Usage: language_side_by_side.py EVAL_PROGRAM MONGOD_PORT [CASES] [SEED]

Needs pymongo. Each case makes some documents, asks both and prints what differs; exits 1 if anything did.
"""
import random
import subprocess
import sys

import bson
import pymongo
from bson import Int64
from bson.decimal128 import Decimal128
from bson.raw_bson import RawBSONDocument


class Evaluator:
    """The program under test: BSON in, BSON out."""

    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, request):
        self.process.stdin.write(bson.encode(request))
        self.process.stdin.flush()
        head = self.process.stdout.read(4)
        size = int.from_bytes(head, "little")
        return RawBSONDocument(head + self.process.stdout.read(size - 4))


class Generator:
    """Random documents and requests; few names and values, so that they meet."""

    def __init__(self, seed):
        self.r = random.Random(seed)

    def scalar(self):
        return self.r.choice([0, 1, 2, 3, 5, -1, 1.5, 2.0, -0.0, Int64(2), Int64(2**40), Decimal128("1.5"), Decimal128("2"), "a", "b", "abc", "",
                              None, True, False, float("nan"), float("inf"), bson.ObjectId("0" * 24), bson.MinKey(), bson.MaxKey(),
                              bson.Timestamp(1, 2), b"ab"])

    def value(self, depth=0):
        kind = self.r.random()
        if depth < 3 and kind < 0.2:
            return [self.value(depth + 1) for _ in range(self.r.randrange(4))]
        if depth < 3 and kind < 0.38:
            return {name: self.value(depth + 1) for name in self.r.sample(["a", "b", "c", "0"], self.r.randrange(3))}
        return self.scalar()

    def path(self):
        return ".".join(self.r.choice(["a", "b", "c", "a", "b", "0", "1"]) for _ in range(self.r.choice([1, 1, 2, 2, 3])))

    def top(self):
        return ".".join([self.r.choice("abc")] + self.path().split(".")[: self.r.randrange(3)])

    def document(self, number):
        return {"_id": number, **{name: self.value() for name in "abc" if self.r.random() < 0.8}}

    def operators(self, depth=0):
        operator = self.r.choice(["$eq", "$ne", "$gt", "$gte", "$lt", "$lte", "$in", "$nin", "$exists", "$type", "$size", "$mod", "$all", "$elemMatch", "$not"])
        if operator in ("$in", "$nin", "$all"):
            return {operator: [self.value(2) for _ in range(self.r.randrange(3))]}
        if operator == "$exists":
            return {operator: self.r.choice([True, False])}
        if operator == "$type":
            return {operator: self.r.choice(["number", "string", "array", "object", "null", "int", 1, "bool"])}
        if operator == "$size":
            return {operator: self.r.randrange(3)}
        if operator == "$mod":
            return {operator: [self.r.choice([2, 3, -2]), self.r.choice([0, 1, -1])]}
        if operator == "$elemMatch":
            return {operator: self.operators(depth + 1) if self.r.random() < 0.5 or depth > 1 else self.filter(depth + 1)}
        if operator == "$not":
            return {operator: self.operators(depth + 1)} if depth < 2 else {"$gt": self.scalar()}
        return {operator: self.value(1)}

    def filter(self, depth=0):
        if depth < 2 and self.r.random() < 0.2:
            return {self.r.choice(["$and", "$or", "$nor"]): [self.filter(depth + 1) for _ in range(1 + self.r.randrange(2))]}
        condition = self.operators(depth) if self.r.random() < 0.8 else self.value(1)
        return {self.path() if depth else self.top(): condition}

    def update(self):
        operator = self.r.choice(["$set", "$unset", "$inc", "$mul", "$min", "$max", "$rename", "$push", "$addToSet", "$pop", "$pull", "$pullAll", "$bit"])
        fields = {}
        for _ in range(1 + self.r.randrange(2)):
            path = self.top()
            fields[path] = {
                "$unset": lambda: "", "$inc": self.number, "$mul": self.number, "$rename": self.top, "$pop": lambda: self.r.choice([1, -1]),
                "$pull": lambda: self.operators(1) if self.r.random() < 0.4 else self.value(1),
                "$pullAll": lambda: [self.value(2) for _ in range(2)], "$bit": lambda: {self.r.choice(["and", "or", "xor"]): self.r.randrange(8)},
                "$push": self.push, "$addToSet": lambda: self.r.choice([self.value(1), {"$each": [self.value(2), self.value(2)]}]),
            }.get(operator, lambda: self.value(1))()
        return {operator: fields}

    def number(self):
        return self.r.choice([1, 2, -1, 1.5, Int64(3), Decimal128("0.5"), 2**31 - 1, Int64(2**62)])

    def push(self):
        if self.r.random() < 0.5:
            return self.value(1)
        push = {"$each": [self.value(2) for _ in range(self.r.randrange(3))]}
        if self.r.random() < 0.5:
            push["$slice"] = self.r.choice([0, 1, 2, -1, -2, 5])
        if self.r.random() < 0.4:
            push["$position"] = self.r.choice([0, 1, -1, 9])
        if self.r.random() < 0.4:
            push["$sort"] = self.r.choice([1, -1, {"a": 1}, {"b": -1}])
        return push

    def expression(self, depth=0):
        if depth > 2 or self.r.random() < 0.3:
            return self.r.choice(["$a", "$b", "$c", "$a.b", "$b.a", "$c.a.b", "$$ROOT"]) if self.r.random() < 0.6 else {"$literal": self.value(1)}
        name, count = self.r.choice(EXPRESSIONS)
        arguments = [self.expression(depth + 1) for _ in range(count if count >= 0 else self.r.randrange(1, 4))]
        return {name: arguments}

    def pipeline(self):
        stages = []
        for _ in range(1 + self.r.randrange(2)):
            stages.append(self.r.choice([
                lambda: {"$match": self.filter()}, lambda: {"$project": {"x": self.expression()}}, lambda: {"$project": {self.top(): 1}},
                lambda: {"$project": {self.top(): 0}}, lambda: {"$addFields": {self.top(): self.expression()}}, lambda: {"$set": {"b": self.expression()}},
                lambda: {"$unset": self.top()}, lambda: {"$unwind": "$" + self.top()}, lambda: {"$unwind": {"path": "$" + self.top(), "preserveNullAndEmptyArrays": True, "includeArrayIndex": "i"}},
                lambda: {"$group": {"_id": self.r.choice(["$a", "$b", None, "$a.b"]), "x": {self.r.choice(["$sum", "$avg", "$min", "$max", "$first", "$last", "$push", "$stdDevPop"]): "$" + self.top()}}},
                lambda: {"$sort": {self.top(): self.r.choice([1, -1]), "_id": 1}}, lambda: {"$limit": 3}, lambda: {"$skip": 1}, lambda: {"$sortByCount": "$" + self.top()},
                lambda: {"$replaceWith": {"$mergeObjects": ["$$ROOT", {"z": self.expression()}]}}, lambda: {"$count": "n"},
            ])())
        return stages


EXPRESSIONS = [
    ("$add", -1), ("$subtract", 2), ("$multiply", -1), ("$divide", 2), ("$mod", 2), ("$abs", 1), ("$ceil", 1), ("$floor", 1), ("$round", 1), ("$trunc", 1), ("$pow", 2),
    ("$sqrt", 1), ("$eq", 2), ("$ne", 2), ("$gt", 2), ("$lte", 2), ("$cmp", 2), ("$and", -1), ("$or", -1), ("$not", 1), ("$cond", 3), ("$ifNull", 2), ("$arrayElemAt", 2),
    ("$concatArrays", -1), ("$in", 2), ("$isArray", 1), ("$reverseArray", 1), ("$size", 1), ("$slice", 2), ("$setUnion", -1), ("$setIntersection", 2), ("$setDifference", 2),
    ("$setIsSubset", 2), ("$concat", -1), ("$toUpper", 1), ("$strLenCP", 1), ("$substrCP", 3), ("$split", 2), ("$indexOfArray", 2), ("$type", 1), ("$isNumber", 1),
    ("$toString", 1), ("$toInt", 1), ("$toLong", 1), ("$toDouble", 1), ("$toDecimal", 1), ("$toBool", 1), ("$objectToArray", 1), ("$arrayToObject", 1), ("$mergeObjects", -1),
    ("$sum", -1), ("$avg", -1), ("$max", -1), ("$min", -1), ("$first", 1), ("$last", 1), ("$allElementsTrue", 1), ("$anyElementTrue", 1), ("$strcasecmp", 2), ("$indexOfCP", 2),
]


def raw(documents):
    return [bytes(document.raw) if isinstance(document, RawBSONDocument) else bson.encode(document) for document in documents]


def ask_mongod(collection, request):
    try:
        collection.drop()
        collection.insert_many(request["docs"])
        plain = collection.with_options(codec_options=bson.CodecOptions(document_class=RawBSONDocument))
        if request["op"] == "find":
            cursor = plain.find(request["filter"], request.get("projection"))
            if "sort" in request:
                cursor = cursor.sort(list(request["sort"].items()))
            return raw(cursor)
        if request["op"] == "update":
            collection.update_many(request["filter"], request["update"], array_filters=request.get("arrayFilters"))
            return raw(plain.find())
        return raw(plain.aggregate(request["pipeline"]))
    except pymongo.errors.OperationFailure as error:
        return error.code if error.code is not None else error.details["writeErrors"][0]["code"]


def ask_evaluator(evaluator, request):
    reply = evaluator.ask(request)
    return reply["code"] if "code" in reply else raw(reply["docs"])


def shown(answer):
    return answer if isinstance(answer, int) else [bson.decode(document) for document in answer]


def main():
    evaluator = Evaluator(sys.argv[1])
    collection = pymongo.MongoClient("127.0.0.1", int(sys.argv[2]))["language"]["side_by_side"]
    cases = int(sys.argv[3]) if len(sys.argv) > 3 else 1000
    generator = Generator(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
    differences = 0
    for number in range(cases):
        request = {"op": ["find", "update", "aggregate"][number % 3], "docs": [generator.document(i) for i in range(6)]}
        if request["op"] == "find":
            request["filter"] = generator.filter()
            if generator.r.random() < 0.3:
                request["sort"] = {generator.top(): generator.r.choice([1, -1]), "_id": 1}
            if generator.r.random() < 0.3:
                request["projection"] = {generator.top(): generator.r.choice([1, 0])}
        elif request["op"] == "update":
            request["filter"] = generator.filter() if generator.r.random() < 0.3 else {"_id": generator.r.randrange(6)}
            request["update"] = generator.update()
        else:
            request["pipeline"] = generator.pipeline()
        theirs = ask_mongod(collection, request)
        ours = ask_evaluator(evaluator, request)
        if isinstance(ours, list) and isinstance(theirs, list) and any("$group" in s or "$sortByCount" in s for s in request.get("pipeline", [])):
            ours, theirs = sorted(ours), sorted(theirs)
        if ours != theirs:
            differences += 1
            print(f"--- case {number}: { {k: v for k, v in request.items() if k != 'docs'} }\n    documents {request['docs']}\n    ours   {shown(ours)}\n    theirs {shown(theirs)}")
    print(f"{cases} cases, {differences} differences")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
