#include "api/sql/query/source/source_metrics.h"

#include <algorithm>

namespace orrery::sql {

void SourceMetrics::Add(const gateway::ScanResponse& page) {
  charge += page.charge;
  looked_at += page.looked_at;
  passed += page.entries_passed;
  const auto positions = gateway::ParseSessionToken(page.session);
  if (!positions.has_value()) return;
  for (const gateway::SessionPosition& position : *positions) {
    const auto known =
        std::ranges::find(session, position.partition, &gateway::SessionPosition::partition);
    if (known == session.end()) {
      session.push_back(position);
    } else {
      known->lsn = std::max(known->lsn, position.lsn);
    }
  }
}

}  // namespace orrery::sql
