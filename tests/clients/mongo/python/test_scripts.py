"""JavaScript in writes, beside other writers."""
import threading

from mongo_test import MongoTest


class Scripts(MongoTest):
    def at_once(self, writers):
        failures = []

        def run(write):
            try:
                write()
            except Exception as failure:  # told by the test's own thread
                failures.append(failure)

        threads = [threading.Thread(target=run, args=(write,)) for write in writers]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])

    def test_no_change_of_another_is_lost(self):
        counters = self.db.counters
        counters.insert_one({"_id": 1, "plain": 0, "scripted": 0})

        def scripted():
            for _ in range(25):
                done = counters.update_one({"_id": 1, "$where": "this.scripted >= 0"}, {"$inc": {"scripted": 1}})
                self.assertEqual(done.modified_count, 1)

        def plain():
            for _ in range(100):
                counters.update_one({"_id": 1}, {"$inc": {"plain": 1}})

        self.at_once([scripted, scripted, plain])
        self.assertEqual(counters.find_one(), {"_id": 1, "plain": 100, "scripted": 50})

    def test_a_job_is_taken_once(self):
        jobs = self.db.jobs
        jobs.insert_many([{"_id": n, "state": "new"} for n in range(40)])
        taken = []

        def take():
            while True:
                job = jobs.find_one_and_update({"$where": "this.state == 'new'"}, {"$set": {"state": "taken"}})
                if job is None:
                    return
                taken.append(job["_id"])

        self.at_once([take] * 3)
        self.assertEqual(sorted(taken), list(range(40)))

    def test_many_documents_and_pipelines(self):
        things = self.db.things
        things.insert_many([{"_id": n, "n": n} for n in range(500)])
        half = {"$function": {"body": "function(n) { return n / 2; }", "args": ["$n"], "lang": "js"}}
        done = things.update_many({"$where": "this.n % 2 == 0"}, [{"$set": {"n": half}}])
        self.assertEqual((done.matched_count, done.modified_count), (250, 250))
        self.assertEqual(things.find_one({"_id": 100})["n"], 50)
        self.assertEqual(things.delete_many({"$where": "this._id >= 100"}).deleted_count, 400)
        self.assertEqual(things.count_documents({}), 100)

    def test_in_a_transaction(self):
        things = self.db.things
        things.insert_many([{"_id": n} for n in range(4)])
        with self.client.start_session() as session:
            session.start_transaction()
            things.update_many({"$where": "this._id > 1"}, {"$set": {"x": 1}}, session=session)
            self.assertEqual(things.count_documents({"x": 1}), 0)
            self.assertEqual(things.delete_one({"$where": "this.x == 1"}, session=session).deleted_count, 1)
            session.commit_transaction()
        self.assertEqual(list(things.find()), [{"_id": 0}, {"_id": 1}, {"_id": 3, "x": 1}])

    def test_a_sharded_collection_without_the_key(self):
        self.db.command({"shardCollection": f"{self.db.name}.spread", "key": {"k": "hashed"}})
        spread = self.db.spread
        spread.insert_many([{"_id": n, "k": n % 7} for n in range(50)])
        done = spread.update_one({"$where": "this._id == 33"}, {"$set": {"hit": True}})
        self.assertEqual((done.matched_count, done.modified_count), (1, 1))
        self.assertEqual(spread.find_one({"hit": True})["_id"], 33)
        self.assertEqual(spread.find_one_and_delete({"$where": "this.hit"})["_id"], 33)
        self.assertEqual(spread.update_one({"$where": "this.hit"}, {"$set": {"x": 1}}).matched_count, 0)
