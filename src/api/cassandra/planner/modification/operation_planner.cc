#include "api/cassandra/planner/modification/operation_planner.h"

#include <fmt/core.h>

#include <algorithm>

#include "api/cassandra/parser/print/print.h"

namespace orrery::cassandra {
namespace {

std::string TextOf(const ast::Assignment& assignment) {
  const std::string column = PrintName(assignment.column.text);
  const std::string value = PrintTerm(assignment.value);
  if (const auto* key = std::get_if<ast::Term>(&assignment.part))
    return fmt::format("{}[{}] = {}", column, PrintTerm(*key), value);
  if (const auto* field = std::get_if<ast::Name>(&assignment.part))
    return fmt::format("{}.{} = {}", column, field->text, value);
  switch (assignment.kind) {
    case ast::AssignmentKind::kSet:
      return fmt::format("{} = {}", column, value);
    case ast::AssignmentKind::kAdd:
      return fmt::format("{} = {} + {}", column, column, value);
    case ast::AssignmentKind::kSubtract:
      return fmt::format("{} = {} - {}", column, column, value);
    case ast::AssignmentKind::kPrepend:
      return fmt::format("{} = {} + {}", column, value, column);
  }
  return column;
}

std::unexpected<CqlError> WrongOperation(const ast::Assignment& assignment, std::string_view why) {
  return Invalid(fmt::format("Invalid operation ({}) for {} column {}", TextOf(assignment), why,
                             assignment.column.text));
}

CqlResult<size_t> FindField(const Column& column, const ast::Name& field) {
  const auto& names = column.type->udt().field_names;
  const auto found = std::ranges::find(names, field.text);
  if (found == names.end()) {
    return Invalid(
        fmt::format("UDT column {} does not have a field named {}", column.name, field.text));
  }
  return static_cast<size_t>(found - names.begin());
}

// Returns the receiver of the key of an element.
Receiver KeyReceiver(const Table& table, const Column& column) {
  const Receiver whole = ReceiverOf(table, column);
  if (column.type->kind() == TypeKind::kList)
    return PartOf(whole, fmt::format("idx({})", column.name), Type::Native(TypeKind::kInt));
  const char* const what = column.type->kind() == TypeKind::kMap ? "key({})" : "value({})";
  return PartOf(whole, fmt::format(fmt::runtime(what), column.name), column.type->parameters()[0]);
}

}  // namespace

CqlResult<ExpressionPtr> OperationPlanner::PlanColumnValue(const Column& column,
                                                           const ast::Term& value) {
  return terms_.PlanValue(value, ReceiverOf(table_, column));
}

CqlResult<ColumnOperation> OperationPlanner::PlanInsertion(const Column& column,
                                                           const ast::Term& value) {
  if (column.is_counter()) {
    if (value.As<ast::Null>() != nullptr)
      return Invalid("Invalid null value for counter increment/decrement");
    return Invalid(
        fmt::format("Cannot set the value of counter column {} (counters can only be "
                    "incremented/decremented, not set)",
                    column.name));
  }
  ColumnOperation operation;
  operation.column = &column;
  CQL_ASSIGN(operation.value, PlanColumnValue(column, value));
  return operation;
}

CqlResult<ColumnOperation> OperationPlanner::PlanAssignment(const ast::Assignment& assignment) {
  const Column* column = table_.Find(assignment.column.text);
  if (column == nullptr) {
    return Invalid(fmt::format("Undefined column name {} in table {}.{}",
                               PrintName(assignment.column.text), table_.keyspace, table_.name));
  }
  if (column->is_key())
    return Invalid(fmt::format("PRIMARY KEY part {} found in SET part", column->name));
  if (const auto* key = std::get_if<ast::Term>(&assignment.part))
    return PlanElement(*column, *key, assignment);
  if (const auto* field = std::get_if<ast::Name>(&assignment.part))
    return PlanField(*column, *field, assignment);
  if (assignment.kind == ast::AssignmentKind::kSet) return PlanSet(*column, assignment);
  return PlanChange(*column, assignment);
}

CqlResult<ColumnOperation> OperationPlanner::PlanSet(const Column& column,
                                                     const ast::Assignment& assignment) {
  return PlanInsertion(column, assignment.value);
}

CqlResult<ColumnOperation> OperationPlanner::PlanElement(const Column& column, const ast::Term& key,
                                                         const ast::Assignment& assignment) {
  const Type& type = *column.type;
  if (!type.is_collection()) return WrongOperation(assignment, "non collection");
  if (!type.is_multi_cell()) return WrongOperation(assignment, "frozen collection");
  if (type.kind() == TypeKind::kSet) return WrongOperation(assignment, "set");
  ColumnOperation operation;
  operation.column = &column;
  operation.kind = OperationKind::kPutElement;
  CQL_ASSIGN(operation.key, terms_.PlanValue(key, KeyReceiver(table_, column)));
  CQL_ASSIGN(operation.value,
             terms_.PlanValue(assignment.value, PartOf(ReceiverOf(table_, column),
                                                       fmt::format("value({})", column.name),
                                                       type.parameters().back())));
  return operation;
}

CqlResult<ColumnOperation> OperationPlanner::PlanField(const Column& column, const ast::Name& field,
                                                       const ast::Assignment& assignment) {
  if (column.type->kind() != TypeKind::kUdt) return WrongOperation(assignment, "non-UDT");
  if (!column.type->is_multi_cell()) return WrongOperation(assignment, "frozen UDT");
  ColumnOperation operation;
  operation.column = &column;
  operation.kind = OperationKind::kPutField;
  CQL_ASSIGN(operation.field, FindField(column, field));
  CQL_ASSIGN(operation.value, terms_.PlanValue(assignment.value,
                                               PartOf(ReceiverOf(table_, column),
                                                      fmt::format("{}.{}", column.name, field.text),
                                                      column.type->parameters()[operation.field])));
  return operation;
}

CqlResult<ColumnOperation> OperationPlanner::PlanChange(const Column& column,
                                                        const ast::Assignment& assignment) {
  const Type& type = *column.type;
  const bool subtracts = assignment.kind == ast::AssignmentKind::kSubtract;
  ColumnOperation operation;
  operation.column = &column;
  Receiver receiver = ReceiverOf(table_, column);
  if (assignment.kind == ast::AssignmentKind::kPrepend) {
    if (type.kind() != TypeKind::kList) return WrongOperation(assignment, "non list");
    if (!type.is_multi_cell()) return WrongOperation(assignment, "frozen list");
    operation.kind = OperationKind::kPrepend;
  } else if (!type.is_collection()) {
    if (type.kind() == TypeKind::kTuple || type.kind() == TypeKind::kUdt)
      return WrongOperation(assignment, "tuple");
    if (!column.is_counter()) return WrongOperation(assignment, "non counter");
    operation.kind = subtracts ? OperationKind::kCountDown : OperationKind::kCount;
  } else if (!type.is_multi_cell()) {
    return WrongOperation(assignment, "frozen collection");
  } else {
    operation.kind = subtracts ? OperationKind::kDiscard : OperationKind::kAppend;
  }
  if (operation.kind == OperationKind::kDiscard && type.kind() == TypeKind::kMap) {
    CQL_ASSIGN(receiver.type, Type::Set(type.parameters()[0], Cells::kFrozen));
  }
  auto value = terms_.PlanValue(assignment.value, receiver);
  if (!value.has_value() && type.kind() == TypeKind::kMap) {
    return Invalid(fmt::format("Value for a map {} has to be a {}, but was: '{}'",
                               subtracts ? "substraction" : "addition", subtracts ? "set" : "map",
                               PrintTerm(assignment.value)));
  }
  CQL_ASSIGN(operation.value, std::move(value));
  return operation;
}

CqlResult<ColumnOperation> OperationPlanner::PlanDeletion(const ast::Deletion& deletion) {
  const Column* column = table_.Find(deletion.column.text);
  if (column == nullptr) {
    return Invalid(fmt::format("Undefined column name {} in table {}.{}",
                               PrintName(deletion.column.text), table_.keyspace, table_.name));
  }
  if (column->is_key()) {
    return Invalid(
        fmt::format("Invalid identifier {} for deletion (should not be a PRIMARY KEY "
                    "part)",
                    column->name));
  }
  ColumnOperation operation;
  operation.column = column;
  operation.kind = OperationKind::kRemove;
  if (const auto* key = std::get_if<ast::Term>(&deletion.part)) {
    if (!column->type->is_collection()) {
      return Invalid(
          fmt::format("Invalid deletion operation for non collection column {}", column->name));
    }
    if (!column->type->is_multi_cell()) {
      return Invalid(
          fmt::format("Invalid deletion operation for frozen collection column {}", column->name));
    }
    operation.kind = OperationKind::kRemoveElement;
    CQL_ASSIGN(operation.key, terms_.PlanValue(*key, KeyReceiver(table_, *column)));
  } else if (const auto* field = std::get_if<ast::Name>(&deletion.part)) {
    if (column->type->kind() != TypeKind::kUdt) {
      return Invalid(
          fmt::format("Invalid field deletion operation for non-UDT column {}", column->name));
    }
    if (!column->type->is_multi_cell()) {
      return Invalid(
          fmt::format("Frozen UDT column {} does not support field deletions", column->name));
    }
    operation.kind = OperationKind::kPutField;
    CQL_ASSIGN(operation.field, FindField(*column, *field));
  }
  return operation;
}

}  // namespace orrery::cassandra
