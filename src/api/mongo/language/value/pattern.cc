#include "api/mongo/language/value/pattern.h"

#include <fmt/core.h>

namespace orrery::mongo {

Answer<std::shared_ptr<const Pattern>> Pattern::Compile(std::string_view pattern,
                                                        std::string_view flags) {
  model::RegexOptions options;
  for (const char flag : flags) {
    switch (flag) {
      case 'i':
        options.ignore_case = true;
        break;
      case 'm':
        options.multiple_lines = true;
        break;
      case 's':
        options.dot_matches_newline = true;
        break;
      case 'x':
        options.ignore_space = true;
        break;
      case 'u':
        break;
      default:
        return Refuse(51108, fmt::format(" invalid flag in regex options: {}", flag));
    }
  }
  Result<model::Regex> regex = model::Regex::Compile(pattern, options);
  if (!regex.has_value()) {
    return Refuse(51091, fmt::format("Regular expression is invalid: {}", regex.error().message()));
  }
  // Not make_shared: the constructor is private.
  return std::shared_ptr<const Pattern>(new Pattern(pattern, flags, *std::move(regex)));
}

bool Pattern::Matches(std::string_view text) const { return regex_.Search(text).value_or(false); }

Answer<std::optional<model::RegexMatch>> Pattern::Find(std::string_view text, size_t from) const {
  Result<std::optional<model::RegexMatch>> match = regex_.Find(text, from);
  if (!match.has_value()) {
    return Refuse(51156, fmt::format("Error occurred while executing the regular expression: {}",
                                     match.error().message()));
  }
  return *std::move(match);
}

bool Pattern::MatchesElement(const model::ElementView& element) const {
  if (element.kind() == model::Kind::kString || element.kind() == model::Kind::kSymbol) {
    return Matches(element.AsString());
  }
  return element.kind() == model::Kind::kRegex && MatchesValue(element.ToValue());
}

bool Pattern::MatchesValue(const model::Value& value) const {
  if (value.kind() == model::Kind::kString || value.kind() == model::Kind::kSymbol) {
    return Matches(value.AsString());
  }
  return value.kind() == model::Kind::kRegex && value.AsRegex().pattern == pattern_ &&
         value.AsRegex().options == flags_;
}

}  // namespace orrery::mongo
