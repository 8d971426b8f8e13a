#include "api/cassandra/protocol/response/response_writer.h"

#include <array>

#include "api/cassandra/protocol/body/body_writer.h"
#include "api/cassandra/protocol/response/moved_event.h"
#include "api/cassandra/protocol/response/result_kind.h"

namespace orrery::cassandra {
namespace {

std::string_view NameOf(SchemaChangeKind kind) {
  static constexpr std::array<std::string_view, 3> kNames = {"CREATED", "UPDATED", "DROPPED"};
  return kNames[static_cast<uint8_t>(kind)];
}

std::string_view NameOf(SchemaTarget target) {
  static constexpr std::array<std::string_view, 5> kNames = {"KEYSPACE", "TABLE", "TYPE",
                                                             "FUNCTION", "AGGREGATE"};
  return kNames[static_cast<uint8_t>(target)];
}

void AppendSchemaChange(std::string& out, const SchemaChange& change, ProtocolVersion version) {
  const bool is_function =
      change.target == SchemaTarget::kFunction || change.target == SchemaTarget::kAggregate;
  if (is_function && version < ProtocolVersion::kV4) {
    AppendString(out, NameOf(SchemaChangeKind::kUpdated));
    AppendString(out, NameOf(SchemaTarget::kKeyspace));
    AppendString(out, change.keyspace);
    return;
  }
  AppendString(out, NameOf(change.kind));
  AppendString(out, NameOf(change.target));
  AppendString(out, change.keyspace);
  if (change.target != SchemaTarget::kKeyspace) AppendString(out, change.name);
  if (is_function) AppendStringList(out, change.argument_types);
}

ResponseHead EventHead(const ResponseHead& head) {
  return {.version = head.version,
          .stream = kEventStream,
          .compression = head.compression,
          .tracing_id = std::nullopt,
          .warnings = {},
          .payload = {}};
}

void WriteNodeEvent(std::string& out, const ResponseHead& head, std::string_view event,
                    std::string_view change, const InetEndpoint& node) {
  ResponseEnvelope envelope(out, Opcode::kEvent, EventHead(head));
  AppendString(out, event);
  AppendString(out, change);
  AppendEndpoint(out, node);
  envelope.Finish();
}

void WriteToken(std::string& out, const ResponseHead& head, Opcode opcode,
                const std::optional<std::string_view>& token) {
  ResponseEnvelope envelope(out, opcode, head);
  AppendNullableBytes(out, token);
  envelope.Finish();
}

}  // namespace

void WriteReady(std::string& out, const ResponseHead& head) {
  ResponseEnvelope(out, Opcode::kReady, head).Finish();
}

void WriteAuthenticate(std::string& out, const ResponseHead& head, std::string_view authenticator) {
  ResponseEnvelope envelope(out, Opcode::kAuthenticate, head);
  AppendString(out, authenticator);
  envelope.Finish();
}

void WriteAuthChallenge(std::string& out, const ResponseHead& head,
                        const std::optional<std::string_view>& token) {
  WriteToken(out, head, Opcode::kAuthChallenge, token);
}

void WriteAuthSuccess(std::string& out, const ResponseHead& head,
                      const std::optional<std::string_view>& token) {
  WriteToken(out, head, Opcode::kAuthSuccess, token);
}

void WriteSupported(std::string& out, const ResponseHead& head, const StringMultimap& options) {
  ResponseEnvelope envelope(out, Opcode::kSupported, head);
  AppendStringMultimap(out, options);
  envelope.Finish();
}

void WriteVoid(std::string& out, const ResponseHead& head) {
  ResponseEnvelope envelope(out, Opcode::kResult, head);
  AppendInt(out, kResultVoid);
  envelope.Finish();
}

void WriteSetKeyspace(std::string& out, const ResponseHead& head, std::string_view keyspace) {
  ResponseEnvelope envelope(out, Opcode::kResult, head);
  AppendInt(out, kResultSetKeyspace);
  AppendString(out, keyspace);
  envelope.Finish();
}

void WritePrepared(std::string& out, const ResponseHead& head, const PreparedStatement& prepared) {
  ResponseEnvelope envelope(out, Opcode::kResult, head);
  AppendInt(out, kResultPrepared);
  AppendShortBytes(out, prepared.id);
  if (head.version >= ProtocolVersion::kV5) AppendShortBytes(out, prepared.result_metadata_id);

  AppendInt(out, prepared.variables.one_table() ? kMetadataOneTable : 0);
  AppendInt(out, static_cast<int32_t>(prepared.variables.count()));
  if (head.version >= ProtocolVersion::kV4) {
    AppendInt(out, static_cast<int32_t>(prepared.partition_key_indexes.size()));
    for (const uint16_t index : prepared.partition_key_indexes) AppendShort(out, index);
  }
  out.append(prepared.variables.bytes());

  const ResultColumns& result = prepared.result;
  AppendInt(out, result.count() == 0 ? kMetadataNone : result.one_table() ? kMetadataOneTable : 0);
  AppendInt(out, static_cast<int32_t>(result.count()));
  out.append(result.bytes());
  envelope.Finish();
}

void WriteSchemaChange(std::string& out, const ResponseHead& head, const SchemaChange& change) {
  ResponseEnvelope envelope(out, Opcode::kResult, head);
  AppendInt(out, kResultSchemaChange);
  AppendSchemaChange(out, change, head.version);
  envelope.Finish();
}

void WriteSchemaEvent(std::string& out, const ResponseHead& head, const SchemaChange& change) {
  ResponseEnvelope envelope(out, Opcode::kEvent, EventHead(head));
  AppendString(out, "SCHEMA_CHANGE");
  AppendSchemaChange(out, change, head.version);
  envelope.Finish();
}

void WriteTopologyEvent(std::string& out, const ResponseHead& head, TopologyChange change,
                        const InetEndpoint& node) {
  WriteNodeEvent(out, head, "TOPOLOGY_CHANGE",
                 change == TopologyChange::kNewNode ? "NEW_NODE" : "REMOVED_NODE", node);
}

void WriteMovedEvent(std::string& out, const ResponseHead& head, const InetEndpoint& node) {
  WriteNodeEvent(out, head, "TOPOLOGY_CHANGE", "MOVED_NODE", node);
}

void WriteStatusEvent(std::string& out, const ResponseHead& head, NodeStatus status,
                      const InetEndpoint& node) {
  WriteNodeEvent(out, head, "STATUS_CHANGE", status == NodeStatus::kUp ? "UP" : "DOWN", node);
}

}  // namespace orrery::cassandra
