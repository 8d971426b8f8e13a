#include "model/path/path_pattern.h"

#include <algorithm>

#include "model/path/path_syntax.h"

namespace orrery::model {
namespace {

// The name of a step that any field of an object takes; elements have none.
constexpr std::string_view kAnyField = "*";

}  // namespace

Result<PathPattern> PathPattern::Parse(std::string_view text) {
  ORRERY_ASSIGN(std::vector<PathToken> tokens, SplitPath(text));
  PathPattern pattern;
  const auto is_tail = [](const PathToken& token) {
    return !token.quoted && (token.text == "?" || token.text == "*");
  };
  if (tokens.empty() || !is_tail(tokens.back())) {
    return PathError(text, text.size(), "'/?' or '/*' is missing");
  }
  pattern.subtree_ = tokens.back().text == "*";
  tokens.pop_back();
  for (PathToken& token : tokens) {
    if (!token.quoted && token.text == "?")
      return PathError(text, token.position, "'?' before the end");
    if (!token.quoted && token.text == "[]") {
      pattern.steps_.push_back(Step{"", true});
    } else if (is_tail(token)) {
      pattern.steps_.push_back(Step{std::string(kAnyField), true});
    } else {
      pattern.steps_.push_back(Step{std::move(token.text), false});
    }
  }
  if (pattern.steps_.empty() && !pattern.subtree_)
    return PathError(text, 0, "a document is no scalar");
  return pattern;
}

std::string PathPattern::ToString() const {
  std::string text;
  for (const Step& step : steps_) {
    if (step.is_element) {
      text += step.name == kAnyField ? "/*" : "/[]";
    } else {
      AppendPathStep(text, step.name);
    }
  }
  return text + (subtree_ ? "/*" : "/?");
}

bool PathPattern::SameSteps(std::span<const PathStep> place, size_t count) const {
  for (size_t i = 0; i < count; ++i) {
    if (steps_[i].name == kAnyField && steps_[i].is_element) {
      if (place[i].is_element) return false;
      continue;
    }
    if (place[i].is_element != steps_[i].is_element || place[i].name != steps_[i].name)
      return false;
  }
  return true;
}

bool PathPattern::Matches(std::span<const PathStep> place) const {
  const bool length_fits = subtree_ ? place.size() >= steps_.size() : place.size() == steps_.size();
  return length_fits && SameSteps(place, steps_.size());
}

bool PathPattern::CanMatchBelow(std::span<const PathStep> place) const {
  if (!subtree_ && place.size() > steps_.size()) return false;
  return SameSteps(place, std::min(place.size(), steps_.size()));
}

bool PathPattern::MorePreciseThan(const PathPattern& other) const {
  if (steps_.size() != other.steps_.size()) return steps_.size() > other.steps_.size();
  const auto wildcards = [](const PathPattern& pattern) {
    return std::ranges::count_if(
        pattern.steps_, [](const Step& step) { return step.is_element && step.name == kAnyField; });
  };
  if (wildcards(*this) != wildcards(other)) return wildcards(*this) < wildcards(other);
  return !subtree_ && other.subtree_;
}

std::optional<std::vector<std::string>> PathPattern::ExactFields() const {
  if (subtree_) return std::nullopt;
  std::vector<std::string> fields;
  for (const Step& step : steps_) {
    if (step.is_element) return std::nullopt;
    fields.push_back(step.name);
  }
  return fields;
}

const PathPattern* MostPrecise(std::span<const PathPattern> patterns,
                               std::span<const PathStep> place) {
  const PathPattern* best = nullptr;
  for (const PathPattern& pattern : patterns) {
    if (!pattern.Matches(place)) continue;
    if (best == nullptr || pattern.MorePreciseThan(*best)) best = &pattern;
  }
  return best;
}

}  // namespace orrery::model
