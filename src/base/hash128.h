// A position on the 128-bit ring, and the one place that says how it is compared and written.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/bytes.h"

namespace orrery {

// Ordered as an unsigned 128-bit number. Sixteen big-endian bytes in keys.
struct Hash128 {
  uint64_t high = 0;
  uint64_t low = 0;

  static constexpr size_t kBytes = 16;
  static constexpr Hash128 Min() { return {0, 0}; }
  static constexpr Hash128 Max() { return {UINT64_MAX, UINT64_MAX}; }

  friend constexpr auto operator<=>(const Hash128&, const Hash128&) = default;

  void AppendTo(std::string& out) const {
    AppendBigEndian(out, high);
    AppendBigEndian(out, low);
  }
  // REQUIRES: at least kBytes bytes at `data`.
  static Hash128 Load(const char* data) {
    return {LoadBigEndian<uint64_t>(data), LoadBigEndian<uint64_t>(data + 8)};
  }
  // 32 upper-case hex digits.
  std::string ToString() const {
    std::string bytes;
    AppendTo(bytes);
    return ToHex(bytes, /*upper=*/true);
  }
  // The next position; Max stays Max.
  constexpr Hash128 Next() const {
    if (*this == Max()) return *this;
    return low == UINT64_MAX ? Hash128{high + 1, 0} : Hash128{high, low + 1};
  }
};

}  // namespace orrery
