"""A stand-in for Docker's daemon, on a Unix socket: just enough of its interface for Testcontainers to start one container.

A "container" is the built program, run as the image would run it: with the image's environment and the container's, and its
command. Ports of the container are told as those that the program has taken.
"""
import http.server
import json
import os
import pathlib
import re
import signal
import socketserver
import struct
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
from ship import oci  # noqa: E402

API_VERSION = "1.43"
PATIENCE_S = 60
# The program's ports by those of the image.
PORTS = {8080: "health", 8081: "sql", 10251: "sqlDirect", 9042: "cassandra", 10350: "cassandraCosmos", 8902: "table", 10002: "tableStorage",
         27017: "mongo", 10255: "mongoCosmos", 8182: "gremlin", 8901: "gremlinCosmos"}
ANY = {"ORRERY_SQL_PORT": "0", "ORRERY_SQL_DIRECT_PORT": "any", "ORRERY_HEALTH_PORT": "any", "ORRERY_LISTEN": "127.0.0.1",
       **{f"ORRERY_{api}_PORT": "any,any" for api in ("CASSANDRA", "MONGO", "TABLE", "GREMLIN")}}


class Container:
    def __init__(self, binary, number, wanted):
        self.id = f"{number:064x}"
        self.wanted = wanted
        self.folder = tempfile.TemporaryDirectory(prefix="orrery-container-")
        self.binary, self.process, self.ready = binary, None, None

    def start(self):
        ready = pathlib.Path(self.folder.name) / "ready.json"
        environment = dict(entry.split("=", 1) for entry in [*oci.ENVIRONMENT, *(self.wanted.get("Env") or [])])
        environment.update(ANY, ORRERY_READY_FILE=str(ready), PATH=os.environ["PATH"])
        self.log = open(pathlib.Path(self.folder.name) / "log", "w+b")
        self.process = subprocess.Popen([self.binary, *(self.wanted.get("Cmd") or ["serve"])], cwd=self.folder.name, env=environment,
                                        stdout=self.log, stderr=self.log)
        end = time.monotonic() + PATIENCE_S
        while not ready.exists() and self.process.poll() is None and time.monotonic() < end:
            time.sleep(0.01)
        self.ready = json.loads(ready.read_text()) if ready.exists() else {"ports": {}}

    def stop(self):
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(PATIENCE_S)

    def output(self):
        return (pathlib.Path(self.folder.name) / "log").read_bytes()

    def described(self):
        running = self.process is not None and self.process.poll() is None
        exposed = list(self.wanted.get("ExposedPorts") or {})
        told = {}
        for port in exposed:
            here = (self.ready or {"ports": {}})["ports"].get(PORTS.get(int(port.split("/")[0])))
            told[port] = [{"HostIp": "0.0.0.0", "HostPort": str(here)}] if here else None
        now = "2026-01-01T00:00:00.000000000Z"
        return {"Id": self.id, "Name": "/orrery-" + self.id[-6:], "Created": now, "Image": "sha256:" + "0" * 64, "Mounts": [],
                "State": {"Status": "running" if running else "exited", "Running": running, "ExitCode": 0, "StartedAt": now,
                          "FinishedAt": "0001-01-01T00:00:00Z"},
                "Config": {"Tty": False, "Hostname": self.id[:12], "Labels": self.wanted.get("Labels") or {}, "Image": self.wanted["Image"],
                           "Env": self.wanted.get("Env") or [], "ExposedPorts": {port: {} for port in exposed}},
                "HostConfig": {"NetworkMode": "bridge", "PortBindings": {port: [{"HostIp": "", "HostPort": "0"}] for port in exposed}},
                "NetworkSettings": {"Ports": told, "IPAddress": "127.0.0.1", "Networks": {"bridge": {"IPAddress": "127.0.0.1", "NetworkID": "n",
                                                                                                    "Gateway": "127.0.0.1"}}}}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def address_string(self):
        return "client"

    def answer(self, status, body=None, content_type="application/json"):
        data = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Api-Version", API_VERSION)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def handle_any(self):
        size = int(self.headers.get("Content-Length") or 0)
        body = json.loads(self.rfile.read(size)) if size else {}
        url = urllib.parse.urlsplit(self.path)
        path, daemon = re.sub(r"^/v\d+\.\d+", "", url.path), self.server.daemon
        query = dict(urllib.parse.parse_qsl(url.query))
        if path == "/_ping":
            return self.answer(200, b"OK", "text/plain")
        if path == "/version":
            return self.answer(200, {"Version": "24.0.0", "ApiVersion": API_VERSION, "MinAPIVersion": "1.24", "Os": "linux", "Arch": "amd64"})
        if path == "/info":
            return self.answer(200, {"ID": "stand-in", "OperatingSystem": "stand-in", "OSType": "linux", "Architecture": "x86_64",
                                     "ServerVersion": "24.0.0", "NCPU": 2, "MemTotal": 1 << 30, "Labels": [], "IndexServerAddress": ""})
        if path.startswith("/images/") and path.endswith("/json"):
            return self.answer(200, {"Id": "sha256:" + "0" * 64, "RepoTags": ["orrery:latest"], "Config": {"Labels": {}, "ExposedPorts": {}},
                                     "Architecture": "amd64", "Os": "linux"})
        if path == "/networks":
            return self.answer(200, [{"Name": "bridge", "Id": "n", "IPAM": {"Config": [{"Subnet": "172.17.0.0/16", "Gateway": "172.17.0.1"}]}}])
        if path.startswith("/networks/"):
            return self.answer(200, {"Name": "bridge", "Id": "n", "IPAM": {"Config": [{"Subnet": "172.17.0.0/16", "Gateway": "172.17.0.1"}]}})
        if path == "/containers/json":
            wanted = json.loads(query.get("filters", "{}")).get("id", [])
            wanted = [name for name, on in wanted.items() if on] if isinstance(wanted, dict) else wanted
            return self.answer(200, [daemon.containers[name].described() for name in wanted if name in daemon.containers])
        if path == "/containers/create":
            made = daemon.make(body)
            return self.answer(201, {"Id": made.id, "Warnings": []})
        found = re.fullmatch(r"/containers/([^/]+)(/[a-z]+)?", path)
        container = daemon.containers.get(found[1]) if found else None
        if container is None:
            return self.answer(404, {"message": f"no such thing: {self.command} {path}"})
        return self.of_container(container, found[2], query)

    do_GET = do_POST = do_DELETE = do_HEAD = handle_any

    def of_container(self, container, what, query):
        if self.command == "DELETE":
            container.stop()
            return self.answer(204)
        if what == "/json":
            return self.answer(200, container.described())
        if what == "/start":
            container.start()
            return self.answer(204)
        if what in ("/stop", "/kill"):
            container.stop()
            return self.answer(204)
        if what == "/logs":
            return self.logs(container, query.get("follow") in ("1", "true", "True"))
        return self.answer(404, {"message": f"not in this stand-in: {what}"})

    def logs(self, container, follows):
        """As frames: stream, length, bytes."""
        self.send_response(200)
        self.send_header("Content-Type", "application/vnd.docker.raw-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        told = 0
        while True:
            output = container.output()[told:]
            if output:
                try:
                    self.wfile.write(struct.pack(">BxxxI", 1, len(output)) + output)
                    self.wfile.flush()
                except OSError:
                    return
                told += len(output)
            if not follows or container.process.poll() is not None:
                return
            time.sleep(0.02)


class Daemon:
    """Use it in a `with`: `.host` is what DOCKER_HOST must be."""

    def __init__(self, binary):
        self.binary, self.containers = binary, {}

    def make(self, wanted):
        container = Container(self.binary, len(self.containers) + 1, wanted)
        self.containers[container.id] = container
        return container

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="orrery-docker-")
        path = os.path.join(self.folder.name, "docker.sock")
        self.server = type("Server", (socketserver.ThreadingMixIn, socketserver.UnixStreamServer), {"daemon_threads": True})(path, Handler)
        self.server.daemon = self
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.host = "unix://" + path
        return self

    def __exit__(self, *_):
        for container in self.containers.values():
            container.stop()
        self.server.shutdown()
        self.server.server_close()
        self.folder.cleanup()
