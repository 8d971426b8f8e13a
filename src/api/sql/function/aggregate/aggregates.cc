// Maps names to aggregates, and aggregates to accumulators.
#include <algorithm>
#include <iterator>
#include <string>

#include "api/sql/function/aggregate/accumulators.h"
#include "model/aggregate/grouping.h"
#include "model/aggregate/sql_accumulators.h"

namespace orrery::sql {
namespace {

struct Entry {
  std::string_view name;
  std::string_view plan_name;
  std::unique_ptr<Accumulator> (*start)();
  std::optional<model::AggregateOperator> at_owner = {};
};

class StartedAggregate final : public query::AggregateFunction {
 public:
  explicit StartedAggregate(Aggregate aggregate) : aggregate_(aggregate) {}
  std::unique_ptr<Accumulator> Start() const override { return StartAggregate(aggregate_); }
  bool keeps_values() const override {
    return aggregate_ == Aggregate::kMakeList || aggregate_ == Aggregate::kMakeSet;
  }

 private:
  const Aggregate aggregate_;
};

// By the value of Aggregate.
constexpr Entry kEntries[] = {
    {"COUNT", "Count", model::sql::StartCount, model::AggregateOperator::kSqlCount},
    {"COUNTIF", "CountIf", model::sql::StartCountIf, model::AggregateOperator::kSqlCountIf},
    {"SUM", "Sum", model::sql::StartSum, model::AggregateOperator::kSqlSum},
    {"AVG", "Average", model::sql::StartAverage, model::AggregateOperator::kSqlAverage},
    {"MIN", "Min", model::sql::StartMin, model::AggregateOperator::kSqlMin},
    {"MAX", "Max", model::sql::StartMax, model::AggregateOperator::kSqlMax},
    {"MAKELIST", "MakeList", StartList},
    {"MAKESET", "MakeSet", StartSet},
};

const Entry& EntryOf(Aggregate aggregate) { return kEntries[static_cast<size_t>(aggregate)]; }

}  // namespace

std::optional<Aggregate> FindAggregate(std::string_view name) {
  const auto upper = [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  };
  const auto* found = std::ranges::find_if(kEntries, [&](const Entry& entry) {
    return std::ranges::equal(name, entry.name, {}, upper);
  });
  if (found == std::end(kEntries)) return std::nullopt;
  return static_cast<Aggregate>(found - std::begin(kEntries));
}

std::string_view PlanNameOf(Aggregate aggregate) { return EntryOf(aggregate).plan_name; }

std::optional<model::AggregateOperator> OwnerOperatorOf(Aggregate aggregate) {
  return EntryOf(aggregate).at_owner;
}

const query::AggregateFunction& AggregateFunctionOf(Aggregate aggregate) {
  static const StartedAggregate kFunctions[] = {
      StartedAggregate(Aggregate::kCount),    StartedAggregate(Aggregate::kCountIf),
      StartedAggregate(Aggregate::kSum),      StartedAggregate(Aggregate::kAverage),
      StartedAggregate(Aggregate::kMin),      StartedAggregate(Aggregate::kMax),
      StartedAggregate(Aggregate::kMakeList), StartedAggregate(Aggregate::kMakeSet)};
  static_assert(std::size(kFunctions) == std::size(kEntries));
  return kFunctions[static_cast<size_t>(aggregate)];
}

std::unique_ptr<Accumulator> StartAggregate(Aggregate aggregate) {
  return EntryOf(aggregate).start();
}

}  // namespace orrery::sql
