"""Everyday jobs with PyPI's azure-data-tables, on both ports, in the clear and by TLS."""
import datetime
import os
import pathlib
import shutil
import tempfile
import unittest
import uuid

from azure.core import MatchConditions
from azure.core.credentials import AzureNamedKeyCredential, AzureSasCredential
from azure.core.exceptions import (ClientAuthenticationError, HttpResponseError, ResourceExistsError, ResourceModifiedError,
                                   ResourceNotFoundError)
from azure.data.tables import (EdmType, EntityProperty, TableAccessPolicy, TableClient, TableServiceClient, TableTransactionError,
                               UpdateMode, generate_account_sas, generate_table_sas)

import harness

EMULATOR_KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
harness.BINARY = os.environ["ORRERY"]


class TableTest(unittest.TestCase):
    """Tests that share one server; each has a table of its own."""

    STORAGE = False
    TLS = False

    @classmethod
    def setUpClass(cls):
        root = pathlib.Path(tempfile.mkdtemp(prefix="orrery_tables_"))
        cls.addClassCleanup(shutil.rmtree, root, ignore_errors=True)
        cls.server = harness.Server(root / "data", "--durability", "os")
        cls.addClassCleanup(cls.server.stop)
        cls.account = "devstoreaccount1" if cls.STORAGE else "localhost"
        cls.key = EMULATOR_KEY if cls.STORAGE else harness.WELL_KNOWN_KEY
        port = cls.server.table_storage_port if cls.STORAGE else cls.server.table_port
        cls.endpoint = f"{'https' if cls.TLS else 'http'}://localhost:{port}{'/devstoreaccount1' if cls.STORAGE else ''}"
        cls.options = {"connection_verify": str(cls.server.data / "tls" / "tls-certificate.pem")} if cls.TLS else {}
        cls.service = TableServiceClient(cls.endpoint, credential=AzureNamedKeyCredential(cls.account, cls.key), **cls.options)

    def setUp(self):
        self.table = self.service.create_table("t" + uuid.uuid4().hex)

    def tearDown(self):
        self.service.delete_table(self.table.table_name)

    def test_tables(self):
        with self.assertRaises(ResourceExistsError):
            self.service.create_table(self.table.table_name)
        self.service.create_table_if_not_exists(self.table.table_name)
        names = [table.name for table in self.service.query_tables("TableName eq @name", parameters={"name": self.table.table_name})]
        self.assertEqual(names, [self.table.table_name])
        with self.assertRaises(ValueError):
            self.service.create_table("not-a-name")
        missing = self.service.get_table_client("none")
        with self.assertRaises(ResourceNotFoundError):
            missing.create_entity({"PartitionKey": "a", "RowKey": "b"})
        self.assertEqual(len(list(self.service.list_tables())), 1)

    def test_types(self):
        entity = {
            "PartitionKey": "p", "RowKey": "r", "text": "Grüße", "whole": 5, "real": 1.5, "yes": True,
            "big": EntityProperty(2**40, EdmType.INT64), "bytes": b"\x00\xff", "guid": uuid.uuid4(),
            "date": datetime.datetime(2026, 2, 3, 4, 5, 6, 789000, tzinfo=datetime.timezone.utc),
            "nan": float("nan"), "inf": float("inf"), "none": None,
        }
        self.table.create_entity(entity)
        read = self.table.get_entity("p", "r")
        for name in ("text", "whole", "real", "yes", "bytes", "guid", "date", "inf"):
            self.assertEqual(read[name], entity[name], name)
        self.assertEqual(read["big"].value, 2**40)
        self.assertNotEqual(read["nan"], read["nan"])
        self.assertNotIn("none", read)
        self.assertIn("etag", read.metadata)
        self.assertIsNotNone(read.metadata["timestamp"])

    def test_writes_and_etags(self):
        self.table.create_entity({"PartitionKey": "p", "RowKey": "r", "a": 1})
        with self.assertRaises(ResourceExistsError):
            self.table.create_entity({"PartitionKey": "p", "RowKey": "r"})
        read = self.table.get_entity("p", "r")
        self.table.update_entity({"PartitionKey": "p", "RowKey": "r", "b": 2}, mode=UpdateMode.MERGE,
                                 etag=read.metadata["etag"], match_condition=MatchConditions.IfNotModified)
        with self.assertRaises(ResourceModifiedError):
            self.table.update_entity({"PartitionKey": "p", "RowKey": "r", "b": 3}, mode=UpdateMode.REPLACE,
                                     etag=read.metadata["etag"], match_condition=MatchConditions.IfNotModified)
        with self.assertRaises(ResourceModifiedError):
            self.table.delete_entity("p", "r", etag=read.metadata["etag"], match_condition=MatchConditions.IfNotModified)
        read = self.table.get_entity("p", "r")
        self.assertEqual((read["a"], read["b"]), (1, 2))
        self.table.upsert_entity({"PartitionKey": "p", "RowKey": "r", "c": 3}, mode=UpdateMode.REPLACE)
        self.assertNotIn("a", self.table.get_entity("p", "r"))
        self.table.delete_entity("p", "r")
        with self.assertRaises(ResourceNotFoundError):
            self.table.get_entity("p", "r")
        with self.assertRaises(HttpResponseError) as refused:
            self.table.create_entity({"PartitionKey": "p", "RowKey": "r", "not a name": 1})
        self.assertIn("PropertyNameInvalid", str(refused.exception))

    def test_queries(self):
        for i in range(25):
            self.table.create_entity({"PartitionKey": f"p{i % 3}", "RowKey": f"{i:02}", "n": i})
        listed = [(e["PartitionKey"], e["RowKey"]) for e in self.table.list_entities(results_per_page=4)]
        self.assertEqual(listed, sorted(listed))
        self.assertEqual(len(listed), 25)
        found = [e["n"] for e in self.table.query_entities("n ge @a and n lt @b", parameters={"a": 5, "b": 8})]
        self.assertEqual(sorted(found), [5, 6, 7])
        pages = list(self.table.query_entities("PartitionKey eq 'p1'", results_per_page=3, select=["n"]).by_page())
        self.assertEqual([len(list(page)) for page in pages][:1], [3])

    def test_transactions(self):
        done = self.table.submit_transaction([("create", {"PartitionKey": "p", "RowKey": str(i)}) for i in range(100)])
        self.assertEqual(len(done), 100)
        self.assertTrue(all("etag" in each for each in done))
        with self.assertRaises(TableTransactionError) as failed:
            self.table.submit_transaction([("upsert", {"PartitionKey": "p", "RowKey": "0", "n": 1}),
                                           ("create", {"PartitionKey": "p", "RowKey": "1"})])
        self.assertEqual(failed.exception.index, 1)
        self.assertEqual(failed.exception.status_code, 409)
        self.assertNotIn("n", self.table.get_entity("p", "0"))
        self.assertEqual(self.table.submit_transaction([]), [])

    def test_shared_access_signatures(self):
        later = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=1)
        credential = AzureNamedKeyCredential(self.account, self.key)
        self.table.create_entity({"PartitionKey": "a", "RowKey": "1"})
        sas = generate_table_sas(credential, self.table.table_name, permission="r", expiry=later)
        reader = TableClient(self.endpoint, self.table.table_name, credential=AzureSasCredential(sas), **self.options)
        self.assertEqual(reader.get_entity("a", "1")["RowKey"], "1")
        with self.assertRaises(HttpResponseError) as refused:
            reader.create_entity({"PartitionKey": "a", "RowKey": "2"})
        self.assertEqual(refused.exception.status_code, 403)
        stranger = TableClient(self.endpoint, self.table.table_name,
                               credential=AzureNamedKeyCredential(self.account, "d3Jvbmc="), **self.options)
        with self.assertRaises(ClientAuthenticationError):
            stranger.get_entity("a", "1")
        account = generate_account_sas(credential, resource_types="sco", permission="rwdlacu", expiry=later)
        service = TableServiceClient(self.endpoint, credential=AzureSasCredential(account), **self.options)
        self.assertIn(self.table.table_name, [table.name for table in service.list_tables()])
        self.table.set_table_access_policy({"p": TableAccessPolicy(permission="r", expiry=later), "empty": None})
        self.assertEqual(set(self.table.get_table_access_policy()), {"p", "empty"})
        sas = generate_table_sas(credential, self.table.table_name, policy_id="p")
        reader = TableClient(self.endpoint, self.table.table_name, credential=AzureSasCredential(sas), **self.options)
        self.assertEqual(reader.get_entity("a", "1")["RowKey"], "1")

    def test_service_properties(self):
        properties = self.service.get_service_properties()
        self.assertFalse(properties["hour_metrics"].enabled)
        self.service.set_service_properties(cors=[])
        self.assertEqual(self.service.get_service_properties()["cors"], [])


class StorageTest(TableTest):
    STORAGE = True


class TlsTest(TableTest):
    TLS = True


if __name__ == "__main__":
    unittest.main()
