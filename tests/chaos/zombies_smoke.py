#!/usr/bin/env python3
"""zombies_smoke.py BINARY CHECKER DIR: a few owners that live on; nothing of it may be seen.

That it would be seen shows tools/zombies --blindfold: it takes long, as partitions without fences get damaged.
Exit code 77: something that this needs is not there.
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


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    binary, checker, root = sys.argv[1:]
    if packages.missing() or os.geteuid() != 0 or not (shutil.which("unshare") and shutil.which("ip")):
        print("skipped: needs Ceph's daemons (tools/ceph install), to be root, unshare and ip")
        sys.exit(skipping.SKIPPED)
    command = [sys.executable, "-B", HERE / "zombies.py", "--trials", TRIALS, "--clusters", 2, "--binary", binary,
               "--checker", checker, "--dir", root]
    sys.exit(subprocess.run([str(word) for word in command]).returncode)


if __name__ == "__main__":
    main()
