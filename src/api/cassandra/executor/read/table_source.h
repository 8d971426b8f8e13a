// Rows of a table of the core, through the RowGateway.
//
// Steps: with partition keys given, one for each key and range of clustering keys, in their order;
// else one, a scan of the ring, by index perhaps. A scan of many partitions takes one range that
// spans all that were asked for; the others' rows between them come too.
#pragma once

#include "api/cassandra/executor/read/row_source.h"
#include "api/cassandra/planner/restriction/restrictions.h"
#include "gateway/row/row_gateway.h"

namespace orrery::cassandra {

class TableSource final : public RowSource {
 public:
  struct Question {
    gateway::ContainerRef container;
    const BoundKeys& keys;  // must outlive the source
    bool is_clustered = false;
    bool reversed = false;
    bool reads_statics = false;
    size_t rows_per_partition_max = 0;  // 0: all
  };

  // `rows` must outlive it.
  TableSource(gateway::RowGateway& rows, Question question, std::optional<SourceStart> start);

  CqlResult<std::optional<SourcePage>> Next(const item::PageLimits& limits,
                                            storage::ReadMode mode) override;
  bool done() const override { return step_ >= steps_; }

 private:
  void Begin(SourceStart start);
  void GoToNextStep();
  CqlResult<std::optional<SourcePage>> ReadRow(const std::string& key, const std::string& row,
                                               storage::ReadMode mode);
  CqlResult<std::optional<SourcePage>> Scan(const gateway::RowScanSpec& spec,
                                            storage::ReadMode mode);
  size_t ranges_per_key() const;
  // Of the step under way.
  const std::string& key() const;
  const ClusteringRange& range() const;

  gateway::RowGateway& rows_;
  const Question question_;
  const uint64_t steps_;
  uint64_t step_ = 0;
  std::string continuation_;                    // of the step under way
  std::optional<gateway::RowScanStart> start_;  // of that step, until it has a continuation
};

}  // namespace orrery::cassandra
