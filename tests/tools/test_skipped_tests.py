#!/usr/bin/env python3
"""What tools/skipped_tests says of ctest's results, and how it ends."""
import os
import pathlib
import subprocess
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools/skipped_tests"


def case(name, output="", skipped=None):
    mark = f'<skipped message="{skipped}"/>' if skipped else ""
    return f'<testcase name="{name}">{mark}<system-out>{output}</system-out></testcase>'


PASSED = case("spec_cassandra_lwt", "skipped: not this one, it only says so")
NO_CEPH = case("rados_smoke", "skipped: not installed: ceph-osd (tools/ceph install)", "SKIP_RETURN_CODE=77")
NO_ROOT = case("zombies_smoke", "skipped: needs root", "SKIP_RETURN_CODE=77")
NOT_BUILT = case("orrery_item_test", "Unable to find executable", "Unable to find executable")


class SkippedTests(unittest.TestCase):
    def ask(self, *cases, ci=""):
        with tempfile.TemporaryDirectory() as folder:
            files = []
            for number, each in enumerate(cases):
                files.append(pathlib.Path(folder, f"{number}.xml"))
                files[-1].write_text(f"<testsuite>{each}</testsuite>")
            done = subprocess.run([TOOL, *files], env={**os.environ, "CI": ci}, capture_output=True, text=True)
        return done.returncode, done.stdout

    def test_nothing_skipped_is_nothing_said(self):
        self.assertEqual(self.ask(PASSED, ci="true"), (0, ""))

    def test_names_reasons_and_remedies(self):
        code, said = self.ask(PASSED + NO_CEPH)
        self.assertEqual(code, 0)
        for part in ("SKIPPED, 1 of", "rados_smoke", "not installed: ceph-osd", "to run them: tools/ceph install"):
            self.assertIn(part, said)
        self.assertNotIn("spec_cassandra_lwt", said)

    def test_several_files_count_together(self):
        self.assertIn("SKIPPED, 2 of", self.ask(NO_CEPH, NO_ROOT)[1])

    def test_ci_fails(self):
        code, said = self.ask(NO_CEPH, ci="true")
        self.assertEqual(code, 1)
        self.assertIn("these must run: rados_smoke", said)

    def test_ci_allows_what_is_optional(self):
        self.assertEqual(self.ask(NO_ROOT, ci="true")[0], 0)

    def test_a_test_without_its_program_is_a_failure_that_ctest_told(self):
        self.assertEqual(self.ask(NOT_BUILT, ci="true"), (0, ""))


if __name__ == "__main__":
    unittest.main()
