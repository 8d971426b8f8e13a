#include "cluster/maintenance/recovery.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <set>
#include <thread>

#include "base/log.h"
#include "cluster/record/ownership_record.h"
#include "cluster/record/record_check.h"
#include "storage/directory.h"

namespace orrery::cluster {
namespace {

constexpr size_t kOpenThreads = 4;

Result<std::map<PartitionId, NodeId>> LoadOwners(const SystemStore& system) {
  std::map<PartitionId, NodeId> owners;
  ORRERY_TRY(
      system.ForEach(kOwnershipPrefix, [&](std::string_view key, std::string_view value) -> Status {
        ORRERY_ASSIGN(const Ownership ownership, DecodeOwnership(key, value));
        owners.emplace(ownership.partition, ownership.owner);
        return {};
      }));
  return owners;
}

Result<std::vector<PartitionRecord>> LoadRecords(const SystemStore& system) {
  std::vector<PartitionRecord> records;
  ORRERY_TRY(system.ForEach(
      kPartitionRecordPrefix, [&](std::string_view key, std::string_view value) -> Status {
        auto record = DecodePartitionRecord(value);
        if (!record.has_value() || PartitionRecordKey(record->id) != key) {
          return Fail(Code::kCorruption,
                      fmt::format("the record {} of a partition in the system store is damaged: "
                                  "restore the data directory from a backup",
                                  PartitionRecordName(key)));
        }
        records.push_back(*std::move(record));
        return {};
      }));
  return records;
}

// Directories that no record names are what an interrupted create, split or merge left, or what a
// finished one had not yet removed.
Status RemoveLeftovers(const NodeState& state, const std::vector<PartitionRecord>& records) {
  storage::EngineResources& resources = state.parts.resources;
  std::set<std::string> known;
  for (const PartitionRecord& record : records) known.insert(std::to_string(record.id.value()));
  ORRERY_TRY(storage::MakeDirectory(resources, state.PartitionsDirectory()));
  ORRERY_ASSIGN(const std::vector<std::string> names,
                storage::ListDirectory(resources, state.PartitionsDirectory()));
  for (const std::string& name : names) {
    if (known.contains(name)) continue;
    const std::string path = state.PartitionsDirectory() + "/" + name;
    LogInfo("removing {}, left by an interrupted change", path);
    if (Status removed = storage::RemoveAll(resources, path); !removed.has_value())
      LogWarn("{} stays, the next start will try again: {}", path, removed.error().ToString());
  }
  return {};
}

Result<std::vector<std::shared_ptr<HostedPartition>>> OpenAll(
    NodeState& state, std::vector<PartitionRecord> records) {
  std::vector<std::shared_ptr<HostedPartition>> partitions(records.size());
  std::vector<Status> outcomes(records.size());
  std::atomic<size_t> next{0};
  const auto work = [&] {
    for (size_t i = next++; i < records.size(); i = next++) {
      auto opened = state.Open(records[i], /*must_exist=*/true);
      if (opened.has_value()) {
        partitions[i] = *std::move(opened);
      } else {
        outcomes[i] = Fail(std::move(opened).error());
      }
    }
  };
  {
    std::vector<std::jthread> threads;
    for (size_t i = 1; i < std::min(kOpenThreads, records.size()); ++i) threads.emplace_back(work);
    work();
  }
  for (size_t i = 0; i < records.size(); ++i) {
    if (!outcomes[i].has_value()) {
      return Fail(std::move(outcomes[i].error())
                      .Annotate(fmt::format("partition {}", records[i].id.value())));
    }
  }
  return partitions;
}

}  // namespace

Result<std::vector<RecordedPartition>> LoadRecordedPartitions(const SystemStore& system) {
  ORRERY_ASSIGN(const auto owners, LoadOwners(system));
  ORRERY_ASSIGN(std::vector<PartitionRecord> records, LoadRecords(system));
  std::vector<RecordedPartition> recorded;
  recorded.reserve(records.size());
  for (PartitionRecord& record : records) {
    const auto owner = owners.find(record.id);
    recorded.push_back({std::move(record), owner == owners.end() ? NodeId() : owner->second});
  }
  return recorded;
}

Result<TopologyEdit> RecoverPartitions(NodeState& state) {
  ORRERY_ASSIGN(const std::vector<RecordedPartition> recorded,
                LoadRecordedPartitions(state.system));
  std::vector<PartitionRecord> records;
  for (const RecordedPartition& each : recorded) records.push_back(each.record);
  ORRERY_TRY(
      CheckRecords(records, [&state](ContainerId id) { return state.schemas(id) != nullptr; }));
  TopologyEdit edit;
  if (state.options.self == NodeId()) {
    ORRERY_TRY(RemoveLeftovers(state, records));
    ORRERY_ASSIGN(edit.add, OpenAll(state, std::move(records)));
    return edit;
  }
  // This node's partitions are opened when requests can be forwarded already: see reconcile.cc.
  ORRERY_TRY(storage::MakeDirectory(state.parts.resources, state.PartitionsDirectory()));
  for (const RecordedPartition& each : recorded) {
    edit.add_remote.push_back(
        RemotePartitionOf(state, each.owner, std::make_shared<const PartitionRecord>(each.record)));
  }
  return edit;
}

}  // namespace orrery::cluster
