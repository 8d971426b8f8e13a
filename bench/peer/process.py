"""A server as a child process: the time until it answers, its memory, its end."""
import os
import pathlib
import signal
import socket
import subprocess
import time

PROBE_SECONDS = 0.005
STOP_SECONDS_MAX = 90
OPTIONS_REQUEST = bytes([4, 0, 0, 0, 5, 0, 0, 0, 0])  # a v4 envelope without a body
SUPPORTED = 6
OPCODE_OFFSET = 4


def answers(port: int) -> bool:
    """Whether a CQL server on this port answers OPTIONS with SUPPORTED."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1) as connection:
            connection.sendall(OPTIONS_REQUEST)
            header = b""
            while len(header) < 9:
                part = connection.recv(9 - len(header))
                if not part:
                    return False
                header += part
            return header[OPCODE_OFFSET] == SUPPORTED
    except OSError:
        return False


def answers_http(port: int) -> bool:
    """Whether anything on this port answers an HTTP request."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1) as connection:
            connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            return connection.recv(5) == b"HTTP/"
    except OSError:
        return False


def listens(port: int) -> bool:
    """Whether anything takes connections on this port."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1):
            return True
    except OSError:
        return False


def memory_mb(pid: int, field: str) -> float:
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) / 1024
    return 0.0


def resident_mb(pid: int) -> float:
    return memory_mb(pid, "VmRSS")


class ServerProcess:
    """Starts `command` and waits until its port `answers`. Ends with the `with` block."""

    def __init__(self, command: list[str], port: int, log: pathlib.Path, start_seconds_max: float, environment=None,
                 answers=answers):
        if answers(port):
            raise RuntimeError(f"something listens on port {port} already")
        self.port = port
        self.command_line = [str(word) for word in command]
        begin = time.monotonic()
        with open(log, "ab") as output:
            self.process = subprocess.Popen(self.command_line, stdout=output, stderr=subprocess.STDOUT,
                                            stdin=subprocess.DEVNULL, env={**os.environ, **(environment or {})})
        while not answers(port):
            if not self.running() or time.monotonic() - begin > start_seconds_max:
                self.stop()
                raise RuntimeError(f"{self.command_line[0]} did not come up; see {log}")
            time.sleep(PROBE_SECONDS)
        self.start_seconds = time.monotonic() - begin

    @property
    def pid(self) -> int:
        return self.process.pid

    def running(self) -> bool:
        return self.process.poll() is None

    def resident_mb(self) -> float:
        return resident_mb(self.pid)

    def peak_mb(self) -> float:
        """The most that was resident since the start, or since forget_peak()."""
        return memory_mb(self.pid, "VmHWM")

    def forget_peak(self) -> None:
        pathlib.Path(f"/proc/{self.pid}/clear_refs").write_text("5")

    def cpu_seconds(self) -> float:
        fields = pathlib.Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self) -> None:
        if not self.running():
            return
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(STOP_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
