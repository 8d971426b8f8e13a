"""One trial of an owner that others take for dead: it is stopped or cut off, and then lives on.

  before    every key is written, and read through the owner
  harm      the process is stopped (SIGSTOP), or what it sends to the store, or to anybody but clients, vanishes
  during    writes are sent to it, which it finds when it wakes up; the same keys are written through the others
            until each write is acknowledged: now somebody else owns what it had
  after     reads are sent to it, which must not show what was before; it wakes up, or is heard again; reads and
            writes go on through it and through the others until it has ended

All of it goes into the history: whether a read was stale or an acknowledged write is lost is for orrery-history to
say. What is counted here is what was tried, and writes that were sent to the zombie, not acknowledged, and are there
in the end: it may have passed them on to the new owner, but that is rare enough to look at each.
"""
import threading
import time

from cql import is_known, outcome_of
from history import now_us

# Keys of each trial, over all partitions.
KEYS = 8
# A partition whose key is written so soon was not the stopped node's.
PROMPT_SECONDS = 0.7
TAKE_OVER_SECONDS = 60
ANSWER_SECONDS = 25
# Reads through it once others have written: one that is cut off goes on answering, one that is stopped answers later.
LOOKS = 4
LOOK_PAUSE_SECONDS = 0.1
AFTER_SECONDS = 2.0
AFTER_PAUSE_SECONDS = 0.03

WRITE = "UPDATE registers SET v = ? WHERE k = ?"
READ = "SELECT v FROM registers WHERE k = ?"


class TrialError(Exception):
    """The trial could not be made; says nothing about zombies."""


class Client:
    """A session on one node. From one thread."""

    def __init__(self, number, session, history):
        self.number = number
        self._session = session
        self._history = history
        self._write = session.prepare(WRITE)
        self._read = session.prepare(READ)

    def write(self, key, value):
        return Call(self, "write", key, self._write.bind((value, key)), value)

    def read(self, key):
        return Call(self, "read", key, self._read.bind((key,)))


class Call:
    """A statement that was sent; recorded when it is answered, or given up."""

    def __init__(self, client, op, key, bound, value=None):
        self.key, self.value = key, value
        self._client, self._op = client, op
        self._answered = threading.Event()
        self.outcome = None
        self.invoked = now_us()
        try:
            future = client._session.execute_async(bound)
        except Exception as error:
            self._failed(error)
            return
        future.add_callbacks(self._done, self._failed)

    def wait(self, seconds):
        """Whether it was answered, however."""
        return self._answered.wait(seconds)

    def ok(self):
        return self.outcome == "ok"

    def _done(self, rows):
        if self._op == "read":
            found = list(rows or [])
            self.value = found[0][0] if found else None
        self._end("ok")

    def _failed(self, error):
        if not is_known(error):
            self._end("unknown" if self._op == "write" else "fail")
            return
        self._end(outcome_of(error) if self._op == "write" else "fail")

    def _end(self, outcome):
        values = {"value": self.value} if self._op == "write" or outcome == "ok" else {}
        self._client._history.add(self._client.number, self._op, self.key, self.invoked, outcome, now_us(), **values)
        self.outcome = outcome
        self._answered.set()


class Trial:
    """`zombie` and `other` are Clients; `harm` and `mend` do it to the zombie's node; `ended()` tells whether that has
    ended; `nurse()` starts others again that ended, as a lease of a second is soon lost on a busy machine."""

    def __init__(self, name, zombie, other, harm, mend, ended, nurse):
        self._name = name
        self._zombie, self._other = zombie, other
        self._harm, self._mend, self._ended, self._nurse = harm, mend, ended, nurse
        self._keys = [f"{name}.{i}" for i in range(KEYS)]
        self._serial = self._before = 0
        self.taken_over = 0       # keys that somebody else had to take over
        self.take_over_seconds = 0.0
        self.zombie_writes = []   # sent to it when it was a zombie, or became one
        self.zombie_reads = []    # sent to it when others had written
        self.visible = 0          # of those writes, not acknowledged and there in the end

    def run(self):
        """False when the node owned nothing, so that nothing was tried."""
        self._write_all(self._other, TAKE_OVER_SECONDS)
        self._gather([self._zombie.read(key) for key in self._keys])
        self._before = self._serial
        self._harm()
        try:
            self.zombie_writes += [self._zombie.write(key, self._value()) for key in self._keys]
            self._take_over()
            for _ in range(self.taken_over and LOOKS):
                self.zombie_reads += [self._zombie.read(key) for key in self._keys]
                time.sleep(LOOK_PAUSE_SECONDS)
        finally:
            self._mend()
        if self.taken_over:
            self._live_on()
        self._gather(self.zombie_writes + self.zombie_reads)
        self._read_back()
        return self.taken_over > 0

    def stale(self):
        """How many reads through the zombie showed what was there before the take-over."""
        return sum(call.ok() and (call.value is None or self._serial_of(call.value) <= self._before)
                   for call in self.zombie_reads)

    # ---- steps

    def _write_all(self, client, seconds):
        """Until each key's write is acknowledged. Returns how long each took."""
        began = time.monotonic()
        took = {}
        while len(took) < len(self._keys):
            calls = [client.write(key, self._value()) for key in self._keys if key not in took]
            for call in calls:
                call.wait(ANSWER_SECONDS)
                if call.ok():
                    took[call.key] = time.monotonic() - began
            if time.monotonic() - began > seconds:
                raise TrialError(f"{self._name}: not all keys could be written within {seconds} s")
            if not all(call.ok() for call in calls):
                self._nurse()
                time.sleep(0.05)
        return took

    def _take_over(self):
        took = self._write_all(self._other, TAKE_OVER_SECONDS)
        self.taken_over = sum(seconds > PROMPT_SECONDS for seconds in took.values())
        self.take_over_seconds = max(took.values())

    def _live_on(self):
        """Writes through the other, and what was written before is asked for through the zombie, until it ends."""
        until = time.monotonic() + AFTER_SECONDS
        while time.monotonic() < until and not self._ended():
            for key in self._keys[::2]:
                self._other.write(key, self._value()).wait(ANSWER_SECONDS)
            self.zombie_reads += [self._zombie.read(key) for key in self._keys]
            self.zombie_writes += [self._zombie.write(key, self._value()) for key in self._keys[1::2]]
            time.sleep(AFTER_PAUSE_SECONDS)

    def _read_back(self):
        ours = {call.value for call in self.zombie_writes if not call.ok()}
        for key in self._keys:
            for _ in range(200):
                call = self._other.read(key)
                call.wait(ANSWER_SECONDS)
                if call.ok():
                    self.visible += call.value in ours
                    break
                self._nurse()
                time.sleep(0.1)
            else:
                raise TrialError(f"{self._name}: {key} could not be read back")

    def _value(self):
        self._serial += 1
        return f"{self._name}/{self._serial}"

    @staticmethod
    def _serial_of(value):
        return int(value.rpartition("/")[2])

    @staticmethod
    def _gather(calls):
        until = time.monotonic() + ANSWER_SECONDS
        for call in calls:
            call.wait(max(0.0, until - time.monotonic()))
