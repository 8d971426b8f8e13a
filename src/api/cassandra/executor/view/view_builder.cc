#include "api/cassandra/executor/view/view_builder.h"

#include <limits>

#include "api/cassandra/executor/view/view_derived_writes.h"
#include "base/log.h"
#include "gateway/row/row_token.h"

namespace orrery::cassandra {
namespace {

// Of the base table, at once: so few that other writes hardly notice those between theirs.
constexpr size_t kRowsPerPage = 64;
constexpr std::chrono::milliseconds kBusyPause{20};
// Before views are tried again whose build failed otherwise than because the server was busy.
constexpr std::chrono::milliseconds kFailurePause{5'000};

// Changes nothing, and puts rows into a view as they are.
class FillProgram final : public item::RowProgram {
 public:
  FillProgram(const ViewRegistry& registry, const Table& base, const Table& view,
              std::string partition_key, std::vector<std::string> rows)
      : registry_(registry),
        base_id_(base.id),
        view_id_(view.id),
        partition_key_(std::move(partition_key)),
        rows_(std::move(rows)) {}

  std::span<const std::string> reads() const override { return rows_; }
  Result<item::RowChanges> Decide(std::span<const std::optional<model::Row>> /*rows*/,
                                  Micros /*now*/) override {
    return item::RowChanges();
  }
  bool follows() const override { return true; }
  Result<std::vector<item::DerivedWrite>> Follow(std::span<const item::TouchedRow> rows,
                                                 Micros now) override {
    const BaseViewsPtr views = registry_.Find(base_id_);
    const ViewProjection* const view = views == nullptr ? nullptr : views->FindView(view_id_);
    if (view == nullptr) return std::vector<item::DerivedWrite>();
    auto derived_writes = DerivedWritesToFill(*view, partition_key_, rows, now);
    if (derived_writes.has_value()) return *std::move(derived_writes);
    return Fail(Code::kInvalidArgument, std::move(derived_writes).error().message);
  }

 private:
  const ViewRegistry& registry_;
  const std::string base_id_;
  const std::string view_id_;
  const std::string partition_key_;
  const std::vector<std::string> rows_;
};

Status Stopping() { return Fail(Code::kCancelled, "the server is stopping"); }

}  // namespace

ViewBuilder::ViewBuilder(const Parts& parts) : parts_(parts), pool_("views", 1, 1) {}

ViewBuilder::~ViewBuilder() { Stop(); }

void ViewBuilder::Wake() {
  MutexLock lock(mutex_);
  woken_ = true;
  changed_.NotifyAll();
  if (running_ || stopping_) return;
  // It ends only after it has seen that nobody has woken it since.
  running_ = pool_.Submit([this] { Run(); });
}

void ViewBuilder::Run() {
  std::set<std::string> failed;
  while (const TablePtr view = NextUnbuilt(failed)) {
    Status status = Build(*view);
    if (status.has_value()) {
      const CqlStatus kept =
          parts_.editor.SetViewBuilt(view->keyspace, view->name, view->id, /*built=*/true);
      if (!kept.has_value()) status = Fail(Code::kUnavailable, kept.error().message);
    }
    {
      MutexLock lock(mutex_);
      builds_.erase({view->keyspace, view->name});
    }
    if (status.has_value() || status.error().code() == Code::kCancelled) continue;
    // The base table may have been truncated or dropped: no alarm yet.
    LogWarn("the build of materialized view {}.{} will begin anew: {}", view->keyspace, view->name,
            status.error().ToString());
    failed.insert(view->id);
  }
}

TablePtr ViewBuilder::NextUnbuilt(std::set<std::string>& failed) {
  while (true) {
    {
      MutexLock lock(mutex_);
      woken_ = false;
    }
    const SchemaPtr schema = parts_.schema.Current();
    TablePtr next;
    bool all_built = true;
    for (const auto& [keyspace_name, keyspace] : schema->keyspaces) {
      for (const auto& [name, table] : keyspace->tables) {
        if (!table->view.has_value() || table->view->built) continue;
        if (parts_.registry.Find(table->view->base_id) == nullptr) continue;
        all_built = false;
        if (next == nullptr && !failed.contains(table->id)) next = table;
      }
    }
    MutexLock lock(mutex_);
    if (next != nullptr && !stopping_) {
      builds_[{next->keyspace, next->name}] = {.keyspace = next->keyspace,
                                               .view = next->name,
                                               .first_token = std::numeric_limits<int64_t>::min(),
                                               .last_token = std::numeric_limits<int64_t>::max(),
                                               .reached_token = std::nullopt,
                                               .keys_built = 0};
      return next;
    }
    if (stopping_ || (all_built && !woken_)) {
      running_ = false;
      changed_.NotifyAll();
      return nullptr;
    }
    failed.clear();
    if (!woken_) changed_.WaitFor(mutex_, kFailurePause);
  }
}

Status ViewBuilder::Build(const Table& view) {
  parts_.grace_period.WaitForEarlier();
  const BaseViewsPtr views = parts_.registry.Find(view.view->base_id);
  if (views == nullptr) return Fail(Code::kNotFound, "the base table was dropped");
  if (views->error.has_value()) return Fail(Code::kInvalidArgument, views->error->message);
  const Table& base = *views->base;
  gateway::RowScanSpec spec;
  spec.limits.items_max = kRowsPerPage;
  std::string continuation;
  while (true) {
    auto page = parts_.rows.Scan(base.container, spec, continuation, storage::ReadMode::kMayBlock);
    if (!page.has_value()) {
      if (PauseFor(page.error())) continue;
      return Fail(std::move(page).error());
    }
    ORRERY_TRY(FillPage(base, view, page->partitions));
    continuation = std::move(page->continuation);
    if (continuation.empty()) return {};
  }
}

Status ViewBuilder::FillPage(const Table& base, const Table& view,
                             const std::vector<item::ScannedPartition>& partitions) {
  for (const item::ScannedPartition& partition : partitions) {
    while (true) {
      const Status status = Fill(base, view, partition);
      if (status.has_value()) break;
      if (!PauseFor(status.error())) return status;
    }
    Report(view, partition);
  }
  return Pause(std::chrono::milliseconds(0)) ? Status() : Stopping();
}

Status ViewBuilder::Fill(const Table& base, const Table& view,
                         const item::ScannedPartition& partition) {
  if (partition.rows.empty()) return {};
  ORRERY_ASSIGN(std::string key, gateway::SerializedKey(partition.partition_key));
  std::vector<std::string> rows;
  for (const item::ScannedRow& row : partition.rows) rows.push_back(row.clustering);
  gateway::RowWriteRequest request;
  request.container = base.container;
  request.partition_key = key;
  request.program =
      std::make_unique<FillProgram>(parts_.registry, base, view, std::move(key), std::move(rows));
  return parts_.rows.WriteAndWait(std::move(request)).status;
}

bool ViewBuilder::PauseFor(const Error& error) {
  switch (error.code()) {
    case Code::kThrottled:
      return Pause(std::chrono::milliseconds(error.retry_after_ms()));
    case Code::kOverloaded:
    case Code::kMoved:
    case Code::kUnavailable:
      return Pause(kBusyPause);
    default:
      return false;
  }
}

bool ViewBuilder::Pause(std::chrono::milliseconds pause) {
  const auto until = std::chrono::steady_clock::now() + pause;
  MutexLock lock(mutex_);
  while (!stopping_) {
    const auto left = until - std::chrono::steady_clock::now();
    if (left <= left.zero()) break;
    changed_.WaitFor(mutex_, std::chrono::ceil<std::chrono::milliseconds>(left));
  }
  return !stopping_;
}

void ViewBuilder::Report(const Table& view, const item::ScannedPartition& partition) {
  MutexLock lock(mutex_);
  ViewBuild& build = builds_[{view.keyspace, view.name}];
  build.reached_token = gateway::TokenOf(partition.hash);
  if (partition.ends) ++build.keys_built;
}

std::vector<ViewBuild> ViewBuilder::ViewBuildsInProgress() const {
  MutexLock lock(mutex_);
  std::vector<ViewBuild> builds;
  for (const auto& [name, build] : builds_) builds.push_back(build);
  return builds;
}

void ViewBuilder::WaitUntilIdle() {
  MutexLock lock(mutex_);
  while (running_ && !stopping_) changed_.Wait(mutex_);
}

void ViewBuilder::Stop() {
  {
    MutexLock lock(mutex_);
    stopping_ = true;
    changed_.NotifyAll();
  }
  pool_.Stop();
}

}  // namespace orrery::cassandra
