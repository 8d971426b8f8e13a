// A Value is one piece of data of any API: JSON, BSON and CQL types under one tag.
//
// It owns what it holds, copies deeply and moves cheaply; scalars never allocate. A Value knows
// nothing of order: compare.h says how two of them compare under each API, key_codec.h how they
// become bytes of a key, document.h how they become BSON.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace orrery::model {

enum class Kind : uint8_t {
  kUndefined,  // absent, as SQL and JavaScript have it; not the same as null
  kNull,
  kBool,
  kInt8,
  kInt16,
  kInt32,
  kInt64,
  kVarint,  // CQL: any integer
  kFloat,
  kDouble,
  kDecimal,     // CQL: unscaled * 10^-scale
  kDecimal128,  // BSON: IEEE 754-2008, 34 digits
  kString,
  kAscii,
  kBinary,  // bytes with a BSON subtype; CQL blobs have subtype 0
  kUuid,
  kTimeUuid,
  kObjectId,
  kDateTime,   // milliseconds since 1970; CQL timestamp, BSON date
  kTimestamp,  // BSON's internal timestamp
  kDate,       // CQL: days, 2^31 is 1970-01-01
  kTime,       // CQL: nanoseconds since midnight
  kDuration,
  kInet,
  kRegex,
  kJavaScript,
  kJavaScriptWithScope,
  kSymbol,
  kDbPointer,
  kMinKey,
  kMaxKey,
  kArray,   // also CQL lists and tuples
  kObject,  // fields in the order they were written
  kSet,
  kMap,
};

// "int32", "object_id": for error texts.
std::string_view KindName(Kind kind);

// int8 to int64, varint, float, double, decimal and decimal128.
bool IsNumber(Kind kind);

class Value;
struct Field;
struct MapEntry;
using Values = std::vector<Value>;
using Fields = std::vector<Field>;
using MapEntries = std::vector<MapEntry>;

using UuidBytes = std::array<uint8_t, 16>;  // in network order, as written
using ObjectIdBytes = std::array<uint8_t, 12>;

struct Decimal128Bits {
  uint64_t high = 0;  // sign, exponent, upper coefficient; BSON stores it last
  uint64_t low = 0;
  friend bool operator==(const Decimal128Bits&, const Decimal128Bits&) = default;
};

struct BsonTimestamp {
  uint32_t seconds = 0;
  uint32_t increment = 0;
  friend bool operator==(const BsonTimestamp&, const BsonTimestamp&) = default;
};

struct DurationParts {
  int32_t months = 0;
  int32_t days = 0;
  int64_t nanoseconds = 0;
  friend bool operator==(const DurationParts&, const DurationParts&) = default;
};

// Views of the contents of some kinds, without copying. Valid while the Value lives and does not
// change.
struct DecimalView {
  int32_t scale;
  std::string_view unscaled;  // two's complement, big-endian, shortest form
};
struct RegexView {
  std::string_view pattern;
  std::string_view options;
};
struct DbPointerView {
  std::string_view collection;
  ObjectIdBytes id;
};
struct ScopedCodeView {
  std::string_view code;
  const Fields& scope;
};

class Value {
 public:
  Value();  // undefined
  Value(const Value&);
  Value(Value&&) noexcept;
  Value& operator=(const Value&);
  Value& operator=(Value&&) noexcept;
  ~Value();

