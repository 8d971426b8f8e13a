// The type bytes of BSON (bsonspec.org), and which Kind each one is.
#pragma once

#include <cstdint>
#include <optional>

#include "model/value.h"

namespace orrery::model {

enum BsonType : uint8_t {
  kBsonDouble = 0x01,
  kBsonString = 0x02,
  kBsonObject = 0x03,
  kBsonArray = 0x04,
  kBsonBinary = 0x05,
  kBsonUndefined = 0x06,
  kBsonObjectId = 0x07,
  kBsonBool = 0x08,
  kBsonDateTime = 0x09,
  kBsonNull = 0x0a,
  kBsonRegex = 0x0b,
  kBsonDbPointer = 0x0c,
  kBsonJavaScript = 0x0d,
  kBsonSymbol = 0x0e,
  kBsonJavaScriptWithScope = 0x0f,
  kBsonInt32 = 0x10,
  kBsonTimestamp = 0x11,
  kBsonInt64 = 0x12,
  kBsonDecimal128 = 0x13,
  kBsonMaxKey = 0x7f,
  kBsonMinKey = 0xff,
};

// Nothing for a byte that is no type.
std::optional<Kind> KindOfBsonType(uint8_t type);

}  // namespace orrery::model
