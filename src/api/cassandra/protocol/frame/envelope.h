// The envelope around every message, the same in v3, v4 and v5 (where envelopes travel inside the
// frames of frame.h).
//
//   envelope := version:uint8 flags:uint8 stream:int16 opcode:uint8 size:int32 body   ; big-endian
//   version  := 3 | 4 | 5, in responses with the high bit set
//   flags    := 01 body compressed (v3, v4) | 02 tracing | 04 custom payload | 08 warnings
//             | 10 beta version        ; unknown ones are ignored
//
// Pure functions over bytes: what is at the head of this buffer? A message that cannot be taken is
// *refused*, with all that the server needs to answer it: on which stream, in which version, and
// whether the connection can go on after it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "api/cassandra/protocol/error_code.h"
#include "api/cassandra/protocol/opcode.h"
#include "api/cassandra/protocol/protocol_version.h"

namespace orrery::cassandra {

inline constexpr size_t kEnvelopeHeaderBytes = 9;
inline constexpr size_t kBodyBytesMax = size_t{256} << 20;
inline constexpr int16_t kEventStream = -1;

inline constexpr uint8_t kFlagCompressed = 0x01;
inline constexpr uint8_t kFlagTracing = 0x02;
inline constexpr uint8_t kFlagCustomPayload = 0x04;
inline constexpr uint8_t kFlagWarnings = 0x08;

enum class Direction : uint8_t { kRequest, kResponse };

struct EnvelopeHeader {
  ProtocolVersion version = kProtocolVersionMax;
  uint8_t flags = 0;
  int16_t stream = 0;
  Opcode opcode = Opcode::kError;
  uint32_t body_bytes = 0;
};

// Views the bytes it was decoded from.
struct Envelope {
  EnvelopeHeader header;
  std::string_view body;
  size_t size() const { return kEnvelopeHeaderBytes + body.size(); }
};

struct EnvelopeError {
  CqlError error;
  // The version to answer in: the message's own, or the highest there is for an unknown one.
  ProtocolVersion version = kProtocolVersionMax;
  int16_t stream = 0;
  // The offset of the next envelope. 0: unknown; answer, then close.
  size_t skip_bytes = 0;

  bool fatal() const { return skip_bytes == 0; }
};

struct EnvelopeRules {
  Direction direction = Direction::kRequest;
  // Once the first message has fixed it.
  std::optional<ProtocolVersion> version;
  size_t body_bytes_max = kBodyBytesMax;
};

// Nothing when `bytes` end before the envelope does; an envelope never reads beyond its own size.
std::expected<std::optional<Envelope>, EnvelopeError> DecodeEnvelope(std::string_view bytes,
                                                                     const EnvelopeRules& rules);

// Returns how many bytes the envelope at the head of `bytes` takes, header included, as it says
// itself. REQUIRES: kEnvelopeHeaderBytes bytes.
size_t AnnouncedEnvelopeBytes(std::string_view bytes);

void AppendEnvelopeHeader(std::string& out, Direction direction, const EnvelopeHeader& header);

}  // namespace orrery::cassandra
