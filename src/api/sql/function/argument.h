// Reads the arguments of a function: a value of the type it wants, or nothing.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

#include "api/sql/function/function.h"
#include "api/sql/function/json_type.h"
#include "model/number/number.h"

namespace orrery::sql {

inline std::optional<double> NumberOf(const Value& value) {
  if (!value.is_number()) return std::nullopt;
  return model::ToDouble(value);
}

// A whole number that fits int64, however it is stored.
inline std::optional<int64_t> IntegerOf(const Value& value) {
  using model::Kind;
  if (value.kind() >= Kind::kInt8 && value.kind() <= Kind::kInt64) return value.AsInteger();
  if (!value.is_number()) return std::nullopt;
  const double number = model::ToDouble(value);
  if (number != std::trunc(number) || number < -0x1p63 || number >= 0x1p63) return std::nullopt;
  return static_cast<int64_t>(number);
}

// The other way: int32 where it fits, as JSON text with the same digits is read.
inline Value FromInteger(int64_t number) {
  if (number == static_cast<int32_t>(number)) return Value::Int32(static_cast<int32_t>(number));
  return Value::Int64(number);
}

inline std::optional<bool> BoolOf(const Value& value) {
  if (value.kind() != model::Kind::kBool) return std::nullopt;
  return value.AsBool();
}

// Null when it is no string. Lives as long as the value.
inline const std::string* TextOf(const Value& value) {
  return TypeOf(value) == JsonType::kString ? &value.AsString() : nullptr;
}
inline const model::Values* ArrayOf(const Value& value) {
  return value.kind() == model::Kind::kArray ? &value.AsValues() : nullptr;
}
inline const model::Fields* ObjectOf(const Value& value) {
  return value.kind() == model::Kind::kObject ? &value.AsFields() : nullptr;
}

// A flag that may be left out, or be undefined: false then. Nothing when it is no boolean.
inline std::optional<bool> FlagAt(Arguments arguments, size_t index) {
  if (index >= arguments.size() || arguments[index].is_undefined()) return false;
  return BoolOf(arguments[index]);
}

}  // namespace orrery::sql
