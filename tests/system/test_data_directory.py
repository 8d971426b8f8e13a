"""One server per data directory, only in its own, and private."""
import os
import stat
import subprocess

from harness import OrreryTest, run_cli

NOBODY = 65534


class DataDirectory(OrreryTest):
    def serve(self, data=None):
        return run_cli("serve", "--sql-port", 0, "--data", data or self.data)

    def test_is_private(self):
        self.start()
        self.assertEqual(stat.S_IMODE(self.data.stat().st_mode), 0o700)
        for path in (self.data / "tls").iterdir():
            if "key" in path.name:
                self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600, path)

    def test_a_second_server_is_refused(self):
        server = self.start()
        self.assertFails(self.serve(), f"in use by process {server.process.pid}", "--data")
        self.assertStatus(200, server.request("GET", "/_health"))
        server.kill()
        self.start()

    def test_a_foreign_directory_is_left_alone(self):
        self.data.mkdir()
        (self.data / "thesis.txt").write_text("all of it")
        self.assertFails(self.serve(), "thesis.txt", "--data")
        self.assertEqual([path.name for path in self.data.iterdir()], ["thesis.txt"])

    def test_a_file_is_no_directory(self):
        self.data.write_text("x")
        self.assertFails(self.serve(), "not a directory")

    def test_a_newer_format_is_refused(self):
        self.data.mkdir()
        (self.data / "FORMAT").write_text("orrery data directory, format 99\n")
        self.assertFails(self.serve(), "format 99", "newer version")

    def test_an_impossible_place(self):
        self.assertFails(self.serve("/proc/orrery"), "/proc/orrery")

    def test_no_permission(self):
        def become_nobody():
            if os.geteuid() == 0:
                os.setuid(NOBODY)

        self.root.chmod(0o755)
        self.data.mkdir(mode=0o500)
        try:
            run_cli("version", preexec_fn=become_nobody)
        except (OSError, subprocess.SubprocessError):
            self.skipTest("only root can run this binary")
        for mode in (0o500, 0o000):
            self.data.chmod(mode)
            outcome = run_cli("serve", "--sql-port", 0, "--data", self.data, preexec_fn=become_nobody)
            self.assertFails(outcome, str(self.data), "Permission denied", "--data")
