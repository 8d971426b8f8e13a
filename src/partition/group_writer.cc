#include "partition/group_writer.h"

#include <map>
#include <utility>

#include "base/check.h"

namespace orrery::partition {

using Kind = GroupBatch::Kind;

Result<std::optional<std::string_view>> GroupWriter::Get(std::string_view key) {
  // The sealed group before the engine, which may or may not show what is being written.
  for (const GroupBatch* group : {&forming_, &sealed_}) {
    const auto word = group->Find(key);
    if (!word.has_value()) continue;
    if (word->kind == Kind::kMerge) return GetMerged(key);
    return word->kind == Kind::kPut ? std::optional(word->value) : std::nullopt;
  }
  ORRERY_ASSIGN(const bool exists, engine_.Get(key, pinned_));
  if (!exists) return std::nullopt;
  return pinned_.view();
}

Result<std::optional<std::string_view>> GroupWriter::GetMerged(std::string_view key) {
  const storage::MergeRule* const rule = engine_.merge_rule();
  ORRERY_CHECK(rule != nullptr);
  operands_.clear();
  sealed_.AppendOperands(key, operands_);
  forming_.AppendOperands(key, operands_);
  ORRERY_ASSIGN(const bool exists,
                engine_.Get(key, pinned_, storage::ReadMode::kMayBlock, before_sealed_.get()));
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
  const auto stored =
      engine_.NewIterator({.lower = std::string(lower), .upper = std::string(upper)});
  auto fresh = unstored.begin();
  stored->SeekToFirst();
  for (size_t looked_at = 0; stored->Valid() || fresh != unstored.end(); ++looked_at) {
    if (looked_at == limit)
      return Fail(Code::kTooLarge, "a transaction looked at too many entries");
    const bool take_fresh =
        fresh != unstored.end() && (!stored->Valid() || fresh->first <= stored->key());
    if (!take_fresh) {
      if (!visit(stored->key(), stored->value())) return {};
      stored->Next();
      continue;
    }
    if (stored->Valid() && stored->key() == fresh->first) stored->Next();
    const GroupBatch::Word& word = fresh->second;
    if (word.kind == Kind::kPut && !visit(fresh->first, word.value)) return {};
    ++fresh;
  }
  return stored->status();
}

Status GroupWriter::ScanKeys(std::string_view lower, std::string_view upper, size_t limit,
                             const std::function<void(std::string_view)>& visit) {
  std::map<std::string_view, bool> unstored;
  sealed_.CollectKeys(lower, upper, unstored);
  forming_.CollectKeys(lower, upper, unstored);
  const auto stored =
      engine_.NewIterator({.lower = std::string(lower), .upper = std::string(upper)});
  auto fresh = unstored.begin();
  stored->SeekToFirst();
  for (size_t looked_at = 0; stored->Valid() || fresh != unstored.end(); ++looked_at) {
    if (looked_at == limit)
      return Fail(Code::kTooLarge, "a transaction looked at too many entries");
    const bool take_fresh =
        fresh != unstored.end() && (!stored->Valid() || fresh->first <= stored->key());
    if (!take_fresh) {
      visit(stored->key());
      stored->Next();
      continue;
    }
    if (stored->Valid() && stored->key() == fresh->first) stored->Next();
    if (fresh->second) visit(fresh->first);
    ++fresh;
  }
  return stored->status();
}

void GroupWriter::Begin(Lsn lsn, Micros now) {
  lsn_ = lsn;
  now_ = now;
  forming_.Begin();
}

void GroupWriter::Seal() {
  std::swap(forming_, sealed_);
  forming_.Clear();
  before_sealed_ = sealed_.has_merges() ? engine_.TakeSnapshot() : nullptr;
}

void GroupWriter::ForgetSealed() {
  sealed_.Clear();
  before_sealed_.reset();
}

}  // namespace orrery::partition
