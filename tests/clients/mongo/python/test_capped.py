"""Capped collections and tailable cursors by pymongo."""
import itertools
import threading

import pymongo
import pymongo.errors
from bson import Int64
from pymongo.cursor import CursorType

from mongo_test import MongoTest


class Capped(MongoTest):
    def capped(self, **options):
        return self.db.create_collection("log", capped=True, **{"size": 1 << 20, **options})

    def more(self, cursor, **options):
        reply = self.db.command({"getMore": Int64(cursor), "collection": "log", **options})
        return [row["_id"] for row in reply["cursor"]["nextBatch"]], reply["cursor"]["id"]

    def opened(self, **options):
        reply = self.db.command({"find": "log", "tailable": True, **options})
        return [row["_id"] for row in reply["cursor"]["firstBatch"]], reply["cursor"]["id"]

    def test_keeps_the_newest(self):
        log = self.capped(max=10)
        log.insert_many([{"_id": 1000 - n} for n in range(250)])
        self.assertEqual([row["_id"] for row in log.find()], list(range(760, 750, -1)))
        self.assertEqual(log.count_documents({}), 10)
        self.assertTrue(log.options()["capped"])
        log.insert_one({"_id": 1})
        self.assertEqual([row["_id"] for row in log.find(sort=[("$natural", -1)]).limit(2)], [1, 751])

    def test_many_small_ones_make_room_for_a_large_one(self):
        log = self.capped(size=100_000)
        log.insert_many([{"_id": n} for n in range(2_000)])
        log.insert_one({"_id": "large", "x": "x" * 99_000})
        rows = [row["_id"] for row in log.find({}, {"_id": 1})]
        self.assertEqual(rows[-1], "large")
        # 100,096 bytes without 99,028 have room for 76 of 14.
        self.assertEqual(rows[:-1], list(range(2_000 - 76, 2_000)))

    def test_writers_at_once_keep_the_limit(self):
        log = self.capped(max=20)
        failures = []

        def write(writer):
            try:
                for n in range(40):
                    log.insert_one({"writer": writer, "n": n})
            except Exception as failure:  # told by the test's own thread
                failures.append(failure)

        threads = [threading.Thread(target=write, args=(writer,)) for writer in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])
        rows = list(log.find())
        self.assertEqual(len(rows), 20)
        for writer in range(4):
            own = [row["n"] for row in rows if row["writer"] == writer]
            self.assertEqual(own, sorted(own))
            self.assertTrue(not own or own[-1] == 39)

    def test_a_tailable_cursor_meets_what_is_inserted(self):
        log = self.capped()
        log.insert_many([{"_id": n} for n in range(3)])
        rows, cursor = self.opened(filter={"_id": {"$ne": 4}})
        self.assertEqual(rows, [0, 1, 2])
        self.assertEqual(self.more(cursor), ([], cursor))
        log.insert_many([{"_id": n} for n in (3, 4, 5)])
        self.assertEqual(self.more(cursor, batchSize=1), ([3], cursor))
        self.assertEqual(self.more(cursor), ([5], cursor))
        with self.assertRaises(pymongo.errors.OperationFailure) as failure:
            self.more(cursor, maxTimeMS=10)
        self.assertEqual(failure.exception.code, 2)
        self.assertEqual(self.more(cursor), ([], cursor))

    def test_a_cursor_that_awaits_data(self):
        log = self.capped()
        log.insert_one({"_id": 0})
        cursor = log.find({}, cursor_type=CursorType.TAILABLE_AWAIT).max_await_time_ms(20_000)
        self.assertEqual(next(cursor)["_id"], 0)
        inserted = threading.Thread(target=lambda: log.insert_many([{"_id": n} for n in (1, 2)]))
        inserted.start()
        self.assertEqual([row["_id"] for row in itertools.islice(cursor, 2)], [1, 2])
        inserted.join()
        self.assertTrue(cursor.alive)
        cursor.close()

    def test_a_cursor_whose_position_is_lost(self):
        log = self.capped(max=3)
        log.insert_one({"_id": 0})
        _, cursor = self.opened(awaitData=True)
        log.insert_many([{"_id": n} for n in range(1, 5)])
        with self.assertRaises(pymongo.errors.OperationFailure) as failure:
            self.more(cursor, maxTimeMS=100)
        self.assertEqual(failure.exception.code, 136)
        rows, cursor = self.opened()
        self.assertEqual(rows, [2, 3, 4])
        log.delete_one({"_id": 4})
        with self.assertRaises(pymongo.errors.OperationFailure) as failure:
            self.more(cursor)
        self.assertEqual(failure.exception.code, 136)

    def test_a_cursor_of_a_collection_that_is_dropped(self):
        log = self.capped()
        log.insert_one({"_id": 0})
        _, cursor = self.opened(awaitData=True)
        log.drop()
        with self.assertRaises(pymongo.errors.OperationFailure) as failure:
            self.more(cursor, maxTimeMS=100)
        self.assertEqual(failure.exception.code, 175)

    def test_transactions_do_not_write_there(self):
        log = self.capped()
        log.insert_one({"_id": 0})
        for code, write in ((263, lambda s: log.insert_one({"_id": 1}, session=s)),
                            (263, lambda s: log.update_one({"_id": 0}, {"$set": {"x": 1}}, session=s)),
                            (20, lambda s: log.delete_one({"_id": 0}, session=s))):
            with self.client.start_session() as session:
                session.start_transaction()
                with self.assertRaises(pymongo.errors.WriteError) as failure:
                    write(session)
                self.assertEqual(failure.exception.code, code)
                session.abort_transaction()
        with self.client.start_session() as session, session.start_transaction():
            self.assertEqual(list(log.find({}, session=session)), [{"_id": 0}])

    def test_changes_have_no_numbers(self):
        log = self.capped(max=2)
        with log.watch(max_await_time_ms=300) as stream:
            self.assertIsNone(stream.try_next())
            log.insert_many([{"_id": 1}, {"_id": 2}])
            log.update_one({"_id": 2}, {"$set": {"x": 1}})
            log.insert_one({"_id": 3})
            events = [next(stream) for _ in range(5)]
        self.assertEqual([(e["operationType"], e["documentKey"]["_id"]) for e in events[:3]],
                         [("insert", 1), ("insert", 2), ("update", 2)])
        self.assertEqual({(e["operationType"], e["documentKey"]["_id"]) for e in events[3:]},
                         {("insert", 3), ("delete", 1)})
        self.assertEqual(events[0]["fullDocument"], {"_id": 1})
