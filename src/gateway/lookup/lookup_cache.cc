#include "gateway/lookup/lookup_cache.h"

#include <utility>

namespace orrery::gateway {
namespace {

// Of the map and the pointers, for each answer.
constexpr size_t kEntryBytes = 160;

size_t BytesOfKept(std::string_view name, const KeptAnswer& answer) {
  return kEntryBytes + name.size() + sizeof(KeptAnswer) + answer.memory_bytes +
         answer.partition_key.size() + answer.slots.size() * sizeof(KeptAnswer::Slot) +
         answer.work.size() * sizeof(KeptAnswer::Work) +
         answer.values.size() * sizeof(std::shared_ptr<const void>);
}

}  // namespace

std::shared_ptr<const KeptAnswer> LookupCache::Find(std::string_view name) {
  Shard& shard = ShardOf(name);
  Answers gone;
  const MutexLock lock(shard.mutex);
  if (const auto found = shard.young.answers.find(name); found != shard.young.answers.end())
    return found->second;
  const auto found = shard.old.answers.find(name);
  if (found == shard.old.answers.end()) return nullptr;
  auto moved = shard.old.answers.extract(found);
  shard.old.bytes -= BytesOfKept(moved.key(), *moved.mapped());
  std::shared_ptr<const KeptAnswer> answer = moved.mapped();
  PutLocked(shard, std::move(moved.key()), answer, gone);
  return answer;
}

void LookupCache::Keep(std::string name, std::shared_ptr<const KeptAnswer> answer) {
  Shard& shard = ShardOf(name);
  Answers gone;
  const MutexLock lock(shard.mutex);
  if (const auto former = shard.old.answers.find(name); former != shard.old.answers.end()) {
    shard.old.bytes -= BytesOfKept(former->first, *former->second);
    shard.old.answers.erase(former);
  }
  PutLocked(shard, std::move(name), std::move(answer), gone);
}

void LookupCache::PutLocked(Shard& shard, std::string name,
                            std::shared_ptr<const KeptAnswer> answer, Answers& gone) {
  const size_t bytes = BytesOfKept(name, *answer);
  // One that would drive out a large part of the others is not worth it.
  if (bytes > shard_bytes_max_ / 4) {
    const auto former = shard.young.answers.find(name);
    if (former == shard.young.answers.end()) return;
    shard.young.bytes -= BytesOfKept(former->first, *former->second);
    shard.young.answers.erase(former);
    return;
  }
  const auto [at, is_new] = shard.young.answers.try_emplace(std::move(name));
  if (!is_new) shard.young.bytes -= BytesOfKept(at->first, *at->second);
  at->second = std::move(answer);
  shard.young.bytes += bytes;
  if (shard.young.bytes <= shard_bytes_max_ / 2) return;
  gone.swap(shard.old.answers);
  shard.old = std::exchange(shard.young, {});
}

size_t LookupCache::bytes() const {
  size_t bytes = 0;
  for (const Shard& shard : shards_) {
    const MutexLock lock(shard.mutex);
    bytes += shard.young.bytes + shard.old.bytes;
  }
  return bytes;
}

}  // namespace orrery::gateway
