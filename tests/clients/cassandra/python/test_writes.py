"""Writes beyond a plain INSERT: batches, conditions, counters, static columns, TTL and timestamps."""
import unittest

from cassandra import InvalidRequest
from cassandra.query import BatchStatement, BatchType, SimpleStatement

from cql_harness import CqlTest


class Batches(CqlTest):
    def setUp(self):
        super().setUp()
        self.session.execute("CREATE TABLE t (p int, c int, v text, PRIMARY KEY (p, c))")
        self.insert = self.session.prepare("INSERT INTO t (p, c, v) VALUES (?, ?, ?)")

    def test_simple_and_prepared_in_one(self):
        for version in (3, 4, 5):
            for kind in (BatchType.LOGGED, BatchType.UNLOGGED):
                with self.subTest(version=version, kind=str(kind)):
                    session = self.speaking(version, self.keyspace)
                    session.execute("TRUNCATE t")
                    batch = BatchStatement(kind)
                    batch.add(session.prepare(self.insert.query_string), (1, 1, "prepared"))
                    batch.add("INSERT INTO t (p, c, v) VALUES (%s, %s, %s)", (1, 2, "simple"))
                    batch.add(SimpleStatement("INSERT INTO t (p, c, v) VALUES (2, 1, 'other partition')"))
                    batch.add("DELETE FROM t WHERE p = 1 AND c = 9")
                    session.execute(batch)
                    self.assertEqual(sorted(self.rows("SELECT p, c, v FROM t", session=session)),
                                     [(1, 1, "prepared"), (1, 2, "simple"), (2, 1, "other partition")])

    def test_as_text(self):
        self.session.execute("BEGIN BATCH INSERT INTO t (p, c, v) VALUES (1, 1, 'a'); "
                             "UPDATE t SET v = 'b' WHERE p = 1 AND c = 2; APPLY BATCH")
        self.assertEqual(self.rows("SELECT c, v FROM t"), [(1, "a"), (2, "b")])
        prepared = self.session.prepare("BEGIN UNLOGGED BATCH INSERT INTO t (p, c, v) VALUES (?, ?, ?); "
                                        "DELETE FROM t WHERE p = ? AND c = ?; APPLY BATCH")
        self.session.execute(prepared, (1, 3, "c", 1, 1))
        self.assertEqual(self.rows("SELECT c, v FROM t"), [(2, "b"), (3, "c")])

    def test_all_or_nothing(self):
        batch = BatchStatement()
        batch.add(self.insert, (1, 1, "a"))
        batch.add("INSERT INTO nowhere (p) VALUES (1)")
        with self.assertRaises(InvalidRequest):
            self.session.execute(batch)
        self.assertEqual(self.rows("SELECT * FROM t"), [])

    def test_many_rows(self):
        batch = BatchStatement(BatchType.UNLOGGED)
        for c in range(500):
            batch.add(self.insert, (c % 10, c, "x"))
        self.session.execute(batch)
        self.assertEqual(self.rows("SELECT count(*) FROM t"), [(500,)])

    def test_an_empty_one_does_nothing(self):
        self.session.execute(BatchStatement())

    def test_counters(self):
        self.session.execute("CREATE TABLE n (k int PRIMARY KEY, a counter)")
        add = self.session.prepare("UPDATE n SET a = a + ? WHERE k = ?")
        batch = BatchStatement(BatchType.COUNTER)
        for k in range(3):
            batch.add(add, (k + 1, k))
        batch.add("UPDATE n SET a = a - 10 WHERE k = 2")
        self.session.execute(batch)
        self.assertEqual(sorted(self.rows("SELECT k, a FROM n")), [(0, 1), (1, 2), (2, -7)])

    def test_counters_and_others_do_not_mix(self):
        self.session.execute("CREATE TABLE n (k int PRIMARY KEY, a counter)")
        for kind in (BatchType.COUNTER, BatchType.LOGGED):
            batch = BatchStatement(kind)
            batch.add("UPDATE n SET a = a + 1 WHERE k = 1")
            batch.add(self.insert, (1, 1, "x"))
            with self.assertRaises(InvalidRequest):
                self.session.execute(batch)
        self.assertEqual(self.rows("SELECT * FROM n"), [])

    def test_a_condition_guards_all(self):
        batch = BatchStatement()
        batch.add("INSERT INTO t (p, c, v) VALUES (1, 1, 'first') IF NOT EXISTS")
        batch.add(self.insert, (1, 2, "second"))
        self.assertTrue(self.session.execute(batch).was_applied)
        batch = BatchStatement()
        batch.add("UPDATE t SET v = 'changed' WHERE p = 1 AND c = 1 IF v = 'something else'")
        batch.add(self.insert, (1, 3, "third"))
        self.assertFalse(self.session.execute(batch).was_applied)
        self.assertEqual(self.rows("SELECT c, v FROM t"), [(1, "first"), (2, "second")])

    def test_conditions_stay_in_one_partition(self):
        batch = BatchStatement()
        batch.add("INSERT INTO t (p, c, v) VALUES (1, 1, 'x') IF NOT EXISTS")
        batch.add(self.insert, (2, 1, "x"))
        with self.assertRaisesRegex(InvalidRequest, "(?i)partition"):
            self.session.execute(batch)

    def test_a_timestamp_for_all(self):
        statement = self.session.prepare("BEGIN BATCH USING TIMESTAMP ? INSERT INTO t (p, c, v) VALUES (1, 1, 'x'); "
                                         "INSERT INTO t (p, c, v) VALUES (1, 2, 'y'); APPLY BATCH")
        self.session.execute(statement, (1234,))
        self.assertEqual(self.rows("SELECT writetime(v) FROM t"), [(1234,), (1234,)])


