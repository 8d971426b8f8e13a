#include "faults/world.h"

#include <fmt/format.h>

namespace orrery::faults {
namespace {

using crash::Key;
using crash::Transaction;
using crash::Write;
using crash::WriteKind;

constexpr int kLogicalPartitions = 8;
constexpr uint32_t kRetentionMinutes = 60;

Key KeyOf(int partition, int id) {
  return {fmt::format("p{}", partition % kLogicalPartitions), fmt::format("i{}", id)};
}

}  // namespace

gateway::ContainerSettings OwnPartitions(std::string name, int64_t partitions) {
  gateway::ContainerSettings settings;
  settings.name = std::move(name);
  settings.partition_key_paths = {"/pk"};
  settings.unique_keys = {{"/token"}};
  settings.feed_retention_minutes = kRetentionMinutes;
  settings.throughput =
      partition::ThroughputSettings::Manual(partitions * SmallLimits().physical_partition_rate_max);
  return settings;
}

gateway::ContainerSettings SharedPoolSlice(std::string name) {
  gateway::ContainerSettings settings;
  settings.name = std::move(name);
  settings.partition_key_paths = {"/pk"};
  settings.default_ttl_s = -1;
  return settings;
}

Status World::Build(Core& core) {
  ORRERY_TRY(core.catalog().CreateDatabase(std::string(kDatabase), {}));
  Add(OwnPartitions(std::string(kItems), 1)).Create(core);
  Add(SharedPoolSlice(std::string(kShared))).Create(core);
  for (const std::string_view name : {kItems, kShared}) {
    Upserts(core, name, kLogicalPartitions);
    Mixture(core, name);
  }
  return {};
}

Status World::Rebase(Core& core) {
  for (auto& [name, container] : containers_) ORRERY_TRY(container.Rebase(core));
  return {};
}

TrackedContainer& World::Add(gateway::ContainerSettings settings) {
  const std::string name = settings.name;
  return containers_.insert_or_assign(name, TrackedContainer(std::move(settings))).first->second;
}

std::string World::Token() { return fmt::format("t{}", tokens_++); }

void World::Upserts(Core& core, std::string_view container, int count,
                    std::optional<uint32_t> ttl_s) {
  std::vector<Transaction> group;
  for (int i = 0; i < count; ++i) {
    group.push_back(
        {.writes = {{WriteKind::kUpsert, KeyOf(i, i % 3), Token(), std::nullopt, ttl_s}}});
  }
  (*this)[container].Write(core, std::move(group));
}

void World::Mixture(Core& core, std::string_view name) {
  TrackedContainer& container = (*this)[name];
  const auto one = [&](WriteKind kind, const Key& key) -> Write {
    return {kind, key, kind == WriteKind::kDelete ? "" : Token(), std::nullopt, std::nullopt};
  };
  container.Write(core, one(WriteKind::kUpsert, KeyOf(1, 10)));
  container.Write(core, one(WriteKind::kPatch, KeyOf(1, 10)));
  container.Write(core, one(WriteKind::kCreate, KeyOf(2, 10)));
  container.Write(core, one(WriteKind::kReplace, KeyOf(2, 10)));
  container.Write(core, one(WriteKind::kDelete, KeyOf(2, 10)));
  container.Write(core, {Transaction{.writes = {one(WriteKind::kUpsert, KeyOf(3, 1)),
                                                one(WriteKind::kUpsert, KeyOf(3, 2)),
                                                one(WriteKind::kUpsert, KeyOf(3, 3))}},
                         Transaction{.writes = {one(WriteKind::kUpsert, KeyOf(4, 1)),
                                                one(WriteKind::kUpsert, KeyOf(4, 2))}},
                         // Refused as a whole: there is no such item.
                         Transaction{.writes = {one(WriteKind::kUpsert, KeyOf(5, 1)),
                                                one(WriteKind::kReplace, KeyOf(5, 99))}}});
  container.Write(core, {Transaction{.writes = {one(WriteKind::kUpsert, KeyOf(3, 1)),
                                                one(WriteKind::kDelete, KeyOf(3, 2))}}});
}

std::vector<PartitionId> PartitionsOf(Core& core, std::string_view container) {
  std::vector<PartitionId> partitions;
  const auto entry = core.catalog().FindContainer(kDatabase, container);
  if (!entry.has_value()) return partitions;
  const auto topology = core.node().topology();
  for (const auto& range : topology->map->Ranges((*entry)->id))
    partitions.push_back(range.partition);
  return partitions;
}

}  // namespace orrery::faults
