// Random values for property tests, chosen so that equal, nearly equal and extreme ones are common.
// Included by tests only.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>

#include "model/number/big_number.h"
#include "model/value.h"

namespace orrery::model {

class ValueGenerator {
 public:
  explicit ValueGenerator(uint64_t seed) : random_(seed) {}

  uint64_t Below(uint64_t limit) { return random_() % limit; }

  Value Any(int depth = 3) {
    constexpr int kKinds = static_cast<int>(Kind::kMap) + 1;
    // Half of all values are numbers or strings: most mistakes hide there.
    if (Below(2) == 0) return Of(kCommon[Below(std::size(kCommon))], depth);
    return Of(static_cast<Kind>(Below(kKinds)), depth);
  }

  Value Of(Kind kind, int depth = 3) {
    switch (kind) {
      case Kind::kUndefined:
        return Value::Undefined();
      case Kind::kNull:
        return Value::Null();
      case Kind::kBool:
        return Value::Bool(Below(2) != 0);
      case Kind::kInt8:
        return Value::Int8(static_cast<int8_t>(Integer()));
      case Kind::kInt16:
        return Value::Int16(static_cast<int16_t>(Integer()));
      case Kind::kInt32:
        return Value::Int32(static_cast<int32_t>(Integer()));
      case Kind::kInt64:
        return Value::Int64(Integer());
      case Kind::kVarint:
        return Value::Varint(Bytes());
      case Kind::kFloat:
        return Value::Float(static_cast<float>(Real()));
      case Kind::kDouble:
        return Value::Double(Real());
      case Kind::kDecimal:
        return Value::Decimal(static_cast<int32_t>(Below(7)) - 3, Bytes());
      case Kind::kDecimal128:
        return Value::Decimal128(Decimal128());
      case Kind::kString:
        return Value::String(Text());
      case Kind::kAscii:
        return Value::Ascii(Text());
      case Kind::kBinary:
        return Value::Binary(Bytes(), kSubtypes[Below(std::size(kSubtypes))]);
      case Kind::kUuid:
        return Value::Uuid(Uuid());
      case Kind::kTimeUuid:
        return Value::TimeUuid(Uuid());
      case Kind::kObjectId:
        return Value::ObjectId(ObjectId());
      case Kind::kDateTime:
        return Value::DateTime(Integer());
      case Kind::kTimestamp:
        return Value::Timestamp(
            {static_cast<uint32_t>(Integer()), static_cast<uint32_t>(Integer())});
      case Kind::kDate:
        return Value::Date(static_cast<uint32_t>(Integer()));
      case Kind::kTime:
        return Value::Time(Integer());
      case Kind::kDuration:
        return Value::Duration(
            {static_cast<int32_t>(Integer()), static_cast<int32_t>(Integer()), Integer()});
      case Kind::kInet:
        return Value::Inet(std::string(Below(2) == 0 ? 4 : 16, static_cast<char>(Below(3))));
      case Kind::kRegex:
        return Value::Regex(Name(), Name());
      case Kind::kJavaScript:
        return Value::JavaScript(Text());
      case Kind::kJavaScriptWithScope:
        return Value::JavaScriptWithScope(Text(), SomeFields(depth - 1));
      case Kind::kSymbol:
        return Value::Symbol(Text());
      case Kind::kDbPointer:
        return Value::DbPointer(Name(), ObjectId());
      case Kind::kMinKey:
        return Value::MinKey();
      case Kind::kMaxKey:
        return Value::MaxKey();
      case Kind::kArray:
        return Value::Array(SomeValues(depth - 1));
      case Kind::kObject:
        return Value::Object(SomeFields(depth - 1));
      case Kind::kSet:
        return Value::Set(SomeValues(depth - 1));
      case Kind::kMap:
        return Value::Map(SomeEntries(depth - 1));
    }
    return Value::Null();
  }

  int64_t Integer() {
    switch (Below(4)) {
      case 0:
        return static_cast<int64_t>(Below(5)) - 2;
      case 1:
        return std::numeric_limits<int64_t>::min() + static_cast<int64_t>(Below(3));
      case 2:
        return std::numeric_limits<int64_t>::max() - static_cast<int64_t>(Below(3));
      default:
        return static_cast<int64_t>(random_()) >> Below(64);
    }
  }

