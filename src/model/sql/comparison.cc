#include "model/sql/comparison.h"

#include <algorithm>
#include <compare>
#include <optional>

#include "model/number/number.h"
#include "model/sql/identity.h"
#include "model/sql/json_type.h"

namespace orrery::model::sql {
namespace {

size_t DefinedFields(const Fields& fields) {
  return static_cast<size_t>(std::ranges::count_if(
      fields, [](const Field& field) { return !field.value.is_undefined(); }));
}

// Objects of the same origin mostly have their fields in the same order; others are compared by
// their identities, which costs a sort but no search per field.
bool EqualFields(const Value& a, const Value& b) {
  const Fields& left = a.AsFields();
  const Fields& right = b.AsFields();
  if (DefinedFields(left) != DefinedFields(right)) return false;
  if (left.size() == right.size() &&
      std::ranges::equal(left, right, {}, &Field::name, &Field::name))
    return std::ranges::equal(left, right, DeepEqual, &Field::value, &Field::value);
  return IdentityOf(a) == IdentityOf(b);
}

// Nothing when the two have no order: of different types, arrays, objects.
std::optional<std::partial_ordering> OrderOf(const Value& a, const Value& b) {
  const JsonType type = TypeOf(a);
  if (type != TypeOf(b)) return std::nullopt;
  switch (type) {
    case JsonType::kNull:
      return std::partial_ordering::equivalent;
    case JsonType::kBool:
      return a.AsBool() <=> b.AsBool();
    case JsonType::kNumber:
      return ToDouble(a) <=> ToDouble(b);
    case JsonType::kString:
      return a.AsString() <=> b.AsString();
    default:
      return std::nullopt;
  }
}

}  // namespace

bool DeepEqual(const Value& a, const Value& b) {
  const JsonType type = TypeOf(a);
  if (type != TypeOf(b)) return false;
  switch (type) {
    case JsonType::kUndefined:
      return true;
    case JsonType::kArray:
      return std::ranges::equal(a.AsValues(), b.AsValues(), DeepEqual);
    case JsonType::kObject:
      return EqualFields(a, b);
    case JsonType::kForeign:
      return a == b;
    default:
      return OrderOf(a, b) == std::partial_ordering::equivalent;
  }
}

Truth Equal(const Value& a, const Value& b) {
  const JsonType type = TypeOf(a);
  if (type == JsonType::kUndefined || type != TypeOf(b)) return Truth::kUndefined;
  return TruthOf(DeepEqual(a, b));
}

Truth Less(const Value& a, const Value& b) {
  const auto order = OrderOf(a, b);
  return order.has_value() ? TruthOf(*order < 0) : Truth::kUndefined;
}

Truth LessOrEqual(const Value& a, const Value& b) {
  const auto order = OrderOf(a, b);
  return order.has_value() ? TruthOf(*order <= 0) : Truth::kUndefined;
}

Truth In(const Value& value, std::span<const Value> list) {
  Truth found = Truth::kFalse;
  for (const Value& candidate : list) {
    found = Or(found, Equal(value, candidate));
    if (found == Truth::kTrue) break;
  }
  return found;
}

Truth Between(const Value& value, const Value& low, const Value& high) {
  return And(LessOrEqual(low, value), LessOrEqual(value, high));
}

}  // namespace orrery::model::sql
