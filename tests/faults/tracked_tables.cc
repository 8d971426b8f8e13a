#include "faults/tracked_tables.h"

#include <fmt/format.h>

#include <future>

#include "faults/tracked_container.h"
#include "item/outbox/derived_write_testing.h"

namespace orrery::faults {
namespace {

using crash::Outcome;
using crash::Violations;

gateway::ContainerSettings TableSettings(std::string_view name) {
  gateway::ContainerSettings settings;
  settings.name = name;
  settings.partition_key_paths = {"/k"};
  settings.hashing = partition::KeyHashing::kCassandra;
  settings.order = model::Order::kCql;
  settings.indexing.automatic = false;
  settings.rows.emplace();
  settings.throughput =
      partition::ThroughputSettings::Manual(SmallLimits().physical_partition_rate_max);
  return settings;
}

std::string KeyOf(size_t write) { return fmt::format("k{}", write); }
std::string DerivedWriteKeyOf(size_t write, int derived_write) {
  return fmt::format("f{}.{}", write, derived_write);
}
constexpr int kDerivedWrites = 2;

item::RowChanges ChangesOf(size_t write, ContainerId view) {
  item::RowChanges changes;
  changes.rows.push_back({"", item::RowOf(1, KeyOf(write))});
  for (int i = 0; i < kDerivedWrites; ++i) {
    changes.derived_writes.push_back(item::DerivedWriteOf(view.value(), DerivedWriteKeyOf(write, i),
                                                          "", item::RowOf(1, KeyOf(write))));
  }
  return changes;
}

Outcome OutcomeOf(const Status& status) {
  if (status.has_value()) return Outcome::kAcknowledged;
  return PromisesNothing(status.error().code()) ? Outcome::kRefused : Outcome::kUnknown;
}

Result<bool> Exists(Core& core, std::string_view table, std::string_view key) {
  ORRERY_ASSIGN(const auto container, core.catalog().FindContainer(kDatabase, table));
  ORRERY_ASSIGN(const auto read,
                core.rows().Read(container, key, "", false, storage::ReadMode::kMayBlock));
  return read.row.row_visible;
}

// The rows of a write that exist: itself, and its derived writes.
struct Found {
  bool write = false;
  int derived_writes = 0;

  bool whole() const { return write && derived_writes == kDerivedWrites; }
  bool none() const { return !write && derived_writes == 0; }
};
Result<Found> Find(Core& core, size_t write) {
  Found found;
  ORRERY_ASSIGN(found.write, Exists(core, kTable, KeyOf(write)));
  for (int i = 0; i < kDerivedWrites; ++i) {
    ORRERY_ASSIGN(const bool exists, Exists(core, kView, DerivedWriteKeyOf(write, i)));
    found.derived_writes += exists ? 1 : 0;
  }
  return found;
}

}  // namespace

void TrackedTables::Create(Core& core) {
  for (const std::string_view name : {kTable, kView}) {
    core.Note(StatusOf(core.catalog().CreateContainer(kDatabase, TableSettings(name))));
  }
  created_ = true;
}

void TrackedTables::Write(Core& core, int count) {
  const auto table = core.catalog().FindContainer(kDatabase, kTable);
  const auto view = core.catalog().FindContainer(kDatabase, kView);
  if (!table.has_value() || !view.has_value() || core.dead()) return;
  std::vector<std::promise<Status>> done(static_cast<size_t>(count));
  for (size_t i = 0; i < done.size(); ++i) {
    const size_t write = writes_.size() + i;
    core.rows().Write({.container = *table,
                       .partition_key = KeyOf(write),
                       .changes = ChangesOf(write, (*view)->id),
                       .program = nullptr},
                      [&promise = done[i]](gateway::RowWriteResponse response) {
                        promise.set_value(std::move(response.status));
                      });
  }
  for (std::promise<Status>& promise : done) {
    const Status status = promise.get_future().get();
    core.Note(status);
    writes_.push_back(OutcomeOf(status));
  }
}

Violations TrackedTables::CheckAnswers(Core& core) const { return Check(core, false); }
Violations TrackedTables::CheckWhole(Core& core) const { return Check(core, true); }

Violations TrackedTables::Check(Core& core, bool settled) const {
  Violations violations;
  if (!created_) return violations;
  for (size_t write = 0; write < writes_.size(); ++write) {
    const auto found = Find(core, write);
    if (!found.has_value()) {
      violations.push_back("a table cannot be read: " + found.error().ToString());
      return violations;
    }
    const bool right = writes_[write] == Outcome::kAcknowledged ? found->whole()
                       : writes_[write] == Outcome::kRefused    ? found->none()
                       : settled                                ? found->whole() || found->none()
                                                                : found->write || found->none();
    if (right) continue;
    constexpr std::string_view kWords[] = {"of unknown outcome", "acknowledged", "refused"};
    violations.push_back(fmt::format("write {}, {}, is {}, with {} of {} followers", write,
                                     kWords[static_cast<size_t>(writes_[write])],
                                     found->write ? "there" : "not there", found->derived_writes,
                                     kDerivedWrites));
  }
  return violations;
}

}  // namespace orrery::faults
