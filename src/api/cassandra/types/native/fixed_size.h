// The fixed-size numbers of the wire, in both directions.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/bytes.h"

namespace orrery::cassandra {

template <typename Integer>
std::string EncodeInteger(Integer value) {
  std::string bytes;
  AppendBigEndian(bytes, value);
  return bytes;
}
inline std::string EncodeBoolean(bool value) { return std::string(1, value ? '\x01' : '\x00'); }
inline std::string EncodeFloat(float value) {
  return EncodeInteger(std::bit_cast<uint32_t>(value));
}
inline std::string EncodeDouble(double value) {
  return EncodeInteger(std::bit_cast<uint64_t>(value));
}

// REQUIRES (all of them): exactly the bytes of the type.
template <typename Integer>
Integer DecodeInteger(std::string_view bytes) {
  return LoadBigEndian<Integer>(bytes.data());
}
inline float DecodeFloat(std::string_view bytes) {
  return std::bit_cast<float>(DecodeInteger<uint32_t>(bytes));
}
inline double DecodeDouble(std::string_view bytes) {
  return std::bit_cast<double>(DecodeInteger<uint64_t>(bytes));
}

}  // namespace orrery::cassandra