class Conditions(CqlTest):
    def setUp(self):
        super().setUp()
        self.session.execute("CREATE TABLE t (k int PRIMARY KEY, v int, l list<int>)")

    def test_insert_if_not_exists_tells_what_is_there(self):
        insert = self.session.prepare("INSERT INTO t (k, v) VALUES (?, ?) IF NOT EXISTS")
        self.assertTrue(self.session.execute(insert, (1, 10)).was_applied)
        result = self.session.execute(insert, (1, 20))
        self.assertFalse(result.was_applied)
        row = result.one()
        self.assertEqual((row.applied, row.k, row.v), (False, 1, 10))

    def test_update_if(self):
        self.session.execute("INSERT INTO t (k, v, l) VALUES (1, 10, [1, 2])")
        update = self.session.prepare("UPDATE t SET v = ? WHERE k = ? IF v = ?")
        self.assertTrue(self.session.execute(update, (11, 1, 10)).was_applied)
        result = self.session.execute(update, (12, 1, 10))
        self.assertEqual((result.was_applied, result.one().v), (False, 11))
        for condition, applied in (("v IN (11, 12)", True), ("v > 100", False), ("v != 11", False),
                                   ("l[1] = 2", True), ("l = [1, 2]", True), ("v = 11 AND l[0] = 9", False)):
            with self.subTest(condition):
                result = self.session.execute(f"UPDATE t SET v = 11 WHERE k = 1 IF {condition}")
                self.assertEqual(result.was_applied, applied)

    def test_update_and_delete_if_exists(self):
        self.assertFalse(self.session.execute("UPDATE t SET v = 1 WHERE k = 5 IF EXISTS").was_applied)
        self.assertFalse(self.session.execute("DELETE FROM t WHERE k = 5 IF EXISTS").was_applied)
        self.session.execute("INSERT INTO t (k, v) VALUES (5, 1)")
        self.assertTrue(self.session.execute("UPDATE t SET v = 2 WHERE k = 5 IF EXISTS").was_applied)
        self.assertFalse(self.session.execute("DELETE FROM t WHERE k = 5 IF v = 1").was_applied)
        self.assertTrue(self.session.execute("DELETE FROM t WHERE k = 5 IF v = 2").was_applied)
        self.assertEqual(self.rows("SELECT * FROM t"), [])

    def test_one_of_many_rivals_wins(self):
        insert = self.session.prepare("INSERT INTO t (k, v) VALUES (1, ?) IF NOT EXISTS")
        futures = [self.session.execute_async(insert, (v,)) for v in range(100)]
        winners = [v for v, future in enumerate(futures) if future.result().was_applied]
        self.assertEqual(self.rows("SELECT v FROM t"), [(v,) for v in winners])

    def test_rivals_count_without_loss(self):
        self.session.execute("INSERT INTO t (k, v) VALUES (1, 0)")
        update = self.session.prepare("UPDATE t SET v = ? WHERE k = 1 IF v = ?")
        applied, seen = 0, 0
        while applied < 20:
            futures = [self.session.execute_async(update, (seen + 1, seen)) for _ in range(5)]
            applied += sum(future.result().was_applied for future in futures)
            (seen,) = self.one("SELECT v FROM t")
        self.assertEqual(seen, applied)


