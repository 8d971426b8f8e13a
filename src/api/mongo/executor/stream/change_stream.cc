#include "api/mongo/executor/stream/change_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "api/mongo/error/error_map.h"
#include "base/cluster_clock.h"

namespace orrery::mongo {
namespace {

using gateway::CatalogEventKind;

constexpr size_t kPendingOverheadBytes = 512;
constexpr std::string_view kNotResumable = "NonResumableChangeStreamError";

std::string TokenAt(Micros time, uint32_t number, const model::Value& uuid, std::string key) {
  ResumeToken token{.timestamp = TimestampOf(time), .is_event = true, .number = number};
  if (uuid.kind() == model::Kind::kBinary) token.uuid = uuid.AsBytes();
  token.key = std::move(key);
  return token.Encode();
}

std::unexpected<MongoError> HistoryLost() {
  MongoError error{static_cast<int32_t>(ErrorCode::kChangeStreamHistoryLost),
                   "Resume of change stream was not possible, as the resume point may no longer be "
                   "in the oplog. Events are kept from when a collection was watched for the first "
                   "time, and for 24 hours."};
  error.labels.emplace_back(kNotResumable);
  return std::unexpected(std::move(error));
}

std::unexpected<MongoError> StartNotFound(const std::string& token) {
  MongoError error{static_cast<int32_t>(ErrorCode::kChangeStreamFatalError),
                   fmt::format("cannot resume stream; the resume token was not found. {{_data: "
                               "\"{}\"}}",
                               token)};
  error.labels.emplace_back(kNotResumable);
  return std::unexpected(std::move(error));
}

// Failures of a lane that pass: the stream waits meanwhile.
bool MayPass(Code code) {
  return code == Code::kThrottled || code == Code::kUnavailable || code == Code::kOverloaded ||
         code == Code::kMoved;
}

}  // namespace

ChangeStream::ChangeStream(gateway::Gateway& gateway, StreamScope scope, EventOptions options,
                           StreamStart start, std::shared_ptr<RunState> state)
    : gateway_(gateway),
      scope_(std::move(scope)),
      options_(options),
      start_(std::move(start)),
      state_(std::move(state)),
      catalog_read_(start_.time - Micros(1)),
      position_(start_.after) {}

std::vector<ContainerId> ChangeStream::containers() const {
  std::vector<ContainerId> ids;
  for (const auto& [id, lane] : lanes_) ids.push_back(id);
  return ids;
}

Answer<std::optional<ChangeStream::Event>> ChangeStream::Next() {
  if (has_ended_) return std::nullopt;
  bool has_pulled = false;
  while (true) {
    if (invalidation_.has_value()) {
      has_ended_ = true;
      position_ = invalidation_->token;
      return std::exchange(invalidation_, std::nullopt);
    }
    while (IsReady()) {
      auto next = pending_.extract(pending_.begin());
      pending_bytes_ -= next.mapped().bytes;
      const std::string token = next.key();
      MONGO_ASSIGN(std::optional<Event> event, Tell(token, std::move(next.mapped())));
      if (token > position_) position_ = token;
      if (event.has_value()) return event;
      if (invalidation_.has_value()) break;
    }
    if (invalidation_.has_value()) continue;
    if (has_pulled) break;
    MONGO_TRY(state_->Check());
    MONGO_TRY(Pull());
    has_pulled = true;
  }
  if (start_.must_be_there && !start_was_there_ && complete_until_ > start_.time)
    return StartNotFound(start_.after);
  const std::string mark = ResumeToken::HighWater(complete_until_).Encode();
  if (mark > position_) position_ = mark;
  return std::nullopt;
}

Outcome ChangeStream::Pull() {
  MONGO_TRY(ReadCatalog());
  for (auto& [id, lane] : lanes_) lane.is_drained = false;
  while (true) {
    Lane* behind = nullptr;
    ContainerId id{};
    Micros complete = catalog_complete_;
    for (auto& [each, lane] : lanes_) {
      complete = std::min(complete, lane.complete_until);
      if (lane.is_drained) continue;
      if (behind == nullptr || lane.complete_until < behind->complete_until) {
        behind = &lane;
        id = each;
      }
    }
    complete_until_ = std::max(complete_until_, complete);
    if (behind == nullptr) return {};
    const bool is_enough = pending_.size() >= kReadyEnough || pending_bytes_ >= kPendingBytesMax;
    if (is_enough && IsReady()) return {};
    MONGO_TRY(state_->Check());
    MONGO_TRY(ReadLane(id, *behind));
  }
}

// In this order: a collection that has changes up to the catalog's time is in the snapshot, and
// what made the snapshot is among the events.
Outcome ChangeStream::ReadCatalog() {
  const gateway::Catalog& catalog = gateway_.catalog();
  const Micros complete = catalog.EventsCompleteUntil();
  auto snapshot = catalog.snapshot();
  const bool is_first = catalog_ == nullptr;
  // Of the catalog's events nothing older is left.
  if (is_first && start_.time < gateway_.times().Latest() - kStreamHistory) return HistoryLost();
  if (snapshot == catalog_) {
    catalog_complete_ = std::max(catalog_complete_, complete);
    return {};
  }
  auto events = catalog.ReadEvents(catalog_read_, kCatalogEventsAtOnce);
  if (!events.has_value()) return Refuse(events.error());
  const bool is_all = events->size() < kCatalogEventsAtOnce;
  const auto uuid_of = [&](ContainerId id) {
    const auto known = uuids_.find(id);
    if (known != uuids_.end()) return known->second;
    const gateway::ContainerRef* const found = snapshot->by_id.Find(id);
    model::Value uuid;
    if (found != nullptr && !(*found)->settings.rows.has_value())
      uuid = ReadCollection(*found)->uuid;
    uuids_.emplace(id, uuid);
    return uuid;
  };
  for (gateway::CatalogEvent& event : *events) {
    catalog_read_ = event.time;
    if (event.kind == CatalogEventKind::kDrop) {
      if (const auto lane = lanes_.find(event.container); lane != lanes_.end())
        lane->second.end = event.time;
    }
    if (event.kind == CatalogEventKind::kRename) {
      if (const auto lane = lanes_.find(event.replaced); lane != lanes_.end())
        lane->second.end = event.time;
    }
    const std::string token = TokenAt(event.time, 0, uuid_of(event.container), {});
    const Micros time = event.time;
    const ContainerId container = event.container;
    Keep(token, {.time = time, .container = container, .entry = {}, .catalog = std::move(event)});
  }
  catalog_complete_ = std::max(catalog_complete_,
                               is_all ? complete : std::min(complete, catalog_read_ - Micros(1)));
  if (is_all) catalog_ = snapshot;
  std::vector<gateway::ContainerRef> candidates = snapshot->ListDropped();
  snapshot->by_id.ForEach([&](ContainerId, const gateway::ContainerRef& entry) {
    if (!entry->dropped_at.has_value()) candidates.push_back(entry);
  });
  for (const gateway::ContainerRef& container : candidates) {
    if (const auto known = lanes_.find(container->id); known != lanes_.end()) {
      if (known->second.collection->container != container)
        known->second.collection = ReadCollection(container);
      continue;
    }
    MONGO_TRY(AddLane(container, is_first));
  }
  return {};
}

Outcome ChangeStream::CheckHistory(const gateway::ContainerEntry& container) const {
  if (container.dropped_at.has_value() && *container.dropped_at < start_.time) return {};
  if (start_.time < container.feed_since) return HistoryLost();
  const auto retention = container.schema->feed_retention;
  if (retention > Micros(0) && start_.time < gateway_.times().Latest() - retention)
    return HistoryLost();
  return {};
}

Outcome ChangeStream::AddLane(const gateway::ContainerRef& container, bool is_first) {
  if (!IsWatchable(*container)) return {};
  if (container->dropped_at.has_value() &&
      *container->dropped_at < std::max(start_.time, complete_until_))
    return {};
  Namespace name{container->database_name, container->settings.name};
  bool is_in_scope = scope_.Has(name.database, name.collection);
  std::optional<Micros> end;
  // What is pending is in order: the first rename tells the name that it has at the beginning.
  bool is_renamed = false;
  for (const auto& [token, pending] : pending_) {
    if (!pending.catalog.has_value()) continue;
    const gateway::CatalogEvent& event = *pending.catalog;
    if (event.kind == CatalogEventKind::kRename && event.replaced == container->id)
      end = event.time;
    if (event.container != container->id) continue;
    if (event.kind == CatalogEventKind::kDrop) end = event.time;
    if (event.kind != CatalogEventKind::kRename) continue;
    if (!std::exchange(is_renamed, true)) name = {event.database, event.name};
    is_in_scope = is_in_scope || scope_.Has(event.database, event.name);
  }
  if (!is_in_scope) return {};
  if (is_first) MONGO_TRY(CheckHistory(*container));
  gateway::ContainerRef kept = container;
  if (!container->dropped_at.has_value() && container->settings.feed_retention_minutes == 0) {
    const Status status = KeepHistory(gateway_, *container);
    if (!status.has_value() && status.error().code() == Code::kNotFound) return {};
    if (!status.has_value()) return Refuse(status.error());
    kept = gateway_.catalog().snapshot()->Newest(*container);
    if (kept == nullptr) return {};
  }
  Lane& lane = lanes_[container->id];
  lane.collection = ReadCollection(kept);
  lane.name = std::move(name);
  lane.end = end;
  lane.complete_until = start_.time - Micros(1);
  uuids_[container->id] = lane.collection->uuid;
  return {};
}

Outcome ChangeStream::ReadLane(ContainerId id, Lane& lane) {
  gateway::FeedSpec spec;
  spec.mode = options_.before == FullDocumentBefore::kOff ? item::FeedMode::kAllVersions
                                                          : item::FeedMode::kAllVersionsAndBefore;
  spec.start = gateway::FeedSpec::Start::kTime;
  spec.start_time = start_.time;
  spec.in_time_order = true;
  spec.limits.items_max = kLanePageItems;
  auto page = gateway_.ReadFeed(lane.collection->container, spec, lane.continuation);
  if (!page.has_value()) {
    const Code code = page.error().code();
    const auto snapshot = gateway_.catalog().snapshot();
    const gateway::ContainerRef* const newest = snapshot->by_id.Find(id);
    if (newest == nullptr) {
      lanes_.erase(id);  // it was dropped for good
      return {};
    }
    lane.is_drained = true;
    if (MayPass(code) || code == Code::kNotFound) return {};
    return Refuse(page.error());
  }
  state_->charge += page->charge;
  lane.continuation = std::move(page->continuation);
  lane.is_drained = page->drained;
  lane.complete_until = std::max(lane.complete_until, page->complete_until);
  for (item::FeedEntry& entry : page->entries) {
    if (entry.time < start_.time || (lane.end.has_value() && entry.time > *lane.end)) continue;
    std::string key = entry.key.partition_key + entry.key.row_key;
    const std::string token = TokenAt(entry.time, entry.seq, lane.collection->uuid, std::move(key));
    const Micros time = entry.time;
    size_t bytes = kPendingOverheadBytes + entry.note.size();
    if (entry.document.has_value()) bytes += entry.document->bson().size();
    if (entry.before.has_value()) bytes += entry.before->bson().size();
    Keep(token,
         {.time = time, .container = id, .entry = std::move(entry), .catalog = {}, .bytes = bytes});
  }
  return {};
}

void ChangeStream::Keep(std::string token, Pending pending) {
  const size_t bytes = pending.bytes;
  if (pending_.emplace(std::move(token), std::move(pending)).second) pending_bytes_ += bytes;
}

Answer<std::optional<ChangeStream::Event>> ChangeStream::Tell(const std::string& token,
                                                              Pending pending) {
  const bool is_told_before = token <= start_.after;
  if (start_.must_be_there && !start_was_there_) {
    if (token == start_.after) start_was_there_ = true;
    if (token > start_.after) return StartNotFound(start_.after);
  }
  if (pending.catalog.has_value()) {
    const gateway::CatalogEvent& event = *pending.catalog;
    MONGO_ASSIGN(std::optional<Event> told, TellOfCatalog(token, event));
    if (is_told_before) told.reset();
    // A stream that begins behind the event that ended another one ends, too, unless it begins
    // behind that end.
    const bool begins_here = start_.must_be_there && token == start_.after;
    if (IsInvalidatedBy(event) && (!is_told_before || begins_here)) {
      ResumeToken end = *ResumeToken::Decode(token);
      end.is_invalidate = true;
      const std::string text = end.Encode();
      if (text > start_.after) invalidation_ = Event{text, InvalidateEvent(event.time, text)};
    }
    return told;
  }
  const auto lane = lanes_.find(pending.container);
  if (is_told_before || lane == lanes_.end()) return std::nullopt;
  const Namespace& name = lane->second.name;
  if (!scope_.Has(name.database, name.collection)) return std::nullopt;
  const DocumentChange change{lane->second.collection, name, *std::move(pending.entry)};
  MONGO_ASSIGN(std::optional<model::Document> document, EventOf(change, token, options_, gateway_));
  if (!document.has_value()) return std::nullopt;
  return Event{token, *std::move(document)};
}

Answer<std::optional<ChangeStream::Event>> ChangeStream::TellOfCatalog(
    const std::string& token, const gateway::CatalogEvent& event) {
  const auto uuid = uuids_.find(event.container);
  const model::Value known = uuid == uuids_.end() ? model::Value::Undefined() : uuid->second;
  bool is_in_scope = false;
  switch (event.kind) {
    case CatalogEventKind::kRename:
      is_in_scope =
          scope_.Has(event.database, event.name) || scope_.Has(event.to_database, event.to_name);
      if (const auto lane = lanes_.find(event.container); lane != lanes_.end())
        lane->second.name = {event.to_database, event.to_name};
      lanes_.erase(event.replaced);
      break;
    case CatalogEventKind::kDrop:
      is_in_scope = scope_.Has(event.database, event.name);
      lanes_.erase(event.container);
      break;
    case CatalogEventKind::kDropDatabase:
      is_in_scope = scope_.kind != StreamScope::Kind::kCollection && scope_.Has(event.database, "");
      break;
    case CatalogEventKind::kCreate:
    case CatalogEventKind::kUpdate:
      is_in_scope = scope_.Has(event.database, event.name);
      break;
  }
  if (!is_in_scope || IsInternalDatabase(event.database)) return std::nullopt;
  std::optional<model::Document> document = EventOf(event, known, token, options_);
  if (!document.has_value()) return std::nullopt;
  return Event{token, *std::move(document)};
}

bool ChangeStream::IsInvalidatedBy(const gateway::CatalogEvent& event) const {
  const bool is_here = event.database == scope_.name.database;
  switch (scope_.kind) {
    case StreamScope::Kind::kDeployment:
      return false;
    case StreamScope::Kind::kDatabase:
      return event.kind == CatalogEventKind::kDropDatabase && is_here;
    case StreamScope::Kind::kCollection:
      break;
  }
  if (event.kind == CatalogEventKind::kDrop) return scope_.Has(event.database, event.name);
  return event.kind == CatalogEventKind::kRename &&
         (scope_.Has(event.database, event.name) || scope_.Has(event.to_database, event.to_name));
}

}  // namespace orrery::mongo
