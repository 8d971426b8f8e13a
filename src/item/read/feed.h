// The change feed of a slice: what happened to its items, in LSN order.
//
// Latest-version mode tells each live item once, at its last change. All-versions mode tells every
// create, replace and delete (also by expiry) that is not older than the container's retention.
// A position is an LSN: everything at or before it was seen. It stays valid in the children of a
// split and in a merged partition, because LSNs go on rising there and entries carry their ring
// position. feed_codec.h has the stored form.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "item/container_schema.h"
#include "item/layout/feed_codec.h"
#include "item/layout/key_layout.h"
#include "item/read/reader.h"
#include "partition/map/hash_range.h"
#include "storage/engine/engine.h"

namespace orrery::item {

// All versions may come with what was there before each change.
enum class FeedMode { kLatestVersion, kAllVersions, kAllVersionsAndBefore };

struct FeedEntry {
  Lsn lsn;
  ItemKey key;
  ChangeKind kind = ChangeKind::kCreate;
  bool by_expiry = false;
  Micros time{0};
  Lsn previous_lsn;
  std::optional<model::Document> document;  // for a delete: the last version, when kept
  std::optional<model::Document> before{};  // of a replace, when kept and asked for
  std::string note{};                       // Operation::note
  uint32_t seq = 0;                         // orders the changes of one transaction
};

struct FeedPage {
  std::vector<FeedEntry> entries;
  Lsn position;          // resume after this; rises past what was skipped, too
  bool drained = false;  // nothing more right now
  size_t examined = 0;
  // No entry after `position` has this time or an earlier one; 0: not known.
  Micros complete_until{0};
};

// Entries after `after` whose ring position is in `range`, at most up to and including `until`
// (the partition's last durable LSN). A transaction's entries are never cut in two pages.
// kInvalidArgument for all versions of a container that keeps only the latest. kWouldBlock, under
// kCachedOnly, only when not one whole transaction was found.
Result<FeedPage> ReadFeed(const storage::Engine& engine, const ContainerSchema& schema,
                          const partition::HashRange& range, FeedMode mode, Lsn after, Lsn until,
                          Micros now, const PageLimits& limits, storage::ReadMode read_mode);

// The position just before the first entry of the range at or after `time`; `until` when there is
// none. Times rise with LSNs within the history of one partition; where two have been merged, ask
// for each one's range.
Result<Lsn> FeedPositionAt(const storage::Engine& engine, const ContainerSchema& schema,
                           const partition::HashRange& range, Micros time, Lsn until);

}  // namespace orrery::item
