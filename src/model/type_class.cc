#include "model/type_class.h"

namespace orrery::model {
namespace {

// The classes on which all orders agree, or of kinds that only CQL has.
TypeClass CommonClass(Kind kind) {
  switch (kind) {
    case Kind::kUndefined:
      return TypeClass::kUndefined;
    case Kind::kNull:
      return TypeClass::kNull;
    case Kind::kBool:
      return TypeClass::kBool;
    case Kind::kInt8:
      return TypeClass::kInt8;
    case Kind::kInt16:
      return TypeClass::kInt16;
    case Kind::kInt32:
      return TypeClass::kInt32;
    case Kind::kInt64:
      return TypeClass::kInt64;
    case Kind::kVarint:
      return TypeClass::kVarint;
    case Kind::kFloat:
      return TypeClass::kFloat;
    case Kind::kDouble:
      return TypeClass::kDouble;
    case Kind::kDecimal:
      return TypeClass::kDecimal;
    case Kind::kDecimal128:
      return TypeClass::kDecimal128;
    case Kind::kString:
    case Kind::kSymbol:
      return TypeClass::kString;
    case Kind::kAscii:
      return TypeClass::kAscii;
    case Kind::kBinary:
      return TypeClass::kBinary;
    case Kind::kUuid:
      return TypeClass::kUuid;
    case Kind::kTimeUuid:
      return TypeClass::kTimeUuid;
    case Kind::kObjectId:
      return TypeClass::kObjectId;
    case Kind::kDateTime:
      return TypeClass::kDateTime;
    case Kind::kTimestamp:
      return TypeClass::kTimestamp;
    case Kind::kDate:
      return TypeClass::kDate;
    case Kind::kTime:
      return TypeClass::kTime;
    case Kind::kDuration:
      return TypeClass::kDuration;
    case Kind::kInet:
      return TypeClass::kInet;
    case Kind::kRegex:
      return TypeClass::kRegex;
    case Kind::kJavaScript:
      return TypeClass::kJavaScript;
    case Kind::kJavaScriptWithScope:
      return TypeClass::kJavaScriptWithScope;
    case Kind::kDbPointer:
      return TypeClass::kDbPointer;
    case Kind::kMinKey:
      return TypeClass::kMinKey;
    case Kind::kMaxKey:
      return TypeClass::kMaxKey;
    case Kind::kArray:
      return TypeClass::kArray;
    case Kind::kObject:
      return TypeClass::kObject;
    case Kind::kSet:
      return TypeClass::kSet;
    case Kind::kMap:
      return TypeClass::kMap;
  }
  return TypeClass::kUndefined;
}

TypeClass SqlClass(Kind kind) {
  if (IsNumber(kind)) return TypeClass::kDoubleNumber;
  if (kind == Kind::kAscii) return TypeClass::kString;
  if (kind == Kind::kSet) return TypeClass::kArray;
  return CommonClass(kind);
}

TypeClass MongoClass(Kind kind) {
  switch (kind) {
    case Kind::kBool:
      return TypeClass::kMongoBool;
    case Kind::kInt8:
    case Kind::kInt16:
    case Kind::kInt32:
    case Kind::kInt64:
    case Kind::kFloat:
    case Kind::kDouble:
    case Kind::kDecimal128:
      return TypeClass::kExactNumber;
    case Kind::kAscii:
      return TypeClass::kString;
    case Kind::kArray:
    case Kind::kSet:
      return TypeClass::kMongoArray;
    case Kind::kUuid:
    case Kind::kTimeUuid:
      return TypeClass::kBinary;
    default:
      return CommonClass(kind);
  }
}

}  // namespace

TypeClass ClassOf(Kind kind, Order order) {
  switch (order) {
    case Order::kSql:
      return SqlClass(kind);
    case Order::kMongo:
      return MongoClass(kind);
    case Order::kCql:
      return kind == Kind::kBinary ? TypeClass::kBlob : CommonClass(kind);
  }
  return CommonClass(kind);
}

}  // namespace orrery::model
