// Small letters for what is signed: ASCII only, as clients do it.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace orrery::sql {

inline std::string LowerCase(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return lower;
}

}  // namespace orrery::sql
