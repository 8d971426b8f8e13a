#include "cluster/manager/sweeper.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/log.h"
#include "cluster/node_service.h"
#include "cluster/record/partition_record.h"
#include "storage/directory.h"

namespace orrery::cluster {
namespace {

constexpr const char* kPartitions = "/partitions";
constexpr std::chrono::milliseconds kAskPatience{2'000};
// Ids that are skipped in one sweep, to get past the directories of crashed makers.
constexpr uint64_t kIdsRetiredMax = 10'000;

// "<id>", or "<id>.tmp" while a copy of another is made. Other names are not ours.
std::optional<PartitionId> PartitionOf(const std::string& name) {
  uint64_t id = 0;
  const char* const end = name.data() + name.size();
  const auto [rest, error] = std::from_chars(name.data(), end, id);
  if (error != std::errc()) return std::nullopt;
  const std::string_view suffix(rest, static_cast<size_t>(end - rest));
  if (!suffix.empty() && suffix != ".tmp") return std::nullopt;
  return PartitionId(id);
}

}  // namespace

Sweeper::Sweeper(Parts parts, SweeperOptions options)
    : parts_(parts), options_(options), garbage_(parts.files.NewGarbageSweep()) {
  if (parts_.metrics == nullptr) return;
  directories_removed_ = &parts_.metrics->GetCounter(
      "orrery_swept_directories_total", "Directories of partitions that no record names, removed.");
  objects_removed_ = &parts_.metrics->GetCounter(
      "orrery_swept_objects_total", "Objects of the store that nothing refers to, removed.");
}

Status Sweeper::Sweep() {
  const Status directories = SweepDirectories();
  const Status objects = SweepObjects();
  return directories.has_value() ? objects : directories;
}

Status Sweeper::SweepDirectories() {
  if (const uint64_t term = parts_.system.version().term; term != term_) {
    term_ = term;
    first_seen_.clear();
  }
  ORRERY_ASSIGN(const Unnamed unnamed, FindUnnamed());
  const std::vector<PartitionId> ripe = Ripe(unnamed);
  if (ripe.empty()) return {};
  ORRERY_TRY(RetireIds(ripe));
  ORRERY_ASSIGN(const std::set<PartitionId> used, AskWhoUses(ripe));
  for (const PartitionId id : ripe) {
    ORRERY_ASSIGN(const bool recorded, HasRecord(id));
    if (recorded || used.contains(id)) continue;
    for (const std::string& name : unnamed.at(id)) {
      const std::string path = std::string(kPartitions) + "/" + name;
      ORRERY_TRY(storage::RemoveAll(parts_.resources, path));
      LogInfo("removed {}: no partition has been recorded there", path);
      if (directories_removed_ != nullptr) directories_removed_->Add();
    }
    first_seen_.erase(id);
  }
  return {};
}

Result<Sweeper::Unnamed> Sweeper::FindUnnamed() const {
  ORRERY_ASSIGN(const std::vector<std::string> names,
                storage::ListDirectory(parts_.resources, kPartitions));
  Unnamed unnamed;
  for (const std::string& name : names) {
    const std::optional<PartitionId> id = PartitionOf(name);
    if (!id.has_value()) continue;
    ORRERY_ASSIGN(const bool recorded, HasRecord(*id));
    if (!recorded) unnamed[*id].push_back(name);
  }
  return unnamed;
}

Result<bool> Sweeper::HasRecord(PartitionId id) const {
  ORRERY_ASSIGN(const auto record, parts_.system.Get(PartitionRecordKey(id)));
  return record.has_value();
}

std::vector<PartitionId> Sweeper::Ripe(const Unnamed& unnamed) {
  const Micros now = parts_.clock.Monotonic();
  std::erase_if(first_seen_, [&](const auto& seen) { return !unnamed.contains(seen.first); });
  std::vector<PartitionId> ripe;
  for (const auto& [id, names] : unnamed) {
    const auto [seen, is_new] = first_seen_.try_emplace(id, now);
    if (is_new || now < seen->second + options_.patience) continue;
    if (ripe.size() < options_.directories_per_sweep) ripe.push_back(id);
  }
  return ripe;
}

Status Sweeper::RetireIds(const std::vector<PartitionId>& ids) {
  const uint64_t highest = std::ranges::max(ids).value();
  SystemChange change;
  for (uint64_t i = 0; i < kIdsRetiredMax; ++i) {
    ORRERY_ASSIGN(const uint64_t taken, parts_.system.NextId("partition", change));
    if (taken > highest) return parts_.system.Commit(std::move(change));
  }
  ORRERY_TRY(parts_.system.Commit(std::move(change)));
  return Fail(Code::kUnavailable, "ids are far behind the directories there are; goes on");
}

Result<std::set<PartitionId>> Sweeper::AskWhoUses(const std::vector<PartitionId>& ids) {
  std::set<PartitionId> used;
  const auto add = [&used](const std::vector<PartitionId>& told) {
    used.insert(told.begin(), told.end());
  };
  ORRERY_ASSIGN(const std::vector<NodeDescriptor> descriptors, parts_.membership_list.Members());
  for (const NodeDescriptor& descriptor : descriptors) {
    if (descriptor.id == parts_.self) {
      add(parts_.node.InUse(ids));
      continue;
    }
    if (!parts_.system.Follows(descriptor.id))
      return Fail(Code::kUnavailable,
                  "a node on the membership list does not follow the system store");
    ORRERY_ASSIGN(const std::string answer,
                  parts_.peers.CallAndWait(descriptor.id, PeerMethod::kPartitionsInUse,
                                           EncodePartitions(ids), kAskPatience));
    ORRERY_ASSIGN(const std::vector<PartitionId> told, DecodePartitions(answer));
    add(told);
  }
  return used;
}

Status Sweeper::SweepObjects() {
  ended_pass_ = false;
  ORRERY_ASSIGN(const auto count, garbage_->Step(options_.objects_per_sweep));
  if (!count.has_value()) return {};
  ended_pass_ = true;
  if (objects_removed_ != nullptr) objects_removed_->Add(count->objects_removed);
  if (count->objects_removed + count->links_removed > 0) {
    LogInfo("of {} objects {} that nothing refers to were removed, and {} links",
            count->objects_seen, count->objects_removed, count->links_removed);
  }
  return {};
}

}  // namespace orrery::cluster
