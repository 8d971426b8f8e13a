#include "partition/group_writer.h"

#include <map>
#include <utility>

namespace orrery::partition {

Result<std::optional<std::string_view>> GroupWriter::Get(std::string_view key) {
  if (const auto word = forming_.Find(key); word.has_value()) return *word;
  // Before the engine: it may or may not show what is being written.
  if (const auto word = sealed_.Find(key); word.has_value()) return *word;
  ORRERY_ASSIGN(const bool exists, engine_.Get(key, pinned_));
  if (!exists) return std::nullopt;
  return pinned_.view();
}

Status GroupWriter::Scan(std::string_view lower, std::string_view upper, size_t limit,
                         const std::function<bool(std::string_view, std::string_view)>& visit) {
  std::map<std::string_view, GroupBatch::Word> unstored;
  for (const GroupBatch* group : {&sealed_, &forming_}) {
    group->ForEach([&](std::string_view key, GroupBatch::Word word) {
      if (key >= lower && (upper.empty() || key < upper)) unstored[key] = word;
    });
  }
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
    if (fresh->second.has_value() && !visit(fresh->first, *fresh->second)) return {};
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
}

}  // namespace orrery::partition
