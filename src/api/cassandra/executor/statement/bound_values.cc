#include "api/cassandra/executor/statement/bound_values.h"

#include <fmt/core.h>

#include <algorithm>

namespace orrery::cassandra {

CqlResult<std::span<const BoundValue>> ArrangeValues(std::span<const BoundValue> values,
                                                     std::span<const std::string_view> names,
                                                     std::span<const std::string> markers,
                                                     bool is_prepared,
                                                     std::vector<BoundValue>& reordered) {
  if (names.empty()) {
    if (values.size() == markers.size()) return values;
    if (!is_prepared) return Invalid("Invalid amount of bind variables");
    return Invalid(fmt::format("there were {} markers(?) in CQL but {} bound variables",
                               markers.size(), values.size()));
  }
  for (const std::string& marker : markers) {
    const auto found = std::ranges::find(names, marker);
    if (found == names.end())
      return Invalid(fmt::format("Missing value for the bind marker \"{}\"", marker));
    reordered.push_back(values[static_cast<size_t>(found - names.begin())]);
  }
  return std::span<const BoundValue>(reordered);
}

}  // namespace orrery::cassandra
