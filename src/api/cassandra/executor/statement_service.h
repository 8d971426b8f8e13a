// The interface from connections to statements: what a QUERY, PREPARE, EXECUTE or BATCH comes to.
//
// `done` is called exactly once: within the call when nothing had to be waited for (a cached read,
// an error), else later from any thread. It must not block. Requests are views into the
// connection's buffer and are not touched after the call returns.
//
// Thread-safe. Must outlive every call of `done`: stop the I/O pool before destroying it.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "api/cassandra/executor/client.h"
#include "api/cassandra/executor/outcome.h"
#include "api/cassandra/protocol/cql_result.h"
#include "api/cassandra/protocol/request/request.h"
#include "base/request_context.h"

namespace orrery::cassandra {

// The facts of a message that concern its statement beside the request itself.
struct MessageContext {
  ClientPtr client;
  std::span<const PayloadEntry> payload;
  // Set when the client asked for tracing: the session's id, under which events are recorded.
  std::optional<Uuid> tracing_id;
  // The context that says when to stop. Valid during the call: copy it to keep it.
  const RequestContext& request;
};

struct PreparedInfo {
  std::string id;  // 16 bytes, of the text and the keyspace: the same after a restart
  ColumnShapePtr variables;
  std::vector<uint16_t> partition_key_indexes;  // see response_writer.h
  ColumnShapePtr result;                        // null: gives no rows
};

class StatementService {
 public:
  using Done = std::move_only_function<void(Outcome)>;

  virtual ~StatementService() = default;

  virtual void Query(const QueryRequest& request, const MessageContext& context, Done done) = 0;
  virtual CqlResult<PreparedInfo> Prepare(const PrepareRequest& request,
                                          const MessageContext& context) = 0;
  // An id that is not known here gives ErrorCode::kUnprepared; drivers then prepare again.
  virtual void Execute(const ExecuteRequest& request, const MessageContext& context, Done done) = 0;
  virtual void Batch(const BatchRequest& request, const MessageContext& context, Done done) = 0;
  // Returns the text that was prepared under an id; empty when it is not here.
  virtual std::string PreparedText(std::string_view /*id*/) { return {}; }
};

}  // namespace orrery::cassandra
