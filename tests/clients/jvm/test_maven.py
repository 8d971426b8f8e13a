#!/usr/bin/env python3
"""maven.py with a Maven that says what the test wants: what is skipped, what fails, what is not asked again."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import maven  # noqa: E402

FAKE = """#!/bin/sh
echo "$*" >>"$CALLS"
case " $* " in *" -o "*) online=0;; *) online=1;; esac
[ $online = "$WORKS" ] || [ "$WORKS" = both ] || { echo "[ERROR] $SAYS"; exit 1; }
for word; do case $word in -Dmdep.outputFile=*) printf %s "$JAR" >"${word#*=}";; esac; done
"""
NOT_REACHED = "Could not transfer artifact a:b:jar:1 from/to central: Connect timed out"
NOT_THERE = "Could not find artifact a:b:jar:1 in central"


class Classpath(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.pom, self.jar, self.calls = (self.root / name for name in ("pom.xml", "b.jar", "calls"))
        for file in (self.pom, self.jar, self.calls):
            file.touch()
        fake = self.root / "bin/mvn"
        fake.parent.mkdir()
        fake.write_text(FAKE)
        fake.chmod(0o755)
        self.variables = {"PATH": f"{fake.parent}:{os.environ['PATH']}", "HOME": str(self.root),
                          "CALLS": str(self.calls), "JAR": str(self.jar), "CI": ""}

    def ask(self, works, says=""):
        with mock.patch.dict(os.environ, {**self.variables, "WORKS": works, "SAYS": says}):
            with mock.patch("builtins.print"):
                return maven.classpath(self.pom, self.root / "build")

    def asked(self):
        return len(self.calls.read_text().splitlines())

    def test_offline_first(self):
        self.assertEqual(self.ask("both"), [str(self.jar)])
        self.assertEqual(self.asked(), 1)
        self.assertIn(" -o", self.calls.read_text())

    def test_online_when_something_is_missing(self):
        self.assertEqual(self.ask("1"), [str(self.jar)])
        self.assertEqual(self.asked(), 2)

    def test_the_answer_is_remembered(self):
        self.ask("both")
        self.ask("none", NOT_REACHED)
        self.assertEqual(self.asked(), 1)

    def test_another_pom_or_a_lost_jar_is_another_question(self):
        self.ask("both")
        self.pom.write_text("<project/>")
        self.ask("both")
        self.assertEqual(self.asked(), 2)
        self.jar.unlink()
        self.ask("both")
        self.assertEqual(self.asked(), 3)

    def test_an_unreachable_repository_is_not_available(self):
        with self.assertRaisesRegex(maven.NotAvailable, "Maven Central is not reached"):
            self.ask("none", NOT_REACHED)

    def test_an_artifact_that_does_not_exist_is_an_error(self):
        with self.assertRaisesRegex(maven.MavenError, "Could not find artifact"):
            self.ask("none", NOT_THERE)


class Skip(unittest.TestCase):
    def end(self, ci):
        return subprocess.run([sys.executable, "-B", "-c", "import maven; maven.skip('no network')"],
                              cwd=maven.SHARED, env={**os.environ, "CI": ci}, capture_output=True, text=True)

    def test_is_told_to_ctest(self):
        done = self.end("")
        self.assertEqual((done.returncode, done.stdout), (maven.SKIPPED, "skipped: no network\n"))

    def test_is_a_failure_where_everything_must_run(self):
        done = self.end("true")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no network", done.stderr)


if __name__ == "__main__":
    unittest.main()
