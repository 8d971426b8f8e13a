"""Everyday jobs with PyPI's pymongo, with its default settings, and the errors that programs handle."""
import datetime
import unittest
import uuid

import bson
import pymongo
from bson import Binary, Decimal128, Int64, ObjectId
from pymongo import ASCENDING, DESCENDING, DeleteOne, InsertOne, ReplaceOne, ReturnDocument, UpdateMany, UpdateOne
from pymongo.errors import BulkWriteError, CollectionInvalid, DuplicateKeyError, OperationFailure

from mongo_test import MongoTest


class DocumentsTest(MongoTest):
    def test_insert_and_find_back(self):
        now = datetime.datetime(2024, 2, 29, 12, 30, 0, 5000)
        document = {"_id": ObjectId(), "int": 1, "long": Int64(2**40), "double": 1.5, "decimal": Decimal128("1.10"), "text": "\u00e9", "yes": True, "none": None,
                    "date": now, "bytes": b"ab", "uuid": Binary.from_uuid(uuid.UUID(int=7)), "list": [1, [2], {"a": 3}], "inner": {"b": {}}, "regex": bson.Regex("^a", "i")}
        self.assertEqual(self.db.things.insert_one(document).inserted_id, document["_id"])
        found = self.db.things.find_one({"_id": document["_id"]})
        self.assertEqual(found, document)
        self.assertEqual(list(found), list(document))
        self.assertIsNone(self.db.things.find_one({"_id": 5}))

    def test_many_documents_come_in_batches(self):
        self.db.things.insert_many({"_id": i, "n": i % 7} for i in range(2500))
        self.assertEqual(sum(1 for _ in self.db.things.find({}, batch_size=100)), 2500)
        self.assertEqual(self.db.things.count_documents({"n": 3}), 357)
        self.assertEqual([d["_id"] for d in self.db.things.find({"n": 1}).sort("_id", DESCENDING).skip(1).limit(2)], [2486, 2479])
        self.assertEqual(self.db.things.estimated_document_count(), 2500)
        self.assertEqual(sorted(self.db.things.distinct("n")), list(range(7)))

    def test_updates(self):
        things = self.db.things
        things.insert_many([{"_id": 1, "tags": ["a"]}, {"_id": 2, "tags": []}])
        result = things.update_one({"_id": 1}, {"$push": {"tags": "b"}, "$set": {"seen": True}})
        self.assertEqual((result.matched_count, result.modified_count, result.upserted_id), (1, 1, None))
        self.assertEqual(things.update_many({}, {"$inc": {"n": 1}}).modified_count, 2)
        self.assertEqual(things.update_one({"_id": 9}, {"$set": {"n": 5}}, upsert=True).upserted_id, 9)
        self.assertEqual(things.replace_one({"_id": 2}, {"x": 1}).modified_count, 1)
        self.assertEqual(things.find_one_and_update({"_id": 1}, {"$inc": {"n": 1}}, return_document=ReturnDocument.AFTER)["n"], 2)
        self.assertEqual(things.find_one_and_delete({"_id": 9})["n"], 5)
        self.assertEqual(things.update_many({}, [{"$set": {"size": {"$size": {"$ifNull": ["$tags", []]}}}}]).modified_count, 2)
        self.assertEqual({d["_id"]: d["size"] for d in things.find()}, {1: 2, 2: 0})
        self.assertEqual(things.delete_many({}).deleted_count, 2)

    def test_bulk_writes(self):
        result = self.db.things.bulk_write([InsertOne({"_id": 1}), UpdateOne({"_id": 1}, {"$set": {"a": 1}}), UpdateOne({"_id": 2}, {"$set": {"a": 1}}, upsert=True),
                                            ReplaceOne({"_id": 2}, {"b": 1}), UpdateMany({}, {"$set": {"c": 1}}), DeleteOne({"_id": 1})])
        self.assertEqual((result.inserted_count, result.upserted_ids, result.deleted_count), (1, {2: 2}, 1))
        with self.assertRaises(BulkWriteError) as refused:
            self.db.things.bulk_write([InsertOne({"_id": 2}), InsertOne({"_id": 3})], ordered=False)
        self.assertEqual(refused.exception.details["nInserted"], 1)
        self.assertEqual(refused.exception.details["writeErrors"][0]["code"], 11000)

    def test_errors(self):
        self.db.things.insert_one({"_id": 1, "s": "x"})
        with self.assertRaises(DuplicateKeyError) as duplicate:
            self.db.things.insert_one({"_id": 1})
        self.assertEqual(duplicate.exception.details["keyValue"], {"_id": 1})
        for code, job in ((2, lambda: list(self.db.things.find({"a": {"$nope": 1}}))), (40324, lambda: list(self.db.things.aggregate([{"$nope": 1}]))),
                          (14, lambda: self.db.things.update_one({"_id": 1}, {"$inc": {"s": 1}})), (59, lambda: self.db.command("nope")),
                          (26, lambda: self.db.command("listIndexes", "nope"))):
            with self.assertRaises(OperationFailure) as refused:
                job()
            self.assertEqual(refused.exception.code, code)
        with self.assertRaises(CollectionInvalid):
            self.db.create_collection("things")

    def test_validation(self):
        self.db.create_collection("people", validator={"$jsonSchema": {"required": ["name"], "properties": {"age": {"bsonType": "int", "minimum": 0}}}})
        self.db.people.insert_one({"name": "Ada", "age": 36})
        with self.assertRaises(OperationFailure) as refused:
            self.db.people.insert_one({"name": "Ada", "age": -1})
        self.assertEqual(refused.exception.code, 121)

    def test_aggregation(self):
        self.db.orders.insert_many([{"_id": i, "customer": i % 3, "total": i * 1.5, "items": [{"sku": f"s{i % 2}", "n": i}]} for i in range(1, 10)])
        self.db.customers.insert_many([{"_id": i, "name": f"c{i}"} for i in range(3)])
        rows = list(self.db.orders.aggregate([
            {"$unwind": "$items"}, {"$group": {"_id": "$customer", "total": {"$sum": "$total"}, "skus": {"$addToSet": "$items.sku"}}},
            {"$lookup": {"from": "customers", "localField": "_id", "foreignField": "_id", "as": "who"}}, {"$set": {"name": {"$first": "$who.name"}}},
            {"$project": {"who": 0}}, {"$sort": {"_id": 1}}]))
        self.assertEqual([(row["name"], row["total"], sorted(row["skus"])) for row in rows], [("c0", 27.0, ["s0", "s1"]), ("c1", 18.0, ["s0", "s1"]), ("c2", 22.5, ["s0", "s1"])])
        self.db.orders.aggregate([{"$group": {"_id": "$customer", "n": {"$sum": 1}}}, {"$merge": "counts"}])
        self.assertEqual(self.db.counts.count_documents({"n": 3}), 3)

    def test_indexes_and_plans(self):
        things = self.db.things
        things.insert_many({"_id": i, "a": i % 10, "b": i} for i in range(300))
        self.assertEqual(things.create_index([("a", ASCENDING), ("b", DESCENDING)]), "a_1_b_-1")
        self.assertEqual([index["name"] for index in things.list_indexes()], ["_id_", "a_1_b_-1"])
        plan = things.find({"a": 3}).explain()
        self.assertEqual(plan["queryPlanner"]["winningPlan"]["stage"], "FETCH")
        self.assertEqual(plan["queryPlanner"]["winningPlan"]["inputStage"]["indexName"], "a_1_b_-1")
        self.assertEqual(plan["executionStats"]["nReturned"], 30)
        self.assertLess(plan["executionStats"]["totalDocsExamined"], 300)
        self.assertEqual(things.find({"b": 3}).explain()["queryPlanner"]["winningPlan"]["stage"], "COLLSCAN")
        things.drop_index("a_1_b_-1")
        with self.assertRaises(OperationFailure) as refused:
            things.drop_index("a_1_b_-1")
        self.assertEqual(refused.exception.code, 27)

    def test_views_and_names(self):
        self.db.things.insert_many([{"_id": 1, "open": True}, {"_id": 2, "open": False}])
        self.db.create_collection("open_things", viewOn="things", pipeline=[{"$match": {"open": True}}])
        self.assertEqual([d["_id"] for d in self.db.open_things.find()], [1])
        self.assertEqual(sorted(self.db.list_collection_names(filter={"type": "collection"})), ["things"])
        self.assertIn(self.db.name, self.client.list_database_names())
        self.assertEqual(self.client.server_info()["versionArray"][0], 7)

    def test_transactions_over_collections(self):
        accounts, journal = self.db.accounts, self.db.journal
        accounts.insert_many([{"_id": "a", "balance": 100}, {"_id": "b", "balance": 0}])

        def move(session):
            accounts.update_one({"_id": "a"}, {"$inc": {"balance": -30}}, session=session)
            accounts.update_one({"_id": "b"}, {"$inc": {"balance": 30}}, session=session)
            journal.insert_one({"amount": 30}, session=session)
            self.assertEqual(accounts.find_one({"_id": "b"}, session=session)["balance"], 30)
            self.assertEqual(accounts.find_one({"_id": "b"})["balance"], 0)

        with self.client.start_session() as session:
            session.with_transaction(move)
            self.assertEqual([d["balance"] for d in accounts.find(sort=[("_id", 1)])], [70, 30])
            self.assertEqual(journal.count_documents({}), 1)
            with self.assertRaises(pymongo.errors.DuplicateKeyError):
                with session.start_transaction():
                    journal.insert_one({"amount": 1}, session=session)
                    accounts.insert_one({"_id": "a"}, session=session)
        self.assertEqual(journal.count_documents({}), 1)


if __name__ == "__main__":
    unittest.main()
