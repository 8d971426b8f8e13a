// Literals and markers: what they become where a type is wanted, and whether they fit one.
#include <fmt/core.h>

#include <algorithm>

#include "api/cassandra/parser/print/print.h"
#include "api/cassandra/planner/term/literal_nodes.h"
#include "api/cassandra/planner/term/term_planner.h"
#include "api/cassandra/planner/term/value_nodes.h"
#include "api/cassandra/types/literal.h"

namespace orrery::cassandra {
namespace {

std::unexpected<CqlError> WrongLiteral(std::string_view what, const Receiver& receiver) {
  return Invalid(fmt::format("Invalid {} literal for {} of type {}", what, receiver.name,
                             receiver.type->CqlName()));
}

std::unexpected<CqlError> WrongPart(std::string_view what, const Receiver& receiver,
                                    std::string_view part, const ast::Term& term,
                                    const Type& wanted) {
  return Invalid(fmt::format("Invalid {} literal for {}: {} {} is not of type {}", what,
                             receiver.name, part, PrintTerm(term), wanted.CqlName()));
}

template <typename Terms>
Assignability TestAll(TermPlanner& planner, const Terms& terms, const Type& type) {
  Assignability worst = Assignability::kExact;
  for (const ast::Term& term : terms) worst = std::min(worst, planner.Test(term, type));
  // Nothing tells of what an empty literal is empty.
  return terms.empty() ? Assignability::kWeak : worst;
}

const ast::UdtLiteralField* FindField(const ast::UdtLiteral& literal, std::string_view name) {
  const auto found = std::ranges::find_if(
      literal.fields, [&](const ast::UdtLiteralField& field) { return field.name.text == name; });
  return found == literal.fields.end() ? nullptr : &*found;
}

}  // namespace

TypePtr PreferredTypeOf(const ast::Term& term) {
  const auto* constant = term.As<ast::Constant>();
  return constant == nullptr ? nullptr : PreferredType(ToConstant(*constant));
}

CqlResult<ExpressionPtr> TermPlanner::PlanConstant(const ast::Constant& constant,
                                                   const Receiver& receiver) {
  CQL_ASSIGN(auto bytes,
             FromConstant(ToConstant(constant), *receiver.type, receiver.name, scope_.now_ms));
  return std::make_unique<ConstantExpression>(receiver.type, TermValue::From(std::move(bytes)));
}

CqlResult<ExpressionPtr> TermPlanner::PlanMarker(const ast::BindMarker& marker,
                                                 const Receiver& receiver) {
  variables_.Set(marker.index, receiver);
  return std::make_unique<MarkerExpression>(receiver.type, marker.index, receiver.name);
}

CqlResult<ExpressionPtr> TermPlanner::PlanList(const ast::ListLiteral& literal,
                                               const ast::Term& term, const Receiver& receiver) {
  const Type& type = *receiver.type;
  const bool vector = type.kind() == TypeKind::kVector;
  if (type.kind() != TypeKind::kList && !vector) return WrongLiteral("list", receiver);
  if (vector && literal.elements.size() != type.dimension()) {
    return Invalid(
        fmt::format("Invalid vector literal for {} of type {}; expected {} elements, but given {}",
                    receiver.name, type.CqlName(), type.dimension(), literal.elements.size()));
  }
  const TypePtr& element = type.parameters()[0];
  ExpressionList elements;
  for (const ast::Term& each : literal.elements) {
    if (Test(each, *element) == Assignability::kNot)
      return WrongPart(vector ? "vector" : "list", receiver, "value", each, *element);
    CQL_ASSIGN(ExpressionPtr planned,
               PlanValue(each, PartOf(receiver, fmt::format("value({})", receiver.name), element)));
    elements.push_back(std::move(planned));
  }
  static_cast<void>(term);
  return std::make_unique<ElementsExpression>(receiver.type, std::move(elements));
}

CqlResult<ExpressionPtr> TermPlanner::PlanSet(const ast::SetLiteral& literal, const ast::Term&,
                                              const Receiver& receiver) {
  const Type& type = *receiver.type;
  if (type.kind() == TypeKind::kMap && literal.elements.empty()) {
    return std::make_unique<EntriesExpression>(receiver.type, ExpressionList(), ExpressionList());
  }
  if (type.kind() != TypeKind::kSet) return WrongLiteral("set", receiver);
  const TypePtr& element = type.parameters()[0];
  ExpressionList elements;
  for (const ast::Term& each : literal.elements) {
    if (Test(each, *element) == Assignability::kNot)
      return WrongPart("set", receiver, "value", each, *element);
    CQL_ASSIGN(ExpressionPtr planned,
               PlanValue(each, PartOf(receiver, fmt::format("value({})", receiver.name), element)));
    elements.push_back(std::move(planned));
  }
  return std::make_unique<ElementsExpression>(receiver.type, std::move(elements));
}

CqlResult<ExpressionPtr> TermPlanner::PlanMap(const ast::MapLiteral& literal, const ast::Term& term,
                                              const Receiver& receiver) {
  const Type& type = *receiver.type;
  if (type.kind() == TypeKind::kUdt) {
    // In a selection "{a: 1}" has a column where a value would have a field's name.
    ast::UdtLiteral fields;
    ExpressionList components(type.udt().field_names.size());
    for (const ast::MapLiteralEntry& entry : literal.entries) {
      const auto* name = entry.key.As<ast::ColumnReference>();
      if (name == nullptr) return WrongLiteral("map", receiver);
      const auto field = std::ranges::find(type.udt().field_names, name->name);
      if (field == type.udt().field_names.end()) {
        return Invalid(fmt::format("Unknown field '{}' in value of user defined type {}",
                                   name->name, type.udt().name));
      }
      const auto place = static_cast<size_t>(field - type.udt().field_names.begin());
      CQL_ASSIGN(
          components[place],
          PlanValue(entry.value, PartOf(receiver, fmt::format("{}.{}", receiver.name, name->name),
                                        type.udt().field_types[place])));
    }
    return std::make_unique<ComponentsExpression>(receiver.type, std::move(components));
  }
  static_cast<void>(term);
  if (type.kind() != TypeKind::kMap) return WrongLiteral("map", receiver);
  const TypePtr& key_type = type.parameters()[0];
  const TypePtr& value_type = type.parameters()[1];
  ExpressionList keys;
  ExpressionList values;
  for (const ast::MapLiteralEntry& entry : literal.entries) {
    if (Test(entry.key, *key_type) == Assignability::kNot)
      return WrongPart("map", receiver, "key", entry.key, *key_type);
    if (Test(entry.value, *value_type) == Assignability::kNot)
      return WrongPart("map", receiver, "value", entry.value, *value_type);
    CQL_ASSIGN(
        ExpressionPtr key,
        PlanValue(entry.key, PartOf(receiver, fmt::format("key({})", receiver.name), key_type)));
    CQL_ASSIGN(ExpressionPtr value,
               PlanValue(entry.value,
                         PartOf(receiver, fmt::format("value({})", receiver.name), value_type)));
    keys.push_back(std::move(key));
    values.push_back(std::move(value));
  }
  return std::make_unique<EntriesExpression>(receiver.type, std::move(keys), std::move(values));
}

CqlResult<ExpressionPtr> TermPlanner::PlanUdt(const ast::UdtLiteral& literal, const ast::Term&,
                                              const Receiver& receiver) {
  const Type& type = *receiver.type;
  if (type.kind() != TypeKind::kUdt) return WrongLiteral("user type", receiver);
  const UserTypeDefinition& udt = type.udt();
  for (const ast::UdtLiteralField& field : literal.fields) {
    if (std::ranges::find(udt.field_names, field.name.text) == udt.field_names.end()) {
      return Invalid(fmt::format("Unknown field '{}' in value of user defined type {}",
                                 field.name.text, udt.name));
    }
  }
  ExpressionList components(udt.field_names.size());
  for (size_t i = 0; i < udt.field_names.size(); ++i) {
    const ast::UdtLiteralField* field = FindField(literal, udt.field_names[i]);
    if (field == nullptr) continue;
    if (Test(field->value, *udt.field_types[i]) == Assignability::kNot) {
      return Invalid(fmt::format("Invalid user type literal for {}: field {} is not of type {}",
                                 receiver.name, udt.field_names[i], udt.field_types[i]->CqlName()));
    }
    CQL_ASSIGN(components[i],
               PlanValue(field->value,
                         PartOf(receiver, fmt::format("{}.{}", receiver.name, udt.field_names[i]),
                                udt.field_types[i])));
  }
  return std::make_unique<ComponentsExpression>(receiver.type, std::move(components));
}

CqlResult<ExpressionPtr> TermPlanner::PlanTuple(const ast::TupleLiteral& literal, const ast::Term&,
                                                const Receiver& receiver) {
  const Type& type = *receiver.type;
  if (type.kind() != TypeKind::kTuple && type.kind() != TypeKind::kUdt) {
    // Parentheses around one term.
    if (literal.elements.size() == 1) return PlanValue(literal.elements[0], receiver);
    return WrongLiteral("tuple type", receiver);
  }
  const TypeList& types = type.parameters();
  if (literal.elements.size() > types.size()) {
    return Invalid(fmt::format(
        "Invalid tuple literal for {}: too many elements. Type {} expects {} but got {}",
        receiver.name, type.CqlName(), types.size(), literal.elements.size()));
  }
  ExpressionList components(types.size());
  for (size_t i = 0; i < literal.elements.size(); ++i) {
    const ast::Term& each = literal.elements[i];
    if (Test(each, *types[i]) == Assignability::kNot) {
      return Invalid(fmt::format("Invalid tuple literal for {}: component {} is not of type {}",
                                 receiver.name, i, types[i]->CqlName()));
    }
    CQL_ASSIGN(
        components[i],
        PlanValue(each, PartOf(receiver, fmt::format("{}[{}]", receiver.name, i), types[i])));
  }
  return std::make_unique<ComponentsExpression>(receiver.type, std::move(components));
}

CqlResult<ExpressionPtr> TermPlanner::PlanHint(const ast::TypeHint& hint, const ast::Term& term,
                                               const Receiver& receiver) {
  CQL_ASSIGN(const TypePtr type, ResolveType(hint.type, scope_.keyspace));
  if (Test(*hint.term, *type) == Assignability::kNot) {
    if (table_ != nullptr) {
      const std::string text = PrintTerm(term);
      return Invalid(fmt::format("Cannot assign value {} to {} of type {}", text, text,
                                 receiver.type->CqlName()));
    }
    return Invalid(fmt::format("Cannot cast value {} to type {}", PrintTerm(*hint.term),
                               PrintType(hint.type)));
  }
  if (TestAssignment(*type, *receiver.type) == Assignability::kNot) {
    return Invalid(fmt::format("Cannot assign value {} to {} of type {}", PrintTerm(term),
                               receiver.name, receiver.type->CqlName()));
  }
  return PlanValue(*hint.term, PartOf(receiver, receiver.name, type));
}

CqlResult<TypePtr> TermPlanner::TypeOfLiteral(const ast::Term& term) {
  const auto first_type = [&](const auto& terms) -> CqlResult<TypePtr> {
    for (const ast::Term& each : terms) {
      CQL_ASSIGN(TypePtr type, TypeOf(each));
      if (type != nullptr) return Freeze(type);
    }
    return TypePtr();
  };
  if (const auto* list = term.As<ast::ListLiteral>()) {
    CQL_ASSIGN(TypePtr element, first_type(list->elements));
    if (element == nullptr) return TypePtr();
    CQL_ASSIGN(TypePtr type, Type::List(std::move(element), Cells::kFrozen));
    return type;
  }
  if (const auto* set = term.As<ast::SetLiteral>()) {
    CQL_ASSIGN(TypePtr element, first_type(set->elements));
    if (element == nullptr) return TypePtr();
    CQL_ASSIGN(TypePtr type, Type::Set(std::move(element), Cells::kFrozen));
    return type;
  }
  if (const auto* map = term.As<ast::MapLiteral>()) {
    TypePtr key;
    TypePtr value;
    for (const ast::MapLiteralEntry& entry : map->entries) {
      if (key == nullptr) {
        CQL_ASSIGN(key, TypeOf(entry.key));
      }
      if (value == nullptr) {
        CQL_ASSIGN(value, TypeOf(entry.value));
      }
    }
    if (key == nullptr || value == nullptr) return TypePtr();
    CQL_ASSIGN(TypePtr type, Type::Map(Freeze(key), Freeze(value), Cells::kFrozen));
    return type;
  }
  const auto* tuple = term.As<ast::TupleLiteral>();
  if (tuple == nullptr) return TypePtr();
  if (tuple->elements.size() == 1) return TypeOf(tuple->elements[0]);
  TypeList types;
  for (const ast::Term& each : tuple->elements) {
    CQL_ASSIGN(TypePtr type, TypeOf(each));
    if (type == nullptr) return TypePtr();
    types.push_back(Freeze(type));
  }
  CQL_ASSIGN(TypePtr type, Type::Tuple(std::move(types)));
  return type;
}

Assignability TermPlanner::TestLiteral(const ast::Term& term, const Type& type) {
  if (const auto* constant = term.As<ast::Constant>())
    return TestAssignment(ToConstant(*constant), type);
  if (const auto* list = term.As<ast::ListLiteral>()) {
    const bool fits = type.kind() == TypeKind::kList || (type.kind() == TypeKind::kVector &&
                                                         list->elements.size() == type.dimension());
    return fits ? TestAll(*this, list->elements, type.element()) : Assignability::kNot;
  }
  if (const auto* set = term.As<ast::SetLiteral>()) {
    if (type.kind() == TypeKind::kMap && set->elements.empty()) return Assignability::kWeak;
    if (type.kind() != TypeKind::kSet) return Assignability::kNot;
    return TestAll(*this, set->elements, type.element());
  }
  if (const auto* map = term.As<ast::MapLiteral>()) {
    if (type.kind() == TypeKind::kUdt) return Assignability::kWeak;
    if (type.kind() != TypeKind::kMap) return Assignability::kNot;
    Assignability worst = map->entries.empty() ? Assignability::kWeak : Assignability::kExact;
    for (const ast::MapLiteralEntry& entry : map->entries)
      worst = std::min({worst, Test(entry.key, type.key()), Test(entry.value, type.value())});
    return worst;
  }
  if (const auto* udt = term.As<ast::UdtLiteral>()) {
    if (type.kind() != TypeKind::kUdt) return Assignability::kNot;
    for (size_t i = 0; i < type.udt().field_names.size(); ++i) {
      const ast::UdtLiteralField* field = FindField(*udt, type.udt().field_names[i]);
      if (field == nullptr) continue;
      if (Test(field->value, *type.udt().field_types[i]) == Assignability::kNot)
        return Assignability::kNot;
    }
    return Assignability::kWeak;
  }
  const auto* tuple = term.As<ast::TupleLiteral>();
  if (tuple == nullptr) return Assignability::kNot;
  if (type.kind() != TypeKind::kTuple && type.kind() != TypeKind::kUdt) {
    return tuple->elements.size() == 1 ? Test(tuple->elements[0], type) : Assignability::kNot;
  }
  if (tuple->elements.size() > type.parameters().size()) return Assignability::kNot;
  for (size_t i = 0; i < tuple->elements.size(); ++i) {
    if (Test(tuple->elements[i], *type.parameters()[i]) == Assignability::kNot)
      return Assignability::kNot;
  }
  return Assignability::kWeak;
}

}  // namespace orrery::cassandra
