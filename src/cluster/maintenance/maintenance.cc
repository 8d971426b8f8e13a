#include "cluster/maintenance/maintenance.h"

#include <algorithm>
#include <chrono>
#include <future>
#include <thread>

#include "base/bytes.h"
#include "base/log.h"
#include "cluster/maintenance/shadowed_row_maintenance.h"
#include "cluster/maintenance/size_maintenance.h"
#include "item/maintenance/expiry.h"

namespace orrery::cluster {
namespace {

// Expired items removed by one mutation, and by one sweep of a partition.
constexpr size_t kSweepBatch = 256;
constexpr int kSweepBatchesMax = 64;

constexpr size_t kSweeperThreads = 1;
constexpr size_t kSweeperQueueMax = 1 << 16;  // what does not fit is found again
constexpr size_t kOpenerThreads = 4;          // mostly they wait for the store
constexpr size_t kOpenerQueueMax = 1 << 16;
constexpr int kOpenTries = 5;
constexpr std::chrono::milliseconds kOpenPause{20};

bool HasExpiry(const NodeState& state, const PartitionRecord& record) {
  return std::ranges::any_of(record.slices, [&](const Slice& slice) {
    const auto schema = state.schemas(slice.container);
    return schema != nullptr && schema->default_ttl_s.has_value();
  });
}

// The previous owner, or this node itself, may be closing the partition at this moment: requests
// wait, so it is opened now instead of in the next round.
Status OpenSoon(NodeState& state, PartitionId id) {
  for (int tries = 1;; ++tries) {
    Status opened = OpenOwned(state, id);
    if (opened.has_value() || tries == kOpenTries) return opened;
    const Code code = opened.error().code();
    if (code != Code::kFenced && code != Code::kPreconditionFailed) return opened;
    std::this_thread::sleep_for(kOpenPause);
  }
}

}  // namespace

Maintenance::Maintenance(NodeState& state)
    : state_(state),
      repair_(state),
      feeds_(state),
      sweepers_("sweeper", kSweeperThreads, kSweeperQueueMax, ThreadPriority::kLow),
      openers_("opener", kOpenerThreads, kOpenerQueueMax) {}

void Maintenance::Round() {
  repair_.WatchSpace();
  ScheduleReconciling();  // for what was recorded while partitions were being changed here
  ScheduleRepairs();
  for (const auto& [id, partition] : state_.topology.Load()->hosted) {
    partition->SetRetention(state_.RetainedBy(*partition->record()));
  }
  ScheduleTrims();
  ScheduleSweeps();
  ScheduleCounts();
  ScheduleFlushes();
  ScheduleSplits();
}

ThreadPool& Maintenance::PoolFor(Job job) {
  if (job == Job::kOpen || job == Job::kReopen) return openers_;
  const bool sweeps = job == Job::kSweep || job == Job::kFeedSweep ||
                      job == Job::kShadowedRowSweep || job == Job::kCount || job == Job::kSettle;
  return sweeps ? sweepers_ : *state_.background;
}

void Maintenance::Schedule(Job job, PartitionId id, std::move_only_function<void()> work) {
  MutexLock lock(mutex_);
  if (!jobs_.emplace(job, id).second) return;
  const bool taken = PoolFor(job).Submit([this, job, id, work = std::move(work)]() mutable {
    work();
    MutexLock finished(mutex_);
    jobs_.erase({job, id});
    idle_.NotifyAll();
  });
  if (!taken) jobs_.erase({job, id});
}

void Maintenance::WaitUntilIdle() {
  MutexLock lock(mutex_);
  while (!jobs_.empty() || reconciling_ != 0) idle_.Wait(mutex_);
}

void Maintenance::ScheduleRepairs() {
  // The store has no partition's id; with 0 it still is one job at a time.
  if (repair_.SystemStoreDue())
    Schedule(Job::kReopen, PartitionId(0), [this] { repair_.ReopenSystemStore(); });
  for (const PartitionId id : repair_.PartitionsDue())
    Schedule(Job::kReopen, id, [this, id] { repair_.ReopenPartition(id); });
}

void Maintenance::ScheduleReconciling(std::optional<Node::Throughputs> throughputs) {
  // A single machine knows what it has recorded, but for what was replaced as a whole: whoever does
  // that tells the rates, too.
  if (state_.options.self == NodeId() && !throughputs.has_value()) return;
  MutexLock lock(mutex_);
  if (throughputs.has_value()) new_throughputs_ = std::move(throughputs);
  if (reconciling_queued_) return;
  const bool taken = openers_.Submit([this] {
    std::optional<Node::Throughputs> rates;
    {
      // A change that is recorded from here on needs another round.
      MutexLock started(mutex_);
      reconciling_queued_ = false;
      rates = std::exchange(new_throughputs_, std::nullopt);
    }
    if (rates.has_value()) {
      MutexLock changing(state_.change_mutex);
      state_.throughput = *std::move(rates);
    }
    if (const Status followed = ReconcileTopology(state_); !followed.has_value())
      LogInfo("the list of partitions could not be reconciled: {}", followed.error().ToString());
    ScheduleOpenings();
    MutexLock finished(mutex_);
    --reconciling_;
    idle_.NotifyAll();
  });
  if (!taken) return;
  reconciling_queued_ = true;
  ++reconciling_;
}

void Maintenance::ScheduleOpenings() {
  for (const auto& [id, partition] : state_.topology.Load()->remote) {
    if (!partition.awaited || !openings_.Due(id, state_.parts.clock.Monotonic())) continue;
    Schedule(Job::kOpen, id, [this, owned = id] {
      if (const Status opened = OpenSoon(state_, owned); !opened.has_value()) {
        if (openings_.Failed(owned, opened.error(), state_.parts.clock.Monotonic()))
          NoteDamage(state_, owned, opened.error());
      } else {
        openings_.Opened(owned);
      }
    });
  }
}

void Maintenance::ScheduleTrims() {
  std::vector<PartitionId> marked;
  const Status read =
      state_.system.ForEach(kTrimPrefix, [&](std::string_view key, std::string_view) -> Status {
        ByteReader reader(key.substr(kTrimPrefix.size()));
        uint64_t id = 0;
        if (reader.ReadBigEndian(id)) marked.emplace_back(id);
        return {};
      });
  if (!read.has_value())
    LogWarn("the list of partitions to trim cannot be read: {}", read.error().ToString());
  const auto topology = state_.topology.Load();
  std::set<PartitionId> settled;
  {
    MutexLock lock(mutex_);
    std::erase_if(settled_, [&](const auto& each) {
      return std::ranges::find(marked, each.first) == marked.end();
    });
    for (const auto& [id, record] : settled_) settled.insert(id);
  }
  for (const PartitionId id : marked) {
    if (topology->Find(id) == nullptr) continue;  // another node's
    if (settled.contains(id)) {
      Schedule(Job::kTrim, id, [this, id] { Trim(id); });
    } else {
      Schedule(Job::kSettle, id, [this, id] { Settle(id); });
    }
  }
}

void Maintenance::Settle(PartitionId id) {
  auto settled = SettlePartition(state_, id);
  // Claimed by a split, a merge or a trim, or gone: the next round looks again.
  if (!settled.has_value()) {
    LogDebug("partition {} was not settled: {}", id.value(), settled.error().ToString());
    return;
  }
  {
    MutexLock lock(mutex_);
    settled_[id] = *std::move(settled);
  }
  Schedule(Job::kTrim, id, [this, id] { Trim(id); });
}

void Maintenance::Trim(PartitionId id) {
  std::shared_ptr<const PartitionRecord> settled;
  {
    MutexLock lock(mutex_);
    if (const auto known = settled_.find(id); known != settled_.end()) settled = known->second;
  }
  if (const Status trimmed = TrimPartition(state_, id, settled); !trimmed.has_value())
    LogDebug("partition {} was not trimmed: {}", id.value(), trimmed.error().ToString());
}

void Maintenance::ScheduleSweeps() {
  const auto topology = state_.topology.Load();
  feeds_.Forget(*topology);
  for (const auto& [id, partition] : topology->hosted) {
    if (HasExpiry(state_, *partition->record()))
      Schedule(Job::kSweep, id, [this, swept = id] { Sweep(swept); });
    if (partition->shadowed_rows().AnyDue()) {
      Schedule(Job::kShadowedRowSweep, id, [this, swept = id] {
        const auto found = state_.topology.Load()->Find(swept);
        if (found != nullptr) SweepShadowedRows(state_, *found);
      });
    }
    if (feeds_.Due(*partition)) {
      Schedule(Job::kFeedSweep, id, [this, swept = id] {
        const auto found = state_.topology.Load()->Find(swept);
        if (found != nullptr) feeds_.Sweep(*found);
      });
    }
  }
}

void Maintenance::ScheduleCounts() {
  for (const auto& [id, partition] : state_.topology.Load()->hosted) {
    if (!partition->ledger().size_counts().AnyDue()) continue;
    Schedule(Job::kCount, id, [this, counted = id] {
      const auto found = state_.topology.Load()->Find(counted);
      if (found != nullptr) CountDoubtfulSizes(state_, *found);
    });
  }
}

void Maintenance::ScheduleFlushes() {
  const auto topology = state_.topology.Load();
  std::vector<std::shared_ptr<HostedPartition>> quiet;
  {
    MutexLock lock(mutex_);
    quiet = quiet_.Next(*topology);
  }
  for (const auto& partition : quiet) {
    if (!QuietWrites::IsWorthAFlush(*partition)) continue;
    const PartitionId id = partition->id();
    Schedule(Job::kFlush, id, [partition, id] {
      const Status flushed = partition->engine().Flush();
      if (!flushed.has_value())
        LogWarn("partition {} was not flushed: {}", id.value(), flushed.error().ToString());
    });
  }
}

void Maintenance::Sweep(PartitionId id) {
  const auto partition = state_.topology.Load()->Find(id);
  if (partition == nullptr) return;
  for (const Slice& slice : partition->record()->slices) {
    const auto schema = state_.schemas(slice.container);
    if (schema == nullptr || !schema->default_ttl_s.has_value()) continue;
    for (int batch = 0; batch < kSweepBatchesMax; ++batch) {
      auto expired = item::FindExpired(partition->engine(), slice.container, slice.range,
                                       state_.parts.clock.Now(), kSweepBatch);
      if (!expired.has_value()) {
        LogWarn("partition {}: expired items cannot be listed: {}", id.value(),
                expired.error().ToString());
        return;
      }
      const bool last = expired->size() < kSweepBatch;
      if (!expired->empty()) {
        std::promise<Status> done;
        partition->sequencer().Submit(
            item::ExpiryMutation(schema, *std::move(expired), partition->ledger(),
                                 [&done](Status status) { done.set_value(std::move(status)); }));
        if (!done.get_future().get().has_value())
          return;  // moved or stopping: the next round finds them again
      }
      if (last) break;
    }
  }
}

void Maintenance::ScheduleSplits() {
  std::vector<partition::PartitionFacts> facts;
  const auto topology = state_.topology.Load();
  // They count towards what their owners of throughput need; whoever has them splits them, by the
  // same plan.
  for (const auto& [id, partition] : topology->remote)
    facts.push_back(state_.FactsOfRemote(*partition.record));
  for (const auto& [id, partition] : topology->hosted) {
    auto known = state_.FactsOf(*partition, /*look_for_sole_keys=*/false);
    if (!known.has_value()) continue;
    known->busy = IsTrimmed(id) || IsStuck(id, partition->ledger().Sum().bytes);
    facts.push_back(*std::move(known));
  }
  std::vector<partition::OwnerFacts> owners;
  {
    MutexLock lock(state_.change_mutex);
    for (const auto& [throughput_owner, settings] : state_.throughput)
      owners.push_back({OwnerIdOf(throughput_owner), settings});
    for (partition::PartitionFacts& each : facts)
      each.busy = each.busy || state_.claimed.contains(each.id);
  }
  const partition::SplitPlan plan = partition::PlanSplits(facts, owners, state_.options.limits);
  for (const partition::SplitAction& action : plan.splits) {
    if (topology->Find(action.partition) == nullptr) continue;
    Schedule(Job::kSplit, action.partition,
             [this, id = action.partition, reason = action.reason] { Split(id, reason); });
  }
}

void Maintenance::Split(PartitionId id, partition::SplitReason reason) {
  const auto partition = state_.topology.Load()->Find(id);
  if (partition == nullptr) return;
  const auto result = SplitPartition(state_, id, {.reason = reason});
  if (result.has_value()) {
    ScheduleTrims();
    return;
  }
  LogWarn("partition {} should be split by {}: {}", id.value(), partition::SplitReasonName(reason),
          result.error().ToString());
  {
    // Lost to a trim, a merge or a user's split: that says nothing about the partition.
    MutexLock lock(state_.change_mutex);
    if (state_.claimed.contains(id)) return;
  }
  MutexLock lock(mutex_);
  stuck_[id] = partition->ledger().Sum().bytes;
}

bool Maintenance::IsTrimmed(PartitionId id) {
  MutexLock lock(mutex_);
  return jobs_.contains({Job::kTrim, id}) || jobs_.contains({Job::kSettle, id});
}

bool Maintenance::IsStuck(PartitionId id, int64_t bytes) {
  MutexLock lock(mutex_);
  const auto tried = stuck_.find(id);
  return tried != stuck_.end() && bytes < tried->second + tried->second / 10;
}

}  // namespace orrery::cluster
