// The types that the SQL query language tells values apart by.
#pragma once

#include <cstdint>

#include "model/value.h"

namespace orrery::model::sql {

enum class JsonType : uint8_t {
  kUndefined,
  kNull,
  kBool,
  kNumber,
  kString,
  kArray,
  kObject,
  kForeign,  // what only other APIs write: it compares with nothing
};

inline JsonType TypeOf(Kind kind) {
  switch (kind) {
    case Kind::kUndefined:
      return JsonType::kUndefined;
    case Kind::kNull:
      return JsonType::kNull;
    case Kind::kBool:
      return JsonType::kBool;
    case Kind::kString:
    case Kind::kAscii:
      return JsonType::kString;
    case Kind::kArray:
      return JsonType::kArray;
    case Kind::kObject:
      return JsonType::kObject;
    default:
      return IsNumber(kind) ? JsonType::kNumber : JsonType::kForeign;
  }
}
inline JsonType TypeOf(const Value& value) { return TypeOf(value.kind()); }

inline bool IsPrimitive(JsonType type) {
  return type == JsonType::kNull || type == JsonType::kBool || type == JsonType::kNumber ||
         type == JsonType::kString;
}

}  // namespace orrery::model::sql
