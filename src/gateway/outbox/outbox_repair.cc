#include "gateway/outbox/outbox_repair.h"

#include <future>
#include <utility>

#include "base/log.h"

namespace orrery::gateway {
namespace {

// The outcome of one page of entries; its deliveries answer from any thread.
class PageOutcome {
 public:
  explicit PageOutcome(size_t expected) : left_(expected) {}

  void Add(const item::OutboxPlace& place, Status status) EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    if (status.has_value()) {
      delivered_.push_back(place);
    } else {
      failure_ = std::move(status);
    }
    if (--left_ == 0) complete_.NotifyAll();
  }
  std::vector<item::OutboxPlace> Wait(Status& failure) EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    while (left_ > 0) complete_.Wait(mutex_);
    if (!failure_.has_value()) failure = failure_;
    return std::move(delivered_);
  }

 private:
  Mutex mutex_;
  CondVar complete_;
  size_t left_ GUARDED_BY(mutex_);
  std::vector<item::OutboxPlace> delivered_ GUARDED_BY(mutex_);
  Status failure_ GUARDED_BY(mutex_);
};

Status Remove(cluster::HostedPartition& partition, std::vector<item::OutboxPlace> places) {
  if (places.empty()) return {};
  std::promise<Status> removed;
  partition.sequencer().Submit(item::OutboxRemoval(
      std::move(places), [&removed](Status status) { removed.set_value(std::move(status)); }));
  return removed.get_future().get();
}

// Those that can have entries: slices of tables.
item::SliceRanges TablesOf(const cluster::PartitionRecord& record,
                           const CatalogSnapshot& snapshot) {
  item::SliceRanges slices;
  for (const cluster::Slice& slice : record.slices) {
    const ContainerRef* container = snapshot.by_id.Find(slice.container);
    if (container == nullptr || !(*container)->schema->rows.has_value()) continue;
    slices[slice.container].push_back(slice.range);
  }
  return slices;
}

}  // namespace

OutboxRepair::OutboxRepair(const Catalog& catalog, const cluster::Node& node,
                           const OutboxDispatcher& outbox_dispatcher, const Clock& clock,
                           MetricsRegistry& metrics)
    : catalog_(catalog),
      node_(node),
      outbox_dispatcher_(outbox_dispatcher),
      clock_(clock),
      repaired_(
          metrics.GetCounter("orrery_outbox_repaired_total",
                             "Writes whose derived writes were delivered in the background.")),
      waiting_gauge_(metrics.GetGauge("orrery_outbox_partitions_waiting",
                                      "Partitions with writes whose derived writes cannot be "
                                      "delivered now.")),
      pool_("outbox", 1, 1) {}

OutboxRepair::~OutboxRepair() { Stop(); }

void OutboxRepair::Mark(const item::OutboxPlace& place) {
  const auto topology = node_.topology();
  cluster::HostedPartition* const partition = topology->Route(place.container, place.hash);
  // The container was dropped, or the node is stopping, or another node has the partition by now:
  // whoever opens it next looks through it.
  if (partition == nullptr) return;
  MutexLock lock(mutex_);
  waiting_.insert(partition->id());
}

std::vector<OutboxRepair::Partition> OutboxRepair::TakeDue() {
  const auto topology = node_.topology();
  const auto gone = [&](PartitionId id) { return !topology->hosted.contains(id); };
  const Micros now = clock_.Monotonic();
  std::vector<Partition> due;
  MutexLock lock(mutex_);
  if (running_ || stopping_) return due;
  std::erase_if(seen_, gone);
  std::erase_if(waiting_, gone);
  schedule_.Forget(now);
  for (const auto& [id, partition] : topology->hosted) {
    const bool waits = waiting_.contains(id);
    if (seen_.contains(id) && !(waits && schedule_.Due(id, now))) continue;
    seen_.insert(id);
    // Entries that are marked from here on may lie behind the reader: they count for the next time.
    if (waiting_.erase(id) > 0) schedule_.Tried(id, now);
    due.push_back(partition);
  }
  waiting_gauge_.Set(static_cast<double>(waiting_.size()));
  running_ = !due.empty();
  return due;
}

void OutboxRepair::Round() {
  std::vector<Partition> due = TakeDue();
  if (due.empty()) return;
  std::vector<PartitionId> ids;
  for (const Partition& partition : due) ids.push_back(partition->id());
  if (pool_.Submit([this, due = std::move(due)] { Repair(due); })) return;
  MutexLock lock(mutex_);
  for (const PartitionId id : ids) seen_.erase(id);
  running_ = false;
  idle_.NotifyAll();
}

void OutboxRepair::Repair(const std::vector<Partition>& due) {
  for (const Partition& partition : due) {
    const Status done = LookThrough(*partition);
    if (done.has_value()) continue;
    if (!stopping()) {
      LogWarn("partition {}: some derived writes (views, batches) are not delivered yet: {}",
              partition->id().value(), done.error().ToString());
    }
    MutexLock lock(mutex_);
    waiting_.insert(partition->id());
  }
  MutexLock lock(mutex_);
  waiting_gauge_.Set(static_cast<double>(waiting_.size()));
  running_ = false;
  idle_.NotifyAll();
}

Status OutboxRepair::LookThrough(cluster::HostedPartition& partition) {
  const item::SliceRanges slices = TablesOf(*partition.record(), *catalog_.snapshot());
  Status failure;
  if (slices.empty()) return failure;
  for (std::string from;;) {
    if (stopping()) return Fail(Code::kCancelled, "the server is stopping");
    ORRERY_ASSIGN(item::OutboxPage page, item::ReadOutbox(partition.engine(), slices, from));
    for (const item::OutboxPlace& place : page.damaged) {
      LogError(
          "partition {}: the derived writes of write {} of container {} are damaged and stay "
          "undelivered",
          partition.id().value(), place.lsn.value(), place.container.value());
    }
    std::vector<item::OutboxPlace> delivered = Deliver(std::move(page.entries), failure);
    repaired_.Add(delivered.size());
    ORRERY_TRY(Remove(partition, std::move(delivered)));
    if (!page.next.has_value()) return failure;
    from = *std::move(page.next);
  }
}

std::vector<item::OutboxPlace> OutboxRepair::Deliver(std::vector<item::OutboxEntry> entries,
                                                     Status& failure) const {
  const auto outcome = std::make_shared<PageOutcome>(entries.size());
  for (item::OutboxEntry& entry : entries) {
    outbox_dispatcher_.Deliver(
        std::move(entry.derived_writes),
        [outcome, place = entry.place](Status status, RequestUnits /*charge*/) {
          outcome->Add(place, std::move(status));
        });
  }
  return outcome->Wait(failure);
}

void OutboxRepair::WaitUntilIdle() {
  MutexLock lock(mutex_);
  while (running_) idle_.Wait(mutex_);
}

void OutboxRepair::Stop() {
  {
    MutexLock lock(mutex_);
    stopping_ = true;
  }
  pool_.Stop();
}

bool OutboxRepair::stopping() const {
  MutexLock lock(mutex_);
  return stopping_;
}

}  // namespace orrery::gateway
