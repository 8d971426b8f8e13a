"""Temporal, a workflow engine that keeps its state in Cassandra: the tests of its persistence layer.

They are in the Go module itself: every store (shards, executions, histories, task queues, metadata, queues,
endpoints) through gocql, with lightweight transactions in batches all over."""
import json
import os
import re
import shutil
import subprocess

import maven
from application import Application, follow, serving

MODULE = "go.temporal.io/server"
VERSION = "v1.30.8"  # the newest whose modules Go's proxy has all
PACKAGE = "./common/persistence/tests"
GO_VERSION = (1, 25)
COMPILE_SECONDS_MAX = 3600
SECONDS_MAX = 1800


class Temporal(Application):
    def __init__(self, **expected):
        super().__init__("the tests of Temporal's persistence on Cassandra", VERSION, **expected)

    def run(self, binary, folder, log):
        program = build(folder, log)
        with serving(binary, folder) as server:
            environment = {**os.environ, "CASSANDRA_SEEDS": "127.0.0.1", "CASSANDRA_PORT": str(server.cql_port),
                           "TEMPORAL_ROOT": str(folder / "source")}
            _, found = follow([program, "-test.v", "-test.run", "^TestCassandra", f"-test.timeout={SECONDS_MAX}s"], log,
                              SECONDS_MAX + 60, r"^ *--- (PASS|FAIL|SKIP): (\S+) ", cwd=folder / "source" / PACKAGE,
                              env=environment)
        words = {"PASS": "passed", "FAIL": "failed", "SKIP": "skipped"}
        results = {match[2]: words[match[1]] for match in found}
        # A test with parts is told by its parts.
        return {name: outcome for name, outcome in results.items()
                if not any(other.startswith(name + "/") for other in results)}


def build(folder, log):
    """Fetches the module with all it needs and compiles its tests."""
    go = shutil.which("go")
    said = subprocess.run([go, "env", "GOVERSION"], capture_output=True, text=True).stdout if go else ""
    version = re.match(r"go(\d+)\.(\d+)", said)
    if not version or tuple(map(int, version.groups())) < GO_VERSION:
        raise maven.NotAvailable(f"needs Go {'.'.join(map(str, GO_VERSION))} or later (https://go.dev/dl)")
    program, stamp = folder / "persistence.test", folder / "persistence.version"
    if stamp.exists() and stamp.read_text() == VERSION:
        return program
    download = subprocess.run([go, "mod", "download", "-json", f"{MODULE}@{VERSION}"], cwd=folder, capture_output=True,
                              text=True)
    answer = json.loads(download.stdout or "{}")
    if "Dir" not in answer:
        raise maven.NotAvailable(f"Go's module proxy is not reached: {answer.get('Error', download.stderr.strip())}")
    source = folder / "source"
    shutil.rmtree(source, ignore_errors=True)
    shutil.copytree(answer["Dir"], source, copy_function=copy_writable)
    code, _ = follow([go, "test", "-c", "-o", program, PACKAGE], log, COMPILE_SECONDS_MAX, cwd=source)
    if code != 0:
        raise maven.MavenError(f"go cannot compile the tests of {MODULE}@{VERSION}; see {log.name}")
    stamp.write_text(VERSION)
    return program


def copy_writable(source, target):
    """Copies a file out of Go's module cache, where everything is read-only."""
    os.makedirs(os.path.dirname(target), exist_ok=True)
    shutil.copyfile(source, target)
    os.chmod(os.path.dirname(target), 0o755)
    return target
