// The types that the SQL query language tells values apart by.
#pragma once

#include <cstdint>

#include "model/value.h"

namespace orrery::sql {

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

inline JsonType TypeOf(const model::Value& value) {
  using model::Kind;
  switch (value.kind()) {
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
      return value.is_number() ? JsonType::kNumber : JsonType::kForeign;
  }
}

inline bool IsPrimitive(JsonType type) {
  return type == JsonType::kNull || type == JsonType::kBool || type == JsonType::kNumber ||
         type == JsonType::kString;
}

}  // namespace orrery::sql
