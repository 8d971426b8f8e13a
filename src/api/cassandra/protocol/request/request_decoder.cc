#include "api/cassandra/protocol/request/request_decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "api/cassandra/protocol/body/body_reader.h"
#include "api/cassandra/protocol/request/query_parameters.h"

namespace orrery::cassandra {
namespace {

// The kind byte, an empty text or id, and no values.
constexpr size_t kBatchStatementBytesMin = 5;

StartupRequest ReadStartup(BodyReader& reader) {
  StartupRequest startup{reader.ReadStringMap()};
  if (!startup.Find("CQL_VERSION")) reader.Refuse("Missing value CQL_VERSION in STARTUP message");
  return startup;
}

RegisterRequest ReadRegister(BodyReader& reader) {
  RegisterRequest request;
  for (const std::string_view event : reader.StringList()) {
    if (event == "TOPOLOGY_CHANGE") {
      request.topology_changes = true;
    } else if (event == "STATUS_CHANGE") {
      request.status_changes = true;
    } else if (event == "SCHEMA_CHANGE") {
      request.schema_changes = true;
    } else {
      reader.Refuse(fmt::format("Invalid value '{}' for an event type", event));
    }
  }
  return request;
}

QueryRequest ReadQuery(BodyReader& reader, ProtocolVersion version) {
  QueryRequest request;
  request.query = reader.LongString();
  request.parameters = ReadQueryParameters(reader, version);
  return request;
}

PrepareRequest ReadPrepare(BodyReader& reader, ProtocolVersion version) {
  PrepareRequest request;
  request.query = reader.LongString();
  if (version < ProtocolVersion::kV5) return request;
  const auto flags = static_cast<uint32_t>(reader.Int());
  // Others are ignored, as by Cassandra.
  if ((flags & kPrepareWithKeyspace) != 0) request.keyspace = reader.String();
  return request;
}

ExecuteRequest ReadExecute(BodyReader& reader, ProtocolVersion version) {
  ExecuteRequest request;
  request.id = reader.ShortBytes();
  if (version >= ProtocolVersion::kV5) request.result_metadata_id = reader.ShortBytes();
  request.parameters = ReadQueryParameters(reader, version);
  return request;
}

BatchType ReadBatchType(BodyReader& reader) {
  const uint8_t type = reader.Byte();
  if (type > static_cast<uint8_t>(BatchType::kCounter)) {
    reader.Refuse(fmt::format("Invalid BATCH message type {}", type));
    return BatchType::kLogged;
  }
  return static_cast<BatchType>(type);
}

BatchStatement ReadBatchStatement(BodyReader& reader, ProtocolVersion version,
                                  std::vector<BoundValue>& values) {
  BatchStatement statement;
  const uint8_t kind = reader.Byte();
  if (kind > 1) {
    reader.Refuse(
        fmt::format("Invalid query kind in BATCH messages. Must be 0 or 1 but got {}", kind));
  }
  statement.prepared = kind == 1;
  statement.query_or_id = statement.prepared ? reader.ShortBytes() : reader.LongString();
  statement.values_begin = values.size();
  statement.values_count = ReadValues(reader, version, values);
  return statement;
}

BatchRequest ReadBatch(BodyReader& reader, ProtocolVersion version) {
  BatchRequest request;
  request.type = ReadBatchType(reader);
  const size_t count = reader.Short();
  request.statements.reserve(std::min(count, reader.remaining() / kBatchStatementBytesMin));
  for (size_t i = 0; i < count && reader.ok(); ++i) {
    request.statements.push_back(ReadBatchStatement(reader, version, request.values));
  }
  request.context = ReadBatchContext(reader, version);
  return request;
}

Request ReadRequest(Opcode opcode, ProtocolVersion version, BodyReader& reader) {
  switch (opcode) {
    case Opcode::kStartup:
      return ReadStartup(reader);
    case Opcode::kOptions:
      return OptionsRequest{};
    case Opcode::kAuthResponse:
      return AuthResponseRequest{reader.Bytes()};
    case Opcode::kRegister:
      return ReadRegister(reader);
    case Opcode::kQuery:
      return ReadQuery(reader, version);
    case Opcode::kPrepare:
      return ReadPrepare(reader, version);
    case Opcode::kExecute:
      return ReadExecute(reader, version);
    case Opcode::kBatch:
      return ReadBatch(reader, version);
    default:
      reader.Refuse(fmt::format("{} is no request", OpcodeName(opcode)));
      return OptionsRequest{};
  }
}

}  // namespace

std::optional<std::string_view> StartupRequest::Find(std::string_view name) const {
  for (const auto& [key, value] : options) {
    const bool same = std::ranges::equal(key, name, [](unsigned char a, unsigned char b) {
      return std::toupper(a) == std::toupper(b);
    });
    if (same) return value;
  }
  return std::nullopt;
}

Result<RequestMessage> DecodeRequest(const Envelope& envelope) {
  const EnvelopeHeader& header = envelope.header;
  BodyReader reader(envelope.body);
  RequestMessage message;
  message.tracing = (header.flags & kFlagTracing) != 0;
  if ((header.flags & kFlagCustomPayload) != 0) {
    if (header.version < ProtocolVersion::kV4) {
      reader.Refuse("Received frame with CUSTOM_PAYLOAD flag for native protocol version < 4");
    }
    message.payload = reader.BytesMap();
  }
  message.request = ReadRequest(header.opcode, header.version, reader);
  ORRERY_TRY(reader.status());
  return message;
}

}  // namespace orrery::cassandra
