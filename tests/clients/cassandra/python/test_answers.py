"""What comes with an answer, or instead of one: charges, warnings, traces, errors, throttling."""
import re
import unittest

from cassandra import AlreadyExists, FunctionFailure, InvalidRequest, Unauthorized, WriteFailure
from cassandra.auth import PlainTextAuthProvider
from cassandra.cluster import ExecutionProfile
from cassandra.policies import FallthroughRetryPolicy, RoundRobinPolicy
from cassandra.protocol import ConfigurationException, OverloadedErrorMessage, PrepareMessage, SyntaxException
from cassandra.query import BatchStatement

import harness
from cql_harness import CqlTest, charge


class Charges(CqlTest):
    def setUp(self):
        super().setUp()
        self.session.execute("CREATE TABLE t (p int, c int, v text, PRIMARY KEY (p, c))")

    def charge_of(self, statement, values=None, session=None):
        future = (session or self.session).execute_async(statement, values)
        future.result()
        return charge(future)

    def test_every_answer_has_one(self):
        insert = self.session.prepare("INSERT INTO t (p, c, v) VALUES (?, ?, ?)")
        batch = BatchStatement()
        batch.add(insert, (1, 1, "x"))
        batch.add(insert, (1, 2, "x"))
        for statement, values in ((insert, (1, 1, "x")), (batch, None), ("SELECT * FROM t", None),
                                  ("UPDATE t SET v = 'y' WHERE p = 1 AND c = 1 IF EXISTS", None),
                                  ("DELETE FROM t WHERE p = 1", None)):
            self.assertGreater(self.charge_of(statement, values), 0)

    def test_a_point_read_of_one_kilobyte_costs_one(self):
        self.session.execute("INSERT INTO t (p, c, v) VALUES (1, 1, %s)", ("x" * 1000,))
        select = self.session.prepare("SELECT * FROM t WHERE p = ? AND c = ?")
        for version in (4, 5):
            session = self.speaking(version, self.keyspace)
            again = session.prepare(select.query_string)
            self.assertEqual(self.charge_of(again, (1, 1), session), 1.0)

    def test_the_price_is_the_same_every_time(self):
        insert = self.session.prepare("INSERT INTO t (p, c, v) VALUES (?, ?, ?)")
        self.assertEqual(len({self.charge_of(insert, (p, 1, "x" * 500)) for p in range(10)}), 1)

    def test_more_work_costs_more(self):
        insert = self.session.prepare("INSERT INTO t (p, c, v) VALUES (1, ?, ?)")
        self.assertGreater(self.charge_of(insert, (2, "x" * 10_000)), self.charge_of(insert, (1, "x")))
        for c in range(50):
            self.session.execute(insert, (c, "x" * 1000))
        self.assertGreater(self.charge_of("SELECT * FROM t WHERE p = 1"),
                           self.charge_of("SELECT * FROM t WHERE p = 1 AND c = 1"))

    def test_the_payload_of_a_request_is_taken(self):
        # The documented way to give a table its throughput without the option in the text.
        self.session.execute("CREATE TABLE u (k int PRIMARY KEY)",
                             custom_payload={"cosmosdb_provisioned_throughput": b"400"})
        self.session.execute("INSERT INTO u (k) VALUES (1)", custom_payload={"unknown": b"\x00"})
        self.assertEqual(self.rows("SELECT * FROM u"), [(1,)])


class Warnings(CqlTest):
    def test_aggregates_over_everything(self):
        self.session.execute("CREATE TABLE t (k int PRIMARY KEY)")
        result = self.session.execute("SELECT count(*) FROM t")
        self.assertEqual(result.response_future.warnings, ["Aggregation query used without partition key"])
        self.assertFalse(result.response_future.custom_payload)  # Java's drivers cannot read both
        plain = self.session.execute("SELECT * FROM t").response_future
        self.assertIsNone(plain.warnings)
        self.assertIn("RequestCharge", plain.custom_payload)


