import unittest

from pauses import Pauses, percentile, table


class PausesTest(unittest.TestCase):
    def setUp(self):
        self.pauses = Pauses(["a", "b"])
        self.pauses.acknowledged("a", 0, 10)
        self.pauses.acknowledged("b", 0, 10)

    def test_a_pause_begins_with_the_fault(self):
        fault = self.pauses.begin("kill", "node1", 100)
        self.pauses.acknowledged("a", 100, 150)
        self.assertEqual(fault.longest_us, 50)

    def test_the_longest_of_all_slots(self):
        fault = self.pauses.begin("kill", "node1", 100)
        self.pauses.acknowledged("a", 100, 110)
        self.pauses.acknowledged("a", 110, 120)
        self.pauses.acknowledged("b", 100, 400)
        self.assertEqual(fault.longest_us, 300)

    def test_recovered_when_every_slot_was_written_since(self):
        fault = self.pauses.begin("kill", "node1", 100)
        self.pauses.heal(200)
        self.pauses.acknowledged("a", 150, 210)  # began before
        self.assertEqual(self.pauses.waiting(), ["a", "b"])
        self.pauses.acknowledged("a", 210, 220)
        self.assertIsNone(fault.recovered)
        self.pauses.acknowledged("b", 220, 230)
        self.assertEqual(fault.recovered, 230)
        self.assertEqual(self.pauses.waiting(), [])

    def test_nothing_is_counted_between_faults(self):
        fault = self.pauses.begin("kill", "node1", 100)
        self.pauses.end()
        self.pauses.acknowledged("a", 100, 900)
        self.assertEqual(fault.longest_us, 0)

    def test_a_table_line_for_each_kind(self):
        self.pauses.begin("kill", "node1", 100)
        self.pauses.heal(100)
        for slot in "ab":
            self.pauses.acknowledged(slot, 200, 1_500_100)
        self.assertIn("| kill | 1 | 1.5 s | 1.5 s | 1.5 s | 1.5 s |", table(self.pauses.faults))

    def test_percentiles(self):
        self.assertEqual(percentile([3, 1, 2], 0.5), 2)
        self.assertEqual(percentile([3, 1, 2], 0.99), 3)


if __name__ == "__main__":
    unittest.main()
