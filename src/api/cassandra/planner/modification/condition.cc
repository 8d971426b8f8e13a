#include "api/cassandra/planner/modification/condition.h"

#include <fmt/core.h>

#include <algorithm>

#include "api/cassandra/types/collection_codec.h"
#include "api/cassandra/types/compare.h"
#include "base/bytes.h"

namespace orrery::cassandra {
namespace {

using ast::RelationOperator;

bool IsOrdering(RelationOperator op) {
  return op == RelationOperator::kLess || op == RelationOperator::kLessOrEqual ||
         op == RelationOperator::kGreater || op == RelationOperator::kGreaterOrEqual;
}

bool Satisfies(RelationOperator op, std::weak_ordering order) {
  switch (op) {
    case RelationOperator::kEqual:
    case RelationOperator::kIn:
      return order == 0;
    case RelationOperator::kNotEqual:
      return order != 0;
    case RelationOperator::kLess:
      return order < 0;
    case RelationOperator::kLessOrEqual:
      return order <= 0;
    case RelationOperator::kGreater:
      return order > 0;
    case RelationOperator::kGreaterOrEqual:
      return order >= 0;
    default:
      return false;
  }
}

// A collection of several cells that has none of them is the same as no collection.
bool IsEmptyCollection(const Column& column, std::string_view value) {
  if (!column.type->is_multi_cell() || !column.type->is_collection()) return false;
  return value.size() <= 4 && std::ranges::all_of(value, [](char byte) { return byte == 0; });
}

CqlResult<std::optional<std::string_view>> ElementOf(const Type& type, std::string_view collection,
                                                     std::string_view key) {
  if (type.kind() == TypeKind::kMap) {
    CQL_ASSIGN(const auto entries, UnpackEntries(collection));
    for (const EntryView& entry : entries) {
      if (Equal(type.key(), entry.key, key)) return std::optional(entry.value);
    }
    return std::nullopt;
  }
  CQL_ASSIGN(const Views elements, UnpackElements(type, collection));
  const size_t index = LoadBigEndian<uint32_t>(key.data());
  if (index >= elements.size()) return std::nullopt;
  return std::optional(elements[index]);
}

// Returns the receiver of the value that CONTAINS looks for.
CqlResult<Receiver> ContainedIn(const Receiver& collection, RelationOperator op) {
  const Type& type = *collection.type;
  if (!type.is_collection()) {
    return Invalid(fmt::format("Cannot use {} on non-collection column {}", ast::OperatorText(op),
                               collection.name));
  }
  if (op == RelationOperator::kContains) {
    return PartOf(collection, fmt::format("value({})", collection.name), type.parameters().back());
  }
  if (type.kind() != TypeKind::kMap)
    return Invalid(fmt::format("Cannot use CONTAINS KEY on non-map column {}", collection.name));
  return PartOf(collection, fmt::format("key({})", collection.name), type.parameters().front());
}

CqlResult<bool> Contains(const Type& type, RelationOperator op, std::string_view collection,
                         std::string_view wanted) {
  if (type.kind() != TypeKind::kMap) {
    CQL_ASSIGN(const Views elements, UnpackElements(type, collection));
    return std::ranges::any_of(
        elements, [&](std::string_view element) { return Equal(type.element(), element, wanted); });
  }
  CQL_ASSIGN(const auto entries, UnpackEntries(collection));
  return std::ranges::any_of(entries, [&](const EntryView& entry) {
    return op == RelationOperator::kContainsKey ? Equal(type.key(), entry.key, wanted)
                                                : Equal(type.value(), entry.value, wanted);
  });
}

bool IsContains(RelationOperator op) {
  return op == RelationOperator::kContains || op == RelationOperator::kContainsKey;
}

// "column[key]": plans the key, gives what its value is compared as.
CqlResult<Receiver> PlanElement(Condition& planned, const Receiver& whole, const ast::Term& key,
                                TermPlanner& terms) {
  const Type& type = *whole.type;
  if (!type.is_collection()) {
    return Invalid(
        fmt::format("Invalid element access syntax for non-collection column {}", whole.name));
  }
  if (type.kind() == TypeKind::kSet)
    return Invalid(fmt::format("Invalid element access syntax for set column {}", whole.name));
  const Receiver key_receiver =
      type.kind() == TypeKind::kList
          ? PartOf(whole, fmt::format("idx({})", whole.name), Type::Native(TypeKind::kInt))
          : PartOf(whole, fmt::format("key({})", whole.name), type.parameters().front());
  CQL_ASSIGN(planned.element, terms.PlanValue(key, key_receiver));
  return PartOf(whole, fmt::format("value({})", whole.name), type.parameters().back());
}

// "column.field": the same.
CqlResult<Receiver> PlanField(Condition& planned, const Receiver& whole, const ast::Name& field) {
  const Type& type = *whole.type;
  if (type.kind() != TypeKind::kUdt) {
    return Invalid(
        fmt::format("Cannot use field access on column {} because it is not a UDT", whole.name));
  }
  const auto& names = type.udt().field_names;
  const auto found = std::ranges::find(names, field.text);
  if (found == names.end())
    return Invalid(fmt::format("Unknown field {} for column {}", field.text, whole.name));
  planned.field = static_cast<size_t>(found - names.begin());
  return PartOf(whole, fmt::format("{}.{}", whole.name, field.text),
                type.parameters()[*planned.field]);
}

std::unexpected<CqlError> DurationsHaveNoOrder(const Type& type, RelationOperator op) {
  if (type.kind() == TypeKind::kDuration) {
    return Invalid(fmt::format("Slice conditions ( {} ) are not supported on durations",
                               ast::OperatorText(op)));
  }
  const std::string_view what = type.is_collection()              ? "collections"
                                : type.kind() == TypeKind::kTuple ? "tuples"
                                                                  : "UDTs";
  return Invalid(
      fmt::format("Slice conditions are not supported on {} containing durations", what));
}

// Plans the right-hand side of the operator.
CqlStatus PlanWanted(Condition& planned, const ast::Condition& condition, const Receiver& receiver,
                     TermPlanner& terms) {
  if (const auto* values = std::get_if<std::vector<ast::Term>>(&condition.right)) {
    for (const ast::Term& value : *values) {
      CQL_ASSIGN(ExpressionPtr each, terms.PlanValue(value, receiver));
      planned.values.push_back(std::move(each));
    }
    return {};
  }
  const auto* term = std::get_if<ast::Term>(&condition.right);
  if (term == nullptr) return Invalid("Invalid condition");
  if (condition.op == RelationOperator::kIn) {
    CQL_ASSIGN(TypePtr list, Type::List(planned.type, Cells::kFrozen));
    CQL_ASSIGN(planned.in_marker,
               terms.PlanValue(
                   *term, PartOf(receiver, fmt::format("in({})", receiver.name), std::move(list))));
    return {};
  }
  CQL_ASSIGN(ExpressionPtr value, terms.PlanValue(*term, receiver));
  planned.values.push_back(std::move(value));
  return {};
}

}  // namespace

CqlResult<Condition> PlanCondition(const Table& table, const ast::Condition& condition,
                                   TermPlanner& terms) {
  Condition planned;
  planned.column = table.Find(condition.column.text);
  if (planned.column == nullptr) {
    return Invalid(fmt::format("Undefined column name {} in table {}.{}", condition.column.text,
                               table.keyspace, table.name));
  }
  const Column& column = *planned.column;
  if (column.is_key())
    return Invalid(fmt::format("PRIMARY KEY column '{}' cannot have IF conditions", column.name));
  if (column.is_counter()) return Invalid("Conditions on counters are not supported");
  planned.op = condition.op;
  Receiver receiver = ReceiverOf(table, column);
  if (const auto* key = std::get_if<ast::Term>(&condition.part)) {
    CQL_ASSIGN(receiver, PlanElement(planned, receiver, *key, terms));
  } else if (const auto* field = std::get_if<ast::Name>(&condition.part)) {
    CQL_ASSIGN(receiver, PlanField(planned, receiver, *field));
  }
  planned.type = Freeze(receiver.type);
  if (IsContains(condition.op)) {
    CQL_ASSIGN(receiver, ContainedIn(receiver, condition.op));
  }
  if (planned.type->ReferencesDuration() && IsOrdering(condition.op))
    return DurationsHaveNoOrder(*planned.type, condition.op);
  CQL_TRY(PlanWanted(planned, condition, receiver, terms));
  return planned;
}

CqlResult<bool> BoundCondition::Holds(const std::optional<std::string_view>& column_value) const {
  const Column& column = *condition->column;
  std::optional<std::string_view> value = column_value;
  if (value.has_value() && IsEmptyCollection(column, *value)) value.reset();
  if (value.has_value() && condition->element != nullptr) {
    CQL_ASSIGN(value, ElementOf(*column.type, *value, element.bytes));
  } else if (value.has_value() && condition->field.has_value()) {
    CQL_ASSIGN(const auto components, UnpackComponents(*column.type, *value));
    value = components[*condition->field];
  }
  if (IsContains(condition->op)) {
    if (!value.has_value() || !values.front().has_value()) return false;
    return Contains(*condition->type, condition->op, *value, values.front().bytes);
  }
  const bool whole = condition->element == nullptr && !condition->field.has_value();
  for (const TermValue& wanted : values) {
    const bool wants_none =
        !wanted.has_value() || (whole && IsEmptyCollection(column, wanted.bytes));
    if (wants_none || !value.has_value()) {
      const bool equal = wants_none && !value.has_value();
      const bool holds = condition->op == RelationOperator::kNotEqual ? !equal
                         : IsOrdering(condition->op)                  ? false
                                                                      : equal;
      if (holds) return true;
      continue;
    }
    if (Satisfies(condition->op, Compare(*condition->type, *value, wanted.bytes))) return true;
  }
  return false;
}

CqlResult<std::vector<BoundCondition>> BindConditions(const std::vector<Condition>& conditions,
                                                      const Evaluation& evaluation) {
  std::vector<BoundCondition> bound;
  for (const Condition& condition : conditions) {
    BoundCondition each;
    each.condition = &condition;
    if (condition.element != nullptr) {
      CQL_ASSIGN(each.element, condition.element->Evaluate(evaluation));
      const bool list = condition.column->type->kind() == TypeKind::kList;
      // An int may also be empty, which is no index.
      if (!each.element.has_value() || (list && each.element.bytes.empty())) {
        return Invalid(
            fmt::format("Invalid null value for {} element access", list ? "list" : "map"));
      }
      if (list) {
        const auto index = static_cast<int32_t>(LoadBigEndian<uint32_t>(each.element.bytes.data()));
        if (index < 0) return Invalid(fmt::format("Invalid negative list index {}", index));
      }
    }
    for (const ExpressionPtr& value : condition.values) {
      CQL_ASSIGN(TermValue wanted, value->Evaluate(evaluation));
      if (wanted.is_unset()) {
        // One of several that IN names may be missing.
        if (condition.op == RelationOperator::kIn) continue;
        return Invalid("Invalid 'unset' value in condition");
      }
      if (wanted.is_null() && (IsOrdering(condition.op) || IsContains(condition.op))) {
        return Invalid(fmt::format("Invalid comparison with null for operator \"{}\"",
                                   ast::OperatorText(condition.op)));
      }
      each.values.push_back(std::move(wanted));
    }
    if (condition.in_marker != nullptr) {
      CQL_ASSIGN(const TermValue list, condition.in_marker->Evaluate(evaluation));
      if (list.is_unset()) return Invalid("Invalid 'unset' value in condition");
      if (list.is_null()) return Invalid("Invalid null list in IN condition");
      CQL_ASSIGN(const auto elements, UnpackNullableList(list.bytes));
      for (const NullableView& element : elements) {
        each.values.push_back(element.has_value() ? TermValue::Of(std::string(*element))
                                                  : TermValue::Null());
      }
    }
    bound.push_back(std::move(each));
  }
  return bound;
}

}  // namespace orrery::cassandra
