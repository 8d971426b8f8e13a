// HMAC-SHA256: what signatures of requests and tokens are made of. Pure.
#pragma once

#include <string>
#include <string_view>

namespace orrery::gateway {

// 32 bytes.
std::string HmacSha256(std::string_view secret, std::string_view text);

}  // namespace orrery::gateway
