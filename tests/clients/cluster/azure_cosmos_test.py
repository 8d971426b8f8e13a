"""Debian's python3-azure-cosmos, a client of 2019: what is begun through one node goes on through another."""
import os
import pathlib
import sys
import unittest
import warnings

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "system"))
import skipping  # noqa: E402

skipping.need(azure="python3-azure-cosmos", requests="python3-requests")
skipping.need(**{"azure.cosmos": "python3-azure-cosmos"})
import azure.cosmos.cosmos_client as cosmos_client  # noqa: E402
import azure.cosmos.errors as errors  # noqa: E402

import harness  # noqa: E402

URLS = os.environ["CLUSTER_URLS"].split(",")
ITEMS = range(30)


class Nodes(unittest.TestCase):
    """One container, which has partitions at all nodes, and a client of each."""

    @classmethod
    def setUpClass(cls):
        warnings.simplefilter("ignore")  # the client leaves sockets open
        cls.clients = [cosmos_client.CosmosClient(url, {"masterKey": harness.WELL_KNOWN_KEY}) for url in URLS]
        first = cls.clients[0]
        database = first.CreateDatabase({"id": "azure_cosmos"})
        cls.addClassCleanup(first.DeleteDatabase, database["_self"])
        definition = {"id": "c", "partitionKey": {"paths": ["/pk"], "kind": "Hash"}}
        cls.container = cls.clients[1].CreateContainer(database["_self"], definition, {"offerThroughput": 30000})["_self"]
        for i in ITEMS:
            cls.through(i).CreateItem(cls.container, {"id": str(i), "pk": f"k{i}", "n": i})

    @classmethod
    def through(cls, turn):
        return cls.clients[turn % len(cls.clients)]

    def link(self, i):
        return f"dbs/azure_cosmos/colls/c/docs/{i}"

    def test_databases_and_containers_of_other_nodes(self):
        for turn, client in enumerate(self.clients):
            made = client.CreateDatabase({"id": f"by{turn}"})
            found = list(self.through(turn + 1).QueryDatabases(f"SELECT * FROM r WHERE r.id = 'by{turn}'"))
            self.assertEqual([each["_rid"] for each in found], [made["_rid"]])
            self.through(turn + 2).DeleteDatabase(made["_self"])
            with self.assertRaises(errors.HTTPFailure) as caught:
                client.ReadDatabase(made["_self"])
            self.assertEqual(caught.exception.status_code, 404)

    def test_items_of_other_nodes(self):
        for i in ITEMS:
            options = {"partitionKey": f"k{i}"}
            found = self.through(i + 1).ReadItem(self.link(i), options)
            self.assertEqual(found["n"], i)
            changed = self.through(i + 2).ReplaceItem(found["_self"], {**found, "seen": True}, {
                **options, "accessCondition": {"type": "IfMatch", "condition": found["_etag"]}})
            self.assertEqual(self.through(i).ReadItem(self.link(i), options), changed)
            with self.assertRaises(errors.HTTPFailure) as caught:
                self.through(i).CreateItem(self.container, {"id": str(i), "pk": f"k{i}"})
            self.assertEqual(caught.exception.status_code, 409)

    def test_queries_over_the_partitions_of_all_nodes(self):
        for client in self.clients:
            def rows(query, c=client):
                return list(c.QueryItems(self.container, query, {"enableCrossPartitionQuery": True, "maxItemCount": 7}))
            self.assertEqual(rows("SELECT VALUE c.n FROM c WHERE c.n < 30 ORDER BY c.n DESC"), list(reversed(ITEMS)))
            self.assertEqual(rows("SELECT VALUE SUM(c.n) FROM c WHERE c.n < 30"), [sum(ITEMS)])
            self.assertEqual(rows("SELECT VALUE c.id FROM c WHERE c.pk = 'k7'"), ["7"])
            ranges = list(client._ReadPartitionKeyRanges(self.container))
            self.assertGreaterEqual(len(ranges), 3)

    def test_sessions_that_go_on_at_another_node(self):
        for i in ITEMS:
            self.through(i).UpsertItem(self.container, {"id": "session", "pk": f"k{i}", "n": 100 + i})
            token = self.through(i).last_response_headers["x-ms-session-token"]
            for client in self.clients:
                found = client.ReadItem(self.link("session"), {"partitionKey": f"k{i}", "consistencyLevel": "Session",
                                                               "sessionToken": token})
                self.assertEqual(found["n"], 100 + i)


if __name__ == "__main__":
    unittest.main(verbosity=2)
