#include "query/operator/aggregation.h"

#include <algorithm>

#include "model/value_size.h"

namespace orrery::query {
namespace {

using model::Value;

}  // namespace

Aggregation::Aggregation(const OperatorPlan& plan) : plan_(&plan) {
  for (const AggregateStep& aggregate : plan.aggregates)
    accumulators_.push_back(aggregate.function->Start());
}

Status Aggregation::AddRow(Frame& frame, KeptBytes& kept) {
  for (size_t i = 0; i < accumulators_.size(); ++i) {
    const AggregateStep& aggregate = plan_->aggregates[i];
    Value scratch;
    ORRERY_ASSIGN(const Value* value, aggregate.argument->Evaluate(frame, scratch));
    ORRERY_TRY(accumulators_[i]->Add(*value));
    if (aggregate.function->keeps_values()) ORRERY_TRY(kept.Add(model::ApproximateBytes(*value)));
  }
  return {};
}

Value Aggregation::Partials() const {
  model::Values partials;
  for (const auto& accumulator : accumulators_) {
    // Undefined stays undefined: an aggregate that met null is undefined too.
    Value partial = accumulator->Partial();
    partials.push_back(partial.is_undefined() ? Value::Null() : std::move(partial));
  }
  return Value::Array(std::move(partials));
}

Status Aggregation::Merge(const Value& partials) {
  const model::Values* values =
      partials.kind() == model::Kind::kArray ? &partials.AsValues() : nullptr;
  if (values == nullptr || values->size() != accumulators_.size())
    return Fail(Code::kInvalidArgument, "an aggregate's partial result is malformed");
  for (size_t i = 0; i < accumulators_.size(); ++i)
    ORRERY_TRY(accumulators_[i]->Merge((*values)[i]));
  return {};
}

Status Aggregation::MergeGroup(const model::PartialGroup& group) {
  Status merged = Merge(group.partials);
  if (merged.has_value() || merged.error().code() != Code::kInvalidArgument) return merged;
  return Fail(Code::kInternal, merged.error().message());
}

Result<model::PartialGroup> GroupInSlots(const OperatorPlan& plan, const Frame& frame) {
  return model::ReadPartialGroup(*frame.slots[plan.sources.front().slot], plan.group_by.size());
}

std::vector<Value> Aggregation::Finals() const {
  std::vector<Value> finals;
  for (const auto& accumulator : accumulators_) finals.push_back(accumulator->Final());
  return finals;
}

bool HasSmallPartials(const OperatorPlan& plan) {
  return std::ranges::none_of(plan.aggregates, [](const AggregateStep& aggregate) {
    return aggregate.function->keeps_values();
  });
}

}  // namespace orrery::query
