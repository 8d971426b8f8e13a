// The version of the native protocol of a connection. The first message fixes it for the
// connection's life.
#pragma once

#include <cstdint>

namespace orrery::cassandra {

enum class ProtocolVersion : uint8_t { kV3 = 3, kV4 = 4, kV5 = 5 };

inline constexpr ProtocolVersion kProtocolVersionMin = ProtocolVersion::kV3;
inline constexpr ProtocolVersion kProtocolVersionMax = ProtocolVersion::kV5;

constexpr int VersionNumber(ProtocolVersion version) { return static_cast<int>(version); }

}  // namespace orrery::cassandra
