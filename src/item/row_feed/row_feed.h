// The change feed of a slice of rows: what happened to them, in LSN order.
//
// Rows are written without reading, so each write leaves an entry and none knows of the one before.
// A reader tells each row once, at its last change, as it is now: an entry that is older than its
// row is skipped (and collected, row_feed_sweep.h). What a row lost to a deletion or to its ttl
// is not told again, but deletions themselves are, for as long as the table keeps them.
//
// A position is an LSN, as in item/read/feed.h: everything at or before it was seen, for ever and
// in every descendant of the partition.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/hash128.h"
#include "base/ids.h"
#include "base/status.h"
#include "item/container_schema.h"
#include "item/read/reader.h"
#include "model/row/row.h"
#include "partition/map/hash_range.h"
#include "storage/engine/engine.h"

namespace orrery::item {

enum class RowChangeKind {
  kRow,               // written; `row` is how it is now
  kRowDeleted,        // the row, or the last cell that showed of it
  kRangeDeleted,      // rows from `clustering` to `upper`
  kPartitionDeleted,  // all rows of the logical partition and its static cells
};

// Deletions hide what was written at or before their time: a row that was told before one may have
// survived it. The static cells of a clustered table are a row with an empty clustering key.
struct RowFeedEntry {
  RowChangeKind kind = RowChangeKind::kRow;
  Lsn lsn;
  Micros time{0};  // the server's, of the write
  Hash128 hash;
  std::string partition_key;  // encoded component
  std::string clustering;     // of a range: where it begins
  std::optional<std::string>
      upper;        // of a range: where it ends, exclusive; none: with the partition
  std::string row;  // encoded
  model::Deletion covering_deletion;  // that holds for `row` from outside
  model::Deletion deletion;  // of the deletions; without a time when only cells were deleted
};

struct RowFeedPage {
  std::vector<RowFeedEntry> entries;
  Lsn position;          // resume after this; rises past what was skipped, too
  bool drained = false;  // nothing more right now
  size_t examined = 0;
  size_t bytes = 0;  // of the rows in it
};

struct RowFeedRequest {
  partition::HashRange range;
  std::optional<std::string> partition_key;  // encoded; none: all of the range
  Lsn after;
  Lsn until;  // the partition's last durable position, read before the call
};

// Entries after `after`, at most up to and including `until`. A transaction's entries are never cut
// in two pages. kWouldBlock, under kCachedOnly, only when not one whole transaction was found.
Result<RowFeedPage> ReadRowFeed(const storage::Engine& engine, const ContainerSchema& schema,
                                const RowFeedRequest& request, Micros now, const PageLimits& limits,
                                storage::ReadMode mode);

// Returns the position from which a reader sees what happened at or after `time`, as FeedPositionAt
// of item/read/feed.h.
Result<Lsn> RowFeedPositionAt(const storage::Engine& engine, const ContainerSchema& schema,
                              const partition::HashRange& range, Micros time, Lsn until);

// Returns how long deletions stay in the feed. REQUIRES: the schema is of a container of rows.
Micros FeedKeepsDeletionsFor(const ContainerSchema& schema);

}  // namespace orrery::item
