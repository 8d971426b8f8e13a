#include "api/mongo/language/value/bson_type_name.h"

#include <array>

namespace orrery::mongo {
namespace {

using model::Kind;

struct NamedType {
  Kind kind;
  int number;
  std::string_view name;
};

constexpr std::array kNamedTypes = {
    NamedType{Kind::kDouble, 1, "double"},
    NamedType{Kind::kString, 2, "string"},
    NamedType{Kind::kObject, 3, "object"},
    NamedType{Kind::kArray, 4, "array"},
    NamedType{Kind::kBinary, 5, "binData"},
    NamedType{Kind::kUndefined, 6, "undefined"},
    NamedType{Kind::kObjectId, 7, "objectId"},
    NamedType{Kind::kBool, 8, "bool"},
    NamedType{Kind::kDateTime, 9, "date"},
    NamedType{Kind::kNull, 10, "null"},
    NamedType{Kind::kRegex, 11, "regex"},
    NamedType{Kind::kDbPointer, 12, "dbPointer"},
    NamedType{Kind::kJavaScript, 13, "javascript"},
    NamedType{Kind::kSymbol, 14, "symbol"},
    NamedType{Kind::kJavaScriptWithScope, 15, "javascriptWithScope"},
    NamedType{Kind::kInt32, 16, "int"},
    NamedType{Kind::kTimestamp, 17, "timestamp"},
    NamedType{Kind::kInt64, 18, "long"},
    NamedType{Kind::kDecimal128, 19, "decimal"},
    NamedType{Kind::kMinKey, -1, "minKey"},
    NamedType{Kind::kMaxKey, 127, "maxKey"},
};

}  // namespace

std::string_view BsonTypeName(Kind kind) {
  if (kind == Kind::kUndefined) return "missing";
  if (kind == Kind::kUuid || kind == Kind::kTimeUuid) return "binData";
  for (const NamedType& type : kNamedTypes) {
    if (type.kind == kind) return type.name;
  }
  return "missing";
}

int BsonTypeNumber(Kind kind) {
  for (const NamedType& type : kNamedTypes) {
    if (type.kind == kind) return type.number;
  }
  return 0;
}

std::optional<Kind> KindOfTypeName(std::string_view name) {
  for (const NamedType& type : kNamedTypes) {
    if (type.name == name) return type.kind;
  }
  return std::nullopt;
}

std::optional<Kind> KindOfTypeNumber(int64_t number) {
  if (number == 255) return Kind::kMinKey;
  for (const NamedType& type : kNamedTypes) {
    if (type.number == number) return type.kind;
  }
  return std::nullopt;
}

}  // namespace orrery::mongo
