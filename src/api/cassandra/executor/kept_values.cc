#include "api/cassandra/executor/kept_values.h"

namespace orrery::cassandra {

KeptValues::KeptValues(std::span<const BoundValue> values) {
  size_t size = 0;
  for (const BoundValue& value : values) size += value.bytes.size();
  // The views point into the buffer, which may not move any more.
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
