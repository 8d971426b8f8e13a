// Message digests by the names that Java has for them.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace orrery::cassandra {

inline constexpr std::string_view kDefaultDigest = "SHA-256";

// MD5, SHA-1, SHA-224, SHA-256, SHA-384, SHA-512, SHA-512/224, SHA-512/256, SHA3-224 to SHA3-512,
// in any case. kInvalidArgument: "Hash algorithm not found: ...".
Result<std::string> Digest(std::string_view algorithm, std::string_view bytes);

}  // namespace orrery::cassandra
