#include "api/cassandra/protocol/frame/envelope.h"

#include <fmt/format.h>

#include <utility>

#include "api/cassandra/protocol/body/body_writer.h"
#include "api/cassandra/protocol/frame/envelope_layout.h"
#include "base/bytes.h"
#include "base/check.h"

namespace orrery::cassandra {
namespace {

constexpr uint8_t kResponseBit = 0x80;
// Version, flags and stream: all that is needed to refuse a version. Not more, because the headers
// of v1 and v2 are a byte shorter and their shortest message would never be complete.
constexpr size_t kRefusableBytes = 4;

std::string_view DirectionName(Direction direction) {
  return direction == Direction::kRequest ? "REQUEST" : "RESPONSE";
}

int16_t StreamOf(std::string_view bytes, int version) {
  if (version < 3) return static_cast<int8_t>(bytes[kStreamOffset]);
  return LoadBigEndian<int16_t>(bytes.data() + kStreamOffset);
}

std::unexpected<EnvelopeError> Refuse(CqlError error, const EnvelopeHeader& header,
                                      size_t skip_bytes) {
  return std::unexpected(
      EnvelopeError{std::move(error), header.version, header.stream, skip_bytes});
}

bool IsSupported(int version) {
  return version >= VersionNumber(kProtocolVersionMin) &&
         version <= VersionNumber(kProtocolVersionMax);
}

// Drivers read the greatest version out of this text, or look for "unsupported protocol version".
CqlError UnsupportedVersion(int version) {
  return ProtocolError(
      fmt::format("Invalid or unsupported protocol version ({}); the lowest supported version is "
                  "{} and the greatest is {}",
                  version, VersionNumber(kProtocolVersionMin), VersionNumber(kProtocolVersionMax)));
}

CqlError WrongDirection(Direction expected, Direction got) {
  return ProtocolError(fmt::format("Wrong protocol direction (expected {}, got {})",
                                   DirectionName(expected), DirectionName(got)));
}

CqlError WrongVersion(ProtocolVersion got, ProtocolVersion expected) {
  return ProtocolError(
      fmt::format("Invalid message version. Got {0}/v{0} but previous messages on this connection "
                  "had version {1}/v{1}",
                  VersionNumber(got), VersionNumber(expected)));
}

CqlError TooBig(size_t size, size_t size_max) {
  return {ErrorCode::kInvalid,
          fmt::format("Request is too big: length {} exceeds maximum allowed length {}.", size,
                      size_max),
          {}};
}

}  // namespace

std::expected<std::optional<Envelope>, EnvelopeError> DecodeEnvelope(std::string_view bytes,
                                                                     const EnvelopeRules& rules) {
  if (bytes.size() < kRefusableBytes) return std::nullopt;
  const auto version_byte = static_cast<uint8_t>(bytes[0]);
  const int version = version_byte & ~kResponseBit;
  EnvelopeHeader header;
  header.flags = static_cast<uint8_t>(bytes[1]);
  header.stream = StreamOf(bytes, version);
  if (!IsSupported(version)) return Refuse(UnsupportedVersion(version), header, 0);
  header.version = static_cast<ProtocolVersion>(version);
  const Direction direction =
      (version_byte & kResponseBit) != 0 ? Direction::kResponse : Direction::kRequest;
  if (direction != rules.direction) {
    return Refuse(WrongDirection(rules.direction, direction), header, 0);
  }

  if (bytes.size() < kEnvelopeHeaderBytes) return std::nullopt;
  const auto announced = LoadBigEndian<int32_t>(bytes.data() + kSizeOffset);
  if (announced < 0) {
    return Refuse(ProtocolError(fmt::format("Invalid body length {}", announced)), header, 0);
  }
  header.body_bytes = static_cast<uint32_t>(announced);
  const size_t size = kEnvelopeHeaderBytes + header.body_bytes;
  if (rules.version.has_value() && *rules.version != header.version) {
    EnvelopeHeader answer = header;
    answer.version = *rules.version;
    return Refuse(WrongVersion(header.version, *rules.version), answer, 0);
  }
  if (header.body_bytes > rules.body_bytes_max) {
    return Refuse(TooBig(header.body_bytes, rules.body_bytes_max), header, size);
  }
  const auto opcode_byte = static_cast<uint8_t>(bytes[kOpcodeOffset]);
  const std::optional<Opcode> opcode = ToOpcode(opcode_byte);
  if (!opcode) {
    return Refuse(ProtocolError(fmt::format("Unknown opcode {}", opcode_byte)), header, size);
  }
  if (IsRequestOpcode(*opcode) != (direction == Direction::kRequest)) {
    return Refuse(ProtocolError(fmt::format("Wrong protocol direction for opcode {} ({})",
                                            opcode_byte, OpcodeName(*opcode))),
                  header, size);
  }
  header.opcode = *opcode;
  if (bytes.size() < size) return std::nullopt;
  return Envelope{header, bytes.substr(kEnvelopeHeaderBytes, header.body_bytes)};
}

size_t AnnouncedEnvelopeBytes(std::string_view bytes) {
  ORRERY_CHECK(bytes.size() >= kEnvelopeHeaderBytes);
  return kEnvelopeHeaderBytes + LoadBigEndian<uint32_t>(bytes.data() + kSizeOffset);
}

void AppendEnvelopeHeader(std::string& out, Direction direction, const EnvelopeHeader& header) {
  const uint8_t bit = direction == Direction::kResponse ? kResponseBit : 0;
  AppendByte(out, static_cast<uint8_t>(VersionNumber(header.version) | bit));
  AppendByte(out, header.flags);
  AppendShort(out, static_cast<uint16_t>(header.stream));
  AppendByte(out, static_cast<uint8_t>(header.opcode));
  AppendInt(out, static_cast<int32_t>(header.body_bytes));
}

}  // namespace orrery::cassandra
