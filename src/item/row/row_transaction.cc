#include "item/row/row_transaction.h"

#include <algorithm>
#include <iterator>

#include "base/check.h"
#include "item/outbox/outbox.h"
#include "item/row/row_count.h"

namespace orrery::item {

RowTransaction::RowTransaction(RowTransactionRequest request, Done done)
    : request_(std::move(request)),
      checked_(request_.follower_limits),
      done_(std::make_shared<Done>(std::move(done))) {
  ORRERY_CHECK(request_.schema->rows.has_value());
  if (Status sound = checked_.Add(request_.changes.followers); !sound.has_value()) {
    refusal_ = std::move(sound).error();
  }
  bytes_ = checked_.bytes();
  for (const RowChange& change : request_.changes.rows) {
    bytes_ += change.clustering.size() + request_.partition_key.size() + change.row.size();
  }
}

Status RowTransaction::Evaluate(partition::GroupWriter& writer) {
  ORRERY_CHECK(ledger_ != nullptr);
  if (refusal_.has_value()) return Fail(*refusal_);
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
  ORRERY_TRY(StoreFollowers(writer));
  if (rows.change() == Totals{}) return {};
  ORRERY_TRY(RecordRowChange(*ledger_, writer, request_.schema->id, request_.hash,
                             request_.partition_key, rows.change(),
                             request_.owed ? 0 : request_.schema->logical_partition_bytes_max));
  return {};
}

Status RowTransaction::StoreFollowers(partition::GroupWriter& writer) const {
  if (request_.changes.followers.empty() && decided_.followers.empty()) return {};
  FollowerCheck check = checked_;
  ORRERY_TRY(check.Add(decided_.followers));
  PutOutboxEntry(writer, request_.schema->id, request_.hash, request_.changes.followers,
                 decided_.followers);
  return {};
}

std::vector<Follower> RowTransaction::TakeFollowers() {
  std::vector<Follower> followers = std::move(request_.changes.followers);
  std::ranges::move(decided_.followers, std::back_inserter(followers));
  return followers;
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
