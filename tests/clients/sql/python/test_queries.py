"""Queries over documents, by name and by self link."""
from cosmos_harness import CosmosTest


class QueriesTest(CosmosTest):
    def setUp(self):
        super().setUp()
        self.container = self.make_container(offerThroughput=20000)
        for i in range(20):
            self.client.CreateItem(self.container["_self"], {"id": str(i), "pk": f"k{i % 4}", "n": i})

    def rows(self, query, **options):
        return list(self.client.QueryItems(self.container["_self"], query, options))

    def test_one_partition(self):
        rows = self.rows("SELECT VALUE c.n FROM c WHERE c.n > 10", partitionKey="k1")
        self.assertEqual(sorted(rows), [13, 17])

    def test_all_partitions_by_the_clients_own_pipeline(self):
        rows = self.rows("SELECT VALUE c.n FROM c ORDER BY c.n", enableCrossPartitionQuery=True, maxItemCount=3)
        self.assertEqual(rows, list(range(20)))
        self.assertEqual(self.rows("SELECT VALUE COUNT(1) FROM c", enableCrossPartitionQuery=True), [20])
