"""Flags, variables, the settings file, and what happens to nonsense."""
import pathlib
import re

from harness import OrreryTest, run_cli


class Settings(OrreryTest):
    def account_of(self, server):
        return server.admin("GET", "status").json()["account"]

    def test_flag_beats_variable_beats_file(self):
        file = self.root / "orrery.conf"
        file.write_text("# settings\naccount = file\ncache-mb = 32MB\n")
        server = self.start("--config", file)
        self.assertEqual(self.account_of(server), "file")
        server.stop()
        server = self.start("--config", file, env={"ORRERY_ACCOUNT": "variable"})
        self.assertEqual(self.account_of(server), "variable")
        server.stop()
        server = self.start("--config", file, "--account", "flag", env={"ORRERY_ACCOUNT": "variable"})
        self.assertEqual(self.account_of(server), "flag")
        server.stop()
        server = self.start(env={"ORRERY_CONFIG": str(file)})
        self.assertEqual(self.account_of(server), "file")

    def test_unknown_names_are_refused_with_the_nearest(self):
        serve = ("serve", "--data", self.data)
        self.assertFails(run_cli(*serve, "--chache-mb", "64"), "--chache-mb", "did you mean '--cache-mb'?")
        self.assertFails(run_cli(*serve, env={"ORRERY_DURABILTY": "os"}), "did you mean 'ORRERY_DURABILITY'?")
        file = self.root / "bad.conf"
        file.write_text("sqlport = 1\n")
        self.assertFails(run_cli(*serve, "--config", file), "bad.conf", "line 1", "did you mean 'sql-port'?")
        self.assertFails(run_cli("sevre"), "did you mean 'serve'?")
        self.assertFalse(self.data.exists())

    def test_bad_values_are_refused(self):
        for flag, value, part in (("--sql-port", "99999", "65535"), ("--cache-mb", "lots", "64MB"),
                                  ("--durability", "maybe", "durable, os"), ("--listen", "nowhere", "IP address"),
                                  ("--auth", "sometimes", "local, required"), ("--io-threads", "0", "from 1"),
                                  ("--log-level", "loud", "debug"), ("--tls", "one.pem", "CERT,KEY"),
                                  ("--config", "/no/such/file", "/no/such/file"),
                                  ("--key-file", "/no/such/file", "/no/such/file")):
            with self.subTest(flag=flag):
                self.assertFails(run_cli("serve", "--data", self.data, flag, value), part)
        self.assertFalse(self.data.exists())

    def test_limits_are_settings(self):
        server = self.start("--limit-item", "1KB")
        container = self.make_container(server)
        self.assertStatus(201, container.create({"id": "small", "pk": "a"}))
        self.assertStatus(413, container.create({"id": "large", "pk": "a", "text": "x" * 2000}), "too_large")

    def test_durability_os(self):
        server = self.start("--durability", "os")
        container = self.make_container(server)
        self.assertStatus(201, container.create({"id": "1", "pk": "a"}))
        # The operating system has the bytes: they survive the process.
        server.kill()
        container.server = self.start("--durability", "os")
        self.assertStatus(200, container.read("1", "a"))


class Help(OrreryTest):
    def test_teaches(self):
        for arguments in (("help",), ("--help",), ("help", "serve"), ("serve", "--help"), ("help", "split")):
            outcome = run_cli(*arguments)
            self.assertEqual(outcome.returncode, 0, outcome.stderr)
            self.assertIn("orrery", outcome.stdout)
        self.assertIn("ORRERY_CACHE_MB", run_cli("serve", "--help").stdout)

    def test_the_readme_names_every_flag(self):
        readme = (pathlib.Path(__file__).parents[2] / "README.md").read_text()
        flags = set(re.findall(r"--[a-z-]+", run_cli("serve", "--help").stdout))
        self.assertIn("--durability", flags)
        missing = [f for f in flags if f not in readme and not f.startswith("--limit-") and f != "--help"]
        self.assertEqual(missing, [])

    def test_version(self):
        outcome = run_cli("version")
        self.assertEqual(outcome.returncode, 0)
        self.assertRegex(outcome.stdout, r"^orrery \d+\.\d+\.\d+ ")

    def test_no_server(self):
        for verb in (("status",), ("partitions",), ("throughput", "a"), ("split", "a/b"), ("merge", 1, 2),
                     ("create", "a"), ("drop", "a/b")):
            with self.subTest(verb=verb[0]):
                outcome = run_cli(*verb, "--url", "http://127.0.0.1:1")
                self.assertFails(outcome, "no Orrery server answers at http://127.0.0.1:1", "orrery serve")
