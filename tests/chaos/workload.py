"""What clients do: a few slots of each kind that all of them write to at once, so that they collide.

  register   plain writes, deletions and reads of one row
  cell       compare-and-set of one row (IF v = ...)
  list       appends to a list (by a condition that always holds, so that the server orders them)
  counter    increments
  ledger     rows that are written once, each under a key of its own

All values are unique. Kinds do not share rows: writes with and without conditions do not order each other.
"""
import itertools
import random
import threading
import time

from cql import THROTTLED, UNREACHABLE, is_known, outcome_of
from history import now_us

KEYSPACE = "chaos"
# Six physical partitions that all tables share, so that each node owns some of each.
RATE = 60_000
THROTTLED_ATTEMPTS = 60
SCHEMA = [
    f"CREATE KEYSPACE {KEYSPACE} WITH replication = {{'class': 'SimpleStrategy', 'replication_factor': 1}} "
    f"AND cosmosdb_provisioned_throughput = {RATE}",
    f"CREATE TABLE {KEYSPACE}.registers (k text PRIMARY KEY, v text)",
    f"CREATE TABLE {KEYSPACE}.cells (k text PRIMARY KEY, v text)",
    f"CREATE TABLE {KEYSPACE}.lists (k text PRIMARY KEY, v list<text>, never text)",
    f"CREATE TABLE {KEYSPACE}.counters (k text PRIMARY KEY, n counter)",
    f"CREATE TABLE {KEYSPACE}.ledger (bucket text, id text, v text, PRIMARY KEY (bucket, id))",
]
SLOTS = {"register": 6, "cell": 6, "list": 5, "counter": 4, "ledger": 6}
# A new key after so many: what checking costs grows with the length of one key's history, and most of all
# with what may have happened at any time since.
LIST_LENGTH = 30
KEY_WRITES = 2_000
KEY_UNKNOWN_WRITES = 6


class Client:
    """One session on one node, and the statements on it. For one thread."""

    STATEMENTS = {
        "write": "UPDATE registers SET v = ? WHERE k = ?",
        "delete": "DELETE FROM registers WHERE k = ?",
        "read_register": "SELECT v FROM registers WHERE k = ?",
        "cas": "UPDATE cells SET v = ? WHERE k = ? IF v = ?",
        "read_cell": "SELECT v FROM cells WHERE k = ?",
        "append": "UPDATE lists SET v = v + ? WHERE k = ? IF never = null",
        "read_list": "SELECT v FROM lists WHERE k = ?",
        "increment": "UPDATE counters SET n = n + 1 WHERE k = ?",
        "read_counter": "SELECT n FROM counters WHERE k = ?",
        "enter": "INSERT INTO ledger (bucket, id, v) VALUES (?, ?, ?)",
        "read_entry": "SELECT v FROM ledger WHERE bucket = ? AND id = ?",
        "read_bucket": "SELECT id, v FROM ledger WHERE bucket = ?",
        "read_ledger": "SELECT bucket, id, v FROM ledger",
    }

    def __init__(self, number, session):
        self.number = number
        self._session = session
        self._prepared = {name: session.prepare(text) for name, text in self.STATEMENTS.items()}

    def rows(self, name, *values):
        return list(self._session.execute(self._prepared[name].bind(values)))


class Attempt:
    """The outcome of one statement: .outcome, .rows, and when it was."""

    def __init__(self, client, name, *values):
        self.rows = []
        self.error = None
        self.invoked = now_us()
        try:
            self.rows = client.rows(name, *values)
            self.outcome = "ok"
        except Exception as error:  # the driver's exceptions have no common base
            if not is_known(error):
                raise
            self.error = error
            self.outcome = outcome_of(error)
        self.completed = now_us()

    def unreachable(self):
        return isinstance(self.error, UNREACHABLE)

    def throttled(self):
        return isinstance(self.error, THROTTLED)

    def content(self):
        """The first column of the only row; None when there is none."""
        return self.rows[0][0] if self.rows else None


