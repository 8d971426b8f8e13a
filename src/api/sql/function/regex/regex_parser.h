// The text of a regular expression as a tree.
//
//   alternatives := sequence ("|" sequence)*
//   sequence     := (atom quantifier?)*
//   quantifier   := ("*" | "+" | "?" | "{" n ("," m?)? "}") "?"?
//   atom         := character | "." | "^" | "$" | "[" set "]" | escape
//                 | "(" ["?:" | "?<" name ">"] alternatives ")"
//   escape       := \d \D \w \W \s \S \b \B \A \z \t \n \r \f \v \xHH \uHHHH \ punctuation
//
// Lazy quantifiers are read and mean the same: only whether there is a match is asked. References
// back to a group and looking ahead or behind are not supported, for they cannot be answered in
// bounded time.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "api/sql/function/regex/character_set.h"
#include "base/status.h"

namespace orrery::sql {

inline constexpr size_t kRegexPatternBytesMax = 8 << 10;
inline constexpr size_t kRegexDepthMax = 100;
inline constexpr uint32_t kRegexRepeatMax = 1000;

struct RegexFlags {
  bool ignore_case = false;          // i
  bool multiple_lines = false;       // m: ^ and $ stand at each line's ends
  bool dot_matches_newline = false;  // s
  bool ignore_space = false;         // x: white space and comments from # do not count
};

enum class RegexAssertion : uint8_t {
  kTextStart,
  kTextEnd,
  kTextEndOrLastNewline,
  kLineStart,
  kLineEnd,
  kWordBoundary,
  kNoWordBoundary,
};

struct RegexNode {
  enum class Kind : uint8_t { kSet, kAssertion, kSequence, kAlternatives, kRepeat };
  static constexpr uint32_t kUnbounded = UINT32_MAX;

  Kind kind = Kind::kSequence;
  CharacterSet set;
  RegexAssertion assertion = RegexAssertion::kTextStart;
  uint32_t repeat_min = 0;  // of a kRepeat, whose one child is what is repeated
  uint32_t repeat_max = 0;
  std::vector<RegexNode> children;
};

// kInvalidArgument for an unknown letter.
Result<RegexFlags> ParseRegexFlags(std::string_view letters);

// kInvalidArgument says what is wrong; kUnsupported for what is legal elsewhere; kTooLarge past a
// limit above.
Result<RegexNode> ParseRegex(std::string_view pattern, RegexFlags flags);

}  // namespace orrery::sql
