#include "model/document/bson_type.h"

namespace orrery::model {

std::optional<Kind> KindOfBsonType(uint8_t type) {
  switch (type) {
    case kBsonDouble:
      return Kind::kDouble;
    case kBsonString:
      return Kind::kString;
    case kBsonObject:
      return Kind::kObject;
    case kBsonArray:
      return Kind::kArray;
    case kBsonBinary:
      return Kind::kBinary;
    case kBsonUndefined:
      return Kind::kUndefined;
    case kBsonObjectId:
      return Kind::kObjectId;
    case kBsonBool:
      return Kind::kBool;
    case kBsonDateTime:
      return Kind::kDateTime;
    case kBsonNull:
      return Kind::kNull;
    case kBsonRegex:
      return Kind::kRegex;
    case kBsonDbPointer:
      return Kind::kDbPointer;
    case kBsonJavaScript:
      return Kind::kJavaScript;
    case kBsonSymbol:
      return Kind::kSymbol;
    case kBsonJavaScriptWithScope:
      return Kind::kJavaScriptWithScope;
    case kBsonInt32:
      return Kind::kInt32;
    case kBsonTimestamp:
      return Kind::kTimestamp;
    case kBsonInt64:
      return Kind::kInt64;
    case kBsonDecimal128:
      return Kind::kDecimal128;
    case kBsonMaxKey:
      return Kind::kMaxKey;
    case kBsonMinKey:
      return Kind::kMinKey;
    default:
      return std::nullopt;
  }
}

}  // namespace orrery::model
