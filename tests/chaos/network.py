"""Cuts between nodes, in a network of the run's own: whatever goes to or comes from a cut port vanishes.

By routing rules rather than a packet filter: every kernel has them, and the tool is there (iproute2). A
connection that stands is not told; it hears nothing any more. What a user's processes send can be cut alone.
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

    def cut_user(self, user, ports):
        """What processes of `user` send to or from `ports` (numbers or ranges "A-B") vanishes."""
        self._change_rules("add", user, ports)

    def mend_user(self, user, ports):
        self._change_rules("del", user, ports)

    @staticmethod
    def _change_rules(verb, user, ports):
        """At once, as far as one program can."""
        lines = [f"rule {verb} pref {CUT_PREFERENCE} uidrange {user}-{user} ipproto tcp {side} {port} blackhole\n"
                 for port in ports for side in ("dport", "sport")]
        subprocess.run(["ip", "-batch", "-"], input="".join(lines), text=True, check=True)

    @staticmethod
    def _ip(*arguments):
        subprocess.run(["ip", *map(str, arguments)], check=True)
