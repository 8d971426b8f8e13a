#include "api/cassandra/executor/statement/prepared_statements.h"

#include <algorithm>
#include <cstring>

#include "base/murmur3.h"
#include "base/overload.h"

namespace orrery::cassandra {
namespace {

bool IsGone(const Table& table, const Schema& schema) {
  if (table.source != nullptr) return false;
  const TablePtr now = schema.FindTable(table.keyspace, table.name);
  return now == nullptr || now->id != table.id;
}

bool UsesDropped(const PlannedStatement& planned, const Schema& schema) {
  return std::visit(
      Overload{
          [&](const SelectPlanPtr& plan) { return IsGone(*plan->table, schema); },
          [&](const ModificationPlanPtr& plan) { return IsGone(*plan->table, schema); },
          [&](const std::shared_ptr<const BatchPlan>& batch) {
            return std::ranges::any_of(batch->statements, [&](const ModificationPlanPtr& plan) {
              return IsGone(*plan->table, schema);
            });
          },
          [](const std::shared_ptr<const ast::Statement>&) { return false; },
      },
      planned.plan);
}

}  // namespace

PreparedStatements::PreparedStatements(size_t bytes_max) : shard_bytes_max_(bytes_max / kShards) {}

std::string PreparedStatements::IdOf(std::string_view text, std::string_view keyspace) {
  std::string bytes(keyspace);
  bytes.push_back('\0');
  bytes += text;
  std::string id;
  Murmur3(bytes).AppendTo(id);
  return id;
}

// Ids are hashes already.
size_t PreparedStatements::Hash::operator()(std::string_view id) const {
  size_t value = 0;
  std::memcpy(&value, id.data(), std::min(id.size(), sizeof(value)));
  return value;
}

PreparedStatements::Shard& PreparedStatements::ShardOf(std::string_view id) {
  return shards_[id.empty() ? 0 : static_cast<unsigned char>(id.back()) % kShards];
}

PreparedStatements::EntryPtr PreparedStatements::Put(std::string_view text,
                                                     std::string_view keyspace,
                                                     PlannedPtr planned) {
  std::string id = IdOf(text, keyspace);
  Shard& shard = ShardOf(id);
  MutexLock lock(shard.mutex);
  if (const auto found = shard.by_id.find(id); found != shard.by_id.end()) {
    shard.by_use.splice(shard.by_use.begin(), shard.by_use, found->second);
    EntryPtr entry = *found->second;
    entry->planned.Store(std::move(planned));
    return entry;
  }
  auto entry = std::make_shared<Entry>();
  entry->id = id;
  entry->text = text;
  entry->keyspace = keyspace;
  entry->planned.Store(std::move(planned));
  shard.by_use.push_front(entry);
  shard.by_id.emplace(std::move(id), shard.by_use.begin());
  shard.bytes += text.size() + kEntryBytes;
  while (shard.bytes > shard_bytes_max_ && shard.by_use.size() > 1) {
    const EntryPtr& oldest = shard.by_use.back();
    shard.bytes -= oldest->text.size() + kEntryBytes;
    shard.by_id.erase(oldest->id);
    shard.by_use.pop_back();
    evicted_.fetch_add(1, std::memory_order_relaxed);
  }
  return entry;
}

PreparedStatements::EntryPtr PreparedStatements::Find(std::string_view id) {
  Shard& shard = ShardOf(id);
  MutexLock lock(shard.mutex);
  const auto found = shard.by_id.find(id);
  if (found == shard.by_id.end()) return nullptr;
  shard.by_use.splice(shard.by_use.begin(), shard.by_use, found->second);
  return *found->second;
}

void PreparedStatements::Remove(std::string_view id) {
  Shard& shard = ShardOf(id);
  MutexLock lock(shard.mutex);
  const auto found = shard.by_id.find(id);
  if (found == shard.by_id.end()) return;
  shard.bytes -= (*found->second)->text.size() + kEntryBytes;
  shard.by_use.erase(found->second);
  shard.by_id.erase(found);
}

void PreparedStatements::RemoveDropped(const Schema& schema) {
  for (const EntryPtr& entry : List())
    if (UsesDropped(*entry->planned.Load(), schema)) Remove(entry->id);
}

std::vector<PreparedStatements::EntryPtr> PreparedStatements::List() const {
  std::vector<EntryPtr> entries;
  for (const Shard& shard : shards_) {
    MutexLock lock(shard.mutex);
    entries.insert(entries.end(), shard.by_use.begin(), shard.by_use.end());
  }
  return entries;
}

}  // namespace orrery::cassandra
