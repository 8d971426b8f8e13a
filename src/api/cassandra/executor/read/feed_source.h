// Rows of a table's change feed, for COSMOS_CHANGEFEED_START_TIME(): each at its last change, as it
// is now, in the order of the changes within each part of the ring. Deletions are not told, as in
// Cosmos DB.
//
// A source of one page: the feed never ends, and what comes after it is the next statement's.
#pragma once

#include "api/cassandra/executor/read/row_source.h"
#include "api/cassandra/planner/restriction/restrictions.h"
#include "gateway/row/row_gateway.h"

namespace orrery::cassandra {

class FeedSource final : public RowSource {
 public:
  struct Question {
    gateway::ContainerRef container;
    const BoundKeys& keys;  // at most one partition key; must outlive the source
    Micros start{0};
    bool is_clustered = false;
    bool reads_statics = false;
  };

  // `rows` must outlive it.
  FeedSource(gateway::RowGateway& rows, Question question, std::string continuation)
      : rows_(rows), question_(std::move(question)), continuation_(std::move(continuation)) {}

  // Above the provisioned rate the page is empty, and the next one begins where it did.
  CqlResult<std::optional<SourcePage>> Next(const item::PageLimits& limits,
                                            storage::ReadMode mode) override;
  bool done() const override { return done_; }
  std::string continuation() const override { return continuation_; }

 private:
  CqlResult<SourcePartition> Convert(item::RowFeedEntry entry) const;

  gateway::RowGateway& rows_;
  const Question question_;
  std::string continuation_;
  bool done_ = false;
};

}  // namespace orrery::cassandra
