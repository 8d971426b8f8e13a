// The two checksums of a v5 frame.
#pragma once

#include <cstdint>
#include <string_view>

namespace orrery::cassandra {

// CRC-24 (polynomial 0x1974F0B, start 0x875060) over the bytes of a frame header in wire order.
uint32_t HeaderChecksum(std::string_view header);

// The usual CRC-32, fed FA 2D 55 CA before the payload, so that zeros do not sum to zero.
uint32_t PayloadChecksum(std::string_view payload);

}  // namespace orrery::cassandra
