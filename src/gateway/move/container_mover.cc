#include "gateway/move/container_mover.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <thread>
#include <utility>

#include "base/bytes.h"
#include "base/has_code.h"
#include "base/log.h"
#include "gateway/archive/archive_digest.h"
#include "gateway/archive/archive_reader.h"
#include "gateway/fan_out.h"
#include "gateway/move/move_lock.h"
#include "gateway/move/move_settings.h"
#include "gateway/snapshot/snapshot_transaction.h"

namespace orrery::gateway {
namespace {

constexpr size_t kMoveThreads = 16;
constexpr size_t kMoveQueueMax = 64;
constexpr size_t kMovePageItems = 1'000;
constexpr std::chrono::milliseconds kSavePause{500};
constexpr std::chrono::milliseconds kPauseBetween{20};
// With fewer changes on a page the source is nearly caught up with.
constexpr size_t kNearlyDone = 100;

std::string KeyBytesOf(const item::ItemKey& key) {
  std::string bytes;
  AppendLengthPrefixed(bytes, key.partition_key);
  bytes += key.row_key;
  return bytes;
}

// Calls `read` again while the throughput of the container is used up.
template <typename Read>
std::invoke_result_t<Read> Patiently(const RequestContext& stop, Read read) {
  while (true) {
    auto page = read();
    if (!HasCode(page, Code::kThrottled) && !HasCode(page, Code::kOverloaded)) return page;
    if (Status wanted = stop.Check(); !wanted.has_value()) return Fail(std::move(wanted).error());
    std::this_thread::sleep_for(std::chrono::milliseconds(
        std::clamp<uint32_t>(page.error().retry_after_ms(), 1, 200)));
  }
}

}  // namespace

ContainerMover::ContainerMover(const Parts& parts, MoveRecord record)
    : parts_(parts),
      record_(std::move(record)),
      origin_(std::make_shared<RequestOrigin>(parts.clock)),
      stop_(origin_),
      pool_("move", kMoveThreads, kMoveQueueMax) {}

Status ContainerMover::Save() {
  saved_ = std::chrono::steady_clock::now();
  record_.incomplete = !deferred_.empty() || !unlocated_.empty() || look_at_all_;
  return parts_.save(record_);
}

Status ContainerMover::SaveNowAndThen() {
  ORRERY_TRY(stop_.Check());
  if (std::chrono::steady_clock::now() < saved_ + kSavePause) return {};
  return Save();
}

Status ContainerMover::Refresh() {
  const auto snapshot = parts_.gateway.catalog().snapshot();
  const ContainerRef* const source = snapshot->by_id.Find(record_.source);
  const ContainerRef* const target = snapshot->by_id.Find(record_.target);
  if (source == nullptr || (*source)->dropped_at.has_value())
    return Fail(Code::kNotFound, fmt::format("container '{}' was dropped", record_.container));
  if (target == nullptr)
    return Fail(Code::kNotFound, fmt::format("container '{}' was dropped", record_.target_name));
  source_ = *source;
  target_ = *target;
  return {};
}

Status ContainerMover::Open() {
  ORRERY_TRY(Refresh());
  if (record_.incomplete && deferred_.empty() && unlocated_.empty()) {
    // After a restart it is not known any more which they were.
    record_.phase = MovePhase::kCopy;
    record_.scan.clear();
    record_.copied = 0;
    look_at_all_ = true;
  }
  return {};
}

Status ContainerMover::Run() {
  ORRERY_TRY(Open());
  if (record_.phase == MovePhase::kCopy) ORRERY_TRY(Copy());
  MovePause pause(parts_.gateway.catalog(), parts_.reservations);
  ORRERY_TRY(Compare(pause));
  return Switch(pause);
}

Status ContainerMover::Copy() {
  if (record_.feed.empty()) {
    // From here on every change is told.
    FeedSpec spec;
    spec.mode = item::FeedMode::kAllVersionsAndBefore;
    spec.start = FeedSpec::Start::kNow;
    ORRERY_ASSIGN(const FeedResponse begin, Patiently(stop_, [&] {
                    return parts_.unmetered.ReadFeed(source_, spec, "");
                  }));
    record_.feed = begin.continuation;
    ORRERY_TRY(Save());
  }
  do {
    ScanSpec spec;
    spec.context = stop_;
    spec.limits.items_max = kMovePageItems;
    ORRERY_ASSIGN(const ScanResponse page, Patiently(stop_, [&] {
                    return parts_.gateway.Scan(source_, spec, record_.scan);
                  }));
    ORRERY_TRY(CopyPage(page));
    record_.scan = page.continuation;
    record_.copied += page.items.size();
    record_.total = std::max(record_.total, record_.copied);
    ORRERY_TRY(SaveNowAndThen());
  } while (!record_.scan.empty());
  record_.phase = MovePhase::kFollow;
  return Save();
}

Status ContainerMover::CopyPage(const ScanResponse& page) {
  ItemMover mover(parts_.gateway, source_, target_, stop_);
  std::vector<MovedItem> items;
  items.reserve(page.items.size());
  for (const item::ScannedItem& item : page.items) {
    items.push_back({.key = item.key,
                     .document = model::Document::Trusted(std::string(item.document.bson())),
                     .time = item.time});
  }
  ORRERY_ASSIGN(const std::vector<size_t> left, mover.Create(items));
  for (const size_t place : left) {
    // Copied before a restart, or in another's way.
    const Status moved = mover.MoveNow(items[place].key);
    if (HasCode(moved, Code::kAlreadyExists)) {
      deferred_.emplace(KeyBytesOf(items[place].key), items[place].key);
    } else {
      ORRERY_TRY(moved);
    }
  }
  if (deferred_.size() > kDeferredMax) return SettleDeferred(parts_.gateway);
  return {};
}

Status ContainerMover::FollowPage(Gateway& gateway, std::vector<item::FeedEntry> entries) {
  struct Followed {
    item::ItemKey key;
    std::vector<model::Document> former;
    bool is_unlocated = false;
  };
  std::map<std::string, Followed> by_key;
  for (item::FeedEntry& entry : entries) {
    auto [found, is_new] = by_key.try_emplace(KeyBytesOf(entry.key));
    Followed& followed = found->second;
    if (is_new) followed.key = entry.key;
    if (entry.before.has_value()) {
      followed.former.push_back(*std::move(entry.before));
    } else if (entry.kind == item::ChangeKind::kReplace && followed.former.empty()) {
      followed.is_unlocated = true;
    }
    if (entry.document.has_value()) followed.former.push_back(*std::move(entry.document));
  }
  std::vector<Followed*> all;
  for (auto& [bytes, followed] : by_key) all.push_back(&followed);
  ItemMover mover(gateway, source_, target_, stop_);
  const bool keys_differ = !HasSameKeys(source_->settings, target_->settings);
  std::mutex mutex;
  Status failed;
  FanOut(pool_, all.size(), kMoveThreads, [&](size_t i) {
    Followed& followed = *all[i];
    const Status moved = mover.MoveNow(followed.key, std::move(followed.former));
    const std::lock_guard lock(mutex);
    if (keys_differ && followed.is_unlocated)
      unlocated_.emplace(KeyBytesOf(followed.key), followed.key);
    if (HasCode(moved, Code::kAlreadyExists)) {
      deferred_.emplace(KeyBytesOf(followed.key), followed.key);
    } else if (!moved.has_value() && failed.has_value()) {
      failed = moved;
    }
  });
  record_.changes += all.size();
  return failed;
}

Status ContainerMover::Follow(Gateway& gateway, std::optional<Deadline> until) {
  FeedSpec spec;
  spec.mode = item::FeedMode::kAllVersionsAndBefore;
  spec.limits.items_max = kMovePageItems;
  while (true) {
    ORRERY_ASSIGN(FeedResponse page, Patiently(stop_, [&] {
                    return gateway.ReadFeed(source_, spec, record_.feed);
                  }));
    const size_t count = page.entries.size();
    ORRERY_TRY(FollowPage(gateway, std::move(page.entries)));
    record_.feed = std::move(page.continuation);
    if (until.has_value()) {
      if (page.drained && count == 0) return {};
      if (std::chrono::steady_clock::now() > *until)
        return Fail(Code::kOverloaded, "writers are faster than the move");
    } else {
      ORRERY_TRY(SaveNowAndThen());
      if (page.drained && count < kNearlyDone) return {};
    }
  }
}

Status ContainerMover::SettleDeferred(Gateway& gateway) {
  ItemMover mover(gateway, source_, target_, stop_);
  Status refused;
  // One that leaves its place makes room for the next.
  for (bool has_moved = true; has_moved && !deferred_.empty();) {
    has_moved = false;
    refused = {};
    for (auto each = deferred_.begin(); each != deferred_.end();) {
      const Status moved = mover.MoveNow(each->second);
      if (moved.has_value()) {
        each = deferred_.erase(each);
        has_moved = true;
        continue;
      }
      if (!HasCode(moved, Code::kAlreadyExists)) return moved;
      refused = moved;
      ++each;
    }
  }
  if (deferred_.size() > kDeferredMax) return refused;
  return {};
}

Status ContainerMover::RemoveLeftovers(Gateway& gateway) {
  if (unlocated_.empty() && !look_at_all_) return {};
  ItemMover mover(gateway, source_, target_, stop_);
  std::string continuation;
  do {
    ScanSpec spec;
    spec.context = stop_;
    spec.limits.items_max = kMovePageItems;
    ORRERY_ASSIGN(const ScanResponse page, Patiently(stop_, [&] {
                    return gateway.Scan(target_, spec, continuation);
                  }));
    for (const item::ScannedItem& item : page.items) {
      ORRERY_ASSIGN(const item::ItemKey key, mover.SourceKeyOf(item.document));
      if (!look_at_all_ && !unlocated_.contains(KeyBytesOf(key))) continue;
      ORRERY_ASSIGN(const MovedItem now, mover.ReadSource(key));
      std::optional<item::ItemKey> place;
      if (now.document.has_value()) {
        ORRERY_ASSIGN(place, mover.TargetKeyOf(*now.document));
      }
      if (place != item.key) ORRERY_TRY(mover.RemoveIf(item.key, key));
    }
    continuation = page.continuation;
  } while (!continuation.empty());
  unlocated_.clear();
  look_at_all_ = false;
  return {};
}

Result<bool> ContainerMover::Pause(MovePause& pause) {
  ORRERY_TRY(Follow(parts_.gateway, std::nullopt));
  ORRERY_TRY(SettleDeferred(parts_.gateway));
  ORRERY_TRY(RemoveLeftovers(parts_.gateway));
  ORRERY_TRY(Follow(parts_.gateway, std::nullopt));
  ORRERY_TRY(Save());
  const auto snapshot = parts_.gateway.catalog().snapshot();
  const ContainerRef source = snapshot->Newest(*source_);
  if (source == nullptr) return Fail(Code::kNotFound, "the container was dropped");
  if (!pause.Begin(source)) return false;
  const Deadline until = std::chrono::steady_clock::now() + kPauseMax;
  Status followed = Follow(parts_.unmetered, until);
  if (followed.has_value()) followed = SettleDeferred(parts_.unmetered);
  if (followed.has_value() && unlocated_.empty() && deferred_.empty()) return true;
  // Nobody writes now: what is in each other's way will stay so.
  if (followed.has_value() && !deferred_.empty()) {
    ItemMover mover(parts_.unmetered, source_, target_, stop_);
    followed = mover.MoveNow(deferred_.begin()->second);
  }
  ORRERY_TRY(pause.End());
  if (!followed.has_value() && !HasCode(followed, Code::kOverloaded))
    return Fail(std::move(followed).error());
  return false;
}

Status ContainerMover::PauseAgainAndAgain(MovePause& pause) {
  for (int attempt = 0; attempt < kPausesMax; ++attempt) {
    ORRERY_ASSIGN(const bool is_paused, Pause(pause));
    if (is_paused) return {};
    ORRERY_TRY(stop_.Check());
    std::this_thread::sleep_for(kPauseBetween * (attempt + 1));
  }
  return Fail(Code::kUnavailable,
              "writers are faster than the move, again and again: give the containers more "
              "throughput, or move when less is written");
}

Result<std::string> ContainerMover::DigestOfSide(Gateway& gateway, const ContainerRef& container,
                                                 uint64_t& items) {
  const ArchiveReader reader(gateway, parts_.rows);
  ArchiveDigest digest;
  std::string continuation;
  do {
    ORRERY_TRY(stop_.Check());
    ORRERY_ASSIGN(const ArchivePage page,
                  Patiently(stop_, [&] { return reader.Read(container, continuation); }));
    digest += DigestOf(page.batch);
    continuation = page.continuation;
  } while (!continuation.empty());
  items = digest.items;
  return fmt::format("{}:{}", digest.lasting(), digest.sum.ToString());
}

Status ContainerMover::Compare(MovePause& pause) {
  for (int attempt = 0;; ++attempt) {
    ORRERY_TRY(PauseAgainAndAgain(pause));
    // Both agree now; the snapshot keeps that while writers go on. It wants the newest entries.
    ORRERY_TRY(Refresh());
    auto moment = parts_.gateway.BeginTransaction();
    ORRERY_TRY(pause.End());
    ORRERY_TRY(moment);
    uint64_t items = 0;
    const auto before = DigestOfSide((*moment)->gateway(), source_, items);
    const auto after = DigestOfSide((*moment)->gateway(), target_, items);
    const bool is_gone =
        (*moment)->failure() == SnapshotTransaction::Failure::kUnavailable && attempt < kPausesMax;
    (*moment)->Abort();
    // A partition has split meanwhile.
    if ((!before.has_value() || !after.has_value()) && is_gone) continue;
    ORRERY_TRY(before);
    ORRERY_TRY(after);
    if (*before != *after) {
      return Fail(Code::kCorruption,
                  fmt::format("the copy is not what container '{}' has: {} items and digest there, "
                              "{} here; the move was given up, nothing was changed",
                              record_.container, *before, *after));
    }
    record_.verified = items;
    record_.digest = *after;
    return Save();
  }
}

Status ContainerMover::Switch(MovePause& pause) {
  Catalog& catalog = parts_.gateway.catalog();
  ORRERY_ASSIGN(ContainerRef target,
                catalog.FindContainer(record_.database, record_.target_name));
  if (target->settings.feed_retention_minutes != record_.retention_minutes) {
    // Its feed begins anew, with what comes after the switch.
    const MoveScope scope;
    ContainerSettings settings = target->settings;
    settings.feed_retention_minutes = record_.retention_minutes;
    ORRERY_ASSIGN(target_, catalog.UpdateContainer(record_.database, settings));
  }
  ORRERY_TRY(PauseAgainAndAgain(pause));
  Result<ContainerRef> named = Fail(Code::kInternal, "");
  {
    const MoveScope scope(/*forgets=*/record_.retention_minutes == 0);
    named = catalog.RenameContainer(record_.database, record_.target_name, record_.database,
                                    record_.container, /*replaces=*/true);
  }
  if (!named.has_value()) {
    // Also when the outcome is unknown: the pause ends by what the catalog shows.
    while (!pause.End().has_value()) std::this_thread::sleep_for(kPauseBetween);
    return Fail(named.error());
  }
  const auto length = pause.length();
  pause.EndSwitched();
  record_.pause_ms = static_cast<double>(length.count()) / 1'000;
  return {};
}

}  // namespace orrery::gateway
