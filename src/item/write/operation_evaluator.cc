#include "item/write/operation_evaluator.h"

#include <utility>

#include "item/price_list.h"

namespace orrery::item {
namespace {

// Checks what the item must be for the operation to go on; `record` is null when there is none.
Status CheckPreconditions(const Operation& operation, const RecordView* record) {
  if (record == nullptr) {
    const bool may_be_absent = operation.kind == OperationKind::kCreate ||
                               operation.kind == OperationKind::kUpsert ||
                               operation.kind == OperationKind::kCheck;
    if (!may_be_absent) return Fail(Code::kNotFound, "there is no such item");
    const bool must_match = operation.if_match.has_value() && !operation.if_absent;
    if (must_match || operation.condition.has_value()) {
      return Fail(Code::kPreconditionFailed, "there is no such item");
    }
    return {};
  }
  if (operation.kind == OperationKind::kCreate) {
    return Fail(Code::kAlreadyExists, "an item with this id is there already");
  }
  if (operation.if_absent && !operation.if_match.has_value()) {
    return Fail(Code::kPreconditionFailed, "the item is there already");
  }
  if (operation.if_match.has_value() && *operation.if_match != record->lsn) {
    return Fail(Code::kPreconditionFailed, "the item has changed: its etag is another one");
  }
  if (operation.condition.has_value() &&
      !model::Matches(*operation.condition, model::DocumentView::Trusted(record->document))) {
    return Fail(Code::kPreconditionFailed, "the condition is not true of the item");
  }
  return {};
}

}  // namespace

OperationEvaluator::OperationEvaluator(partition::GroupWriter& writer,
                                       const ContainerSchema& schema, Hash128 hash,
                                       std::string_view partition_key, bool empty)
    : writer_(writer),
      schema_(schema),
      hash_(hash),
      partition_key_(partition_key),
      empty_(empty),
      versions_(writer, schema) {}

Result<OperationResult> OperationEvaluator::Evaluate(const Operation& operation,
                                                     PreparedOperation& prepared) {
  const ItemRef item{hash_, partition_key_, operation.row_key};
  charge_ = PriceOfRefusedWrite(0);
  ORRERY_ASSIGN(const auto stored, Load(prepared));
  const bool exists = stored.has_value() && !stored->expired;
  charge_ = PriceOfRefusedWrite(exists ? stored->record.document.size() : 0);
  ORRERY_TRY(CheckPreconditions(operation, exists ? &stored->record : nullptr));
  auto result = [&]() -> Result<OperationResult> {
    switch (operation.kind) {
      case OperationKind::kCreate:
      case OperationKind::kUpsert:
      case OperationKind::kReplace:
        return Write(item, prepared, stored);
      case OperationKind::kPatch:
        return Patch(item, operation, prepared, *stored);
      case OperationKind::kDelete:
        return Delete(item, prepared, *stored);
      case OperationKind::kRead:
        return Read(*stored);
      case OperationKind::kCheck:
        return OperationResult{.done = OperationKind::kCheck,
                               .lsn = exists ? stored->record.lsn : Lsn(),
                               .time = exists ? stored->record.time : Micros(0),
                               .document = std::nullopt,
                               .charge = {}};
    }
    return Fail(Code::kInternal, "an operation of no known kind");
  }();
  change_ += versions_.TakeChange();
  if (result.has_value()) charge_ = result->charge;
  return result;
}

Result<std::optional<OperationEvaluator::Look>> OperationEvaluator::LookAt(
    std::string_view row_key) {
  std::string data_key;
  WriteDataKey(data_key, schema_.id, {hash_, partition_key_, row_key});
  charge_ = PriceOfRefusedWrite(0);
  ORRERY_ASSIGN(const auto stored, Load(data_key));
  if (!stored.has_value()) {
    if (!empty_) absent_.insert(std::move(data_key));
    return std::nullopt;
  }
  if (stored->expired) return std::nullopt;
  charge_ = PriceOfRefusedWrite(stored->record.document.size());
  return Look{.lsn = stored->record.lsn,
              .time = stored->record.time,
              .document = model::Document::Trusted(std::string(stored->record.document))};
}

Result<std::optional<OperationEvaluator::Stored>> OperationEvaluator::Load(
    const PreparedOperation& prepared) {
  if (!absent_.empty() && absent_.contains(prepared.data_key)) return std::nullopt;
  return Load(prepared.data_key);
}

Result<std::optional<OperationEvaluator::Stored>> OperationEvaluator::Load(
    const std::string& data_key) {
  if (empty_) return std::nullopt;
  ORRERY_ASSIGN(const auto bytes, writer_.Get(data_key));
  if (!bytes.has_value()) return std::nullopt;
  Stored stored;
  stored.bytes = bytes->size();
  ORRERY_ASSIGN(stored.record, DecodeRecord(*bytes));
  stored.expired = stored.record.ExpiredAt(writer_.now());
  return stored;
}

Result<OperationResult> OperationEvaluator::Write(ItemRef item, PreparedOperation& prepared,
                                                  const std::optional<Stored>& stored) {
  empty_ = false;
  if (!absent_.empty()) absent_.erase(prepared.data_key);
  std::optional<StoredVersion> old;
  if (stored.has_value()) {
    ORRERY_ASSIGN(old, versions_.Describe(item, prepared.data_key, stored->bytes, stored->record));
    if (stored->expired) {
      ORRERY_TRY(versions_.Remove(item, prepared.data_key, *old, /*by_expiry=*/true));
      // The sweep's work, done early, is not the caller's to pay.
      versions_.TakeTermCounts();
      old.reset();
    }
  }
  ORRERY_ASSIGN(const RecordHeader header, versions_.Put(item, prepared.data_key, prepared.item,
                                                         old.has_value() ? &*old : nullptr));
  const TermCounts terms = versions_.TakeTermCounts();
  WriteWork work{.bytes_before = std::nullopt,
                 .bytes_after = prepared.item.record.bson().size(),
                 .index_terms_added = terms.added,
                 .index_terms_removed = terms.removed};
  if (old.has_value()) work.bytes_before = old->document_bytes;
  return OperationResult{.done = old.has_value() ? OperationKind::kReplace : OperationKind::kCreate,
                         .lsn = header.lsn,
                         .time = header.time,
                         .document = std::nullopt,
                         .charge = PriceOfWrite(work)};
}

Result<OperationResult> OperationEvaluator::Patch(ItemRef item, const Operation& operation,
                                                  PreparedOperation& prepared,
                                                  const Stored& stored) {
  ORRERY_ASSIGN(
      model::Document patched,
      model::ApplyPatch(model::DocumentView::Trusted(stored.record.document), operation.patch));
  ORRERY_ASSIGN(prepared.item, Prepare(schema_, hash_, partition_key_, patched));
  ORRERY_ASSIGN(OperationResult result, Write(item, prepared, stored));
  result.done = OperationKind::kPatch;
  result.document = std::move(patched);
  return result;
}

Result<OperationResult> OperationEvaluator::Delete(ItemRef item, const PreparedOperation& prepared,
                                                   const Stored& stored) {
  ORRERY_ASSIGN(const StoredVersion old,
                versions_.Describe(item, prepared.data_key, stored.bytes, stored.record));
  ORRERY_TRY(
      versions_.Remove(item, prepared.data_key, old, /*by_expiry=*/false, prepared.item.note));
  const TermCounts terms = versions_.TakeTermCounts();
  return OperationResult{.done = OperationKind::kDelete,
                         .lsn = writer_.lsn(),
                         .time = writer_.now(),
                         .document = std::nullopt,
                         .charge = PriceOfWrite({.bytes_before = old.document_bytes,
                                                 .bytes_after = std::nullopt,
                                                 .index_terms_added = 0,
                                                 .index_terms_removed = terms.removed})};
}

OperationResult OperationEvaluator::Read(const Stored& stored) {
  return {.done = OperationKind::kRead,
          .lsn = stored.record.lsn,
          .time = stored.record.time,
          .document = model::Document::Trusted(std::string(stored.record.document)),
          .charge = PriceOfPointRead(stored.record.document.size())};
}

}  // namespace orrery::item
