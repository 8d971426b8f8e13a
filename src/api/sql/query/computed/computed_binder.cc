#include "api/sql/query/computed/computed_binder.h"

#include <utility>

#include "api/sql/query/computed/computed_definition.h"

namespace orrery::sql {
namespace {

// One expression in all places that name it: a query may do so thousands of times.
class SharedExpression final : public BoundExpression {
 public:
  explicit SharedExpression(std::shared_ptr<const BoundExpression> value)
      : value_(std::move(value)) {}

  Result<const model::Value*> Evaluate(Frame& frame, model::Value& scratch) const override {
    return value_->Evaluate(frame, scratch);
  }

 private:
  const std::shared_ptr<const BoundExpression> value_;
};

}  // namespace

Parsed<BoundExpressionPtr> ComputedBinder::BindProperty(uint32_t slot, std::string_view name) {
  if (slot != documents_) return nullptr;
  const ComputedProperty* property = properties_.Find(name);
  if (property == nullptr) return nullptr;
  auto found = bound_.find(name);
  if (found == bound_.end()) {
    Parsed<ComputedDefinition> definition = ParseComputedDefinition(property->query, functions_);
    if (!definition.has_value()) return std::unexpected(std::move(definition).error());
    Scope scope;
    scope.Add(definition->alias, slot);
    Parsed<BoundExpressionPtr> bound = Bind(definition->value, {.text = property->query,
                                                                .scope = scope,
                                                                .parameters = Parameters(),
                                                                .functions = functions_});
    if (!bound.has_value()) return std::unexpected(std::move(bound).error());
    found = bound_.emplace(name, *std::move(bound)).first;
  }
  return std::make_unique<SharedExpression>(found->second);
}

}  // namespace orrery::sql
