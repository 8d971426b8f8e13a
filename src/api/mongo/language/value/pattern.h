// A Pattern is a compiled regular expression with MongoDB's syntax and flags.
//
// Immutable and thread-safe.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/mongo/error/mongo_error.h"
#include "model/document/document.h"
#include "model/regex/regex.h"
#include "model/value.h"

namespace orrery::mongo {

class Pattern {
 public:
  // Flags i, m, s, x and u; 51108 for others, 51091 for a pattern that does not compile.
  static Answer<std::shared_ptr<const Pattern>> Compile(std::string_view pattern,
                                                        std::string_view flags);

  // False too when the search takes too many steps.
  bool Matches(std::string_view text) const;
  // The first match at or after a byte, which must be a character's first.
  Answer<std::optional<model::RegexMatch>> Find(std::string_view text, size_t from) const;
  // A string or symbol that it matches, or an equal regular expression.
  bool MatchesElement(const model::ElementView& element) const;
  bool MatchesValue(const model::Value& value) const;

  const std::string& pattern() const { return pattern_; }
  const std::string& flags() const { return flags_; }

 private:
  Pattern(std::string_view pattern, std::string_view flags, model::Regex regex)
      : pattern_(pattern), flags_(flags), regex_(std::move(regex)) {}

  std::string pattern_;
  std::string flags_;
  model::Regex regex_;
};

using PatternPtr = std::shared_ptr<const Pattern>;

}  // namespace orrery::mongo
