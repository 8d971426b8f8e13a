#!/usr/bin/env python3
"""bad_input.py BINARY DIR: what `orrery serve --store=rados` says when something around it is wrong.

On a private Ceph: each wrong configuration, user, pool and neighbour is refused with words that help, and
damaged objects are told, not overwritten. Exit code 77: something it needs is not installed.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "chaos"))
from ceph_dev import packages  # noqa: E402
from ceph_dev.cluster import Administrator, Cluster  # noqa: E402
from node import free_ports  # noqa: E402

SKIPPED = 77
REFUSED = 1
SECONDS = 40
POOL = "orrery"
BLOCKLISTER = "profile simple-rados-client-with-blocklist"
KEY = "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw=="
OTHER_KEY = "cXFxcXFxcXFxcXFxcXFxcXFxcXFxcXFxcXFxcXFxcXFxcXFxcXFxcXFxcXFxcXFxcXFxcXFxcXFxcXFxcXFxcQ=="
WRONG_CEPH_KEY = "AQCnS2Rn3QvGGBAAdUTTuWm9mXDT4Bu2R4QZPQ=="


def insist(condition, words):
    if not condition:
        sys.exit(f"bad_input: {words}")


class Server:
    """An `orrery serve` on this Ceph."""

    def __init__(self, bench, *flags, address="127.0.0.1", environment=()):
        bench.started += 1
        self._binary = bench.binary
        self.url = f"http://{address}:{bench.port}"
        self._log = bench.root / f"server{bench.started}.log"
        command = [bench.binary, "serve", "--store", "rados", "--data", str(bench.root / f"data{bench.started}"),
                   "--listen", address, "--sql-port", str(bench.port), "--cassandra-port", "0", "--peer-port",
                   str(bench.peer_port), "--tls", "off", "--cache-mb", "16", "--memtable-mb", "16",
                   *flags]
        inherited = {k: v for k, v in os.environ.items() if not k.startswith("ORRERY_")}
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                             env={**inherited, "ORRERY_RADOS_CONF": str(bench.ceph.conf),
                                                  **dict(environment)})
        bench.servers.append(self)

    def words(self):
        return self._log.read_text(errors="replace")

    def runs(self):
        return self._process.poll() is None

    def wait_for(self, words):
        """Until it has said so; False when it ended or took too long."""
        deadline = time.monotonic() + SECONDS
        while words not in self.words():
            if not self.runs() or time.monotonic() > deadline:
                return words in self.words()
            time.sleep(0.05)
        return True

    def wait_ready(self):
        insist(self.wait_for("\nReady in "), f"did not start:\n{self.words()}")
        return self

    def end(self):
        """SIGTERM; the exit code."""
        if self.runs():
            self._process.terminate()
        try:
            return self._process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
            return None

    def kill(self):
        self._process.kill()
        self._process.wait()

    def exit_code(self):
        try:
            return self._process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
            return None

    def ask(self, *arguments):
        done = subprocess.run([self._binary, *arguments, "--url", self.url], text=True, timeout=SECONDS,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.stdout

    def put(self, number):
        """The status of writing an item; None: no answer in time."""
        item = json.dumps({"id": str(number), "customer": f"customer {number}"}).encode()
        request = urllib.request.Request(f"{self.url}/_admin/v1/databases/shop/containers/orders/items", item,
                                         {"Authorization": f"Bearer {KEY}"})
        try:
            return urllib.request.urlopen(request, timeout=SECONDS).status
        except urllib.error.HTTPError as error:
            return error.code


class Bench:
    """The Ceph that all cases share, and what they make with it."""

    def __init__(self, binary, root):
        self.binary, self.root = binary, root
        self.ceph = Cluster(root / "ceph")
        self.port, self.peer_port = free_ports(2)
        self.servers, self.started, self._namespaces = [], 0, 0

    def start(self):
        import rados
        self.ceph.start(osds=4, size=4, min_size=3, die_with_us=True)
        self._client = rados.Rados(conffile=str(self.ceph.conf), name="client.admin")
        self._client.connect()

    def destroy(self):
        for server in self.servers:
            if server.runs():
                server.kill()
        self.ceph.destroy()

    def admin(self, prefix, **arguments):
        with Administrator(self.ceph.conf) as admin:
            return admin.ask(prefix, **arguments)

    def namespace(self):
        """A fresh one: its name, and what is in it."""
        from tamper import Namespace
        self._namespaces += 1
        name = f"case{self._namespaces}"
        return name, Namespace(self._client, POOL, name)

    def file(self, name, content):
        path = self.root / name
        path.write_text(content)
        return str(path)

    def conf(self, more):
        """The cluster's configuration with more lines at its end."""
        return self.file("ceph.conf", f"{self.ceph.conf.read_text()}\n{more}")

    def conf_with_keyring(self, user, content):
        return self.conf(f"[client.{user}]\nkeyring = {self.file('keyring', content)}\n")

    def user(self, name, **caps):
        """Flags to be a user with these capabilities."""
        words = [word for service, cap in caps.items() for word in (service, cap)]
        made = self.admin("auth get-or-create", entity=f"client.{name}", caps=words)
        keyring = f"[client.{name}]\nkey = {made[0]['key']}\n"
        return ["--rados-user", name, "--rados-conf", self.conf_with_keyring(name, keyring)]

    def refused(self, case, words, *flags, **how):
        """It must end with an error that has all the words."""
        server = Server(self, *flags, **how)
        code = server.exit_code()
        said = server.words()
        insist(code == REFUSED, f"{case}: ended with {code}:\n{said}")
        for word in words:
            insist(word in said, f"{case}: does not say '{word}':\n{said}")
        print(f"{case}: {said.splitlines()[-1]}", flush=True)


