#include "item/read/feed.h"

#include <algorithm>
#include <utility>

#include "item/layout/record_codec.h"
#include "item/read/feed_position.h"

namespace orrery::item {
namespace {

std::unexpected<Error> DamagedFeedKey() {
  return Fail(Code::kCorruption, "a change feed entry's key is damaged");
}

class FeedReader {
 public:
  FeedReader(const storage::Engine& engine, const ContainerSchema& schema,
             const partition::HashRange& range, FeedMode mode, Micros now, const PageLimits& limits,
             storage::ReadMode read_mode)
      : engine_(engine),
        schema_(schema),
        range_(range),
        mode_(mode),
        now_(now),
        limits_(limits),
        read_mode_(read_mode) {}

  Result<FeedPage> Read(Lsn after, Lsn until) {
    page_.position = after;
    const auto cursor = engine_.NewIterator({.lower = FeedPrefix(schema_.id, after.Next()),
                                             .upper = FeedPrefix(schema_.id, until.Next()),
                                             .mode = read_mode_});
    Lsn current = after;
    Micros latest{0};
    for (cursor->SeekToFirst(); cursor->Valid(); cursor->Next()) {
      const auto key = DecodeKey(cursor->key());
      if (!key.has_value()) return DamagedFeedKey();
      if (key->lsn != current) {
        page_.position = current;
        page_.complete_until = latest;
        if (full()) return std::move(page_);
        current = key->lsn;
      }
      ++page_.examined;
      if (!range_.Contains(key->hash)) continue;
      auto time = Visit(*key, cursor->value());
      if (!time.has_value()) return Failed(std::move(time).error());
      latest = *time;
    }
    if (Status status = cursor->status(); !status.has_value()) {
      return Failed(std::move(status).error());
    }
    page_.position = until;
    page_.complete_until = latest;
    page_.drained = true;
    return std::move(page_);
  }

 private:
  bool full() const {
    return page_.entries.size() >= limits_.items_max || bytes_ >= limits_.bytes_max ||
           page_.examined >= limits_.examined_max;
  }

  // Returns the time of the change.
  Result<Micros> Visit(const DecodedKey& key, std::string_view value) {
    ORRERY_ASSIGN(const Change change, DecodeChange(value));
    const bool latest = mode_ == FeedMode::kLatestVersion;
    if (latest ? change.superseded : change.time <= now_ - schema_.feed_retention)
      return change.time;
    FeedEntry entry{
        .lsn = key.lsn,
        .key = {key.hash, std::string(change.partition_key), std::string(change.row_key)},
        .kind = change.kind,
        .by_expiry = change.by_expiry,
        .time = change.time,
        .previous_lsn = change.previous_lsn,
        .document = std::nullopt,
        .note = std::string(change.note),
        .seq = key.seq};
    if (!latest && change.image.has_value()) {
      entry.document = model::Document::Trusted(std::string(*change.image));
    } else if (!change.superseded) {
      ORRERY_ASSIGN(entry.document, ReadVersion(entry.key, key.lsn, key.seq));
    }
    if (latest && !entry.document.has_value()) return change.time;
    if (mode_ == FeedMode::kAllVersionsAndBefore && change.kind == ChangeKind::kReplace) {
      ORRERY_ASSIGN(entry.before, ReadFormer(entry.key, change.previous_lsn));
    }
    if (entry.document.has_value()) bytes_ += entry.document->bson().size();
    if (entry.before.has_value()) bytes_ += entry.before->bson().size();
    page_.entries.push_back(std::move(entry));
    return change.time;
  }

