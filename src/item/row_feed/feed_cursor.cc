#include "item/row_feed/feed_cursor.h"

#include <algorithm>
#include <utility>

#include "item/layout/key_layout.h"

namespace orrery::item {
namespace {

// Changes that were shown are let go of when there are so many.
constexpr size_t kShownMax = 1'024;

Lsn SpanAfter(Lsn lsn) {
  return Lsn(lsn.value() > UINT64_MAX - kPackSpan ? UINT64_MAX : lsn.value() + kPackSpan);
}

}  // namespace

FeedCursor::FeedCursor(const storage::Engine& engine, ContainerId container,
                       const FeedCursorOptions& options)
    : options_(options),
      // A sweep may have put what is before `until` and what is after it into one pack.
      stored_(engine.NewIterator({.lower = RowFeedPrefix(container, options.after.Next()),
                                  .upper = RowFeedPrefix(container, SpanAfter(options.until)),
                                  .mode = options.mode,
                                  .snapshot = options.snapshot})) {}

Result<bool> FeedCursor::Next() {
  if (!started_) {
    started_ = true;
    stored_->SeekToFirst();
  } else {
    const PackedChange shown = ahead_[at_];
    // A change may be stored twice: two partitions that came from one and were merged both had it.
    while (at_ < ahead_.size() && ahead_[at_].place() == shown.place()) ++at_;
  }
  while (stored_->Valid() && MustReadAhead()) ORRERY_TRY(ReadPack());
  ORRERY_TRY(stored_->status());
  return at_ < ahead_.size();
}

bool FeedCursor::MustReadAhead() const {
  if (at_ == ahead_.size()) return true;
  // Keys are in the order of their positions, which begin them.
  const auto key = DecodeKey(stored_->key());
  return !key.has_value() || key->lsn < SpanAfter(ahead_[at_].lsn);
}

Status FeedCursor::ReadPack() {
  const auto key = DecodeKey(stored_->key());
  if (!key.has_value()) return Fail(Code::kCorruption, "a change feed entry's key is damaged");
  LetGo();
  const Pack& pack = packs_.emplace_back(key->lsn, std::string(stored_->value()));
  const size_t before = ahead_.size();
  ORRERY_TRY(DecodePack(pack.bytes, ahead_));
  const auto added = ahead_.begin() + static_cast<std::ptrdiff_t>(before);
  const auto outside = std::remove_if(added, ahead_.end(), [this](const PackedChange& change) {
    return change.lsn <= options_.after || change.lsn > options_.until;
  });
  ahead_.erase(outside, ahead_.end());
  const bool overlaps =
      before > at_ && before < ahead_.size() && ahead_[before].place() < ahead_[before - 1].place();
  if (overlaps) {
    std::ranges::sort(ahead_.begin() + static_cast<std::ptrdiff_t>(at_), ahead_.end(), {},
                      &PackedChange::place);
  }
  stored_->Next();
  return {};
}

void FeedCursor::LetGo() {
  if (at_ < kShownMax && at_ < ahead_.size()) return;
  ahead_.erase(ahead_.begin(), ahead_.begin() + static_cast<std::ptrdiff_t>(at_));
  at_ = 0;
  while (!packs_.empty() && (ahead_.empty() || packs_.front().last < ahead_.front().lsn)) {
    packs_.pop_front();
  }
}

}  // namespace orrery::item
