#!/usr/bin/env python3
"""tools/alone on two sources of one unit, of which one forgets an include that the other has."""
import json
import pathlib
import shutil
import subprocess
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools/alone"
COMPILER = shutil.which("clang++-19") or "c++"


class Alone(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve()
        (self.root / "tools").mkdir()
        shutil.copy(TOOL, self.root / "tools/alone")
        unity = self.root / "build/release/Unity"
        unity.mkdir(parents=True)
        (self.root / "one.h").write_text("#pragma once\nstruct One {};\n")
        (self.root / "a.cc").write_text('#include "one.h"\nOne a;\n')
        (self.root / "b.cc").write_text("extern One a;\n")
        unit = unity / "unity_0.cxx"
        unit.write_text(f'#include "{self.root}/a.cc"\n#include "{self.root}/b.cc"\n')
        entry = {"directory": str(self.root), "command": f"{COMPILER} -I{self.root} -o x.o -c {unit}", "file": str(unit)}
        (self.root / "build/release/compile_commands.json").write_text(json.dumps([entry]))

    def ask(self, *arguments):
        done = subprocess.run([self.root / "tools/alone", *arguments], cwd=self.root, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def test_a_source_with_all_its_includes_passes(self):
        self.assertEqual(self.ask("a.cc"), (0, "1 sources read alone, 0 do not compile\n"))

    def test_a_source_that_lives_on_its_neighbours_fails(self):
        code, said = self.ask("--all")
        self.assertEqual(code, 1)
        self.assertIn("b.cc:1:8: error", said)
        self.assertIn("2 sources read alone, 1 do not compile", said)

    def test_a_source_that_is_not_built_is_refused(self):
        code, said = self.ask("c.cc")
        self.assertEqual(code, 1)
        self.assertIn("not compiled by build/release", said)

    def test_without_git_nothing_is_known_to_have_changed(self):
        self.assertEqual(self.ask(), (0, "0 sources read alone, 0 do not compile\n"))

    def test_reads_what_the_last_commit_or_the_working_tree_changed(self):
        git = ["git", "-c", "user.name=t", "-c", "user.email=t@t"]
        for command in (["init", "-q"], ["add", "a.cc", "one.h"], ["commit", "-qm", "1"],
                        ["commit", "-qm", "2", "--allow-empty"]):
            subprocess.run([*git, *command], cwd=self.root, check=True)
        code, said = self.ask()  # b.cc is new
        self.assertEqual(code, 1)
        self.assertIn("1 sources read alone, 1 do not compile", said)


if __name__ == "__main__":
    unittest.main()
