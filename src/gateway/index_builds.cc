#include "gateway/index_builds.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/log.h"
#include "gateway/index_batch.h"
#include "gateway/position/ring_pieces.h"
#include "gateway/remote/remote_gateway.h"

namespace orrery::gateway {
namespace {

constexpr size_t kBuildsMax = 100'000;
constexpr std::chrono::milliseconds kBusyPause{5};
constexpr size_t kFailuresMax = 1'000;
constexpr int kDropAttemptsMax = 1'000;
// A node that is gone is missed for some seconds, and whoever takes its partitions over opens them
// one after the other. About four minutes.
constexpr std::chrono::milliseconds kUnreachablePause{50};
constexpr int kUnreachableMax = 5'000;

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

// A step on the partition that has the piece, here or there.
Result<IndexBatch> BuildNext(const IndexBuilds::Places& places, const ContainerEntry& entry,
                             const std::vector<uint32_t>& rows, const RingPiece& piece) {
  if (piece.remote == nullptr) return BuildIndexBatch(entry, RowIndexesOf(entry, rows), piece);
  if (places.remote == nullptr) return Fail(Code::kUnavailable, "another node has the partition");
  return places.remote->BuildIndex(entry, *piece.remote, {piece.range, piece.inner, rows});
}

Status DropIn(const IndexBuilds::Places& places, const ContainerEntry& entry, item::IndexId index,
              const RingPiece& piece) {
  if (piece.remote == nullptr) return DropIndex(*piece.partition, entry.id, index);
  if (places.remote == nullptr) return Fail(Code::kUnavailable, "another node has the partition");
  return places.remote->DropIndex(entry, *piece.remote, {piece.range, index});
}

// Returns whether items have unique indexes to be brought into.
bool AddsUnique(const ContainerEntry& entry) {
  const auto& former = entry.schema->former_indexing;
  if (!former.has_value()) return false;
  return std::ranges::any_of(entry.schema->indexing.named(), [&](const item::NamedIndex& index) {
    return index.unique && std::ranges::find(former->named(), index.id, &item::NamedIndex::id) ==
                               former->named().end();
  });
}

// Returns whether it is an item that is the reason, and would be again.
bool IsRefusal(const Error& error) {
  return error.code() == Code::kAlreadyExists || error.code() == Code::kInvalidArgument ||
         error.code() == Code::kTooLarge;
}

Status BuildsStopping() { return Fail(Code::kCancelled, "the server is stopping"); }

}  // namespace

IndexBuilds::IndexBuilds(Finished finished, Refused refused)
    : finished_(std::move(finished)), refused_(std::move(refused)), pool_("index", 1, kBuildsMax) {}

IndexBuilds::~IndexBuilds() { Stop(); }

void IndexBuilds::Start(Places places, IndexBuild build) {
  const ContainerId id = build.entry->id;
  {
    MutexLock lock(mutex_);
    if (stopping_) return;
    ++progress_[id].builds;
    // A failure is for those who await the build before: they ask when it has ended.
    if (failed_.size() >= kFailuresMax) failed_.clear();
  }
  if (!pool_.Submit([this, places, build = std::move(build)] { Run(places, build); })) End(id);
}

void IndexBuilds::Run(const Places& places, const IndexBuild& build) {
  if (build.former != nullptr) build.former->WaitUntilEmpty();
  std::string conflict;
  Status status = BringItemsTo(places, build, conflict);
  if (status.has_value()) {
    status = finished_(build);
  } else if (IsRefusal(status.error()) && AddsUnique(*build.entry)) {
    KeepFailure(build, {.error = status.error(), .conflict = std::move(conflict)});
    status = refused_(build);
  }
  // A dropped container and a stopping server end a build as they end everything else.
  if (!status.has_value() && status.error().code() != Code::kNotFound &&
      status.error().code() != Code::kCancelled) {
    LogWarn("the index build of container '{}' stopped, and goes on after a restart: {}",
            build.entry->settings.name, status.error().ToString());
  }
  End(build.entry->id);
}

Status IndexBuilds::BringItemsTo(const Places& places, const IndexBuild& build,
                                 std::string& conflict) {
  const ContainerEntry& entry = *build.entry;
  if (!entry.settings.rows.has_value()) {
    // A sweep of expired items may have begun under the older settings, too.
    places.node.WaitForBackground();
    return Walk(places, entry, {}, conflict);
  }
  for (const uint32_t id : build.rows.dropping)
    ORRERY_TRY(DropEntries(places, entry, item::NamedIndexId(id)));
  return RowIndexesOf(entry, build.rows.building).empty()
             ? Status()
             : Walk(places, entry, build.rows.building, conflict);
}

Status IndexBuilds::Walk(const Places& places, const ContainerEntry& entry,
                         const std::vector<uint32_t>& rows, std::string& conflict) {
  uint64_t visited = 0;
  int unreachable = 0;
  std::vector<Continuation::Part> left{{partition::HashRange(), std::nullopt}};
  while (!left.empty()) {
    if (stopping()) return BuildsStopping();
    const auto topology = places.node.topology();
    ORRERY_ASSIGN(std::vector<RingPiece> pieces, LayOut(*topology, entry.id, left));
    RingPiece& piece = pieces.front();
    Result<IndexBatch> batch = BuildNext(places, entry, rows, piece);
    if (!batch.has_value()) {
      ORRERY_TRY(AwaitNextTry(batch.error(), piece.remote != nullptr, unreachable));
      continue;
    }
    unreachable = 0;
    if (!batch->conflict.empty()) {
      conflict = std::move(batch->conflict);
      return Fail(Code::kAlreadyExists, "two items have the same key in a unique index");
    }
    visited += batch->items;
    SetProgress(entry.id, static_cast<int>(std::min<uint64_t>(
                              99, visited * 100 / CountItems(*topology, entry.id))));
    const bool more = batch->next.has_value();
    if (more) piece.inner = std::move(batch->next);
    left = JoinPieces(pieces, more ? 0 : 1);
  }
  return {};
}

Status IndexBuilds::DropEntries(const Places& places, const ContainerEntry& entry,
                                item::IndexId index) {
  int unreachable = 0;
  for (int attempt = 1; attempt <= kDropAttemptsMax; ++attempt) {
    const auto topology = places.node.topology();
    ORRERY_ASSIGN(const std::vector<RingPiece> pieces,
                  LayOut(*topology, entry.id, {{partition::HashRange(), std::nullopt}}));
    Status status;
    for (const RingPiece& piece : pieces) {
      if (stopping()) return BuildsStopping();
      status = DropIn(places, entry, index, piece);
      if (status.has_value()) continue;
      ORRERY_TRY(AwaitNextTry(status.error(), piece.remote != nullptr, unreachable));
      break;
    }
    if (status.has_value()) return {};
  }
  return Fail(Code::kUnavailable, "the partitions split again and again, or are overloaded");
}

bool IndexBuilds::IsUnderWay(ContainerId id) const {
  MutexLock lock(mutex_);
  return progress_.contains(id);
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

std::optional<IndexBuildFailure> IndexBuilds::Await(ContainerId id, uint64_t version) {
  MutexLock lock(mutex_);
  while (progress_.contains(id) && !stopping_) changed_.Wait(mutex_);
  const auto found = failed_.find(id);
  if (found == failed_.end() || found->second.version != version) return std::nullopt;
  return found->second.failure;
}

void IndexBuilds::KeepFailure(const IndexBuild& build, IndexBuildFailure failure) {
  MutexLock lock(mutex_);
  failed_.insert_or_assign(build.entry->id,
                           Failed{.version = build.entry->version, .failure = std::move(failure)});
}

void IndexBuilds::Stop() {
  {
    MutexLock lock(mutex_);
    stopping_ = true;
    changed_.NotifyAll();
  }
  pool_.Stop();
}

// Nothing was done, or not all: the same again, wherever it is by then.
Status IndexBuilds::AwaitNextTry(const Error& error, bool elsewhere, int& unreachable) {
  std::chrono::milliseconds pause = kBusyPause;
  switch (error.code()) {
    case Code::kMoved:
      if (!elsewhere) return {};  // what splits here is there at once
      break;
    case Code::kOverloaded:
      break;
    case Code::kUnavailable:
    case Code::kCorruption:  // a partition that cannot be opened may be restored
      if (!elsewhere || ++unreachable > kUnreachableMax) return Fail(error);
      pause = kUnreachablePause;
      break;
    default:
      return Fail(error);
  }
  return WaitOrStop(pause) ? BuildsStopping() : Status();
}

bool IndexBuilds::WaitOrStop(std::chrono::milliseconds pause) {
  MutexLock lock(mutex_);
  if (!stopping_) changed_.WaitFor(mutex_, pause);
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
