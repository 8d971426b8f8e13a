#include "api/sql/query/condition/constant.h"

#include "api/sql/evaluate/binder.h"

namespace orrery::sql {

std::optional<model::Value> ConstantOf(const ast::Expression& expression,
                                       const ConditionContext& context) {
  const Scope nothing;
  const auto bound = Bind(expression, {.text = context.text,
                                       .scope = nothing,
                                       .parameters = context.parameters,
                                       .functions = context.functions});
  if (!bound.has_value() || (*bound)->constant() == nullptr) return std::nullopt;
  return *(*bound)->constant();
}

}  // namespace orrery::sql
