#include "item/row/row_feed_sweep.h"

#include <algorithm>
#include <utility>

#include "item/layout/feed_codec.h"
#include "item/layout/key_layout.h"
#include "model/row/row_codec.h"

namespace orrery::item {
namespace {

class RemoveFeedEntriesMutation final : public partition::Mutation {
 public:
  RemoveFeedEntriesMutation(std::vector<std::string> keys,
                            std::move_only_function<void(Status)> done)
      : keys_(std::move(keys)), done_(std::move(done)) {
    for (const std::string& key : keys_) bytes_ += key.size();
  }

  Status Evaluate(partition::GroupWriter& writer) override {
    for (const std::string& key : keys_) writer.DeleteUnread(key);
    return {};
  }
  void Complete(std::unique_ptr<Mutation> /*self*/, Result<Lsn> outcome) override {
    done_(outcome.has_value() ? Status() : Fail(std::move(outcome).error()));
  }
  size_t bytes() const override { return bytes_; }

 private:
  const std::vector<std::string> keys_;
  std::move_only_function<void(Status)> done_;
  size_t bytes_ = 0;
};

// Whether the entry no longer tells of its row as it is.
Result<bool> IsStale(const storage::Engine& engine, ContainerId container, const DecodedKey& key,
                     const Change& change) {
  if (change.superseded) return false;
  std::string row_key;
  WriteRowKey(row_key, container, {key.hash, change.partition_key, change.row_key});
  storage::PinnedValue stored;
  ORRERY_ASSIGN(const bool found, engine.Get(row_key, stored));
  if (!found) return true;
  ORRERY_ASSIGN(const model::RowCursor row, model::RowCursor::Open(stored.view()));
  return row.lsn() > key.lsn;
}

}  // namespace

Result<StaleFeedEntries> FindStaleFeedEntries(const storage::Engine& engine,
                                              const ContainerSchema& schema,
                                              const partition::HashRange& range, Lsn after,
                                              Lsn until, size_t limit) {
  StaleFeedEntries found;
  found.position = after;
  found.done = after >= until;
  if (found.done) return found;
  const auto cursor = engine.NewIterator({.lower = FeedPrefix(schema.id, after.Next()),
                                          .upper = FeedPrefix(schema.id, until.Next()),
                                          .fill_cache = false});
  for (cursor->SeekToFirst(); cursor->Valid(); cursor->Next()) {
    const auto key = DecodeKey(cursor->key());
    if (!key.has_value()) return Fail(Code::kCorruption, "a change feed entry's key is damaged");
    // Only between transactions, so that a position says all.
    if (found.looked_at >= limit && key->lsn != found.position) return found;
    found.position = key->lsn;
    ++found.looked_at;
    if (!range.Contains(key->hash)) continue;
    ORRERY_ASSIGN(const Change change, DecodeChange(cursor->value()));
    ORRERY_ASSIGN(const bool stale, IsStale(engine, schema.id, *key, change));
    if (stale) found.keys.emplace_back(cursor->key());
  }
  ORRERY_TRY(cursor->status());
  found.position = until;
  found.done = true;
  return found;
}

std::unique_ptr<partition::Mutation> RemoveFeedEntries(std::vector<std::string> keys,
                                                       std::move_only_function<void(Status)> done) {
  return std::make_unique<RemoveFeedEntriesMutation>(std::move(keys), std::move(done));
}

FeedSweepPass::Span FeedSweepPass::Next(Lsn last) {
  if (!running_) {
    running_ = true;
    began_ = last;
    position_ = Lsn();
    kept_ = 0;
  }
  return {position_, began_};
}

void FeedSweepPass::Looked(const StaleFeedEntries& found) {
  position_ = found.position;
  kept_ += found.looked_at - found.keys.size();
  if (!found.done) return;
  running_ = false;
  wait_ = std::max(kPositionsMin, kGrowth * kept_);
}

}  // namespace orrery::item
