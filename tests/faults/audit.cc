#include "faults/audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "cluster/record/partition_record.h"
#include "crash/state_check.h"
#include "crash/version_check.h"
#include "item/maintenance/consistency_check.h"

namespace orrery::faults {
namespace {

// On a sound disk a few are enough; more is a job that is never done.
constexpr int kRoundsMax = 30;

using crash::State;
using crash::Violations;
using Existence = TrackedContainer::Existence;

class Auditor {
 public:
  Auditor(Core& core, World& world) : core_(core), world_(world) {}

  Violations Run() && {
    CheckPartitions();
    for (auto& [name, container] : world_.containers()) CheckContainer(container);
    Note("tables", world_.tables().CheckAnswers(core_));
    core_.Settle(kRoundsMax);
    Note("tables, settled", world_.tables().CheckWhole(core_));
    CheckEntries();
    CheckPartitionCounts();
    GoOn();
    return std::move(violations_);
  }

  Violations RunConsistency() && {
    CheckPartitions();
    core_.Settle(kRoundsMax);
    CheckEntries();
    return std::move(violations_);
  }

  Violations RunHealing() && {
    CheckItems("before healing");
    Note("tables before healing", world_.tables().CheckAnswers(core_));
    core_.Heal();
    CheckItems("after healing");
    Note("tables after healing", world_.tables().CheckWhole(core_));
    for (auto& [name, container] : world_.containers()) {
      if (!core_.catalog().FindContainer(kDatabase, name).has_value()) continue;
      const size_t written = container.history().transactions.size();
      world_.Upserts(core_, name, 4);
      const auto& all = container.history().transactions;
      for (size_t i = written; i < all.size(); ++i) {
        if (all[i].outcome != crash::Outcome::kAcknowledged)
          Note(name, Violations{"takes no writes after the disk works again"});
      }
    }
    CheckItems("after healing and writing");
    return std::move(violations_);
  }

 private:
  uint64_t Now() { return static_cast<uint64_t>(core_.clock().Now().count()); }

  void Note(std::string_view where, const Violations& found) {
    for (const std::string& violation : found)
      violations_.push_back(fmt::format("{}: {}", where, violation));
  }
  void Note(std::string_view where, const Error& error) {
    Note(where, Violations{error.ToString()});
  }

  void CheckItems(std::string_view when) {
    for (auto& [name, container] : world_.containers()) {
      if (!core_.catalog().FindContainer(kDatabase, name).has_value()) continue;
      const std::string where = fmt::format("{} {}", name, when);
      const auto state = container.ReadAll(core_);
      if (state.has_value()) {
        Note(where, crash::CheckState(container.history(), *state, Now(), Now()));
      } else {
        Note(where, state.error());
      }
    }
  }

  // Directories match records; the slices of each container cover the ring once; no others exist.
  void CheckPartitions() {
    std::set<std::string> recorded;
    std::map<ContainerId, std::vector<partition::HashRange>> ranges;
    const Status read = core_.system().ForEach(
        cluster::kPartitionRecordPrefix, [&](std::string_view, std::string_view value) -> Status {
          ORRERY_ASSIGN(const cluster::PartitionRecord record,
                        cluster::DecodePartitionRecord(value));
          recorded.insert(std::to_string(record.id.value()));
          for (const cluster::Slice& slice : record.slices)
            ranges[slice.container].push_back(slice.range);
          return {};
        });
    if (!read.has_value()) Note("records", read.error());
    std::set<std::string> directories;
    for (const auto& entry :
         std::filesystem::directory_iterator(core_.directory() + "/partitions")) {
      directories.insert(entry.path().filename().string());
    }
    if (directories != recorded) {
      Note("partitions", Violations{fmt::format("{} directories for {} records", directories.size(),
                                                recorded.size())});
    }
    std::set<ContainerId> known;
    core_.catalog().snapshot()->by_id.ForEach(
        [&](ContainerId id, const auto&) { known.insert(id); });
    for (auto& [id, covered] : ranges) {
      if (!known.contains(id))
        Note("partitions",
             Violations{fmt::format("container {} is not in the catalog", id.value())});
      std::ranges::sort(covered);
      bool whole = covered.front().begin() == Hash128::Min() && covered.back().reaches_top();
      for (size_t i = 1; i < covered.size(); ++i)
        whole = whole && covered[i - 1].Precedes(covered[i]);
      if (!whole)
        Note("partitions",
             Violations{fmt::format("container {} does not cover the ring once", id.value())});
    }
    for (const ContainerId id : known) {
      if (!ranges.contains(id))
        Note("partitions", Violations{fmt::format("container {} has no partition", id.value())});
    }
  }

  void CheckContainer(TrackedContainer& container) {
    const std::string& name = container.name();
    const auto entry = core_.catalog().FindContainer(kDatabase, name);
    const bool found = entry.has_value();
    if (container.existence() == Existence::kPresent && !found)
      Note(name, Violations{"the container is lost"});
    if (container.existence() == Existence::kAbsent && found)
      Note(name, Violations{"the container is back"});
    if (!found) return;
    if (!container.MayHave((*entry)->settings))
      Note(name, Violations{"it has other settings than acknowledged"});
    const auto state = container.ReadAll(core_);
    if (!state.has_value()) return Note(name, state.error());
    Note(name, crash::CheckState(container.history(), *state, Now(), Now()));
    if (Status seen = container.CheckSession(core_); !seen.has_value()) Note(name, seen.error());
    CheckFeeds(container, *state);
  }