# ---- the cases

def configurations(bench):
    bench.refused("no configuration", ["no Ceph configuration at", "--rados-conf"], "--rados-conf", "/nowhere")
    for case, content, words in (
            ("JSON", '{"mon_host": "127.0.0.1"}\n', "is not a Ceph configuration"),
            ("nothing in it", "", "mon_host = ADDRESS"),
            ("names nobody resolves", "[global]\nmon_host = no.such.host.invalid\n", "cannot resolve")):
        bench.refused(case, [words], "--rados-conf", bench.file("other.conf", content))
    bench.refused("silent monitors", ["no Ceph monitor at", "are they running"], "--rados-conf",
                  bench.conf("[global]\nmon_host = [v2:127.0.0.1:1]\n"))


def users(bench):
    bench.refused("a user without a key", ["no key of client.nobody", "ceph auth get"], "--rados-user", "nobody")
    for case, content, words in (
            ("a wrong key", f"[client.orrery]\n\tkey = {WRONG_CEPH_KEY}\n", "does not know client.orrery by the key"),
            ("another user's key", f"[client.other]\n\tkey = {WRONG_CEPH_KEY}\n", "no key of client.orrery"),
            ("no keyring", "rubbish\n", "cannot be read")):
        bench.refused(case, [words], "--rados-conf", bench.conf_with_keyring("orrery", content))
    for user, caps in (("blind", {"osd": f"allow rwx pool={POOL}"}),
                       ("elsewhere", {"mon": BLOCKLISTER, "osd": "allow rwx pool=other"}),
                       ("reader", {"mon": BLOCKLISTER, "osd": f"allow r pool={POOL}"}),
                       ("unlocking", {"mon": BLOCKLISTER, "osd": f"allow rw pool={POOL}"}),
                       ("unfencing", {"mon": "allow r", "osd": f"allow rwx pool={POOL}"})):
        bench.refused(f"user {user}", [f"ceph auth caps client.{user}", BLOCKLISTER], *bench.user(user, **caps))


