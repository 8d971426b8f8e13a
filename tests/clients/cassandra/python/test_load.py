"""Many requests at once on few connections."""
import threading
import unittest

from cassandra.concurrent import execute_concurrent, execute_concurrent_with_args

import harness
from cql_harness import CqlTest


class Load(CqlTest):
    def setUp(self):
        super().setUp()
        self.session.execute("CREATE TABLE t (p int, c int, v text, PRIMARY KEY (p, c))")
        self.insert = self.session.prepare("INSERT INTO t (p, c, v) VALUES (?, ?, ?)")
        self.select = self.session.prepare("SELECT v FROM t WHERE p = ? AND c = ?")

    def test_thousands_in_flight_on_one_connection(self):
        futures = [self.session.execute_async(self.insert, (k % 50, k, f"v{k}")) for k in range(4000)]
        for future in futures:
            future.result()
        futures = [self.session.execute_async(self.select, (k % 50, k)) for k in range(4000)]
        self.assertEqual([future.result().one().v for future in futures], [f"v{k}" for k in range(4000)])

    def test_execute_concurrent(self):
        arguments = [(k % 7, k, "x" * (k % 300)) for k in range(2000)]
        done = execute_concurrent_with_args(self.session, self.insert, arguments, concurrency=500)
        self.assertTrue(all(success for success, _ in done))
        mixed = [(self.select, (k % 7, k)) for k in range(1000)]
        mixed += [("SELECT count(*) FROM t WHERE p = %s", (p,)) for p in range(7)]
        answers = execute_concurrent(self.session, mixed, concurrency=200, results_generator=True)
        values = [result.one()[0] for success, result in answers if success]
        self.assertEqual(len(values), 1007)
        self.assertEqual(sum(values[1000:]), 2000)

    def test_failures_stay_with_their_own_request(self):
        statements = [("INSERT INTO t (p, c, v) VALUES (%s, 1, 'x')", (k,)) if k % 3 else ("SELECT nonsense", None)
                      for k in range(300)]
        done = execute_concurrent(self.session, statements, concurrency=100, raise_on_first_error=False)
        self.assertEqual([success for success, _ in done], [bool(k % 3) for k in range(300)])

    def test_large_and_small_answers_interleave(self):
        big = "0123456789" * 50_000
        self.session.execute(self.insert, (1, 1, big))
        self.session.execute(self.insert, (1, 2, "small"))
        futures = [(c, self.session.execute_async(self.select, (1, c))) for c in [1, 2, 2, 2, 2] * 20]
        for c, future in futures:
            self.assertEqual(future.result().one().v, big if c == 1 else "small")

    def test_many_threads_and_sessions(self):
        sessions = [self.connect(self.keyspace, protocol_version=version) for version in (3, 4, 5)]
        failures = []

        def work(number):
            try:
                session = sessions[number % len(sessions)]
                insert = session.prepare(self.insert.query_string)
                select = session.prepare(self.select.query_string)
                for c in range(40):
                    session.execute(insert, (number, c, f"{number}:{c}"))
                    if session.execute(select, (number, c)).one().v != f"{number}:{c}":
                        raise AssertionError(f"thread {number} did not read its own write {c}")
            except Exception as error:
                failures.append(error)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(12)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(harness.PATIENCE_S)
        self.assertEqual(failures, [])
        self.assertEqual(self.rows("SELECT count(*) FROM t"), [(12 * 40,)])


if __name__ == "__main__":
    unittest.main()
