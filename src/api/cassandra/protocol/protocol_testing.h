// Helpers that tests of requests and responses share.
#pragma once

#include <string>
#include <string_view>

#include "api/cassandra/protocol/body/body_writer.h"
#include "api/cassandra/protocol/protocol_version.h"
#include "api/cassandra/protocol/response/response_envelope.h"
#include "base/bytes.h"

namespace orrery::cassandra {

inline constexpr ProtocolVersion kV3 = ProtocolVersion::kV3;
inline constexpr ProtocolVersion kV4 = ProtocolVersion::kV4;
inline constexpr ProtocolVersion kV5 = ProtocolVersion::kV5;
inline constexpr ProtocolVersion kAllVersions[] = {kV3, kV4, kV5};

inline ResponseHead HeadOf(ProtocolVersion version, int16_t stream = 1) {
  ResponseHead head;
  head.version = version;
  head.stream = stream;
  return head;
}

// Returns the hexadecimal digits of a [string].
inline std::string StringHex(std::string_view text) {
  std::string out;
  AppendString(out, text);
  return ToHex(out);
}

}  // namespace orrery::cassandra
