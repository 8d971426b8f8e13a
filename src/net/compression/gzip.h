// Unpacks gzip (RFC 1952), for clients that do not take it. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/status.h"

namespace orrery::net {

// Returns the bytes that one gzip member holds. kInvalidArgument when it is malformed or cut off,
// when more follows it, or when it holds more than `size_max` bytes.
Result<std::string> UnpackGzip(std::string_view gzip, size_t size_max);

}  // namespace orrery::net
