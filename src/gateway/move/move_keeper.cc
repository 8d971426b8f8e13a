#include "gateway/move/move_keeper.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/bytes.h"
#include "base/has_code.h"
#include "base/log.h"
#include "gateway/catalog/container_settings.h"
#include "gateway/move/move_lock.h"
#include "gateway/move/move_settings.h"

namespace orrery::gateway {
namespace {

constexpr std::string_view kMoveSequence = "move";
constexpr int kRunsMax = 20;
constexpr std::chrono::milliseconds kRunPause{250};
// All of it, however long the copy takes.
constexpr uint32_t kRetentionOfMove = kFeedRetentionMinutesMax;

bool MayPass(const Status& status) {
  return HasCode(status, Code::kUnavailable) || HasCode(status, Code::kMoved) ||
         HasCode(status, Code::kWouldBlock) || HasCode(status, Code::kOverloaded);
}

uint64_t ItemsOf(const Gateway& gateway, ContainerId id) {
  int64_t items = 0;
  for (const auto& [partition_id, partition] : gateway.node().topology()->hosted) {
    const auto totals = partition->ledger().ByContainer();
    if (const auto found = totals.find(id); found != totals.end()) items += found->second.items;
  }
  return static_cast<uint64_t>(std::max<int64_t>(items, 0));
}

}  // namespace

int64_t MoveKeeper::NowMs() const {
  return std::chrono::duration_cast<std::chrono::milliseconds>(parts_.clock.Now()).count();
}

Status MoveKeeper::Store(const MoveRecord& record, bool locks) {
  cluster::SystemStore::Change change;
  change.Put(MoveKey(record.number), EncodeMove(record));
  if (locks) {
    std::string number;
    AppendBigEndian(number, record.number);
    for (const ContainerId id : {record.source, record.target}) {
      if (record.is_over()) {
        change.Delete(MoveLockKey(id));
      } else {
        change.Put(MoveLockKey(id), number);
      }
    }
  }
  ORRERY_TRY(parts_.system.Commit(std::move(change)));
  const MutexLock lock(mutex_);
  if (const auto found = moves_.find(record.number); found != moves_.end())
    found->second.shown = record;
  return {};
}

Status MoveKeeper::Resume() {
  std::vector<MoveRecord> stored;
  ORRERY_TRY(parts_.system.ForEach(kMovePrefix, [&](std::string_view key, std::string_view value) {
    auto record = DecodeMove(key, value);
    if (record.has_value()) {
      stored.push_back(*std::move(record));
    } else {
      LogError("{}", record.error().message());
    }
    return Status();
  }));
  const MutexLock lock(mutex_);
  for (MoveRecord& record : stored) {
    if (record.is_over()) {
      moves_[record.number].shown = std::move(record);
    } else {
      Launch(std::move(record));
    }
  }
  return {};
}

void MoveKeeper::Launch(MoveRecord record) {
  const uint64_t number = record.number;
  Move& move = moves_[number];
  move.shown = record;
  move.mover = std::make_shared<ContainerMover>(
      ContainerMover::Parts{
          .gateway = parts_.gateway,
          .unmetered = parts_.unmetered,
          .rows = parts_.rows,
          .reservations = parts_.reservations,
          .clock = parts_.clock,
          .save = [this](const MoveRecord& now) { return Store(now, /*locks=*/false); }},
      std::move(record));
  move.thread = std::thread([this, number, mover = move.mover] { Run(number, mover); });
}

Result<MoveRecord> MoveKeeper::Start(std::string_view database, std::string_view container,
                                     model::DocumentView changes) {
  if (parts_.in_cluster) {
    return Fail(Code::kUnsupported,
                "containers are moved on a single machine only: in a cluster no node can hold up "
                "the writers of all others. Export and import instead");
  }
  Catalog& catalog = parts_.gateway.catalog();
  ORRERY_ASSIGN(ContainerRef source, catalog.FindContainer(database, container));
  ORRERY_ASSIGN(ContainerSettings settings, SettingsOfMove(*source, changes));
  MoveRecord record;
  record.database = database;
  record.container = container;
  {
    const MutexLock lock(mutex_);
    if (stopping_) return Fail(Code::kCancelled, "the server is stopping");
    size_t running = 0;
    for (const auto& [number, move] : moves_) {
      if (move.shown.is_over()) continue;
      ++running;
      if (move.shown.source == source->id || move.shown.target == source->id)
        return Fail(Code::kAlreadyExists, fmt::format("'{}' is being moved already", container));
    }
    if (running >= kMovesMax)
      return Fail(Code::kOverloaded, "too many containers are being moved; wait for one");
  }
  cluster::SystemStore::Change begin;
  ORRERY_ASSIGN(record.number, parts_.system.NextId(kMoveSequence, begin));
  ORRERY_TRY(parts_.system.Commit(std::move(begin)));
  record.target_name = fmt::format("{}~move{}", container, record.number);
  record.retention_minutes = settings.feed_retention_minutes;
  record.started_ms = NowMs();
  record.source = source->id;
  record.total = ItemsOf(parts_.gateway, source->id);
  settings.name = record.target_name;
  // Watchers of the database need not see the copy as changes.
  settings.feed_retention_minutes = 0;
  const auto begin_move = [&]() -> Status {
    ORRERY_TRY(Store(record, /*locks=*/true));
    // Somebody may have changed it before it was locked.
    const auto snapshot = catalog.snapshot();
    const ContainerRef now = snapshot->Newest(*source);
    if (now == nullptr || now->settings != source->settings) {
      return Fail(Code::kPreconditionFailed,
                  fmt::format("'{}' was changed meanwhile: move it again", container));
    }
    const MoveScope scope;
    if (now->settings.feed_retention_minutes != kRetentionOfMove) {
      ContainerSettings kept = now->settings;
      kept.feed_retention_minutes = kRetentionOfMove;
      ORRERY_TRY(catalog.UpdateContainer(database, kept));
    }
    ORRERY_ASSIGN(const ContainerRef target, catalog.CreateContainer(database, settings));
    record.target = target->id;
    return Store(record, /*locks=*/true);
  };
  Status begun = begin_move();
  if (!begun.has_value()) {
    const Status ended = End(record, MovePhase::kFailed, begun.error().message());
    if (!ended.has_value()) LogWarn("{}", ended.error().message());
    return Fail(std::move(begun).error());
  }
  LogInfo("container {}/{} is being moved into '{}'", record.database, record.container,
          record.target_name);
  const MutexLock lock(mutex_);
  if (stopping_) return record;  // goes on after the next start
  Launch(record);
  return record;
}

Status MoveKeeper::GiveUp(const MoveRecord& record) {
  Catalog& catalog = parts_.gateway.catalog();
  const auto snapshot = catalog.snapshot();
  const MoveScope scope;
  if (const ContainerRef* source = snapshot->by_id.Find(record.source);
      source != nullptr && !(*source)->dropped_at.has_value() &&
      (*source)->settings.feed_retention_minutes != record.retention_minutes) {
    ContainerSettings settings = (*source)->settings;
    settings.feed_retention_minutes = record.retention_minutes;
    const auto restored = catalog.UpdateContainer((*source)->database_name, settings);
    if (!restored.has_value()) return Fail(restored.error());
  }
  Status dropped = catalog.DropContainer(record.database, record.target_name);
  if (!HasCode(dropped, Code::kNotFound)) return dropped;
  return {};
}

Status MoveKeeper::End(MoveRecord record, MovePhase phase, std::string error) {
  if (phase != MovePhase::kDone) ORRERY_TRY(GiveUp(record));
  record.phase = phase;
  record.error = std::move(error);
  record.ended_ms = NowMs();
  record.scan.clear();
  record.feed.clear();
  return Store(record, /*locks=*/true);
}

void MoveKeeper::Run(uint64_t number, const std::shared_ptr<ContainerMover>& mover) {
  const auto is_switched = [&] {
    // After a crash, or an error, right behind the commit.
    const auto snapshot = parts_.gateway.catalog().snapshot();
    const ContainerRef* const target = snapshot->by_id.Find(mover->record().target);
    return target != nullptr && (*target)->settings.name == mover->record().container;
  };
  Status outcome;
  for (int run = 1;; ++run) {
    outcome = is_switched() ? Status() : mover->Run();
    const bool ends = outcome.has_value() || !MayPass(outcome) || run == kRunsMax;
    if (ends) break;
    LogWarn("the move of container {} is tried again: {}", mover->record().container,
            outcome.error().message());
    std::this_thread::sleep_for(kRunPause);
  }
  bool is_cancelled = false;
  {
    const MutexLock lock(mutex_);
    // It goes on after the next start.
    if (stopping_ && !outcome.has_value() && !moves_[number].is_cancelled) return;
    is_cancelled = moves_[number].is_cancelled;
  }
  const MovePhase phase = outcome.has_value() || is_switched() ? MovePhase::kDone
                          : is_cancelled                       ? MovePhase::kCancelled
                                                               : MovePhase::kFailed;
  const MoveRecord record = mover->record();
  Status ended;
  for (int attempt = 0; attempt < kRunsMax; ++attempt) {
    ended = End(record, phase, phase == MovePhase::kFailed ? outcome.error().message() : "");
    if (ended.has_value()) break;
    std::this_thread::sleep_for(kRunPause);
  }
  if (!ended.has_value())
    LogError("the end of the move of container {} cannot be stored: {}", record.container,
             ended.error().message());
  if (phase == MovePhase::kDone) {
    LogInfo("container {}/{} was moved: {} items, writers waited for {:.1f} ms", record.database,
            record.container, record.copied, record.pause_ms.value_or(0));
  } else if (phase == MovePhase::kFailed) {
    LogWarn("container {}/{} was not moved: {}", record.database, record.container,
            outcome.error().message());
  }
  const MutexLock lock(mutex_);
  moves_[number].mover = nullptr;
  ForgetOldest();
  ended_.NotifyAll();
}

void MoveKeeper::ForgetOldest() {
  size_t over = 0;
  for (const auto& [number, move] : moves_) over += move.shown.is_over() ? 1 : 0;
  for (auto each = moves_.begin(); each != moves_.end() && over > kRememberedMax;) {
    if (!each->second.shown.is_over() || each->second.mover != nullptr ||
        each->second.thread.get_id() == std::this_thread::get_id()) {
      ++each;
      continue;
    }
    if (each->second.thread.joinable()) each->second.thread.join();
    cluster::SystemStore::Change change;
    change.Delete(MoveKey(each->first));
    if (!parts_.system.Commit(std::move(change)).has_value()) return;
    each = moves_.erase(each);
    --over;
  }
}

std::vector<MoveRecord> MoveKeeper::List() const {
  std::vector<MoveRecord> list;
  const MutexLock lock(mutex_);
  for (const auto& [number, move] : moves_) list.push_back(move.shown);
  std::ranges::reverse(list);
  return list;
}

Result<MoveRecord> MoveKeeper::Find(uint64_t number) const {
  const MutexLock lock(mutex_);
  const auto found = moves_.find(number);
  if (found == moves_.end()) return Fail(Code::kNotFound, fmt::format("there is no move {}", number));
  return found->second.shown;
}

Status MoveKeeper::Remove(uint64_t number) {
  ORRERY_TRY(Find(number));
  std::thread ended;
  {
    const MutexLock lock(mutex_);
    Move& move = moves_[number];
    if (move.mover != nullptr) {
      move.is_cancelled = true;
      move.mover->Stop();
      while (moves_[number].mover != nullptr && !stopping_) ended_.Wait(mutex_);
      return {};
    }
    ended = std::move(move.thread);
  }
  if (ended.joinable()) ended.join();
  cluster::SystemStore::Change change;
  change.Delete(MoveKey(number));
  ORRERY_TRY(parts_.system.Commit(std::move(change)));
  const MutexLock lock(mutex_);
  moves_.erase(number);
  return {};
}

void MoveKeeper::Stop() {
  std::vector<std::thread> threads;
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
    for (auto& [number, move] : moves_) {
      if (move.mover != nullptr) move.mover->Stop();
      if (move.thread.joinable()) threads.push_back(std::move(move.thread));
    }
    ended_.NotifyAll();
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace orrery::gateway
