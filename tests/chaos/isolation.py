"""Runs this program again in namespaces of its own: nothing of a run outlives it, and its network can be cut."""
import os
import shutil
import subprocess
import sys

INSIDE = "ORRERY_CHAOS_INSIDE"
# The first process of a process namespace takes all others with it when it ends, whatever ends it.
UNSHARE = ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]


def enter():
    """Returns whether we are inside; if that can be had and is not so yet, does not return."""
    if os.environ.get(INSIDE):
        return True
    command = UNSHARE if os.geteuid() == 0 else [*UNSHARE, "--map-root-user"]
    if not (shutil.which("unshare") and shutil.which("ip")):
        return False
    if subprocess.call([*command, "true"], stderr=subprocess.DEVNULL):
        return False
    os.environ[INSIDE] = "1"
    sys.stdout.flush()
    os.execvp(command[0], [*command, sys.executable, "-B", *sys.argv])
