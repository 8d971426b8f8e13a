"""How long writes stood still: by kind of fault, as clients saw it."""
import statistics
import threading


class Fault:
    """One fault, from its beginning until everything could be written again."""

    def __init__(self, kind, what, began):
        self.kind = kind
        self.what = what
        self.began = began
        self.healed = None
        self.recovered = None
        self.longest_us = 0  # without an acknowledged write of some slot


class Pauses:
    """Thread-safe. A slot is a place that clients write to again and again; `slots` names all of them."""

    def __init__(self, slots):
        self._lock = threading.Lock()
        self._slots = set(slots)
        self._last = {}  # slot -> when its last acknowledged write was answered
        self._fault = None
        self._waiting = set()  # slots without a write that began after the fault was healed
        self.faults = []

    def acknowledged(self, slot, invoked, completed):
        with self._lock:
            fault = self._fault
            if fault is not None:
                since = max(self._last.get(slot, fault.began), fault.began)
                fault.longest_us = max(fault.longest_us, completed - since)
                if fault.healed is not None and invoked >= fault.healed:
                    self._waiting.discard(slot)
                    if not self._waiting and fault.recovered is None:
                        fault.recovered = completed
            self._last[slot] = max(completed, self._last.get(slot, 0))

    def begin(self, kind, what, now):
        with self._lock:
            self._fault = Fault(kind, what, now)
            self.faults.append(self._fault)
            return self._fault

    def heal(self, now):
        with self._lock:
            self._waiting = set(self._slots)
            self._fault.healed = now

    def waiting(self):
        """Slots that nobody could write to since the fault was healed."""
        with self._lock:
            return sorted(self._waiting)

    def end(self):
        with self._lock:
            self._fault = None


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def table(faults):
    """Markdown: a line for each kind."""
    lines = ["| fault | times | writes paused, median | p99 | longest | until all is written again after healing, longest |",
             "|---|---|---|---|---|---|"]
    kinds = {}
    for fault in faults:
        kinds.setdefault(fault.kind, []).append(fault)
    for kind, several in sorted(kinds.items()):
        paused = [fault.longest_us for fault in several]
        after = [fault.recovered - fault.healed for fault in several if fault.recovered is not None]
        figures = [statistics.median(paused), percentile(paused, 0.99), max(paused), max(after, default=0)]
        lines.append(f"| {kind} | {len(several)} | " + " | ".join(f"{us / 1e6:.1f} s" for us in figures) + " |")
    return "\n".join(lines)
