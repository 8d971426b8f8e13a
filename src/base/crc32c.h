// CRC-32C (Castagnoli), by the processor's own instruction where it has one.
#pragma once

#include <cstdint>
#include <string_view>

namespace orrery {

// Continues `crc` (0 at the start) over `bytes`.
uint32_t Crc32c(uint32_t crc, std::string_view bytes);

// The same by tables, on any machine.
uint32_t PortableCrc32c(uint32_t crc, std::string_view bytes);

}  // namespace orrery
