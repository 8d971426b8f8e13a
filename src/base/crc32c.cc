#include "base/crc32c.h"

#include <array>
#include <bit>
#include <cstring>

namespace orrery {
namespace {

constexpr uint32_t kReflectedPolynomial = 0x82f63b78;
constexpr size_t kStride = 8;
using Table = std::array<std::array<uint32_t, 256>, kStride>;

// table[n][b]: the effect of byte b when n more bytes follow it.
constexpr Table MakeTable() {
  Table table{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit)
      crc = (crc >> 1) ^ ((crc & 1) != 0 ? kReflectedPolynomial : 0);
    table[0][byte] = crc;
  }
  for (uint32_t byte = 0; byte < 256; ++byte) {
    for (size_t n = 1; n < kStride; ++n) {
      const uint32_t before = table[n - 1][byte];
      table[n][byte] = (before >> 8) ^ table[0][before & 0xff];
    }
  }
  return table;
}

constexpr Table kTable = MakeTable();

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) uint32_t Sse42Crc32c(uint32_t crc, std::string_view bytes) {
  const char* at = bytes.data();
  size_t left = bytes.size();
  uint64_t wide = ~crc;
  for (; left >= kStride; at += kStride, left -= kStride) {
    uint64_t word;
    std::memcpy(&word, at, kStride);
    wide = __builtin_ia32_crc32di(wide, word);
  }
  auto narrow = static_cast<uint32_t>(wide);
  for (; left > 0; ++at, --left) {
    narrow = __builtin_ia32_crc32qi(narrow, static_cast<unsigned char>(*at));
  }
  return ~narrow;
}
#endif

}  // namespace

uint32_t Crc32c(uint32_t crc, std::string_view bytes) {
#if defined(__x86_64__)
  static const bool has_instruction = __builtin_cpu_supports("sse4.2") != 0;
  if (has_instruction) return Sse42Crc32c(crc, bytes);
#endif
  return PortableCrc32c(crc, bytes);
}

uint32_t PortableCrc32c(uint32_t crc, std::string_view bytes) {
  static_assert(std::endian::native == std::endian::little);
  const char* at = bytes.data();
  size_t left = bytes.size();
  crc = ~crc;
  for (; left >= kStride; at += kStride, left -= kStride) {
    uint64_t word;
    std::memcpy(&word, at, kStride);
    word ^= crc;
    crc = 0;
    for (size_t i = 0; i < kStride; ++i) {
      crc ^= kTable[kStride - 1 - i][(word >> (8 * i)) & 0xff];
    }
  }
  for (; left > 0; ++at, --left) {
    crc = (crc >> 8) ^ kTable[0][(crc ^ static_cast<uint8_t>(*at)) & 0xff];
  }
  return ~crc;
}

}  // namespace orrery
