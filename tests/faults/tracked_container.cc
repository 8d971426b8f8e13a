#include "faults/tracked_container.h"

#include <fmt/format.h>

#include <future>

#include "crash/documents.h"
#include "gateway/position/session_token.h"
#include "item/index/index_policy.h"
#include "model/document/json.h"
#include "model/expression/patch.h"
#include "model/key/key_codec.h"
#include "model/path/path_pattern.h"

namespace orrery::faults {
namespace {

constexpr size_t kPageItems = 7;  // many pages, also of few items
const model::PathStep kBucketPlace[] = {model::PathStep::Field("bucket")};

using crash::WriteKind;

item::OperationKind KindOf(WriteKind kind) {
  switch (kind) {
    case WriteKind::kCreate:
      return item::OperationKind::kCreate;
    case WriteKind::kUpsert:
      return item::OperationKind::kUpsert;
    case WriteKind::kReplace:
      return item::OperationKind::kReplace;
    case WriteKind::kPatch:
      return item::OperationKind::kPatch;
    case WriteKind::kDelete:
      return item::OperationKind::kDelete;
  }
  return item::OperationKind::kRead;
}

gateway::WriteOperation OperationFor(const crash::Write& write) {
  gateway::WriteOperation operation{.kind = KindOf(write.kind),
                                    .row_key = model::Value::String(write.key.id),
                                    .document = std::nullopt,
                                    .patch = {},
                                    .condition = std::nullopt,
                                    .if_match = std::nullopt};
  if (write.if_match) operation.if_match = Lsn(*write.if_match);
  if (write.kind == WriteKind::kPatch) {
    operation.patch = *model::PatchFromJson(*model::ValueFromJson(crash::PatchJson(write.token)));
  } else if (write.kind != WriteKind::kDelete) {
    operation.document =
        *model::ParseJson(crash::DocumentJson(write.key, write.token, write.ttl_s));
  }
  return operation;
}

// Single-component text key, as containers with one key path have it.
Result<std::string> KeyText(std::string_view encoded) {
  ORRERY_ASSIGN(const model::Values values, model::DecodeKey(encoded));
  if (values.size() != 1 || values[0].kind() != model::Kind::kString) {
    return Fail(Code::kCorruption, "a key is not one string");
  }
  return values[0].AsString();
}

Result<crash::Change> ChangeFrom(const item::FeedEntry& entry) {
  crash::Change change;
  ORRERY_ASSIGN(change.key.partition, KeyText(entry.key.partition_key));
  ORRERY_ASSIGN(change.key.id, KeyText(entry.key.row_key));
  change.lsn = entry.lsn.value();
  change.previous_lsn = entry.previous_lsn.value();
  switch (entry.kind) {
    case item::ChangeKind::kCreate:
      change.kind = crash::Change::Kind::kCreate;
      break;
    case item::ChangeKind::kReplace:
      change.kind = crash::Change::Kind::kReplace;
      break;
    case item::ChangeKind::kDelete:
      change.kind = entry.by_expiry ? crash::Change::Kind::kExpire : crash::Change::Kind::kDelete;
      return change;
  }
  if (!entry.document)
    return Fail(Code::kCorruption, "a create or replace in the feed has no document");
  ORRERY_ASSIGN(const crash::ParsedDocument parsed, crash::ParseDocument(*entry.document));
  if (parsed.key != change.key)
    return Fail(Code::kCorruption, "a change has another item's document");
  change.value = parsed.value;
  return change;
}

}  // namespace

bool PromisesNothing(Code code) {
  switch (code) {
    case Code::kUnavailable:
    case Code::kResourceExhausted:
    case Code::kCorruption:
    case Code::kFenced:
    case Code::kInternal:
      return false;
    default:
      return true;
  }
}

void TrackedContainer::Create(Core& core) {
  if (core.dead()) return;
  const auto created = core.catalog().CreateContainer(kDatabase, settings_);
  core.Note(StatusOf(created));
  if (created.has_value()) {
    existence_ = Existence::kPresent;
  } else if (!PromisesNothing(created.error().code())) {
    existence_ = Existence::kUnknown;
  }
}

void TrackedContainer::Drop(Core& core) {
  if (core.dead()) return;
  const Status dropped = core.catalog().DropContainer(kDatabase, settings_.name);
  core.Note(dropped);
  if (dropped.has_value()) {
    existence_ = Existence::kAbsent;
  } else if (!PromisesNothing(dropped.error().code())) {
    existence_ = Existence::kUnknown;
  }
}

void TrackedContainer::Change(Core& core, const gateway::ContainerSettings& settings) {
  if (core.dead()) return;
  NoteChange(core, StatusOf(core.catalog().UpdateContainer(kDatabase, settings)), settings);
}

void TrackedContainer::SetThroughput(Core& core, partition::ThroughputSettings throughput) {
  if (core.dead()) return;
  gateway::ContainerSettings settings = settings_;
  settings.throughput = throughput;
  NoteChange(core, core.catalog().SetThroughput(kDatabase, settings_.name, throughput), settings);
}

void TrackedContainer::NoteChange(Core& core, const Status& outcome,
                                  gateway::ContainerSettings settings) {
  core.Note(outcome);
  if (outcome.has_value()) {
    settings_ = std::move(settings);
  } else if (!PromisesNothing(outcome.error().code())) {
    maybe_settings_ = std::move(settings);
  }
}

bool TrackedContainer::MayHave(const gateway::ContainerSettings& found) const {
  return found == settings_ || found == maybe_settings_;
}

void TrackedContainer::Write(Core& core, std::vector<crash::Transaction> transactions) {
  const auto container = core.catalog().FindContainer(kDatabase, settings_.name);
  if (!container.has_value() || core.dead()) return;
  // Time moves with every look at it, so that what ended before is told apart from what began
  // later.
  const auto now = [&] {
    core.clock().Advance(Micros(1));
    return static_cast<uint64_t>(core.clock().Now().count());
  };
  std::vector<std::future<gateway::WriteResponse>> answers;
  for (crash::Transaction& transaction : transactions) {
    gateway::WriteRequest request{
        .container = *container,
        .partition_key =
            gateway::KeyValues{model::Value::String(transaction.writes[0].key.partition)},
        .operations = {}};
    for (const crash::Write& write : transaction.writes)
      request.operations.push_back(OperationFor(write));
    auto promise = std::make_shared<std::promise<gateway::WriteResponse>>();
    answers.push_back(promise->get_future());
    transaction.began_us = now();
    core.gateway().Write(std::move(request), [promise](gateway::WriteResponse response) {
      promise->set_value(std::move(response));
    });
  }
  for (size_t i = 0; i < transactions.size(); ++i) {
    crash::Transaction& transaction = transactions[i];
    const gateway::WriteResponse response = answers[i].get();
    core.Note(response.status);
    if (response.status.has_value()) {
      transaction.outcome = crash::Outcome::kAcknowledged;
      for (const gateway::SessionPosition& position :
           *gateway::ParseSessionToken(response.session)) {
        transaction.lsn = position.lsn.value();
        positions_[position.partition] = position.lsn;
      }
      transaction.ended_us = now();
    } else if (PromisesNothing(response.status.error().code())) {
      transaction.outcome = crash::Outcome::kRefused;
    }
    history_.transactions.push_back(std::move(transaction));
  }
}

Result<crash::State> TrackedContainer::ScanAll(Core& core, const gateway::ScanSpec& spec) const {
  ORRERY_ASSIGN(const auto container, core.catalog().FindContainer(kDatabase, settings_.name));
  crash::State state;
  std::string continuation;
  do {
    ORRERY_ASSIGN(const auto page, core.gateway().Scan(container, spec, continuation));
    for (const item::ScannedItem& scanned : page.items) {
      ORRERY_ASSIGN(const crash::ParsedDocument parsed, crash::ParseDocument(scanned.document));
      crash::Stored stored{scanned.lsn.value(), parsed.value, std::nullopt};
      if (parsed.ttl_s)
        stored.expires_us =
            static_cast<uint64_t>(scanned.time.count()) + *parsed.ttl_s * 1'000'000ULL;
      if (!state.emplace(parsed.key, std::move(stored)).second) {
        return Fail(Code::kCorruption, fmt::format("{} comes twice in a scan", Name(parsed.key)));
      }
    }
    continuation = page.continuation;
  } while (!continuation.empty());
  return state;
}

Result<crash::State> TrackedContainer::ReadAll(Core& core) const {
  gateway::ScanSpec spec;
  spec.limits.items_max = kPageItems;
  return ScanAll(core, spec);
}

Status TrackedContainer::CheckSession(Core& core) const {
  gateway::ScanSpec spec;
  for (const auto& [partition, lsn] : positions_)
    gateway::AppendSessionPosition(spec.session, {partition, lsn});
  ORRERY_TRY(ScanAll(core, spec));
  return {};
}

Result<crash::State> TrackedContainer::ReadByIndex(Core& core) const {
  crash::State all;
  for (int bucket = 0; bucket < crash::kBuckets; ++bucket) {
    const model::Value value[] = {model::Value::Int32(bucket)};
    const item::ValueBound bound{.encoded = model::EncodeKey(value, model::Order::kSql)};
    gateway::ScanSpec spec;
    spec.limits.items_max = kPageItems;
    spec.index =
        item::IndexRange{.index = item::PathIndexId(kBucketPlace), .lower = bound, .upper = bound};
    ORRERY_ASSIGN(const crash::State found, ScanAll(core, spec));
    for (const auto& [key, stored] : found) {
      if (crash::BucketOf(stored.value.token) != bucket || !all.emplace(key, stored).second) {
        return Fail(Code::kCorruption,
                    fmt::format("the index has {} under a wrong value", Name(key)));
      }
    }
  }
  return all;
}

Result<TrackedContainer::FeedRead> TrackedContainer::ReadFeed(
    Core& core, item::FeedMode mode, const std::string& continuation) const {
  ORRERY_ASSIGN(const auto container, core.catalog().FindContainer(kDatabase, settings_.name));
  gateway::FeedSpec spec;
  spec.mode = mode;
  spec.limits.items_max = kPageItems;
  FeedRead read{.changes = {}, .continuation = continuation};
  for (bool drained = false; !drained;) {
    ORRERY_ASSIGN(const auto page, core.gateway().ReadFeed(container, spec, read.continuation));
    for (const item::FeedEntry& entry : page.entries) {
      ORRERY_ASSIGN(crash::Change change, ChangeFrom(entry));
      read.changes.push_back(std::move(change));
    }
    read.continuation = page.continuation;
    drained = page.drained;
  }
  return read;
}

Status TrackedContainer::Rebase(Core& core) {
  ORRERY_ASSIGN(history_.before, ReadAll(core));
  history_.transactions.clear();
  ORRERY_ASSIGN(auto latest, ReadFeed(core, item::FeedMode::kLatestVersion, ""));
  latest_position_ = std::move(latest.continuation);
  if (keeps_versions()) {
    ORRERY_ASSIGN(auto versions, ReadFeed(core, item::FeedMode::kAllVersions, ""));
    versions_position_ = std::move(versions.continuation);
  }
  return {};
}

}  // namespace orrery::faults
