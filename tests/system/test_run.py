"""`orrery run`, `orrery health`, --ready-file and --data memory: servers for pipelines."""
import glob
import json
import os
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import unittest

import harness

CLIENT = """
import json, os, sys, urllib.request
request = urllib.request.Request(os.environ["ORRERY_URL"] + "_admin/v1/status",
                                 headers={"Authorization": "Bearer " + os.environ["ORRERY_KEY"]})
print(json.load(urllib.request.urlopen(request))["status"])
for name in ("COSMOS_ENDPOINT", "CASSANDRA_PORT", "MONGODB_URI", "AZURE_STORAGE_CONNECTION_STRING", "GREMLIN_URL"):
    print(name, os.environ[name])
sys.exit(7)
"""

READY_DATA = """
import json, os, sys
data = json.load(open(sys.argv[1]))["data"]
assert os.path.isdir(data)
print(data)
"""


def throwaways():
    parents = {"/dev/shm", "/tmp", os.environ.get("TMPDIR", "/tmp")}
    return {path for parent in parents for path in glob.glob(parent + "/orrery-throwaway-*")}


class Run(unittest.TestCase):
    def test_a_command_finds_the_server_and_its_exit_code_is_passed_on(self):
        done = harness.run_cli("run", "--", sys.executable, "-c", CLIENT)
        self.assertEqual(done.returncode, 7, done.stderr)
        lines = done.stdout.splitlines()
        self.assertEqual(lines[0], "ok")
        self.assertRegex(done.stdout, r"COSMOS_ENDPOINT http://127\.0\.0\.1:\d+/")
        self.assertRegex(done.stdout, r"MONGODB_URI mongodb://127\.0\.0\.1:\d+/\?replicaSet=globaldb")

    def test_servers_run_side_by_side_and_leave_nothing(self):
        results = []

        def run(path):
            done = harness.run_cli("run", "--ready-file", path, "--", sys.executable, "-c", READY_DATA, path)
            results.append((done.returncode, done.stdout.strip()))

        with tempfile.TemporaryDirectory() as folder:
            threads = [threading.Thread(target=run, args=(os.path.join(folder, str(i)),)) for i in range(3)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(os.listdir(folder), [])
        self.assertEqual([code for code, _ in results], [0, 0, 0])
        self.assertEqual(len({data for _, data in results}), 3)
        for _, data in results:
            self.assertFalse(os.path.exists(data), data)

    def test_a_missing_command_is_127_as_in_shells(self):
        done = harness.run_cli("run", "--", "no-such-command-here")
        self.assertEqual(done.returncode, 127)
        self.assertIn("no such command", done.stderr)

    def test_a_signal_is_passed_on(self):
        process = subprocess.Popen([harness.BINARY, "run", "--", "sh", "-c", "echo up; exec sleep 600"],
                                   env=harness.clean_environment(), stdout=subprocess.PIPE, text=True)
        self.assertEqual(process.stdout.readline(), "up\n")
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(harness.PATIENCE_S), 128 + signal.SIGTERM)
        process.stdout.close()

    def test_the_command_has_the_callers_file_mask_and_signals(self):
        done = subprocess.run([harness.BINARY, "run", "--", "sh", "-c", "umask; grep SigBlk /proc/self/status"],
                              env=harness.clean_environment(), capture_output=True, text=True,
                              timeout=harness.PATIENCE_S, preexec_fn=lambda: os.umask(0o022))
        self.assertEqual(done.stdout.split(), ["0022", "SigBlk:", "0000000000000000"])


class Ready(unittest.TestCase):
    def test_the_ready_file_says_where_and_goes_with_the_server(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "ready.json")
            server = harness.Server("memory", "--ready-file", path, cassandra_port="any,any")
            self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o600)
            with open(path, encoding="utf-8") as file:
                ready = json.load(file)
            self.assertEqual(ready["pid"], server.process.pid)
            self.assertEqual(ready["ports"]["sql"], server.port)
            self.assertEqual(ready["ports"]["cassandra"], server.cql_port)
            self.assertTrue(os.path.isdir(ready["data"]))
            self.assertEqual(server.stop(), 0)
            self.assertFalse(os.path.exists(path))
            self.assertFalse(os.path.exists(ready["data"]))

    def test_what_a_killed_server_left_is_removed_by_the_next(self):
        first = harness.Server("memory")
        mine = {path for path in throwaways() if _holder(path) == str(first.process.pid)}
        self.assertEqual(len(mine), 1)
        first.kill()
        self.assertTrue(all(os.path.isdir(path) for path in mine))
        second = harness.Server("memory")
        self.assertEqual(mine & throwaways(), set())
        self.assertEqual(second.stop(), 0)

    def test_health_waits_for_a_server(self):
        missing = harness.run_cli("health", "--url", "http://127.0.0.1:1")
        self.assertEqual(missing.returncode, 1)
        self.assertIn("no Orrery server answers", missing.stderr)
        server = harness.Server("memory")
        healthy = harness.run_cli("health", "--url", server.url, "--wait", "30")
        self.assertEqual(healthy.returncode, 0, healthy.stderr)
        self.assertEqual(server.stop(), 0)


def _holder(path):
    try:
        with open(os.path.join(path, "LOCK"), encoding="utf-8") as file:
            return file.read().strip()
    except OSError:
        return ""


if __name__ == "__main__":
    unittest.main()
