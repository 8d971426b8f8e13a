"""What attack tests share: a server, a second client that goes on working, and what must hold meanwhile.

A test is one attack:

    class SlowBodies(AttackTest):
        def test_it(self):
            with self.measured() as attack:      # the second client's quiet state is measured before
                ... until attack.over() ...      # the attack, from this process
            # When the block ends (not before attack.over()): the second client has done SHARE_MIN of what it does in
            # quiet, nothing of it was refused, and the server's memory stayed within bounds.

The second client is a process of its own, because this one is busy attacking. All traffic is on loopback.
"""
import contextlib
import json
import multiprocessing
import os
import pathlib
import re
import shutil
import socket
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "system"))

import harness  # noqa: E402
import second_client  # noqa: E402

# How long an attack goes on, and the second client's quiet state is watched. `make attack` sets more.
SECONDS = float(os.environ.get("ATTACK_SECONDS", "4"))
QUIET_SECONDS = max(2.0, SECONDS / 4)
# The part of its quiet rate that the second client must reach. Low, because the attacker and the tests beside this one
# have the same processors.
SHARE_MIN = float(os.environ.get("ATTACK_SHARE_MIN", "0.15"))
# What the server may have in memory at its worst moment, its caches not counted.
MEMORY_BYTES_MAX = 512 << 20
CACHES_MB = 64
# A line of JSON for each attack is added to this file.
RESULTS = os.environ.get("ATTACK_RESULTS")


def memory(pid, field="VmRSS"):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(rf"{field}:\s+(\d+) kB", status).group(1)) << 10


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("inf")


class Attack:
    """What the attacker is told: how long to go on."""

    def __init__(self, seconds):
        self.end = time.monotonic() + seconds

    def over(self):
        return time.monotonic() >= self.end

    def left(self):
        return max(0.0, self.end - time.monotonic())

    def by(self, count, work):
        """Runs `work(attack, index)` on `count` threads until they end by themselves, and throws what one of them
        has thrown."""
        thrown = []

        def run(index):
            try:
                work(self, index)
            except Exception as e:  # pylint: disable=broad-except
                thrown.append(e)

        threads = [threading.Thread(target=run, args=(i,), daemon=True) for i in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(self.left() + harness.PATIENCE_S)
        if thrown:
            raise thrown[0]


class AttackTest(unittest.TestCase):
    FLAGS = ()  # of `orrery serve`, beside those below
    OPEN_FILES = None  # the server's limit
    SHARE_MIN = SHARE_MIN
    MEMORY_BYTES_MAX = MEMORY_BYTES_MAX

    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="orrery_attack_"))
        self.addCleanup(shutil.rmtree, self.root, ignore_errors=True)
        self.server = self.start()
        self.pid = self.server.process.pid
        self.ports = {"sql": self.server.port, "cql": self.server.cql_port, "mongo": self.server.mongo_port}
        second_client.prepare(self.ports)
        self._client = second_client.Handle(self.ports)
        self.addCleanup(self._client.close)
        self.first_bytes = memory(self.pid)

    def start(self):
        def limit_files():
            if self.OPEN_FILES:
                import resource
                resource.setrlimit(resource.RLIMIT_NOFILE, (self.OPEN_FILES, self.OPEN_FILES))

        server = harness.Server(
            self.root / "data", "--mongo-port", "any,any", "--gremlin-port", "any,any", "--table-port", "any,any",
            "--sql-direct-port", "any", "--cache-mb", CACHES_MB // 2, "--memtable-mb", CACHES_MB // 2, *self.FLAGS,
            cassandra_port="any,any", preexec_fn=limit_files)
        self.addCleanup(lambda: server.process.poll() is None and server.kill())
        return server

    @contextlib.contextmanager
    def measured(self, seconds=None, share_min=None):
        self._client.watch()  # warm-up
        time.sleep(0.3)
        quiet = self._client.watch(QUIET_SECONDS)
        self._client.begin()
        attack = Attack(SECONDS if seconds is None else seconds)
        began = time.monotonic()
        try:
            yield attack
            time.sleep(attack.left())  # what the attacker holds is held to the end
        finally:
            attacked = self._client.end()
        self.report(quiet, attacked, time.monotonic() - began)
        self.assertSecondClientServed(quiet, attacked, share_min or self.SHARE_MIN)
        self.assertBounded()
        self.assertHealthy()

    def report(self, quiet, attacked, seconds):
        line = {"attack": self.id().split(".", 1)[1], "seconds": round(seconds, 1),
                "peak_mb": memory(self.pid, "VmHWM") >> 20, "start_mb": self.first_bytes >> 20}
        for kind in quiet.latencies:
            before, during = quiet.latencies[kind], attacked.latencies[kind]
            line[kind] = {"quiet_p99_ms": round(1e3 * percentile(before, 0.99), 1),
                          "p99_ms": round(1e3 * percentile(during, 0.99), 1),
                          "max_ms": round(1e3 * max(during, default=float("inf")), 1),
                          "rate_ratio": round(attacked.rate(kind) / max(quiet.rate(kind), 1e-9), 2)}
        print(json.dumps(line))
        if RESULTS:
            with open(RESULTS, "a") as results:
                results.write(json.dumps(line) + "\n")

    def assertSecondClientServed(self, quiet, attacked, share_min):
        self.assertEqual(attacked.failures, [], "the second client was refused")
        for kind in quiet.latencies:
            self.assertGreaterEqual(
                attacked.rate(kind), share_min * quiet.rate(kind),
                f"{kind} of the second client: {attacked.rate(kind):.1f}/s, in quiet {quiet.rate(kind):.1f}/s")

    def assertBounded(self):
        self.assertIsNone(self.server.process.poll(), self.server.stderr[-8000:])
        self.assertLess(memory(self.pid, "VmHWM"), self.MEMORY_BYTES_MAX + (CACHES_MB << 20))

    def assertHealthy(self):
        self.assertEqual(self.server.request("GET", "/_health", key=None).status, 200)

    # What attackers use.
    def socket(self, port, receive_buffer=None):
        """Open until the test ends."""
        client = socket.socket()
        if receive_buffer:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        client.settimeout(harness.PATIENCE_S)
        client.connect(("127.0.0.1", port))
        self.addCleanup(client.close)
        return client


def read_rest(client, bytes_max=1 << 20):
    """What the server has to say until it closes the connection, which it must; b"" after a reset."""
    received = b""
    with contextlib.suppress(ConnectionResetError, BrokenPipeError):
        while len(received) < bytes_max:
            more = client.recv(1 << 16)
            if not more:
                break
            received += more
    return received


# The second client forks before there are threads.
multiprocessing.set_start_method("fork", force=True)
