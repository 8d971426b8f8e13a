// The punctuation and operators of the query language.
#pragma once

#include <cstdint>
#include <string_view>

namespace orrery::sql {

// One that another starts with comes after it: FindSymbol takes the first that fits.
enum class Symbol : uint8_t {
  kNone,
  kShiftRightUnsigned,  // >>>
  kShiftRight,
  kShiftLeft,
  kGreaterOrEqual,
  kLessOrEqual,
  kNotEqual,     // !=
  kLessGreater,  // <>
  kCoalesce,     // ??
  kConcat,       // ||
  kLeftParen,
  kRightParen,
  kLeftBracket,
  kRightBracket,
  kLeftBrace,
  kRightBrace,
  kComma,
  kDot,
  kColon,
  kQuestion,
  kEqual,
  kLess,
  kGreater,
  kPlus,
  kMinus,
  kStar,
  kSlash,
  kPercent,
  kBar,
  kAmpersand,
  kCaret,
  kTilde,
};

// As it is written; empty for kNone.
std::string_view SymbolText(Symbol symbol);

// The longest symbol that `text` starts with; kNone when there is none.
Symbol FindSymbol(std::string_view text);

}  // namespace orrery::sql
