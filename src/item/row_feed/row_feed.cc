#include "item/row_feed/row_feed.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include "item/layout/feed_codec.h"
#include "item/layout/key_layout.h"
#include "item/read/feed_position.h"
#include "item/row/row_reader.h"
#include "item/row_feed/feed_cursor.h"
#include "model/row/row_codec.h"

namespace orrery::item {

// Reads one page. Entries and rows come from one snapshot, so that a row that is written all the
// time is not always newer than the entry that tells of it.
class RowFeedReader {
 public:
  RowFeedReader(const storage::Engine& engine, const ContainerSchema& schema,
                const RowFeedRequest& request, Micros now, const PageLimits& limits,
                storage::ReadMode mode)
      : engine_(engine),
        schema_(schema),
        request_(request),
        now_(now),
        limits_(limits),
        mode_(mode),
        clustered_(!schema.rows->clustering.empty()),
        snapshot_(engine.TakeSnapshot()),
        rows_(engine, schema, request.range, now),
        rows_unexpired_(engine, schema, request.range, Micros(0)) {}

  Result<RowFeedPage> Read() {
    page_.position = request_.after;
    FeedCursor cursor(engine_, schema_.id,
                      {.after = request_.after,
                       .until = request_.until,
                       .mode = mode_,
                       .snapshot = snapshot_.get()});
    Lsn current = request_.after;
    for (;;) {
      const auto found = cursor.Next();
      if (!found.has_value()) return Failed(found.error());
      if (!*found) break;
      const PackedChange& stored = cursor.change();
      if (stored.lsn != current) {
        page_.position = current;
        if (full()) return std::move(page_);
        current = stored.lsn;
        told_.clear();
      }
      ++page_.examined;
      if (!request_.range.Contains(stored.hash)) continue;
      if (Status status = Visit(stored); !status.has_value()) {
        return Failed(std::move(status).error());
      }
    }
    page_.position = request_.until;
    page_.drained = true;
    return std::move(page_);
  }

 private:
  bool full() const {
    return page_.entries.size() >= limits_.items_max || page_.bytes >= limits_.bytes_max ||
           page_.examined >= limits_.examined_max;
  }

  Status Visit(const PackedChange& stored) {
    ORRERY_ASSIGN(const Change change, DecodeChange(stored.change));
    if (request_.partition_key.has_value() && change.partition_key != *request_.partition_key)
      return {};
    const bool deletes = change.kind == ChangeKind::kDelete;
    // Compaction may have dropped it or not: it must not show.
    if (deletes && change.time <= now_ - FeedKeepsDeletionsFor(schema_)) return {};
    RowFeedEntry entry;
    entry.lsn = stored.lsn;
    entry.time = change.time;
    entry.hash = stored.hash;
    entry.partition_key = change.partition_key;
    entry.clustering = change.row_key;
    if (deletes && change.image.has_value()) return TellRange(std::move(entry), *change.image);
    ORRERY_ASSIGN(const bool exists, Load(entry));
    if (!exists) return {};
    ORRERY_ASSIGN(const model::RowCursor row, model::RowCursor::Open(stored_.view()));
    if (row.is_blank()) return {};  // all of it is forgotten
    if (deletes && clustered_ && entry.clustering.empty() && row.deletion().exists()) {
      // Told wherever it happened: later static cells make the row newer but not the deletion.
      RowFeedEntry deletion = entry;
      deletion.kind = RowChangeKind::kPartitionDeleted;
      deletion.deletion = row.deletion();
      page_.entries.push_back(std::move(deletion));
      if (row.lsn() != entry.lsn) return {};
      ORRERY_ASSIGN(const bool visible, rows_.IsVisible(stored_.view(), {}));
      if (!visible) return {};
    }
    if (row.lsn() != entry.lsn) return {};
    return TellRow(std::move(entry), row.deletion());
  }

  Status TellRange(RowFeedEntry entry, std::string_view image) {
    ORRERY_ASSIGN(RangeTombstone range, DecodeRangeTombstone(entry.clustering, image));
    entry.kind = RowChangeKind::kRangeDeleted;
    entry.upper = std::move(range.upper);
    entry.deletion = range.deletion;
    page_.entries.push_back(std::move(entry));
    return {};
  }

