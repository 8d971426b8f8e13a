#include "partition/group_writer.h"

#include <cstring>

#include "base/check.h"

namespace orrery::partition {
namespace {

// First arena block: holds a group of a few hundred small records without a second allocation.
constexpr size_t kArenaBytes = 64 << 10;

}  // namespace

GroupWriter::GroupWriter(const storage::Engine& engine) : engine_(engine), arena_(kArenaBytes) {
  overlay_.emplace(&arena_);
  merges_.emplace(&arena_);
}

Result<std::optional<std::string_view>> GroupWriter::Get(std::string_view key) {
  if (!merges_->empty()) {
    if (const auto found = merges_->find(key); found != merges_->end()) {
      return GetMerged(key, found->second);
    }
  }
  if (const auto found = overlay_->find(key); found != overlay_->end()) return found->second;
  ORRERY_ASSIGN(const bool exists, engine_.Get(key, pinned_));
  if (!exists) return std::nullopt;
  return pinned_.view();
}

Result<std::optional<std::string_view>> GroupWriter::GetMerged(
    std::string_view key, const std::pmr::vector<std::string_view>& operands) {
  const storage::MergeRule* const rule = engine_.merge_rule();
  ORRERY_CHECK(rule != nullptr);
  ORRERY_ASSIGN(const bool exists, engine_.Get(key, pinned_));
  const std::optional<std::string_view> existing =
      exists ? std::optional(pinned_.view()) : std::nullopt;
  merged_.clear();
  if (!rule->Merge(key, existing, {operands.begin(), operands.end()}, /*partial=*/false, merged_)) {
    return Fail(Code::kCorruption, "a stored value cannot be merged with a change");
  }
  return std::string_view(merged_);
}

Status GroupWriter::Scan(std::string_view lower, std::string_view upper, size_t limit,
                         const std::function<bool(std::string_view, std::string_view)>& visit) {
  const auto stored =
      engine_.NewIterator({.lower = std::string(lower), .upper = std::string(upper)});
  auto fresh = overlay_->lower_bound(lower);
  const auto fresh_end = upper.empty() ? overlay_->end() : overlay_->lower_bound(upper);
  stored->SeekToFirst();
  for (size_t looked_at = 0; stored->Valid() || fresh != fresh_end; ++looked_at) {
    if (looked_at == limit)
      return Fail(Code::kTooLarge, "a transaction looked at too many entries");
    const bool take_fresh =
        fresh != fresh_end && (!stored->Valid() || fresh->first <= stored->key());
    if (!take_fresh) {
      if (!visit(stored->key(), stored->value())) return {};
      stored->Next();
      continue;
    }
    if (stored->Valid() && stored->key() == fresh->first) stored->Next();
    if (fresh->second.has_value() && !visit(fresh->first, *fresh->second)) return {};
    ++fresh;
  }
  return stored->status();
}

void GroupWriter::Put(std::string_view key, std::string_view value) {
  batch_.Put(key, value);
  Record(key, value);
}

void GroupWriter::Delete(std::string_view key) {
  batch_.Delete(key);
  Record(key, std::nullopt);
}

void GroupWriter::Merge(std::string_view key, std::string_view operand) {
  batch_.Merge(key, operand);
  (*merges_)[key].push_back(operand);
  merged_keys_.push_back(key);
}

void GroupWriter::Reset() {
  batch_.Clear();
  overlay_.reset();
  merges_.reset();
  arena_.release();
  overlay_.emplace(&arena_);
  merges_.emplace(&arena_);
}

void GroupWriter::Begin(Lsn lsn, Micros now) {
  lsn_ = lsn;
  now_ = now;
  count_at_begin_ = batch_.count();
  undo_.clear();
  merged_keys_.clear();
  batch_.SetSavePoint();
}

void GroupWriter::Rollback() {
  batch_.RollbackToSavePoint();
  for (auto step = undo_.rbegin(); step != undo_.rend(); ++step) {
    if (step->before.has_value()) {
      (*overlay_)[step->key] = *step->before;
    } else {
      overlay_->erase(step->key);
    }
  }
  undo_.clear();
  for (const std::string_view key : merged_keys_) {
    const auto found = merges_->find(key);
    found->second.pop_back();
    if (found->second.empty()) merges_->erase(found);
  }
  merged_keys_.clear();
}

void GroupWriter::Commit() { batch_.PopSavePoint(); }

void GroupWriter::Record(std::string_view key, std::optional<std::string_view> value) {
  if (value.has_value()) value = Keep(*value);
  const auto found = overlay_->lower_bound(key);
  if (found != overlay_->end() && found->first == key) {
    undo_.push_back({found->first, found->second});
    found->second = value;
    return;
  }
  const std::string_view kept = Keep(key);
  overlay_->emplace_hint(found, kept, value);
  undo_.push_back({kept, std::nullopt});
}

std::string_view GroupWriter::Keep(std::string_view bytes) {
  if (bytes.empty()) return {};
  char* copy = static_cast<char*>(arena_.allocate(bytes.size(), 1));
  std::memcpy(copy, bytes.data(), bytes.size());
  return {copy, bytes.size()};
}

}  // namespace orrery::partition
