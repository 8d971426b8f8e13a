"""GridFS, as pymongo stores files."""
import os
import unittest

import gridfs
from pymongo.errors import OperationFailure

from mongo_test import MongoTest


class FilesTest(MongoTest):
    def setUp(self):
        super().setUp()
        try:
            self.db.probe.create_index("n", unique=True)
        except OperationFailure as error:
            self.skipTest(f"GridFS needs unique indexes: {error}")

    def test_files(self):
        bucket = gridfs.GridFSBucket(self.db, chunk_size_bytes=100_000)
        content = os.urandom(1_234_567)
        number = bucket.upload_from_stream("report.bin", content, metadata={"kind": "test"})
        with bucket.open_download_stream(number) as stream:
            self.assertEqual(stream.length, len(content))
            self.assertEqual(stream.read(), content)
            stream.seek(1_000_000)
            self.assertEqual(stream.read(10), content[1_000_000:1_000_010])
        self.assertEqual(self.db["fs.chunks"].count_documents({"files_id": number}), 13)
        bucket.upload_from_stream("report.bin", b"newer")
        self.assertEqual(bucket.open_download_stream_by_name("report.bin").read(), b"newer")
        self.assertEqual(bucket.open_download_stream_by_name("report.bin", revision=0).read(), content)
        self.assertEqual([file.filename for file in bucket.find({"metadata.kind": "test"})], ["report.bin"])
        bucket.rename(number, "old.bin")
        bucket.delete(number)
        with self.assertRaises(gridfs.NoFile):
            bucket.open_download_stream(number)
        self.assertEqual(self.db["fs.chunks"].count_documents({"files_id": number}), 0)


if __name__ == "__main__":
    unittest.main()
