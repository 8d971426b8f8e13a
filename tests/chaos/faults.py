"""What goes wrong, one kind a function: it does the harm, yields how long it lasts, and mends it.

Yields (what, seconds) once. The lease of a node lasts five seconds; times are chosen to end before and
after that.
"""
from deployment import POOL

LEASE_SECONDS = 5
# The manager tells the monitor of used space every few seconds; a quota is felt after that.
QUOTA_SECONDS = 8


def kill_node(world, rng):
    node = rng.choice(world.deployment.nodes)
    world.deployment.leave(node)
    node.kill()
    # Now and then back before anybody noticed.
    yield node.name, rng.choice([0.0, 0.5, LEASE_SECONDS + 2])
    world.deployment.come_back(node)


def stop_node(world, rng):
    node = rng.choice(world.deployment.nodes)
    world.deployment.leave(node)
    code = node.stop()
    if code != 0:
        world.found(f"{node.name} was asked to stop and ended with {code} (None: not at all)")
    yield node.name, rng.choice([0.0, 2.0])
    world.deployment.come_back(node)


def suspend_node(world, rng):
    """SIGSTOP for longer than the lease: it wakes up as a zombie, and must end without a stale word."""
    node = rng.choice(world.deployment.nodes)
    node.suspend()
    yield node.name, LEASE_SECONDS + rng.uniform(0.5, 4)
    node.resume()


def doze_node(world, rng):
    """SIGSTOP for less than the lease."""
    node = rng.choice(world.deployment.nodes)
    node.suspend()
    yield node.name, rng.uniform(0.5, LEASE_SECONDS - 1.5)
    node.resume()


def kill_osd(world, rng):
    osd = rng.randrange(4)
    world.deployment.ceph.osd(osd).kill()
    yield f"osd.{osd}", rng.uniform(2, 5)
    world.deployment.ceph.osd(osd).start(die_with_us=True)


def kill_two_osds(world, rng):
    osds = rng.sample(range(4), 2)
    for osd in osds:
        world.deployment.ceph.osd(osd).kill()
    yield " and ".join(f"osd.{osd}" for osd in osds), rng.choice([2.0, LEASE_SECONDS + 3.0])
    for osd in osds:
        world.deployment.ceph.osd(osd).start(die_with_us=True)


def hang_osd(world, rng):
    osd = rng.randrange(4)
    world.deployment.ceph.osd(osd).suspend()
    yield f"osd.{osd}", rng.uniform(1, 8)
    world.deployment.ceph.osd(osd).resume()


def restart_monitor(world, rng):
    world.deployment.ceph.restart_monitor()
    yield "mon", 1.0


def cut_node(world, rng):
    """Nobody reaches one node's port for other nodes, over old connections or new ones."""
    node = rng.choice(world.deployment.nodes)
    world.network.cut(node.peer_port)
    yield node.name, rng.choice([1.0, LEASE_SECONDS + 3.0])
    world.network.mend(node.peer_port)


def cut_all(world, rng):
    """No node reaches another; all reach the store."""
    for node in world.deployment.nodes:
        world.network.cut(node.peer_port)
    yield "all nodes", rng.choice([1.0, LEASE_SECONDS + 3.0])
    for node in world.deployment.nodes:
        world.network.mend(node.peer_port)


def full_pool(world, rng):
    world.deployment.ask_ceph("osd pool set-quota", pool=POOL, field="max_bytes", val="1")
    yield POOL, QUOTA_SECONDS + rng.uniform(0, 4)
    world.deployment.ask_ceph("osd pool set-quota", pool=POOL, field="max_bytes", val="0")


# How often each comes before all have come so often.
KINDS = {
    "kill-node": (kill_node, 6),
    "stop-node": (stop_node, 4),
    "suspend-node": (suspend_node, 4),
    "doze-node": (doze_node, 2),
    "kill-osd": (kill_osd, 3),
    "kill-two-osds": (kill_two_osds, 2),
    "hang-osd": (hang_osd, 2),
    "restart-monitor": (restart_monitor, 2),
    "cut-node": (cut_node, 3),
    "cut-all": (cut_all, 1),
    "full-pool": (full_pool, 1),
}
NEED_NETWORK = {"cut-node", "cut-all"}
OF_OSDS = {"kill-osd", "kill-two-osds", "hang-osd"}


def draw(kinds, rng):
    """Kinds without end, as from a pack of cards: however short the run, the rare ones come too."""
    while True:
        pack = [kind for kind in kinds for _ in range(KINDS[kind][1])]
        rng.shuffle(pack)
        yield from pack
