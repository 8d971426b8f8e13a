#include "api/cassandra/planner/modification/column_operation.h"

#include <fmt/core.h>

namespace orrery::cassandra {

bool ColumnOperation::reads() const {
  if (column->type->kind() != TypeKind::kList) return false;
  return kind == OperationKind::kDiscard || kind == OperationKind::kPutElement ||
         kind == OperationKind::kRemoveElement;
}

namespace {

CqlStatus CheckKey(const ColumnOperation& operation, const TermValue& key) {
  const TypeKind kind = operation.column->type->kind();
  const bool unset = key.is_unset();
  // An int may also be empty, which is no index.
  if (key.has_value() && (kind != TypeKind::kList || !key.bytes.empty())) return {};
  if (kind == TypeKind::kList) {
    return Invalid(unset ? "Invalid unset value for list index"
                         : "Invalid null value for list index");
  }
  if (operation.kind == OperationKind::kRemoveElement && kind == TypeKind::kSet) {
    return Invalid(unset ? "Invalid unset set element" : "Invalid null set element");
  }
  return Invalid(unset ? "Invalid unset map key" : "Invalid null map key");
}

}  // namespace

CqlResult<std::vector<BoundOperation>> BindOperations(
    const std::vector<ColumnOperation>& operations, const Evaluation& evaluation) {
  std::vector<BoundOperation> bound;
  bound.reserve(operations.size());
  for (const ColumnOperation& operation : operations) {
    BoundOperation each;
    each.operation = &operation;
    if (operation.key != nullptr) {
      CQL_ASSIGN(each.key, operation.key->Evaluate(evaluation));
      // "DELETE l[?]" without an index deletes nothing.
      if (each.key.is_unset() && operation.kind == OperationKind::kRemoveElement &&
          operation.column->type->kind() == TypeKind::kList) {
        continue;
      }
      CQL_TRY(CheckKey(operation, each.key));
    }
    if (operation.value != nullptr) {
      CQL_ASSIGN(each.value, operation.value->Evaluate(evaluation));
      if (each.value.is_unset()) continue;
      // Empty bytes are a valid counter value, but nothing to count by.
      if (operation.column->is_counter() && each.value.bytes.empty())
        return Invalid("Invalid null value for counter increment/decrement");
    }
    bound.push_back(std::move(each));
  }
  return bound;
}

}  // namespace orrery::cassandra
