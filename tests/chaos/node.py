"""One node of the cluster under test: an `orrery serve` process that comes and goes at the same ports."""
import os
import pathlib
import signal
import socket
import subprocess
import time

# EX_TEMPFAIL: the node lost its lease and ended itself, as it must; whoever watches it starts it again.
FENCED = 75
STOP_SECONDS = 60
READY_SECONDS = 90


class NodeError(Exception):
    pass


def free_ports(count, from_port=None):
    """Ports that nobody listens on now; below those that the kernel gives to outgoing connections."""
    ports, port = [], from_port or 10_000 + os.getpid() % 5_000
    while len(ports) < count:
        port += 1
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        ports.append(port)
    return ports


class Node:
    def __init__(self, name, binary, root, ceph_conf, address, ports, options=(), user=None):
        """`user`: the id of the user that it runs as, so that a cut can be its alone; None: this program's."""
        self.name = name
        self.address = address  # its own: drivers know nodes by their addresses
        self.sql_port, self.cql_port, self.peer_port = ports
        self.log = pathlib.Path(root) / f"{name}.log"
        self._command = [str(binary), "serve", "--store", "rados", "--rados-conf", str(ceph_conf),
                         "--data", str(pathlib.Path(root) / name), "--sql-port", str(self.sql_port),
                         "--cassandra-port", str(self.cql_port), "--peer-port", str(self.peer_port),
                         "--listen", address, "--tls", "off", "--cache-mb", "32", "--memtable-mb", "32", *options]
        self.user = user
        self.environment = {}  # of its next start, besides this program's
        self._process = None
        self._log_from = 0  # where in the log this process began

    # ---- its life

    def start(self):
        """Returns at once; ready() tells the rest."""
        environment = {k: v for k, v in os.environ.items() if not k.startswith("ORRERY_")}
        with self.log.open("ab") as log:
            self._log_from = log.tell()
            self._process = subprocess.Popen(self._command, env={**environment, **self.environment}, stdin=subprocess.DEVNULL,
                                             stdout=log, stderr=log, user=self.user, group=self.user)

    def exit_code(self):
        """None while it runs."""
        return self._process.poll()

    def runs(self):
        return self._process is not None and self._process.poll() is None

    def ready(self):
        return self.runs() and "\nReady in " in self.words()

    def wait_ready(self):
        deadline = time.monotonic() + READY_SECONDS
        while not self.ready():
            if not self.runs():
                raise NodeError(f"{self.name} did not start (exit {self.exit_code()}):\n{self.last_words()}")
            if time.monotonic() > deadline:
                raise NodeError(f"{self.name} was not ready within {READY_SECONDS} s:\n{self.last_words()}")
            time.sleep(0.05)

    def kill(self):
        if self.runs():
            self._process.kill()
        self._process.wait()

    def suspend(self):
        self._process.send_signal(signal.SIGSTOP)

    def resume(self):
        self._process.send_signal(signal.SIGCONT)

    def ask_to_stop(self):
        self._process.send_signal(signal.SIGTERM)

    def stop(self):
        """SIGTERM; returns the exit code, None when it had to be killed."""
        self.ask_to_stop()
        try:
            return self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
            return None

    # ---- what can be seen of it

    def words(self):
        """What this process has said so far."""
        with self.log.open("rb") as log:
            log.seek(self._log_from)
            return log.read().decode(errors="replace")

    def last_words(self, lines=8):
        return "\n".join(self.words().splitlines()[-lines:])

    def resident_mb(self):
        try:
            status = pathlib.Path(f"/proc/{self._process.pid}/status").read_text()
        except OSError:
            return 0
        for line in status.splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) // 1024
        return 0
