"""What clients did and were told, as orrery-history reads it: one operation a line (tests/history/history_file.h)."""
import json
import threading
import time


def now_us():
    return time.monotonic_ns() // 1000


class History:
    """Thread-safe. Unknown outcomes have no completion."""

    def __init__(self, path):
        self.path = path
        self._file = open(path, "w", buffering=1 << 16)
        self._lock = threading.Lock()
        self.counts = {}  # (op, outcome) -> how many

    def add(self, process, op, key, invoked, outcome, completed=None, **values):
        line = {"process": process, "op": op, "key": key, "invoked": invoked, "outcome": outcome, **values}
        if outcome != "unknown":
            line["completed"] = completed
        text = json.dumps(line, separators=(",", ":"))
        with self._lock:
            self._file.write(text + "\n")
            self.counts[op, outcome] = self.counts.get((op, outcome), 0) + 1

    def close(self):
        self._file.close()
