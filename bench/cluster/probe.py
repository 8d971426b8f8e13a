"""Writers that notice pauses: one for each table, a write and then the next, each timed.

Speaks as much of the native protocol, version 4, as an INSERT needs.
"""
import socket
import struct
import threading
import time

VERSION = 4
STARTUP, QUERY = 1, 7
ERROR = 0
QUORUM = 4
GAP_SECONDS = 0.03
ANSWER_SECONDS_MAX = 30


class Conversation:
    def __init__(self, port: int):
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=ANSWER_SECONDS_MAX)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._ask(STARTUP, struct.pack(">HH11sH5s", 1, 11, b"CQL_VERSION", 5, b"3.0.0"))

    def run(self, statement: str) -> None:
        text = statement.encode()
        self._ask(QUERY, struct.pack(">I", len(text)) + text + struct.pack(">HB", QUORUM, 0))

    def _ask(self, opcode: int, body: bytes) -> None:
        self._socket.sendall(struct.pack(">BBhBI", VERSION, 0, 0, opcode, len(body)) + body)
        _, _, _, kind, size = struct.unpack(">BBhBI", self._read(9))
        answer = self._read(size)
        if kind == ERROR:
            raise RuntimeError(answer[6:].decode(errors="replace"))

    def _read(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            part = self._socket.recv(size - len(data))
            if not part:
                raise OSError("the server hung up")
            data += part
        return data


class Probes:
    """Runs with the `with` block; `writes` are (table, begin, end) by time.time(), `failures` what went wrong."""

    def __init__(self, port: int, tables: list[str]):
        self.writes, self.failures = [], []
        self._end = threading.Event()
        self._threads = [threading.Thread(target=self._work, args=(port, table)) for table in tables]

    def _work(self, port: int, table: str) -> None:
        conversation, number = Conversation(port), 0
        while not self._end.is_set():
            begin, number = time.time(), number + 1
            try:
                conversation.run(f"INSERT INTO {table} (key, value) VALUES ('probe {number % 100}', 0x2a)")
                self.writes.append((table, begin, time.time()))
            except RuntimeError as problem:
                self.failures.append((table, begin, str(problem)))
            except OSError:
                return  # the server is gone: whoever started it tells
            time.sleep(GAP_SECONDS)

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self._end.set()
        for thread in self._threads:
            thread.join()