class Rows(CqlTest):
    def test_static_columns_belong_to_the_partition(self):
        self.session.execute("CREATE TABLE t (p int, c int, s text static, v int, PRIMARY KEY (p, c))")
        self.session.execute("INSERT INTO t (p, s) VALUES (1, 'first')")
        self.assertEqual(self.rows("SELECT p, c, s FROM t"), [(1, None, "first")])
        for c in range(3):
            self.session.execute(f"INSERT INTO t (p, c, v) VALUES (1, {c}, {c})")
        self.session.execute("UPDATE t SET s = 'second' WHERE p = 1")
        self.assertEqual(self.rows("SELECT c, s FROM t WHERE p = 1"), [(c, "second") for c in range(3)])
        self.assertTrue(self.session.execute("UPDATE t SET s = 'third' WHERE p = 1 IF s = 'second'").was_applied)
        self.assertEqual(self.rows("SELECT DISTINCT p, s FROM t"), [(1, "third")])

    def test_time_to_live(self):
        self.session.execute("CREATE TABLE t (k int PRIMARY KEY, a int, b int) WITH default_time_to_live = 5000")
        self.session.execute("INSERT INTO t (k, a) VALUES (1, 1) USING TTL 100000")
        self.session.execute("UPDATE t SET b = 1 WHERE k = 1")
        a, b = self.one("SELECT ttl(a), ttl(b) FROM t")
        self.assertTrue(5000 < a <= 100000 and 0 < b <= 5000, (a, b))
        self.session.execute("UPDATE t USING TTL 0 SET b = 2 WHERE k = 1")
        self.assertEqual(self.one("SELECT b, ttl(b) FROM t"), (2, None))

    def test_the_later_timestamp_wins(self):
        self.session.execute("CREATE TABLE t (k int PRIMARY KEY, v text)")
        self.session.execute("INSERT INTO t (k, v) VALUES (1, 'later') USING TIMESTAMP 2000")
        self.session.execute("INSERT INTO t (k, v) VALUES (1, 'earlier') USING TIMESTAMP 1000")
        self.assertEqual(self.one("SELECT v, writetime(v) FROM t"), ("later", 2000))
        self.session.execute("DELETE FROM t USING TIMESTAMP 1500 WHERE k = 1")
        self.assertEqual(self.one("SELECT v FROM t"), ("later",))
        self.session.execute("DELETE FROM t USING TIMESTAMP 3000 WHERE k = 1")
        self.assertEqual(self.rows("SELECT v FROM t"), [])

    def test_the_drivers_timestamps_order_its_writes(self):
        self.session.execute("CREATE TABLE t (k int PRIMARY KEY, v int)")
        insert = self.session.prepare("INSERT INTO t (k, v) VALUES (1, ?)")
        for future in [self.session.execute_async(insert, (v,)) for v in range(200)]:
            future.result()
        self.assertEqual(self.one("SELECT v FROM t"), (199,))

    def test_deletes_of_every_size(self):
        self.session.execute("CREATE TABLE t (p int, a int, b int, v int, PRIMARY KEY (p, a, b))")
        insert = self.session.prepare("INSERT INTO t (p, a, b, v) VALUES (?, ?, ?, 1)")
        for p in range(2):
            for a in range(3):
                for b in range(3):
                    self.session.execute(insert, (p, a, b))
        self.session.execute("DELETE v FROM t WHERE p = 0 AND a = 0 AND b = 0")
        self.session.execute("DELETE FROM t WHERE p = 0 AND a = 0 AND b = 1")
        self.session.execute("DELETE FROM t WHERE p = 0 AND a = 1")
        self.session.execute("DELETE FROM t WHERE p = 0 AND a = 2 AND b > 0")
        self.session.execute("DELETE FROM t WHERE p = 1")
        self.assertEqual(self.rows("SELECT p, a, b, v FROM t"), [(0, 0, 0, None), (0, 0, 2, 1), (0, 2, 0, 1)])

    def test_truncate(self):
        self.session.execute("CREATE TABLE t (k int PRIMARY KEY)")
        self.session.execute("INSERT INTO t (k) VALUES (1)")
        self.session.execute("TRUNCATE TABLE t")
        self.assertEqual(self.rows("SELECT * FROM t"), [])
        self.session.execute("INSERT INTO t (k) VALUES (2)")
        self.assertEqual(self.rows("SELECT * FROM t"), [(2,)])


if __name__ == "__main__":
    unittest.main()
