#include "api/cassandra/types/native/vint.h"

#include <algorithm>
#include <bit>

namespace orrery::cassandra {

void AppendUnsignedVint(std::string& out, uint64_t value) {
  // n bytes hold 7n bits, but nine hold 64.
  const int bits = std::max(1, 64 - std::countl_zero(value));
  const int extra = std::min(8, (bits - 1) / 7);
  const auto ones = static_cast<uint8_t>(0xff00 >> extra);
  const uint64_t top = extra == 8 ? 0 : value >> (8 * extra);
  out.push_back(static_cast<char>(ones | top));
  for (int i = extra - 1; i >= 0; --i) out.push_back(static_cast<char>(value >> (8 * i)));
}

void AppendVint(std::string& out, int64_t value) {
  const auto bits = static_cast<uint64_t>(value);
  AppendUnsignedVint(out, (bits << 1) ^ (value < 0 ? UINT64_MAX : 0));
}

bool ReadUnsignedVint(ByteReader& reader, uint64_t& value) {
  if (reader.empty()) return false;
  const auto first = static_cast<uint8_t>(reader.rest()[0]);
  const auto extra = static_cast<size_t>(std::countl_one(first));
  std::string_view bytes;
  if (!reader.ReadBytes(1 + extra, bytes)) return false;
  uint64_t result = extra >= 8 ? 0 : first & (0xffU >> extra);
  for (const char c : bytes.substr(1)) result = result << 8 | static_cast<uint8_t>(c);
  value = result;
  return true;
}

bool ReadVint(ByteReader& reader, int64_t& value) {
  uint64_t bits = 0;
  if (!ReadUnsignedVint(reader, bits)) return false;
  value = static_cast<int64_t>((bits >> 1) ^ ((bits & 1) != 0 ? UINT64_MAX : 0));
  return true;
}

}  // namespace orrery::cassandra
