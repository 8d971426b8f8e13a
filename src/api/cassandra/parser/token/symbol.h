// The punctuation and operators of CQL.
#pragma once

#include <cstdint>
#include <string_view>

namespace orrery::cassandra {

enum class Symbol : uint8_t {
  kNone,
  kLeftParen,
  kRightParen,
  kLeftBracket,
  kRightBracket,
  kLeftBrace,
  kRightBrace,
  kComma,
  kDot,
  kRange,  // ..
  kColon,
  kSemicolon,
  kQuestion,
  kEqual,
  kNotEqual,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kPlus,
  kMinus,
  kStar,
  kSlash,
  kPercent,
  kPlusEqual,
  kMinusEqual,
};

// As it is written.
std::string_view SymbolText(Symbol symbol);

struct SymbolSpelling {
  Symbol symbol = Symbol::kNone;
  uint32_t length = 1;  // in bytes
};

// The longest symbol that starts with these two characters; kNone when there is none.
SymbolSpelling FindSymbol(char first, char second);

}  // namespace orrery::cassandra
