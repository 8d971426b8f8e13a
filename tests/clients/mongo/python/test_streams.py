"""Change streams by pymongo, with its own ways to wait and to resume."""
import pymongo.errors

from mongo_test import MongoTest


class Streams(MongoTest):
    def opened(self, target, *arguments, **options):
        stream = target.watch(*arguments, max_await_time_ms=300, **options)
        self.addCleanup(stream.close)
        self.assertIsNone(stream.try_next())
        return stream

    def test_changes_of_a_collection(self):
        things = self.db.things
        stream = self.opened(things)
        things.insert_one({"_id": 1, "q": [1]})
        things.update_one({"_id": 1}, [{"$set": {"a": 1}}])
        things.update_one({"_id": 1}, {"$push": {"q": 2}, "$unset": {"a": 1}})
        things.delete_one({"_id": 1})
        events = [next(stream) for _ in range(4)]
        self.assertEqual([e["operationType"] for e in events], ["insert", "update", "update", "delete"])
        self.assertEqual(events[2]["updateDescription"],
                         {"updatedFields": {"q.1": 2}, "removedFields": ["a"], "truncatedArrays": []})
        self.assertEqual(events[3]["documentKey"], {"_id": 1})
        self.assertTrue(all(a["clusterTime"] < b["clusterTime"] for a, b in zip(events, events[1:])))

    def test_resumes_where_it_was(self):
        things = self.db.things
        stream = self.opened(things)
        things.insert_many([{"_id": n} for n in range(5)])
        self.assertEqual([next(stream)["documentKey"]["_id"] for _ in range(3)], [0, 1, 2])
        token = stream.resume_token
        stream.close()
        things.insert_one({"_id": 5})
        with things.watch(resume_after=token, max_await_time_ms=300) as again:
            self.assertEqual([next(again)["documentKey"]["_id"] for _ in range(3)], [3, 4, 5])
            self.assertIsNone(again.try_next())
            self.assertGreater(again.resume_token["_data"], token["_data"])

    def test_goes_on_when_its_cursor_is_gone(self):
        things = self.db.things
        stream = self.opened(things)
        things.insert_one({"_id": 1})
        self.assertEqual(next(stream)["documentKey"], {"_id": 1})
        self.client.get_database(self.db.name).command(
            {"killCursors": things.name, "cursors": [stream._cursor.cursor_id]})
        things.insert_one({"_id": 2})
        self.assertEqual(next(stream)["documentKey"], {"_id": 2})

    def test_filters_and_databases(self):
        stream = self.opened(self.db, [{"$match": {"fullDocument.wanted": True}}])
        self.db.a.insert_many([{"_id": n, "wanted": n % 3 == 0} for n in range(9)])
        self.db.b.insert_one({"_id": 100, "wanted": True})
        self.assertEqual([next(stream)["documentKey"]["_id"] for _ in range(4)], [0, 3, 6, 100])

    def test_tokens_of_another_kind(self):
        for token, code in (({"_data": "nothex"}, 9), ({"x": 1}, 40647), ({"_data": "8263"}, 15)):
            with self.assertRaises(pymongo.errors.OperationFailure) as failure:
                self.db.things.watch(resume_after=token)
            self.assertEqual(failure.exception.code, code)
