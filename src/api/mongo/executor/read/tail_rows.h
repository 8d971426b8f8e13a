// TailRows are the documents of a capped collection that match, in the order of insertion, and
// those that are inserted later: a tailable cursor.
//
// It remembers the last document that it looked at. When that is gone, nobody knows what was missed
// since, and the cursor ends with kCappedPositionLost. A collection that is empty when it is first
// read to its end ends the cursor, too, as in MongoDB.
//
// Shared by the run, for its rows, and by whoever waits for them. Used by one thread at a time. The
// gateway must outlive it.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "api/mongo/executor/cursor/tail.h"
#include "api/mongo/executor/read/collection_scan.h"
#include "api/mongo/executor/read/find.h"

namespace orrery::mongo {

class TailRows final : public Tail {
 public:
  // REQUIRES: the request is of a capped collection, and has no order, range or search by distance.
  TailRows(gateway::Gateway& gateway, FindRequest request, bool awaits,
           std::shared_ptr<RunState> state);

  // Returns the next row; nullopt if there is none now. kQueryPlanKilled once the collection was
  // dropped.
  Answer<std::optional<Row>> Next();

  bool has_ended() const override { return has_ended_; }
  bool awaits() const override { return awaits_; }
  std::vector<ContainerId> containers() const override;

 private:
  Outcome CheckCollection() const;
  // Opens a scan behind the last document.
  Outcome Open();
  // Looks whether the last document is there: then nothing behind it was removed to make room.
  Outcome CheckPosition() const;

  gateway::Gateway& gateway_;
  const FindRequest request_;
  const bool awaits_;
  const std::shared_ptr<RunState> state_;
  const Answer<std::shared_ptr<const TextSearch>> search_;  // of the filter's $text
  std::unique_ptr<CollectionScan> scan_;                    // null: to be opened
  int64_t last_ = 0;                                        // number of the last document; 0: none
  uint64_t skipped_ = 0;
  uint64_t given_ = 0;
  bool has_ended_ = false;
};

class TailRowSource final : public RowSource {
 public:
  explicit TailRowSource(std::shared_ptr<TailRows> rows) : rows_(std::move(rows)) {}
  Answer<std::optional<Row>> Next() override { return rows_->Next(); }

 private:
  const std::shared_ptr<TailRows> rows_;
};

}  // namespace orrery::mongo
