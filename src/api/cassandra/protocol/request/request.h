// Decoded requests of clients: one struct for each kind. Everything views the body of the envelope
// it came in, which must outlive it. request_decoder.h makes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "api/cassandra/protocol/body/primitives.h"
#include "api/cassandra/protocol/consistency.h"

namespace orrery::cassandra {

struct StartupRequest {
  StringMap options;  // CQL_VERSION is among them
  // By name in any case; nothing when the client did not give it.
  std::optional<std::string_view> Find(std::string_view name) const;
};

struct OptionsRequest {};

struct AuthResponseRequest {
  std::optional<std::string_view> token;
};

struct RegisterRequest {
  bool topology_changes = false;
  bool status_changes = false;
  bool schema_changes = false;
};

// The context that a statement runs under, alone or in a batch.
struct StatementContext {
  Consistency consistency = Consistency::kOne;
  Consistency serial_consistency = Consistency::kSerial;  // as sent: may be no serial level
  std::optional<int64_t> timestamp_us;                    // default for the statements' cells
  std::optional<std::string_view> keyspace;               // v5; else the connection's
  std::optional<int32_t> now_in_seconds;                  // v5; for expiry, instead of the clock
};

struct QueryParameters {
  StatementContext context;
  std::vector<BoundValue> values;
  std::vector<std::string_view> names;  // one for each value, or none
  std::optional<int32_t> page_rows;     // not positive: unpaged
  std::optional<std::string_view> paging_state;
  bool skip_metadata = false;
};

struct QueryRequest {
  std::string_view query;
  QueryParameters parameters;
};

struct PrepareRequest {
  std::string_view query;
  std::optional<std::string_view> keyspace;  // v5
};

struct ExecuteRequest {
  std::string_view id;
  std::string_view result_metadata_id;  // v5, else empty
  QueryParameters parameters;
};

enum class BatchType : uint8_t { kLogged = 0, kUnlogged = 1, kCounter = 2 };

struct BatchStatement {
  bool prepared = false;
  std::string_view query_or_id;  // an id when `prepared`
  size_t values_begin = 0;       // into BatchRequest::values
  size_t values_count = 0;
};

struct BatchRequest {
  BatchType type = BatchType::kLogged;
  std::vector<BatchStatement> statements;
  std::vector<BoundValue> values;  // of all statements: one allocation, not one for each
  StatementContext context;

  std::span<const BoundValue> ValuesOf(const BatchStatement& statement) const {
    return std::span(values).subspan(statement.values_begin, statement.values_count);
  }
};

using Request = std::variant<StartupRequest, OptionsRequest, AuthResponseRequest, RegisterRequest,
                             QueryRequest, PrepareRequest, ExecuteRequest, BatchRequest>;

struct RequestMessage {
  Request request;
  std::vector<PayloadEntry> payload;
  bool tracing = false;  // the client wants a tracing id with the answer
};

}  // namespace orrery::cassandra
