// A Regex is a compiled regular expression, ready to be searched for in many texts.
//
// It runs all ways through the pattern at once (Thompson's construction), so a search takes at most
// (characters of the text) x (instructions) steps whatever the pattern: nothing is ever tried
// again. Both are bounded, and so is their product.
//
// Immutable, so thread-safe. The syntax is regex_parser.h's.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "api/sql/function/regex/regex_parser.h"
#include "base/status.h"

namespace orrery::sql {

// Of nodes that are compiled too, each as often as it is repeated.
inline constexpr size_t kRegexInstructionsMax = 8 << 10;
// A fraction of a second.
inline constexpr size_t kRegexStepsMax = size_t{1} << 26;

struct RegexInstruction {
  enum class Kind : uint8_t { kSet, kAssertion, kSplit, kJump, kMatch };

  Kind kind = Kind::kMatch;
  RegexAssertion assertion = RegexAssertion::kTextStart;
  uint32_t set = 0;     // of a kSet: which; it goes on with the next instruction
  uint32_t target = 0;  // of a kJump, and the second way of a kSplit; the first is the next one
};

class Regex {
 public:
  // Errors as ParseRegex; kTooLarge past kRegexInstructionsMax.
  static Result<Regex> Compile(std::string_view pattern, RegexFlags flags = {});

  // Whether it matches anywhere in the text. kTooLarge past kRegexStepsMax.
  Result<bool> Search(std::string_view text) const;

 private:
  Regex(std::vector<RegexInstruction> program, std::vector<CharacterSet> sets)
      : program_(std::move(program)), sets_(std::move(sets)) {}

  std::vector<RegexInstruction> program_;
  std::vector<CharacterSet> sets_;
};

}  // namespace orrery::sql
