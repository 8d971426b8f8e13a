#include "api/cassandra/protocol/response/response_envelope.h"

#include <fmt/format.h>

#include "api/cassandra/protocol/body/body_reader.h"
#include "api/cassandra/protocol/body/body_writer.h"
#include "api/cassandra/protocol/error_code.h"
#include "api/cassandra/protocol/frame/envelope_layout.h"
#include "base/check.h"

namespace orrery::cassandra {

ResponseEnvelope::ResponseEnvelope(std::string& out, Opcode opcode, const ResponseHead& head)
    : out_(out),
      start_(out.size()),
      compression_(head.version < ProtocolVersion::kV5 ? head.compression : Compression::kNone) {
  const bool has_extras = head.version >= ProtocolVersion::kV4;
  const bool has_warnings = has_extras && !head.warnings.empty();
  const bool has_payload = has_extras && !has_warnings && !head.payload.empty();
  uint8_t flags = 0;
  if (head.tracing_id.has_value()) flags |= kFlagTracing;
  if (has_warnings) flags |= kFlagWarnings;
  if (has_payload) flags |= kFlagCustomPayload;
  AppendEnvelopeHeader(out_, Direction::kResponse,
                       {.version = head.version,
                        .flags = flags,
                        .stream = head.stream,
                        .opcode = opcode,
                        .body_bytes = 0});
  if (head.tracing_id.has_value()) AppendUuid(out_, *head.tracing_id);
  if (has_warnings) AppendStringList(out_, head.warnings);
  if (has_payload) {
    payload_start_ = out_.size();
    AppendBytesMap(out_, head.payload);
  }
  message_start_ = out_.size();
}

void ResponseEnvelope::SetPayloadValue(std::string_view key, std::string_view value) {
  if (payload_start_ == 0) return;
  BodyReader reader(std::string_view(out_).substr(payload_start_, message_start_ - payload_start_));
  for (const PayloadEntry& entry : reader.BytesMap()) {
    if (entry.key != key || !entry.value.has_value()) continue;
    ORRERY_CHECK(entry.value->size() == value.size());
    const auto offset = static_cast<size_t>(entry.value->data() - out_.data());
    out_.replace(offset, value.size(), value);
    return;
  }
}

void ResponseEnvelope::ReplaceByTooBig(size_t body_bytes) {
  const size_t body_start = start_ + kEnvelopeHeaderBytes;
  out_.resize(body_start);
  out_[start_ + kFlagsOffset] = 0;
  out_[start_ + kOpcodeOffset] = static_cast<char>(Opcode::kError);
  AppendInt(out_, static_cast<int32_t>(ErrorCode::kServerError));
  AppendString(out_, fmt::format("The response has {} bytes, more than the {} that a message can "
                                 "have; ask for smaller pages",
                                 body_bytes, kBodyBytesMax));
}

void ResponseEnvelope::Finish() {
  const size_t body_start = start_ + kEnvelopeHeaderBytes;
  const size_t body_bytes = out_.size() - body_start;
  if (body_bytes > kBodyBytesMax) ReplaceByTooBig(body_bytes);
  if (compression_ != Compression::kNone && CompressTail(compression_, out_, body_start)) {
    out_[start_ + kFlagsOffset] |= kFlagCompressed;
  }
  PatchInt(out_, start_ + kSizeOffset, static_cast<int32_t>(out_.size() - body_start));
}

}  // namespace orrery::cassandra
