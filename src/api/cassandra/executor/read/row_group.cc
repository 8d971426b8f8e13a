#include "api/cassandra/executor/read/row_group.h"

#include "api/cassandra/planner/term/function_failure.h"
#include "base/bytes.h"

namespace orrery::cassandra {
namespace {

void AppendKeyPart(std::string& key, std::optional<std::string_view> value) {
  key.push_back(value.has_value() ? 1 : 0);
  if (value.has_value()) AppendLengthPrefixed(key, *value);
}

CqlError ErrorOf(const Accumulator& accumulator, const Error& error) {
  const Function* const failed = accumulator.failed_function();
  return failed == nullptr ? ToCqlError(error) : FunctionFailure(*failed, error.message());
}

}  // namespace

RowGroup::RowGroup(const SelectPlan& plan) : plan_(plan) {
  row_.values.resize(plan.table->columns.size());
  row_.times.resize(plan.table->columns.size());
  kept_.resize(plan.table->columns.size());
  kept_paths_.resize(plan.table->columns.size());
}

CqlResult<std::string> RowGroup::KeyOf(std::string_view partition_key,
                                       const Evaluation& evaluation) const {
  std::string key;
  const Grouping& grouping = plan_.grouping;
  if (grouping.kind == Grouping::Kind::kAll) return key;
  AppendLengthPrefixed(key, partition_key);
  const size_t plain = grouping.last == nullptr ? grouping.clustering : grouping.clustering - 1;
  for (size_t i = 0; i < plain; ++i)
    AppendKeyPart(key, evaluation.row->values[plan_.table->partition_key_count + i]);
  if (grouping.last == nullptr) return key;
  CQL_ASSIGN(const TermValue last, grouping.last->Evaluate(evaluation));
  AppendKeyPart(key, last.view());
  return key;
}

void RowGroup::Open(std::string key) {
  is_open_ = true;
  has_row_ = false;
  key_ = std::move(key);
  std::ranges::fill(row_.values, std::nullopt);
  for (auto& times : row_.times) times.clear();
  accumulators_.clear();
  for (const AggregateCall& call : plan_.aggregates)
    accumulators_.push_back(call.function->Start());
}

CqlStatus RowGroup::Add(const Evaluation& evaluation) {
  if (!has_row_) KeepRow(*evaluation.row);
  has_row_ = true;
  std::vector<TermValue> held;
  std::vector<std::optional<std::string_view>> arguments;
  for (size_t i = 0; i < accumulators_.size(); ++i) {
    held.clear();
    arguments.clear();
    for (const ExpressionPtr& argument : plan_.aggregates[i].arguments) {
      CQL_ASSIGN(TermValue value, argument->Evaluate(evaluation));
      held.push_back(std::move(value));
    }
    for (const TermValue& value : held) arguments.push_back(value.view());
    if (const Status added = accumulators_[i]->Add(arguments); !added.has_value())
      return std::unexpected(ErrorOf(*accumulators_[i], added.error()));
  }
  return {};
}

void RowGroup::KeepRow(const RowValues& row) {
  row_.now_s = row.now_s;
  for (size_t place = 0; place < row.values.size(); ++place) {
    if (!row.values[place].has_value()) continue;
    kept_[place] = *row.values[place];
    row_.values[place] = kept_[place];
  }
  for (size_t place = 0; place < row.times.size(); ++place) {
    row_.times[place] = row.times[place];
    kept_paths_[place].clear();
    kept_paths_[place].reserve(row.times[place].size());
    for (CellTimes& times : row_.times[place])
      times.path = kept_paths_[place].emplace_back(times.path);
  }
}

CqlResult<RowGroup::Result> RowGroup::Close() {
  is_open_ = false;
  results_.clear();
  for (const auto& accumulator : accumulators_) {
    FunctionResult value = accumulator->Finish();
    if (!value.has_value()) return std::unexpected(ErrorOf(*accumulator, value.error()));
    results_.push_back(TermValue::From(*std::move(value)));
  }
  return Result{row_, results_};
}

}  // namespace orrery::cassandra
