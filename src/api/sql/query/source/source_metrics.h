// What reading documents has cost.
#pragma once

#include <cstddef>
#include <vector>

#include "base/request_units.h"
#include "gateway/gateway.h"
#include "gateway/position/session_token.h"

namespace orrery::sql {

struct SourceMetrics {
  RequestUnits charge;
  std::vector<gateway::SessionPosition> session;  // the newest of each partition
  size_t looked_at = 0;
  size_t passed = 0;  // entries of indexes
  size_t documents = 0;
  size_t bytes = 0;

  // One more page of a scan.
  void Add(const gateway::ScanResponse& page);
};

}  // namespace orrery::sql
