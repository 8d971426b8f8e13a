#include "item/row/row_transaction.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "base/check.h"
#include "item/outbox/outbox.h"
#include "item/row/row_count.h"

namespace orrery::item {
namespace {

// The rows that a program follows, each once, as they were and as they became.
class TouchedRows {
 public:
  Status AddRanges(RowWriter& rows, std::span<const RowRange> ranges) {
    for (const RowRange& range : ranges) {
      ORRERY_ASSIGN(std::vector<std::string> keys,
                    rows.KeysIn(range, kRowProgramRangeRowsMax - images_.size()));
      for (std::string& key : keys) {
        if (images_.contains(key)) continue;
        ORRERY_ASSIGN(std::optional<model::Row> row, rows.Read(key));
        images_[std::move(key)].before = std::move(row);
      }
    }
    return {};
  }
  void Add(std::span<const std::string> keys, std::vector<std::optional<model::Row>> rows) {
    for (size_t i = 0; i < keys.size(); ++i) images_[keys[i]].before = std::move(rows[i]);
  }
  // Points into this.
  Result<std::vector<TouchedRow>> ReadAgain(RowWriter& rows) {
    std::vector<TouchedRow> touched;
    touched.reserve(images_.size());
    for (auto& [key, image] : images_) {
      ORRERY_ASSIGN(image.after, rows.Read(key));
      touched.push_back({key, image.before.has_value() ? &*image.before : nullptr,
                         image.after.has_value() ? &*image.after : nullptr});
    }
    return touched;
  }

 private:
  struct Image {
    std::optional<model::Row> before;
    std::optional<model::Row> after;
  };
  std::map<std::string, Image> images_;
};

}  // namespace

Status CheckRowSizes(const RowChanges& changes, uint64_t row_bytes_max) {
  for (const RowChange& change : changes.rows) {
    if (change.row.size() <= row_bytes_max) continue;
    return Fail(Code::kTooLarge, fmt::format("the row has {} bytes, the most is {}",
                                             change.row.size(), row_bytes_max));
  }
  return {};
}

RowTransaction::RowTransaction(RowTransactionRequest request, Done done)
    : request_(std::move(request)),
      checked_(request_.derived_write_limits),
      done_(std::move(done)) {
  ORRERY_CHECK(request_.schema->rows.has_value());
  if (Status sound = checked_.Add(request_.changes.derived_writes); !sound.has_value()) {
    refusal_ = std::move(sound).error();
  }
  if (request_.program != nullptr && request_.program->reads().size() > kRowProgramReadsMax) {
    refusal_ = Error(Code::kTooLarge,
                     fmt::format("a write may look at {} rows at most", kRowProgramReadsMax));
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
  RowWriter rows(writer, ledger_->row_changes(), *request_.schema, request_.hash,
                 request_.partition_key, buffers_);
  if (!request_.owed) rows.set_row_bytes_max(request_.derived_write_limits.row_bytes_max);
  Status status = EvaluateAll(rows, writer);
  charge_ = rows.charge();
  if (!status.has_value()) ledger_->Rollback();
  return status;
}

Status RowTransaction::EvaluateAll(RowWriter& rows, partition::GroupWriter& writer) {
  ORRERY_TRY(rows.Apply(request_.changes));
  if (request_.program != nullptr) ORRERY_TRY(RunProgram(rows, writer.now()));
  ORRERY_TRY(StoreDerivedWrites(writer));
  if (rows.change() == Totals{}) return {};
  ORRERY_TRY(RecordRowChange(*ledger_, writer, request_.schema->id, request_.hash,
                             request_.partition_key, rows.change(),
                             request_.owed ? 0 : request_.schema->logical_partition_bytes_max));
  return {};
}

Status RowTransaction::RunProgram(RowWriter& rows, Micros now) {
  RowProgram& program = *request_.program;
  std::vector<std::optional<model::Row>> found;
  found.reserve(program.reads().size());
  for (const std::string& clustering : program.reads()) {
    ORRERY_ASSIGN(std::optional<model::Row> row, rows.Read(clustering));
    found.push_back(std::move(row));
  }
  TouchedRows touched;
  if (program.follows()) ORRERY_TRY(touched.AddRanges(rows, program.read_ranges()));
  ORRERY_ASSIGN(decided_, program.Decide(found, now));
  ORRERY_TRY(CheckRowSizes(decided_, request_.derived_write_limits.row_bytes_max));
  if (program.looks_on()) {
    ORRERY_TRY(rows.LookThrough(kRowProgramLooksMax,
                                [&](std::string_view clustering, const model::Row& row) {
                                  return program.LookAt(clustering, row);
                                }));
  }
  ORRERY_TRY(rows.Apply(decided_));
  if (!program.follows()) return {};
  touched.Add(program.reads(), std::move(found));
  ORRERY_ASSIGN(const std::vector<TouchedRow> images, touched.ReadAgain(rows));
  ORRERY_ASSIGN(std::vector<DerivedWrite> derived_writes, program.Follow(images, now));
  std::ranges::move(derived_writes, std::back_inserter(decided_.derived_writes));
  return {};
}

Status RowTransaction::StoreDerivedWrites(partition::GroupWriter& writer) const {
  if (request_.changes.derived_writes.empty() && decided_.derived_writes.empty()) return {};
  DerivedWriteCheck check = checked_;
  ORRERY_TRY(check.Add(decided_.derived_writes));
  PutOutboxEntry(writer, request_.schema->id, request_.hash, request_.changes.derived_writes,
                 decided_.derived_writes);
  return {};
}

std::vector<DerivedWrite> RowTransaction::TakeDerivedWrites() {
  std::vector<DerivedWrite> derived_writes = std::move(request_.changes.derived_writes);
  std::ranges::move(decided_.derived_writes, std::back_inserter(derived_writes));
  return derived_writes;
}

void RowTransaction::Complete(std::unique_ptr<Mutation> self, Result<Lsn> outcome) {
  std::unique_ptr<RowTransaction> transaction(static_cast<RowTransaction*>(self.release()));
  if (outcome.has_value()) {
    lsn_ = *outcome;
    Done done = std::move(done_);
    done(std::move(transaction), {});
    return;
  }
  // The call may submit the transaction again, and be called again before it is over.
  const auto done = std::make_shared<Done>(std::move(done_));
  done_ = [done](std::unique_ptr<RowTransaction> again, Status status) {
    (*done)(std::move(again), std::move(status));
  };
  (*done)(std::move(transaction), Fail(std::move(outcome).error()));
}

}  // namespace orrery::item
