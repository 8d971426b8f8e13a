"""Speaks CQL through the Python driver, but keeps what the driver would interpret: value bytes, error codes, warnings."""
import re
import struct

from cassandra import AuthenticationFailed
from cassandra.auth import PlainTextAuthProvider
from cassandra.cluster import Cluster, ExecutionProfile, EXEC_PROFILE_DEFAULT, NoHostAvailable, ResponseFuture
from cassandra.policies import FallthroughRetryPolicy, WhiteListRoundRobinPolicy
from cassandra.protocol import ErrorMessage, ResultMessage, _ProtocolHandler, read_int, read_string
from cassandra.query import BoundStatement, SimpleStatement, UNSET_VALUE, tuple_factory

import cassandra_values

ERROR_KINDS = {
    0x0000: "server", 0x000A: "protocol", 0x0100: "bad_credentials", 0x1000: "unavailable", 0x1001: "overloaded",
    0x1003: "truncate", 0x1100: "write_timeout", 0x1200: "read_timeout", 0x1300: "read_failure",
    0x1400: "function_failure", 0x1500: "write_failure", 0x2000: "syntax", 0x2100: "unauthorized", 0x2200: "invalid",
    0x2300: "config", 0x2400: "already_exists", 0x2500: "unprepared",
}
TIMEOUT_S = 20
DEFAULT_PAGE = 5000
PAGES_MAX = 10_000


class CqlError(Exception):
    """An error of the server: .kind, a name of ERROR_KINDS, and its text."""

    def __init__(self, kind, text):
        super().__init__(text)
        self.kind = kind


class _Error(ErrorMessage):
    """Keeps the code; without its own subclass per code the driver neither retries nor prepares again."""

    name = "ERROR"

    @classmethod
    def recv_body(cls, f, protocol_version, user_type_map, result_metadata):
        return cls(read_int(f), read_string(f), None)

    def to_exception(self):
        return CqlError(ERROR_KINDS.get(self.code, hex(self.code)), self.message)


class _Result(ResultMessage):
    """Leaves values as bytes."""

    def recv_results_rows(self, f, protocol_version, user_type_map, result_metadata):
        self.recv_results_metadata(f, user_type_map)
        columns = self.column_metadata or result_metadata
        self.column_names = [column[2] for column in columns]
        self.column_types = [column[3] for column in columns]
        self.parsed_rows = [tuple(self.recv_row(f, len(columns))) for _ in range(read_int(f))]


class _Handler(_ProtocolHandler):
    message_types_by_opcode = {**_ProtocolHandler.message_types_by_opcode, _Error.opcode: _Error, _Result.opcode: _Result}


class Answer:
    """.columns as "name type", .rows as lists of literals, .warnings, .charge in request units (of the first page).

    There are no columns when the statement has no rows, and no charge when the server tells none.
    """

    def __init__(self):
        self.columns = None
        self.rows = []
        self.warnings = []
        self.charge = None


def _charge(payload):
    return struct.unpack(">d", payload["RequestCharge"])[0] if payload and "RequestCharge" in payload else None


class Client:
    """One login on one server."""

    def __init__(self, host, port, user="cassandra", password="cassandra", protocol=4):
        profile = ExecutionProfile(
            load_balancing_policy=WhiteListRoundRobinPolicy([host]), retry_policy=FallthroughRetryPolicy(),
            request_timeout=TIMEOUT_S, row_factory=tuple_factory)
        # No schema, tokens or agreement: a suite that makes thousands of tables would read them all each time.
        self._cluster = Cluster(
            [host], port=port, auth_provider=PlainTextAuthProvider(user, password), protocol_version=protocol,
            execution_profiles={EXEC_PROFILE_DEFAULT: profile}, schema_metadata_enabled=False,
            token_metadata_enabled=False, max_schema_agreement_wait=0)
        try:
            self._session = self._cluster.connect()
        except NoHostAvailable as failure:
            refused = [e for e in failure.errors.values() if isinstance(e, AuthenticationFailed)]
            if refused:
                raise CqlError("bad_credentials", re.sub(r'^.* message="(.*)"$', r"\1", str(refused[0]))) from None
            raise
        self._session.client_protocol_handler = _Handler
        self._session.use_client_timestamp = False

    def close(self):
        self._cluster.shutdown()

    def _prepare(self, text, literals):
        prepared = self._session.prepare(text)
        values = cassandra_values.parse_values(literals)
        types = [column.type for column in prepared.column_metadata]
        if len(values) != len(types):
            raise ValueError(f"{len(values)} values for {len(types)} markers")
        bound = BoundStatement(prepared)
        bound.values = [
            UNSET_VALUE if v is cassandra_values.UNSET else cassandra_values.encode_value(v, t)
            for v, t in zip(values, types)]
        return bound

    def run(self, text, bind=None, page=DEFAULT_PAGE, pages=PAGES_MAX):
        """Runs a statement for `pages` pages of `page` rows (0: unpaged) or to the last; prepared when `bind` is given. Raises CqlError."""
        statement = SimpleStatement(text) if bind is None else self._prepare(text, bind)
        statement.fetch_size = page
        future = self._session.execute_async(statement)
        answer = Answer()
        for read in range(1, pages + 1):
            page_rows = future.result()
            if read == 1:
                answer.charge = _charge(future.custom_payload)
            answer.warnings += future.warnings or []
            if future._col_types is None:
                return answer
            names = map(str, future._col_names)
            answer.columns = [f"{n} {cassandra_values.type_name(t)}" for n, t in zip(names, future._col_types)]
            answer.rows += [list(map(cassandra_values.format_value, row, future._col_types)) for row in page_rows.current_rows]
            if read == pages or not future.has_more_pages:
                return answer
            future.start_fetching_next_page()


# Statements are prepared by futures that the driver makes itself.
ResponseFuture._protocol_handler = _Handler
