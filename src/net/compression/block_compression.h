// Compresses and decompresses whole blocks of bytes in the formats that wire protocols share.
//
// The size of the plain form comes from the sender (a protocol's header, or the block itself): it
// is judged against the caller's limit and against what so few bytes can become at all before
// anything is allocated for it. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace orrery::net {

enum class BlockFormat : uint8_t { kSnappy, kZlib, kZstd };

// Appends the compressed form of `plain` to `out` and returns true; or leaves `out` as it was and
// returns false when that would not be smaller.
bool AppendCompressed(BlockFormat format, std::string_view plain, std::string& out);

// Replaces `out` with the `size` bytes that `block` holds. kInvalidArgument when it holds others,
// or `size` is more than `size_max` or than such a block can hold; `out` is then unspecified.
Status DecompressBlock(BlockFormat format, std::string_view block, size_t size, size_t size_max,
                       std::string& out);

// Returns the size that a snappy block says it has. kInvalidArgument when it does not begin with
// one.
Result<size_t> SnappyPlainSize(std::string_view block);

}  // namespace orrery::net
