// A Transaction changes items of one logical partition: all of its operations or none.
//
// It is evaluated by the partition's sequencer in order with all others, so conditions, unique keys
// and etags see every earlier write. Record, index, unique, size, expiry and feed entries go in the
// same batch: they never disagree.
//
// Made on the caller's thread, which does what can be done without the stored state; evaluated and
// completed on the sequencer's.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/request_units.h"
#include "base/status.h"
#include "item/container_schema.h"
#include "item/layout/key_layout.h"
#include "item/write/document_program.h"
#include "item/write/ledger.h"
#include "item/write/operation.h"
#include "item/write/operation_evaluator.h"
#include "partition/sequencer.h"

namespace orrery::item {

// Keys and operations are the gateway's to check against its limits; this one bounds the work that
// one transaction may keep a partition's other writers waiting for.
inline constexpr size_t kTransactionOperationsMax = 10'000;

struct TransactionRequest {
  std::shared_ptr<const ContainerSchema> schema;
  Hash128 hash;
  std::string partition_key;  // encoded tuple
  std::vector<Operation> operations;
  // Decides on the operations at the transaction's turn. REQUIRES: then none are given above.
  std::shared_ptr<const DocumentProgram> program{};
};

struct TransactionResult {
  std::vector<OperationResult> results;  // one for each operation
  // Of the program; of a write that a unique index refused, which (UniqueConflict).
  std::string outcome;
  RequestUnits charge;  // of the whole, also when it failed
  Lsn lsn;
  // The operation that failed when the status is an error.
  std::optional<size_t> failed_operation;
};

class Transaction : public partition::Mutation {
 public:
  // Called once for each Submit, with the outcome. On kMoved and kOverloaded the transaction may be
  // submitted again.
  using Done = std::move_only_function<void(std::unique_ptr<Transaction> self, Status status)>;
  using Request = TransactionRequest;

  Transaction(TransactionRequest request, Done done);

  // Sets whose totals to keep: those of the partition it is submitted to. Call before each Submit.
  // The ledger must outlive the transaction's stay there.
  void SetLedger(Ledger& ledger) { ledger_ = &ledger; }

  Status Evaluate(partition::GroupWriter& writer) override;
  // The same as a part of a group that begins and rolls back the ledger, and has reserved what it
  // writes (transaction_group.h).
  Status EvaluateInGroup(partition::GroupWriter& writer);
  void Complete(std::unique_ptr<Mutation> self, Result<Lsn> outcome) override;
  size_t bytes() const override { return bytes_; }

  // Returns the operations of the request, or those that its program has decided on: after Evaluate
  // and before Complete.
  const std::vector<Operation>& decided() const {
    return request_.program != nullptr ? decided_ : request_.operations;
  }
  // After success the documents written have moved into the result.
  const TransactionRequest& request() const { return request_; }
  TransactionResult& result() { return result_; }
  RequestUnits charge() const { return result_.charge; }
  // The open transaction that has reserved what this one would write, after kWouldBlock: it may be
  // submitted again when that has ended.
  partition::Reservations::Holder blocked_by() const { return blocked_by_; }

 private:
  // Those of the request, or those that its program has decided on.
  std::vector<Operation>& operations() {
    return request_.program != nullptr ? decided_ : request_.operations;
  }
  // Works out what can be done without the stored state. An error is that of the operation after
  // the last one prepared.
  Status PrepareAll();
  Status EvaluateAll(partition::GroupWriter& writer);
  // Lets the program look and decide.
  Status Decide(OperationEvaluator& evaluator, partition::GroupWriter& writer);
  Result<std::vector<std::optional<std::string>>> LookAtReceipts(
      partition::GroupWriter& writer) const;
  void PutReceipts(partition::GroupWriter& writer) const;
  // `size` is what the logical partition had before, if it was looked up.
  Status RecordSize(partition::GroupWriter& writer, std::optional<Totals> size, Totals change);

  TransactionRequest request_;
  std::vector<Operation> decided_;
  std::vector<Receipt> receipts_;  // that the program has decided on
  std::vector<PreparedOperation> prepared_;
  std::optional<Error> refusal_;  // found without looking at the stored state
  TransactionResult result_;
  // Shared with the call that is running, which may destroy or resubmit the transaction.
  std::shared_ptr<Done> done_;
  Ledger* ledger_ = nullptr;
  partition::Reservations::Holder blocked_by_ = 0;
  bool may_create_ = false;  // some operation makes an item that is not there
  size_t bytes_ = 0;
};

}  // namespace orrery::item
