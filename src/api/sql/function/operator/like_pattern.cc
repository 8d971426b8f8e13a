#include "api/sql/function/operator/like_pattern.h"

#include <algorithm>

#include "api/sql/function/argument.h"
#include "api/sql/function/text/code_points.h"

namespace orrery::sql {

bool LikePattern::Element::Matches(char32_t character) const {
  const bool in_set = std::ranges::any_of(ranges, [&](const auto& range) {
    return character >= range.first && character <= range.second;
  });
  return in_set != negated;
}

// `position` is after the "[". Nothing, and the position as it was, when no "]" closes the set.
std::optional<LikePattern::Element> LikePattern::ReadSet(std::u32string_view pattern,
                                                         size_t& position,
                                                         std::optional<char32_t> escape) {
  Element set;
  size_t i = position;
  if (i < pattern.size() && pattern[i] == U'^') {
    set.negated = true;
    ++i;
  }
  const auto read = [&]() -> char32_t {
    if (pattern[i] == escape && i + 1 < pattern.size()) ++i;
    return pattern[i++];
  };
  while (i < pattern.size() && pattern[i] != U']') {
    const char32_t first = read();
    char32_t last = first;
    if (i + 1 < pattern.size() && pattern[i] == U'-' && pattern[i + 1] != U']') {
      ++i;
      last = read();
    }
    set.ranges.emplace_back(first, last);
  }
  if (i >= pattern.size() || set.ranges.empty()) return std::nullopt;
  const auto is_space = [](const auto& range) {
    return range.first == U' ' && range.second == U' ';
  };
  if (!std::ranges::all_of(set.ranges, is_space)) std::erase_if(set.ranges, is_space);
  position = i + 1;
  return set;
}

Result<LikePattern> LikePattern::Parse(std::string_view text,
                                       std::optional<std::string_view> escape_text) {
  if (text.size() > kLikePatternBytesMax)
    return Fail(Code::kTooLarge, "a LIKE pattern exceeds 16 KB");
  std::optional<char32_t> escape;
  if (escape_text.has_value()) {
    const std::u32string characters = ToCodePoints(*escape_text);
    if (characters.size() != 1)
      return Fail(Code::kInvalidArgument, "ESCAPE takes a string of one character");
    escape = characters[0];
  }

  const std::u32string pattern = ToCodePoints(text);
  std::vector<Element> elements;
  for (size_t i = 0; i < pattern.size();) {
    char32_t character = pattern[i++];
    if (character == escape && i < pattern.size()) {
      character = pattern[i++];
    } else if (character == U'%') {
      // Neighbours are one: each would be a place to start again.
      if (elements.empty() || !elements.back().any_number)
        elements.push_back({.any_number = true, .negated = false, .ranges = {}});
      continue;
    } else if (character == U'_') {
      elements.push_back({.any_number = false, .negated = true, .ranges = {}});
      continue;
    } else if (character == U'[') {
      if (auto set = ReadSet(pattern, i, escape)) {
        elements.push_back(*std::move(set));
        continue;
      }
    }
    elements.push_back({.any_number = false, .negated = false, .ranges = {{character, character}}});
  }
  return LikePattern(std::move(elements));
}

bool LikePattern::Matches(std::string_view text) const {
  const std::u32string characters = ToCodePoints(text);
  size_t at = 0;
  size_t element = 0;
  // The place to go on when the elements after the last % do not match from here.
  std::optional<size_t> retry_element;
  size_t retry_at = 0;
  while (at < characters.size()) {
    if (element < elements_.size() && elements_[element].any_number) {
      retry_element = ++element;
      retry_at = at;
    } else if (element < elements_.size() && elements_[element].Matches(characters[at])) {
      ++element;
      ++at;
    } else if (retry_element.has_value()) {
      element = *retry_element;
      at = ++retry_at;
    } else {
      return false;
    }
  }
  if (element < elements_.size() && elements_[element].any_number) ++element;
  return element == elements_.size();
}

Result<Truth> Like(const Value& text, const Value& pattern, const Value* escape) {
  const std::string* string = TextOf(text);
  const std::string* pattern_text = TextOf(pattern);
  const std::string* escape_text = escape == nullptr ? nullptr : TextOf(*escape);
  if (string == nullptr || pattern_text == nullptr || (escape != nullptr && escape_text == nullptr))
    return Truth::kUndefined;
  std::optional<std::string_view> escape_view;
  if (escape_text != nullptr) escape_view = *escape_text;
  ORRERY_ASSIGN(const LikePattern parsed, LikePattern::Parse(*pattern_text, escape_view));
  return TruthOf(parsed.Matches(*string));
}

}  // namespace orrery::sql
