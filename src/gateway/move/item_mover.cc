#include "gateway/move/item_mover.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <thread>
#include <utility>

#include "base/has_code.h"
#include "gateway/account/key_maker.h"
#include "model/document/json.h"

namespace orrery::gateway {
namespace {

// Attempts of one item while another takes its place in the target.
constexpr int kAttemptsMax = 8;
constexpr size_t kCreatedAtOnce = 128;
constexpr uint32_t kWaitMsMax = 100;

bool IsRefusedForNow(const Status& status) {
  return HasCode(status, Code::kThrottled) || HasCode(status, Code::kOverloaded);
}

}  // namespace

ItemMover::ItemMover(Gateway& gateway, ContainerRef source, ContainerRef target,
                     RequestContext stop)
    : gateway_(gateway),
      source_(std::move(source)),
      target_(std::move(target)),
      stop_(std::move(stop)) {}

Status ItemMover::WaitFor(const Error& throttled) const {
  ORRERY_TRY(stop_.Check());
  std::this_thread::sleep_for(
      std::chrono::milliseconds(std::clamp<uint32_t>(throttled.retry_after_ms(), 1, kWaitMsMax)));
  return {};
}

Result<item::ItemKey> ItemMover::KeyOf(const ContainerEntry& container,
                                       model::DocumentView document) const {
  ORRERY_ASSIGN(RoutedKey key, gateway_.RoutePartitionKey(
                                   container, PartitionKeyOf(*container.schema, document)));
  ORRERY_ASSIGN(std::string row_key,
                gateway_.EncodeRowKey(container, RowKeyOf(*container.schema, document)));
  return item::ItemKey{key.hash, std::move(key.encoded), std::move(row_key)};
}

Result<item::ItemKey> ItemMover::SourceKeyOf(model::DocumentView document) const {
  return KeyOf(*source_, document);
}

Result<item::ItemKey> ItemMover::TargetKeyOf(model::DocumentView document) const {
  auto key = KeyOf(*target_, document);
  if (!key.has_value()) return Fail(std::move(key).error().Annotate(Describe(document)));
  return key;
}

std::string ItemMover::Describe(model::DocumentView document) const {
  model::Values values = PartitionKeyOf(*source_->schema, document);
  return fmt::format("item {} of key {}", model::ToJson(RowKeyOf(*source_->schema, document)),
                     model::ToJson(model::Value::Array(std::move(values))));
}

Result<std::optional<ItemMover::Occupant>> ItemMover::Read(const ContainerRef& container,
                                                           const item::ItemKey& key) {
  while (true) {
    const ReadResponse read = gateway_.Read(container, key, storage::ReadMode::kMayBlock);
    if (HasCode(read.status, Code::kNotFound)) {
      // Of the item, not of the container.
      if (gateway_.catalog().snapshot()->Newest(*container) == nullptr)
        return Fail(Code::kNotFound, "the container was dropped");
      return std::nullopt;
    }
    if (IsRefusedForNow(read.status)) {
      ORRERY_TRY(WaitFor(read.status.error()));
      continue;
    }
    ORRERY_TRY(read.status);
    return Occupant{.lsn = read.item.lsn,
                    .time = read.item.time,
                    .document = model::Document::Trusted(std::string(read.item.document.bson()))};
  }
}

Result<std::optional<ItemMover::Occupant>> ItemMover::ReadTarget(const item::ItemKey& key) {
  return Read(target_, key);
}

Result<MovedItem> ItemMover::ReadSource(const item::ItemKey& key) {
  ORRERY_ASSIGN(auto found, Read(source_, key));
  MovedItem item{.key = key, .document = std::nullopt};
  if (found.has_value()) {
    item.document = std::move(found->document);
    item.time = found->time;
  }
  return item;
}

Result<bool> ItemMover::Belongs(const Occupant& occupant, const item::ItemKey& place) {
  ORRERY_ASSIGN(const item::ItemKey key, SourceKeyOf(occupant.document));
  ORRERY_ASSIGN(const MovedItem now, ReadSource(key));
  if (!now.document.has_value()) return false;
  const auto today = TargetKeyOf(*now.document);
  return today.has_value() && *today == place;
}

WriteRequest ItemMover::RequestOf(const MovedItem& item) const {
  WriteRequest request;
  request.container = target_;
  WriteOperation& operation = request.operations.emplace_back();
  operation.kind = item::OperationKind::kUpsert;
  operation.document = model::Document::Trusted(std::string(item.document->bson()));
  operation.written_at = item.time;
  return request;
}

Status ItemMover::RemoveIf(const item::ItemKey& target, const item::ItemKey& source) {
  for (int attempt = 0; attempt < kAttemptsMax; ++attempt) {
    ORRERY_ASSIGN(const auto occupant, ReadTarget(target));
    if (!occupant.has_value()) return {};
    ORRERY_ASSIGN(const item::ItemKey owner, SourceKeyOf(occupant->document));
    if (owner != source) return {};
    WriteRequest request;
    request.container = target_;
    request.partition_key = PartitionKeyOf(*target_->schema, occupant->document);
    WriteOperation& operation = request.operations.emplace_back();
    operation.kind = item::OperationKind::kDelete;
    operation.row_key = RowKeyOf(*target_->schema, occupant->document);
    operation.if_match = occupant->lsn;
    const Status removed = gateway_.WriteAndWait(std::move(request)).status;
    if (removed.has_value() || HasCode(removed, Code::kNotFound)) return {};
    if (IsRefusedForNow(removed)) {
      ORRERY_TRY(WaitFor(removed.error()));
      --attempt;
    } else if (!HasCode(removed, Code::kPreconditionFailed)) {
      return removed;
    }
  }
  return Fail(Code::kAlreadyExists, "an item of the target changes all the time");
}

Status ItemMover::Put(const MovedItem& item, const item::ItemKey& place) {
  for (int attempt = 0; attempt < kAttemptsMax; ++attempt) {
    ORRERY_ASSIGN(const auto occupant, ReadTarget(place));
    WriteRequest request = RequestOf(item);
    if (!occupant.has_value()) {
      request.operations.front().if_absent = true;
    } else {
      ORRERY_ASSIGN(const item::ItemKey owner, SourceKeyOf(occupant->document));
      if (owner == item.key) {
        if (occupant->time == item.time && occupant->document == *item.document) return {};
      } else {
        ORRERY_ASSIGN(const bool is_taken, Belongs(*occupant, place));
        if (is_taken) {
          return Fail(Code::kAlreadyExists,
                      fmt::format("{} and {} would be the same item of the new container",
                                  Describe(*item.document), Describe(occupant->document)));
        }
      }
      request.operations.front().if_match = occupant->lsn;
    }
    const Status written = gateway_.WriteAndWait(std::move(request)).status;
    if (written.has_value()) return {};
    if (IsRefusedForNow(written)) {
      ORRERY_TRY(WaitFor(written.error()));
      --attempt;
    } else if (!HasCode(written, Code::kPreconditionFailed)) {
      return Fail(Error(written.error()).Annotate(Describe(*item.document)));
    }
  }
  return Fail(Code::kAlreadyExists,
              fmt::format("{}: an item of the target changes all the time",
                          Describe(*item.document)));
}

Status ItemMover::Move(const MovedItem& item) {
  std::optional<item::ItemKey> place;
  if (item.document.has_value()) {
    ORRERY_ASSIGN(place, TargetKeyOf(*item.document));
  }
  for (const model::Document& former : item.former) {
    // A former version may have had a key that the target does not take: then it is not there.
    const auto left = TargetKeyOf(former);
    if (left.has_value() && left != place) ORRERY_TRY(RemoveIf(*left, item.key));
  }
  if (!place.has_value()) return {};
  return Put(item, *place);
}

Status ItemMover::MoveNow(const item::ItemKey& key, std::vector<model::Document> former) {
  ORRERY_ASSIGN(MovedItem item, ReadSource(key));
  item.former = std::move(former);
  return Move(item);
}

Result<std::vector<size_t>> ItemMover::Create(const std::vector<MovedItem>& items) {
  std::vector<size_t> left;
  std::vector<std::promise<Status>> written;
  for (size_t begin = 0; begin < items.size(); begin += kCreatedAtOnce) {
    const size_t end = std::min(items.size(), begin + kCreatedAtOnce);
    written.clear();
    written.resize(end - begin);
    for (size_t i = begin; i < end; ++i) {
      WriteRequest request = RequestOf(items[i]);
      request.operations.front().kind = item::OperationKind::kCreate;
      gateway_.Write(std::move(request), [&done = written[i - begin]](WriteResponse response) {
        done.set_value(std::move(response.status));
      });
    }
    std::optional<Error> throttled;
    std::optional<Error> failed;
    for (size_t i = begin; i < end; ++i) {
      Status status = written[i - begin].get_future().get();
      if (status.has_value()) continue;
      if (IsRefusedForNow(status)) {
        throttled = std::move(status).error();
      } else if (!HasCode(status, Code::kAlreadyExists)) {
        failed = std::move(status).error().Annotate(Describe(*items[i].document));
        continue;
      }
      left.push_back(i);
    }
    if (failed.has_value()) return Fail(*std::move(failed));
    if (throttled.has_value()) ORRERY_TRY(WaitFor(*throttled));
  }
  return left;
}

}  // namespace orrery::gateway
