// The place of each kind of value in each order: what Compare looks at first, and the tag byte
// that the key codec writes.
//
// An order never uses two classes for values that may be equal in it (int32 and double share
// kExactNumber under kMongo, but are kInt32 and kDouble under kCql). Where orders disagree about
// the place of a kind (bool, array) there is a class for each place.
#pragma once

#include <cstdint>

#include "model/compare.h"
#include "model/value.h"

namespace orrery::model {

// Values are stored in keys: never renumber one, only add.
enum class TypeClass : uint8_t {
  kEnd = 0x00,  // closes an array, set, map or object in a key; sorts before any element
  kMinKey = 0x04,
  kUndefined = 0x08,
  kNull = 0x0c,
  kBool = 0x10,          // SQL, CQL
  kDoubleNumber = 0x14,  // SQL: any number, as a double
  kExactNumber = 0x18,   // Mongo: any BSON number, exactly
  kInt8 = 0x20,          // CQL, one class per type, as are the next eight
  kInt16 = 0x21,
  kInt32 = 0x22,
  kInt64 = 0x23,
  kVarint = 0x24,
  kFloat = 0x25,
  kDouble = 0x26,
  kDecimal = 0x27,
  kDecimal128 = 0x28,
  kString = 0x30,
  kAscii = 0x31,
  kArray = 0x38,  // SQL, CQL
  kObject = 0x3c,
  kMongoArray = 0x40,
  kSet = 0x42,
  kMap = 0x44,
  kBlob = 0x48,    // CQL: by bytes
  kBinary = 0x4c,  // SQL, Mongo: by length, subtype, bytes
  kUuid = 0x50,
  kTimeUuid = 0x51,
  kObjectId = 0x54,
  kMongoBool = 0x58,
  kDateTime = 0x5c,
  kTimestamp = 0x60,
  kRegex = 0x64,
  kDbPointer = 0x68,
  kJavaScript = 0x6c,
  kJavaScriptWithScope = 0x70,
  kDate = 0x74,
  kTime = 0x75,
  kDuration = 0x76,
  kInet = 0x77,
  kMaxKey = 0x7c,
};

TypeClass ClassOf(Kind kind, Order order);

}  // namespace orrery::model
