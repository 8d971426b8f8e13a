"""Pages: automatic, by hand, from a kept paging state, after a restart."""
import unittest

from cassandra.protocol import ProtocolException
from cassandra.query import SimpleStatement

from cql_harness import CqlServer, CqlTest, make_cluster

PARTITIONS, ROWS = 20, 25


class Paging(CqlTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.session.execute("CREATE KEYSPACE paging WITH replication = "
                            "{'class': 'SimpleStrategy', 'replication_factor': 1}")
        cls.session.execute("CREATE TABLE paging.t (p int, c int, v text, s int static, PRIMARY KEY (p, c))")
        insert = cls.session.prepare("INSERT INTO paging.t (p, c, v, s) VALUES (?, ?, ?, ?)")
        futures = [cls.session.execute_async(insert, (p, c, f"{p}/{c}", p)) for p in range(PARTITIONS)
                   for c in range(ROWS)]
        for future in futures:
            future.result()
        cls.all = {(p, c) for p in range(PARTITIONS) for c in range(ROWS)}

    def pages(self, statement, session=None, values=None):
        """Each page's rows, fetched one after the other."""
        result = (session or self.session).execute(statement, values)
        while True:
            yield list(result.current_rows)
            if not result.has_more_pages:
                return
            result.fetch_next_page()

    def test_automatic(self):
        for version in (3, 4, 5):
            session = self.speaking(version, "paging")
            for size in (1, 7, 100, 499, 500, 501, 5000):
                if size == 1 and version != 5:
                    continue  # 500 requests once are enough
                session.default_fetch_size = size
                rows = [(r.p, r.c) for r in session.execute("SELECT p, c FROM t")]
                self.assertEqual(len(rows), PARTITIONS * ROWS, (version, size))
                self.assertEqual(set(rows), self.all)

    def test_system_tables(self):
        for question in ("SELECT * FROM system_schema.columns", "SELECT * FROM system_schema.columns WHERE kind = 'regular' ALLOW FILTERING"):
            whole = list(self.session.execute(SimpleStatement(question, fetch_size=None)))
            self.assertGreater(len(whole), 100)
            for size in (3, 10):
                self.assertEqual(list(self.session.execute(SimpleStatement(question, fetch_size=size))), whole)

    def test_without_pages_at_all(self):
        statement = SimpleStatement("SELECT p, c FROM paging.t", fetch_size=None)
        result = self.session.execute(statement)
        self.assertFalse(result.has_more_pages)
        self.assertEqual(len(result.current_rows), PARTITIONS * ROWS)

    def test_order_is_kept_over_pages(self):
        up = self.session.prepare("SELECT c FROM paging.t WHERE p = ?")
        down = self.session.prepare("SELECT c FROM paging.t WHERE p = ? ORDER BY c DESC")
        up.fetch_size = down.fetch_size = 4
        self.assertEqual([r.c for r in self.session.execute(up, (3,))], list(range(ROWS)))
        self.assertEqual([r.c for r in self.session.execute(down, (3,))], list(reversed(range(ROWS))))

    def test_pages_are_as_large_as_asked(self):
        sizes = [len(page) for page in self.pages(SimpleStatement("SELECT * FROM paging.t WHERE p = 1", fetch_size=10))]
        self.assertEqual([size for size in sizes if size], [10, 10, 5])

    def test_limits_hold_over_pages(self):
        for query, expected in (("SELECT p, c FROM paging.t LIMIT 33", 33),
                                ("SELECT p, c FROM paging.t PER PARTITION LIMIT 2", 2 * PARTITIONS),
                                ("SELECT p, c FROM paging.t PER PARTITION LIMIT 3 LIMIT 31", 31),
                                ("SELECT DISTINCT p, s FROM paging.t", PARTITIONS),
                                ("SELECT p, c FROM paging.t WHERE p IN (1, 2, 3) AND c > 19", 15),
                                ("SELECT p, c FROM paging.t WHERE v = '7/7' ALLOW FILTERING", 1),
                                ("SELECT p, c FROM paging.t WHERE c = 5 ALLOW FILTERING", PARTITIONS),
                                ("SELECT p, count(*) FROM paging.t GROUP BY p", PARTITIONS)):
            for size in (1, 3, 10):
                with self.subTest(query, size=size):
                    rows = [tuple(row) for row in self.session.execute(SimpleStatement(query, fetch_size=size))]
                    self.assertEqual((len(rows), len(set(rows))), (expected, expected))

    def test_aggregates_count_all_pages(self):
        statement = SimpleStatement("SELECT count(*), max(c), sum(s) FROM paging.t", fetch_size=7)
        self.assertEqual(self.rows(statement), [(PARTITIONS * ROWS, ROWS - 1, ROWS * sum(range(PARTITIONS)))])

    def test_token_ranges_cover_the_ring(self):
        edges = [-(2**63), -(2**62), 0, 2**62, 2**63 - 1]
        select = self.session.prepare("SELECT p, c FROM paging.t WHERE token(p) > ? AND token(p) <= ?")
        select.fetch_size = 11
        rows = [tuple(row) for low, high in zip(edges, edges[1:]) for row in self.session.execute(select, (low, high))]
        self.assertEqual((len(rows), set(rows)), (PARTITIONS * ROWS, self.all))

    def test_a_kept_state_goes_on_in_another_session(self):
        statement = SimpleStatement("SELECT p, c FROM t", fetch_size=90)
        seen, state = [], None
        for turn in range(100):
            session = self.speaking((3, 4, 5)[turn % 3], "paging")
            result = session.execute(statement, paging_state=state)
            seen += [tuple(row) for row in result.current_rows]
            state = result.paging_state
            if state is None:
                break
        self.assertEqual((len(seen), set(seen)), (PARTITIONS * ROWS, self.all))

    def test_rows_written_and_deleted_between_pages(self):
        self.session.execute("CREATE TABLE t (p int, c int, PRIMARY KEY (p, c))")
        for c in range(0, 20, 2):
            self.session.execute(f"INSERT INTO t (p, c) VALUES (1, {c})")
        result = self.session.execute(SimpleStatement("SELECT c FROM t WHERE p = 1", fetch_size=4))
        first = [r.c for r in result.current_rows]
        self.assertEqual(first, [0, 2, 4, 6])
        self.session.execute("DELETE FROM t WHERE p = 1 AND c = 6")   # the row where the page ended
        self.session.execute("DELETE FROM t WHERE p = 1 AND c = 8")
        self.session.execute("INSERT INTO t (p, c) VALUES (1, 1)")    # behind the cursor
        self.session.execute("INSERT INTO t (p, c) VALUES (1, 11)")   # ahead of it
        result.fetch_next_page()
        rest = [r.c for r in result]
        self.assertEqual(rest, [10, 11, 12, 14, 16, 18])

    def test_a_state_is_a_position_in_its_table(self):
        first = self.session.execute(SimpleStatement("SELECT p, c FROM paging.t WHERE p = 3 ORDER BY c", fetch_size=10))
        state = first.paging_state

        def behind(query):
            return [tuple(row) for row in self.session.execute(SimpleStatement(query, fetch_size=4), paging_state=state)]
        self.assertEqual(behind("SELECT p, c FROM paging.t WHERE p = 3 AND c > 5"), [(3, c) for c in range(10, ROWS)])
        self.assertEqual(behind("SELECT p, c FROM paging.t WHERE p = 3 AND c = 12"), [(3, 12)])
        self.assertEqual(behind("SELECT p, c FROM paging.t WHERE p = 3 AND c = 7"), [])
        self.assertEqual(behind("SELECT p, c FROM paging.t WHERE p = 3 ORDER BY c DESC"), [(3, c) for c in reversed(range(9))])
        self.assertEqual(behind("SELECT p, c FROM paging.t WHERE p IN (2, 3, 4)"),
                         [(3, c) for c in range(10, ROWS)] + [(4, c) for c in range(ROWS)])
        everything = [tuple(row) for row in self.session.execute("SELECT p, c FROM paging.t")]
        self.assertEqual(behind("SELECT p, c FROM paging.t"), everything[everything.index((3, 9)) + 1:])

    def test_programs_that_go_on_while_pages_are_full_come_to_an_end(self):
        statement = SimpleStatement("SELECT p, c FROM paging.t WHERE p = 1", fetch_size=5)
        seen, state = [], None
        for _ in range(ROWS):
            result = self.session.execute(statement, paging_state=state)
            seen += [tuple(row) for row in result.current_rows]
            state = result.paging_state
            if len(result.current_rows) < statement.fetch_size:
                break
        self.assertEqual(seen, [(1, c) for c in range(ROWS)])

    def test_a_state_of_another_table_is_refused(self):
        self.session.execute("CREATE TABLE other (p int, c int, PRIMARY KEY (p, c))")
        state = self.session.execute(SimpleStatement("SELECT p, c FROM paging.t", fetch_size=5)).paging_state
        session = self.connect(self.session.keyspace)
        with self.assertRaisesRegex(ProtocolException, "another table"):
            session.execute(SimpleStatement("SELECT p, c FROM other", fetch_size=5), paging_state=state)

    def test_a_state_that_is_none_is_refused(self):
        for state in (b"\x00", b"garbage of some length", b"\xff" * 200):
            session = self.connect("paging")  # the driver closes a connection that answered so
            with self.assertRaisesRegex(ProtocolException, "paging state"):
                session.execute(SimpleStatement("SELECT p, c FROM t", fetch_size=5), paging_state=state)

    def test_a_kept_state_goes_on_after_a_restart(self):
        root = self.server.data.parent / "restarted"
        server = CqlServer(root, "--durability", "os")
        self.addCleanup(lambda: server.process.poll() is None and server.kill())
        seen, state = [], None
        statement = SimpleStatement("SELECT k FROM ks.t", fetch_size=30)
        for turn in range(100):
            cluster = make_cluster(server)
            with cluster:
                session = cluster.connect()
                if turn == 0:
                    session.execute("CREATE KEYSPACE ks WITH replication = "
                                    "{'class': 'SimpleStrategy', 'replication_factor': 1}")
                    session.execute("CREATE TABLE ks.t (k int PRIMARY KEY)")
                    for k in range(100):
                        session.execute(f"INSERT INTO ks.t (k) VALUES ({k})")
                result = session.execute(statement, paging_state=state)
                seen += [row.k for row in result.current_rows]
                state = result.paging_state
            if state is None:
                break
            server.stop()
            server = server.start_again()
        server.kill()
        self.assertEqual(sorted(seen), list(range(100)))


if __name__ == "__main__":
    unittest.main()
