"""A private Ceph and three nodes on it, and somebody who starts nodes again that ended by themselves."""
import pathlib
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
from ceph_dev.cluster import Administrator, Cluster  # noqa: E402

from node import FENCED, Node, free_ports  # noqa: E402

NODES = 3
OSDS = 4
POOL = "orrery"
WATCH_SECONDS = 0.1
START_AGAIN_SECONDS = 0.5


class Deployment:
    def __init__(self, root, binary, options=()):
        """`options`: of all nodes, beside their own."""
        self.root = pathlib.Path(root)
        self.root.mkdir(parents=True, exist_ok=True)
        self.ceph = Cluster(self.root / "ceph")
        ports = free_ports(4 * NODES)
        self.nodes = [Node(f"node{n + 1}", binary, self.root, self.ceph.conf, f"127.0.0.{n + 1}",
                           ports[4 * n:4 * n + 3], options=("--mongo-port", str(ports[4 * n + 3]), *options))
                      for n in range(NODES)]
        for n, node in enumerate(self.nodes):
            node.mongo_port = ports[4 * n + 3]
        self._watcher = None
        self._ended = threading.Event()
        self._lock = threading.Lock()
        self._away = set()  # nodes that are down because somebody wants it so
        self.fenced = 0     # processes that ended themselves after they lost their lease
        self.refused = []   # starts that failed, with what was said; they are tried again
        self.crashes = []   # processes that ended in any other way
        self.resident_mb_max = {}

    def start(self):
        self.ceph.start(osds=OSDS, size=4, min_size=3, die_with_us=True)
        # One after the other: the first makes the cluster.
        for node in self.nodes:
            node.start()
            node.wait_ready()

    def watch(self):
        self._watcher = threading.Thread(target=self._watch, name="watcher", daemon=True)
        self._watcher.start()

    def destroy(self):
        self._ended.set()
        if self._watcher is not None:
            self._watcher.join()
        for node in self.nodes:
            if node.runs():
                node.kill()
        self.ceph.destroy()

    # ---- nodes that go and come on purpose

    def leave(self, node):
        """From here on the end of `node` is somebody's will."""
        with self._lock:
            self._away.add(node.name)

    def come_back(self, node):
        with self._lock:
            if not node.runs():
                node.start()
            self._away.discard(node.name)

    def all_ready(self):
        return all(node.ready() for node in self.nodes)

    # ---- Ceph

    def ask_ceph(self, prefix, **arguments):
        with Administrator(self.ceph.conf) as admin:
            return admin.ask(prefix, **arguments)

    def whole(self):
        """Every OSD is up and has its copy of everything, as far as the monitor has heard."""
        state = self.ask_ceph("status")
        groups = state["pgmap"].get("pgs_by_state", [])
        clean = sum(group["count"] for group in groups if group["state_name"].startswith("active+clean"))
        return state["osdmap"]["num_up_osds"] == OSDS and clean == state["pgmap"]["num_pgs"]

    def _watch(self):
        while not self._ended.wait(WATCH_SECONDS):
            for node in self.nodes:
                self.resident_mb_max[node.name] = max(node.resident_mb(), self.resident_mb_max.get(node.name, 0))
                with self._lock:
                    if node.name in self._away or node.runs():
                        continue
                    self._note_end(node)
                    time.sleep(START_AGAIN_SECONDS)
                    node.start()

    def _note_end(self, node):
        code = node.exit_code()
        if code == FENCED:
            self.fenced += 1
        elif code == 1 and "\nReady in " not in node.words():
            self.refused.append(f"{node.name}: {node.last_words(1)}")
        else:
            self.crashes.append(f"{node.name} ended with {code}:\n{node.last_words()}")
