// The values that a request binds, in the order of the statement's markers.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/cassandra/protocol/body/primitives.h"
#include "api/cassandra/protocol/cql_result.h"

namespace orrery::cassandra {

// Refuses too few or too many values, and a marker that none of the names given is that of; names
// that no marker has are skipped. `reordered` is where named values are put; without names the
// request's own are returned.
CqlResult<std::span<const BoundValue>> ArrangeValues(std::span<const BoundValue> values,
                                                     std::span<const std::string_view> names,
                                                     std::span<const std::string> markers,
                                                     bool is_prepared,
                                                     std::vector<BoundValue>& reordered);

}  // namespace orrery::cassandra
