"""Sessions on one node each, that never repeat a statement by themselves, and what an error of one means."""
from cassandra import AlreadyExists, InvalidRequest, RequestExecutionException, Unauthorized
from cassandra.cluster import EXEC_PROFILE_DEFAULT, Cluster, ExecutionProfile, NoHostAvailable
from cassandra.connection import ConnectionException
from cassandra.policies import (ConstantReconnectionPolicy, FallthroughRetryPolicy, HostFilterPolicy,
                                RoundRobinPolicy)
from cassandra.protocol import OverloadedErrorMessage, SyntaxException
from cassandra.query import tuple_factory

# Longer than a take-over: a client that gives up early only makes outcomes unknown.
REQUEST_SECONDS = 20
RECONNECT_SECONDS = 0.3
CONNECT_SECONDS = 10

# The statement was wrong, not the cluster: the run must not go on.
WRONG = (InvalidRequest, SyntaxException, Unauthorized, AlreadyExists)
# Refused before anything was done; or never sent: a connection that broke later is another exception, as
# nothing is tried again on another host.
THROTTLED = OverloadedErrorMessage
REFUSED = (THROTTLED, NoHostAvailable)
UNREACHABLE = (NoHostAvailable, ConnectionException)


def connect(node, keyspace=None):
    """A (driver cluster, session) that talks to this node only, although it hears of the others."""
    profile = ExecutionProfile(
        load_balancing_policy=HostFilterPolicy(RoundRobinPolicy(), lambda host: host.endpoint.address == node.address),
        retry_policy=FallthroughRetryPolicy(), request_timeout=REQUEST_SECONDS, row_factory=tuple_factory)
    cluster = Cluster([node.address], port=node.cql_port, execution_profiles={EXEC_PROFILE_DEFAULT: profile},
                      protocol_version=4, connect_timeout=CONNECT_SECONDS, control_connection_timeout=CONNECT_SECONDS,
                      reconnection_policy=ConstantReconnectionPolicy(RECONNECT_SECONDS, max_attempts=None),
                      schema_metadata_enabled=False, token_metadata_enabled=False)
    session = cluster.connect(keyspace)
    # Times of writes are the server's: those of several clients would order writes by their clocks.
    session.use_client_timestamp = False
    return cluster, session


def outcome_of(error):
    """'fail' if the statement certainly had no effect, else 'unknown'; an error of the run is raised again."""
    if isinstance(error, WRONG):
        raise error
    return "fail" if isinstance(error, REFUSED) else "unknown"


def is_known(error):
    """Whether the driver or the server said it, so that it is an outcome and no fault of the run."""
    return isinstance(error, (RequestExecutionException, *UNREACHABLE)) or type(error).__module__.startswith("cassandra")
