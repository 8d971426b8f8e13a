#include "api/cassandra/protocol/request/request_writer.h"

#include <limits>
#include <utility>
#include <variant>
#include <vector>

#include "api/cassandra/protocol/body/body_writer.h"
#include "api/cassandra/protocol/frame/envelope.h"
#include "api/cassandra/protocol/request/query_parameters.h"
#include "base/check.h"

namespace orrery::cassandra {
namespace {

Opcode OpcodeOf(const Request& request) {
  // In the order of the variant.
  constexpr Opcode kOpcodes[] = {Opcode::kStartup,  Opcode::kOptions, Opcode::kAuthResponse,
                                 Opcode::kRegister, Opcode::kQuery,   Opcode::kPrepare,
                                 Opcode::kExecute,  Opcode::kBatch};
  static_assert(std::size(kOpcodes) == std::variant_size_v<Request>);
  return kOpcodes[request.index()];
}

void Append(std::string& out, const StartupRequest& request, ProtocolVersion) {
  AppendStringMap(out, request.options);
}

void Append(std::string&, const OptionsRequest&, ProtocolVersion) {}

void Append(std::string& out, const AuthResponseRequest& request, ProtocolVersion) {
  AppendNullableBytes(out, request.token);
}

void Append(std::string& out, const RegisterRequest& request, ProtocolVersion) {
  std::vector<std::string_view> events;
  if (request.topology_changes) events.push_back("TOPOLOGY_CHANGE");
  if (request.status_changes) events.push_back("STATUS_CHANGE");
  if (request.schema_changes) events.push_back("SCHEMA_CHANGE");
  AppendStringList(out, events);
}

void Append(std::string& out, const QueryRequest& request, ProtocolVersion version) {
  AppendLongString(out, request.query);
  AppendQueryParameters(out, request.parameters, version);
}

void Append(std::string& out, const PrepareRequest& request, ProtocolVersion version) {
  AppendLongString(out, request.query);
  if (version < ProtocolVersion::kV5) {
    ORRERY_CHECK(!request.keyspace);
    return;
  }
  AppendInt(out, request.keyspace ? kPrepareWithKeyspace : 0);
  if (request.keyspace) AppendString(out, *request.keyspace);
}

void Append(std::string& out, const ExecuteRequest& request, ProtocolVersion version) {
  AppendShortBytes(out, request.id);
  if (version >= ProtocolVersion::kV5) AppendShortBytes(out, request.result_metadata_id);
  AppendQueryParameters(out, request.parameters, version);
}

void Append(std::string& out, const BatchRequest& request, ProtocolVersion version) {
  ORRERY_CHECK(request.statements.size() <= std::numeric_limits<uint16_t>::max());
  AppendByte(out, static_cast<uint8_t>(request.type));
  AppendShort(out, static_cast<uint16_t>(request.statements.size()));
  for (const BatchStatement& statement : request.statements) {
    AppendByte(out, statement.prepared ? 1 : 0);
    if (statement.prepared) {
      AppendShortBytes(out, statement.query_or_id);
    } else {
      AppendLongString(out, statement.query_or_id);
    }
    AppendValues(out, request.ValuesOf(statement));
  }
  AppendBatchContext(out, request.context, version);
}

// Writes the header, then what `append_body` appends, then the size into the header.
template <typename AppendBody>
void WriteEnvelope(std::string& out, const RequestHead& head, Opcode opcode, uint8_t flags,
                   AppendBody append_body) {
  ORRERY_CHECK(head.stream >= 0);
  const size_t start = out.size();
  AppendEnvelopeHeader(out, Direction::kRequest, {head.version, flags, head.stream, opcode, 0});
  append_body();
  const size_t body_bytes = out.size() - start - kEnvelopeHeaderBytes;
  ORRERY_CHECK(body_bytes <= kBodyBytesMax);
  PatchInt(out, start + kEnvelopeHeaderBytes - sizeof(int32_t), static_cast<int32_t>(body_bytes));
}

}  // namespace

void WriteRequest(std::string& out, const RequestHead& head, const RequestMessage& message) {
  uint8_t flags = message.tracing ? kFlagTracing : 0;
  if (!message.payload.empty()) {
    ORRERY_CHECK(head.version >= ProtocolVersion::kV4);
    flags |= kFlagCustomPayload;
  }
  WriteEnvelope(out, head, OpcodeOf(message.request), flags, [&] {
    if (!message.payload.empty()) AppendBytesMap(out, message.payload);
    std::visit([&](const auto& request) { Append(out, request, head.version); }, message.request);
  });
}

void WriteExecute(std::string& out, const RequestHead& head, const ExecuteRequest& request) {
  WriteEnvelope(out, head, Opcode::kExecute, 0, [&] { Append(out, request, head.version); });
}

}  // namespace orrery::cassandra
