#include "api/cassandra/executor/read/table_source.h"

#include <algorithm>

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

// Returns whether all rows of the range come up to the mark.
bool IsPassed(const ClusteringRange& range, const std::string& mark, bool reversed) {
  if (reversed) return range.lower >= mark;
  return range.is_row ? range.lower <= mark : range.upper.has_value() && *range.upper <= mark;
}

}  // namespace

TableSource::TableSource(gateway::RowGateway& rows, Question question,
                         std::optional<SourceStart> start)
    : rows_(rows), question_(std::move(question)), steps_(StepsOf(question_.keys)) {
  if (start.has_value() && steps_ > 0) Begin(*std::move(start));
}

void TableSource::Begin(SourceStart start) {
  const BoundKeys& keys = question_.keys;
  RowMark& mark = start.mark;
  if (keys.partition_keys.has_value()) {
    const std::vector<std::string>& asked = *keys.partition_keys;
    const auto found = asked.size() == 1 ? asked.begin() : std::ranges::find(asked, mark.key);
    if (found == asked.end()) {
      step_ = steps_;
      return;
    }
    mark.key = *found;
    const uint64_t first = static_cast<uint64_t>(found - asked.begin()) * ranges_per_key();
    const uint64_t end = first + ranges_per_key();
    step_ = mark.clustering.has_value() ? first : end;
    if (!keys.index.has_value()) {
      while (step_ < end && IsPassed(range(), *mark.clustering, question_.reversed)) ++step_;
    }
    if (step_ == end) return;
  }
  // The scan does not begin at the partition's beginning.
  start_ = gateway::RowScanStart{std::move(mark.key), std::move(mark.clustering),
                                 std::max<uint64_t>(start.partition_rows, 1)};
}

void TableSource::GoToNextStep() {
  ++step_;
  continuation_.clear();
  start_.reset();
}

size_t TableSource::ranges_per_key() const {
  return question_.keys.index.has_value() ? 1 : question_.keys.ranges.size();
}

const std::string& TableSource::key() const {
  return (*question_.keys.partition_keys)[step_ / ranges_per_key()];
}

const ClusteringRange& TableSource::range() const {
  const std::vector<ClusteringRange>& ranges = question_.keys.ranges;
  const size_t place = step_ % ranges.size();
  return ranges[question_.reversed ? ranges.size() - 1 - place : place];
}

CqlResult<std::optional<SourcePage>> TableSource::Next(const item::PageLimits& limits,
                                                       storage::ReadMode mode) {
  const BoundKeys& keys = question_.keys;
  gateway::RowScanSpec spec;
  spec.limits = limits;
  spec.start = start_;
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
  page.examined = 1;
  if (read->row.row_visible) {
    SourcePartition& partition = page.partitions.emplace_back();
    partition.key = key;
    partition.static_row = read->row.static_row();
    partition.rows.push_back({row, std::string(read->row.row()), read->row.covering_deletion, {}});
  }
  GoToNextStep();
  return page;
}

CqlResult<std::optional<SourcePage>> TableSource::Scan(const gateway::RowScanSpec& spec,
                                                       storage::ReadMode mode) {
  auto response = rows_.Scan(question_.container, spec, continuation_, mode);
  if (!response.has_value()) return ScanError(response.error());
  if (response->continuation.empty()) {
    GoToNextStep();
  } else {
    continuation_ = response->continuation;
  }
  CQL_ASSIGN(SourcePage page, PageOf(*std::move(response), spec.limits));
  return page;
}

}  // namespace orrery::cassandra