  void CheckFeeds(TrackedContainer& container, const State& state) {
    const std::string& name = container.name();
    const auto all = container.ReadFeed(core_, item::FeedMode::kLatestVersion, "");
    if (!all.has_value()) return Note(name, all.error());
    CheckLatest(name, all->changes, {}, state);
    const auto since = container.ReadFeed(core_, item::FeedMode::kLatestVersion,
                                          container.position(item::FeedMode::kLatestVersion));
    if (!since.has_value()) return Note(name, since.error());
    CheckLatest(name, since->changes, container.history().before, state);
    if (!container.keeps_versions()) return;
    const auto versions = container.ReadFeed(core_, item::FeedMode::kAllVersions,
                                             container.position(item::FeedMode::kAllVersions));
    if (!versions.has_value()) return Note(name, versions.error());
    Note(name, crash::CheckVersions(container.history(), versions->changes, state));
  }

  // The latest-version feed since a time when `before` was stored: what changed since, once each.
  void CheckLatest(const std::string& name, const std::vector<crash::Change>& changes,
                   const State& before, const State& state) {
    std::map<crash::Key, uint64_t> expected;
    for (const auto& [key, stored] : state) {
      const auto old = before.find(key);
      if (old == before.end() || old->second.lsn != stored.lsn) expected[key] = stored.lsn;
    }
    std::map<crash::Key, uint64_t> told;
    for (const crash::Change& change : changes) {
      if (!told.emplace(change.key, change.lsn).second)
        Note(name, Violations{"the latest feed tells an item twice"});
    }
    if (told != expected) {
      Note(name, Violations{fmt::format("the latest feed tells {} items, {} changed", told.size(),
                                        expected.size())});
    }
  }

  void CheckEntries() {
    const auto topology = core_.node().topology();
    for (const auto& [id, partition] : topology->hosted) {
      std::vector<item::CheckedSlice> slices;
      for (const cluster::Slice& slice : partition->record()->slices) {
        auto schema = core_.catalog().Schema(slice.container);
        // Of tables only what was written is known, not what is there.
        if (!schema->rows.has_value()) slices.push_back({std::move(schema), slice.range});
      }
      const auto report =
          item::CheckConsistency(partition->engine(), slices, {.now = core_.clock().Now()});
      const std::string where = fmt::format("partition {}", id.value());
      if (!report.has_value()) {
        Note(where, report.error());
      } else if (!report->ok()) {
        Note(where, Violations{report->ToString()});
      }
    }
    for (auto& [name, container] : world_.containers()) {
      const auto by_index = container.ReadByIndex(core_);
      const auto all = container.ReadAll(core_);
      if (by_index.has_value() && all.has_value() && *by_index != *all) {
        Note(name, Violations{
                       fmt::format("{} items by index, {} in all", by_index->size(), all->size())});
      }
    }
  }

  // Throughput that needs more partitions has got them.
  void CheckPartitionCounts() {
    for (auto& [name, container] : world_.containers()) {
      const auto entry = core_.catalog().FindContainer(kDatabase, name);
      if (!entry.has_value()) continue;
      const size_t needed =
          partition::PartitionCountFor((*entry)->settings.throughput, SmallLimits());
      const size_t found = PartitionsOf(core_, name).size();
      if (found < needed)
        Note(name, Violations{fmt::format("{} partitions carry what needs {}", found, needed)});
    }
  }

  void GoOn() {
    for (auto& [name, container] : world_.containers()) {
      if (!core_.catalog().FindContainer(kDatabase, name).has_value()) continue;
      if (Status rebased = container.Rebase(core_); !rebased.has_value())
        return Note(name, rebased.error());
      world_.Upserts(core_, name, 4);
      const auto partitions = PartitionsOf(core_, name);
      if (const auto split = core_.node().Split(partitions.front(), std::nullopt);
          !split.has_value()) {
        // One key or nothing at all cannot be cut, which is no fault.
        if (split.error().code() != Code::kPreconditionFailed) Note(name, split.error());
      }
      world_.Upserts(core_, name, 4);
      for (const crash::Transaction& transaction : container.history().transactions) {
        if (transaction.outcome != crash::Outcome::kAcknowledged)
          Note(name, Violations{"does not take writes"});
      }
      const auto state = container.ReadAll(core_);
      if (!state.has_value()) return Note(name, state.error());
      Note(name + " afterwards", crash::CheckState(container.history(), *state, Now(), Now()));
    }
  }

  Core& core_;
  World& world_;
  Violations violations_;
};

}  // namespace

Violations Audit(Core& core, World& world) { return Auditor(core, world).Run(); }

Violations AuditConsistency(Core& core, World& world) {
  return Auditor(core, world).RunConsistency();
}

Violations AuditHealing(Core& core, World& world) { return Auditor(core, world).RunHealing(); }

}  // namespace orrery::faults
