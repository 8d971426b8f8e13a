#include "api/cassandra/executor/write/modification_program.h"

#include <algorithm>

#include "api/cassandra/executor/row/key_values.h"
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
    if (statements_.size() > 1) reads_.emplace_back(RowNamed(statement.bound));
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
  return row.has_value() ? &*row : nullptr;
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

CqlStatus ModificationProgram::AddFound(const WrittenStatement& statement, Rows rows,
                                        uint32_t now_s) {
  const Table& table = *statement.plan->table;
  std::string key(RowNamed(statement.bound));
  // A condition on static columns shows a row of the partition, if another statement names one.
  for (const WrittenStatement& other : statements_) {
    if (!key.empty()) break;
    if (Find(rows, RowNamed(other.bound)) != nullptr) key = RowNamed(other.bound);
  }
  if (std::ranges::find(found_keys_, key) != found_keys_.end()) return {};
  const model::Row* row = Find(rows, key);
  const model::Row* statics =
      table.has_statics() && table.clustering_count != 0 ? Find(rows, {}) : nullptr;
  // Static columns are there for a row that is not, but they are not what IF [NOT] EXISTS is about.
  const bool about_statics = std::ranges::any_of(
      statement.plan->conditions, [](const Condition& each) { return each.column->is_static(); });
  if (row == nullptr && (statics == nullptr || !about_statics)) return {};
  found_keys_.push_back(key);
  RowAssembler assembler(table);
  assembler.Begin(now_s);
  if (statics != nullptr && about_statics) assembler.AddVisible(*statics);
  if (row != nullptr) assembler.AddVisible(*row);
  CQL_ASSIGN(const auto partition_key, PartitionKeyValues(table, options_.partition_key));
  FoundRow found(table.columns.size());
  for (size_t place = 0; place < table.columns.size(); ++place) {
    const auto& value = assembler.values().values[place];
    if (value.has_value()) found[place] = std::string(*value);
  }
  for (size_t i = 0; i < partition_key.size(); ++i) found[i] = partition_key[i];
  if (!key.empty()) {
    CQL_ASSIGN(const auto clustering, ClusteringValues(table, key));
    for (size_t i = 0; i < clustering.size(); ++i)
      found[table.partition_key_count + i] = clustering[i];
  }
  found_.push_back(std::move(found));
  return {};
}

CqlResult<item::RowChanges> ModificationProgram::Run(Rows rows, Micros now) {
  applied_ = false;
  found_.clear();
  found_keys_.clear();
  const uint32_t now_s = options_.now_s.value_or(Seconds(now));
  bool all = true;
  for (const WrittenStatement& statement : statements_) {
    CQL_ASSIGN(const bool holds, ConditionsHold(statement, rows, now_s));
    all = all && holds;
  }
  if (!all) {
    for (const WrittenStatement& statement : statements_) {
      if (statement.plan->is_conditional()) CQL_TRY(AddFound(statement, rows, now_s));
    }
    return item::RowChanges();
  }
  applied_ = true;
  item::RowChanges changes;
  const CurrentRows current = [&](std::string_view clustering) { return Find(rows, clustering); };
  for (const WrittenStatement& statement : statements_) {
    WriteTimes times;
    times.timestamp_us = statement.timestamp_us.value_or(now.count());
    times.now_s = now_s;
    times.ttl_s = TtlOf(statement.bound);
    times.list_order = now.count();
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

Result<std::vector<item::Follower>> ModificationProgram::Follow(
    std::span<const item::TouchedRow> rows, Micros now) {
  auto followers = options_.views->Follow(rows, now);
  if (followers.has_value()) return *std::move(followers);
  error_ = std::move(followers).error();
  return Fail(Code::kInvalidArgument, error_->message);
}

}  // namespace orrery::cassandra
