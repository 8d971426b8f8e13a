#include "api/cassandra/planner/restriction/relation_planner.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/cassandra/parser/print/print.h"

namespace orrery::cassandra {
namespace {

using Op = ast::RelationOperator;
using Kind = ColumnRestriction::Kind;

bool IsSlice(Op op) {
  return op == Op::kLess || op == Op::kLessOrEqual || op == Op::kGreater ||
         op == Op::kGreaterOrEqual;
}

CqlStatus CheckNoDuration(const Type& type) {
  if (!type.ReferencesDuration()) return {};
  if (type.is_collection())
    return Invalid("Slice restrictions are not supported on collections containing durations");
  if (type.kind() == TypeKind::kTuple)
    return Invalid("Slice restrictions are not supported on tuples containing durations");
  if (type.kind() == TypeKind::kUdt)
    return Invalid("Slice restrictions are not supported on UDTs containing durations");
  return Invalid("Slice restrictions are not supported on duration columns");
}

// Checks that the operator suits the column's type. `entry`: it is about column[key].
CqlStatus CheckOperator(const Column& column, Op op, bool entry) {
  const Type& type = *column.type;
  if (op == Op::kContainsKey && type.kind() != TypeKind::kMap) {
    return Invalid(fmt::format("Cannot use CONTAINS KEY on non-map column {}", column.name));
  }
  if (op == Op::kContains && !type.is_collection()) {
    return Invalid(fmt::format("Cannot use CONTAINS on non-collection column {}", column.name));
  }
  if (entry) {
    if (type.kind() == TypeKind::kList) {
      return Invalid(fmt::format(
          "Indexes on list entries ({}[index] = value) are not currently supported.", column.name));
    }
    if (type.kind() != TypeKind::kMap)
      return Invalid(fmt::format("Column {} cannot be used as a map", column.name));
    if (!type.is_multi_cell()) {
      return Invalid(fmt::format(
          "Map-entry equality predicates on frozen map column {} are not supported", column.name));
    }
    if (op != Op::kEqual) return Invalid("Only EQ relations are supported on map entries");
  }
  if (type.kind() == TypeKind::kUdt && type.is_multi_cell()) {
    return Invalid(
        fmt::format("Non-frozen UDT column '{}' ({}) cannot be restricted by any relation",
                    column.name, type.CqlName()));
  }
  const bool by_element = op == Op::kContains || op == Op::kContainsKey || entry;
  if (type.is_collection() && type.is_multi_cell() && !by_element) {
    return Invalid(
        fmt::format("Collection column '{}' ({}) cannot be restricted by a '{}' relation",
                    column.name, type.CqlName(), ast::OperatorText(op)));
  }
  return {};
}

// "a, b" or "a,b".
std::string Join(const std::vector<const Column*>& columns, std::string_view separator) {
  std::string names;
  for (const Column* column : columns) {
    if (!names.empty()) names += separator;
    names += column->name;
  }
  return names;
}

CqlResult<TypePtr> TupleOfColumns(const std::vector<const Column*>& columns) {
  TypeList types;
  for (const Column* column : columns) types.push_back(column->type);
  CQL_ASSIGN(TypePtr type, Type::Tuple(std::move(types)));
  return type;
}

Kind KindOf(Op op) {
  if (op == Op::kEqual) return Kind::kEqual;
  return op == Op::kIn ? Kind::kIn : Kind::kSlice;
}

}  // namespace

CqlResult<const Column*> RequireColumn(const Table& table, const ast::Name& name) {
  const Column* const column = table.Find(name.text);
  if (column != nullptr) return column;
  return Invalid(fmt::format("Undefined column name {} in table {}.{}", PrintName(name.text),
                             PrintName(table.keyspace), PrintName(table.name)));
}

CqlResult<ColumnRestriction> RelationPlanner::Plan(const ast::Relation& relation) {
  if (const auto* name = std::get_if<ast::Name>(&relation.left)) return PlanColumn(*name, relation);
  if (const auto* entry = std::get_if<ast::MapEntry>(&relation.left))
    return PlanEntry(*entry, relation);
  return PlanTuple(std::get<ast::ColumnTuple>(relation.left), relation);
}

CqlResult<ColumnRestriction> RelationPlanner::PlanColumn(const ast::Name& name,
                                                         const ast::Relation& relation) {
  CQL_ASSIGN(const Column* column, RequireColumn(table_, name));
  if (IsSlice(relation.op)) CQL_TRY(CheckNoDuration(*column->type));
  CQL_TRY(CheckOperator(*column, relation.op, /*entry=*/false));
  ColumnRestriction restriction;
  restriction.columns = {column};
  if (relation.op == Op::kLike) {
    restriction.kind = Kind::kLike;
    CQL_ASSIGN(restriction.like,
               terms_.PlanValue(std::get<ast::Term>(relation.right), ReceiverOf(table_, *column)));
    return restriction;
  }
  if (relation.op != Op::kContains && relation.op != Op::kContainsKey) {
    return Finish(std::move(restriction), relation);
  }
  restriction.kind = Kind::kContains;
  ContainsTest& test = restriction.contains.emplace_back();
  const bool of_key = relation.op == Op::kContainsKey;
  const TypeList& parts = column->type->parameters();
  const Receiver receiver = PartOf(ReceiverOf(table_, *column),
                                   fmt::format("{}({})", of_key ? "key" : "value", column->name),
                                   of_key ? parts.front() : parts.back());
  CQL_ASSIGN((of_key ? test.key : test.value),
             terms_.PlanValue(std::get<ast::Term>(relation.right), receiver));
  return restriction;
}

CqlResult<ColumnRestriction> RelationPlanner::PlanEntry(const ast::MapEntry& entry,
                                                        const ast::Relation& relation) {
  CQL_ASSIGN(const Column* column, RequireColumn(table_, entry.column));
  CQL_TRY(CheckOperator(*column, relation.op, /*entry=*/true));
  const Receiver map = ReceiverOf(table_, *column);
  const TypeList& parts = column->type->parameters();
  ColumnRestriction restriction;
  restriction.columns = {column};
  restriction.kind = Kind::kContains;
  ContainsTest& test = restriction.contains.emplace_back();
  CQL_ASSIGN(test.key, terms_.PlanValue(entry.key, PartOf(map, fmt::format("key({})", column->name),
                                                          parts.front())));
  CQL_ASSIGN(test.value,
             terms_.PlanValue(std::get<ast::Term>(relation.right),
                              PartOf(map, fmt::format("value({})", column->name), parts.back())));
  return restriction;
}

CqlResult<ColumnRestriction> RelationPlanner::PlanTuple(const ast::ColumnTuple& tuple,
                                                        const ast::Relation& relation) {
  ColumnRestriction restriction;
  restriction.is_tuple = true;
  for (const ast::Name& name : tuple.columns) {
    CQL_ASSIGN(const Column* column, RequireColumn(table_, name));
    if (!column->is_clustering()) {
      return Invalid(fmt::format(
          "Multi-column relations can only be applied to clustering columns but was applied to: {}",
          column->name));
    }
    if (std::ranges::find(restriction.columns, column) != restriction.columns.end()) {
      return Invalid(fmt::format("Column \"{}\" appeared twice in a relation: {}", column->name,
                                 PrintRelation(relation)));
    }
    if (!restriction.columns.empty() && column->position != restriction.last().position + 1) {
      return Invalid(fmt::format(
          "Clustering columns must appear in the PRIMARY KEY order in multi-column relations: {}",
          PrintRelation(relation)));
    }
    restriction.columns.push_back(column);
  }
  return Finish(std::move(restriction), relation);
}

CqlResult<ColumnRestriction> RelationPlanner::Finish(ColumnRestriction restriction,
                                                     const ast::Relation& relation) {
  restriction.kind = KindOf(relation.op);
  if (restriction.kind == Kind::kIn) return FinishIn(std::move(restriction), relation);
  CQL_ASSIGN(ComparedValue value, PlanCompared(restriction, std::get<ast::Term>(relation.right)));
  switch (relation.op) {
    case Op::kEqual:
      restriction.equal = std::move(value);
      break;
    case Op::kLess:
    case Op::kLessOrEqual:
      restriction.upper = SliceBound{std::move(value), relation.op == Op::kLessOrEqual};
      break;
    default:
      restriction.lower = SliceBound{std::move(value), relation.op == Op::kGreaterOrEqual};
      break;
  }
  NotePartitionKey(restriction);
  return restriction;
}

CqlResult<ColumnRestriction> RelationPlanner::FinishIn(ColumnRestriction restriction,
                                                       const ast::Relation& relation) {
  const Receiver first = ReceiverOf(table_, restriction.first());
  if (const auto* marker = std::get_if<ast::Term>(&relation.right)) {
    TypePtr element = restriction.first().type;
    if (restriction.is_tuple) {
      CQL_ASSIGN(element, TupleOfColumns(restriction.columns));
    }
    CQL_ASSIGN(TypePtr list, Type::List(Freeze(element), Cells::kFrozen));
    const Receiver receiver =
        PartOf(first, fmt::format("in({})", Join(restriction.columns, ",")), std::move(list));
    CQL_ASSIGN(restriction.in_marker, terms_.PlanValue(*marker, receiver));
    return restriction;
  }
  const auto& values = std::get<std::vector<ast::Term>>(relation.right);
  for (const ast::Term& term : values) {
    CQL_ASSIGN(ComparedValue value, PlanCompared(restriction, term));
    restriction.in.push_back(std::move(value));
  }
  if (values.size() != 1) return restriction;
  restriction.kind = Kind::kEqual;
  restriction.equal = std::move(restriction.in.front());
  restriction.in.clear();
  NotePartitionKey(restriction);
  return restriction;
}

CqlResult<ComparedValue> RelationPlanner::PlanCompared(const ColumnRestriction& restriction,
                                                       const ast::Term& term) {
  ComparedValue value;
  if (!restriction.is_tuple) {
    CQL_ASSIGN(ExpressionPtr component,
               terms_.PlanValue(term, ReceiverOf(table_, restriction.first())));
    value.components.push_back(std::move(component));
    return value;
  }
  if (const auto* tuple = term.As<ast::TupleLiteral>()) {
    if (tuple->elements.size() != restriction.columns.size()) {
      return Invalid(fmt::format("Expected {} elements in value tuple, but got {}: {}",
                                 restriction.columns.size(), tuple->elements.size(),
                                 PrintTerm(term)));
    }
    for (size_t i = 0; i < tuple->elements.size(); ++i) {
      CQL_ASSIGN(ExpressionPtr component,
                 terms_.PlanValue(tuple->elements[i], ReceiverOf(table_, *restriction.columns[i])));
      value.components.push_back(std::move(component));
    }
    return value;
  }
  CQL_ASSIGN(TypePtr type, TupleOfColumns(restriction.columns));
  const Receiver receiver =
      PartOf(ReceiverOf(table_, restriction.first()),
             fmt::format("({})", Join(restriction.columns, ",")), std::move(type));
  CQL_ASSIGN(ExpressionPtr whole, terms_.PlanValue(term, receiver));
  value.components.push_back(std::move(whole));
  value.is_whole_tuple = true;
  return value;
}

void RelationPlanner::NotePartitionKey(const ColumnRestriction& restriction) {
  const Column& column = restriction.first();
  if (!column.is_partition_key() || !restriction.is_equal()) return;
  const auto marker = restriction.equal.components.front()->marker();
  if (marker.has_value()) variables_.SetPartitionKey(*marker, column.position);
}

}  // namespace orrery::cassandra
