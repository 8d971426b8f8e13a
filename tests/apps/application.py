"""What tools/apps needs to know of an application, and what applications share."""
import contextlib
import re
import subprocess
import tempfile
import threading

import harness


class Application:
    """An application that is fetched, run against a built server and compared with what is expected of it.

    `what` and `version` are for people. `expected_failures` maps the checks that are known to fail to the reason
    why; `expected_passes` counts the checks that pass."""

    def __init__(self, what, version, expected_passes, expected_failures=None):
        self.what = what
        self.version = version
        self.expected_passes = expected_passes
        self.expected_failures = expected_failures or {}

    def run(self, binary, folder, log):
        """Fetches it into `folder` and runs it. Returns {check: "passed" | "failed" | "skipped"}; `log` takes all that
        it says. Raises maven.NotAvailable when something cannot be had, maven.MavenError when it cannot be built."""
        raise NotImplementedError


@contextlib.contextmanager
def serving(binary, folder, *flags):
    """A server with default settings on free ports, and data that goes with it."""
    harness.BINARY = str(binary)
    with tempfile.TemporaryDirectory(prefix="data_", dir=folder) as data:
        server = harness.Server(f"{data}/data", "--log-level", "warn", *flags, cassandra_port="any")
        try:
            yield server
        finally:
            server.stop()


def follow(command, log, seconds_max, pattern=None, **options):
    """Runs a command with its output in `log`. Returns its exit code and what `pattern` matches, line by line."""
    found = []
    with subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", **options) as process:
        timer = threading.Timer(seconds_max, process.kill)
        timer.start()
        for line in process.stdout:
            log.write(line)
            match = pattern and re.search(pattern, line)
            if match:
                found.append(match)
        code = process.wait()
        timer.cancel()
    log.write(f"exit code {code}\n")
    log.flush()
    return code, found
