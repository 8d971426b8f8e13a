#include "partition/group_writer.h"

#include <map>
#include <utility>

#include "base/check.h"
#include "partition/key_watch.h"

namespace orrery::partition {

using Kind = GroupBatch::Kind;

namespace {

struct ScanRange {
  std::string_view lower;
  std::string_view upper;
  size_t limit = 0;
};

// Goes through stored and unstored entries in the order of their keys until a visitor returns
// false. An unstored one takes the place of what is stored under its key.
template <typename Word, typename VisitStored, typename VisitUnstored>
Status ScanBoth(const storage::ReadView& view, const ScanRange& range,
                const std::map<std::string_view, Word>& unstored, VisitStored visit_stored,
                VisitUnstored visit_unstored) {
  const auto stored =
      view.NewIterator({.lower = std::string(range.lower), .upper = std::string(range.upper)});
  auto fresh = unstored.begin();
  stored->SeekToFirst();
  for (size_t examined = 0; stored->Valid() || fresh != unstored.end(); ++examined) {
    if (examined == range.limit)
      return Fail(Code::kTooLarge, "a transaction looked at too many entries");
    const bool take_fresh =
        fresh != unstored.end() && (!stored->Valid() || fresh->first <= stored->key());
    if (!take_fresh) {
      if (!visit_stored(*stored)) return {};
      stored->Next();
      continue;
    }
    if (stored->Valid() && stored->key() == fresh->first) stored->Next();
    if (!visit_unstored(fresh->first, fresh->second)) return {};
    ++fresh;
  }
  return stored->status();
}

}  // namespace

Result<std::optional<std::string_view>> GroupWriter::Get(std::string_view key) {
  // The sealed group before the engine, which may or may not show what is being written.
  for (const GroupBatch* group : {&forming_, &sealed_}) {
    const auto word = group->Find(key);
    if (!word.has_value()) continue;
    if (word->kind == Kind::kMerge) return GetMerged(key);
    return word->kind == Kind::kPut ? std::optional(word->value) : std::nullopt;
  }
  ORRERY_ASSIGN(const bool exists, view_.Get(key, pinned_));
  if (!exists) return std::nullopt;
  return pinned_.view();
}

Result<std::optional<std::string_view>> GroupWriter::GetMerged(std::string_view key) {
  const storage::MergeRule* const rule = view_.engine().merge_rule();
  ORRERY_CHECK(rule != nullptr);
  operands_.clear();
  sealed_.AppendOperands(key, operands_);
  forming_.AppendOperands(key, operands_);
  ORRERY_ASSIGN(const bool exists, view_.engine().Get(key, pinned_, storage::ReadMode::kMayBlock,
                                                      before_sealed_.get()));
  const std::optional<std::string_view> existing =
      exists ? std::optional(pinned_.view()) : std::nullopt;
  merged_.clear();
  if (!rule->Merge(key, existing, operands_, /*partial=*/false, merged_)) {
    return Fail(Code::kCorruption, "a stored value cannot be merged with a change");
  }
  return std::string_view(merged_);
}

Status GroupWriter::Scan(std::string_view lower, std::string_view upper, size_t limit,
                         const std::function<bool(std::string_view, std::string_view)>& visit) {
  std::map<std::string_view, GroupBatch::Word> unstored;
  sealed_.Collect(lower, upper, unstored);
  forming_.Collect(lower, upper, unstored);
  return ScanBoth(
      view_, {lower, upper, limit}, unstored,
      [&](const storage::Iterator& stored) { return visit(stored.key(), stored.value()); },
      [&](std::string_view key, const GroupBatch::Word& word) {
        return word.kind != Kind::kPut || visit(key, word.value);
      });
}

Status GroupWriter::ScanKeys(std::string_view lower, std::string_view upper, size_t limit,
                             const std::function<void(std::string_view)>& visit) {
  std::map<std::string_view, bool> unstored;
  sealed_.CollectKeys(lower, upper, unstored);
  forming_.CollectKeys(lower, upper, unstored);
  return ScanBoth(
      view_, {lower, upper, limit}, unstored,
      [&](const storage::Iterator& stored) {
        visit(stored.key());
        return true;
      },
      [&](std::string_view key, bool has_value) {
        if (has_value) visit(key);
        return true;
      });
}

void GroupWriter::PutWatched(std::string_view key, std::string_view value) {
  if (watch_ != nullptr) watch_->OnPut(key);
  forming_.PutUnread(key, value);
}

Reservations::Holder GroupWriter::FirstReserved() const {
  if (reservations_ == nullptr || !reservations_->any()) return 0;
  Reservations::Holder holder = 0;
  forming_.ForEachKey([&](std::string_view key) {
    if (holder == 0) holder = reservations_->HolderOf(key);
  });
  return holder;
}

void GroupWriter::Begin(Lsn lsn, Micros now) {
  lsn_ = lsn;
  now_ = now;
  forming_.Begin();
}

void GroupWriter::FoldChains() {
  std::vector<std::string> keys;
  forming_.ForEachMerged([&](std::string_view key, size_t hash, uint32_t operands) {
    if (chains_.Add(hash, operands)) keys.emplace_back(key);
  });
  for (const std::string& key : keys) {
    // A value that cannot be read now stays as it is: a reader that needs it reports the error.
    const auto value = GetMerged(key);
    if (value.has_value() && value->has_value()) forming_.PutUnread(key, **value);
  }
}

void GroupWriter::Seal() {
  if (forming_.has_merges()) FoldChains();
  std::swap(forming_, sealed_);
  forming_.Clear();
  before_sealed_ = sealed_.has_merges() ? view_.engine().TakeSnapshot() : nullptr;
}

void GroupWriter::ForgetSealed() {
  sealed_.Clear();
  before_sealed_.reset();
}

}  // namespace orrery::partition