def patiently(read):
    """The attempt that `read` makes, made again while it is throttled: all at once is more than the rate allows."""
    for _ in range(THROTTLED_ATTEMPTS):
        attempt = read()
        if not attempt.throttled():
            break
        time.sleep(1)
    return attempt


class Use:
    """What was done so far with the newest key of a slot."""

    def __init__(self, number):
        self.number = number
        self.writes = 0
        self.unknown = 0


class Workload:
    """Thread-safe. Records into `history`, `counters` and `pauses`."""

    def __init__(self, history, counters, pauses):
        self._history = history
        self._counters = counters
        self._pauses = pauses
        self._serial = itertools.count(1)
        self._lock = threading.Lock()
        self._used = {}     # slot -> the Use of its newest key
        self._keys = {}     # kind -> keys in use so far, in order
        self._guess = {}    # key of a cell -> what it was when somebody last looked
        self._entries = {}  # bucket -> ids
        self.oddities = []  # answers that no server should give

    @staticmethod
    def slots():
        return [f"{kind}{n}" for kind, count in SLOTS.items() for n in range(count)]

    def step(self, client, rng):
        """One operation; the Attempt."""
        slot = rng.choice(self.slots())
        kind = slot.rstrip("0123456789")
        reads = rng.random() < 0.35
        return getattr(self, f"_{kind}")(client, slot, reads, rng)

    # ---- one operation of each kind

    def _register(self, client, slot, reads, rng):
        key = self._key("register", slot, KEY_WRITES, not reads)
        if reads:
            return self._read(client, "read_register", key)
        if rng.random() < 0.1:
            attempt = Attempt(client, "delete", key)
            self._add(client, attempt, "delete", key)
        else:
            value = self._value()
            attempt = Attempt(client, "write", value, key)
            self._add(client, attempt, "write", key, value=value)
        return self._wrote(slot, attempt)

    def _cell(self, client, slot, reads, rng):
        key = self._key("cell", slot, KEY_WRITES, not reads)
        if reads:
            attempt = self._read(client, "read_cell", key)
            if attempt.outcome == "ok":
                self._guess[key] = attempt.content()
            return attempt
        expected, value = self._guess.get(key), self._value()
        attempt = Attempt(client, "cas", value, key, expected)
        if attempt.outcome != "ok":
            self._add(client, attempt, "cas", key, value=value, expected=expected)
        elif attempt.content():
            self._guess[key] = value
            self._add(client, attempt, "cas", key, value=value, expected=expected)
        else:
            row = attempt.rows[0]
            saw = row[1] if len(row) > 1 else None
            self._guess[key] = saw
            attempt.outcome = "mismatch"
            self._add(client, attempt, "cas", key, value=value, expected=expected, saw=saw)
        return self._wrote(slot, attempt)

    def _list(self, client, slot, reads, rng):
        key = self._key("list", slot, LIST_LENGTH, not reads)
        if reads:
            return self._read(client, "read_list", key)
        value = self._value()
        attempt = Attempt(client, "append", [value], key)
        if attempt.outcome == "ok" and not attempt.content():
            self._odd(f"an append to {key} was not applied although its condition always holds: {attempt.rows}")
            attempt.outcome = "fail"
        self._add(client, attempt, "append", key, value=value)
        return self._wrote(slot, attempt)

    def _counter(self, client, slot, reads, rng):
        key = self._key("counter", slot, KEY_WRITES, not reads)
        if reads:
            return self._read_counter(client, key)
        attempt = Attempt(client, "increment", key)
        if attempt.outcome != "fail":
            self._counters.incremented(key, attempt.invoked,
                                       attempt.completed if attempt.outcome == "ok" else None)
        return self._wrote(slot, attempt)

    def _ledger(self, client, slot, reads, rng):
        with self._lock:
            ids = self._entries.setdefault(slot, [])
            number = rng.randrange(len(ids)) if reads and ids else len(ids)
            name = f"e{number}"
            if number == len(ids):
                ids.append(name)
                reads = False
        if reads:
            attempt = Attempt(client, "read_entry", slot, name)
            return self._read_done(client, attempt, f"{slot}/{name}")
        value = self._value()
        attempt = Attempt(client, "enter", slot, name, value)
        self._add(client, attempt, "write", f"{slot}/{name}", value=value)
        return self._wrote(slot, attempt)

    # ---- reading everything back

    def read_back(self, client):
        """Every key that was ever used, and the ledger by buckets and as a whole. Lines on what is odd are added."""
        for kind, statement in (("register", "read_register"), ("cell", "read_cell"), ("list", "read_list")):
            for key in list(self._keys.get(kind, {})):
                yield patiently(lambda: self._read(client, statement, key))
        for key in list(self._keys.get("counter", {})):
            yield patiently(lambda: self._read_counter(client, key))
        whole = patiently(lambda: Attempt(client, "read_ledger"))
        yield whole
        by_bucket = {}
        for bucket, name, value in whole.rows:
            by_bucket.setdefault(bucket, []).append((name, value))
        for bucket, ids in self._entries.items():
            attempt = patiently(lambda: Attempt(client, "read_bucket", bucket))
            yield attempt
            if attempt.outcome == "ok" == whole.outcome and attempt.rows != by_bucket.get(bucket, []):
                self._odd(f"{bucket} has {len(attempt.rows)} rows by itself and {len(by_bucket.get(bucket, []))} in a "
                          "scan of the table")
            if attempt.outcome == "ok":
                self._check_bucket(client, attempt, bucket, list(ids))

    def _check_bucket(self, client, attempt, bucket, ids):
        seen = dict(attempt.rows)
        if len(seen) != len(attempt.rows):
            self._odd(f"{bucket} has a row twice")
        for name in {*ids, *seen}:
            self._history.add(client.number, "read", f"{bucket}/{name}", attempt.invoked, "ok", attempt.completed,
                              value=seen.get(name))

    # ---- recording

    def _key(self, kind, slot, length, writes):
        with self._lock:
            use = self._used.setdefault(slot, Use(0))
            if use.writes >= length or use.unknown >= KEY_UNKNOWN_WRITES:
                use = self._used[slot] = Use(use.number + 1)
            use.writes += 1 if writes else 0
            key = f"{slot}.{use.number}"
            self._keys.setdefault(kind, {})[key] = True
            return key

    def _value(self):
        return f"v{next(self._serial)}"

    def _odd(self, words):
        with self._lock:
            self.oddities.append(words)

    def _add(self, client, attempt, op, key, **values):
        self._history.add(client.number, op, key, attempt.invoked, attempt.outcome, attempt.completed, **values)

    def _wrote(self, slot, attempt):
        if attempt.outcome in ("ok", "mismatch"):
            self._pauses.acknowledged(slot, attempt.invoked, attempt.completed)
        elif attempt.outcome == "unknown" and slot in self._used:
            with self._lock:
                self._used[slot].unknown += 1
        return attempt

    def _read(self, client, statement, key):
        return self._read_done(client, Attempt(client, statement, key), key)

    def _read_done(self, client, attempt, key):
        if attempt.outcome == "ok":
            self._add(client, attempt, "read", key, value=attempt.content())
        else:
            attempt.outcome = "fail"  # a read that was not answered says nothing
            self._add(client, attempt, "read", key)
        return attempt

    def _read_counter(self, client, key):
        attempt = Attempt(client, "read_counter", key)
        if attempt.outcome == "ok":
            self._counters.read(key, attempt.invoked, attempt.completed, attempt.content() or 0)
        return attempt


def rng_of(seed, number):
    return random.Random(f"{seed}/{number}")
