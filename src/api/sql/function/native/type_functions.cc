// IS_...: of which type a value is. These never are undefined.
#include <cmath>

#include "api/sql/function/native/bodies.h"
#include "api/sql/function/native/native_functions.h"
#include "model/time/date_time.h"

namespace orrery::sql {
namespace {

template <JsonType type>
bool IsOf(const Value& value) {
  return TypeOf(value) == type;
}

bool IsDefined(const Value& value) { return !value.is_undefined(); }
bool IsPrimitiveValue(const Value& value) { return IsPrimitive(TypeOf(value)); }
bool IsInteger(const Value& value) { return IntegerOf(value).has_value(); }

bool IsFiniteNumber(const Value& value) {
  const auto number = NumberOf(value);
  return number && std::isfinite(*number);
}

bool IsDateTime(const Value& value) {
  const std::string* text = TextOf(value);
  return text != nullptr && model::ParseTicks(*text).has_value();
}

constexpr Function kTypeFunctions[] = {
    {"IS_ARRAY", 1, 1, OfAnything<IsOf<JsonType::kArray>>},
    {"IS_BOOL", 1, 1, OfAnything<IsOf<JsonType::kBool>>},
    {"IS_BOOLEAN", 1, 1, OfAnything<IsOf<JsonType::kBool>>},  // as Java's client writes it
    {"IS_DATETIME", 1, 1, OfAnything<IsDateTime>},
    {"IS_DEFINED", 1, 1, OfAnything<IsDefined>},
    {"IS_FINITE_NUMBER", 1, 1, OfAnything<IsFiniteNumber>},
    {"IS_INTEGER", 1, 1, OfAnything<IsInteger>},
    {"IS_NULL", 1, 1, OfAnything<IsOf<JsonType::kNull>>},
    {"IS_NUMBER", 1, 1, OfAnything<IsOf<JsonType::kNumber>>},
    {"IS_OBJECT", 1, 1, OfAnything<IsOf<JsonType::kObject>>},
    {"IS_PRIMITIVE", 1, 1, OfAnything<IsPrimitiveValue>},
    {"IS_STRING", 1, 1, OfAnything<IsOf<JsonType::kString>>},
};

}  // namespace

std::span<const Function> TypeFunctions() { return kTypeFunctions; }

}  // namespace orrery::sql
