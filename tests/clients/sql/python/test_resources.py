"""Databases, containers, documents and offers, by rid links and by name links."""
from cosmos_harness import CosmosTest, connect


class ResourcesTest(CosmosTest):
    def test_databases(self):
        link = "dbs/" + self.database["id"]
        for each in (link, self.database["_self"]):
            self.assertEqual(self.client.ReadDatabase(each)["_rid"], self.database["_rid"])
        self.assertIn(self.database["id"], [found["id"] for found in self.client.ReadDatabases()])
        found = list(self.client.QueryDatabases({
            "query": "SELECT * FROM root r WHERE r.id = @id",
            "parameters": [{"name": "@id", "value": self.database["id"]}]}))
        self.assertEqual([each["id"] for each in found], [self.database["id"]])
        self.client.DeleteDatabase(link)
        with self.assertRefused(404):
            self.client.ReadDatabase(link)

    def test_documents_by_rid(self):
        container = self.make_container()
        document = self.client.CreateItem(container["_self"], {"id": "1", "pk": "a", "n": 1})
        options = {"partitionKey": "a"}
        self.assertEqual(self.client.ReadItem(document["_self"], options)["n"], 1)
        document["n"] = 2
        self.assertEqual(self.client.ReplaceItem(document["_self"], document, options)["n"], 2)
        self.client.DeleteItem(document["_self"], options)
        with self.assertRefused(404):
            self.client.ReadItem(document["_self"], options)

    def test_documents_by_name(self):
        self.make_container()
        link = f"dbs/{self.database['id']}/colls/c"
        self.client.CreateItem(link, {"id": "ключ 1", "pk": 5, "n": 1})
        options = {"partitionKey": 5}
        self.assertEqual(self.client.ReadItem(link + "/docs/ключ 1", options)["n"], 1)
        self.client.UpsertItem(link, {"id": "ключ 1", "pk": 5, "n": 2})
        self.assertEqual(self.client.ReadItem(link + "/docs/ключ 1", options)["n"], 2)
        with self.assertRefused(409):
            self.client.CreateItem(link, {"id": "ключ 1", "pk": 5})
        with self.assertRefused(404):
            self.client.ReadItem(link + "/docs/ключ 1", {"partitionKey": 6})

    def test_etags(self):
        container = self.make_container()
        document = self.client.CreateItem(container["_self"], {"id": "1", "pk": "a"})
        options = {"partitionKey": "a",
                   "accessCondition": {"type": "IfMatch", "condition": document["_etag"]}}
        self.client.ReplaceItem(document["_self"], {"id": "1", "pk": "a", "n": 1}, options)
        with self.assertRefused(412):
            self.client.ReplaceItem(document["_self"], {"id": "1", "pk": "a", "n": 2}, options)

    def test_a_container_without_a_key(self):
        container = self.make_container(paths=(), offerThroughput=400)
        document = self.client.CreateItem(container["_self"], {"id": "1", "n": 1})
        self.assertEqual(self.client.ReadItem(document["_self"])["n"], 1)
        self.assertEqual([each["id"] for each in self.client.ReadItems(container["_self"])], ["1"])

    def test_feeds_in_pages(self):
        container = self.make_container()
        for i in range(7):
            self.client.CreateItem(container["_self"], {"id": str(i), "pk": f"k{i}"})
        found = self.client.ReadItems(container["_self"], {"maxItemCount": 2})
        self.assertEqual(sorted(each["id"] for each in found), [str(i) for i in range(7)])
        changes = self.client.QueryItemsChangeFeed(container["_self"], {"isStartFromBeginning": True})
        self.assertEqual(sorted(each["id"] for each in changes), [str(i) for i in range(7)])

    def test_containers(self):
        container = self.make_container(offerThroughput=1000)
        self.assertEqual(self.client.ReadContainer(container["_self"])["id"], "c")
        container["defaultTtl"] = 100
        self.assertEqual(self.client.ReplaceContainer(container["_self"], container)["defaultTtl"], 100)
        self.assertEqual([each["id"] for each in self.client.ReadContainers(self.database["_self"])], ["c"])
        self.client.DeleteContainer(container["_self"])
        with self.assertRefused(404):
            self.client.ReadContainer(container["_self"])

    def test_offers(self):
        container = self.make_container(offerThroughput=1000)
        (offer,) = self.client.QueryOffers({
            "query": "SELECT * FROM root WHERE root.resource = @link",
            "parameters": [{"name": "@link", "value": container["_self"]}]})
        offer["content"]["offerThroughput"] = 2000
        self.assertEqual(self.client.ReplaceOffer(offer["_self"], offer)["content"]["offerThroughput"], 2000)
        self.assertEqual(self.client.ReadOffer(offer["_self"])["content"]["offerThroughput"], 2000)

    def test_resource_tokens(self):
        container = self.make_container()
        document = self.client.CreateItem(container["_self"], {"id": "1", "pk": "a"})
        user = self.client.CreateUser(self.database["_self"], {"id": "u"})
        permission = self.client.CreatePermission(
            user["_self"], {"id": "p", "permissionMode": "Read", "resource": container["_self"]})
        reader = connect(self.server, self.TLS, resourceTokens={container["_rid"]: permission["_token"]})
        self.assertEqual(reader.ReadItem(document["_self"], {"partitionKey": "a"})["id"], "1")
        with self.assertRefused(403):
            reader.DeleteItem(document["_self"], {"partitionKey": "a"})


class ResourcesOverTlsTest(ResourcesTest):
    TLS = True
