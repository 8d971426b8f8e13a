// Copies of what a request binds, for statements that go on after the request is gone.
//
// Each copy is one buffer that its views point into; neither copied nor moved for that reason.
// Immutable, so any thread may look.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "api/cassandra/protocol/request/request.h"

namespace orrery::cassandra {

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

// The same of all parameters but names and keyspace, which are needed only before.
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
