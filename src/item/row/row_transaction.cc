#include "item/row/row_transaction.h"

#include "base/check.h"
#include "item/row/row_count.h"

namespace orrery::item {

RowTransaction::RowTransaction(RowTransactionRequest request, Done done)
    : request_(std::move(request)), done_(std::make_shared<Done>(std::move(done))) {
  ORRERY_CHECK(request_.schema->rows.has_value());
  for (const RowChange& change : request_.changes.rows) {
    bytes_ += change.clustering.size() + request_.partition_key.size() + change.row.size();
  }
}

Status RowTransaction::Evaluate(partition::GroupWriter& writer) {
  ORRERY_CHECK(ledger_ != nullptr);
  buffers_.clear();
  decided_ = {};
  ledger_->Begin();
  RowWriter rows(writer, *request_.schema, request_.hash, request_.partition_key, buffers_);
  Status status = EvaluateAll(rows, writer);
  charge_ = rows.charge();
  if (!status.has_value()) ledger_->Rollback();
  return status;
}

Status RowTransaction::EvaluateAll(RowWriter& rows, partition::GroupWriter& writer) {
  ORRERY_TRY(rows.Apply(request_.changes));
  if (request_.program != nullptr) {
    std::vector<std::optional<model::Row>> found;
    found.reserve(request_.program->reads().size());
    for (const std::string& clustering : request_.program->reads()) {
      ORRERY_ASSIGN(std::optional<model::Row> row, rows.Read(clustering));
      found.push_back(std::move(row));
    }
    ORRERY_ASSIGN(decided_, request_.program->Decide(found, writer.now()));
    ORRERY_TRY(rows.Apply(decided_));
  }
  if (rows.change() == Totals{}) return {};
  ORRERY_TRY(RecordRowChange(*ledger_, writer, request_.schema->id, request_.hash,
                             request_.partition_key, rows.change(),
                             request_.schema->logical_partition_bytes_max));
  return {};
}

void RowTransaction::Complete(std::unique_ptr<Mutation> self, Result<Lsn> outcome) {
  std::unique_ptr<RowTransaction> transaction(static_cast<RowTransaction*>(self.release()));
  const std::shared_ptr<Done> done = done_;
  if (!outcome.has_value()) {
    (*done)(std::move(transaction), Fail(std::move(outcome).error()));
    return;
  }
  lsn_ = *outcome;
  (*done)(std::move(transaction), {});
}

}  // namespace orrery::item
