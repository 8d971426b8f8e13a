#include "cluster/maintenance/repair.h"

#include <algorithm>
#include <chrono>

#include "base/log.h"
#include "storage/ballast.h"
#include "storage/directory.h"

namespace orrery::cluster {
namespace {

// The system store's place in the schedule; no partition has it.
constexpr PartitionId kSystemStore(0);

// Space must rise so far above the reserve before growth is allowed again.
constexpr uint64_t kReserveSlack = 4;  // a quarter

// What was written since the last look may be written once more before the next one; a large file
// that somebody copies says nothing.
constexpr uint64_t kFallMax = uint64_t{256} << 20;

// A first ballast must be a small part of what is free, and is not for servers that live for
// seconds.
constexpr uint64_t kBallastShare = 8;
constexpr Micros kBallastDelay = std::chrono::seconds(5);
constexpr Micros kBallastRetryPause = std::chrono::seconds(60);

}  // namespace

Repair::Repair(NodeState& state)
    : state_(state), ballast_due_(state.parts.clock.Monotonic() + kBallastDelay) {
  MetricsRegistry* const metrics = state.options.metrics;
  if (metrics == nullptr) return;
  constexpr const char* kReopenings = "orrery_reopenings_total";
  constexpr const char* kHelp =
      "Attempts to reopen a partition or the system store after a failed write.";
  meters_ = {.reopened = &metrics->GetCounter(kReopenings, kHelp, {{"outcome", "ok"}}),
             .failed = &metrics->GetCounter(kReopenings, kHelp, {{"outcome", "failed"}}),
             .stopped = &metrics->GetGauge("orrery_partitions_stopped",
                                           "Partitions that take no writes until reopened."),
             .disk_low = &metrics->GetGauge("orrery_disk_low",
                                            "1 while growth is refused for want of disk space.")};
}

void Repair::WatchSpace() {
  const auto free = storage::FreeBytes(state_.parts.resources, state_.options.data_directory);
  if (!free.has_value()) return;
  const uint64_t fallen =
      std::min(last_free_.value_or(0) - std::min(last_free_.value_or(0), *free), kFallMax);
  last_free_ = free;
  const uint64_t reserve = Reserve();
  const bool was_low = state_.disk_low.load();
  const bool low = *free < (was_low ? reserve + reserve / kReserveSlack : reserve + fallen);
  if (low != was_low) {
    if (low) {
      LogWarn("the disk is full but for {} bytes: only reads and deletes are taken", *free);
    } else {
      LogInfo("the disk has {} bytes free again: all writes are taken", *free);
    }
    state_.disk_low.store(low);
  }
  if (meters_.disk_low != nullptr) meters_.disk_low->Set(low ? 1 : 0);
  for (const auto& [id, partition] : state_.topology.Load()->hosted)
    partition->ledger().RefuseGrowth(low);
  KeepBallast(*free);
}

uint64_t Repair::Reserve() const {
  const storage::Ballast* const ballast = state_.options.ballast;
  const uint64_t owed = ballast != nullptr ? ballast->owed() : 0;
  // Memtables become files, also when nobody writes any more.
  return state_.options.disk_reserve_bytes + state_.parts.resources.memtable_used() + owed;
}

void Repair::KeepBallast(uint64_t free) {
  storage::Ballast* const ballast = state_.options.ballast;
  if (ballast == nullptr || state_.disk_low.load()) return;
  const Micros now = state_.parts.clock.Monotonic();
  if (now < ballast_due_) return;
  const bool is_new = ballast->is_new();
  if (is_new && free / kBallastShare < ballast->bytes()) return;
  const uint64_t reserve = Reserve();
  if (!is_new && (ballast->owed() == 0 || free < reserve + reserve / kReserveSlack)) return;
  const Status made = ballast->Make();
  last_free_.reset();  // those bytes are not written again
  if (!made.has_value()) {
    ballast_due_ = now + kBallastRetryPause;
    LogWarn("nothing is kept for a full disk: {}", made.error().ToString());
  } else if (!is_new) {
    LogInfo("{} MB are kept for a full disk again", ballast->bytes() >> 20);
  }
}

bool Repair::SystemStoreDue() {
  if (!state_.system.Failure().has_value()) return false;
  MutexLock lock(mutex_);
  return schedule_.Due(kSystemStore, state_.parts.clock.Monotonic());
}

void Repair::ReopenSystemStore() {
  {
    MutexLock lock(mutex_);
    schedule_.Tried(kSystemStore, state_.parts.clock.Monotonic());
  }
  const Status reopened = state_.system.Reopen();
  if (!reopened.has_value() && reopened.error().code() == Code::kResourceExhausted) {
    MutexLock lock(mutex_);
    schedule_.StillFull(kSystemStore);
  }
  if (meters_.reopened != nullptr)
    (reopened.has_value() ? meters_.reopened : meters_.failed)->Add();
  if (reopened.has_value()) {
    LogInfo("the system store was reopened after a failed write");
  } else {
    LogWarn("the system store cannot be reopened yet: {}", reopened.error().ToString());
  }
}

std::vector<PartitionId> Repair::PartitionsDue() {
  std::vector<PartitionId> due;
  size_t stopped = 0;
  const Micros now = state_.parts.clock.Monotonic();
  const bool recordable = !state_.system.Failure().has_value();
  const auto topology = state_.topology.Load();
  MutexLock lock(mutex_);
  schedule_.Forget(now);
  for (const auto& [id, partition] : topology->hosted) {
    if (!partition->NeedsReopening()) continue;
    ++stopped;
    if (recordable && due.size() < kReopeningsPerRound && schedule_.Due(id, now)) due.push_back(id);
  }
  if (meters_.stopped != nullptr) meters_.stopped->Set(static_cast<double>(stopped));
  return due;
}

bool Repair::IsStillFull(PartitionId id) const {
  const auto partition = state_.topology.Load()->Find(id);
  if (partition == nullptr) return false;
  const auto failure = partition->engine().WriteFailure();
  return failure.has_value() && failure->code() == Code::kResourceExhausted &&
         !storage::HasRoom(state_.parts.resources, state_.PathOf(id));
}

void Repair::ReopenPartition(PartitionId id) {
  {
    MutexLock lock(mutex_);
    schedule_.Tried(id, state_.parts.clock.Monotonic());
  }
  if (IsStillFull(id)) {
    LogDebug("partition {} stays stopped: there is no room yet", id.value());
    if (meters_.failed != nullptr) meters_.failed->Add();
    MutexLock lock(mutex_);
    return schedule_.StillFull(id);
  }
  const Result<PartitionId> reopened = cluster::ReopenPartition(state_, id);
  if (meters_.reopened != nullptr)
    (reopened.has_value() ? meters_.reopened : meters_.failed)->Add();
  if (!reopened.has_value()) {
    LogWarn("partition {} cannot be reopened yet: {}", id.value(), reopened.error().ToString());
    return;
  }
  LogInfo("partition {} takes writes again, as partition {}: it was reopened after a failed write",
          id.value(), reopened->value());
  MutexLock lock(mutex_);
  schedule_.Became(id, *reopened);
}

}  // namespace orrery::cluster
