// Rows of the partitions that an index of a static or a partition key column leads to: each entry
// of the index stands for a whole partition, which is then scanned once, however many follow.
//
//   continuation := index:bytes inside:uint8 [key:bytes [rows:bytes]]
//   index, rows  := the gateway's continuations of the two scans; empty index: no more entries
//   key          := of the partition that was scanned last, or is
//   bytes        := length:varint data
//
// `inside` is 1 while a partition is under way, 2 at the very beginning, when nothing was asked
// yet.
#pragma once

#include "api/cassandra/executor/read/row_source.h"
#include "api/cassandra/planner/restriction/restrictions.h"
#include "gateway/row/row_gateway.h"

namespace orrery::cassandra {

class PartitionIndexSource final : public RowSource {
 public:
  // `rows` and `keys` must outlive it.
  PartitionIndexSource(gateway::RowGateway& rows, gateway::ContainerRef container,
                       const BoundKeys& keys, const SourcePosition& position);

  CqlResult<std::optional<SourcePage>> Next(const item::PageLimits& limits,
                                            storage::ReadMode mode) override;
  bool done() const override { return where_ == Where::kBetween && index_.empty(); }
  SourcePosition position() const override;

 private:
  enum class Where : uint8_t { kBetween = 0, kInside = 1, kBeginning = 2 };

  bool Decode(std::string_view continuation);
  CqlResult<std::optional<SourcePage>> NextPartition(storage::ReadMode mode);
  CqlResult<std::optional<SourcePage>> NextRows(const item::PageLimits& limits,
                                                storage::ReadMode mode);

  gateway::RowGateway& rows_;
  const gateway::ContainerRef container_;
  const BoundKeys& keys_;
  Where where_ = Where::kBeginning;
  bool damaged_ = false;  // the position it was given was none of ours
  std::string index_;     // continuation of the index scan
  std::string key_;       // of the partition under way, or of the last
  std::string inner_;     // continuation of its scan
};

}  // namespace orrery::cassandra
