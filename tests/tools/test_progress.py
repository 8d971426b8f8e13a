#!/usr/bin/env python3
"""What tools/progress makes of ninja's output."""
import importlib.machinery
import importlib.util
import os
import pathlib
import subprocess
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools/progress"
LOADER = importlib.machinery.SourceFileLoader("progress", str(TOOL))
progress = importlib.util.module_from_spec(importlib.util.spec_from_loader("progress", LOADER))
LOADER.exec_module(progress)


class Estimate(unittest.TestCase):
    def setUp(self):
        self.now = 0

    def make(self, costs):
        return progress.Estimate(costs, clock=lambda: self.now)

    def test_a_step_counts_as_much_as_it_costs(self):
        estimate = self.make({"small.o": 10_000, "large.o": 90_000})
        estimate.add(1, 2, "small.o")
        self.now = 5
        self.assertAlmostEqual(estimate.part(), 0.1)
        self.assertIn("10 %, 1 of 2 steps, about 0:45 min left", estimate.text())
        estimate.add(2, 2, "large.o")
        self.assertIn("100 %", estimate.text())

    def test_links_are_short(self):
        estimate = self.make({"a.o": 60_000})
        estimate.add(1, 3, "a.o")
        self.assertAlmostEqual(estimate.part(), 60_000 / (60_000 + 2 * progress.LINK_BYTES))

    def test_where_objects_are_up_to_date_steps_count_alike(self):
        estimate = self.make({f"{i}.o": 10_000 for i in range(100)})
        estimate.add(1, 4, "7.o")
        self.assertAlmostEqual(estimate.part(), 0.25)

    def test_says_no_time_before_it_knows_one(self):
        estimate = self.make({"a.o": 1_000, "b.o": 1_000_000})
        estimate.add(1, 2, "a.o")
        self.assertEqual(estimate.text(), "1 of 2 steps")


class Costs(unittest.TestCase):
    def test_targets_are_told_from_options(self):
        self.assertEqual(progress.targets_of(["-j", "2", "orrery", "-k", "0", "-v", "all"]), ["orrery", "all"])

    def test_a_unit_is_as_long_as_its_sources(self):
        with tempfile.TemporaryDirectory() as folder:
            build = pathlib.Path(folder)
            (build / "Unity").mkdir()
            (build / "a.cc").write_text("x" * 100)
            (build / "b.cc").write_text("x" * 20)
            (build / "Unity/unit.cxx").write_text(f'#include "{build}/a.cc"\n#include "{build}/b.cc"\n')
            self.assertEqual(progress.source_bytes(build, f"{build}/Unity/unit.cxx"), 120)
            self.assertEqual(progress.source_bytes(build, "b.cc"), 20)
            self.assertEqual(progress.source_bytes(build, "none.cc"), 0)


class Run(unittest.TestCase):
    def run_with_ninja(self, script):
        with tempfile.TemporaryDirectory() as folder:
            ninja = pathlib.Path(folder, "ninja")
            ninja.write_text(f'#!/bin/sh\n[ "$1" = -t ] && exit 0\n{script}')
            ninja.chmod(0o755)
            path = f"{folder}:{os.environ['PATH']}"
            done = subprocess.run([TOOL, folder, "all"], env={**os.environ, "PATH": path}, capture_output=True, text=True)
            return done.returncode, done.stdout

    def test_passes_on_what_is_no_step_and_the_exit_code(self):
        code, said = self.run_with_ninja('echo "[1/2] Building CXX object a.o"\necho "FAILED: b.o"\necho "b.cc:1:1: error: no"\nexit 3')
        self.assertEqual((code, said), (3, "FAILED: b.o\nb.cc:1:1: error: no\n"))

    def test_a_build_without_work_says_so(self):
        self.assertEqual(self.run_with_ninja('echo "ninja: no work to do."'), (0, "ninja: no work to do.\n"))


if __name__ == "__main__":
    unittest.main()
