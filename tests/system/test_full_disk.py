"""A disk that is full to the last byte: the server starts on it, and room can be made through it."""
import os
import pathlib
import shutil
import signal
import subprocess
import time
import unittest

from harness import OrreryTest, PATIENCE_S

MEGABYTE = 1 << 20
DISK_BYTES = 240 * MEGABYTE
BALLAST_MB = 8
FLAGS = ("--ballast-mb", str(BALLAST_MB), "--memtable-mb", "16", "--cache-mb", "16")


@unittest.skipUnless(os.geteuid() == 0 and shutil.which("unshare"), "needs root and unshare, to mount a small disk")
class FullDisk(OrreryTest):
    def setUp(self):
        super().setUp()
        disk = self.root / "disk"
        disk.mkdir()
        # In a namespace of its own, so that nothing is left mounted; its files are seen through /proc.
        self.holder = subprocess.Popen(
            ["unshare", "-m", "--propagation", "private", "sh", "-c",
             f"mount -t tmpfs -o size={DISK_BYTES} tmpfs {disk} && echo mounted && exec sleep 600"],
            stdout=subprocess.PIPE, text=True)
        self.addCleanup(self.end_holder)
        self.assertEqual(self.holder.stdout.readline(), "mounted\n")
        self.disk = pathlib.Path(f"/proc/{self.holder.pid}/root{disk}")
        self.data = self.disk / "data"
        self.ballast = self.data / "BALLAST"

    def end_holder(self):
        self.holder.send_signal(signal.SIGKILL)
        self.holder.wait(PATIENCE_S)
        self.holder.stdout.close()

    def free(self):
        disk = os.statvfs(self.disk)
        return disk.f_bavail * disk.f_frsize

    def fill(self):
        """What another program has on the disk: all that is left of it."""
        with open(self.disk / "others", "ab", buffering=0) as others:
            size = MEGABYTE
            while size >= 1:
                try:
                    if others.write(b"x" * size) < size:
                        size //= 2
                except OSError:
                    size //= 2
        self.assertLess(self.free(), 4096 * 4)

    def wait_for(self, what, condition):
        end = time.monotonic() + PATIENCE_S
        while not condition():
            self.assertLess(time.monotonic(), end, what)
            time.sleep(0.1)

    def filled_and_killed(self, *flags, with_ballast=True):
        server = self.start(*flags)
        container = self.make_container(server)
        other = self.make_container(server, "other")
        for n in range(40):
            self.assertStatus(201, container.create({"id": str(n), "pk": f"k{n}", "text": "x" * 20_000}))
            self.assertStatus(201, other.create({"id": str(n), "pk": f"k{n}", "text": "y" * 20_000}))
        if with_ballast:
            self.wait_for("the ballast", lambda: self.ballast.exists()
                          and self.ballast.stat().st_blocks * 512 >= BALLAST_MB * MEGABYTE)
        self.fill()
        server.kill()
        # What a torn end of a log takes to be mended, and more.
        self.fill()
        return container

    def test_a_server_starts_on_it_and_what_is_deleted_makes_room(self):
        container = self.filled_and_killed(*FLAGS)
        server = self.start(*FLAGS)
        self.assertIn("the disk is full", server.stderr)
        self.assertEqual(self.ballast.stat().st_size, 0)
        container.server = server
        for n in range(40):
            self.assertStatus(200, container.read(str(n), f"k{n}"))
        refused = container.create({"id": "new", "pk": "a", "text": "z" * 1000})
        self.assertStatus(507, refused, "resource_exhausted")
        for n in range(20):
            self.assertStatus(204, container.delete(str(n), f"k{n}"))
        before = self.free()
        self.assertStatus(204, server.admin("DELETE", "databases/db/containers/other"))
        self.wait_for("room", lambda: self.free() > before)
        # A second kill and start, with what is left of the given up bytes.
        server.kill()
        server = container.server = self.start(*FLAGS)
        self.assertStatus(404, container.read("3", "k3"))
        self.assertStatus(200, container.read("30", "k30"))
        self.assertStatus(507, container.create({"id": "new", "pk": "a", "text": "z" * 1000}))
        # With room again all is taken, and the ballast made for the next time.
        (self.disk / "others").unlink()
        self.wait_for("writes", lambda: container.upsert({"id": "new", "pk": "a", "text": "z"}).status == 201)
        self.wait_for("the ballast", lambda: self.ballast.stat().st_size == BALLAST_MB * MEGABYTE)
        self.assertEqual(server.stop(), 0, server.stderr)

    def test_without_a_ballast_it_says_what_is_wrong(self):
        self.filled_and_killed("--ballast-mb", "0", with_ballast=False)
        self.assertFalse(self.ballast.exists())
        try:
            server = self.start("--ballast-mb", "0")
        except RuntimeError as refusal:
            self.assertIn("disk is full", str(refusal))
        else:
            self.assertStatus(200, server.request("GET", "/_health"))


if __name__ == "__main__":
    unittest.main()
