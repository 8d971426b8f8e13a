// Decoded responses of a server: one struct for each kind. Everything but column types views the
// body of the envelope it came in, which must outlive it. response_reader.h makes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "api/cassandra/protocol/body/primitives.h"
#include "api/cassandra/protocol/body/wire_type.h"
#include "api/cassandra/protocol/error_code.h"

namespace orrery::cassandra {

struct ErrorResponse {
  ErrorCode code = ErrorCode::kServerError;  // may be none of the named ones
  std::string_view message;
  std::string_view unprepared_id;  // kUnprepared
};

struct ReadyResponse {};
struct AuthenticateResponse {
  std::string_view authenticator;
};
struct AuthChallengeResponse {
  std::optional<std::string_view> token;
};
struct AuthSuccessResponse {
  std::optional<std::string_view> token;
};
struct SupportedResponse {
  StringMultimap options;
};
// Of a schema, of a node or of the topology; what follows the kind is not decoded.
struct EventResponse {
  std::string_view kind;
};

struct ColumnDescription {
  std::string_view keyspace;
  std::string_view table;
  std::string_view name;
  WireType type;
};

struct VoidResult {};
struct SetKeyspaceResult {
  std::string_view keyspace;
};
struct SchemaChangeResult {
  std::string_view change;  // "CREATED"
  std::string_view target;  // "TABLE"
  std::string_view keyspace;
};
struct PreparedResult {
  std::string_view id;
  std::string_view result_metadata_id;  // v5, else empty
  std::vector<ColumnDescription> variables;
  std::vector<uint16_t> partition_key_indexes;  // v4 on
  std::vector<ColumnDescription> columns;
};
struct RowsResult {
  size_t row_count = 0;
  size_t column_count = 0;
  std::vector<ColumnDescription> columns;  // none when the client asked to leave them out
  std::vector<std::optional<std::string_view>> cells;  // row after row
  std::optional<std::string_view> paging_state;        // there are more pages
  std::optional<std::string_view> new_metadata_id;     // v5
};

using Response =
    std::variant<ErrorResponse, ReadyResponse, AuthenticateResponse, AuthChallengeResponse,
                 AuthSuccessResponse, SupportedResponse, EventResponse, VoidResult,
                 SetKeyspaceResult, SchemaChangeResult, PreparedResult, RowsResult>;

struct ResponseMessage {
  Response response;
  std::optional<Uuid> tracing_id;
  std::vector<std::string_view> warnings;
  std::vector<PayloadEntry> payload;
};

}  // namespace orrery::cassandra
