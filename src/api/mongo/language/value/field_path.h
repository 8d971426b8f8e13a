// A FieldPath is a dotted path as filters, updates and projections have it: "a.b.0".
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::mongo {

struct FieldPath {
  std::string text;
  std::vector<std::string> steps;

  static FieldPath Of(std::string_view text);
};

std::vector<std::string> SplitPath(std::string_view text);

// The number that a step means as an index of an array; nullopt if it is no index ("01", "-1").
std::optional<size_t> IndexOfStep(std::string_view step);

}  // namespace orrery::mongo
