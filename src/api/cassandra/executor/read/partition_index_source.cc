#include "api/cassandra/executor/read/partition_index_source.h"

#include <algorithm>

#include "api/cassandra/executor/read/scanned_page.h"
#include "gateway/row/row_token.h"

namespace orrery::cassandra {
namespace {

bool IsInRing(const BoundKeys& keys, std::string_view key) {
  const int64_t token = gateway::TokenOf(key);
  return token >= gateway::TokenOf(keys.ring.begin()) &&
         token <= gateway::TokenOf(keys.ring.last());
}

}  // namespace

PartitionIndexSource::PartitionIndexSource(gateway::RowGateway& rows,
                                           gateway::ContainerRef container, const BoundKeys& keys,
                                           std::optional<SourceStart> start)
    : rows_(rows),
      container_(std::move(container)),
      keys_(keys),
      index_done_(keys.none || keys.ranges.empty()) {
  if (!start.has_value() || index_done_) return;
  RowMark& mark = start->mark;
  start_ = gateway::RowScanStart{mark.key, std::nullopt, 0};
  key_ = mark.key;
  if (!mark.clustering.has_value() || !IsInRing(keys, mark.key)) return;
  // It may be one that the index does not lead to; then no row of it passes the filter.
  inside_ = true;
  inner_start_ = gateway::RowScanStart{std::move(mark.key), std::move(mark.clustering),
                                       std::max<uint64_t>(start->partition_rows, 1)};
}

CqlResult<std::optional<SourcePage>> PartitionIndexSource::Next(const item::PageLimits& limits,
                                                                storage::ReadMode mode) {
  return inside_ ? NextRows(limits, mode) : NextPartition(mode);
}

CqlResult<std::optional<SourcePage>> PartitionIndexSource::NextPartition(storage::ReadMode mode) {
  gateway::RowScanSpec spec;
  spec.range = keys_.ring;
  spec.index = keys_.index;
  spec.start = start_;
  // One entry at a time: what lies behind it is as large as it likes.
  spec.limits.items_max = 1;
  spec.limits.examined_max = 1;
  auto response = rows_.Scan(container_, spec, index_, mode);
  if (!response.has_value()) return ScanError(response.error());
  SourcePage page;
  page.charge = response->charge;
  page.examined = 1;
  index_ = std::move(response->continuation);
  index_done_ = index_.empty();
  if (response->partitions.empty()) return page;
  CQL_ASSIGN(std::string key, gateway::SerializedKey(response->partitions.front().partition_key));
  if (key == key_) return page;
  key_ = std::move(key);
  inner_.clear();
  inner_start_.reset();
  inside_ = true;
  return page;
}

CqlResult<std::optional<SourcePage>> PartitionIndexSource::NextRows(const item::PageLimits& limits,
                                                                    storage::ReadMode mode) {
  gateway::RowScanSpec spec;
  spec.partition_key = key_;
  spec.limits = limits;
  spec.start = inner_start_;
  if (!keys_.ranges.front().lower.empty()) spec.lower = keys_.ranges.front().lower;
  spec.upper = keys_.ranges.back().upper;
  auto response = rows_.Scan(container_, spec, inner_, mode);
  if (!response.has_value()) return ScanError(response.error());
  inner_ = std::move(response->continuation);
  inside_ = !inner_.empty();
  response->continuation = inner_;
  CQL_ASSIGN(SourcePage page, PageOf(*std::move(response), spec.limits));
  return page;
}

}  // namespace orrery::cassandra
