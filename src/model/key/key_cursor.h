// Reads the pieces that key components are made of; key_reader.cc puts them together.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/bytes.h"
#include "model/key/key_codec.h"

namespace orrery::model {

// A cursor that undoes a descending component's complement byte by byte. Reads return false
// rather than run past the end.
class KeyCursor {
 public:
  KeyCursor(std::string_view bytes, Direction direction)
      : bytes_(bytes), mask_(direction == Direction::kDescending ? 0xff : 0x00) {}

  size_t consumed() const { return at_; }

  [[nodiscard]] bool Byte(uint8_t& byte) {
    if (at_ == bytes_.size()) return false;
    byte = static_cast<uint8_t>(bytes_[at_++]) ^ mask_;
    return true;
  }

  // True, and moves on, when the next byte closes an array, map or object.
  [[nodiscard]] bool AtEnd() {
    if (at_ == bytes_.size() || (static_cast<uint8_t>(bytes_[at_]) ^ mask_) != 0) return false;
    ++at_;
    return true;
  }

  [[nodiscard]] bool Bytes(size_t size, std::string& out) {
    if (bytes_.size() - at_ < size) return false;
    out.assign(bytes_, at_, size);
    if (mask_ != 0) {
      for (char& c : out) c = static_cast<char>(~c);
    }
    at_ += size;
    return true;
  }

  template <size_t N>
  [[nodiscard]] bool Bytes(std::array<uint8_t, N>& out) {
    for (uint8_t& byte : out) {
      if (!Byte(byte)) return false;
    }
    return true;
  }

  template <typename T>
  [[nodiscard]] bool Unsigned(T& value) {
    if (bytes_.size() - at_ < sizeof(T)) return false;
    value = LoadBigEndian<T>(bytes_.data() + at_);
    if (mask_ != 0) value = static_cast<T>(~value);
    at_ += sizeof(T);
    return true;
  }

  // Big-endian with the sign bit flipped.
  template <typename T>
  [[nodiscard]] bool Signed(T& value) {
    std::make_unsigned_t<T> bits = 0;
    if (!Unsigned(bits)) return false;
    value = static_cast<T>(bits ^ (std::make_unsigned_t<T>{1} << (8 * sizeof(T) - 1)));
    return true;
  }

  // The bits of a float or double, before they were made to sort.
  template <typename Bits>
  [[nodiscard]] bool Ieee(Bits& bits) {
    if (!Unsigned(bits)) return false;
    constexpr Bits kSign = Bits{1} << (8 * sizeof(Bits) - 1);
    bits = (bits & kSign) != 0 ? static_cast<Bits>(bits ^ kSign) : static_cast<Bits>(~bits);
    return true;
  }

  // 00 FF stands for 00, 00 01 ends the text.
  [[nodiscard]] bool Text(std::string& out) {
    out.clear();
    uint8_t byte = 0;
    while (Byte(byte)) {
      if (byte != 0) {
        out.push_back(static_cast<char>(byte));
        continue;
      }
      if (!Byte(byte)) return false;
      if (byte == 0x01) return true;
      if (byte != 0xff) return false;
      out.push_back('\0');
    }
    return false;
  }

 private:
  std::string_view bytes_;
  size_t at_ = 0;
  uint8_t mask_;
};

}  // namespace orrery::model
