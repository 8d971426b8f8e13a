#include "api/cassandra/executor/read/scanned_page.h"

namespace orrery::cassandra {
namespace {

CqlResult<SourcePartition> PartitionOf(item::ScannedPartition scanned) {
  SourcePartition partition;
  partition.hash = scanned.hash;
  CQL_ASSIGN(partition.key, gateway::SerializedKey(scanned.partition_key));
  partition.static_row = std::move(scanned.static_row);
  partition.begins = scanned.begins;
  partition.ends = scanned.ends;
  partition.rows.reserve(scanned.rows.size());
  for (item::ScannedRow& row : scanned.rows)
    partition.rows.push_back(
        {std::move(row.clustering), std::move(row.row), row.covering_deletion, {}});
  return partition;
}

}  // namespace

CqlResult<SourcePage> PageOf(gateway::RowScanResponse response, const item::PageLimits& limits) {
  SourcePage page;
  page.charge = response.charge;
  // Full of rows, or else of rows that were examined and did not show.
  const bool cut_by_work = !response.continuation.empty() && response.rows < limits.items_max;
  page.examined = cut_by_work ? limits.examined_max : response.rows + 1;
  page.partitions.reserve(response.partitions.size());
  for (item::ScannedPartition& scanned : response.partitions) {
    CQL_ASSIGN(SourcePartition partition, PartitionOf(std::move(scanned)));
    page.partitions.push_back(std::move(partition));
  }
  return page;
}

CqlResult<std::optional<SourcePage>> ScanError(const Error& error) {
  if (error.code() == Code::kWouldBlock) return std::nullopt;
  // The key that was asked for; the map has writes in mind.
  if (error.code() == Code::kTooLarge) return Invalid(error.message());
  return std::unexpected(ToCqlError(error));
}

}  // namespace orrery::cassandra
