"""The official clients that execute plans: how each is installed, and the program that asks it.

Such a program (node_client.js, python_client.py, PlanClient.java, go/main.go) gets endpoint, key and database as arguments, and
reads one question a line: {"file", "container", "query", "parameters": {name: value}, "key": [..] or null, "page"}.
It answers with a line of its own, {"rows": [..]} or {"error": text}. Each file is asked by a client of its own: they
keep the ranges of containers, also of one that is gone and whose name another has."""
import fcntl
import json
import pathlib
import queue
import shutil
import subprocess
import sys
import threading

import maven
from maven import NotAvailable

HERE = pathlib.Path(__file__).resolve().parent
NODE_TESTS = HERE.parent / "node"
JVM_HEAP = "384m"


# Only a client that hangs takes so long for one query.
ANSWER_SECONDS_MAX = 180


class Worker:
    """Such a program, running. Ends with the block."""

    def __init__(self, command):
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._lines = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self._hangs = False

    def _read(self):
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put("")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.kill()
        self._process.wait()
        self._reader.join()
        self._process.stdin.close()
        self._process.stdout.close()

    def ask(self, question):
        if self._hangs:
            raise RuntimeError("the client hangs since a query before")
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()
        try:
            line = self._lines.get(timeout=ANSWER_SECONDS_MAX)
        except queue.Empty:
            self._hangs = True
            raise RuntimeError(f"no answer of the client after {ANSWER_SECONDS_MAX} s") from None
        if not line:
            raise RuntimeError(f"the client ended with {self._process.wait()}")
        return json.loads(line)


def _installed(folder, wanted, install):
    """Runs `install` unless it was done for these bytes before; suites start side by side, one of them installs."""
    folder.mkdir(parents=True, exist_ok=True)
    stamp = folder / "installed"
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not stamp.exists() or stamp.read_bytes() != wanted:
            install()
            stamp.write_bytes(wanted)


def _run(what, *command, cwd=None):
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=cwd)
    if done.returncode != 0:
        raise NotAvailable(f"{what}: " + " ".join(done.stdout.split("\n")[-4:]))


def node(folder):
    """npm's @azure/cosmos, the version that tests/clients/sql/node pins."""
    program, npm = shutil.which("node"), shutil.which("npm")
    if program is None or npm is None:
        raise NotAvailable("no node or npm on this machine; tools/bootstrap installs them")
    lock_file = NODE_TESTS / "package-lock.json"

    def install():
        for name in ("package.json", "package-lock.json"):
            shutil.copy(NODE_TESTS / name, folder)
        _run("npm cannot install @azure/cosmos", npm, "ci", "--prefer-offline", "--ignore-scripts", "--no-audit",
             "--no-fund", cwd=folder)

    _installed(folder, lock_file.read_bytes(), install)
    return ["env", f"NODE_PATH={folder}/node_modules", program, str(HERE / "node_client.js")]


def python(folder):
    """PyPI's azure-cosmos in an environment of its own."""
    requirements = HERE / "requirements.txt"
    environment = folder / "environment"

    def install():
        _run("no environment for Python packages", sys.executable, "-m", "venv", "--clear", environment)
        _run("pip cannot install azure-cosmos", environment / "bin/pip", "install", "--disable-pip-version-check", "-q",
             "-r", requirements)

    _installed(folder, requirements.read_bytes(), install)
    return [str(environment / "bin/python"), "-B", str(HERE / "python_client.py")]


def java(folder):
    """Maven Central's com.azure:azure-cosmos in gateway mode, the version that tests/clients/sql/java names."""
    jars = maven.classpath(HERE.parent / "java/pom.xml", folder)
    classes = maven.compile_java([HERE / "PlanClient.java"], jars, folder)
    return maven.java([classes, *jars], "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
                      "-DCOSMOS.HTTP_CONNECTION_WITHOUT_TLS_ALLOWED=true", "PlanClient", heap=JVM_HEAP)


def go(folder):
    """Microsoft's azcosmos from Go's module proxy, compiled into the folder."""
    program = shutil.which("go")
    if program is None:
        raise NotAvailable("no go on this machine; tools/bootstrap installs it")
    sources = [HERE / "go" / name for name in ("main.go", "go.mod", "go.sum")]
    module = folder / "module"
    environment = [f"{name}={value}" for name, value in (("GOFLAGS", "-mod=mod"), ("GOTOOLCHAIN", "local"), ("GOPATH", folder / "path"),
                                                         ("GOCACHE", folder / "cache"))]

    def install():
        module.mkdir(exist_ok=True)
        for source in sources:
            shutil.copy(source, module)
        _run("go cannot fetch azcosmos", "env", *environment, program, "mod", "download", cwd=module)
        _run("go cannot compile the program", "env", *environment, program, "build", "-o", folder / "plan_client", ".", cwd=module)

    _installed(folder, b"".join(source.read_bytes() for source in sources), install)
    return [str(folder / "plan_client")]


CLIENTS = {"node": node, "python": python, "java": java, "go": go}
