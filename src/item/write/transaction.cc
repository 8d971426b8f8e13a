#include "item/write/transaction.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/check.h"

namespace orrery::item {
namespace {

bool MayCreate(OperationKind kind) {
  return kind == OperationKind::kCreate || kind == OperationKind::kUpsert;
}

Result<PreparedOperation> PrepareOperation(const TransactionRequest& request,
                                           const Operation& operation) {
  PreparedOperation prepared;
  WriteDataKey(prepared.data_key, request.schema->id,
               {request.hash, request.partition_key, operation.row_key});
  prepared.item.note = operation.note;
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
  prepared.item.note = operation.note;
  return prepared;
}

}  // namespace

Transaction::Transaction(TransactionRequest request, Done done)
    : request_(std::move(request)), done_(std::make_shared<Done>(std::move(done))) {
  if (request_.program != nullptr) {
    ORRERY_CHECK(request_.operations.empty());
    may_create_ = true;
    bytes_ = request_.program->bytes();
    const std::span<const std::string> names = request_.program->receipts();
    if (names.size() > kProgramReceiptsMax ||
        std::ranges::any_of(names, [](const auto& n) { return n.size() > kReceiptNameBytesMax; }))
      refusal_ = Error(Code::kTooLarge, "the program has too many receipts");
    if (request_.program->reads().size() > kProgramReadsMax)
      refusal_ = Error(Code::kTooLarge, "the program looks at too many documents");
    return;
  }
  if (Status prepared = PrepareAll(); !prepared.has_value()) {
    refusal_ = std::move(prepared).error();
    return;
  }
  for (size_t i = 0; i < prepared_.size(); ++i) {
    may_create_ |= MayCreate(request_.operations[i].kind);
    bytes_ += prepared_[i].data_key.size() + prepared_[i].item.bytes();
  }
}

Status Transaction::PrepareAll() {
  const std::vector<Operation>& all = operations();
  if (all.size() > kTransactionOperationsMax)
    return Fail(Code::kTooLarge, "the transaction has too many operations");
  prepared_.clear();
  prepared_.reserve(all.size());
  for (const Operation& operation : all) {
    auto prepared = PrepareOperation(request_, operation);
    if (!prepared.has_value()) {
      result_.failed_operation = prepared_.size();
      return Fail(std::move(prepared).error());
    }
    prepared_.push_back(*std::move(prepared));
  }
  return {};
}

Status Transaction::Evaluate(partition::GroupWriter& writer) {
  ORRERY_CHECK(ledger_ != nullptr);
  ledger_->Begin();
  Status status = EvaluateInGroup(writer);
  blocked_by_ = status.has_value() ? writer.FirstReserved() : 0;
  if (blocked_by_ != 0)
    status = Fail(Code::kWouldBlock, "an open transaction has written the item");
  if (!status.has_value()) {
    ledger_->Rollback();
    result_.results.clear();
  }
  return status;
}

Status Transaction::EvaluateInGroup(partition::GroupWriter& writer) {
  ORRERY_CHECK(ledger_ != nullptr);
  if (refusal_.has_value()) return Fail(*refusal_);
  result_ = {};
  return EvaluateAll(writer);
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
  if (request_.program != nullptr) ORRERY_TRY(Decide(evaluator, writer));
  result_.results.reserve(prepared_.size());
  for (size_t i = 0; i < prepared_.size(); ++i) {
    const Totals before = evaluator.change();
    auto result = evaluator.Evaluate(operations()[i], prepared_[i]);
    result_.charge += evaluator.charge();
    if (!result.has_value() || evaluator.change().bytes > before.bytes) {
      result_.failed_operation = i;
    }
    if (!result.has_value()) {
      result_.outcome = evaluator.conflict();
      return Fail(std::move(result).error());
    }
    result_.results.push_back(*std::move(result));
  }
  // Until here it named the last operation that grew: the one to blame for a full partition.
  ORRERY_TRY(RecordSize(writer, size, evaluator.change()));
  result_.failed_operation.reset();
  PutReceipts(writer);
  return {};
}

Status Transaction::Decide(OperationEvaluator& evaluator, partition::GroupWriter& writer) {
  const std::span<const std::string> reads = request_.program->reads();
  std::vector<std::optional<CurrentDocument>> seen(reads.size());
  std::vector<std::optional<OperationEvaluator::Look>> looks;
  looks.reserve(reads.size());
  RequestUnits price;
  for (size_t i = 0; i < reads.size(); ++i) {
    ORRERY_ASSIGN(std::optional<OperationEvaluator::Look> look, evaluator.LookAt(reads[i]));
    looks.push_back(std::move(look));
    price += evaluator.charge();
    if (!looks[i].has_value()) continue;
    seen[i].emplace(CurrentDocument{.key = {request_.hash, request_.partition_key, reads[i]},
                                    .lsn = looks[i]->lsn,
                                    .time = looks[i]->time,
                                    .document = looks[i]->document});
  }
  // The price follows from what was done; reads that lead to nothing are paid for.
  result_.charge = price;
  ORRERY_ASSIGN(const auto receipts, LookAtReceipts(writer));
  ORRERY_ASSIGN(ProgramDecision decision,
                request_.program->DecideWithReceipts(seen, receipts, writer.now()));
  receipts_ = std::move(decision.receipts);
  decided_ = std::move(decision.operations);
  result_.outcome = std::move(decision.outcome);
  if (!decided_.empty()) result_.charge = {};
  return PrepareAll();
}

Result<std::vector<std::optional<std::string>>> Transaction::LookAtReceipts(
    partition::GroupWriter& writer) const {
  const std::span<const std::string> names = request_.program->receipts();
  std::vector<std::optional<std::string>> found(names.size());
  std::string key;
  for (size_t i = 0; i < names.size(); ++i) {
    WriteReceiptKey(key, request_.schema->id, request_.hash, request_.partition_key, names[i]);
    ORRERY_ASSIGN(const auto stored, writer.Get(key));
    if (!stored.has_value()) continue;
    ORRERY_ASSIGN(const ReceiptEntry entry, DecodeReceiptEntry(*stored));
    if (!ExpiredAt(entry.expiry, writer.now())) found[i] = std::string(entry.bytes);
  }
  return found;
}

void Transaction::PutReceipts(partition::GroupWriter& writer) const {
  std::string key;
  std::string value;
  for (const Receipt& receipt : receipts_) {
    WriteReceiptKey(key, request_.schema->id, request_.hash, request_.partition_key, receipt.name);
    WriteReceiptEntry(value, {.expiry = writer.now() + receipt.lifetime, .bytes = receipt.bytes});
    writer.Put(key, value);
  }
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
    Operation& operation = operations()[i];
    if (WritesDocument(operation.kind)) result_.results[i].document = std::move(operation.document);
  }
  (*done)(std::move(transaction), {});
}

}  // namespace orrery::item
