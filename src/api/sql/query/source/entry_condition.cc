#include "api/sql/query/source/entry_condition.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "api/sql/evaluate/binder.h"

namespace orrery::sql {

query::EntryFilter::Condition EntryConditionOf(const query::IndexOnlyScan& scan,
                                               const FoundReads& reads,
                                               const ConditionContext& context,
                                               const CallContext& calls) {
  Scope scope;
  scope.Add(reads.alias, 0);
  auto conditions = std::make_shared<std::vector<BoundExpressionPtr>>();
  for (const size_t conjunct : scan.conjuncts) {
    auto bound = Bind(*reads.conjuncts[conjunct], {.text = context.text,
                                                   .scope = scope,
                                                   .parameters = context.parameters,
                                                   .functions = context.functions});
    if (bound.has_value()) conditions->push_back(*std::move(bound));
  }
  return [conditions = std::move(conditions), &calls](const model::Value& document) {
    const model::Value* const slots[] = {&document};
    const FrameContext frame_context(calls);
    Frame frame{slots, frame_context};
    return std::ranges::all_of(*conditions, [&](const BoundExpressionPtr& condition) {
      const auto holds = Holds(*condition, frame);
      return !holds.has_value() || *holds == Truth::kTrue;
    });
  };
}

}  // namespace orrery::sql
