import unittest

from counters import CounterLog


class CounterLogTest(unittest.TestCase):
    def setUp(self):
        self.log = CounterLog()
        self.log.incremented("k", 10, 20)
        self.log.incremented("k", 30, None)

    def assertRead(self, invoked, completed, value, violations):
        self.log.read("k", invoked, completed, value)
        self.assertEqual(len(self.log.violations()), violations, self.log.violations())

    def test_all_that_was_answered_must_be_there(self):
        self.assertRead(25, 26, 1, violations=0)

    def test_a_lost_increment(self):
        self.assertRead(25, 26, 0, violations=1)

    def test_an_unknown_one_may_be_there(self):
        self.assertRead(40, 41, 2, violations=0)

    def test_an_unknown_one_may_be_missing(self):
        self.assertRead(40, 41, 1, violations=0)

    def test_a_doubled_increment(self):
        self.assertRead(40, 41, 3, violations=1)

    def test_one_that_runs_may_be_seen_or_not(self):
        self.assertRead(12, 15, 0, violations=0)
        self.assertRead(12, 15, 1, violations=0)

    def test_nobody_has_asked_yet(self):
        self.assertRead(1, 5, 1, violations=1)

    def test_one_line_for_a_key(self):
        self.log.read("k", 25, 26, 0)
        self.assertRead(27, 28, 0, violations=1)


if __name__ == "__main__":
    unittest.main()
