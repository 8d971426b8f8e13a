#!/usr/bin/env python3
"""What tools/explorer does where npm is missing: the server is built without the page, unless that is refused."""
import os
import pathlib
import subprocess
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools/explorer"
RELEASED = TOOL.parents[1] / "explorer" / "dist"


class Explorer(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        # A machine that has an interpreter for the tool and nothing else.
        self.programs = pathlib.Path(self.folder.name, "bin")
        self.programs.mkdir()
        (self.programs / "python3").symlink_to("/usr/bin/python3")

    def pack(self, *arguments):
        target = pathlib.Path(self.folder.name, "packed")
        done = subprocess.run([TOOL, "--pack", target, *arguments], capture_output=True, text=True,
                              env={"PATH": str(self.programs), "ORRERY_EXPLORER_WORK": str(pathlib.Path(self.folder.name, "work"))})
        source = target / "explorer_page.cc"
        return done, source.read_text() if source.exists() else ""

    @unittest.skipIf(RELEASED.is_dir(), "this is a release archive, which brings the page")
    def test_auto_builds_without_the_page_and_says_so_in_one_line(self):
        done, source = self.pack()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout, "explorer: the server is built without its web page: npm is not on this machine; tools/bootstrap installs it\n")
        self.assertIn("EmbeddedExplorer() { return {}; }", source)

    @unittest.skipIf(RELEASED.is_dir(), "this is a release archive, which brings the page")
    def test_required_fails(self):
        done, source = self.pack("--mode", "required")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("npm is not on this machine", done.stderr)
        self.assertEqual(source, "")

    def test_off_asks_for_nothing(self):
        done, source = self.pack("--mode", "off")
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        self.assertIn("EmbeddedExplorer() { return {}; }", source)


if __name__ == "__main__":
    unittest.main()
