#include "query/source/source_metrics.h"

#include <algorithm>

namespace orrery::query {

void SourceMetrics::Add(const gateway::ScanResponse& page) {
  charge += page.charge;
  examined += page.examined;
  skipped += page.entries_passed;
  documents += page.items_rejected;
  bytes += page.bytes_rejected;
  grouped += page.items_grouped;
  grouped_bytes += page.bytes_grouped;
  const auto positions = gateway::ParseSessionToken(page.session);
  if (!positions.has_value()) return;
  for (const gateway::SessionPosition& position : *positions) Add(position);
}

void SourceMetrics::Add(const SourceMetrics& more) {
  charge += more.charge;
  examined += more.examined;
  skipped += more.skipped;
  documents += more.documents;
  bytes += more.bytes;
  grouped += more.grouped;
  grouped_bytes += more.grouped_bytes;
  for (const gateway::SessionPosition& position : more.session) Add(position);
}

void SourceMetrics::Add(const gateway::SessionPosition& position) {
  const auto known =
      std::ranges::find(session, position.partition, &gateway::SessionPosition::partition);
  if (known == session.end()) {
    session.push_back(position);
  } else {
    known->lsn = std::max(known->lsn, position.lsn);
  }
}

}  // namespace orrery::query
