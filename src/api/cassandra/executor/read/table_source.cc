#include "api/cassandra/executor/read/table_source.h"

#include "api/cassandra/executor/read/scanned_page.h"

namespace orrery::cassandra {
namespace {

uint64_t StepsOf(const BoundKeys& keys) {
  if (keys.none || keys.ranges.empty()) return 0;
  if (!keys.partition_keys.has_value()) return 1;
  // An index finds rows of a partition in one go.
  return keys.index.has_value() ? keys.partition_keys->size()
                                : keys.partition_keys->size() * keys.ranges.size();
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
  if (!keys.index.has_value() && (range().is_row || !question_.is_clustered))
    return ReadRow(key(), range().lower, mode);
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
  if (!read.has_value()) return ScanError(read.error());
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
  if (!response.has_value()) return ScanError(response.error());
  if (response->continuation.empty()) {
    position_ = {position_.step + 1, {}};
  } else {
    position_.continuation = response->continuation;
  }
  CQL_ASSIGN(SourcePage page, PageOf(*std::move(response), spec.limits));
  return page;
}

}  // namespace orrery::cassandra
