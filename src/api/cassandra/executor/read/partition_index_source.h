// Rows of the partitions that an index of a static or a partition key column leads to: each entry
// of the index stands for a whole partition, which is then scanned once, however many follow.
#pragma once

#include "api/cassandra/executor/read/row_source.h"
#include "api/cassandra/planner/restriction/restrictions.h"
#include "gateway/row/row_gateway.h"

namespace orrery::cassandra {

class PartitionIndexSource final : public RowSource {
 public:
  // `rows` and `keys` must outlive it.
  PartitionIndexSource(gateway::RowGateway& rows, gateway::ContainerRef container,
                       const BoundKeys& keys, std::optional<SourceStart> start);

  CqlResult<std::optional<SourcePage>> Next(const item::PageLimits& limits,
                                            storage::ReadMode mode) override;
  bool done() const override { return !inside_ && index_done_; }

 private:
  CqlResult<std::optional<SourcePage>> NextPartition(storage::ReadMode mode);
  CqlResult<std::optional<SourcePage>> NextRows(const item::PageLimits& limits,
                                                storage::ReadMode mode);

  gateway::RowGateway& rows_;
  const gateway::ContainerRef container_;
  const BoundKeys& keys_;
  std::optional<gateway::RowScanStart> start_;  // of the index scan
  std::string index_;                           // its continuation
  bool index_done_ = false;
  bool inside_ = false;                               // a partition is under way
  std::string key_;                                   // its key, or that of the last
  std::optional<gateway::RowScanStart> inner_start_;  // of its scan
  std::string inner_;                                 // continuation of its scan
};

}  // namespace orrery::cassandra
