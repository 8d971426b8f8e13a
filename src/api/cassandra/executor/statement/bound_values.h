// The values that a request binds, in the order of the statement's markers.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/cassandra/protocol/cql_result.h"
#include "api/cassandra/protocol/request/request.h"

namespace orrery::cassandra {

// Refuses too few or too many values, and a marker that none of the names given is that of; names
// that no marker has are passed over. `reordered` is where named values are put; without names the
// request's own are returned.
CqlResult<std::span<const BoundValue>> ArrangeValues(std::span<const BoundValue> values,
                                                     std::span<const std::string_view> names,
                                                     std::span<const std::string> markers,
                                                     bool is_prepared,
                                                     std::vector<BoundValue>& reordered);

// A copy of bound values, for statements that go on after their request is gone.
class KeptValues {
 public:
  explicit KeptValues(std::span<const BoundValue> values);
  KeptValues(const KeptValues&) = delete;
  KeptValues& operator=(const KeptValues&) = delete;

  std::span<const BoundValue> values() const { return values_; }

 private:
  std::string bytes_;
  std::vector<BoundValue> values_;
};

// The same of all parameters.
class KeptParameters {
 public:
  explicit KeptParameters(const QueryParameters& parameters);
  KeptParameters(const KeptParameters&) = delete;
  KeptParameters& operator=(const KeptParameters&) = delete;

  const QueryParameters& parameters() const { return parameters_; }

 private:
  const KeptValues values_;
  const std::string paging_state_;
  QueryParameters parameters_;
};

}  // namespace orrery::cassandra
