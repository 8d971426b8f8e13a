#include "api/cassandra/protocol/frame/checksum.h"

#include <zlib.h>

#include <array>

namespace orrery::cassandra {
namespace {

constexpr uint32_t kCrc24Start = 0x875060;
constexpr uint32_t kCrc24Polynomial = 0x1974F0B;
constexpr uint32_t kCrc24Mask = 0xFFFFFF;

constexpr std::array<uint32_t, 256> MakeCrc24Table() {
  std::array<uint32_t, 256> table{};
  for (uint32_t byte = 0; byte < table.size(); ++byte) {
    uint32_t crc = byte << 16;
    for (int bit = 0; bit < 8; ++bit) {
      crc <<= 1;
      if ((crc & ~kCrc24Mask) != 0) crc ^= kCrc24Polynomial;
    }
    table[byte] = crc;
  }
  return table;
}
constexpr std::array<uint32_t, 256> kCrc24Table = MakeCrc24Table();

constexpr std::array<unsigned char, 4> kPayloadSalt = {0xFA, 0x2D, 0x55, 0xCA};

}  // namespace

uint32_t HeaderChecksum(std::string_view header) {
  uint32_t crc = kCrc24Start;
  for (const char byte : header) {
    crc = (crc << 8 & kCrc24Mask) ^ kCrc24Table[(crc >> 16) ^ static_cast<uint8_t>(byte)];
  }
  return crc;
}

uint32_t PayloadChecksum(std::string_view payload) {
  uLong crc = crc32_z(0, kPayloadSalt.data(), kPayloadSalt.size());
  // zlib takes a null pointer for a request to start anew.
  if (!payload.empty()) {
    crc = crc32_z(crc, reinterpret_cast<const unsigned char*>(payload.data()), payload.size());
  }
  return static_cast<uint32_t>(crc);
}

}  // namespace orrery::cassandra
