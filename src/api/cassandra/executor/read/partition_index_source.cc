#include "api/cassandra/executor/read/partition_index_source.h"

#include "api/cassandra/executor/read/scanned_page.h"
#include "base/bytes.h"

namespace orrery::cassandra {

PartitionIndexSource::PartitionIndexSource(gateway::RowGateway& rows,
                                           gateway::ContainerRef container, const BoundKeys& keys,
                                           const SourcePosition& position)
    : rows_(rows), container_(std::move(container)), keys_(keys) {
  if (!position.continuation.empty()) damaged_ = !Decode(position.continuation);
  if (keys.none || keys.ranges.empty()) where_ = Where::kBetween;
}

bool PartitionIndexSource::Decode(std::string_view continuation) {
  ByteReader reader(continuation);
  std::string_view index;
  std::string_view key;
  std::string_view inner;
  uint8_t where = 0;
  if (!reader.ReadLengthPrefixed(index) || !reader.ReadBigEndian(where) ||
      where > static_cast<uint8_t>(Where::kBeginning)) {
    return false;
  }
  where_ = static_cast<Where>(where);
  if (!reader.empty() && !reader.ReadLengthPrefixed(key)) return false;
  if (where_ == Where::kInside && !reader.ReadLengthPrefixed(inner)) return false;
  index_ = index;
  key_ = key;
  inner_ = inner;
  return reader.empty();
}

SourcePosition PartitionIndexSource::position() const {
  SourcePosition position;
  AppendLengthPrefixed(position.continuation, index_);
  position.continuation.push_back(static_cast<char>(where_));
  AppendLengthPrefixed(position.continuation, key_);
  if (where_ == Where::kInside) AppendLengthPrefixed(position.continuation, inner_);
  return position;
}

CqlResult<std::optional<SourcePage>> PartitionIndexSource::Next(const item::PageLimits& limits,
                                                                storage::ReadMode mode) {
  if (damaged_) return std::unexpected(ProtocolError("Invalid value for the paging state"));
  return where_ == Where::kInside ? NextRows(limits, mode) : NextPartition(mode);
}

CqlResult<std::optional<SourcePage>> PartitionIndexSource::NextPartition(storage::ReadMode mode) {
  gateway::RowScanSpec spec;
  spec.range = keys_.ring;
  spec.index = keys_.index;
  // One entry at a time: what lies behind it is as large as it likes.
  spec.limits.items_max = 1;
  spec.limits.looked_at_max = 1;
  auto response = rows_.Scan(container_, spec, index_, mode);
  if (!response.has_value()) return ScanError(response.error());
  SourcePage page;
  page.charge = response->charge;
  page.looked_at = 1;
  index_ = std::move(response->continuation);
  where_ = Where::kBetween;
  if (response->partitions.empty()) return page;
  CQL_ASSIGN(std::string key, gateway::SerializedKey(response->partitions.front().partition_key));
  if (key == key_) return page;
  key_ = std::move(key);
  inner_.clear();
  where_ = Where::kInside;
  return page;
}

CqlResult<std::optional<SourcePage>> PartitionIndexSource::NextRows(const item::PageLimits& limits,
                                                                    storage::ReadMode mode) {
  gateway::RowScanSpec spec;
  spec.partition_key = key_;
  spec.limits = limits;
  if (!keys_.ranges.front().lower.empty()) spec.lower = keys_.ranges.front().lower;
  spec.upper = keys_.ranges.back().upper;
  auto response = rows_.Scan(container_, spec, inner_, mode);
  if (!response.has_value()) return ScanError(response.error());
  inner_ = std::move(response->continuation);
  if (inner_.empty()) where_ = Where::kBetween;
  response->continuation = inner_;
  CQL_ASSIGN(SourcePage page, PageOf(*std::move(response), spec.limits));
  return page;
}

}  // namespace orrery::cassandra
