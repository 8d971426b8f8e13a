#include "faults/scenario.h"

#include <functional>
#include <thread>

namespace orrery::faults {
namespace {

constexpr uint32_t kTtlSeconds = 10;

void Nothing(Core&, World&) {}

void EachEngine(Core& core, std::string_view container, Status (*act)(storage::Engine&)) {
  for (const PartitionId id : PartitionsOf(core, container)) {
    if (const auto partition = core.node().topology()->Find(id))
      core.Note(act(partition->engine()));
  }
}

void FlushAll(Core& core, std::string_view container) {
  EachEngine(core, container, [](storage::Engine& engine) { return engine.Flush(); });
}

// Writes go on while the partitions change.
void While(const std::function<void()>& change, const std::function<void()>& writes) {
  const std::jthread changing(change);
  writes();
}

void SplitFirst(Core& core, std::string_view container) {
  const auto partitions = PartitionsOf(core, container);
  if (!partitions.empty()) core.Note(StatusOf(core.node().Split(partitions.front(), std::nullopt)));
}

void Create(Core& core, World& world) {
  world.Add(OwnPartitions("wide", 3)).Create(core);
  world.Upserts(core, "wide", 6);
  world.Add(SharedPoolSlice("small")).Create(core);
  world.Upserts(core, "small", 3);
}

void Writes(Core& core, World& world) {
  for (const std::string_view name : {kItems, kShared}) {
    world.Upserts(core, name, 8);
    world.Mixture(core, name);
  }
}

void Flush(Core& core, World& world) {
  world.Upserts(core, kItems, 8);
  FlushAll(core, kItems);
  world.Mixture(core, kItems);
  FlushAll(core, kItems);
  world.Upserts(core, kItems, 3);
}

void Compaction(Core& core, World& world) {
  for (int round = 0; round < 2; ++round) {
    world.Upserts(core, kItems, 8);
    FlushAll(core, kItems);
  }
  world.Mixture(core, kItems);
  EachEngine(core, kItems, [](storage::Engine& engine) { return engine.Compact("", ""); });
  world.Upserts(core, kItems, 8);
}

void Split(Core& core, World& world) {
  world.Upserts(core, kItems, 8);
  While([&] { SplitFirst(core, kItems); }, [&] { world.Mixture(core, kItems); });
  SplitFirst(core, kShared);
  world.Upserts(core, kShared, 8);
  core.Settle();
  world.Upserts(core, kItems, 8);
}

void PrepareMerge(Core& core, World& world) {
  SplitFirst(core, kItems);
  core.Settle();
  world.Mixture(core, kItems);
}

void Merge(Core& core, World& world) {
  world.Upserts(core, kItems, 8);
  const auto partitions = PartitionsOf(core, kItems);
  const auto merge = [&] {
    if (partitions.size() > 1) core.Note(StatusOf(core.node().Merge(partitions[0], partitions[1])));
  };
  While(merge, [&] { world.Mixture(core, kItems); });
  core.Settle();
  world.Upserts(core, kItems, 8);
}

void Drop(Core& core, World& world) {
  world[kShared].Drop(core);
  world[kItems].Drop(core);
  world.Add(SharedPoolSlice("other")).Create(core);
  world.Upserts(core, "other", 4);
  core.Settle();
  // The same name is another container.
  if (world[kItems].existence() == TrackedContainer::Existence::kAbsent) {
    world.Add(OwnPartitions(std::string(kItems), 1)).Create(core);
    world.Upserts(core, kItems, 4);
  }
}

void Throughput(Core& core, World& world) {
  world.Upserts(core, kItems, 8);
  world[kItems].SetThroughput(core, OwnPartitions("", 3).throughput);
  core.Settle();
  world.Mixture(core, kItems);
}

void Indexing(Core& core, World& world) {
  gateway::ContainerSettings settings = world[kItems].settings();
  settings.indexing.included_paths = {"/bucket/?", "/base/?"};
  settings.indexing.excluded_paths = {"/*"};
  world[kItems].Change(core, settings);
  world.Mixture(core, kItems);
  core.Settle();
  world.Upserts(core, kItems, 8);
}

void PrepareExpiry(Core& core, World& world) { world.Upserts(core, kShared, 6, kTtlSeconds); }

void Expiry(Core& core, World& world) {
  core.clock().Advance(std::chrono::seconds(2 * kTtlSeconds));
  core.Settle();
  world.Upserts(core, kShared, 4, kTtlSeconds);
  FlushAll(core, kShared);
  world.Mixture(core, kShared);
}

void PrepareDerivedWrites(Core& core, World& world) {
  world.tables().Create(core);
  world.tables().Write(core, 6);
}

void DerivedWrites(Core& core, World& world) {
  world.tables().Write(core, 6);
  While([&] { SplitFirst(core, kTable); }, [&] { world.tables().Write(core, 4); });
  While([&] { SplitFirst(core, kView); }, [&] { world.tables().Write(core, 4); });
  core.Settle();
  world.tables().Write(core, 4);
}

}  // namespace

const std::vector<Scenario>& Scenarios() {
  static const std::vector<Scenario> scenarios = {
      {"start", Nothing, Writes, /*faults_at_start=*/true},
      {"create", Nothing, Create},
      {"writes", Nothing, Writes},
      {"flush", Nothing, Flush},
      {"compaction", Nothing, Compaction},
      {"split", Nothing, Split},
      {"merge", PrepareMerge, Merge},
      {"drop", Nothing, Drop},
      {"throughput", Nothing, Throughput},
      {"indexing", Nothing, Indexing},
      {"expiry", PrepareExpiry, Expiry},
      {"followers", PrepareDerivedWrites, DerivedWrites},
  };
  return scenarios;
}

}  // namespace orrery::faults
