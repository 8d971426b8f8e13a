// Bytes in tests, written as people read them.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/check.h"

namespace orrery::cassandra {

// "04 00 0001" with any spaces.
inline std::string Hex(std::string_view text) {
  std::string digits(text);
  std::erase_if(digits, [](char c) { return c == ' ' || c == '\n'; });
  std::string bytes;
  ORRERY_CHECK(FromHex(digits, bytes));
  return bytes;
}

}  // namespace orrery::cassandra
