// Goes through the changes of a container of rows in the order of (lsn, hash, seq), each once,
// wherever they are stored.
//
// Packs come in the order of their last changes and may overlap (feed_pack.h), so the cursor reads
// kPackSpan positions ahead of what it shows. Not thread-safe; the engine and the snapshot must
// outlive it.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/status.h"
#include "item/row_feed/feed_pack.h"
#include "storage/engine/engine.h"

namespace orrery::item {

struct FeedCursorOptions {
  Lsn after;  // shows what comes after it ...
  Lsn until;  // ... up to and including this
  storage::ReadMode mode = storage::ReadMode::kMayBlock;
  const storage::Snapshot* snapshot = nullptr;  // null: as of now
};

class FeedCursor {
 public:
  FeedCursor(const storage::Engine& engine, ContainerId container,
             const FeedCursorOptions& options);

  // Goes to the next change, at first to the first one. False: there are no more.
  Result<bool> Next();
  // Good until the next Next. REQUIRES: Next returned true.
  const PackedChange& change() const { return ahead_[at_]; }

 private:
  struct Pack {
    Lsn last;
    std::string bytes;
  };
  // Returns whether packs that were not read may have something before the current change.
  bool MustReadAhead() const;
  Status ReadPack();
  void LetGo();

  const FeedCursorOptions options_;
  const std::unique_ptr<storage::Iterator> stored_;
  std::deque<Pack> packs_;           // that ahead_ points into
  std::vector<PackedChange> ahead_;  // in order
  size_t at_ = 0;
  bool started_ = false;
};

}  // namespace orrery::item
