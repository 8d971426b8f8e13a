#include "item/write/transaction.h"

#include <utility>

#include "base/check.h"

namespace orrery::item {
namespace {

bool WritesDocument(OperationKind kind) {
  return kind == OperationKind::kCreate || kind == OperationKind::kUpsert ||
         kind == OperationKind::kReplace;
}

bool MayCreate(OperationKind kind) {
  return kind == OperationKind::kCreate || kind == OperationKind::kUpsert;
}

Result<PreparedOperation> PrepareOperation(const TransactionRequest& request,
                                           const Operation& operation) {
  PreparedOperation prepared;
  WriteDataKey(prepared.data_key, request.schema->id,
               {request.hash, request.partition_key, operation.row_key});
  if (!WritesDocument(operation.kind)) return prepared;
  if (!operation.document.has_value()) {
    return Fail(Code::kInvalidArgument, "the operation needs a document");
  }
  ORRERY_ASSIGN(prepared.item, Prepare(*request.schema, request.hash, request.partition_key,
                                       operation.document->view()));
  if (operation.written_at.has_value() &&
      (*operation.written_at < Micros(0) || *operation.written_at > kWrittenAtMax)) {
    return Fail(Code::kInvalidArgument, "the time of the document is none");
  }
  prepared.item.written_at = operation.written_at;
  return prepared;
}

}  // namespace

Transaction::Transaction(TransactionRequest request, Done done)
    : request_(std::move(request)), done_(std::make_shared<Done>(std::move(done))) {
  if (request_.operations.size() > kTransactionOperationsMax) {
    refusal_ = Error(Code::kTooLarge, "the transaction has too many operations");
    return;
  }
  prepared_.reserve(request_.operations.size());
  for (const Operation& operation : request_.operations) {
    auto prepared = PrepareOperation(request_, operation);
    if (!prepared.has_value()) {
      refusal_ = std::move(prepared).error();
      result_.failed_operation = prepared_.size();
      return;
    }
    may_create_ |= MayCreate(operation.kind);
    bytes_ += prepared->data_key.size() + prepared->item.bytes();
    prepared_.push_back(*std::move(prepared));
  }
}

Status Transaction::Evaluate(partition::GroupWriter& writer) {
  ORRERY_CHECK(ledger_ != nullptr);
  if (refusal_.has_value()) return Fail(*refusal_);
  result_ = {};
  ledger_->Begin();
  Status status = EvaluateAll(writer);
  if (!status.has_value()) {
    ledger_->Rollback();
    result_.results.clear();
  }
  return status;
}

Status Transaction::EvaluateAll(partition::GroupWriter& writer) {
  // An empty logical partition needs no look for each record; the size is needed anyway.
  std::optional<Totals> size;
  if (may_create_) {
    ORRERY_ASSIGN(
        size, ledger_->SizeOf(writer, request_.schema->id, request_.hash, request_.partition_key));
  }
  OperationEvaluator evaluator(writer, *request_.schema, request_.hash, request_.partition_key,
                               /*empty=*/size == Totals{});
  result_.results.reserve(prepared_.size());
  for (size_t i = 0; i < prepared_.size(); ++i) {
    const Totals before = evaluator.change();
    auto result = evaluator.Evaluate(request_.operations[i], prepared_[i]);
    result_.charge += evaluator.charge();
    if (!result.has_value() || evaluator.change().bytes > before.bytes) {
      result_.failed_operation = i;
    }
    if (!result.has_value()) return Fail(std::move(result).error());
    result_.results.push_back(*std::move(result));
  }
  // Until here it named the last operation that grew: the one to blame for a full partition.
  ORRERY_TRY(RecordSize(writer, size, evaluator.change()));
  result_.failed_operation.reset();
  return {};
}

Status Transaction::RecordSize(partition::GroupWriter& writer, std::optional<Totals> size,
                               Totals change) {
  if (change == Totals{}) return {};
  const ContainerSchema& schema = *request_.schema;
  if (!size.has_value()) {
    ORRERY_ASSIGN(size, ledger_->SizeOf(writer, schema.id, request_.hash, request_.partition_key));
  }
  ORRERY_TRY(ledger_->RecordChange(writer, schema.id, request_.hash, request_.partition_key, *size,
                                   change, schema.logical_partition_bytes_max));
  return {};
}

void Transaction::Complete(std::unique_ptr<Mutation> self, Result<Lsn> outcome) {
  std::unique_ptr<Transaction> transaction(static_cast<Transaction*>(self.release()));
  const std::shared_ptr<Done> done = done_;
  if (!outcome.has_value()) {
    result_.results.clear();
    (*done)(std::move(transaction), Fail(std::move(outcome).error()));
    return;
  }
  result_.lsn = *outcome;
  for (size_t i = 0; i < result_.results.size(); ++i) {
    Operation& operation = request_.operations[i];
    if (WritesDocument(operation.kind)) result_.results[i].document = std::move(operation.document);
  }
  (*done)(std::move(transaction), {});
}

}  // namespace orrery::item
