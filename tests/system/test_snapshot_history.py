"""The checker of snapshot isolation finds what is wrong with known bad histories, and nothing wrong with good ones."""
import random
import unittest

from snapshot_history import violations


def history(*transactions):
    """Of (ops, outcome) or (ops, outcome, begin, end); without times all are at once."""
    made = []
    for n, (ops, outcome, *times) in enumerate(transactions):
        begin, end = times or (0, 1_000)
        made.append({"id": n, "ops": [list(op) for op in ops], "outcome": outcome, "begin": begin, "end": end})
    return made


def read(key, *values):
    return ("read", key, list(values))


def append(key, value):
    return ("append", key, value)


class SnapshotHistory(unittest.TestCase):
    def good(self, transactions, final):
        self.assertEqual(violations(transactions, final), [])

    def bad(self, transactions, final, text):
        found = violations(transactions, final)
        self.assertTrue(any(text in each for each in found), found)

    def test_good_ones(self):
        self.good(history(), {})
        self.good(history(([append("x", 1)], "ok"), ([read("x", 1), append("x", 2)], "ok"), ([read("x")], "ok")), {"x": [1, 2]})
        self.good(history(([append("x", 1), read("x", 1), append("y", 1)], "ok"), ([read("x", 1), read("y", 1)], "ok")), {"x": [1], "y": [1]})
        self.good(history(([append("x", 1)], "fail"), ([append("x", 2)], "unknown"), ([append("x", 3)], "unknown")), {"x": [3]})

    def test_write_skew_is_allowed(self):
        self.good(history(([read("x"), read("y"), append("x", 1)], "ok"), ([read("x"), read("y"), append("y", 1)], "ok")), {"x": [1], "y": [1]})

    def test_lost_update(self):
        self.bad(history(([read("x"), append("x", 1)], "ok"), ([read("x"), append("x", 2)], "ok")), {"x": [1, 2]}, "no order")
        self.bad(history(([append("x", 1)], "ok")), {"x": []}, "is lost")
        self.bad(history(([append("x", 1), append("y", 1)], "unknown")), {"x": [1]}, "is lost")

    def test_dirty_and_aborted_reads(self):
        self.bad(history(([append("x", 1)], "fail"), ([read("x", 1)], "ok")), {"x": []}, "of which [1] failed")
        self.bad(history(([append("x", 1)], "fail")), {"x": [1]}, "which failed")
        self.bad(history(([append("x", 1), append("x", 2)], "ok"), ([read("x", 1)], "ok")), {"x": [1, 2]}, "a part of")
        self.bad(history(([read("x", 7)], "ok")), {"x": [7]}, "nobody appended")

    def test_non_repeatable_reads(self):
        self.bad(history(([append("x", 1)], "ok"), ([read("x"), read("x", 1)], "ok")), {"x": [1]}, "before")
        self.bad(history(([append("x", 1), read("x")], "ok")), {"x": [1]}, "without its own")

    def test_torn_reads(self):
        self.bad(history(([append("x", 1), append("y", 1)], "ok"), ([read("x", 1), read("y")], "ok")), {"x": [1], "y": [1]}, "no order")
        # Over three: what follows from a write is seen, and the write is not.
        self.bad(history(([append("x", 1)], "ok"), ([read("x", 1), append("y", 1)], "ok"), ([read("y", 1), read("x")], "ok")),
                 {"x": [1], "y": [1]}, "no order")

    def test_reads_of_the_past(self):
        self.bad(history(([append("x", 1)], "ok", 0, 1), ([read("x")], "ok", 2, 3)), {"x": [1]}, "no order")
        self.good(history(([append("x", 1)], "ok", 0, 3), ([read("x")], "ok", 2, 3)), {"x": [1]})

    def test_long_forks(self):
        self.bad(history(([append("x", 1)], "ok"), ([append("y", 1)], "ok"), ([read("x", 1), read("y")], "ok"), ([read("x"), read("y", 1)], "ok")),
                 {"x": [1], "y": [1]}, "no order")

    def test_mixed_and_doubled_writes(self):
        self.bad(history(([append("x", 1), append("x", 3)], "ok"), ([append("x", 2)], "ok")), {"x": [1, 2, 3]}, "mix")
        self.bad(history(([append("x", 1)], "ok")), {"x": [1, 1]}, "twice")

    def test_a_simulated_store_passes_and_one_with_faults_does_not(self):
        for seed in range(20):
            random.seed(seed)
            self.good(*simulate(fault=None))
        for fault in ("no conflicts", "reads the newest"):
            found = 0
            for seed in range(20):
                random.seed(seed)
                found += violations(*simulate(fault)) != []
            self.assertGreater(found, 10, fault)


def simulate(fault, clients=5, steps=600, keys=4):
    """Transactions that take turns at random on a store with snapshots."""
    store, clock, done, value = {key: [] for key in range(keys)}, 0, [], 0
    version = {key: 0 for key in range(keys)}
    running = [None] * clients
    for _ in range(steps):
        clock += 1
        n = random.randrange(clients)
        t = running[n]
        if t is None:
            running[n] = {"id": len(done) + clock * clients + n, "ops": [], "begin": clock, "snapshot": {k: list(v) for k, v in store.items()},
                          "version": dict(version), "own": {}}
            continue
        key = random.randrange(keys)
        action = random.random()
        if action < 0.45:
            base = store if fault == "reads the newest" else t["snapshot"]
            t["ops"].append(["read", key, list(base[key]) + t["own"].get(key, [])])
        elif action < 0.8:
            value += 1
            t["own"].setdefault(key, []).append(value)
            t["ops"].append(["append", key, value])
        else:
            conflict = fault != "no conflicts" and any(version[k] != t["version"][k] for k in t["own"])
            if not conflict:
                for k, values in t["own"].items():
                    store[k] += values
                    version[k] += 1
            t.update(outcome="fail" if conflict else "ok", end=clock + 0.5)
            done.append(t)
            running[n] = None
    return done, store


if __name__ == "__main__":
    unittest.main()