  // The version of an item that an earlier change has left, if the feed still has it.
  Result<std::optional<model::Document>> ReadFormer(const ItemKey& key, Lsn lsn) {
    const auto cursor = engine_.NewIterator({.lower = FeedPrefix(schema_.id, lsn),
                                             .upper = FeedPrefix(schema_.id, lsn.Next()),
                                             .mode = read_mode_});
    // Of one transaction the last change of the item.
    std::optional<model::Document> former;
    for (cursor->SeekToFirst(); cursor->Valid(); cursor->Next()) {
      const auto decoded = DecodeKey(cursor->key());
      if (!decoded.has_value()) return DamagedFeedKey();
      if (decoded->hash != key.hash) continue;
      ORRERY_ASSIGN(const Change change, DecodeChange(cursor->value()));
      if (change.row_key != key.row_key || change.partition_key != key.partition_key) continue;
      if (change.image.has_value() && change.kind != ChangeKind::kDelete)
        former = model::Document::Trusted(std::string(*change.image));
    }
    ORRERY_TRY(cursor->status());
    return former;
  }

  // The live item's document, if it is still this version.
  Result<std::optional<model::Document>> ReadVersion(const ItemKey& key, Lsn lsn, uint32_t seq) {
    WriteDataKey(data_key_, schema_.id, key);
    ORRERY_ASSIGN(const bool exists, engine_.Get(data_key_, stored_, read_mode_));
    if (!exists) return std::nullopt;
    ORRERY_ASSIGN(const RecordView record, DecodeRecord(stored_.view()));
    if (record.lsn != lsn || record.seq != seq || record.ExpiredAt(now_)) return std::nullopt;
    return model::Document::Trusted(std::string(record.document));
  }

  // The whole transactions found before a read would have blocked, rather than nothing.
  Result<FeedPage> Failed(Error error) {
    std::erase_if(page_.entries,
                  [this](const FeedEntry& entry) { return entry.lsn > page_.position; });
    if (error.code() != Code::kWouldBlock || page_.entries.empty()) return Fail(std::move(error));
    return std::move(page_);
  }

  const storage::Engine& engine_;
  const ContainerSchema& schema_;
  const partition::HashRange& range_;
  const FeedMode mode_;
  const Micros now_;
  const PageLimits& limits_;
  const storage::ReadMode read_mode_;
  FeedPage page_;
  size_t bytes_ = 0;
  std::string data_key_;
  storage::PinnedValue stored_;
};

Result<std::optional<FeedProbe>> ProbeAt(storage::Iterator& cursor, ContainerId container,
                                         const partition::HashRange& range, Lsn from) {
  std::optional<FeedProbe> probe;
  cursor.Seek(FeedPrefix(container, from));
  for (size_t examined = 0; cursor.Valid() && examined < kProbeEntriesMax;
       ++examined, cursor.Next()) {
    const auto key = DecodeKey(cursor.key());
    if (!key.has_value()) return DamagedFeedKey();
    ORRERY_ASSIGN(const Change change, DecodeChange(cursor.value()));
    probe = FeedProbe{key->lsn, change.time};
    if (range.Contains(key->hash)) return probe;
  }
  ORRERY_TRY(cursor.status());
  return cursor.Valid() ? probe : std::nullopt;
}

}  // namespace

Result<FeedPage> ReadFeed(const storage::Engine& engine, const ContainerSchema& schema,
                          const partition::HashRange& range, FeedMode mode, Lsn after, Lsn until,
                          Micros now, const PageLimits& limits, storage::ReadMode read_mode) {
  if (mode != FeedMode::kLatestVersion && schema.feed_retention <= Micros(0)) {
    return Fail(
        Code::kInvalidArgument,
        "this container keeps only the latest versions; give its change feed a retention first");
  }
  if (after >= until) {
    return FeedPage{.entries = {}, .position = after, .drained = true, .examined = 0};
  }
  return FeedReader(engine, schema, range, mode, now, limits, read_mode).Read(after, until);
}

Result<Lsn> FeedPositionAt(const storage::Engine& engine, const ContainerSchema& schema,
                           const partition::HashRange& range, Micros time, Lsn until) {
  const auto cursor = engine.NewIterator(
      {.lower = FeedPrefix(schema.id, Lsn()), .upper = FeedPrefix(schema.id, until.Next())});
  return FindFeedPosition(time, until,
                          [&](Lsn from) { return ProbeAt(*cursor, schema.id, range, from); });
}

}  // namespace orrery::item
