"""The object mapper that comes with the driver, which makes and checks tables by itself."""
import os
import unittest
import uuid

from cassandra.cqlengine import columns, connection, management
from cassandra.cqlengine.models import Model
from cassandra.cqlengine.query import BatchQuery, LWTException
from cassandra.cqlengine.usertype import UserType

from cql_harness import CqlTest


class Address(UserType):
    street = columns.Text()
    zip = columns.Integer()


class Person(Model):
    __keyspace__ = "mapper"
    name = columns.Text(partition_key=True)
    id = columns.TimeUUID(primary_key=True, clustering_order="DESC", default=uuid.uuid1)
    email = columns.Text(index=True)
    tags = columns.Set(columns.Text)
    home = columns.UserDefinedType(Address)
    visits = columns.Map(columns.Text, columns.Integer)


class Visits(Model):
    __keyspace__ = "mapper"
    page = columns.Text(primary_key=True)
    count_of = columns.Counter()


class Mapper(CqlTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        connection.register_connection("orrery", session=cls.session, default=True)
        # The mapper does not change a schema without it.
        os.environ["CQLENG_ALLOW_SCHEMA_MANAGEMENT"] = "1"

    def setUp(self):
        management.create_keyspace_simple("mapper", 1)
        self.addCleanup(management.drop_keyspace, "mapper")
        management.sync_type("mapper", Address)
        management.sync_table(Person)
        management.sync_table(Visits)

    def test_the_tables_are_what_it_asked_for(self):
        management.sync_table(Person)  # finds nothing to change
        table = self.cluster.metadata.keyspaces["mapper"].tables["person"]
        self.assertEqual([c.name for c in table.primary_key], ["name", "id"])
        self.assertTrue(table.clustering_key[0].is_reversed)
        self.assertEqual(len(table.indexes), 1)

    def test_objects_come_and_go(self):
        first = Person.create(name="theo", email="t@example.org", tags={"a", "b"}, home=Address(street="S", zip=1))
        Person.create(name="theo", email="other@example.org", visits={"start": 1})
        self.assertEqual(Person.objects(name="theo").count(), 2)
        self.assertEqual([p.email for p in Person.objects(name="theo")], ["other@example.org", "t@example.org"])
        found = Person.objects(email="t@example.org").get()
        self.assertEqual((found.id, found.tags, found.home.zip), (first.id, {"a", "b"}, 1))
        found.update(tags={"c"}, home=Address(street="T", zip=2))
        self.assertEqual(Person.objects(name="theo", id=first.id).get().home.street, "T")
        Person.objects(name="theo", id=first.id).update(tags__add={"d"}, visits__update={"x": 5})
        again = Person.objects(name="theo", id=first.id).get()
        self.assertEqual((again.tags, again.visits), ({"c", "d"}, {"x": 5}))
        again.delete()
        self.assertEqual(Person.objects(name="theo").count(), 1)

    def test_conditions_and_batches(self):
        key = uuid.uuid1()
        Person.if_not_exists().create(name="theo", id=key, email="first")
        with self.assertRaises(LWTException) as caught:
            Person.if_not_exists().create(name="theo", id=key, email="second")
        self.assertEqual(caught.exception.existing["email"], "first")
        with BatchQuery() as batch:
            for number in range(10):
                Person.batch(batch).create(name="many", email=str(number))
        self.assertEqual(Person.objects(name="many").count(), 10)

    def test_counters(self):
        for _ in range(3):
            Visits.create(page="start").update(count_of=1)
        self.assertGreaterEqual(Visits.objects(page="start").get().count_of, 3)


if __name__ == "__main__":
    unittest.main()
