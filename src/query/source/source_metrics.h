// SourceMetrics count what reading documents has cost.
#pragma once

#include <cstddef>
#include <vector>

#include "base/request_units.h"
#include "gateway/gateway.h"
#include "gateway/position/session_token.h"

namespace orrery::query {

struct SourceMetrics {
  RequestUnits charge;
  std::vector<gateway::SessionPosition> session;  // the newest of each partition
  size_t examined = 0;
  size_t skipped = 0;    // entries of indexes
  size_t documents = 0;  // that conditions were evaluated on, here or where they are
  size_t bytes = 0;
  // Documents that owners have put into groups, and their bytes.
  size_t grouped = 0;
  size_t grouped_bytes = 0;

  // One more page of a scan.
  void Add(const gateway::ScanResponse& page);
  void Add(const SourceMetrics& more);

 private:
  void Add(const gateway::SessionPosition& position);
};

}  // namespace orrery::query
