"""A namespace of the pool as somebody sees it who has the administrator's key: to look, and to damage.

What the objects mean is in docs/format/rados.md and src/cluster/member/membership_list.h.
"""
import rados

ROOT = "0000000000000001.dir"
FIRST_STRIPE = "00000000"


def flipped(value, at):
    return value[:at] + bytes([value[at] ^ 0x40]) + value[at + 1:]


def text(value):
    return bytes([len(value)]) + value.encode()


def node_card(number, version):
    """As src/cluster/member/node_descriptor.h has it, of a node below 128 that listens nowhere."""
    port = (1).to_bytes(2, "big")
    return (bytes([1, number]) + text("0123456789abcdef") + text("127.0.0.9") + port + text("127.0.0.9") + port * 2 +
            text(version) + text("127.0.0.9:0/1"))


class Namespace:
    def __init__(self, client, pool, name):
        self._io = client.open_ioctx(pool)
        self._io.set_namespace(name)

    def names(self):
        return sorted(item.key for item in self._io.list_objects())

    def write(self, name, content):
        self._io.write_full(name, content)

    def remove(self, name):
        self._io.remove_object(name)

    def attribute(self, name, key):
        return self._io.get_xattr(name, key)

    def set_attribute(self, name, key, value):
        self._io.set_xattr(name, key, value)

    def remove_attribute(self, name, key):
        self._io.rm_xattr(name, key)

    def entries(self, name):
        with rados.ReadOpCtx() as operation:
            found, _ = self._io.get_omap_vals(operation, "", "", 1000)
            self._io.operate_read_op(operation, name)
            return dict(found)

    def set_entry(self, name, key, value):
        with rados.WriteOpCtx() as operation:
            self._io.set_omap(operation, (key,), (value,))
            self._io.operate_write_op(operation, name)

    def remove_entry(self, name, key):
        with rados.WriteOpCtx() as operation:
            self._io.remove_omap_keys(operation, (key,))
            self._io.operate_write_op(operation, name)

    def lock(self, name, seconds):
        """As the holder of a lease does."""
        self._io.lock_exclusive(name, "lease", "a test", duration=seconds)

    def directory(self, *path):
        """The object of a directory."""
        name = ROOT
        for step in path:
            name = self.entries(name)[step][2:10].hex() + ".dir"
        return name

    def file(self, directory, name):
        """The first object of a file."""
        entry = self.entries(directory)[name]
        return f"{entry[2:10].hex()}.{entry[10:14].hex()}.{entry[14:18].hex()}.{FIRST_STRIPE}"

    def copy_of(self, name):
        """Everything of a directory's object, for put_back."""
        return {key: self.attribute(name, key) for key in ("epoch", "version", "parent")}, self.entries(name)

    def put_back(self, name, copy):
        attributes, entries = copy
        for key, value in attributes.items():
            self.set_attribute(name, key, value)
        for key, value in entries.items():
            self.set_entry(name, key, value)
