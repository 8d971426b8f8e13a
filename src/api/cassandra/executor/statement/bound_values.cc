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

KeptValues::KeptValues(std::span<const BoundValue> values) {
  size_t size = 0;
  for (const BoundValue& value : values) size += value.bytes.size();
  bytes_.reserve(size);
  values_.reserve(values.size());
  for (const BoundValue& value : values) {
    const size_t begin = bytes_.size();
    bytes_ += value.bytes;
    values_.push_back({value.state, std::string_view(bytes_).substr(begin)});
  }
}

KeptParameters::KeptParameters(const QueryParameters& parameters)
    : values_(parameters.values),
      paging_state_(parameters.paging_state.value_or(std::string_view())),
      parameters_(parameters) {
  parameters_.values.assign(values_.values().begin(), values_.values().end());
  parameters_.names.clear();
  parameters_.context.keyspace.reset();
  if (parameters.paging_state.has_value()) parameters_.paging_state = paging_state_;
}

}  // namespace orrery::cassandra
