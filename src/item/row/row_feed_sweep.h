// Collects entries of the change feed of rows that tell of nothing any more: the row was written
// again since, or is gone. What is left is one entry for each row, and deletions, which compaction
// drops when they are old enough.
//
// A row's position only rises, so an entry that is stale stays so, and a sweep needs no lock.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/status.h"
#include "item/container_schema.h"
#include "partition/map/hash_range.h"
#include "partition/sequencer.h"
#include "storage/engine/engine.h"

namespace orrery::item {

struct StaleFeedEntries {
  std::vector<std::string> keys;
  Lsn position;  // all entries at or before it were looked at
  size_t looked_at = 0;
  bool done = false;  // nothing is left up to `until`
};

// Looks at about `limit` entries of the range after `after`, up to and including `until`. REQUIRES:
// the schema is of a container of rows.
Result<StaleFeedEntries> FindStaleFeedEntries(const storage::Engine& engine,
                                              const ContainerSchema& schema,
                                              const partition::HashRange& range, Lsn after,
                                              Lsn until, size_t limit);

// A mutation that removes entries of the feed by their keys.
std::unique_ptr<partition::Mutation> RemoveFeedEntries(std::vector<std::string> keys,
                                                       std::move_only_function<void(Status)> done);

// When to sweep a feed again: when kGrowth times as many positions were given out since the last
// pass began as it found entries worth keeping. So the feed stays within 1 + kGrowth times its
// least size, and each write costs 1 + 1 / kGrowth looks, whenever that is. Not thread-safe.
class FeedSweepPass {
 public:
  static constexpr uint64_t kPositionsMin = 1'000;
  static constexpr uint64_t kGrowth = 3;

  bool Due(Lsn last) const { return running_ || last.value() - began_.value() >= wait_; }
  // Where to look now. Begins a pass when none is running.
  struct Span {
    Lsn after;
    Lsn until;
  };
  Span Next(Lsn last);
  void Looked(const StaleFeedEntries& found);

 private:
  bool running_ = false;
  Lsn began_;     // the last position when the pass that runs, or ran last, began
  Lsn position_;  // of the pass that runs
  uint64_t kept_ = 0;
  uint64_t wait_ = kPositionsMin;
};

}  // namespace orrery::item
