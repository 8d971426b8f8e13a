// Collects changes in the feed of rows that tell of nothing any more: the row was written again
// since, or is gone, or it is a deletion past its time. What is left is one change for each row,
// and the deletions that are still told.
//
// A row's position only rises, so a change that is stale stays so, and a sweep needs no lock
// against writers. Whoever rewrites packs of one partition must be alone with that.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/hash128.h"
#include "base/ids.h"
#include "base/status.h"
#include "item/container_schema.h"
#include "item/layout/feed_codec.h"
#include "item/row_feed/feed_pack.h"
#include "partition/map/hash_range.h"
#include "partition/sequencer.h"
#include "storage/engine/engine.h"

namespace orrery::item {

struct FeedSweepRequest {
  std::vector<partition::HashRange> ranges;  // of the container in this partition
  Lsn after;
  Lsn until;  // a position that the partition has reached
  // Rows of changes at or before it are looked up, unless another one is seen to follow: an earlier
  // pass kept them, but they may be stale for long or their rows gone. Most later ones will be
  // followed before they are looked up.
  Lsn settled;
  Micros now{0};
  // After a split both children have the packs of their parent, and may be merged again: a pack
  // with changes of the other one is left as it is but by the trim, which no merge can meet.
  bool trim = false;
};

// Packs to put in the place of others, in one transaction.
struct FeedRewrite {
  std::vector<std::string> removed;  // keys
  std::vector<StoredPack> put;       // in the order of their keys
  bool empty() const { return removed.empty() && put.empty(); }
};

// Sweeps one segment of a feed, which it has in memory, in windows that are rewritten one by one.
class FeedSweep {
 public:
  static constexpr size_t kSegmentChanges = 256 << 10;
  static constexpr size_t kWindowChanges = 8 << 10;
  // A window is rewritten when one of so many changes can go.
  static constexpr size_t kWorthOneOf = 4;

  // Reads the segment; blocks. The engine and the schema, which is of a container of rows, must
  // outlive the sweep.
  static Result<FeedSweep> Open(const storage::Engine& engine, const ContainerSchema& schema,
                                FeedSweepRequest request);

  // Returns what to do with the next window; nullopt at the end of the segment. May block.
  Result<std::optional<FeedRewrite>> Next();

  // All packs that end at or before it were examined.
  Lsn position() const { return position_; }
  // Changes that are known to be worth keeping, of the windows so far.
  uint64_t kept() const { return kept_; }

 private:
  struct Pack {
    std::string key;
    Lsn last;
    std::string bytes;
    size_t changes = 0;
  };
  struct RowRef {
    std::string_view partition_key;
    std::string_view clustering;
    friend bool operator==(const RowRef&, const RowRef&) = default;
  };
  struct RowRefHash {
    size_t operator()(const RowRef& row) const;
  };
  // A change of the segment, by its number in the order of reading.
  struct Place {
    Lsn lsn;
    size_t number = 0;
    bool ages = false;  // a deletion goes by its time, whatever follows
  };
  using LastChanges = boost::unordered_flat_map<RowRef, Place, RowRefHash>;

  FeedSweep(const storage::Engine& engine, const ContainerSchema& schema, FeedSweepRequest request);
  Status ReadSegment();
  // Finds out which changes, from number `first` on, are followed by another of their row. `last`:
  // the last change of each row so far.
  Status NoteFollowed(size_t first, LastChanges& last);
  // Ends between positions, so that what is put in place of a window's packs has no key of others.
  size_t EndOfWindow() const;
  bool IsOurs(const PackedChange& stored) const;
  enum class Verdict { kStale, kLast, kUnknown };
  Result<Verdict> Judge(size_t number) const;
  Result<bool> IsRowNewer(const PackedChange& stored, const Change& change) const;
  // Puts `live` in the place of the packs from next_ to `end`.
  FeedRewrite Rewrite(size_t end, std::vector<PackedChange> live) const;

  const storage::Engine* engine_;
  const ContainerSchema* schema_;
  FeedSweepRequest request_;
  std::deque<Pack> packs_;
  std::vector<PackedChange> changes_;  // by number; point into packs_
  std::vector<bool> followed_;         // those that their row's next change makes stale
  bool whole_ = false;                 // the segment goes on to the request's end
  size_t next_ = 0;                    // the first pack of the next window
  size_t next_number_ = 0;             // of its first change
  Lsn position_;
  uint64_t kept_ = 0;
};

// A mutation that makes a rewrite.
std::unique_ptr<partition::Mutation> RewriteFeed(FeedRewrite rewrite,
                                                 std::move_only_function<void(Status)> done);

// The part of a pack whose changes lie in `ranges`, as a pack of its own, for a copy of them;
// nullopt when there is none.
Result<std::optional<StoredPack>> PackWithin(std::string_view pack, ContainerId container,
                                             const std::vector<partition::HashRange>& ranges);

// A FeedSweepPass decides when to sweep a feed again: when kGrowth times as many positions were
// given out since the last pass began as it found changes worth keeping. So the feed stays within 1
// + kGrowth times its least size, and each write costs 1 + 1 / kGrowth looks, whenever that is.
//
// A pass that has the whole feed in one segment sees every change that another one follows. Rows
// must then be looked up only to find those that went without a change of their own, expired or
// with a range: one of kRowsLooked passes does it, for it reads each row that was not written
// since. Not thread-safe.
class FeedSweepPass {
 public:
  static constexpr uint64_t kPositionsMin = 1'000;
  static constexpr uint64_t kGrowth = 3;
  static constexpr uint64_t kRowsLooked = 4;

  bool Due(Lsn last) const { return running_ || last.value() - began_.value() >= wait_; }
  // The span to sweep now. Begins a pass when none is running.
  struct Span {
    Lsn after;
    Lsn until;
    Lsn settled;  // where the pass before began; none when rows are not looked up
  };
  Span Next(Lsn last);
  // All changes up to `position` were examined, of which `kept` more are worth keeping.
  void Looked(Lsn position, uint64_t kept);

 private:
  bool running_ = false;
  bool one_segment_ = false;        // was enough for the pass that ran last, or is so far
  uint64_t since_rows_looked_ = 0;  // passes
  Lsn began_;                       // the last position when the pass that runs, or ran last, began
  Lsn settled_;
  Lsn position_;  // of the pass that runs
  uint64_t kept_ = 0;
  uint64_t wait_ = kPositionsMin;
};

}  // namespace orrery::item
