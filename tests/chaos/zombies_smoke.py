#!/usr/bin/env python3
"""zombies_smoke.py BINARY CHECKER BLINDFOLD DIR: a few owners that live on, with their fences and without.

With them nothing may be found, without them something must be. Exit code 77: something it needs is not there.
"""
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "system"), str(HERE.parents[1] / "tools")]
import skipping  # noqa: E402

skipping.need(cassandra="python3-cassandra")
from ceph_dev import packages  # noqa: E402

TRIALS = 6


def trials(binary, checker, root, *more):
    """Whether all held, and what was said."""
    command = [sys.executable, "-B", HERE / "zombies.py", "--trials", TRIALS, "--clusters", 2, "--binary", binary,
               "--checker", checker, "--dir", root, *more]
    done = subprocess.run([str(word) for word in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode == 0, done.stdout


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    binary, checker, blindfold, root = sys.argv[1:]
    if packages.missing() or os.geteuid() != 0 or not (shutil.which("unshare") and shutil.which("ip")):
        print(f"skipped: needs Ceph's daemons (tools/ceph install), to be root, unshare and ip")
        sys.exit(skipping.SKIPPED)
    held, words = trials(binary, checker, root)
    print(words, flush=True)
    if not held:
        sys.exit("zombies_smoke: a zombie was seen")
    held, words = trials(binary, checker, root, "--blindfold", blindfold, "--kinds", "stop")
    print(words, flush=True)
    # Anything else that goes wrong without fences proves nothing.
    if held or "the history does not hold" not in words:
        sys.exit("zombies_smoke: zombies without fences were not found")


if __name__ == "__main__":
    main()
