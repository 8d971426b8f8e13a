"""One Orrery node as a process: started, waited for, its output shown line by line, ended."""
import ctypes
import os
import re
import signal
import socket
import subprocess
import threading

READY_SECONDS = 60
STOP_SECONDS = 20
PORTS = {"sql": 8081, "cassandra": 9042, "cassandra, with credentials": 10350, "other nodes": 7077}
PR_SET_PDEATHSIG = 1


class NodeError(Exception):
    pass


def _die_with_parent():
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class Node:
    def __init__(self, number, address, binary, flags):
        self.number = number
        self.address = address
        self.name = f"node {number}"
        self.url = f"http://{address}:{PORTS['sql']}"
        self._binary = binary
        self._flags = flags
        self._process = None
        self._reader = None
        self._ready = threading.Event()
        self._welcome = []
        self._told = False  # that it ended

    def check_ports(self):
        for use, port in PORTS.items():
            with socket.socket() as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                try:
                    probe.bind((self.address, port))
                except OSError as error:
                    raise NodeError(f"{self.address}:{port} ({use}) cannot be used: {error.strerror}. End what "
                                    "listens there, or choose another network with --net 127.1.0") from error

    @property
    def pid(self):
        return self._process.pid

    def start(self, directory, ceph_conf):
        # A session of its own: Ctrl-C at the terminal is for tools/cluster, which ends things in order.
        self._process = subprocess.Popen(
            [self._binary, "serve", "--data", directory / "data", "--listen", self.address,
             "--store", "rados", "--rados-conf", ceph_conf, *self._flags],
            env={name: value for name, value in os.environ.items() if not name.startswith("ORRERY_")},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            errors="replace", start_new_session=True, preexec_fn=_die_with_parent)
        self._reader = threading.Thread(target=self._follow, args=(directory / "log",), daemon=True)
        self._reader.start()

    def wait_ready(self):
        if not self._ready.wait(READY_SECONDS):
            raise NodeError(f"{self.name} is not ready after {READY_SECONDS} s")
        if self._process.poll() is not None:
            raise NodeError(f"{self.name} ended with code {self._process.returncode}; what it said is above")

    def connection_lines(self):
        """What the node itself says about how to connect to it: (API, text)."""
        pairs = (re.match(r"  (\S*) +(.+)", line) for line in self._welcome)
        return [match.groups() for match in pairs if match and match[1] not in ("account", "admin", "metrics", "data")]

    def watch(self):
        """False when it has ended; the first time that is told."""
        code = self._process.poll()
        if code is None:
            return True
        if not self._told:
            self._told = True
            how = f"was killed by {signal.Signals(-code).name}" if code < 0 else f"ended with code {code}"
            print(f"{self.name} {how}; the others go on", flush=True)
        return False

    def ask_to_stop(self):
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGCONT)  # a suspended process hears nothing
            self._process.terminate()

    def stop(self):
        """ask_to_stop, then kill what does not listen."""
        if self._process is None:
            return
        self.ask_to_stop()
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join()

    def _follow(self, log):
        with log.open("a") as copy:
            for line in self._process.stdout:
                copy.write(line)
                copy.flush()
                if self._ready.is_set():
                    self._show(line)
                    continue
                self._welcome.append(line)
                if line.startswith("Ready in"):
                    self._ready.set()
        if not self._ready.is_set():
            for line in self._welcome:
                self._show(line)
            self._process.wait()
            self._ready.set()

    def _show(self, line):
        print(f"{self.name} | {line}", end="", flush=True)