  double Real() {
    constexpr double kSpecial[] = {0.0,
                                   -0.0,
                                   0.1,
                                   0.5,
                                   -0.1,
                                   1e300,
                                   -1e300,
                                   5e-324,
                                   2.5e-308,
                                   std::numeric_limits<double>::infinity(),
                                   -std::numeric_limits<double>::infinity(),
                                   std::numeric_limits<double>::quiet_NaN()};
    switch (Below(4)) {
      case 0:
        return kSpecial[Below(std::size(kSpecial))];
      case 1:
        return static_cast<double>(Integer());
      case 2:
        return static_cast<double>(Integer()) / 16;
      default:
        return std::ldexp(static_cast<double>(Integer()), static_cast<int>(Below(200)) - 100);
    }
  }

  Decimal128Bits Decimal128() {
    Decimal128Bits bits;
    BigDecimal magnitude;
    magnitude.coefficient = BigInt(static_cast<uint64_t>(Integer()) >> Below(64));
    if (Below(3) == 0) magnitude.coefficient = PowerOfTen(34) - 1 - Below(2);
    switch (Below(4)) {
      case 0:
        magnitude.exponent = static_cast<int64_t>(Below(5)) - 2;
        break;
      case 1:
        magnitude.exponent = static_cast<int64_t>(Below(60)) - 40;
        break;
      case 2:
        magnitude.exponent = kDecimal128ExponentMin + static_cast<int64_t>(Below(3));
        break;
      default:
        magnitude.exponent = kDecimal128ExponentMax - static_cast<int64_t>(Below(3));
        break;
    }
    if (Below(20) == 0) return {kDecimal128Nan, 0};
    if (Below(20) == 0) return {kDecimal128Infinity | Below(2) << 63, 0};
    if (!PackDecimal128(Below(2) != 0, magnitude, bits)) return {};
    return bits;
  }

  // Few letters, NUL and FF among them, so that prefixes and escapes meet.
  std::string Bytes() {
    constexpr char kBytes[] = {'\0', '\x01', '\x7f', '\x80', '\xff', 'a', 'b'};
    std::string bytes;
    for (uint64_t n = Below(6); n > 0; --n) bytes.push_back(kBytes[Below(std::size(kBytes))]);
    return bytes;
  }

  // Valid UTF-8, NUL included.
  std::string Text() {
    const std::string letters[] = {std::string(1, '\0'), "\x01", "a", "b", "\xc3\xa9",
                                   "\xf0\x9f\x98\x80",   "\""};
    std::string text;
    for (uint64_t n = Below(5); n > 0; --n) text += letters[Below(std::size(letters))];
    return text;
  }

  std::string Name() {
    std::string name;
    for (uint64_t n = Below(4); n > 0; --n) name.push_back(static_cast<char>('a' + Below(3)));
    return name;
  }

  UuidBytes Uuid() {
    UuidBytes uuid{};
    for (uint64_t n = Below(4); n > 0; --n) uuid[Below(16)] = static_cast<uint8_t>(random_());
    uuid[6] = static_cast<uint8_t>(0x10 | (uuid[6] & 0x0f));
    if (Below(2) == 0) uuid[6] = static_cast<uint8_t>(uuid[6] ^ 0x50);
    return uuid;
  }

  ObjectIdBytes ObjectId() {
    ObjectIdBytes id{};
    for (uint64_t n = Below(3); n > 0; --n) id[Below(12)] = static_cast<uint8_t>(random_());
    return id;
  }

  Values SomeValues(int depth) {
    Values values;
    if (depth < 0) return values;
    for (uint64_t n = Below(4); n > 0; --n) values.push_back(Any(depth));
    return values;
  }

  Fields SomeFields(int depth) {
    Fields fields;
    if (depth < 0) return fields;
    for (uint64_t n = Below(4); n > 0; --n) fields.push_back(Field{Name(), Any(depth)});
    return fields;
  }

  MapEntries SomeEntries(int depth) {
    MapEntries entries;
    if (depth < 0) return entries;
    for (uint64_t n = Below(3); n > 0; --n) entries.push_back(MapEntry{Any(depth), Any(depth)});
    return entries;
  }

 private:
  static constexpr Kind kCommon[] = {
      Kind::kInt32,      Kind::kInt64,  Kind::kDouble, Kind::kFloat, Kind::kDecimal,
      Kind::kDecimal128, Kind::kVarint, Kind::kString, Kind::kArray, Kind::kObject};

  // Not 2, whose bytes begin with a length of their own.
  static constexpr uint8_t kSubtypes[] = {0, 1, 4, 5, 128};

  std::mt19937_64 random_;
};

}  // namespace orrery::model
