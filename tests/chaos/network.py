"""Cuts between nodes, in a network of the run's own: whatever goes to or comes from a cut port vanishes.

By routing rules rather than a packet filter: every kernel has them, and the tool is there (iproute2). A
connection that stands is not told; it hears nothing any more.
"""
import subprocess

CUT_PREFERENCE = 50
LOCAL_PREFERENCE = 100


class Network:
    """REQUIRES: a network namespace that is ours alone (isolation.py)."""

    def __init__(self):
        self._ip("link", "set", "lo", "up")
        # The rule for local addresses is the first of all; ours must come before it.
        self._ip("rule", "add", "pref", LOCAL_PREFERENCE, "lookup", "local")
        self._ip("rule", "del", "pref", 0)

    def cut(self, port):
        for side in ("dport", "sport"):
            self._ip("rule", "add", "pref", CUT_PREFERENCE, "ipproto", "tcp", side, port, "blackhole")

    def mend(self, port):
        for side in ("dport", "sport"):
            self._ip("rule", "del", "pref", CUT_PREFERENCE, "ipproto", "tcp", side, port)

    @staticmethod
    def _ip(*arguments):
        subprocess.run(["ip", *map(str, arguments)], check=True)
