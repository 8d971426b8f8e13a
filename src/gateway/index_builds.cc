#include "gateway/index_builds.h"

#include <algorithm>
#include <future>
#include <utility>
#include <vector>

#include "base/log.h"
#include "gateway/position/ring_pieces.h"
#include "item/index/index_build.h"
#include "item/row/row_index_build.h"

namespace orrery::gateway {
namespace {

constexpr size_t kBuildsMax = 100'000;
// Small enough that writers hardly notice a batch between theirs.
constexpr size_t kItemsPerBatch = 64;
constexpr std::chrono::milliseconds kBusyPause{5};
constexpr int kDropAttemptsMax = 1'000;

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

// Submits what `make` makes of the callback that tells the outcome, and waits for that.
template <typename Make>
Status SubmitAndWait(cluster::HostedPartition& partition, Make make) {
  std::promise<Status> done;
  std::future<Status> outcome = done.get_future();
  partition.sequencer().Submit(make([&done](Status status) { done.set_value(std::move(status)); }));
  return outcome.get();
}

Status Reindex(cluster::HostedPartition& partition,
               const std::shared_ptr<const item::ContainerSchema>& schema,
               const std::vector<item::RowIndex>& rows, std::vector<item::ItemKey> keys) {
  return SubmitAndWait(partition, [&](auto done) {
    return schema->rows.has_value() ? item::RowReindexMutation(schema, rows, std::move(keys),
                                                               partition.ledger(), std::move(done))
                                    : item::ReindexMutation(schema, std::move(keys),
                                                            partition.ledger(), std::move(done));
  });
}

Status Stopping() { return Fail(Code::kCancelled, "the server is stopping"); }

}  // namespace

IndexBuilds::IndexBuilds(Finished finished)
    : finished_(std::move(finished)), pool_("index", 1, kBuildsMax) {}

IndexBuilds::~IndexBuilds() { Stop(); }

void IndexBuilds::Start(cluster::Node& node, IndexBuild build) {
  const ContainerId id = build.entry->id;
  {
    MutexLock lock(mutex_);
    if (stopping_) return;
    ++progress_[id].builds;
  }
  if (!pool_.Submit([this, &node, build = std::move(build)] { Run(node, build); })) End(id);
}

void IndexBuilds::Run(cluster::Node& node, const IndexBuild& build) {
  if (build.former != nullptr) build.former->WaitUntilEmpty();
  Status status = BringItemsTo(node, build);
  if (status.has_value()) status = finished_(build);
  // A dropped container and a stopping server end a build as they end everything else.
  if (!status.has_value() && status.error().code() != Code::kNotFound &&
      status.error().code() != Code::kCancelled) {
    LogWarn("the index build of container '{}' stopped and goes on after the next start: {}",
            build.entry->settings.name, status.error().ToString());
  }
  End(build.entry->id);
}

Status IndexBuilds::BringItemsTo(cluster::Node& node, const IndexBuild& build) {
  const ContainerEntry& entry = *build.entry;
  if (!entry.settings.rows.has_value()) {
    // A sweep of expired items may have begun under the older settings, too.
    node.WaitForBackground();
    return Walk(node, entry, {});
  }
  for (const uint32_t id : build.rows.dropping)
    ORRERY_TRY(DropEntries(node, entry.id, item::NamedIndexId(id)));
  std::vector<item::RowIndex> building;
  for (const item::RowIndex& index : entry.settings.rows->indexes) {
    if (std::ranges::find(build.rows.building, index.id) != build.rows.building.end())
      building.push_back(index);
  }
  return building.empty() ? Status() : Walk(node, entry, building);
}

Status IndexBuilds::Walk(cluster::Node& node, const ContainerEntry& entry,
                         const std::vector<item::RowIndex>& rows) {
  const item::Space space =
      entry.settings.rows.has_value() ? item::Space::kRow : item::Space::kData;
  uint64_t visited = 0;
  std::vector<Continuation::Part> left{{partition::HashRange(), std::nullopt}};
  while (!left.empty()) {
    if (stopping()) return Stopping();
    const auto topology = node.topology();
    ORRERY_ASSIGN(std::vector<RingPiece> pieces, LayOut(*topology, entry.id, left));
    RingPiece& piece = pieces.front();
    ORRERY_ASSIGN(item::ItemBatch batch, item::NextItems(piece.partition->engine(), space, entry.id,
                                                         piece.range, piece.inner, kItemsPerBatch));
    const size_t count = batch.keys.size();
    if (count > 0) {
      const Status status = Reindex(*piece.partition, entry.schema, rows, std::move(batch.keys));
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

Status IndexBuilds::DropEntries(cluster::Node& node, ContainerId container, item::IndexId index) {
  for (int attempt = 1; attempt <= kDropAttemptsMax; ++attempt) {
    const auto topology = node.topology();
    const auto ranges = topology->map->Ranges(container);
    if (ranges.empty()) return Fail(Code::kNotFound, "the container was dropped meanwhile");
    Status status;
    for (const partition::RangeEntry& range : ranges) {
      if (stopping()) return Stopping();
      cluster::HostedPartition& partition = *topology->Find(range.partition);
      ORRERY_TRY(item::DropIndexEntries(partition.engine(), container, index));
      // A split or merge that is under way may have copied the entries before. It has then paused
      // the sequencer, and whatever is submitted now comes back as kMoved.
      status = SubmitAndWait(partition, [&](auto done) {
        return item::Ledger::Correction(partition.ledger(), {}, std::move(done));
      });
      if (!status.has_value()) break;
    }
    if (status.has_value()) return {};
    if (status.error().code() == Code::kOverloaded && PauseOrStop()) return Stopping();
    if (status.error().code() != Code::kMoved && status.error().code() != Code::kOverloaded)
      return status;
  }
  return Fail(Code::kUnavailable, "the partitions split again and again, or are overloaded");
}

int IndexBuilds::Progress(ContainerId id) const {
  MutexLock lock(mutex_);
  const auto found = progress_.find(id);
  return found == progress_.end() ? 0 : found->second.percent;
}

void IndexBuilds::WaitUntilIdle() {
  MutexLock lock(mutex_);
  while (!progress_.empty() && !stopping_) changed_.Wait(mutex_);
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
  progress_[id].percent = percent;
}

void IndexBuilds::End(ContainerId id) {
  MutexLock lock(mutex_);
  const auto found = progress_.find(id);
  found->second.percent = 0;
  if (--found->second.builds == 0) progress_.erase(found);
  changed_.NotifyAll();
}

}  // namespace orrery::gateway
