#include "api/cassandra/executor/write/modification_program.h"

#include <algorithm>

#include "api/cassandra/executor/row/row_assembler.h"

namespace orrery::cassandra {
namespace {

// The row that a statement names; the partition's own for one that names none.
std::string_view RowNamed(const BoundModification& bound) {
  if (bound.rows.empty() || bound.plan->table->clustering_count == 0) return {};
  return bound.rows.front().lower;
}

uint32_t Seconds(Micros now) {
  return static_cast<uint32_t>(std::chrono::floor<std::chrono::seconds>(now).count());
}

}  // namespace

ModificationProgram::ModificationProgram(std::vector<WrittenStatement> statements, Options options)
    : statements_(std::move(statements)), options_(std::move(options)) {
  for (const WrittenStatement& statement : statements_) {
    for (std::string& row : RowsRead(statement.bound)) reads_.push_back(std::move(row));
  }
  if (options_.views != nullptr) {
    const auto more = options_.views->reads();
    reads_.insert(reads_.end(), more.begin(), more.end());
  }
  std::ranges::sort(reads_);
  reads_.erase(std::ranges::unique(reads_).begin(), reads_.end());
}

const model::Row* ModificationProgram::Find(Rows rows, std::string_view clustering) const {
  const auto found = std::ranges::lower_bound(reads_, clustering);
  if (found == reads_.end() || *found != clustering) return nullptr;
  const auto& row = rows[static_cast<size_t>(found - reads_.begin())];
  return row.has_value() && Shows(table(), *row) ? &*row : nullptr;
}

CqlResult<bool> ModificationProgram::ConditionsHold(const WrittenStatement& statement, Rows rows,
                                                    uint32_t now_s) const {
  const ModificationPlan& plan = *statement.plan;
  const model::Row* row = Find(rows, RowNamed(statement.bound));
  if (plan.if_not_exists) return row == nullptr;
  if (plan.if_exists) return row != nullptr;
  if (plan.conditions.empty()) return true;
  const Table& table = *plan.table;
  RowAssembler assembler(table);
  assembler.Begin(now_s);
  if (const model::Row* statics = table.has_statics() ? Find(rows, {}) : nullptr)
    assembler.AddVisible(*statics);
  if (row != nullptr && !plan.only_statics) assembler.AddVisible(*row);
  for (const BoundCondition& condition : statement.bound.conditions) {
    const auto place = static_cast<size_t>(condition.condition->column - table.columns.data());
    CQL_ASSIGN(const bool holds, condition.Holds(assembler.values().values[place]));
    if (!holds) return false;
  }
  return true;
}

CqlStatus ModificationProgram::FindOut(Rows rows) {
  std::vector<const ModificationPlan*> conditional;
  std::vector<std::string_view> keys;
  for (const WrittenStatement& statement : statements_) {
    if (!statement.plan->is_conditional()) continue;
    conditional.push_back(statement.plan.get());
    if (statement.plan->has_row_conditions()) keys.push_back(RowNamed(statement.bound));
  }
  std::ranges::sort(keys);
  keys.erase(std::ranges::unique(keys).begin(), keys.end());
  const model::Row* statics = table().clustering_count != 0 ? Find(rows, {}) : nullptr;
  CQL_ASSIGN(FoundRows found,
             FoundRows::Make(table(), conditional, options_.partition_key, statics));
  for (const std::string_view key : keys) {
    if (const model::Row* row = Find(rows, key)) CQL_TRY(found.Add(key, *row));
  }
  found_.emplace(std::move(found));
  wants_first_row_ = keys.empty();
  return {};
}

std::span<const FoundRow> ModificationProgram::found() const {
  if (!found_.has_value()) return {};
  return found_->rows();
}

Result<bool> ModificationProgram::LookAt(std::string_view clustering, const model::Row& row) {
  if (!Shows(table(), row)) return true;
  const auto added = found_->Add(clustering, row);
  if (added.has_value()) return false;
  error_ = added.error();
  return Fail(Code::kCorruption, error_->message);
}

CqlResult<item::RowChanges> ModificationProgram::Run(Rows rows, Micros now) {
  applied_ = false;
  found_.reset();
  wants_first_row_ = false;
  const uint32_t now_s = options_.now_s.value_or(Seconds(now));
  bool all = true;
  for (const WrittenStatement& statement : statements_) {
    CQL_ASSIGN(const bool holds, ConditionsHold(statement, rows, now_s));
    all = all && holds;
  }
  if (!all) {
    CQL_TRY(FindOut(rows));
    return item::RowChanges();
  }
  applied_ = true;
  item::RowChanges changes;
  uint32_t list_turn = 0;
  const CurrentRows current = [&](std::string_view clustering) { return Find(rows, clustering); };
  for (const WrittenStatement& statement : statements_) {
    WriteTimes times;
    times.timestamp_us = statement.timestamp_us.value_or(now.count());
    // Just before what else the batch writes there, as in Cassandra; rows it deletes stay deleted.
    if (!statement.timestamp_us.has_value()) times.clearing_us = now.count() - 1;
    times.now_s = now_s;
    times.ttl_s = TtlOf(statement.bound);
    times.list_order = now.count();
    // From 1: writes that do not look take their times from another clock, and have 0.
    times.list_turn = ++list_turn;
    CQL_TRY(AddChanges(changes, statement.bound, times, current));
  }
  return changes;
}

Result<item::RowChanges> ModificationProgram::Decide(Rows rows, Micros now) {
  error_.reset();
  auto changes = Run(rows, now);
  if (changes.has_value()) return *std::move(changes);
  error_ = std::move(changes).error();
  return Fail(Code::kInvalidArgument, error_->message);
}

std::span<const item::RowRange> ModificationProgram::read_ranges() const {
  if (options_.views == nullptr) return {};
  return options_.views->read_ranges();
}

Result<std::vector<item::DerivedWrite>> ModificationProgram::Follow(
    std::span<const item::TouchedRow> rows, Micros now) {
  auto derived_writes = options_.views->Follow(rows, now);
  if (derived_writes.has_value()) return *std::move(derived_writes);
  error_ = std::move(derived_writes).error();
  return Fail(Code::kInvalidArgument, error_->message);
}

}  // namespace orrery::cassandra