class Traces(CqlTest):
    def test_a_request_can_be_followed(self):
        self.session.execute("CREATE TABLE t (k int PRIMARY KEY, v int)")
        for statement in ("INSERT INTO t (k, v) VALUES (1, 2)", "SELECT * FROM t WHERE k = 1"):
            result = self.session.execute(statement, trace=True)
            trace = result.get_query_trace(max_wait_sec=harness.PATIENCE_S)
            self.assertEqual(trace.parameters["query"], statement)
            self.assertEqual((trace.coordinator, trace.client), ("127.0.0.1", "127.0.0.1"))
            self.assertTrue(trace.events)
            self.assertEqual([e.source_elapsed for e in trace.events],
                             sorted(e.source_elapsed for e in trace.events))

    def test_prepared_statements_and_batches_too(self):
        self.session.execute("CREATE TABLE t (k int PRIMARY KEY, v int)")
        insert = self.session.prepare("INSERT INTO t (k, v) VALUES (?, ?)")
        batch = BatchStatement()
        batch.add(insert, (2, 2))
        for statement in (insert.bind((1, 1)), batch):
            trace = self.session.execute(statement, trace=True).get_query_trace(max_wait_sec=harness.PATIENCE_S)
            self.assertTrue(trace.request_type)

    def test_preparing_too(self):
        message = PrepareMessage(query="SELECT key FROM system.local")
        message.tracing = True
        answer = self.session.cluster.control_connection._connection.wait_for_response(message)
        found = self.session.execute("SELECT request, parameters FROM system_traces.sessions WHERE session_id = %s",
                                     (answer.trace_id,)).one()
        self.assertEqual((found.request, dict(found.parameters)), ("Preparing CQL3 query", {"query": message.query}))

    def test_nobody_is_traced_who_did_not_ask(self):
        self.assertIsNone(self.session.execute("SELECT key FROM system.local").get_query_trace())


class Errors(CqlTest):
    def setUp(self):
        super().setUp()
        self.session.execute("CREATE TABLE t (p int, c int, v text, PRIMARY KEY (p, c))")

    def test_syntax(self):
        for statement in ("SELEC * FROM t", "SELECT * FROM", "", ";", "INSERT INTO t (p, c) VALUES (1, 2",
                          "SELECT 'open FROM t", "CREATE TABLE (k int)"):
            with self.subTest(statement):
                self.assertRefuses(SyntaxException, "line 1:", statement)

    def test_invalid_requests(self):
        for statement, text in (
                ("SELECT * FROM nowhere", "nowhere"), ("SELECT * FROM no.thing", "(?i)keyspace no"),
                ("SELECT nothing FROM t", "(?i)undefined column name nothing"),
                ("SELECT * FROM t WHERE v = 'x'", "ALLOW FILTERING"),
                ("SELECT * FROM t WHERE c = 1", "ALLOW FILTERING"),
                ("INSERT INTO t (p, v) VALUES (1, 'x')", "Some clustering keys are missing: c"),
                ("INSERT INTO t (p, c, v) VALUES (1, 1, 5)", "Invalid INTEGER constant"),
                ("INSERT INTO t (p, c) VALUES (1, 1) USING TTL -1", "(?i)ttl"),
                ("UPDATE t SET p = 2 WHERE p = 1 AND c = 1", "PRIMARY KEY part p found in SET part"),
                ("DELETE FROM t WHERE c = 1", "(?i)partition key"), ("USE nowhere", "nowhere"),
                ("SELECT unknown_function(v) FROM t", "(?i)unknown function"),
                ("CREATE TABLE u (k nothing PRIMARY KEY)", "(?i)unknown type"),
                ("ALTER TABLE t DROP p", "(?i)primary key"), ("DROP TABLE nowhere", "(?i)doesn't exist"),
                ("CREATE INDEX ON t (nothing)", "(?i)nothing"), ("TRUNCATE nowhere", "nowhere")):
            with self.subTest(statement):
                self.assertRefuses(InvalidRequest, text, statement)

    def test_already_exists(self):
        for statement, table in (("CREATE TABLE t (k int PRIMARY KEY)", "t"),
                                 (f"CREATE KEYSPACE {self.keyspace} WITH replication = {{'class': 'SimpleStrategy', "
                                  "'replication_factor': 1}", None)):
            with self.assertRaises(AlreadyExists) as caught:
                self.session.execute(statement)
            self.assertEqual((caught.exception.keyspace, caught.exception.table or None), (self.keyspace, table))

    def test_configuration(self):
        self.assertRefuses(ConfigurationException, "(?i)class",
                           "CREATE KEYSPACE x WITH replication = {'class': 'NoSuchStrategy'}")

    def test_a_wrong_statement_does_not_prepare(self):
        with self.assertRaises(SyntaxException):
            self.session.prepare("SELECT * FORM t")
        with self.assertRaises(InvalidRequest):
            self.session.prepare("SELECT nothing FROM t WHERE p = ?")

    def test_a_failing_function(self):
        self.session.execute("CREATE FUNCTION fails (a int) CALLED ON NULL INPUT RETURNS int LANGUAGE javascript "
                             "AS 'throw new Error(\"on purpose\");'")
        self.session.execute("INSERT INTO t (p, c) VALUES (1, 1)")
        with self.assertRaises(FunctionFailure) as caught:
            self.session.execute("SELECT fails(c) FROM t")
        self.assertEqual((caught.exception.keyspace, caught.exception.function, caught.exception.arg_types),
                         (self.keyspace, "fails", ["int"]))

    def test_a_failing_aggregate(self):
        self.session.execute("CREATE FUNCTION fails_at (s int, a int) CALLED ON NULL INPUT RETURNS int "
                             "LANGUAGE javascript AS 'throw new Error(\"on purpose\");'")
        self.session.execute("CREATE AGGREGATE failing (int) SFUNC fails_at STYPE int")
        self.session.execute("INSERT INTO t (p, c) VALUES (1, 1)")
        with self.assertRaises(FunctionFailure) as caught:
            self.session.execute("SELECT failing(c) FROM t")
        self.assertEqual((caught.exception.keyspace, caught.exception.function, caught.exception.arg_types),
                         (self.keyspace, "fails_at", ["int", "int"]))

    def test_roles_and_permissions(self):
        self.session.execute("CREATE ROLE reader WITH PASSWORD = 'secret' AND LOGIN = true")
        self.session.execute(f"GRANT SELECT ON TABLE {self.keyspace}.t TO reader")
        reader = self.connect(self.keyspace, port=self.server.account_port,
                              auth_provider=PlainTextAuthProvider("reader", "secret"))
        self.assertEqual(self.rows("SELECT * FROM t", session=reader), [])
        with self.assertRaisesRegex(Unauthorized, "reader"):
            reader.execute("INSERT INTO t (p, c) VALUES (1, 1)")
        self.session.execute(f"GRANT MODIFY ON KEYSPACE {self.keyspace} TO reader")
        reader.execute("INSERT INTO t (p, c) VALUES (1, 1)")
        self.session.execute(f"REVOKE SELECT ON TABLE {self.keyspace}.t FROM reader")
        with self.assertRaises(Unauthorized):
            reader.execute("SELECT * FROM t")

    def test_a_row_that_is_too_large(self):
        for version in (4, 5):
            session = self.speaking(version, self.keyspace)
            with self.assertRaisesRegex(WriteFailure, "2097152"):
                session.execute("INSERT INTO t (p, c, v) VALUES (1, 1, %s)", ("x" * 3_000_000,))
        self.assertEqual(self.rows("SELECT * FROM t"), [])


