#include "api/mongo/command/operation/operation_counters.h"

#include <functional>
#include <thread>

namespace orrery::mongo {
namespace {

size_t ShardOfThread(size_t shards) {
  thread_local const size_t hash = std::hash<std::thread::id>()(std::this_thread::get_id());
  return (hash >> 8) % shards;
}

}  // namespace

OperationKind KindOfCommand(std::string_view name) {
  if (name == "find") return OperationKind::kQuery;
  if (name == "insert") return OperationKind::kInsert;
  if (name == "update") return OperationKind::kUpdate;
  if (name == "delete") return OperationKind::kDelete;
  if (name == "getMore") return OperationKind::kGetMore;
  return OperationKind::kCommand;
}

void OperationCounters::Count(OperationKind kind, int64_t operations, std::string_view collection,
                              Micros took) {
  counts_[static_cast<size_t>(kind)].fetch_add(operations, std::memory_order_relaxed);
  if (collection.empty()) return;
  Shard& shard = shards_[ShardOfThread(kShards)];
  MutexLock lock(shard.mutex);
  auto found = shard.uses.find(collection);
  if (found == shard.uses.end()) {
    if (shard.uses.size() >= kCollectionsMax) return;
    found = shard.uses.emplace(std::string(collection), Uses()).first;
  }
  Use& use = found->second[static_cast<size_t>(kind)];
  use.micros += took.count();
  ++use.count;
}

void OperationCounters::CountIndexUse(std::string_view collection, std::string_view index) {
  // As many as a collection may have, and those of some that were dropped.
  constexpr size_t kIndexesCountedMax = 256;
  Shard& shard = shards_[ShardOfThread(kShards)];
  MutexLock lock(shard.mutex);
  auto found = shard.index_uses.find(collection);
  if (found == shard.index_uses.end()) {
    if (shard.index_uses.size() >= kCollectionsMax) return;
    found = shard.index_uses.try_emplace(std::string(collection)).first;
  }
  auto use = found->second.find(index);
  if (use == found->second.end()) {
    if (found->second.size() >= kIndexesCountedMax) return;
    use = found->second.emplace(std::string(index), 0).first;
  }
  ++use->second;
}

std::map<std::string, int64_t> OperationCounters::UsesOfIndexes(std::string_view collection) const {
  std::map<std::string, int64_t> all;
  for (const Shard& shard : shards_) {
    MutexLock lock(shard.mutex);
    const auto found = shard.index_uses.find(collection);
    if (found == shard.index_uses.end()) continue;
    for (const auto& [index, count] : found->second) all[index] += count;
  }
  return all;
}

std::map<std::string, OperationCounters::Uses> OperationCounters::Collections() const {
  std::map<std::string, Uses> all;
  for (const Shard& shard : shards_) {
    MutexLock lock(shard.mutex);
    for (const auto& [name, uses] : shard.uses) {
      Uses& sum = all[name];
      for (size_t i = 0; i < kOperationKinds; ++i) {
        sum[i].micros += uses[i].micros;
        sum[i].count += uses[i].count;
      }
    }
  }
  return all;
}

}  // namespace orrery::mongo
