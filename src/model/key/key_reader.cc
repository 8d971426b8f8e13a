// The reading half of key_codec.h.
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "model/key/key_codec.h"
#include "model/key/key_cursor.h"
#include "model/number/big_number.h"
#include "model/number/exact_number.h"
#include "model/type_class.h"

namespace orrery::model {
namespace {

// Every function returns false when the bytes are none that the writing half makes.

bool ReadSqlNumber(KeyCursor& cursor, Value& value) {
  uint64_t bits = 0;
  if (!cursor.Ieee(bits)) return false;
  const auto number = std::bit_cast<double>(bits);
  if (std::isnan(number) ? bits != UINT64_MAX : number == 0 && bits != 0) return false;
  value = Value::Double(std::isnan(number) ? std::numeric_limits<double>::quiet_NaN() : number);
  return true;
}

template <typename Bits, typename Real>
bool ReadCqlReal(KeyCursor& cursor, Real& real) {
  Bits bits = 0;
  if (!cursor.Ieee(bits)) return false;
  real = std::bit_cast<Real>(bits);
  return !std::isnan(real) || bits == std::bit_cast<Bits>(std::numeric_limits<Real>::quiet_NaN());
}

bool ReadExactNumber(KeyCursor& cursor, ExactNumber& number) {
  uint8_t sign = 0;
  if (!cursor.Byte(sign) || sign > static_cast<uint8_t>(ExactNumber::Sign::kPositiveInfinity))
    return false;
  number.sign = static_cast<ExactNumber::Sign>(sign);
  const bool negative = number.sign == ExactNumber::Sign::kNegative;
  if (negative || number.sign == ExactNumber::Sign::kPositive) {
    uint16_t exponent = 0;
    if (!cursor.Unsigned(exponent)) return false;
    number.exponent =
        static_cast<int32_t>(negative ? static_cast<uint16_t>(~exponent) : exponent) - 32768;
    constexpr int kGroupsMax = 19;  // 19 * 7 bits hold the fraction's 128
    for (int group = 0;; ++group) {
      uint8_t byte = 0;
      if (group == kGroupsMax || !cursor.Byte(byte)) return false;
      if (negative) byte = static_cast<uint8_t>(~byte);
      const uint64_t bits = byte >> 1;
      const bool more = (byte & 1) != 0;
      if (!more && bits == 0 && group > 0) return false;  // a shorter form exists
      const int shift = 128 - 7 * (group + 1);            // of the group's last bit
      if (shift >= 64) {
        number.fraction_high |= bits << (shift - 64);
      } else if (shift >= 0) {
        if (shift > 57) number.fraction_high |= bits >> (64 - shift);
        number.fraction_low |= bits << shift;
      } else {
        if ((bits & ((uint64_t{1} << -shift) - 1)) != 0) return false;
        number.fraction_low |= bits >> -shift;
      }
      if (!more) break;
    }
  }
  return true;
}

template <typename Make>
bool ReadExactNumber(KeyCursor& cursor, Value& value, Make make) {
  ExactNumber number;
  if (!ReadExactNumber(cursor, number)) return false;
  Result<Value> made = make(number);
  if (!made.has_value()) return false;
  value = std::move(*made);
  return true;
}

bool ReadVarint(KeyCursor& cursor, Value& value) {
  uint8_t sign = 0;
  uint32_t size = 0;
  std::string bytes;
  if (!cursor.Byte(sign) || sign > 1 || !cursor.Unsigned(size)) return false;
  if (sign == 0) size = ~size;
  if (size == 0 || !cursor.Bytes(size, bytes)) return false;
  if (((static_cast<uint8_t>(bytes[0]) & 0x80) != 0) != (sign == 0)) return false;
  value = Value::Varint(bytes);
  return value.AsBytes().size() == size;
}

bool ReadDecimal(KeyCursor& cursor, Value& value) {
  uint8_t sign = 0;
  if (!cursor.Byte(sign) || sign > 2) return false;
  ScientificDecimal number;
  number.sign = sign - 1;
  if (number.sign != 0) {
    if (!cursor.Signed(number.exponent)) return false;
    if (number.sign < 0) number.exponent = ~number.exponent;
    while (true) {
      uint8_t pair = 0;
      if (!cursor.Byte(pair)) return false;
      if (number.sign < 0) pair = static_cast<uint8_t>(~pair);
      if (pair == 0) break;
      if (pair > 100) return false;
      number.digits.push_back(static_cast<char>('0' + (pair - 1) / 10));
      number.digits.push_back(static_cast<char>('0' + (pair - 1) % 10));
    }
    if (number.digits.empty() || number.digits.front() == '0' || number.digits.ends_with("00"))
      return false;
    if (number.digits.back() == '0') number.digits.pop_back();
  }
  return FromScientific(number, value);
}

// The eight time bytes that the writing half moved to the front.
void RestoreUuidTime(uint64_t time, UuidBytes& uuid) {
  std::string bytes;
  AppendBigEndian(bytes, static_cast<uint32_t>(time));
  AppendBigEndian(bytes, static_cast<uint16_t>(time >> 32));
  AppendBigEndian(bytes, static_cast<uint16_t>(time >> 48));
  bytes.copy(reinterpret_cast<char*>(uuid.data()), bytes.size());
}

bool ReadUuidTail(KeyCursor& cursor, UuidBytes& uuid, uint8_t flip) {
  for (size_t i = 8; i < uuid.size(); ++i) {
    if (!cursor.Byte(uuid[i])) return false;
    uuid[i] ^= flip;
  }
  return true;
}

bool ReadUuid(KeyCursor& cursor, Value& value) {
  uint8_t version = 0;
  UuidBytes uuid{};
  if (!cursor.Byte(version)) return false;
  if (version == 1) {
    uint64_t time = 0;
    if (!cursor.Unsigned(time) || !ReadUuidTail(cursor, uuid, 0x00)) return false;
    RestoreUuidTime(time, uuid);
  } else if (!cursor.Bytes(uuid)) {
    return false;
  }
  value = Value::Uuid(uuid);
  return uuid[6] >> 4 == version;
}

bool ReadTimeUuid(KeyCursor& cursor, Value& value) {
  uint64_t time = 0;
  UuidBytes uuid{};
  if (!cursor.Unsigned(time) || !ReadUuidTail(cursor, uuid, 0x80)) return false;
  RestoreUuidTime(time, uuid);
  value = Value::TimeUuid(uuid);
  return true;
}

bool ReadBody(KeyCursor& cursor, uint8_t type, int depth, Value& value);

bool ReadComponent(KeyCursor& cursor, int depth, Value& value) {
  uint8_t type = 0;
  return depth <= kKeyDepthMax && cursor.Byte(type) && ReadBody(cursor, type, depth, value);
}

bool ReadElements(KeyCursor& cursor, int depth, Values& values) {
  while (!cursor.AtEnd()) {
    Value value;
    if (!ReadComponent(cursor, depth, value)) return false;
    values.push_back(std::move(value));
  }
  return true;
}

bool ReadFields(KeyCursor& cursor, int depth, Fields& fields) {
  while (!cursor.AtEnd()) {
    uint8_t type = 0;
    Field field;
    if (depth > kKeyDepthMax || !cursor.Byte(type) || !cursor.Text(field.name)) return false;
    if (!ReadBody(cursor, type, depth, field.value)) return false;
    fields.push_back(std::move(field));
  }
  return true;
}

bool ReadMap(KeyCursor& cursor, int depth, Value& value) {
  Values flat;
  if (!ReadElements(cursor, depth, flat) || flat.size() % 2 != 0) return false;
  MapEntries entries;
  for (size_t i = 0; i < flat.size(); i += 2) {
    entries.push_back(MapEntry{std::move(flat[i]), std::move(flat[i + 1])});
  }
  value = Value::Map(std::move(entries));
  return true;
}

bool ReadRegex(KeyCursor& cursor, Value& value) {
  std::string pattern;
  std::string options;
  if (!cursor.Text(pattern) || !cursor.Text(options)) return false;
  if (pattern.find('\0') != std::string::npos || options.find('\0') != std::string::npos)
    return false;
  value = Value::Regex(pattern, options);
  return true;
}

bool ReadBinary(KeyCursor& cursor, Value& value) {
  uint32_t size = 0;
  uint8_t subtype = 0;
  std::string bytes;
  if (!cursor.Unsigned(size) || !cursor.Byte(subtype) || !cursor.Bytes(size, bytes)) return false;
  value = Value::Binary(std::move(bytes), subtype);
  return true;
}

bool ReadDbPointer(KeyCursor& cursor, Value& value) {
  uint32_t size = 0;
  std::string collection;
  ObjectIdBytes id;
  if (!cursor.Unsigned(size) || !cursor.Bytes(size, collection) || !cursor.Bytes(id)) return false;
  value = Value::DbPointer(collection, id);
  return true;
}

template <typename T, typename Make>
bool ReadSigned(KeyCursor& cursor, Value& value, Make make) {
  T number = 0;
  if (!cursor.Signed(number)) return false;
  value = make(number);
  return true;
}

template <typename Make>
bool ReadText(KeyCursor& cursor, Value& value, Make make) {
  std::string text;
  if (!cursor.Text(text)) return false;
  value = make(std::move(text));
  return true;
}

template <typename Make>
bool ReadSequence(KeyCursor& cursor, int depth, Value& value, Make make) {
  Values elements;
  if (!ReadElements(cursor, depth, elements)) return false;
  value = make(std::move(elements));
  return true;
}

bool ReadBody(KeyCursor& cursor, uint8_t type, int depth, Value& value) {
  switch (static_cast<TypeClass>(type)) {
    case TypeClass::kEnd:
      return false;
    case TypeClass::kMinKey:
      value = Value::MinKey();
      return true;
    case TypeClass::kUndefined:
      value = Value::Undefined();
      return true;
    case TypeClass::kNull:
      value = Value::Null();
      return true;
    case TypeClass::kMaxKey:
      value = Value::MaxKey();
      return true;
    case TypeClass::kBool:
    case TypeClass::kMongoBool: {
      uint8_t byte = 0;
      if (!cursor.Byte(byte) || byte > 1) return false;
      value = Value::Bool(byte != 0);
      return true;
    }
    case TypeClass::kDoubleNumber:
      return ReadSqlNumber(cursor, value);
    case TypeClass::kExactNumber:
      return ReadExactNumber(cursor, value, FromExactNumber);
    case TypeClass::kDecimal128:
      return ReadExactNumber(cursor, value, Decimal128FromExactNumber);
    case TypeClass::kInt8:
      return ReadSigned<int8_t>(cursor, value, Value::Int8);
    case TypeClass::kInt16:
      return ReadSigned<int16_t>(cursor, value, Value::Int16);
    case TypeClass::kInt32:
      return ReadSigned<int32_t>(cursor, value, Value::Int32);
    case TypeClass::kInt64:
      return ReadSigned<int64_t>(cursor, value, Value::Int64);
    case TypeClass::kDateTime:
      return ReadSigned<int64_t>(cursor, value, Value::DateTime);
    case TypeClass::kTime:
      return ReadSigned<int64_t>(cursor, value, Value::Time);
    case TypeClass::kVarint:
      return ReadVarint(cursor, value);
    case TypeClass::kFloat: {
      float real = 0;
      if (!ReadCqlReal<uint32_t>(cursor, real)) return false;
      value = Value::Float(real);
      return true;
    }
    case TypeClass::kDouble: {
      double real = 0;
      if (!ReadCqlReal<uint64_t>(cursor, real)) return false;
      value = Value::Double(real);
      return true;
    }
    case TypeClass::kDecimal:
      return ReadDecimal(cursor, value);
    case TypeClass::kString:
      return ReadText(cursor, value, Value::String);
    case TypeClass::kAscii:
      return ReadText(cursor, value, Value::Ascii);
    case TypeClass::kJavaScript:
      return ReadText(cursor, value, Value::JavaScript);
    case TypeClass::kBlob:
      return ReadText(cursor, value,
                      [](std::string bytes) { return Value::Binary(std::move(bytes)); });
    case TypeClass::kInet: {
      std::string address;
      if (!cursor.Text(address) || (address.size() != 4 && address.size() != 16)) return false;
      value = Value::Inet(std::move(address));
      return true;
    }
    case TypeClass::kArray:
    case TypeClass::kMongoArray:
      return ReadSequence(cursor, depth + 1, value, Value::Array);
    case TypeClass::kSet:
      return ReadSequence(cursor, depth + 1, value, Value::Set);
    case TypeClass::kMap:
      return ReadMap(cursor, depth + 1, value);
    case TypeClass::kObject: {
      Fields fields;
      if (!ReadFields(cursor, depth + 1, fields)) return false;
      value = Value::Object(std::move(fields));
      return true;
    }
    case TypeClass::kJavaScriptWithScope: {
      std::string code;
      Fields scope;
      if (!cursor.Text(code) || !ReadFields(cursor, depth + 1, scope)) return false;
      value = Value::JavaScriptWithScope(std::move(code), std::move(scope));
      return true;
    }
    case TypeClass::kBinary:
      return ReadBinary(cursor, value);
    case TypeClass::kUuid:
      return ReadUuid(cursor, value);
    case TypeClass::kTimeUuid:
      return ReadTimeUuid(cursor, value);
    case TypeClass::kObjectId: {
      ObjectIdBytes id;
      if (!cursor.Bytes(id)) return false;
      value = Value::ObjectId(id);
      return true;
    }
    case TypeClass::kTimestamp: {
      BsonTimestamp timestamp;
      if (!cursor.Unsigned(timestamp.seconds) || !cursor.Unsigned(timestamp.increment))
        return false;
      value = Value::Timestamp(timestamp);
      return true;
    }
    case TypeClass::kRegex:
      return ReadRegex(cursor, value);
    case TypeClass::kDbPointer:
      return ReadDbPointer(cursor, value);
    case TypeClass::kDate: {
      uint32_t days = 0;
      if (!cursor.Unsigned(days)) return false;
      value = Value::Date(days);
      return true;
    }
    case TypeClass::kDuration: {
      DurationParts parts;
      if (!cursor.Signed(parts.months) || !cursor.Signed(parts.days)) return false;
      if (!cursor.Signed(parts.nanoseconds)) return false;
      value = Value::Duration(parts);
      return true;
    }
  }
  return false;
}

}  // namespace

Result<Value> ReadKey(ByteReader& reader, Direction direction) {
  KeyCursor cursor(reader.rest(), direction);
  Value value;
  if (!ReadComponent(cursor, /*depth=*/1, value)) {
    return Fail(Code::kCorruption, fmt::format("malformed key component near byte {} of {}",
                                               cursor.consumed(), reader.rest().size()));
  }
  std::string_view skipped;
  if (!reader.ReadBytes(cursor.consumed(), skipped))
    return Fail(Code::kInternal, "key cursor overran");
  return value;
}

Result<Values> DecodeKey(std::string_view bytes) {
  ByteReader reader(bytes);
  Values values;
  while (!reader.empty()) {
    ORRERY_ASSIGN(Value value, ReadKey(reader));
    values.push_back(std::move(value));
  }
  return values;
}

}  // namespace orrery::model
