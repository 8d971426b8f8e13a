#include "api/mongo/language/value/field_path.h"

#include <algorithm>
#include <charconv>

namespace orrery::mongo {

std::vector<std::string> SplitPath(std::string_view text) {
  std::vector<std::string> steps;
  while (true) {
    const size_t dot = text.find('.');
    steps.emplace_back(text.substr(0, dot));
    if (dot == std::string_view::npos) return steps;
    text.remove_prefix(dot + 1);
  }
}

FieldPath FieldPath::Of(std::string_view text) { return {std::string(text), SplitPath(text)}; }

std::optional<size_t> IndexOfStep(std::string_view step) {
  if (step.empty() || step.size() > 10 || (step.size() > 1 && step.front() == '0')) {
    return std::nullopt;
  }
  size_t index = 0;
  const auto [end, error] = std::from_chars(step.data(), step.data() + step.size(), index);
  if (error != std::errc() || end != step.data() + step.size()) return std::nullopt;
  return index;
}

}  // namespace orrery::mongo
