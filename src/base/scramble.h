// Makes numbers that are alike unlike: MurmurHash3's last step, one to one on 64 bits. Results are
// stored: it may not change.
#pragma once

#include <cstdint>

namespace orrery {

constexpr uint64_t Scramble(uint64_t value) {
  value ^= value >> 33;
  value *= 0xff51afd7ed558ccd;
  value ^= value >> 33;
  value *= 0xc4ceb9fe1a85ec53;
  value ^= value >> 33;
  return value;
}

}  // namespace orrery
