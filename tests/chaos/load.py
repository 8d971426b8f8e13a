"""Threads that do the workload's steps at a modest, steady rate until they are told to stop."""
import collections
import threading
import time

import cql
from workload import KEYSPACE, Client, rng_of

CLIENTS_PER_NODE = 4
OPERATIONS_PER_SECOND = 240
UNREACHABLE_SECONDS = 0.3
STOP_SECONDS = cql.REQUEST_SECONDS + 10


class Load:
    def __init__(self, deployment, workload, seed):
        self._workload = workload
        self._seed = seed
        self._clusters = []
        self.clients = []  # one for each thread
        self.per_node = []
        self._ended = threading.Event()
        self._threads = []
        self._lock = threading.Lock()
        self.operations = 0
        self.errors = collections.Counter()
        self.broken = []  # exceptions that are no outcome of an operation
        self._pause = CLIENTS_PER_NODE * len(deployment.nodes) / OPERATIONS_PER_SECOND
        for node in deployment.nodes:
            cluster, session = cql.connect(node, KEYSPACE)
            self._clusters.append(cluster)
            mine = [Client(len(self.clients) + n, session) for n in range(CLIENTS_PER_NODE)]
            self.clients += mine
            self.per_node.append(mine[0])

    def start(self):
        for client in self.clients:
            thread = threading.Thread(target=self._run, args=(client,), daemon=True)
            thread.start()
            self._threads.append(thread)

    def stop(self):
        self._ended.set()
        deadline = time.monotonic() + STOP_SECONDS
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))
            if thread.is_alive():
                self.broken.append("a client hangs: a request was not answered, and did not time out")

    def disconnect(self):
        for cluster in self._clusters:
            cluster.shutdown()

    def _run(self, client):
        rng = rng_of(self._seed, client.number)
        next_at = time.monotonic()
        while not self._ended.is_set():
            try:
                attempt = self._workload.step(client, rng)
            except Exception as error:  # a wrong statement, or a fault of this program: the run ends
                with self._lock:
                    self.broken.append(f"{type(error).__name__}: {error}")
                return
            with self._lock:
                self.operations += 1
                if attempt.error is not None:
                    self.errors[f"{type(attempt.error).__name__}"] += 1
            if attempt.unreachable():
                self._ended.wait(UNREACHABLE_SECONDS)
            # Late steps are left out, not caught up: a pause must not end in a flood.
            next_at = max(next_at + self._pause, time.monotonic() - self._pause)
            self._ended.wait(max(0.0, next_at - time.monotonic()))
