"""Where a development cluster has its files: one directory, used by one program at a time.

  DIR/LOCK    flock'ed while a cluster runs in it
  DIR/KEPT    there when the data is to be kept
  DIR/ceph    tools/ceph's
  DIR/node-N  a node's data directory and its log

What an earlier run left without KEPT is rubbish: it ended before it could clean up.
"""
import fcntl
import pathlib
import shutil

from ceph_dev.cluster import Cluster


class DirectoryError(Exception):
    pass


class Directory:
    def __init__(self, root, keep, fresh):
        self.root = pathlib.Path(root).resolve()
        self.ceph = Cluster(self.root / "ceph")
        self.keep = keep
        self._fresh = fresh
        self._kept = self.root / "KEPT"
        self._lock = None

    def __enter__(self):
        self._take()
        if self._kept.exists() and not (self.keep or self._fresh):
            raise DirectoryError(f"{self.root} has data that was kept: say --keep to go on with it or --fresh to "
                                 "throw it away")
        if not self._kept.exists() or self._fresh:
            self._empty()
        if self.keep:
            self._kept.write_text("")
        return self

    def __exit__(self, *_):
        if not self.keep:
            self._empty()
            (self.root / "LOCK").unlink(missing_ok=True)
            self.root.rmdir()
        self._lock.close()

    def node(self, number):
        path = self.root / f"node-{number}"
        path.mkdir(exist_ok=True)
        return path

    def _take(self):
        if self.root.exists() and any(self.root.iterdir()) and not (self.root / "LOCK").exists():
            raise DirectoryError(f"{self.root} has files of somebody else: give another directory with --dir")
        self.root.mkdir(parents=True, exist_ok=True)
        self._lock = (self.root / "LOCK").open("w")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise DirectoryError(f"a cluster runs in {self.root} already: end it, or use --dir and --net") from error

    def _empty(self):
        self.ceph.destroy()
        for path in self.root.glob("node-*"):
            shutil.rmtree(path)
        self._kept.unlink(missing_ok=True)
