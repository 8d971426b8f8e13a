"""Damaged files and a full disk: a clear message, never wrong data."""
import resource
import signal
import time

from harness import OrreryTest, Server

# Enough for a few table files and logs of a small partition.
FILE_BYTES_MAX = 2 << 20


class Damage(OrreryTest):
    def setUp(self):
        super().setUp()
        server = self.start()
        self.container = self.make_container(server, throughput={"manual": 10_000})
        self.documents = {}
        for n in range(300):
            document = {"id": f"{n:03}", "pk": f"k{n}", "text": f"{n} " * 200}
            self.documents[document["id"]] = document
            answer = self.container.upsert(document)
            while answer.status == 429:
                answer = self.container.upsert(document)
            self.assertStatus(201, answer)
        # A split flushes, so that there are table files.
        self.assertStatus(200, server.admin("POST", self.container.path + "/split", {}))
        self.assertStatus(204, server.admin("POST", "partitions/settle"))
        self.assertEqual(server.stop(), 0, server.stderr)

    def files(self, *patterns):
        found = [path for pattern in patterns for path in sorted(self.data.glob(pattern)) if path.stat().st_size > 0]
        self.assertTrue(found, patterns)
        return found

    @staticmethod
    def damage(path):
        """Flips bytes all over the file."""
        content = bytearray(path.read_bytes())
        for position in range(0, len(content), max(1, len(content) // 64)):
            content[position] ^= 0x5A
        path.write_bytes(content)

    def start_damaged(self):
        """A server, or None when it refuses to start, clearly and with its exit code."""
        try:
            server = Server(self.data)
        except RuntimeError as refusal:
            self.assertNotIn("exit 0", str(refusal))
            self.assertNotIn("exit -", str(refusal), "it crashed instead of refusing")
            self.assertIn("orrery: ", str(refusal))
            return None
        self.addCleanup(lambda: server.process.poll() is None and server.kill())
        return server

    def check_no_wrong_data(self, server):
        self.container.server = server
        refused = 0
        for name, document in self.documents.items():
            answer = self.container.read(name, document["pk"])
            if answer.status == 200:
                self.assertEqual(answer.json(), document)
            else:
                self.assertGreaterEqual(answer.status, 500, answer)
                refused += 1
        return refused

    def test_table_files(self):
        for path in self.files("partitions/*/*.sst"):
            self.damage(path)
        server = self.start_damaged()
        if server is not None:
            self.assertGreater(self.check_no_wrong_data(server), 0)

    def test_manifests(self):
        for path in self.files("partitions/*/MANIFEST-*"):
            self.damage(path)
        self.assertIsNone(self.start_damaged())

    def test_the_system_store(self):
        for path in self.files("system/MANIFEST-*"):
            self.damage(path)
        self.assertIsNone(self.start_damaged())

    def test_current(self):
        for path in self.files("system/CURRENT"):
            path.write_bytes(b"rubbish\n")
        self.assertIsNone(self.start_damaged())

    def test_a_missing_partition(self):
        for path in self.files("partitions/*/CURRENT"):
            path.unlink()
        self.assertIsNone(self.start_damaged())

    def test_format(self):
        (self.data / "FORMAT").write_text("something else")
        self.assertIsNone(self.start_damaged())


class LostLogs(OrreryTest):
    """Logs that something took away or cut after a kill, with acknowledged writes in them."""

    def setUp(self):
        super().setUp()
        server = self.start()
        self.container = self.make_container(server, throughput={"manual": 10_000})
        for n in range(100):
            self.assertStatus(201, self.container.create({"id": str(n), "pk": "a", "text": "x" * 500}))
        time.sleep(0.5)  # some pauses of the thread that notes what was synced
        server.kill()
        self.log = max(self.data.glob("partitions/*/*.log"), key=lambda path: path.stat().st_size)

    def start_with_losses(self, *words):
        with self.assertRaises(RuntimeError) as refusal:
            Server(self.data)
        for word in (*words, "--accept-lost-writes"):
            self.assertIn(word, str(refusal.exception))
        server = self.start("--accept-lost-writes")
        self.assertIn("accepted (--accept-lost-writes)", server.stderr)
        self.container.server = server
        found = [n for n in range(100) if self.container.read(str(n), "a").status == 200]
        self.assertEqual(found, list(range(len(found))), "what is left is not what there was at some moment")
        self.assertStatus(201, self.container.create({"id": "new", "pk": "a"}))
        # From then on it is whole.
        server.kill()
        self.container.server = self.start()
        self.assertStatus(200, self.container.read("new", "a"))
        return found

    def test_a_cut_log(self):
        content = self.log.read_bytes()
        end = len(content.rstrip(b"\0"))
        self.log.write_bytes(content[:end // 2])
        found = self.start_with_losses("was cut or damaged")
        self.assertTrue(0 < len(found) < 100, found)

    def test_a_missing_log(self):
        for log in self.log.parent.glob("*.log"):
            log.unlink()
        self.assertEqual(self.start_with_losses("is missing"), [])


class FullDisk(OrreryTest):
    """A limit on the size of files stands in for the disk's end: the write fails in the same place."""

    def test_writes_fail_clearly_and_nothing_acknowledged_is_lost(self):
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_BYTES_MAX, FILE_BYTES_MAX))

        server = self.start("--log-level", "off", preexec_fn=limit)
        container = self.make_container(server)
        acknowledged = []
        for n in range(200):
            document = {"id": str(n), "pk": f"k{n % 7}", "text": "x" * 60_000}
            answer = container.create(document)
            if answer.status != 201:
                break
            acknowledged.append(document)
        self.assertGreaterEqual(answer.status, 500, "the limit was never met")
        self.assertIn(answer.json()["code"], ("resource_exhausted", "unavailable"))
        # It still answers, and reads what it has.
        self.assertStatus(200, server.request("GET", "/_health"))
        for document in acknowledged:
            self.assertEqual(container.read(document["id"], document["pk"]).json(), document)
        server.stop()
        container.server = self.start()
        for document in acknowledged:
            self.assertEqual(container.read(document["id"], document["pk"]).json(), document)
        self.assertStatus(201, container.create({"id": "after", "pk": "a"}))
