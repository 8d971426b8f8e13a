#include "api/cassandra/executor/read/table_source.h"

#include "gateway/row/row_token.h"

namespace orrery::cassandra {
namespace {

uint64_t StepsOf(const BoundKeys& keys) {
  if (keys.none || keys.ranges.empty()) return 0;
  if (!keys.partition_keys.has_value()) return 1;
  // An index finds rows of a partition in one go.
  return keys.index.has_value() ? keys.partition_keys->size()
                                : keys.partition_keys->size() * keys.ranges.size();
}

CqlResult<SourcePartition> Convert(item::ScannedPartition scanned) {
  SourcePartition partition;
  partition.hash = scanned.hash;
  CQL_ASSIGN(partition.key, gateway::SerializedKey(scanned.partition_key));
  partition.head = std::move(scanned.head);
  partition.begins = scanned.begins;
  partition.ends = scanned.ends;
  partition.rows.reserve(scanned.rows.size());
  for (item::ScannedRow& row : scanned.rows)
    partition.rows.push_back({std::move(row.clustering), std::move(row.row), row.shadow, {}});
  return partition;
}

}  // namespace

TableSource::TableSource(gateway::RowGateway& rows, Question question, SourcePosition position)
    : rows_(rows),
      question_(std::move(question)),
      steps_(StepsOf(question_.keys)),
      position_(std::move(position)) {}

const std::string& TableSource::key() const {
  const BoundKeys& keys = question_.keys;
  const size_t ranges = keys.index.has_value() ? 1 : keys.ranges.size();
  return (*keys.partition_keys)[position_.step / ranges];
}

const ClusteringRange& TableSource::range() const {
  const std::vector<ClusteringRange>& ranges = question_.keys.ranges;
  const size_t place = position_.step % ranges.size();
  return ranges[question_.reversed ? ranges.size() - 1 - place : place];
}

CqlResult<std::optional<SourcePage>> TableSource::Next(const item::PageLimits& limits,
                                                       storage::ReadMode mode) {
  const BoundKeys& keys = question_.keys;
  gateway::RowScanSpec spec;
  spec.limits = limits;
  spec.index = keys.index;
  spec.rows_per_partition_max = question_.rows_per_partition_max;
  const auto bound = [&spec](const std::string& lower, const std::optional<std::string>& upper) {
    if (!lower.empty()) spec.lower = lower;
    spec.upper = upper;
  };
  if (!keys.partition_keys.has_value()) {
    spec.range = keys.ring;
    bound(keys.ranges.front().lower, keys.ranges.back().upper);
    return Scan(spec, mode);
  }
  if (!keys.index.has_value() && range().is_row) return ReadRow(key(), range().lower, mode);
  spec.partition_key = key();
  if (!keys.index.has_value()) {
    bound(range().lower, range().upper);
    spec.descending = question_.reversed;
  }
  return Scan(spec, mode);
}

CqlResult<std::optional<SourcePage>> TableSource::ReadRow(const std::string& key,
                                                          const std::string& row,
                                                          storage::ReadMode mode) {
  const auto read = rows_.Read(question_.container, key, row, question_.reads_statics, mode);
  if (!read.has_value()) {
    if (read.error().code() == Code::kWouldBlock) return std::nullopt;
    return std::unexpected(ToCqlError(read.error()));
  }
  SourcePage page;
  page.charge = read->charge;
  page.looked_at = 1;
  if (read->row.row_visible) {
    SourcePartition& partition = page.partitions.emplace_back();
    partition.key = key;
    partition.head = read->row.head();
    partition.rows.push_back({row, std::string(read->row.row()), read->row.shadow, {}});
  }
  position_ = {position_.step + 1, {}};
  return page;
}

CqlResult<std::optional<SourcePage>> TableSource::Scan(const gateway::RowScanSpec& spec,
                                                       storage::ReadMode mode) {
  auto response = rows_.Scan(question_.container, spec, position_.continuation, mode);
  if (!response.has_value()) {
    if (response.error().code() == Code::kWouldBlock) return std::nullopt;
    return std::unexpected(ToCqlError(response.error()));
  }
  SourcePage page;
  page.charge = response->charge;
  // Full of rows, or else of rows that were looked at and did not show.
  const bool cut_by_work =
      !response->continuation.empty() && response->rows < spec.limits.items_max;
  page.looked_at = cut_by_work ? spec.limits.looked_at_max : response->rows + 1;
  for (item::ScannedPartition& scanned : response->partitions) {
    CQL_ASSIGN(SourcePartition partition, Convert(std::move(scanned)));
    page.partitions.push_back(std::move(partition));
  }
  if (response->continuation.empty()) {
    position_ = {position_.step + 1, {}};
  } else {
    position_.continuation = std::move(response->continuation);
  }
  return page;
}

}  // namespace orrery::cassandra
