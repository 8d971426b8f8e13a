// The values that a query's text can state by itself.
#pragma once

#include <string>

namespace orrery::sql::ast {

struct Undefined {};

struct Null {};

struct Boolean {
  bool value = false;
};

// As it was written: decimal with or without fraction and exponent, or 0x and hexadecimal digits.
// Never a sign: that is an operator.
struct Number {
  std::string text;
};

// Without quotes and escapes, in UTF-8.
struct String {
  std::string text;
};

}  // namespace orrery::sql::ast
