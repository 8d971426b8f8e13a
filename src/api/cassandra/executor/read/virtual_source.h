// Rows of a table that is computed: all of them are asked for once, and given out in the order in
// which Cassandra has those of its own node, by key and clustering key.
#pragma once

#include "api/cassandra/executor/client.h"
#include "api/cassandra/executor/read/row_source.h"
#include "api/cassandra/planner/restriction/restrictions.h"
#include "api/cassandra/schema/schema.h"

namespace orrery::cassandra {

class VirtualSource final : public RowSource {
 public:
  struct Question {
    TablePtr table;
    SchemaPtr schema;
    ClientPtr client;
    const BoundKeys& keys;  // must outlive the source
    bool reversed = false;
  };

  VirtualSource(Question question, std::optional<SourceStart> start);

  // Computing the rows counts as blocking.
  CqlResult<std::optional<SourcePage>> Next(const item::PageLimits& limits,
                                            storage::ReadMode mode) override;
  bool done() const override { return done_; }

 private:
  CqlStatus Load();
  CqlStatus AddRow(VirtualRow row);
  bool IsPassed(const SourcePartition& partition) const;

  const Question question_;
  const std::optional<SourceStart> start_;
  size_t given_ = 0;
  bool loaded_ = false;
  bool done_ = false;
  std::vector<SourcePartition> found_;  // one row each
};

}  // namespace orrery::cassandra
