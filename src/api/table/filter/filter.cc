#include "api/table/filter/filter.h"

namespace orrery::table {
namespace {

std::optional<EdmValue> ValueOf(const FilterOperand& operand, const PropertyReader& entity) {
  if (const auto* property = std::get_if<FilterProperty>(&operand))
    return entity.Read(property->name);
  return std::get<EdmValue>(operand);
}

bool IsMet(const Filter& filter, std::partial_ordering order) {
  if (filter.is_unequal) return order != std::partial_ordering::equivalent;
  if (order == std::partial_ordering::unordered) return false;
  switch (filter.comparison) {
    case Comparison::kEqual:
      return order == 0;
    case Comparison::kLess:
      return order < 0;
    case Comparison::kLessOrEqual:
      return order <= 0;
    case Comparison::kGreater:
      return order > 0;
    case Comparison::kGreaterOrEqual:
      return order >= 0;
  }
  return false;
}

}  // namespace

Comparison Mirrored(Comparison comparison) {
  switch (comparison) {
    case Comparison::kLess:
      return Comparison::kGreater;
    case Comparison::kLessOrEqual:
      return Comparison::kGreaterOrEqual;
    case Comparison::kGreater:
      return Comparison::kLess;
    case Comparison::kGreaterOrEqual:
      return Comparison::kLessOrEqual;
    case Comparison::kEqual:
      break;
  }
  return comparison;
}

bool Holds(const Filter& filter, const PropertyReader& entity) {
  switch (filter.kind) {
    case Filter::Kind::kAnd:
      return Holds(*filter.left, entity) && Holds(*filter.right, entity);
    case Filter::Kind::kOr:
      return Holds(*filter.left, entity) || Holds(*filter.right, entity);
    case Filter::Kind::kNot:
      return !Holds(*filter.left, entity);
    case Filter::Kind::kOperand: {
      const auto value = ValueOf(*filter.a, entity);
      return value.has_value() && value->type() == EdmType::kBoolean && value->AsBoolean();
    }
    case Filter::Kind::kCompare:
      break;
  }
  const auto a = ValueOf(*filter.a, entity);
  const auto b = ValueOf(*filter.b, entity);
  return a.has_value() && b.has_value() && IsMet(filter, Compare(*a, *b));
}

}  // namespace orrery::table