  // REQUIRES: stored_ is the row, of the entry's position.
  Status TellRow(RowFeedEntry entry, const model::Deletion& own) {
    if (!told_.insert({entry.hash, entry.clustering}).second) return {};
    ORRERY_ASSIGN(entry.covering_deletion, CoveringDeletionOf(entry));
    ORRERY_ASSIGN(const bool visible, rows_.IsVisible(stored_.view(), entry.covering_deletion));
    if (visible) {
      entry.row = stored_.view();
      page_.bytes += entry.row.size();
      page_.entries.push_back(std::move(entry));
      return {};
    }
    // Expired, or hidden by a deletion that is told by itself.
    ORRERY_ASSIGN(const bool lived, rows_unexpired_.IsVisible(stored_.view(), {}));
    if (lived) return {};
    entry.kind = RowChangeKind::kRowDeleted;
    entry.deletion = own;
    entry.covering_deletion = {};
    page_.entries.push_back(std::move(entry));
    return {};
  }

  Result<bool> Load(const RowFeedEntry& entry) {
    WriteRowKey(key_, schema_.id, {entry.hash, entry.partition_key, entry.clustering});
    return engine_.Get(key_, stored_, mode_, snapshot_.get());
  }

  // May be of a later moment than the row: then what hides it is told later.
  Result<model::Deletion> CoveringDeletionOf(const RowFeedEntry& entry) const {
    if (!clustered_ || entry.clustering.empty()) return model::Deletion();
    ORRERY_ASSIGN(const RowReader::StaticRow static_row,
                  rows_.ReadStaticRow(entry.hash, entry.partition_key, mode_));
    return static_row.tombstones.At(entry.clustering);
  }

  // The whole transactions found before a read would have blocked, rather than nothing.
  Result<RowFeedPage> Failed(Error error) {
    std::erase_if(page_.entries,
                  [this](const RowFeedEntry& entry) { return entry.lsn > page_.position; });
    if (error.code() != Code::kWouldBlock || page_.entries.empty()) return Fail(std::move(error));
    return std::move(page_);
  }

  const storage::Engine& engine_;
  const ContainerSchema& schema_;
  const RowFeedRequest& request_;
  const Micros now_;
  const PageLimits& limits_;
  const storage::ReadMode mode_;
  const bool clustered_;
  const std::unique_ptr<storage::Snapshot> snapshot_;
  const RowReader rows_;
  const RowReader rows_unexpired_;  // sees rows as if time stood still
  RowFeedPage page_;
  std::set<std::pair<Hash128, std::string>> told_;  // rows of the transaction under way
  std::string key_;
  storage::PinnedValue stored_;
};

Result<RowFeedPage> ReadRowFeed(const storage::Engine& engine, const ContainerSchema& schema,
                                const RowFeedRequest& request, Micros now, const PageLimits& limits,
                                storage::ReadMode mode) {
  if (request.after >= request.until) {
    RowFeedPage page;
    page.position = request.after;
    page.drained = true;
    return page;
  }
  return RowFeedReader(engine, schema, request, now, limits, mode).Read();
}

Result<Lsn> RowFeedPositionAt(const storage::Engine& engine, const ContainerSchema& schema,
                              const partition::HashRange& range, Micros time, Lsn until) {
  const auto probe = [&](Lsn from) -> Result<std::optional<FeedProbe>> {
    FeedCursor cursor(
        engine, schema.id,
        {.after = Lsn(from.value() - std::min<uint64_t>(from.value(), 1)), .until = until});
    std::optional<FeedProbe> found;
    for (size_t examined = 0; examined < kProbeEntriesMax; ++examined) {
      ORRERY_ASSIGN(const bool more, cursor.Next());
      if (!more) return std::nullopt;
      ORRERY_ASSIGN(const Change change, DecodeChange(cursor.change().change));
      found = FeedProbe{cursor.change().lsn, change.time};
      if (range.Contains(cursor.change().hash)) break;
    }
    return found;
  };
  return FindFeedPosition(time, until, probe);
}

Micros FeedKeepsDeletionsFor(const ContainerSchema& schema) {
  return std::max<Micros>(schema.feed_retention, std::chrono::seconds(schema.rows->gc_grace_s));
}

}  // namespace orrery::item
