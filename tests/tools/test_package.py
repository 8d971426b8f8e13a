"""The Debian package and the archive: their bytes, their installation, upgrade, removal and purge, and the unit."""
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PATIENCE_S = 120
MAINTENANCE = ("postinst", "prerm", "postrm")

# In a copy of this machine that is thrown away: whatever the package does, it does there.
IN_A_COPY = """set -e
mount -t tmpfs tmpfs {folder}
mkdir {folder}/upper {folder}/work {folder}/root
mount -t overlay overlay -o lowerdir=/,upperdir={folder}/upper,workdir={folder}/work {folder}/root
mount -t proc proc {folder}/root/proc
mount -t tmpfs tmpfs {folder}/root/run
mount -t tmpfs -o mode=755 tmpfs {folder}/root/dev
for device in null zero urandom; do touch {folder}/root/dev/$device; mount --bind /dev/$device {folder}/root/dev/$device; done
mkdir -m 1777 {folder}/root/dev/shm
mkdir -p {folder}/root/packages
mount --bind {packages} {folder}/root/packages
exec chroot {folder}/root /bin/sh -e -c '{script}'"""

LIFE = """
export DEBIAN_FRONTEND=noninteractive PATH=/usr/sbin:/usr/bin:/sbin:/bin
dpkg -i /packages/{first} >/dev/null
test "$(stat -c %a:%U:%G /var/lib/orrery)" = 700:orrery:orrery
orrery version | grep -q "^orrery "
ldd /usr/bin/orrery | grep -q /lib/orrery/
test -f /usr/share/man/man1/orrery-serve.1.gz
bash -c ". /usr/share/bash-completion/completions/orrery; COMP_WORDS=(orrery se); COMP_CWORD=1; _orrery; test \\"\\${{COMPREPLY[0]}}\\" = serve"
su -s /bin/sh orrery -c "orrery serve --config /etc/orrery.conf --sql-port 0 --cassandra-port 0 --mongo-port 0 --table-port 0 --gremlin-port 0 --sql-direct-port 0 --ready-file /tmp/ready & echo \\$! > /tmp/pid"
for i in $(seq 600); do test -f /tmp/ready && break; sleep 0.1; done
grep -q /var/lib/orrery /tmp/ready
kill $(cat /tmp/pid)
for i in $(seq 100); do test -f /tmp/ready || break; sleep 0.1; done
echo "# mine" >> /etc/orrery.conf
dpkg -i /packages/{second} >/dev/null 2>&1
grep -q "# mine" /etc/orrery.conf
test -f /var/lib/orrery/FORMAT
dpkg -r orrery >/dev/null
test ! -e /usr/bin/orrery
test -f /etc/orrery.conf
test -f /var/lib/orrery/FORMAT
dpkg -P orrery >/dev/null
test ! -e /etc/orrery.conf
test ! -e /var/lib/orrery
test ! -e /usr/lib/orrery
echo all of its life
"""


def run(*command, **options):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=PATIENCE_S, **options)


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name)
        run(ROOT / "tools/package", "--binary", sys.argv[-1], "--output", cls.path, check=True)
        cls.deb = next(cls.path.glob("*.deb"))
        cls.archive = next(cls.path.glob("*.tar.gz"))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_the_same_commit_gives_the_same_bytes(self):
        with tempfile.TemporaryDirectory() as again:
            run(ROOT / "tools/package", "--binary", sys.argv[-1], "--output", again, check=True)
            for path in (self.deb, self.archive):
                other = pathlib.Path(again) / path.name
                self.assertEqual(hashlib.sha256(other.read_bytes()).hexdigest(),
                                 hashlib.sha256(path.read_bytes()).hexdigest())

    def test_dpkg_understands_it(self):
        fields = run("dpkg-deb", "--field", self.deb, check=True).stdout
        self.assertIn("Package: orrery\n", fields)
        self.assertIn("libc6 (>= 2.36)", fields)
        listed = run("dpkg-deb", "--contents", self.deb, check=True).stdout
        for path in ("./usr/bin/orrery", "./etc/orrery.conf", "./lib/systemd/system/orrery.service",
                     "./usr/share/man/man1/orrery.1.gz", "./usr/share/doc/orrery/sbom.spdx.json"):
            self.assertIn(path + "\n", listed)
        self.assertNotIn("libc.so", listed)

    def test_scripts_and_unit_are_sound(self):
        with tempfile.TemporaryDirectory() as folder:
            run("dpkg-deb", "--raw-extract", self.deb, folder, check=True)
            for name in MAINTENANCE:
                self.assertEqual(run("sh", "-n", f"{folder}/DEBIAN/{name}").stderr, "")
            unit = pathlib.Path(folder) / "lib/systemd/system/orrery.service"
            text = unit.read_text()
            for line in ("StateDirectoryMode=0700", "NoNewPrivileges=true", "ProtectSystem=strict"):
                self.assertIn(line, text.splitlines())
            if shutil.which("systemd-analyze"):
                # Its program is not installed here, which is all that may be said.
                said = run("systemd-analyze", "verify", "--root", folder, "orrery.service")
                # A line of the unit that is wrong is named by its number.
                ours = [line for line in said.stderr.splitlines() if re.search(r"orrery\.service:\d+:", line)]
                self.assertEqual(ours, [], said.stderr)

    def test_the_manual_can_be_read(self):
        with tarfile.open(self.archive) as tar:
            names = tar.getnames()
        base = names[0].split("/")[0]
        for verb in ("serve", "run", "health", "import"):
            self.assertIn(f"{base}/share/man/man1/orrery-{verb}.1.gz", names)

    @unittest.skipUnless(os.geteuid() == 0, "needs root, for chroot")
    def test_installation_upgrade_removal_purge(self):
        newer = self.path / "newer.deb"
        self.make_newer(newer)
        with tempfile.TemporaryDirectory() as folder:
            script = LIFE.format(first=self.deb.name, second=newer.name).replace("'", "'\\''")
            done = run("unshare", "-m", "--propagation", "private", "sh", "-c",
                       IN_A_COPY.format(folder=folder, packages=self.path, script=script))
        self.assertIn("all of its life", done.stdout, done.stderr)

    def make_newer(self, path):
        with tempfile.TemporaryDirectory() as folder:
            run("dpkg-deb", "--raw-extract", self.deb, folder, check=True)
            control = pathlib.Path(folder) / "DEBIAN/control"
            control.write_text(control.read_text().replace("\nVersion: ", "\nVersion: 9."))
            run("dpkg-deb", "-Znone", "--root-owner-group", "--build", folder, path, check=True)

    def test_the_archive_runs_wherever_it_is_put(self):
        with tempfile.TemporaryDirectory() as folder:
            with tarfile.open(self.archive) as tar:
                tar.extractall(folder)
            program = next(pathlib.Path(folder).glob("*/bin/orrery"))
            # With a loader that finds only what is in the archive and glibc.
            libraries = run("ldd", program, check=True).stdout
            for line in libraries.splitlines():
                if "=>" in line and not re.search(r"\b(ld-linux|lib(c|m|pthread|dl|rt|resolv|util)\.so)", line):
                    self.assertIn(f"{program.parent}/../lib/orrery/", line)
            done = run(program, "run", "--", "sh", "-c", "echo $COSMOS_ENDPOINT", env={"PATH": "/usr/bin:/bin"})
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("http://127.0.0.1:", done.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
