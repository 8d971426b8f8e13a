"""A running development cluster: Ceph and the nodes on it, from the first process to the last."""


class Session:
    def __init__(self, directory, nodes):
        self._directory = directory
        self._ceph = directory.ceph
        self._nodes = nodes

    def start(self, osds, progress):
        with progress.step(f"Ceph: one monitor, one manager, {osds} disks (about 15 s) ..."):
            self._ceph.start(osds=osds, size=4, min_size=3, die_with_us=True)
        # The first makes the cluster, the others join it.
        first, *others = self._nodes
        with progress.step(f"{first.name}: {first.address} ..."):
            self._start_node(first)
            first.wait_ready()
        if others:
            with progress.step(f"{others[0].name} to {others[-1].number}: {others[0].address} and on ..."):
                for node in others:
                    self._start_node(node)
                for node in others:
                    node.wait_ready()

    def _start_node(self, node):
        node.start(self._directory.node(node.number), self._ceph.conf)

    def watch(self):
        """Tells what has ended since; False when no node is left."""
        return any([node.watch() for node in self._nodes])

    def stop(self, progress):
        with progress.step("ending the nodes, then Ceph ..."):
            for node in self._nodes:
                node.ask_to_stop()
            for node in self._nodes:
                node.stop()
            if self._directory.keep:
                self._ceph.stop()
        if self._directory.keep:
            print(f"the data is kept in {self._directory.root}", flush=True)

    def environment(self):
        return {"ORRERY_URL": self._nodes[0].url,  # what the verbs of `orrery` talk to
                "CLUSTER_URLS": ",".join(node.url for node in self._nodes),
                "CLUSTER_ADDRESSES": ",".join(node.address for node in self._nodes),
                "CLUSTER_PIDS": ",".join(str(node.pid) for node in self._nodes),
                "CLUSTER_CEPH": str(self._ceph.root)}

    def welcome(self, seconds, binary):
        lines = [f"\nA cluster of {len(self._nodes)} nodes on a private Ceph, ready after {seconds:.0f} s. Any node takes "
                 "any request."]
        for node in self._nodes:
            lines.append(f"  {node.name}, {node.address}, pid {node.pid}")
            lines += [f"    {api:<10} {text}" for api, text in node.connection_lines()]
        last, ceph = self._nodes[-1], self._ceph.root
        lines += ["Look at it:",
                  f"  {binary} status --url {last.url}",
                  f"  {binary} partitions --url {last.url}",
                  f"  tools/ceph status {ceph}",
                  "Break it:",
                  f"  kill -9 {last.pid}                  a node: the others take its partitions over",
                  f"  tools/ceph kill-osd {ceph} 2",
                  "End it with Ctrl-C."]
        return "\n".join(lines)
