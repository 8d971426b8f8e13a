"""`orrery simulate`: needs no server, teaches, refuses nonsense, and repeats itself exactly."""
import xml.etree.ElementTree

from harness import OrreryTest, run_cli

USAGE = 2


class Simulate(OrreryTest):
    def simulate(self, *flags):
        return run_cli("simulate", "--duration", "2h", *flags)

    def assertRuns(self, outcome, *parts):
        self.assertEqual(outcome.returncode, 0, outcome.stderr)
        for part in parts:
            self.assertIn(part, outcome.stdout)
        return outcome.stdout

    def test_table_summary_and_advice(self):
        text = self.assertRuns(self.simulate("--nodes", 4, "--lose", "1@1h", "--zipf", 1.4, "--throughput", 100000),
                               "PARTITIONS", "THROTTLED", "the slowest take-over took", "advice: ", '"key-1"')
        self.assertGreater(len(text.splitlines()), 25)

    def test_the_same_seed_repeats_exactly(self):
        flags = ("--nodes", 30, "--containers", 5, "--throughput", 100000, "--node-lifetime", "10h", "--zipf", 1)
        first = self.assertRuns(self.simulate(*flags, "--seed", 7))
        self.assertEqual(first, self.assertRuns(self.simulate(*flags, "--seed", 7)))
        self.assertNotEqual(first, self.assertRuns(self.simulate(*flags, "--seed", 8)))

    def test_picture(self):
        file = self.root / "picture.svg"
        self.assertRuns(self.simulate("--growth", "5TB", "--set", "40000@1h", "--svg", file), str(file))
        root = xml.etree.ElementTree.parse(file).getroot()
        self.assertTrue(root.tag.endswith("svg"))
        texts = [element.text or "" for element in root.iter() if element.tag.endswith("text")]
        for title in ("Physical partitions", "Throttled share", "Load of nodes", "Changes of owner", "Heat of the ring"):
            self.assertIn(title, texts)

    def test_keys_of_a_file(self):
        file = self.root / "keys.csv"
        file.write_text('tenant,requests\n"small, but many",1\nlarge <&>,9\n')
        self.assertRuns(self.simulate("--keys-file", file, "--demand", 19000), "large <&>")

    def test_bad_key_files_are_refused_by_line(self):
        file = self.root / "keys.csv"
        for text, part in (("a,1\nb,much\n", "line 2: the weight 'much'"), ("a,1\nb\n", "line 2"), ("", "no keys"),
                           ("a,1\na,1\n", "stands in line 1 already"), ("a,1,5\nb,1\n", "either all lines"),
                           ("a,-1\nb,1\n", "'-1'"), ("\0\0\n", "line 1")):
            with self.subTest(text=text):
                file.write_text(text)
                outcome = self.simulate("--keys-file", file)
                self.assertFails(outcome, str(file), part)
                self.assertEqual(outcome.returncode, 1)
        self.assertFails(self.simulate("--keys-file", self.root / "none.csv"), "none.csv", "cannot be read")
        self.assertFails(self.simulate("--keys-file", self.root), "cannot be read")

    def test_bad_flags_are_usage_errors(self):
        for flags, part in ((("--duration", "5"), "90s"), (("--tick", "-1m"), "span of time"), (("--lose", "3"), "10@2h"),
                            (("--add", "x@1h"), "10@2h"), (("--set", "1000@soon"), "span of time"),
                            (("--data", "lots"), "lots"), (("--swing", "2"), "swing"), (("--rows", "0"), "rows"),
                            (("--zipf", "x"), "zipf"), (("--keys", "0"), "keys"), (("--nods", "3"), "--nodes"),
                            (("--zipf", "1", "--keys-file", "f"), "--keys-file"), (("extra",), "extra")):
            with self.subTest(flags=flags):
                outcome = run_cli("simulate", *flags)
                self.assertFails(outcome, part)
                self.assertEqual(outcome.returncode, USAGE, outcome.stderr)

    def test_impossible_scenarios_say_why(self):
        for flags, part in ((("--nodes", 0), "nodes"), (("--throughput", 5), "400"), (("--lose", "1@3h"), "after the end"),
                            (("--containers", 100000, "--throughput", 1000000), "partitions"),
                            (("--data", "100000TB"), "partitions"), (("--tick", "3h"), "one tick")):
            with self.subTest(flags=flags):
                self.assertFails(self.simulate(*flags), part)

    def test_an_unwritable_picture_is_an_error(self):
        self.assertFails(self.simulate("--svg", self.root / "no" / "such.svg"), "such.svg", "cannot be written")
