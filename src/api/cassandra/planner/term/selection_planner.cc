// Plans what only a selection may have: columns, their parts, and the attributes of their cells.
#include <fmt/core.h>

#include <algorithm>

#include "api/cassandra/parser/print/print.h"
#include "api/cassandra/planner/term/column_nodes.h"
#include "api/cassandra/planner/term/term_planner.h"

namespace orrery::cassandra {
namespace {

std::string_view AttributeName(ast::CellAttributeKind kind) {
  switch (kind) {
    case ast::CellAttributeKind::kWritetime:
      return "writeTime";
    case ast::CellAttributeKind::kMaxWritetime:
      return "maxwritetime";
    case ast::CellAttributeKind::kTtl:
      return "ttl";
  }
  return "";
}

const ast::Term& ColumnUnder(const ast::Term& cell) {
  if (const auto* element = cell.As<ast::ElementAccess>()) return *element->collection;
  if (const auto* slice = cell.As<ast::SliceAccess>()) return *slice->collection;
  if (const auto* field = cell.As<ast::FieldAccess>()) return *field->value;
  return cell;
}

CqlResult<size_t> FindField(const Type& type, const ast::Term& value, const std::string& field) {
  if (type.kind() != TypeKind::kUdt) {
    return Invalid(fmt::format("Invalid field selection: {} of type {} is not a user type",
                               PrintTerm(value), type.CqlName()));
  }
  const auto& names = type.udt().field_names;
  const auto found = std::ranges::find(names, field);
  if (found == names.end()) {
    return Invalid(
        fmt::format("{} of type {} has no field {}", PrintTerm(value), type.CqlName(), field));
  }
  return static_cast<size_t>(found - names.begin());
}

CqlStatus CheckSetOrMap(const Type& type, const ast::Term& collection, std::string_view what) {
  if (!type.is_collection()) {
    return Invalid(fmt::format("Invalid {} selection: {} is of type {} is not a collection", what,
                               PrintTerm(collection), type.CqlName()));
  }
  if (type.kind() == TypeKind::kList) {
    return Invalid(fmt::format("{} selection is only allowed on sets and maps, but {} is a list",
                               what == "element" ? "Element" : "Slice", PrintTerm(collection)));
  }
  return {};
}

}  // namespace

CqlResult<const Column*> TermPlanner::FindColumn(const std::string& name) const {
  const Column* column = table_ == nullptr ? nullptr : table_->Find(name);
  if (column != nullptr) return column;
  if (table_ == nullptr) return Invalid(fmt::format("Undefined name {} in a value", name));
  return Invalid(fmt::format("Undefined column name {} in table {}.{}", PrintName(name),
                             table_->keyspace, table_->name));
}

size_t TermPlanner::PlaceOf(const Column& column) const {
  return static_cast<size_t>(&column - table_->columns.data());
}

CqlResult<ExpressionPtr> TermPlanner::PlanColumn(const ast::ColumnReference& reference) {
  CQL_ASSIGN(const Column* column, FindColumn(reference.name));
  uses_[PlaceOf(*column)].value = true;
  return std::make_unique<ColumnExpression>(column->type, PlaceOf(*column));
}

CqlResult<ExpressionPtr> TermPlanner::PlanField(const ast::FieldAccess& access) {
  CQL_ASSIGN(ExpressionPtr value, PlanSelection(*access.value));
  CQL_ASSIGN(const size_t field, FindField(*value->type(), *access.value, access.field.text));
  TypePtr type = value->type()->udt().field_types[field];
  return std::make_unique<FieldExpression>(std::move(type), std::move(value), field);
}

CqlResult<ExpressionPtr> TermPlanner::PlanElement(const ast::ElementAccess& access) {
  CQL_ASSIGN(ExpressionPtr collection, PlanSelection(*access.collection));
  CQL_TRY(CheckSetOrMap(*collection->type(), *access.collection, "element"));
  CQL_ASSIGN(ExpressionPtr key, PlanFor(*access.key, collection->type()->parameters()[0],
                                        fmt::format("key({})", PrintTerm(*access.collection))));
  TypePtr type = collection->type()->parameters().back();
  return std::make_unique<ElementExpression>(std::move(type), std::move(collection),
                                             std::move(key));
}

CqlResult<ExpressionPtr> TermPlanner::PlanSlice(const ast::SliceAccess& access) {
  CQL_ASSIGN(ExpressionPtr collection, PlanSelection(*access.collection));
  CQL_TRY(CheckSetOrMap(*collection->type(), *access.collection, "slice"));
  const TypePtr& key_type = collection->type()->parameters()[0];
  const std::string name = PrintTerm(*access.collection);
  ExpressionPtr from;
  ExpressionPtr to;
  if (access.from != nullptr) {
    CQL_ASSIGN(from, PlanFor(*access.from, key_type, name));
  }
  if (access.to != nullptr) {
    CQL_ASSIGN(to, PlanFor(*access.to, key_type, name));
  }
  return std::make_unique<SliceExpression>(std::move(collection), std::move(from), std::move(to));
}

CqlResult<ExpressionPtr> TermPlanner::PlanAttribute(const ast::CellAttribute& attribute) {
  const ast::Term& cell = *attribute.cell;
  const auto* reference = ColumnUnder(cell).As<ast::ColumnReference>();
  if (reference == nullptr) {
    return Invalid(fmt::format("Cannot use selection function {} on {}",
                               AttributeName(attribute.kind), PrintTerm(cell)));
  }
  CQL_ASSIGN(const Column* column, FindColumn(reference->name));
  const std::string name(AttributeName(attribute.kind));
  if (column->is_key()) {
    return Invalid(
        fmt::format("Cannot use selection function {} on PRIMARY KEY part {}", name, column->name));
  }
  CellChoice cells;
  cells.place = PlaceOf(*column);
  uses_[cells.place].times = true;
  const Type& type = *column->type;
  if (const auto* field = cell.As<ast::FieldAccess>()) {
    CQL_ASSIGN(const size_t place, FindField(type, *field->value, field->field.text));
    if (type.is_multi_cell()) cells.field = FieldPath(place);
  } else if (const auto* element = cell.As<ast::ElementAccess>()) {
    CQL_TRY(CheckSetOrMap(type, *element->collection, "element"));
    if (type.is_multi_cell()) {
      CQL_ASSIGN(cells.element, PlanFor(*element->key, type.parameters()[0], column->name));
    }
  } else {
    cells.several = type.is_multi_cell();
    if (cells.several && attribute.kind != ast::CellAttributeKind::kMaxWritetime) {
      return Invalid(fmt::format("Cannot use selection function {} on non-frozen {} {}", name,
                                 type.is_collection() ? "collection" : "UDT", column->name));
    }
  }
  TypePtr result = Type::Native(attribute.kind == ast::CellAttributeKind::kTtl ? TypeKind::kInt
                                                                               : TypeKind::kBigint);
  return std::make_unique<AttributeExpression>(std::move(result), attribute.kind, std::move(cells));
}

}  // namespace orrery::cassandra
