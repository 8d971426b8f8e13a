"""Tables as users of several APIs see them: throughput, refusals over it, expiry, restarts, and the same entities in the SQL API."""
import json
import pathlib
import sys
import tempfile
import time
import unittest

import harness

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "spec"))

import sql_client
import table_client

DOCUMENTS = "/dbs/TablesDB/colls/People/docs"


class TablesTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="orrery_tables_")
        self.addCleanup(self.folder.cleanup)
        self.start()
        self.addCleanup(lambda: self.server.process.poll() is None and self.server.stop())

    def start(self, *flags):
        self.server = harness.Server(pathlib.Path(self.folder.name) / "data", "--durability", "os", *flags)
        self.tables = table_client.Client(f"http://127.0.0.1:{self.server.table_port}", "localhost", self.server.key)
        self.sql = sql_client.Client(self.server.url, self.server.key)

    def make(self, name="People", **headers):
        return self.tables.ask("POST", "/Tables", {key.replace("_", "-"): value for key, value in headers.items()},
                               json.dumps({"TableName": name}))

    def put(self, entity, **headers):
        return self.tables.ask("POST", "/People", {key.replace("_", "-"): value for key, value in headers.items()}, json.dumps(entity))

    def test_one_container_for_both_apis(self):
        self.make()
        self.put({"PartitionKey": "Smith", "RowKey": "Ben", "age": 33, "big": "5", "big@odata.type": "Edm.Int64"})
        read = self.sql.ask("GET", f"{DOCUMENTS}/Ben", {"x-ms-documentdb-partitionkey": '["Smith"]'})
        shown = {name: value for name, value in read.items() if not name.startswith("_")}
        self.assertEqual(shown, {"$pk": "Smith", "$id": "Ben", "id": "Ben", "age": {"$t": 16, "$v": 33},
                                 "big": {"$t": 18, "$v": "00000000000000000005"}})
        self.assertEqual(self.sql.ask("GET", "/dbs/TablesDB/colls/People")["partitionKey"]["paths"], ["/'$pk'"])
        # What SQL clients write in this form is an entity.
        self.sql.ask("POST", DOCUMENTS, {"x-ms-documentdb-partitionkey": '["Smith"]'},
                     json.dumps({"$pk": "Smith", "$id": "Ann", "id": "Ann", "age": {"$t": 16, "$v": 41}}))
        ann = self.tables.ask("GET", "/People(PartitionKey='Smith',RowKey='Ann')").json()
        self.assertEqual(ann["age"], 41)
        self.tables.ask("MERGE", "/People(PartitionKey='Smith',RowKey='Ann')", {"if-match": ann["odata.etag"]}, '{"age": 42}')
        rows = [row for page in self.sql.pages(DOCUMENTS, 'SELECT VALUE c.age["$v"] FROM c WHERE c.age["$v"] > 40')
                for row in page.json()["Documents"]]
        self.assertEqual(rows, [42])
        # And the change feed has both.
        feed = self.sql.request("GET", DOCUMENTS, {"a-im": "Incremental feed"})
        self.assertEqual({change["id"] for change in feed.json()["Documents"]}, {"Ben", "Ann"})

    def test_what_is_indexed(self):
        self.make()
        for row in range(50):
            self.put({"PartitionKey": "p", "RowKey": str(row), "n": row, "text": f"text {row}"})
        container = self.sql.ask("GET", "/dbs/TablesDB/colls/People")
        paths = {kind: [each["path"] for each in container["indexingPolicy"][kind]] for kind in ("includedPaths", "excludedPaths")}
        self.assertEqual(paths, {"includedPaths": ["/*", '/"$pk"/?', '/"id"/?'], "excludedPaths": ['/"_etag"/?', "/*/?", '/*/"$t"/?']})

        def rows(query):
            pages = list(self.sql.pages(DOCUMENTS, query))
            return [row for page in pages for row in page.json()["Documents"]], sum(float(page.headers["x-ms-request-charge"]) for page in pages)

        # Values by their index; types, which have none, by looking at all documents.
        found, indexed = rows('SELECT VALUE c.id FROM c WHERE c.n["$v"] = 7')
        self.assertEqual(found, ["7"])
        found, looked = rows('SELECT VALUE c.id FROM c WHERE c.n["$t"] = 16 AND c.id = "7"')
        self.assertEqual(found, ["7"])
        found, scanned = rows('SELECT VALUE c.id FROM c WHERE c.text["$t"] = 2 AND IS_OBJECT(c.text)')
        self.assertEqual(len(found), 50)
        self.assertLess(max(indexed, looked), scanned)
        # A client that changes one setting sends all of them back.
        self.sql.ask("PUT", "/dbs/TablesDB/colls/People", body=json.dumps({**container, "defaultTtl": 3600}))
        self.assertEqual(self.sql.ask("GET", "/dbs/TablesDB/colls/People")["indexingPolicy"], container["indexingPolicy"])
        self.assertEqual(len(self.tables.ask("GET", "/People()?$filter=n eq 7").json()["value"]), 1)

    def test_throughput(self):
        self.make(x_ms_offer_throughput="800")
        offers = self.sql.ask("GET", "/offers")["Offers"]
        self.assertEqual([offer["content"]["offerThroughput"] for offer in offers], [800])
        self.make("Scaled", x_ms_cosmos_offer_autopilot_settings='{"maxThroughput": 4000}')
        self.make("Free")
        offers = self.sql.ask("GET", "/offers")["Offers"]
        scaled = [offer["content"]["offerAutopilotSettings"]["maxThroughput"] for offer in offers
                  if "offerAutopilotSettings" in offer["content"]]
        self.assertEqual((len(offers), scaled), (2, [4000]))
        # A table that is there keeps what it has: create-if-not-exists takes 409 for success.
        with self.assertRaises(table_client.ApiError) as refused:
            self.make(x_ms_offer_throughput="900")
        self.assertEqual(refused.exception.answer.code, "409 TableAlreadyExists")

    def test_throughput_is_changed_through_offers(self):
        self.make(x_ms_offer_throughput="800")
        offer = self.sql.ask("GET", "/offers")["Offers"][0]
        offer["content"]["offerThroughput"] = 20_000
        self.sql.ask("PUT", f"/offers/{offer['id']}", body=json.dumps(offer))
        self.assertEqual(self.sql.ask("GET", f"/offers/{offer['id']}")["content"]["offerThroughput"], 20_000)
        # Another table of as much has as many partitions, and so has this one in the end.
        give_up = time.monotonic() + harness.PATIENCE_S
        while len(self.sql.ask("GET", "/dbs/TablesDB/colls/People/pkranges")["PartitionKeyRanges"]) < 2:
            self.assertLess(time.monotonic(), give_up)
            time.sleep(0.1)
        self.put({"PartitionKey": "Smith", "RowKey": "Ben"})
        self.assertEqual(len(self.tables.ask("GET", "/People()").json()["value"]), 1)

    def test_too_many_requests(self):
        self.make(x_ms_offer_throughput="400")
        for row in range(2_000):
            answer = self.tables.request("POST", "/People", {}, json.dumps({"PartitionKey": "p", "RowKey": str(row), "t": "x" * 4_000}))
            if answer.status == 429:
                break
        self.assertEqual(answer.code, "429 TooManyRequests")
        self.assertGreater(int(answer.headers["x-ms-retry-after-ms"]), 0)
        self.assertGreater(int(answer.headers["retry-after"]), 0)

    def test_time_to_live(self):
        self.make()
        self.put({"PartitionKey": "p", "RowKey": "short"}, x_ms_time_to_live="1")
        self.put({"PartitionKey": "p", "RowKey": "long"}, x_ms_time_to_live="3600")
        self.put({"PartitionKey": "p", "RowKey": "ever"})
        give_up = time.monotonic() + harness.PATIENCE_S
        while self.tables.request("GET", "/People(PartitionKey='p',RowKey='short')").status == 200:
            self.assertLess(time.monotonic(), give_up)
            time.sleep(0.1)
        listed = [entity["RowKey"] for entity in self.tables.ask("GET", "/People()").json()["value"]]
        self.assertEqual(listed, ["ever", "long"])

    def test_pages_go_on_after_a_restart(self):
        self.make(x_ms_offer_throughput="20000")
        for row in range(30):
            self.put({"PartitionKey": f"p{row:02}", "RowKey": "r", "n": row})
        first = self.tables.ask("GET", "/People()?$top=7")
        self.server.stop()
        self.start()
        query = "&".join(f"{name}={first.headers['x-ms-continuation-' + name]}" for name in ("NextPartitionKey", "NextRowKey"))
        rest = self.tables.ask("GET", "/People()?" + query).json()["value"]
        self.assertEqual([entity["n"] for entity in rest], list(range(7, 30)))

    def test_pages_go_on_after_a_split(self):
        self.make(x_ms_offer_throughput="10000")
        for row in range(40):
            self.put({"PartitionKey": f"p{row:02}", "RowKey": "r", "n": row})
        for parameters in ("$top=9", "$top=9&$orderby=PartitionKey desc,RowKey desc", "$top=9&$filter=n ge 0"):
            expected = [entity["n"] for entity in self.tables.ask("GET", "/People()?" + parameters.replace("$top=9", "$top=1000")).json()["value"]]
            self.assertEqual(sorted(expected), list(range(40)))
            first = self.tables.ask("GET", "/People()?" + parameters)
            split = self.server.request("POST", "/_admin/v1/databases/TablesDB/containers/People/split")
            self.assertEqual(split.status // 100, 2, split)
            more = "".join(f"&{name}={first.headers['x-ms-continuation-' + name]}" for name in ("NextPartitionKey", "NextRowKey"))
            found = [entity["n"] for entity in first.json()["value"]]
            rest = self.tables.ask("GET", "/People()?" + parameters.replace("$top=9", "$top=1000") + more).json()["value"]
            self.assertEqual(found + [entity["n"] for entity in rest], expected, parameters)

    def test_what_is_too_much(self):
        """Refused with its documented code, and nothing of it done."""
        self.make()
        big = {f"t{i}": "x" * 30_000 for i in range(40)}
        answer = self.tables.request("POST", "/People", {}, json.dumps({"PartitionKey": "p", "RowKey": "big", **big}))
        self.assertEqual(answer.code, "400 EntityTooLarge")

        def upserts(count, **entity):
            return [("PUT", f"/People(PartitionKey='p',RowKey='{row}')", {}, json.dumps(entity)) for row in range(count)]

        # Clients in JavaScript read the reply line by line, those in Python by a MIME parser: it is whole in both cases.
        answer = self.tables.batch(upserts(101, n=1))
        self.assertEqual(answer.status, 202)
        self.assertEqual([part.split(":")[0] for part in answer.parts()], ["400 InvalidInput 99"])
        self.assertIn("The batch request operation exceeds the maximum 100 changes per change set.", answer.body.decode())
        answer = self.tables.batch(upserts(100, text="x" * 60_000))
        self.assertIn("413 RequestBodyTooLarge", [answer.code, *(part.split(" 0:")[0] for part in answer.parts())])
        self.assertEqual(self.tables.ask("GET", "/People()").json()["value"], [])
        self.assertEqual(len(self.tables.batch(upserts(100, n=1)).parts()), 100)

    def test_a_full_partition(self):
        self.server.stop()
        self.start("--limit-logical-partition", "1MB")
        self.make()
        for row in range(40):
            answer = self.tables.request("POST", "/People", {}, json.dumps({"PartitionKey": "p", "RowKey": str(row), "t": "x" * 30_000}))
            if answer.status != 201:
                break
        self.assertEqual(answer.code, "403 PartitionKeyReachedMaximumSize")
        self.put({"PartitionKey": "q", "RowKey": "r"})

    def test_ports(self):
        self.server.stop()
        self.start("--table-port", "any")
        self.assertNotIn("as Azure Storage", self.server.welcome)
        self.server.stop()
        self.start("--table-port", "any,any", "--tls", "off")
        self.make()
        # Azurite's account is there only where nobody else can come in.
        self.assertIn("devstoreaccount1", self.server.welcome)


if __name__ == "__main__":
    unittest.main()
