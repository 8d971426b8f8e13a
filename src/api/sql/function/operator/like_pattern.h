// A LikePattern is the right side of LIKE, ready to be matched with many strings.
//
//   %        any number of characters, none included
//   _        one character
//   [a-fx]   one character of the set; [^a-fx] one that is not in it
//   ESCAPE   the character after the escape character stands for itself
//
// A "[" that no "]" closes stands for itself, as does a "]" that closes nothing. Spaces in a set
// that has other members do not count, so "[ [ ]" is "[". The whole string has to match, case
// included.
//
// Matching takes at most (characters of the string) x (elements of the pattern) steps: only the
// last % ever has to be tried again.
//
// Immutable, so thread-safe.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/sql/function/operator/truth.h"
#include "base/status.h"
#include "model/value.h"

namespace orrery::sql {

inline constexpr size_t kLikePatternBytesMax = 16 << 10;

class LikePattern {
 public:
  // kTooLarge past kLikePatternBytesMax; kInvalidArgument when the escape is not one character.
  static Result<LikePattern> Parse(std::string_view pattern,
                                   std::optional<std::string_view> escape = std::nullopt);

  bool Matches(std::string_view text) const;

 private:
  struct Element {
    bool any_number = false;  // %
    bool negated = false;     // matches all that is in no range; without ranges that is any one
    std::vector<std::pair<char32_t, char32_t>> ranges;

    bool Matches(char32_t character) const;
  };

  explicit LikePattern(std::vector<Element> elements) : elements_(std::move(elements)) {}

  static std::optional<Element> ReadSet(std::u32string_view pattern, size_t& position,
                                        std::optional<char32_t> escape);

  std::vector<Element> elements_;
};

// `text` LIKE `pattern` of values: undefined unless both are strings (and the escape, when there is
// one). Errors as Parse.
Result<Truth> Like(const model::Value& text, const model::Value& pattern,
                   const model::Value* escape = nullptr);

}  // namespace orrery::sql
