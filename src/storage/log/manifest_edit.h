// Reads one thing out of RocksDB's MANIFEST: which write-ahead logs are still needed. Internal to
// storage/.
//
//   manifest := edit*                    ; each a record of the log format, see log_check.h
//   edit     := field*                   ; numbers first, then files
//   field    := tag:varint value
//   tag      := 1, 8193 text | 2 the first log that is needed | 3, 4, 9, 10, 203 other numbers
//             | others, which end what is read here
//   text     := length:varint bytes      ; a number is a varint
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace orrery::storage {

// The number that the edit sets, if it does.
std::optional<uint64_t> FirstLogNeeded(std::string_view edit);

}  // namespace orrery::storage
