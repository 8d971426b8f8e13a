// Compression of message bodies in v3 and v4, and the lz4 blocks that v5 frames are made of.
//
//   lz4 body    := uncompressed size:uint32 (big-endian), one lz4 block
//   snappy body := one snappy block, which begins with its uncompressed size
//
// A body says itself how large it will become, so that number is judged before anything is
// allocated for it: against the caller's limit, and against what so few bytes can become at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"

namespace orrery::cassandra {

enum class Compression : uint8_t { kNone, kLz4, kSnappy };

// Bodies below this are sent as they are: nothing would be won.
inline constexpr size_t kCompressBytesMin = 128;

// By the name that STARTUP gives, in any case: "lz4", "snappy". Nothing for another.
std::optional<Compression> ToCompression(std::string_view name);
std::string_view CompressionName(Compression compression);  // empty for kNone

// Replaces `out` with the plain form of `body`. kInvalidArgument when it is not what `compression`
// makes or would be larger than `size_max`; `out` is then unspecified.
// REQUIRES: not kNone.
Status DecompressBody(Compression compression, std::string_view body, size_t size_max,
                      std::string& out);

// Replaces everything in `out` from `offset` on with its compressed body and returns true; or
// leaves it and returns false when that would not be smaller. REQUIRES: not kNone.
bool CompressTail(Compression compression, std::string& out, size_t offset);

// One lz4 block without a size. Appends and returns true when it is smaller than `plain`, else
// leaves `out` as it was.
bool AppendLz4Block(std::string& out, std::string_view plain);
// Replaces `out` with the `size` bytes that `block` holds; kInvalidArgument if it holds others.
Status DecompressLz4Block(std::string_view block, size_t size, std::string& out);

// Frees a connection's buffer for decompressed bytes, unless it is small, while no message is under
// way: a few received bytes make it as large as a message may be, and there are many connections.
void ReleaseLarge(std::string& plain);

}  // namespace orrery::cassandra
