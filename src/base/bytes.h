// Fixed-width and variable-length integers in byte strings, big-endian where order matters.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace orrery {

template <typename T>
void AppendBigEndian(std::string& out, T value) {
  if constexpr (std::endian::native == std::endian::little && sizeof(T) > 1)
    value = std::byteswap(value);
  out.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

// REQUIRES: at least sizeof(T) bytes at `data`.
template <typename T>
T LoadBigEndian(const char* data) {
  T value;
  std::memcpy(&value, data, sizeof(T));
  if constexpr (std::endian::native == std::endian::little && sizeof(T) > 1)
    value = std::byteswap(value);
  return value;
}

// LEB128: seven bits a byte, low groups first, the high bit says that more follow.
inline void AppendVarint(std::string& out, uint64_t value) {
  while (value >= 0x80) {
    out.push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  out.push_back(static_cast<char>(value));
}

// A cursor over foreign bytes. Every Read fails (returns false) rather than run past the end, and
// leaves the cursor where it was.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  std::string_view rest() const { return rest_; }
  bool empty() const { return rest_.empty(); }

  [[nodiscard]] bool ReadVarint(uint64_t& value) {
    uint64_t result = 0;
    for (size_t i = 0; i < rest_.size() && i < 10; ++i) {
      const auto byte = static_cast<uint8_t>(rest_[i]);
      if (i == 9 && byte > 1) return false;
      result |= static_cast<uint64_t>(byte & 0x7f) << (7 * i);
      if ((byte & 0x80) == 0) {
        value = result;
        rest_.remove_prefix(i + 1);
        return true;
      }
    }
    return false;
  }

  template <typename T>
  [[nodiscard]] bool ReadBigEndian(T& value) {
    if (rest_.size() < sizeof(T)) return false;
    value = LoadBigEndian<T>(rest_.data());
    rest_.remove_prefix(sizeof(T));
    return true;
  }

  [[nodiscard]] bool ReadBytes(size_t size, std::string_view& bytes) {
    if (rest_.size() < size) return false;
    bytes = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return true;
  }

  // A varint length, then that many bytes.
  [[nodiscard]] bool ReadLengthPrefixed(std::string_view& bytes) {
    const std::string_view before = rest_;
    uint64_t size = 0;
    if (ReadVarint(size) && size <= rest_.size() && ReadBytes(size, bytes)) return true;
    rest_ = before;
    return false;
  }

 private:
  std::string_view rest_;
};

inline void AppendLengthPrefixed(std::string& out, std::string_view bytes) {
  AppendVarint(out, bytes.size());
  out.append(bytes);
}

// Lower- or upper-case hexadecimal.
std::string ToHex(std::string_view bytes, bool upper = false);
// False when `hex` has an odd length or a character that is no hex digit.
[[nodiscard]] bool FromHex(std::string_view hex, std::string& bytes);

}  // namespace orrery
