"""The statements of the partitioning documents: a table of user profiles with each kind of primary key."""
import unittest
import uuid

from cql_harness import REPLICATION, CqlTest


class UserProfiles(CqlTest):
    def setUp(self):
        self.session.execute("DROP KEYSPACE IF EXISTS uprofile")
        self.session.execute(f"CREATE KEYSPACE uprofile {REPLICATION}")

    def test_simple_key(self):
        self.session.execute("CREATE TABLE uprofile.user (id UUID PRIMARY KEY, user text, message text)")
        self.session.execute("INSERT INTO uprofile.user (id, user, message) VALUES (uuid(), 'theo', 'hello')")
        self.session.execute("CREATE INDEX ON uprofile.user (user)")
        ((key, message),) = self.rows("SELECT id, message FROM uprofile.user WHERE user = 'theo'")
        self.assertEqual(message, "hello")
        self.assertEqual(self.rows("SELECT user FROM uprofile.user WHERE id = %s", (key,)), [("theo",)])

    def test_compound_key(self):
        self.session.execute("CREATE TABLE uprofile.user (user text, id int, message text, PRIMARY KEY (user, id))")
        for number, message in ((2, "hello again"), (1, "hello")):
            self.session.execute("INSERT INTO uprofile.user (user, id, message) VALUES ('theo', %s, %s)",
                                 (number, message))
        self.session.execute("INSERT INTO uprofile.user (user, id, message) VALUES ('mark', 1, 'hi')")
        self.assertEqual(self.rows("SELECT id, message FROM uprofile.user WHERE user = 'theo'"),
                         [(1, "hello"), (2, "hello again")])
        # On a partition key column too, the only one here.
        self.session.execute("CREATE INDEX ON uprofile.user (user)")
        self.assertEqual(len(self.rows("SELECT * FROM uprofile.user WHERE user = 'theo'")), 2)

    def test_composite_key(self):
        self.session.execute("CREATE TABLE uprofile.user (firstname text, lastname text, id int, message text, "
                             "PRIMARY KEY ((firstname, lastname), id))")
        for first, last, number in (("theo", "smith", 1), ("theo", "smith", 0), ("theo", "jones", 1)):
            self.session.execute("INSERT INTO uprofile.user (firstname, lastname, id, message) "
                                 "VALUES (%s, %s, %s, 'hello')", (first, last, number))
        self.assertEqual(self.rows("SELECT id FROM uprofile.user WHERE firstname = 'theo' AND lastname = 'smith'"),
                         [(0,), (1,)])
        self.session.execute("CREATE INDEX ON uprofile.user (lastname)")
        self.assertEqual(self.rows("SELECT firstname, id FROM uprofile.user WHERE lastname = 'jones'"), [("theo", 1)])

    def test_the_same_user_many_times(self):
        self.session.execute("CREATE TABLE uprofile.user (user text, id timeuuid, PRIMARY KEY (user, id))")
        ids = [uuid.uuid1() for _ in range(20)]
        for one in reversed(ids):
            self.session.execute("INSERT INTO uprofile.user (user, id) VALUES ('theo', %s)", (one,))
        self.assertEqual([one for (one,) in self.rows("SELECT id FROM uprofile.user WHERE user = 'theo'")], ids)


if __name__ == "__main__":
    unittest.main()
