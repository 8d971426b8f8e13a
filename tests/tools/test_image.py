"""The image: reproducible, of the layout that OCI tools take, and a server that runs in it as any user."""
import contextlib
import gzip
import hashlib
import io
import json
import os
import pathlib
import re
import signal
import socket
import ssl
import subprocess
import sys
import tarfile
import tempfile
import unittest
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
PATIENCE_S = 60
sys.path.append(str(ROOT / "tests/system"))

import cql_wire  # noqa: E402
import mongo_wire  # noqa: E402


class Archive:
    """An OCI archive's blobs, each checked against its digest."""

    def __init__(self, data):
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            self.files = {member.name: archive.extractfile(member).read() for member in archive if member.isfile()}

    def blob(self, descriptor):
        algorithm, digest = descriptor["digest"].split(":")
        data = self.files[f"blobs/{algorithm}/{digest}"]
        assert hashlib.sha256(data).hexdigest() == digest and len(data) == descriptor["size"], descriptor
        return data

    def json(self, descriptor):
        return json.loads(self.blob(descriptor))


class Image(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name) / "orrery.oci.tar"
        subprocess.run([ROOT / "tools/image", "--binary", sys.argv[-1], "--output", cls.path], check=True,
                       stdout=subprocess.DEVNULL)
        cls.data = cls.path.read_bytes()
        cls.archive = Archive(cls.data)
        index = json.loads(cls.archive.files["index.json"])
        cls.manifest = cls.archive.json(index["manifests"][0])
        cls.config = cls.archive.json(cls.manifest["config"])

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def unpack(self, folder):
        for layer in self.manifest["layers"]:
            with tarfile.open(fileobj=io.BytesIO(gzip.decompress(self.archive.blob(layer)))) as tar:
                tar.extractall(folder, numeric_owner=True)

    def test_layers_are_what_the_configuration_says(self):
        self.assertEqual(json.loads(self.archive.files["oci-layout"])["imageLayoutVersion"], "1.0.0")
        unpacked = [gzip.decompress(self.archive.blob(layer)) for layer in self.manifest["layers"]]
        self.assertEqual(["sha256:" + hashlib.sha256(layer).hexdigest() for layer in unpacked],
                         self.config["rootfs"]["diff_ids"])
        self.assertEqual(self.config["config"]["Entrypoint"], ["/usr/bin/orrery"])
        self.assertEqual(self.config["config"]["User"], "10001:10001")
        self.assertLess(len(self.data), 120e6)

    def test_licences_and_materials_are_in_it(self):
        with tempfile.TemporaryDirectory() as folder:
            self.unpack(folder)
            documents = pathlib.Path(folder) / "usr/share/doc"
            materials = json.loads((documents / "orrery/sbom.spdx.json").read_text())
            named = {package["name"] for package in materials["packages"]}
            self.assertIn("libssl3", named)
            for package in named - {"orrery"}:
                self.assertTrue((documents / package / "copyright").exists(), package)

    @unittest.skipUnless(os.geteuid() == 0, "needs root, for chroot")
    def test_a_server_runs_as_any_user_on_a_read_only_root(self):
        for user, data in ((10001, "/data/orrery"), (54321, "memory")):
            with self.subTest(user=user), tempfile.TemporaryDirectory() as folder:
                self.unpack(folder)
                with self.serve(pathlib.Path(folder), user, data) as said:
                    port = said.split("listens on 127.0.0.1:")[1].split()[0]
                    healthy = subprocess.run([sys.argv[-1], "health", "--url", f"http://127.0.0.1:{port}", "--wait", "30"],
                                             capture_output=True, text=True, timeout=PATIENCE_S)
                    self.assertEqual(healthy.returncode, 0, healthy.stderr)

    @unittest.skipUnless(os.geteuid() == 0, "needs root, for chroot")
    def test_the_start_checks_of_test_libraries(self):
        """What modules of Testcontainers wait for, in Java, .NET, Go, Python and Node, as their sources have it."""
        with tempfile.TemporaryDirectory() as folder:
            self.unpack(folder)
            with self.serve(pathlib.Path(folder), 10001, "memory", ORRERY_AUTH="local") as said:
                lines = re.findall(r".*?\n", said, re.DOTALL)
                port = {name: int(re.search(pattern, said)[1]) for name, pattern in {
                    "sql": r"listens on 127\.0\.0\.1:(\d+)", "health": r"health +http://127\.0\.0\.1:(\d+)/",
                    "cassandra": r"cassandra +127\.0\.0\.1:(\d+)", "mongo": r"mongodb://127\.0\.0\.1:(\d+)",
                    "azurite": r"Table service .*:(\d+)"}.items()}
                # Cosmos DB's emulator, which ends this line so.
                self.assertTrue(any(re.fullmatch(r"(?s).*Started\r\n", line) for line in lines))
                self.assertRegex(said, r"Started\s*$")
                self.assertIn("Now listening on: ", said)
                trusting = ssl.create_default_context()
                trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
                pem = self.get(f"https://localhost:{port['sql']}/_explorer/emulator.pem", context=trusting).decode()
                strict = ssl.create_default_context(cadata=pem)
                self.get(f"https://localhost:{port['sql']}/_explorer/index.html", context=strict)
                self.get(f"http://localhost:{port['sql']}")
                for path in ("alive", "ready", "status"):
                    self.get(f"http://localhost:{port['health']}/{path}")
                # Cassandra: a line, or a query by a driver.
                self.assertIn("Startup complete\n", lines)
                session = cql_wire.Connection(port["cassandra"])
                answer = session.query("SELECT bootstrapped, release_version FROM system.local")
                self.assertFalse(answer.is_error(), answer)
                self.assertIn(b"COMPLETED", answer.body)
                # MongoDB: a line, and a primary.
                self.assertTrue(any(re.fullmatch(r"(?is).*waiting for connections.*", line) for line in lines))
                mongo = mongo_wire.Connection(port["mongo"])
                self.assertTrue(mongo.ask({"isMaster": 1, "$db": "admin"})["ismaster"])
                mongo.close()
                # Azurite: a line, and the port.
                self.assertIn("Table service is successfully listening", said)
                socket.create_connection(("127.0.0.1", port["azurite"]), PATIENCE_S).close()

    @staticmethod
    def get(url, context=None):
        with urllib.request.urlopen(url, timeout=PATIENCE_S, context=context) as answer:
            return answer.read()

    @contextlib.contextmanager
    def serve(self, root, user, data, **more):
        """The image's command in a root of its own; yields what it has said when it is ready."""
        os.chmod(root, 0o755)
        for name in ("proc", "dev"):
            (root / name).mkdir(exist_ok=True)
        environment = dict(entry.split("=", 1) for entry in self.config["config"]["Env"])
        # On this machine's loopback alone, at free ports.
        environment.update(ORRERY_LISTEN="127.0.0.1", ORRERY_DATA=data, ORRERY_SQL_PORT="0",
                           ORRERY_SQL_DIRECT_PORT="any", ORRERY_CASSANDRA_PORT="any", ORRERY_MONGO_PORT="any",
                           ORRERY_TABLE_PORT="any,any", ORRERY_GREMLIN_PORT="any", ORRERY_HEALTH_PORT="any", **more)
        script = f"""set -e
mount --bind {root} {root}
mount -t proc proc {root}/proc
mount -t tmpfs -o mode=1777 tmpfs {root}/tmp
mount -t tmpfs -o mode=1777 tmpfs {root}/data
mount -t tmpfs -o mode=755 tmpfs {root}/dev
mkdir -m 1777 {root}/dev/shm
touch {root}/dev/null {root}/dev/urandom
mount --bind /dev/null {root}/dev/null
mount --bind /dev/urandom {root}/dev/urandom
mount -o remount,ro,bind {root}
exec chroot --userspec={user}:{user} {root} /usr/bin/orrery serve"""
        server = subprocess.Popen(["unshare", "-m", "--propagation", "private", "sh", "-c", script], env={
            **environment, "PATH": os.environ["PATH"]}, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            said = ""
            for line in server.stdout:
                said += line.decode()
                if line.startswith(b"Started"):
                    break
            self.assertIn("Ready in", said, said or server.stderr.read())
            yield said
        finally:
            server.send_signal(signal.SIGTERM)
            self.assertEqual(server.wait(PATIENCE_S), 0)
            server.stdout.close()
            server.stderr.close()

    def test_the_same_commit_gives_the_same_bytes(self):
        again = self.path.with_suffix(".again")
        subprocess.run([ROOT / "tools/image", "--binary", sys.argv[-1], "--output", again], check=True,
                       stdout=subprocess.DEVNULL)
        self.assertEqual(hashlib.sha256(again.read_bytes()).hexdigest(), hashlib.sha256(self.data).hexdigest())

    def test_skopeo_takes_it(self):
        shown = subprocess.run(["skopeo", "inspect", f"oci-archive:{self.path}"], check=True, capture_output=True)
        self.assertEqual(json.loads(shown.stdout)["Labels"]["org.opencontainers.image.title"], "Orrery")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
