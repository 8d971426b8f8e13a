#include "api/sql/query/condition/condition_context.h"

#include "api/sql/document/document_form.h"

namespace orrery::sql {
namespace {

// Returns whether documents are stored with it.
bool IsStored(const query::DocumentPath& path) {
  return !path.steps.empty() &&
         (!IsSystemProperty(path.steps.front().name) || path.steps.front().name == kTimeProperty);
}

}  // namespace

bool ConditionContext::IsComputed(const query::DocumentPath& path) const {
  return !path.steps.empty() && !path.steps.front().is_element &&
         computed.Find(path.steps.front().name) != nullptr;
}

bool ConditionContext::IsBeyondIndexes(const query::DocumentPath& path) const {
  if (!IsStored(path)) return true;
  if (!IsComputed(path)) return false;
  if (schema == nullptr) return true;
  const ComputedProperty& property = *computed.Find(path.steps.front().name);
  const auto has = [&](const item::IndexPolicy& policy) {
    const item::ComputedDefinition* indexed = policy.FindComputed(property.name);
    return indexed != nullptr && indexed->definition == property.query;
  };
  return !has(schema->indexing) ||
         (schema->former_indexing.has_value() && !has(*schema->former_indexing));
}

}  // namespace orrery::sql
