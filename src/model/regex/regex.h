// A Regex is a compiled regular expression in the syntax of Perl (PCRE2), ready to be searched for
// in many texts: the one of all query languages here.
//
// PCRE2 tries one way after the other, which can take for ever. Here every step of a search is
// counted, over all places where a match could begin, so a search ends with an answer or kTooLarge
// after a bounded number of steps that is the same on every machine. A search that asks only
// whether there is a match goes on by following all ways at once when trying them takes too long.
//
// Immutable, so thread-safe.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace orrery::model {

// The limits of a pattern, in bytes and nested groups.
inline constexpr size_t kRegexPatternBytesMax = size_t{32} << 10;
inline constexpr size_t kRegexDepthMax = 100;
// A fraction of a second. A step is an item of the pattern that is tried, or a character.
inline constexpr size_t kRegexStepsMax = 5'000'000;

struct RegexOptions {
  bool ignore_case = false;          // i
  bool multiple_lines = false;       // m: ^ and $ stand at each line's ends
  bool dot_matches_newline = false;  // s
  bool ignore_space = false;         // x: white space and comments from # do not count
  bool unicode_classes = false;      // \d, \w, \s and \b know the characters of all scripts
  bool short_escapes = false;        // \uHHHH is a character, as in JSON; \x has two digits
};

// A part of a text, in bytes.
struct RegexSpan {
  size_t begin = 0;
  size_t end = 0;
  friend bool operator==(const RegexSpan&, const RegexSpan&) = default;
};

struct RegexMatch {
  RegexSpan whole;
  std::vector<std::optional<RegexSpan>> groups;  // by number; nullopt: took no part in the match
};

class Regex {
 public:
  // kInvalidArgument says what is wrong with the pattern and where; kTooLarge past a limit above.
  static Result<Regex> Compile(std::string_view pattern, RegexOptions options = {});
  Regex(Regex&&) noexcept;
  Regex& operator=(Regex&&) noexcept;
  ~Regex();

  // Returns whether it matches anywhere in the text. kTooLarge if that is not known after
  // kRegexStepsMax; kInvalidArgument if the text is not UTF-8.
  Result<bool> Search(std::string_view text) const;

  // Returns the first match that begins at `offset` or behind it; nullopt if there is none. Errors
  // as Search(). REQUIRES: `offset` is the beginning of a character, or the end.
  Result<std::optional<RegexMatch>> Find(std::string_view text, size_t offset = 0) const;

  // Returns how many groups the pattern captures, which is the size of RegexMatch::groups.
  size_t group_count() const;

 private:
  struct Compiled;
  explicit Regex(std::unique_ptr<const Compiled> compiled);

  std::unique_ptr<const Compiled> compiled_;
};

}  // namespace orrery::model
