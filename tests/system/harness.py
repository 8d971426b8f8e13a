"""Runs the built `orrery` program as users do: as a process, over HTTP, from the shell."""
import contextlib
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import ssl
import subprocess
import tempfile
import threading
import unittest
import urllib.parse

# Set by run.py.
BINARY = None
WELL_KNOWN_KEY = "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw=="
# How long to wait for something that must happen; only a hung server ever gets there.
PATIENCE_S = 60


def clean_environment(extra=None):
    """The caller's ORRERY_ variables must not change what is tested."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("ORRERY_")}
    environment.update(extra or {})
    return environment


def run_cli(*arguments, env=None, preexec_fn=None):
    """Runs `orrery <arguments>` to its end; .returncode, .stdout and .stderr tell how it went."""
    return subprocess.run([BINARY, *map(str, arguments)], env=clean_environment(env), capture_output=True, text=True,
                          timeout=PATIENCE_S, preexec_fn=preexec_fn)


class Answer:
    """An HTTP answer: .status, .headers (case-insensitive), .body (bytes), .json()."""

    def __init__(self, response):
        self.status = response.status
        self.headers = response.headers
        self.body = response.read()

    def json(self):
        return json.loads(self.body)

    def __repr__(self):
        return f"{self.status} {self.body[:300]!r}"


class Server:
    """A running server. `flags` go to `orrery serve` after --data, --sql-port 0 and --cassandra-port."""

    def __init__(self, data, *flags, cassandra_port="0", env=None, preexec_fn=None):
        self.data = pathlib.Path(data)
        self.process = subprocess.Popen(
            [BINARY, "serve", "--data", str(data), "--sql-port", "0", "--cassandra-port", cassandra_port,
             *map(str, flags)],
            env=clean_environment(env), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            preexec_fn=preexec_fn)
        self.stderr = ""
        self._drain = threading.Thread(target=self._read_stderr, daemon=True)
        self._drain.start()
        self.welcome = ""
        for line in self.process.stdout:
            self.welcome += line
            if line.startswith("Ready in"):
                break
        match = re.search(r"listens on (\S+):(\d+)", self.welcome)
        if match is None:
            self.process.wait(PATIENCE_S)
            self._drain.join(PATIENCE_S)
            raise RuntimeError(f"the server did not start (exit {self.process.returncode}): {self.stderr}")
        self.port = int(match.group(2))
        self.url = f"http://127.0.0.1:{self.port}"
        self.key = WELL_KNOWN_KEY

    # Its CQL ports, if it has them.
    @property
    def cql_port(self):
        """Lets clients of this machine in."""
        return self._port_in_welcome(r"cassandra +127\.0\.0\.1:(\d+)")

    @property
    def account_port(self):
        """Asks everybody for credentials."""
        return self._port_in_welcome(r"127\.0\.0\.1:(\d+) +\(with credentials")

    # Its ports for clients of Azure tables.
    @property
    def table_port(self):
        return self._port_in_welcome(r"TableEndpoint=https?://[^/]*:(\d+)/")

    @property
    def table_storage_port(self):
        return self._port_in_welcome(r"127\.0\.0\.1:(\d+) +\(as Azure Storage")

    @property
    def mongo_port(self):
        return self._port_in_welcome(r"mongodb://127\.0\.0\.1:(\d+)")

    @property
    def gremlin_port(self):
        """TinkerPop's."""
        return self._port_in_welcome(r"gremlin +wss?://127\.0\.0\.1:(\d+)/")

    def _port_in_welcome(self, pattern):
        match = re.search(pattern, self.welcome)
        if match is None:
            raise RuntimeError(f"no such port in: {self.welcome}")
        return int(match.group(1))

    def _read_stderr(self):
        for line in self.process.stderr:
            self.stderr += line

    # Ending it.
    def stop(self):
        """SIGTERM; returns the exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self._reap()

    def kill(self):
        """SIGKILL: what a crash looks like to the data."""
        self.process.kill()
        return self._reap()

    def _reap(self):
        code = self.process.wait(PATIENCE_S)
        self._drain.join(PATIENCE_S)
        self.process.stdout.close()
        self.process.stderr.close()
        return code

    # Talking to it.
    def connect(self, tls=False):
        if tls:
            context = ssl.create_default_context()
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
            return http.client.HTTPSConnection("127.0.0.1", self.port, timeout=PATIENCE_S, context=context)
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)

    def request(self, method, path, body=None, headers=None, key="", tls=False, connection=None):
        """`body` is sent as JSON unless it is bytes; `key` None sends no Authorization."""
        sent = dict(headers or {})
        if key is not None:
            sent.setdefault("Authorization", "Bearer " + (key or self.key))
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
        with contextlib.ExitStack() as stack:
            if connection is None:
                connection = stack.enter_context(contextlib.closing(self.connect(tls)))
            connection.request(method, path, body=body, headers=sent)
            return Answer(connection.getresponse())

    def admin(self, method, path, body=None, **options):
        return self.request(method, "/_admin/v1/" + path, body, **options)

    def cli(self, *arguments):
        return run_cli(*arguments, "--url", self.url, "--key", self.key)


def quote(value):
    return urllib.parse.quote(value if isinstance(value, str) else json.dumps(value), safe="")


class Container:
    """Item calls on one container of a server."""

    def __init__(self, server, database, container):
        self.server = server
        self.path = f"databases/{quote(database)}/containers/{quote(container)}"

    def item_path(self, item_id, key=None):
        path = f"{self.path}/items/{quote(item_id)}"
        return path if key is None else f"{path}?partitionKey={quote(json.dumps(key))}"

    def create(self, document, **options):
        return self.server.admin("POST", self.path + "/items", document, **options)

    def upsert(self, document, **options):
        return self.server.admin("POST", self.path + "/items?upsert=true", document, **options)

    def read(self, item_id, key=None, **options):
        return self.server.admin("GET", self.item_path(item_id, key), **options)

    def replace(self, item_id, document, **options):
        return self.server.admin("PUT", self.item_path(item_id), document, **options)

    def patch(self, item_id, key, operations, condition=None, **options):
        body = {"operations": operations}
        if condition is not None:
            body["condition"] = condition
        return self.server.admin("PATCH", self.item_path(item_id, key), body, **options)

    def delete(self, item_id, key=None, **options):
        return self.server.admin("DELETE", self.item_path(item_id, key), **options)

    def batch(self, key, operations):
        return self.server.admin("POST", self.path + "/batch", {"partitionKey": key, "operations": operations})

    def pages(self, what, **question):
        """Page after page of "scan" or "feed" until there is no more."""
        while True:
            answer = self.server.admin("POST", f"{self.path}/{what}", question)
            if answer.status != 200:
                raise AssertionError(f"{what} failed: {answer}")
            page = answer.json()
            yield page
            if page.get("drained", not page["continuation"]):
                return
            question["continuation"] = page["continuation"]

    def scan(self, **question):
        return [item["document"] for page in self.pages("scan", **question) for item in page["items"]]

    def feed(self, **question):
        return [change for page in self.pages("feed", **question) for change in page["changes"]]


class OrreryTest(unittest.TestCase):
    """A test with a data directory of its own; servers it starts do not outlive it."""

    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="orrery_system_"))
        self.addCleanup(shutil.rmtree, self.root, ignore_errors=True)
        self.data = self.root / "data"

    def start(self, *flags, data=None, **options):
        server = Server(data or self.data, *flags, **options)
        self.addCleanup(lambda: server.process.poll() is None and server.kill())
        return server

    def make_container(self, server, name="c", database="db", **settings):
        answer = server.admin("POST", "databases", {"id": database})
        self.assertIn(answer.status, (201, 409), answer)
        body = {"id": name, "partitionKey": {"paths": ["/pk"]}, **settings}
        self.assertStatus(201, server.admin("POST", f"databases/{quote(database)}/containers", body))
        return Container(server, database, name)

    def assertStatus(self, status, answer, code=None):
        self.assertEqual(answer.status, status, answer)
        if code is not None:
            self.assertEqual(answer.json()["code"], code, answer)
        return answer

    def assertFails(self, outcome, *parts):
        """A command that must fail with a message that contains all `parts`."""
        self.assertNotEqual(outcome.returncode, 0, outcome.stdout)
        for part in parts:
            self.assertIn(part, outcome.stderr)
