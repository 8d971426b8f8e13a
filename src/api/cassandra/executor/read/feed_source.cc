#include "api/cassandra/executor/read/feed_source.h"

namespace orrery::cassandra {

CqlResult<std::optional<SourcePage>> FeedSource::Next(const item::PageLimits& limits,
                                                      storage::ReadMode mode) {
  if (mode == storage::ReadMode::kCachedOnly) return std::nullopt;
  gateway::RowFeedSpec spec;
  spec.range = question_.keys.ring;
  if (question_.keys.partition_keys.has_value())
    spec.partition_key = question_.keys.partition_keys->front();
  spec.start = gateway::FeedSpec::Start::kTime;
  spec.start_time = question_.start;
  spec.limits = limits;
  auto response = rows_.ReadFeed(question_.container, spec, continuation_);
  done_ = true;
  SourcePage page;
  if (!response.has_value()) {
    if (response.error().code() == Code::kThrottled) return page;
    return std::unexpected(ToCqlError(response.error()));
  }
  page.charge = response->charge;
  page.examined = response->entries.size();
  for (item::RowFeedEntry& entry : response->entries) {
    if (entry.kind != item::RowChangeKind::kRow) continue;
    CQL_ASSIGN(SourcePartition partition, Convert(std::move(entry)));
    page.partitions.push_back(std::move(partition));
  }
  continuation_ = std::move(response->continuation);
  return page;
}

CqlResult<SourcePartition> FeedSource::Convert(item::RowFeedEntry entry) const {
  SourcePartition partition;
  partition.hash = entry.hash;
  CQL_ASSIGN(partition.key, gateway::SerializedKey(entry.partition_key));
  partition.begins = true;
  partition.ends = true;
  if (question_.is_clustered && entry.clustering.empty()) {
    partition.static_row = std::move(entry.row);
    return partition;
  }
  if (question_.reads_statics) {
    const auto read = rows_.Read(question_.container, partition.key, entry.clustering,
                                 /*want_static_row=*/true, storage::ReadMode::kMayBlock);
    if (!read.has_value()) return std::unexpected(ToCqlError(read.error()));
    partition.static_row = read->row.static_row();
  }
  partition.rows.push_back(
      {std::move(entry.clustering), std::move(entry.row), entry.covering_deletion, {}});
  return partition;
}

}  // namespace orrery::cassandra
