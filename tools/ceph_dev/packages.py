"""Debian's packages of Ceph's daemons: are they there, and how do they come."""
import os
import pathlib
import shutil
import subprocess

# What brings each program. The build needs none of them, so tools/bootstrap leaves them out.
PROGRAMS = {"ceph-mon": "ceph-mon", "ceph-mgr": "ceph-mgr", "ceph-osd": "ceph-osd", "ceph": "ceph-common"}


class PackageError(Exception):
    pass


def missing():
    return [package for program, package in PROGRAMS.items()
            if not pathlib.Path("/usr/bin", program).exists()]


def install():
    wanted = missing()
    if not wanted:
        return
    if not shutil.which("apt-get"):
        raise PackageError(f"not a Debian machine: install the equivalents of {' '.join(wanted)}")
    as_root = []
    if os.geteuid() != 0:
        as_root = ["sudo", "-n"]
        if not shutil.which("sudo") or subprocess.call([*as_root, "true"], stderr=subprocess.DEVNULL):
            raise PackageError("installing needs root. Run this once:\n  sudo apt-get update && sudo apt-get "
                               f"install -y --no-install-recommends {' '.join(wanted)}")
    print(f"tools/ceph: installing {' '.join(wanted)}", flush=True)
    environment = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
    for command in (["update", "-qq"], ["install", "-y", "-qq", "--no-install-recommends", *wanted]):
        done = subprocess.run([*as_root, "apt-get", *command], env=environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode:
            raise PackageError(f"apt-get {command[0]} failed:\n{done.stdout}")