def pools(bench):
    bench.refused("no pool", ["ceph osd pool create elsewhere", "min_size 3"], "--rados-pool", "elsewhere")
    everywhere = bench.user("everywhere", mon=BLOCKLISTER, osd="allow rwx")
    bench.admin("osd pool create", pool="small", pg_num=1)
    for size, min_size, words in ((1, 1, "size 4"), (3, 2, "size 4"), (4, 2, "min_size 3")):
        bench.admin("osd pool set", pool="small", var="size", val=str(size), yes_i_really_mean_it=True)
        bench.admin("osd pool set", pool="small", var="min_size", val=str(min_size))
        bench.refused(f"a pool of {size}, {min_size}", [f"ceph osd pool set small {words}", "--rados-fewer-copies"],
                      "--rados-pool", "small", *everywhere)
    server = Server(bench, "--rados-pool", "small", "--rados-fewer-copies", *everywhere).wait_ready()
    insist("Orrery wants 3" in server.words(), f"fewer copies are accepted without a word:\n{server.words()}")
    insist(server.end() == 0, f"did not stop:\n{server.words()}")


def neighbours(bench):
    name, pool = bench.namespace()
    pool.write("rbd_directory", b"")
    bench.refused("another application", ["rbd_directory", "--rados-namespace"], "--rados-namespace", name)
    pool.remove("rbd_directory")
    pool.write("cluster", b"")
    bench.refused("another 'cluster'", ["--rados-namespace"], "--rados-namespace", name)
    insist(pool.names() == ["cluster"], f"a refused node left {pool.names()}")


def change_of_keys(bench):
    """Nodes know each other by the cluster's secret, whatever their primary keys are."""
    name, pool = bench.namespace()
    here = ["--rados-namespace", name]
    first = Server(bench, *here, "--key", KEY, "--secondary-key", OTHER_KEY).wait_ready()
    secret = pool.entries("cluster").get("secret")
    insist(len(secret) == 64, f"the secret of the cluster is {len(secret)} bytes")
    second = Server(bench, *here, "--key", OTHER_KEY, "--secondary-key", KEY, address="127.0.0.2").wait_ready()
    insist("let this node in" not in first.words() + second.words(), f"refused:\n{second.words()}")
    insist(second.end() == 0, f"did not stop:\n{second.words()}")
    insist(first.end() == 0, f"did not stop:\n{first.words()}")
    # As a cluster of a former version is: it gets one. One that is damaged is not replaced.
    pool.remove_entry("cluster", "secret")
    again = Server(bench, *here).wait_ready()
    insist(pool.entries("cluster").get("secret") not in (None, secret), "no other secret")
    insist(again.end() == 0, f"did not stop:\n{again.words()}")
    pool.set_entry("cluster", "secret", b"short")
    bench.refused("a damaged secret", ["secret", "rmomapkey"], *here)


def strangers(bench):
    """Nodes that do not belong to a cluster that runs."""
    from tamper import node_card
    name, pool = bench.namespace()
    here = ["--rados-namespace", name]
    first = Server(bench, *here).wait_ready()
    bench.refused("another account key", ["does not let this node in", "--key"], *here, "--key", OTHER_KEY,
                  address="127.0.0.2")
    # The node mends its own entry, and is not taken for gone meanwhile.
    pool.set_entry("cluster", "node/0000000000000001", b"\1\2")
    insist(first.wait_for("is damaged: it is written anew"), f"a damaged entry stays:\n{first.words()}")
    # A node of another version that lives, as far as its lease says.
    pool.write("node.0000000000000063", b"")
    pool.lock("node.0000000000000063", seconds=60)
    pool.set_entry("cluster", "node/0000000000000063", node_card(0x63, "9.9.9"))
    bench.refused("another version", ["node 99", "runs 9.9.9"], *here, address="127.0.0.2")
    insist(first.end() == 0, f"did not stop:\n{first.words()}")

    pool.set_attribute("cluster", "format", b"orrery cluster, format 2")
    bench.refused("another format", ["format 2", "use the version"], *here)


