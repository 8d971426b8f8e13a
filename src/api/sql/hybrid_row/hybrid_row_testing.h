// Rows as hexadecimal digits, for tests.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/bytes.h"

namespace orrery::sql {

inline std::string BytesOfHex(std::string_view hex) {
  std::string bytes;
  EXPECT_TRUE(FromHex(hex, bytes));
  return bytes;
}

}  // namespace orrery::sql
