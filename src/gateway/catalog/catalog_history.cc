// The part of Catalog that readers of change streams look at: events, and what was dropped while
// somebody may still want to read of it.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "gateway/catalog/catalog.h"
#include "gateway/catalog/catalog_codec.h"
#include "gateway/catalog/catalog_drop.h"
#include "gateway/catalog/catalog_persist.h"
#include "gateway/move/move_lock.h"

namespace orrery::gateway {
namespace {

using cluster::SystemStore;
using cluster::ThroughputOwner;
using cluster::TopologyChange;

// Events that one purge forgets at most; the next goes on.
constexpr size_t kEventsPurgedMax = 10'000;
// The same of dropped containers: each is a commit, and other changes of the catalog wait.
constexpr size_t kDroppedPurgedMax = 200;
// Ends a walk over the system store before its end.
constexpr Code kEnough = Code::kResourceExhausted;

}  // namespace

Status Catalog::UseTimes(ClusterClock& times) {
  Micros last{0};
  ORRERY_TRY(system_.ForEach(
      kCatalogEventPrefix, [&](std::string_view key, std::string_view value) -> Status {
        ORRERY_ASSIGN(const CatalogEvent event, DecodeCatalogEvent(key, value));
        last = std::max(last, event.time);
        return {};
      }));
  times.Restore(last);
  last_event_.store(last.count());
  times_ = &times;
  return {};
}

Result<std::vector<CatalogEvent>> Catalog::ReadEvents(Micros after, size_t limit) const {
  std::vector<CatalogEvent> events;
  const std::string beyond = CatalogEventKey(after);
  const Status read = system_.ForEach(
      kCatalogEventPrefix, [&](std::string_view key, std::string_view value) -> Status {
        if (key <= beyond) return {};
        if (events.size() >= limit) return Fail(kEnough, "");
        ORRERY_ASSIGN(CatalogEvent event, DecodeCatalogEvent(key, value));
        events.push_back(std::move(event));
        return {};
      });
  if (!read.has_value() && read.error().code() != kEnough) return Fail(read.error());
  return events;
}

Micros Catalog::EventsCompleteUntil() const {
  if (times_ == nullptr) return Micros(0);
  // Whoever is pending now, or gets to be, and has a time that is not later than this one, had said
  // so before it took the time.
  const Micros now = times_->Next();
  if (!event_pending_.load()) return now;
  return Micros(last_event_.load());
}

std::vector<CatalogEvent> Catalog::EventOf(CatalogEventKind kind, const ContainerEntry& entry,
                                           std::optional<model::Document> note) {
  if (entry.settings.rows.has_value()) return {};
  CatalogEvent event{.kind = kind,
                     .container = entry.id,
                     .database = entry.database_name,
                     .name = entry.settings.name};
  event.note = std::move(note);
  std::vector<CatalogEvent> events;
  events.push_back(std::move(event));
  return events;
}

bool Catalog::AddDrop(const ContainerRef& entry, TopologyChange& topology,
                      SystemStore::Change& change, CatalogSnapshot& next) {
  next = next.Without({entry});
  // One in the partitions of a database goes with them, when the database is dropped; one of rows
  // has no such feed.
  const bool stays = times_ != nullptr && entry->settings.feed_retention_minutes > 0 &&
                     !MoveScope::Forgets() &&
                     !entry->settings.rows.has_value() &&
                     entry->throughput_owner.kind != ThroughputOwner::Kind::kDatabase;
  if (!stays) {
    AppendDrop(*entry, topology, change);
    return false;
  }
  auto dropped = std::make_shared<ContainerEntry>(*entry);
  ++dropped->version;
  dropped->dropped_at = times_->Next();
  dropped->former_indexing.reset();
  dropped->gate = std::make_shared<WriterGate>();
  change.Put(ContainerRecordKey(dropped->id), EncodeContainer(*dropped));
  next = next.With(ContainerRef(dropped));
  return true;
}

Status Catalog::PurgeHistory(Micros events_before, Micros dropped_before) {
  MutexLock lock(change_mutex_);
  SystemStore::Change forgotten;
  size_t count = 0;
  const std::string end = CatalogEventKey(events_before);
  const Status read =
      system_.ForEach(kCatalogEventPrefix, [&](std::string_view key, std::string_view) -> Status {
        if (key >= end || count >= kEventsPurgedMax) return Fail(kEnough, "");
        forgotten.Delete(key);
        ++count;
        return {};
      });
  if (!read.has_value() && read.error().code() != kEnough) return read;
  if (count > 0) ORRERY_TRY(system_.Commit(std::move(forgotten)));
  size_t purged = 0;
  for (const ContainerRef& entry : snapshot()->ListDropped()) {
    if (*entry->dropped_at > dropped_before) continue;
    if (++purged > kDroppedPurgedMax) break;
    ORRERY_TRY(Persist([&]() REQUIRES(change_mutex_) -> Status {
      const auto picture = snapshot();
      const ContainerRef* const found = picture->by_id.Find(entry->id);
      if (found == nullptr) return {};
      SystemStore::Change change;
      TopologyChange topology;
      AppendDrop(**found, topology, change);
      return Commit(topology, std::move(change), picture->Without({*found}));
    }));
    if (entry->throughput_owner == ThroughputOwner::Of(entry->id))
      node_->SetThroughput(entry->throughput_owner, std::nullopt);
  }
  return {};
}

}  // namespace orrery::gateway