def damage(bench):
    """Of one partition, and of everything that a cluster cannot do without."""
    from tamper import ROOT, flipped
    name, pool = bench.namespace()
    here = ["--rados-namespace", name]
    server = Server(bench, *here).wait_ready()
    said = server.ask("create", "shop/orders", "--partition-key", "/customer", "--throughput", "40000")
    insist("created" in said, said)
    items = range(12)
    insist(all(server.put(item) == 201 for item in items), f"items are not taken:\n{server.words()}")
    insist(server.end() == 0, f"did not stop:\n{server.words()}")

    partition = pool.directory("partitions", "2")
    whole = pool.copy_of(partition)
    pool.set_entry(partition, "CURRENT", flipped(whole[1]["CURRENT"], 12))
    broken = pool.entries(partition)["CURRENT"]
    server = Server(bench, *here).wait_ready()
    insist(server.wait_for(f"partition 2 cannot be opened: the entry 'CURRENT' of the directory object '{partition}' "
                           "is damaged"), f"a damaged directory is not told:\n{server.words()}")
    for other in (1, 3, 4):
        insist(server.wait_for(f"partition {other} is open here"), f"others are not served:\n{server.words()}")
    answers = {server.put(item) for item in items}
    insist(answers == {409, 500}, f"items are answered with {answers}:\n{server.words()}")
    insist("1 not open: 2 " in server.ask("status"), server.ask("status"))
    insist("not open" in server.ask("partitions"), server.ask("partitions"))
    insist(pool.entries(partition)["CURRENT"] == broken, "what is damaged was overwritten")
    # Restored while the node runs; it tries again by itself.
    pool.set_entry(partition, "CURRENT", whole[1]["CURRENT"])
    insist(server.wait_for("partition 2 is open here"), f"what is restored is not opened:\n{server.words()}")
    insist(all(server.put(item) == 409 for item in items), f"items are gone:\n{server.words()}")
    insist(server.words().count("partition 2 cannot be opened") == 1, f"told again and again:\n{server.words()}")
    insist(server.end() == 0, f"did not stop:\n{server.words()}")
    print("a damaged directory: told, and mended", flush=True)

    system = pool.directory("system")
    copy = pool.copy_of(system)
    pool.set_entry(system, "CURRENT", flipped(copy[1]["CURRENT"], 12))
    bench.refused("a damaged system store", ["restore the pool from a backup", "'CURRENT'", "is damaged"], *here)
    pool.remove(system)
    bench.refused("no system store", ["restore the pool from a backup", "empty or missing"], *here)
    pool.put_back(system, copy)
    root = pool.copy_of(ROOT)
    pool.remove(ROOT)
    bench.refused("no root", ["restore the pool from a backup", "empty or missing"], *here)
    pool.put_back(ROOT, root)

    holder = pool.attribute("manager", "holder")
    pool.remove_attribute("manager", "holder")
    bench.refused("a damaged lease", ["lease object 'manager'", "rados rm manager"], *here)
    pool.set_attribute("manager", "holder", holder)
    last = pool.entries("cluster")["last_node"]
    pool.set_entry("cluster", "last_node", b"many")
    bench.refused("a damaged last number", ["rados setomapval cluster last_node"], *here)
    pool.set_entry("cluster", "last_node", last)
    # Of a node that is gone: the manager strikes it off.
    pool.set_entry("cluster", "node/0000000000000001", b"\1\2")
    server = Server(bench, *here).wait_ready()
    insist(server.wait_for("node 1 "), f"a damaged entry of a lost node stays:\n{server.words()}")
    insist(all(server.put(item) == 409 for item in items), f"items are gone:\n{server.words()}")
    insist(server.end() == 0, f"did not stop:\n{server.words()}")
    pool.remove("cluster")
    bench.refused("no object 'cluster'", ["'cluster' is missing", "restore the pool"], *here)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    if packages.missing():
        print(f"skipped: not installed: {' '.join(packages.missing())} (tools/ceph install)")
        sys.exit(SKIPPED)
    root = pathlib.Path(sys.argv[2]).resolve()
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir(parents=True)
    bench = Bench(sys.argv[1], root)
    try:
        bench.start()
        for cases in (configurations, users, pools, neighbours, strangers, change_of_keys, damage):
            cases(bench)
    finally:
        bench.destroy()


if __name__ == "__main__":
    main()
