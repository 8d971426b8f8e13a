// Binds the computed properties that a query names, each once.
//
// Lives while one query is bound, on one thread; what it has bound outlives it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "api/sql/evaluate/binder.h"
#include "api/sql/query/computed/computed_properties.h"

namespace orrery::sql {

class ComputedBinder final : public PropertyBinder {
 public:
  // Both must outlive the binder.
  ComputedBinder(const ComputedProperties& properties, const FunctionRegistry& functions)
      : properties_(properties), functions_(functions) {}

  // In which slot documents are: only there names mean computed properties. Before it is said none
  // do.
  void SetDocuments(uint32_t slot) { documents_ = slot; }

  Parsed<BoundExpressionPtr> BindProperty(uint32_t slot, std::string_view name) override;

 private:
  const ComputedProperties& properties_;
  const FunctionRegistry& functions_;
  std::optional<uint32_t> documents_;
  std::map<std::string, std::shared_ptr<const BoundExpression>, std::less<>> bound_;
};

}  // namespace orrery::sql