  static Value Undefined() { return Value(); }
  static Value Null() { return Value(Kind::kNull); }
  static Value Bool(bool value) { return Value(Kind::kBool, int64_t{value}); }
  static Value Int8(int8_t value) { return Value(Kind::kInt8, int64_t{value}); }
  static Value Int16(int16_t value) { return Value(Kind::kInt16, int64_t{value}); }
  static Value Int32(int32_t value) { return Value(Kind::kInt32, int64_t{value}); }
  static Value Int64(int64_t value) { return Value(Kind::kInt64, value); }
  // Two's complement, big-endian; brought to its shortest form. No bytes are zero.
  static Value Varint(std::string_view bytes);
  static Value Float(float value) { return Value(Kind::kFloat, double{value}); }
  static Value Double(double value) { return Value(Kind::kDouble, value); }
  static Value Decimal(int32_t scale, std::string_view unscaled);
  static Value Decimal128(Decimal128Bits bits) { return Value(Kind::kDecimal128, bits); }
  static Value String(std::string text) { return Value(Kind::kString, std::move(text)); }
  static Value Ascii(std::string text) { return Value(Kind::kAscii, std::move(text)); }
  static Value Binary(std::string bytes, uint8_t subtype = 0);
  static Value Uuid(const UuidBytes& bytes) { return Value(Kind::kUuid, bytes); }
  static Value TimeUuid(const UuidBytes& bytes) { return Value(Kind::kTimeUuid, bytes); }
  static Value ObjectId(const ObjectIdBytes& bytes) { return Value(Kind::kObjectId, bytes); }
  static Value DateTime(int64_t unix_ms) { return Value(Kind::kDateTime, unix_ms); }
  static Value Timestamp(BsonTimestamp timestamp) { return Value(Kind::kTimestamp, timestamp); }
  static Value Date(uint32_t days) { return Value(Kind::kDate, int64_t{days}); }
  static Value Time(int64_t nanoseconds) { return Value(Kind::kTime, nanoseconds); }
  static Value Duration(DurationParts parts) { return Value(Kind::kDuration, parts); }
  // REQUIRES: 4 or 16 bytes.
  static Value Inet(std::string address);
  // REQUIRES: no NUL in either.
  static Value Regex(std::string_view pattern, std::string_view options);
  static Value JavaScript(std::string code) { return Value(Kind::kJavaScript, std::move(code)); }
  static Value JavaScriptWithScope(std::string code, Fields scope);
  static Value Symbol(std::string text) { return Value(Kind::kSymbol, std::move(text)); }
  static Value DbPointer(std::string_view collection, const ObjectIdBytes& id);
  static Value MinKey() { return Value(Kind::kMinKey); }
  static Value MaxKey() { return Value(Kind::kMaxKey); }
  static Value Array(Values elements);
  static Value Object(Fields fields);
  static Value Set(Values elements);
  static Value Map(MapEntries entries);

  Kind kind() const { return kind_; }
  bool is_undefined() const { return kind_ == Kind::kUndefined; }
  bool is_null() const { return kind_ == Kind::kNull; }
  bool is_number() const { return IsNumber(kind_); }

  // Each REQUIRES one of the kinds named: a wrong one is a bug and ends the process.
  bool AsBool() const;
  int64_t AsInteger() const;            // int8 to int64
  double AsDouble() const;              // float, double
  const std::string& AsString() const;  // string, ascii, symbol, javascript
  const std::string& AsBytes() const;   // binary, inet, varint
  uint8_t binary_subtype() const { return subtype_; }
  DecimalView AsDecimal() const;
  Decimal128Bits AsDecimal128() const;
  const UuidBytes& AsUuid() const;  // uuid, timeuuid
  const ObjectIdBytes& AsObjectId() const;
  int64_t AsDateTime() const;
  BsonTimestamp AsTimestamp() const;
  uint32_t AsDate() const;
  int64_t AsTime() const;
  DurationParts AsDuration() const;
  RegexView AsRegex() const;
  DbPointerView AsDbPointer() const;
  ScopedCodeView AsScopedCode() const;
  const Values& AsValues() const;       // array, set
  const Fields& AsFields() const;       // object
  const MapEntries& AsEntries() const;  // map
  Values& MutableValues();
  Fields& MutableFields();

  // The field of an object by name, or nullptr; nullptr too when this is no object.
  const Value* Find(std::string_view name) const;

  // The same kind and the same contents, bit for bit: stricter than any order (1 is not 1.0,
  // and a NaN equals itself). Use Compare for an API's own idea of equality.
  friend bool operator==(const Value& a, const Value& b);

 private:
  using Payload =
      std::variant<std::monostate, int64_t, double, std::string, UuidBytes, ObjectIdBytes,
                   Decimal128Bits, BsonTimestamp, DurationParts, Values, Fields, MapEntries>;

  explicit Value(Kind kind);
  template <typename T>
  Value(Kind kind, T&& payload);

  Payload payload_;
  int32_t scale_ = 0;  // of a decimal
  Kind kind_ = Kind::kUndefined;
  uint8_t subtype_ = 0;  // of a binary
};

struct Field {
  std::string name;
  Value value;
  friend bool operator==(const Field&, const Field&) = default;
};

struct MapEntry {
  Value key;
  Value value;
  friend bool operator==(const MapEntry&, const MapEntry&) = default;
};

// Here because the payload is whole only now.
inline Value::Value() = default;
inline Value::Value(Kind kind) : kind_(kind) {}
template <typename T>
Value::Value(Kind kind, T&& payload) : payload_(std::forward<T>(payload)), kind_(kind) {}
inline Value::Value(const Value&) = default;
inline Value::Value(Value&&) noexcept = default;
inline Value& Value::operator=(const Value&) = default;
inline Value& Value::operator=(Value&&) noexcept = default;
inline Value::~Value() = default;

}  // namespace orrery::model
