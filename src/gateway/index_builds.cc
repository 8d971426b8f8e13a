#include "gateway/index_builds.h"

#include <algorithm>
#include <future>
#include <utility>
#include <vector>

#include "base/log.h"
#include "gateway/position/ring_pieces.h"
#include "item/index/index_build.h"

namespace orrery::gateway {
namespace {

constexpr size_t kBuildsMax = 100'000;
// Small enough that writers hardly notice a batch between theirs.
constexpr size_t kItemsPerBatch = 64;
constexpr std::chrono::milliseconds kBusyPause{5};

uint64_t CountItems(const cluster::Topology& topology, ContainerId container) {
  int64_t items = 0;
  for (const partition::RangeEntry& range : topology.map->Ranges(container)) {
    const auto partition = topology.Find(range.partition);
    if (partition == nullptr) continue;
    const auto totals = partition->ledger().ByContainer();
    if (const auto found = totals.find(container); found != totals.end())
      items += found->second.items;
  }
  return static_cast<uint64_t>(std::max<int64_t>(items, 1));
}

Status Reindex(cluster::HostedPartition& partition,
               std::shared_ptr<const item::ContainerSchema> schema,
               std::vector<item::ItemKey> keys) {
  std::promise<Status> done;
  std::future<Status> outcome = done.get_future();
  partition.sequencer().Submit(
      item::ReindexMutation(std::move(schema), std::move(keys), partition.ledger(),
                            [&done](Status status) { done.set_value(std::move(status)); }));
  return outcome.get();
}

}  // namespace

IndexBuilds::IndexBuilds(Finished finished)
    : finished_(std::move(finished)), pool_("index", 1, kBuildsMax) {}

IndexBuilds::~IndexBuilds() { Stop(); }

void IndexBuilds::Start(cluster::Node& node, ContainerRef entry,
                        std::shared_ptr<const WriterGate> former) {
  const ContainerId id = entry->id;
  {
    MutexLock lock(mutex_);
    if (stopping_) return;
    percent_[id] = 0;
  }
  const bool taken =
      pool_.Submit([this, &node, entry = std::move(entry), former = std::move(former)] {
        Run(node, *entry, former.get());
      });
  if (!taken) End(id);
}

void IndexBuilds::Run(cluster::Node& node, const ContainerEntry& entry, const WriterGate* former) {
  if (former != nullptr) former->WaitUntilEmpty();
  // A sweep of expired items may have begun under the older settings, too.
  node.WaitForBackground();
  Status walked = Walk(node, entry);
  if (walked.has_value()) walked = finished_(entry.id, entry.version);
  // A dropped container and a stopping server end a build as they end everything else.
  if (!walked.has_value() && walked.error().code() != Code::kNotFound &&
      walked.error().code() != Code::kCancelled) {
    LogWarn("the index build of container '{}' stopped and goes on after the next start: {}",
            entry.settings.name, walked.error().ToString());
  }
  End(entry.id);
}

Status IndexBuilds::Walk(cluster::Node& node, const ContainerEntry& entry) {
  uint64_t visited = 0;
  std::vector<Continuation::Part> left{{partition::HashRange(), std::nullopt}};
  while (!left.empty()) {
    if (stopping()) return Fail(Code::kCancelled, "the server is stopping");
    const auto topology = node.topology();
    ORRERY_ASSIGN(std::vector<RingPiece> pieces, LayOut(*topology, entry.id, left));
    RingPiece& piece = pieces.front();
    ORRERY_ASSIGN(item::ItemBatch batch, item::NextItems(piece.partition->engine(), entry.id,
                                                         piece.range, piece.inner, kItemsPerBatch));
    const size_t count = batch.keys.size();
    if (count > 0) {
      const Status status = Reindex(*piece.partition, entry.schema, std::move(batch.keys));
      if (!status.has_value()) {
        // Nothing was done: the same items again, wherever they are now.
        if (status.error().code() == Code::kMoved) continue;
        if (status.error().code() == Code::kOverloaded && !PauseOrStop()) continue;
        return status;
      }
    }
    visited += count;
    SetProgress(entry.id, static_cast<int>(std::min<uint64_t>(
                              99, visited * 100 / CountItems(*topology, entry.id))));
    const bool more = batch.next.has_value();
    if (more) piece.inner = std::move(batch.next);
    left = JoinPieces(pieces, more ? 0 : 1);
  }
  // That the build is done will be recorded durably: so must be what it wrote.
  const auto topology = node.topology();
  for (const partition::RangeEntry& range : topology->map->Ranges(entry.id))
    ORRERY_TRY(topology->Find(range.partition)->engine().SyncWrites());
  return {};
}

int IndexBuilds::Progress(ContainerId id) const {
  MutexLock lock(mutex_);
  const auto found = percent_.find(id);
  return found == percent_.end() ? 0 : found->second;
}

void IndexBuilds::WaitUntilIdle() {
  MutexLock lock(mutex_);
  while (!percent_.empty() && !stopping_) changed_.Wait(mutex_);
}

void IndexBuilds::Stop() {
  {
    MutexLock lock(mutex_);
    stopping_ = true;
    changed_.NotifyAll();
  }
  pool_.Stop();
}

bool IndexBuilds::PauseOrStop() {
  MutexLock lock(mutex_);
  if (!stopping_) changed_.WaitFor(mutex_, kBusyPause);
  return stopping_;
}

bool IndexBuilds::stopping() const {
  MutexLock lock(mutex_);
  return stopping_;
}

void IndexBuilds::SetProgress(ContainerId id, int percent) {
  MutexLock lock(mutex_);
  percent_[id] = percent;
}

void IndexBuilds::End(ContainerId id) {
  MutexLock lock(mutex_);
  percent_.erase(id);
  changed_.NotifyAll();
}

}  // namespace orrery::gateway
