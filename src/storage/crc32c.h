// CRC-32C (Castagnoli), as RocksDB's log uses it. Portable, about 1 GB/s.
#pragma once

#include <cstdint>
#include <string_view>

namespace orrery::storage {

// Continues `crc` (0 at the start) over `bytes`.
uint32_t Crc32c(uint32_t crc, std::string_view bytes);

}  // namespace orrery::storage
