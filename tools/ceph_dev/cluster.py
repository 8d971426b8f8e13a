"""A cluster in a directory: makes it once, starts and stops its processes.

  DIR/ceph.conf, admin.keyring, orrery.keyring   what clients need
  DIR/mon, mgr, osd.N                            the daemons' data
  DIR/run, log                                   pids and what went wrong
  DIR/made                                       written last: without it the rest is half made, and remade
"""
import json
import pathlib
import random
import shutil
import socket
import subprocess
import time
import uuid

from ceph_dev import settings
from ceph_dev.daemon import Daemon

READY_SECONDS = 90
# Below the range from which the kernel takes ports for outgoing connections.
MON_PORTS = range(20000, 30000)


class ClusterError(Exception):
    pass


class Cluster:
    def __init__(self, directory):
        self.root = directory.resolve()
        self.conf = self.root / "ceph.conf"
        self._made = self.root / "made"

    # ---- the verbs

    def start(self, osds, size, min_size, die_with_us=False):
        if osds < size or not 1 <= min_size <= size:
            raise ClusterError(f"{osds} OSDs cannot keep {size} copies of which {min_size} must be there")
        try:
            if not self._made.exists():
                self._make(osds, size, min_size, die_with_us)
            monitor, manager, *osd_daemons = self._daemons()
            monitor.start(die_with_us)
            manager.start(die_with_us)
            with self._administrator() as admin:
                # The monitor remembers a stopped OSD as running: only what comes after this map is news.
                before = admin.ask("osd dump")["epoch"]
                started = [daemon.name for daemon in osd_daemons if daemon.start(die_with_us)]
                self._wait_clean(admin, started, before)
        except BaseException:
            for daemon in self._daemons():
                daemon.kill()  # the logs stay
            raise

    def stop(self):
        daemons = self._daemons()
        for daemon in reversed(daemons):
            daemon.ask_to_stop()
        for daemon in reversed(daemons):
            daemon.stop()

    def destroy(self):
        if not self.root.exists():
            return
        if not self._is_ours():
            raise ClusterError(f"{self.root} is there and was not made by tools/ceph: give another directory")
        # Killed, not asked: nothing of it is wanted any more.
        for daemon in reversed(self._daemons()):
            daemon.kill()
        shutil.rmtree(self.root)

    def osd(self, number):
        if not (self.root / f"osd.{number}").is_dir():
            raise ClusterError(f"there is no OSD {number} in {self.root}")
        return self._daemon(f"osd.{number}")

    def restart_monitor(self):
        monitor = self._daemon("mon")
        monitor.kill()
        monitor.start()

    def status(self):
        if not self._made.exists():
            return f"no cluster in {self.root}"
        lines = []
        for daemon in self._daemons():
            lines.append(f"{daemon.name}: " + (f"pid {daemon.pid()}" if daemon.pid() else "not running"))
        if self._daemon("mon").pid():
            with self._administrator() as admin:
                state = admin.ask("status")
                pool = admin.ask("osd pool get", pool=settings.POOL, var="all")
            groups = ", ".join(f"{group['count']} {group['state_name']}"
                               for group in state["pgmap"].get("pgs_by_state", []))
            checks = ", ".join(state["health"]["checks"]) or "none"
            lines.append(f"health: {state['health']['status']}; warnings: {checks}; placement groups: {groups}")
            lines.append(f"pool {settings.POOL}: size {pool['size']}, min_size {pool['min_size']}")
        return "\n".join([*lines, f"conf: {self.conf}"])

    # ---- processes

    def _is_ours(self):
        if not self.root.is_dir():
            return False
        if self.conf.is_file():
            return self.conf.read_text().startswith(settings.MARK)
        return not any(self.root.iterdir())

    def _daemon(self, name):
        kind, _, number = name.partition(".")
        who = number or {"mon": "a", "mgr": "x"}[kind]
        return Daemon(self.root, name, [f"/usr/bin/ceph-{kind}", "-f", "-i", who, "-c", str(self.conf)])

    def _daemons(self):
        osds = sorted(self.root.glob("osd.*"), key=lambda path: int(path.name.partition(".")[2]))
        return [self._daemon(name) for name in ["mon", "mgr", *(path.name for path in osds)]]

    def _administrator(self):
        return Administrator(self.conf)

    # ---- making

    def _make(self, osds, size, min_size, die_with_us):
        self.destroy()
        fsid, port = str(uuid.uuid4()), _free_port()
        self.root.mkdir(parents=True)
        self.conf.write_text(settings.ceph_conf(self.root, fsid, port, size, min_size))
        for name in ["run", "log", "mon", "mgr", *(f"osd.{n}" for n in range(osds))]:
            (self.root / name).mkdir()
        self._make_keys(osds)

        monmap = self.root / "monmap"
        self._tool("monmaptool", "--create", "--fsid", fsid, "--addv", "a", f"[v2:127.0.0.1:{port}]", str(monmap))
        self._tool("ceph-mon", "--mkfs", "-i", "a", "-c", str(self.conf), "--monmap", str(monmap),
                   "--keyring", str(self.root / "initial.keyring"))
        self._daemon("mon").start(die_with_us)

        with self._administrator() as admin:
            # Forced: the monitor does not know the option before it has seen a manager. It would make a pool.
            admin.ask("config set", who="mgr", name="mgr/devicehealth/enable_monitoring", value="false", force=True)
            self._daemon("mgr").start(die_with_us)
            uuids = [str(uuid.uuid4()) for _ in range(osds)]
            for number, osd_uuid in enumerate(uuids):
                admin.ask("osd new", uuid=osd_uuid, id=number)
            self._make_osds(uuids)
            admin.ask("osd pool create", pool=settings.POOL, pg_num=16)
            admin.ask("osd pool application enable", pool=settings.POOL, app=settings.POOL)
        self._made.write_text("")

    def _make_keys(self, osds):
        everything = {"mon": "allow *", "osd": "allow *", "mds": "allow *", "mgr": "allow *"}
        daemon = {"mon": "allow profile {}", "osd": "allow *", "mgr": "allow profile {}"}

        def profile(kind):
            return {service: words.format(kind) for service, words in daemon.items()}

        entries = [("mon.", settings.new_key(), {"mon": "allow *"}, "mon/keyring"),
                   ("client.admin", settings.new_key(), everything, "admin.keyring"),
                   ("mgr.x", settings.new_key(), dict(profile("mgr"), mgr="allow *"), "mgr/keyring"),
                   (settings.USER, settings.new_key(), settings.USER_CAPS, f"{settings.POOL}.keyring")]
        for number in range(osds):
            entries.append((f"osd.{number}", settings.new_key(), profile("osd"), f"osd.{number}/keyring"))
        # The monitor takes all of them over when it is made, so that none has to be added later.
        files = {"initial.keyring": [entry[:3] for entry in entries]}
        for name, key, _, file in entries[1:]:
            files[file] = [(name, key, {})]
        for file, content in files.items():
            path = self.root / file
            path.touch(mode=0o600)
            path.write_text(settings.keyring(content))

    def _make_osds(self, uuids):
        makers = [subprocess.Popen(["/usr/bin/ceph-osd", "--mkfs", "-i", str(number), "--osd-uuid", osd_uuid,
                                    "-c", str(self.conf)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
                  for number, osd_uuid in enumerate(uuids)]
        outputs = [maker.communicate()[0] for maker in makers]
        for maker, output in zip(makers, outputs):
            if maker.returncode:
                raise ClusterError(f"ceph-osd --mkfs failed:\n{output}")

    def _tool(self, program, *args):
        done = subprocess.run([f"/usr/bin/{program}", *args], text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        if done.returncode:
            raise ClusterError(f"{program} failed:\n{done.stdout}")

    def _wait_clean(self, admin, started, before):
        """Until the OSDs `started` have joined after the map `before` and every placement group has all copies."""
        deadline = time.monotonic() + READY_SECONDS
        while True:
            joined = {f"osd.{osd['osd']}" for osd in admin.ask("osd dump")["osds"]
                      if osd["up"] and osd["up_from"] > before}
            state = admin.ask("status")
            clean = sum(group["count"] for group in state["pgmap"].get("pgs_by_state", [])
                        if group["state_name"].startswith("active+clean"))
            if joined.issuperset(started) and clean and clean == state["pgmap"]["num_pgs"]:
                return
            gone = [daemon for daemon in self._daemons() if not daemon.pid()]
            if gone:
                raise ClusterError(f"{gone[0].name} ended (see {self.root}/log):\n{gone[0].last_words()}")
            if time.monotonic() > deadline:
                raise ClusterError(f"not ready after {READY_SECONDS} s:\n{json.dumps(state['health'], indent=1)}")
            time.sleep(0.2)


class Administrator:
    """Asks the monitor over one connection; the ceph command would need half a second for each question."""

    def __init__(self, conf):
        import rados  # comes with ceph-common, which need not be there for --help
        self._rados = rados
        self._client = rados.Rados(conffile=str(conf), name="client.admin",
                                   conf={"client_mount_timeout": "20", "rados_mon_op_timeout": "20"})

    def __enter__(self):
        try:
            self._client.connect()
        except self._rados.Error as error:
            raise ClusterError(f"the monitor does not answer: {error}") from error
        return self

    def __exit__(self, *_):
        self._client.shutdown()

    def ask(self, prefix, **arguments):
        command = json.dumps({"prefix": prefix, "format": "json", **arguments})
        code, output, words = self._client.mon_command(command, b"")
        if code:
            raise ClusterError(f"'{prefix}' failed ({code}): {words}")
        return json.loads(output) if output.strip() else None


def _free_port():
    for port in random.SystemRandom().sample(MON_PORTS, 100):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue
    raise ClusterError("no free port for the monitor")
