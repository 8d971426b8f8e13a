#include "api/sql/query/operator/aggregation.h"

#include <algorithm>

#include "api/sql/function/argument.h"
#include "api/sql/function/value_size.h"

namespace orrery::sql {
namespace {

using model::Value;

bool KeepsValues(Aggregate aggregate) {
  return aggregate == Aggregate::kMakeList || aggregate == Aggregate::kMakeSet;
}

}  // namespace

Aggregation::Aggregation(const BoundQuery& query) : query_(&query) {
  for (const BoundAggregate& aggregate : query.aggregates)
    accumulators_.push_back(StartAggregate(aggregate.aggregate));
}

Status Aggregation::AddRow(Frame& frame, KeptBytes& kept) {
  for (size_t i = 0; i < accumulators_.size(); ++i) {
    const BoundAggregate& aggregate = query_->aggregates[i];
    Value scratch;
    ORRERY_ASSIGN(const Value* value, aggregate.argument->Evaluate(frame, scratch));
    ORRERY_TRY(accumulators_[i]->Add(*value));
    if (KeepsValues(aggregate.aggregate)) ORRERY_TRY(kept.Add(ApproximateBytes(*value)));
  }
  return {};
}

Value Aggregation::Partials() const {
  model::Values partials;
  for (const auto& accumulator : accumulators_) {
    // What is undefined stays so: an aggregate that met null is undefined too.
    Value partial = accumulator->Partial();
    partials.push_back(partial.is_undefined() ? Value::Null() : std::move(partial));
  }
  return Value::Array(std::move(partials));
}

Status Aggregation::Merge(const Value& partials) {
  const model::Values* values = ArrayOf(partials);
  if (values == nullptr || values->size() != accumulators_.size())
    return Fail(Code::kInvalidArgument, "an aggregate's partial result is malformed");
  for (size_t i = 0; i < accumulators_.size(); ++i)
    ORRERY_TRY(accumulators_[i]->Merge((*values)[i]));
  return {};
}

std::vector<Value> Aggregation::Finals() const {
  std::vector<Value> finals;
  for (const auto& accumulator : accumulators_) finals.push_back(accumulator->Final());
  return finals;
}

bool HasSmallPartials(const BoundQuery& query) {
  return std::ranges::none_of(query.aggregates, [](const BoundAggregate& aggregate) {
    return KeepsValues(aggregate.aggregate);
  });
}

}  // namespace orrery::sql
