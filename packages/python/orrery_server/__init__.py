"""Orrery for test code: starts a throw-away server, and says where it is.

    with orrery_server.start(seed="tests/seed") as server:
        client = pymongo.MongoClient(server.variables["MONGODB_URI"])
"""
import atexit
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

__all__ = ["Server", "program", "start"]

_STOP_TIME_S = 15


def program():
    """The path of the `orrery` program."""
    return str(pathlib.Path(__file__).resolve().parent / "program" / "bin" / "orrery")


class Server:
    """A running server. Use it in a `with`, or call stop().

    variables   what applications read: COSMOS_ENDPOINT, MONGODB_URI, CASSANDRA_PORT, ...
    ports       by API: sql, cassandra, mongo, table, gremlin, ...
    endpoints   connection strings by API
    key         the account's key
    """

    def __init__(self, process, ready, folder):
        self._process, self._folder = process, folder
        self.ports, self.endpoints, self.variables = ready["ports"], ready["endpoints"], ready["variables"]
        self.account, self.key, self.pid = ready["account"], ready["key"], ready["pid"]
        atexit.register(self.stop)

    def stop(self):
        """Ends the server; its data is gone unless it has a data directory."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(_STOP_TIME_S)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._folder.cleanup()
        atexit.unregister(self.stop)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


def start(*flags, seed=None, data="memory", allow_reset=False, timeout=60):
    """Starts a server at free ports and returns when it is ready.

    `seed`: a directory of databases and data. `flags`: any of `orrery serve`. RuntimeError with what the
    server said when it does not start.
    """
    folder = tempfile.TemporaryDirectory(prefix="orrery-")
    ready_file = os.path.join(folder.name, "ready.json")
    command = [program(), "serve", "--data", str(data), "--ready-file", ready_file, "--sql-port", "0",
               "--sql-direct-port", "any", "--log-level", "warn"]
    for api in ("cassandra", "mongo", "table", "gremlin"):
        command += [f"--{api}-port", "any,any"]
    if seed is not None:
        command += ["--seed", str(seed)]
    if allow_reset:
        command.append("--allow-reset")
    log_path = os.path.join(folder.name, "log")
    with open(log_path, "wb") as log:
        process = subprocess.Popen([*command, *map(str, flags)], stdout=subprocess.DEVNULL, stderr=log)
    end = time.monotonic() + timeout
    while not os.path.exists(ready_file):
        if process.poll() is not None or time.monotonic() > end:
            process.kill()
            process.wait()
            with open(log_path, encoding="utf-8", errors="replace") as log:
                said = log.read()
            folder.cleanup()
            raise RuntimeError(f"the server did not start: {said.strip()}")
        time.sleep(0.005)
    with open(ready_file, encoding="utf-8") as file:
        ready = json.load(file)
    return Server(process, ready, folder)


def main():
    """The command line."""
    os.execv(program(), ["orrery", *sys.argv[1:]])
