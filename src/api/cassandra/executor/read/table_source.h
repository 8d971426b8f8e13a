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

  // `rows` must outlive it. A position of another question is noticed by Next at the latest.
  TableSource(gateway::RowGateway& rows, Question question, SourcePosition position);

  CqlResult<std::optional<SourcePage>> Next(const item::PageLimits& limits,
                                            storage::ReadMode mode) override;
  bool done() const override { return position_.step >= steps_; }
  SourcePosition position() const override { return position_; }

 private:
  CqlResult<std::optional<SourcePage>> ReadRow(const std::string& key, const std::string& row,
                                               storage::ReadMode mode);
  CqlResult<std::optional<SourcePage>> Scan(const gateway::RowScanSpec& spec,
                                            storage::ReadMode mode);
  // Of the step under way.
  const std::string& key() const;
  const ClusteringRange& range() const;

  gateway::RowGateway& rows_;
  const Question question_;
  const uint64_t steps_;
  SourcePosition position_;
};

}  // namespace orrery::cassandra