class Throttling(CqlTest):
    TEXT = re.compile(r"Request rate is large: ActivityID=[0-9a-f-]{36}, RetryAfterMs=(\d+), Additional details="
                      r"'Response status code does not indicate success: TooManyRequests \(429\); Substatus: 3200; ActivityId: ")

    def test_more_than_was_provisioned_is_refused(self):
        profile = ExecutionProfile(RoundRobinPolicy(), retry_policy=FallthroughRetryPolicy(),
                                   request_timeout=harness.PATIENCE_S)
        session = self.connect(self.keyspace, profile=profile)
        session.execute("CREATE TABLE t (k int PRIMARY KEY, v text) WITH cosmosdb_provisioned_throughput = 400")
        insert = session.prepare("INSERT INTO t (k, v) VALUES (?, ?)")
        # Each costs more than 5 RU, so these are worth many seconds of 400 RU/s.
        futures = [session.execute_async(insert, (k, "x" * 1000)) for k in range(2000)]
        written, refused = set(), []
        for k, future in enumerate(futures):
            try:
                future.result()
                written.add(k)
            except OverloadedErrorMessage as error:
                refused.append(error)
        self.assertTrue(written)
        self.assertTrue(refused)
        for error in refused:
            self.assertEqual(error.code, 0x1001)
            found = self.TEXT.search(error.message)
            self.assertIsNotNone(found, error.message)
            self.assertGreater(int(found[1]), 0)
        # What was refused has changed nothing. Another table is not slowed down.
        session.execute("CREATE TABLE free (k int PRIMARY KEY, v text)")
        for k in range(200):
            session.execute("INSERT INTO free (k, v) VALUES (%s, 'x')", (k,))

    def test_the_option_is_checked_and_kept(self):
        self.session.execute("CREATE TABLE t (k int PRIMARY KEY) WITH cosmosdb_provisioned_throughput = 400")
        self.assertIn(b"400", b" ".join(self.table().extensions.values()))
        self.session.execute("ALTER TABLE t WITH cosmosdb_provisioned_throughput = 1000")
        self.assertIn(b"1000", b" ".join(self.table().extensions.values()))
        with self.assertRaises((InvalidRequest, ConfigurationException)):
            self.session.execute("CREATE TABLE u (k int PRIMARY KEY) WITH cosmosdb_provisioned_throughput = 399")


if __name__ == "__main__":
    unittest.main()
