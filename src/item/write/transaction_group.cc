#include "item/write/transaction_group.h"

#include <utility>

namespace orrery::item {

TransactionGroup::TransactionGroup(Parts parts, Ledger& ledger, Done done)
    : entries_(std::move(parts.entries)), act_(parts.act), ledger_(ledger), done_(std::move(done)) {
  for (TransactionRequest& request : parts.transactions) {
    // Nobody completes them but the group.
    transactions_.push_back(std::make_unique<Transaction>(
        std::move(request), [](std::unique_ptr<Transaction>, const Status&) {}));
    transactions_.back()->SetLedger(ledger);
    bytes_ += transactions_.back()->bytes();
  }
  for (const Entry& entry : entries_)
    bytes_ += entry.key.size() + (entry.value.has_value() ? entry.value->size() : 0);
}

Status TransactionGroup::Evaluate(partition::GroupWriter& writer) {
  ledger_.Begin();
  Status status = EvaluateAll(writer);
  could_ = status.has_value();
  // An error takes back what was written, which is all that a trial is for.
  if (could_ && act_ == Act::kTry) status = Fail(Code::kCancelled, "the group was only tried");
  if (!status.has_value()) ledger_.Rollback();
  return status;
}

Status TransactionGroup::EvaluateAll(partition::GroupWriter& writer) {
  for (const Entry& entry : entries_) {
    if (entry.condition == Entry::Condition::kNone) continue;
    ORRERY_ASSIGN(const auto stored, writer.Get(entry.key));
    is_unmet_ = stored.has_value() != (entry.condition == Entry::Condition::kPresent);
    if (is_unmet_)
      return Fail(Code::kPreconditionFailed, "an entry of the group is not as it must be");
  }
  for (const auto& transaction : transactions_) ORRERY_TRY(transaction->EvaluateInGroup(writer));
  for (const Entry& entry : entries_) {
    if (entry.value.has_value()) {
      writer.Put(entry.key, *entry.value);
    } else {
      writer.Delete(entry.key);
    }
  }
  return {};
}

void TransactionGroup::Complete(std::unique_ptr<Mutation> self, Result<Lsn> outcome) {
  std::unique_ptr<TransactionGroup> group(static_cast<TransactionGroup*>(self.release()));
  Status status;
  if (!outcome.has_value()) status = Fail(std::move(outcome).error());
  if (act_ == Act::kTry && could_ && !status.has_value() &&
      status.error().code() == Code::kCancelled)
    status = {};
  Done done = std::move(done_);
  done(std::move(group), std::move(status));
}

}  // namespace orrery::item
