"""One process of a private Ceph, found again by what it left in its directory.

A pid alone proves nothing after a reboot or a long time, so the pid file also has when that process
was started; only a process that matches both is ours to signal.
"""
import ctypes
import os
import pathlib
import signal
import subprocess
import time

STOP_SECONDS = 10
PR_SET_PDEATHSIG = 1


def _started_at(pid):
    """The kernel's start time of a process, or None when there is none (or only a zombie)."""
    try:
        stat = pathlib.Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    fields = stat.rpartition(")")[2].split()
    return None if fields[0] == "Z" else fields[19]


def _die_with_parent():
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


class Daemon:
    def __init__(self, root, name, command):
        self.name = name
        self._command = command
        self._pid_file = root / "run" / f"{name}.pid"
        self._output = root / "log" / f"{name}.out"

    def pid(self):
        """Of the running process; None when it does not run."""
        try:
            pid, started = self._pid_file.read_text().split()
        except (OSError, ValueError):
            return None
        return int(pid) if _started_at(int(pid)) == started else None

    def start(self, die_with_us=False):
        """False when it runs already."""
        if self.pid():
            return False
        # A session of its own: Ctrl-C at the terminal is for whoever started it, who ends things in order.
        with self._output.open("ab") as output:
            process = subprocess.Popen(self._command, stdin=subprocess.DEVNULL, stdout=output,
                                       stderr=output, start_new_session=True,
                                       preexec_fn=_die_with_parent if die_with_us else None)
        self._pid_file.write_text(f"{process.pid} {_started_at(process.pid)}\n")
        return True

    def send(self, number):
        """False when there was no process to send it to."""
        pid = self.pid()
        if not pid:
            return False
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            return False
        return True

    def suspend(self):
        self.send(signal.SIGSTOP)

    def resume(self):
        self.send(signal.SIGCONT)

    def kill(self):
        """Returns when it is gone."""
        self.send(signal.SIGKILL)
        self._wait_gone()

    def ask_to_stop(self):
        self.resume()  # a suspended process hears nothing
        self.send(signal.SIGTERM)

    def stop(self):
        """ask_to_stop, then kill what does not listen."""
        self.ask_to_stop()
        if not self._wait_gone():
            self.kill()
        self._pid_file.unlink(missing_ok=True)

    def last_words(self, lines=5):
        try:
            return "\n".join(self._output.read_text(errors="replace").splitlines()[-lines:])
        except OSError:
            return ""

    def _wait_gone(self):
        deadline = time.monotonic() + STOP_SECONDS
        while pid := self.pid():
            try:
                os.waitpid(pid, os.WNOHANG)  # when it is a child of this very process
            except ChildProcessError:
                pass
            if time.monotonic() > deadline:
                return False
            time.sleep(0.02)
        return True
