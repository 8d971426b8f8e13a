"""Counters, which are no registers: what a read may see is bounded by who was answered before it and who asked.

An increment that was acknowledged before a read began must be in it; one that was asked for after the
read ended must not be; of unknown outcome or at the same time it may be. More than that is an increment
that was done twice, less one that was lost.
"""
import bisect
import threading


class CounterLog:
    """Thread-safe."""

    def __init__(self):
        self._lock = threading.Lock()
        self._increments = {}  # key -> [(invoked, completed or None)]
        self._reads = {}       # key -> [(invoked, completed, value)]

    def incremented(self, key, invoked, completed):
        """`completed` None: the outcome is unknown. One that failed for certain is not told."""
        with self._lock:
            self._increments.setdefault(key, []).append((invoked, completed))

    def read(self, key, invoked, completed, value):
        with self._lock:
            self._reads.setdefault(key, []).append((invoked, completed, value))

    def violations(self):
        """A line for each key: its first read that cannot be."""
        found = []
        for key, reads in sorted(self._reads.items()):
            increments = self._increments.get(key, [])
            asked = sorted(invoked for invoked, _ in increments)
            answered = sorted(completed for _, completed in increments if completed is not None)
            for invoked, completed, value in sorted(reads):
                least = bisect.bisect_left(answered, invoked)
                most = bisect.bisect_right(asked, completed)
                if not least <= value <= most:
                    what = "lost" if value < least else "doubled"
                    found.append(f"counter {key}: an increment was {what}: a read of {invoked}..{completed} saw "
                                 f"{value}, possible are {least} to {most}")
                    break
        return found
