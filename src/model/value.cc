#include "model/value.h"

#include <bit>

#include "base/check.h"

namespace orrery::model {
namespace {

// A varint's sign is its first bit, so a leading 00 or ff that repeats the next byte's sign is
// redundant.
std::string ShortestVarint(std::string_view bytes) {
  if (bytes.empty()) return std::string(1, '\0');
  while (bytes.size() > 1) {
    const auto first = static_cast<uint8_t>(bytes[0]);
    const bool next_negative = (static_cast<uint8_t>(bytes[1]) & 0x80) != 0;
    if (first != (next_negative ? 0xff : 0x00)) break;
    bytes.remove_prefix(1);
  }
  return std::string(bytes);
}

}  // namespace

std::string_view KindName(Kind kind) {
  switch (kind) {
    case Kind::kUndefined:
      return "undefined";
    case Kind::kNull:
      return "null";
    case Kind::kBool:
      return "bool";
    case Kind::kInt8:
      return "int8";
    case Kind::kInt16:
      return "int16";
    case Kind::kInt32:
      return "int32";
    case Kind::kInt64:
      return "int64";
    case Kind::kVarint:
      return "varint";
    case Kind::kFloat:
      return "float";
    case Kind::kDouble:
      return "double";
    case Kind::kDecimal:
      return "decimal";
    case Kind::kDecimal128:
      return "decimal128";
    case Kind::kString:
      return "string";
    case Kind::kAscii:
      return "ascii";
    case Kind::kBinary:
      return "binary";
    case Kind::kUuid:
      return "uuid";
    case Kind::kTimeUuid:
      return "timeuuid";
    case Kind::kObjectId:
      return "object_id";
    case Kind::kDateTime:
      return "datetime";
    case Kind::kTimestamp:
      return "timestamp";
    case Kind::kDate:
      return "date";
    case Kind::kTime:
      return "time";
    case Kind::kDuration:
      return "duration";
    case Kind::kInet:
      return "inet";
    case Kind::kRegex:
      return "regex";
    case Kind::kJavaScript:
      return "javascript";
    case Kind::kJavaScriptWithScope:
      return "javascript_with_scope";
    case Kind::kSymbol:
      return "symbol";
    case Kind::kDbPointer:
      return "db_pointer";
    case Kind::kMinKey:
      return "min_key";
    case Kind::kMaxKey:
      return "max_key";
    case Kind::kArray:
      return "array";
    case Kind::kObject:
      return "object";
    case Kind::kSet:
      return "set";
    case Kind::kMap:
      return "map";
  }
  return "unknown";
}

bool IsNumber(Kind kind) {
  switch (kind) {
    case Kind::kInt8:
    case Kind::kInt16:
    case Kind::kInt32:
    case Kind::kInt64:
    case Kind::kVarint:
    case Kind::kFloat:
    case Kind::kDouble:
    case Kind::kDecimal:
    case Kind::kDecimal128:
      return true;
    default:
      return false;
  }
}

Value Value::Varint(std::string_view bytes) { return Value(Kind::kVarint, ShortestVarint(bytes)); }

Value Value::Decimal(int32_t scale, std::string_view unscaled) {
  Value value(Kind::kDecimal, ShortestVarint(unscaled));
  value.scale_ = scale;
  return value;
}

Value Value::Binary(std::string bytes, uint8_t subtype) {
  Value value(Kind::kBinary, std::move(bytes));
  value.subtype_ = subtype;
  return value;
}

Value Value::Inet(std::string address) {
  ORRERY_CHECK(address.size() == 4 || address.size() == 16);
  return Value(Kind::kInet, std::move(address));
}

// Stored as BSON has it, the two texts with a NUL between them.
Value Value::Regex(std::string_view pattern, std::string_view options) {
  ORRERY_CHECK(pattern.find('\0') == std::string_view::npos);
  ORRERY_CHECK(options.find('\0') == std::string_view::npos);
  std::string text(pattern);
  text.push_back('\0');
  text.append(options);
  return Value(Kind::kRegex, std::move(text));
}

// Stored as one field: the code is its name, the scope its value.
Value Value::JavaScriptWithScope(std::string code, Fields scope) {
  Fields pair;
  pair.push_back(Field{std::move(code), Object(std::move(scope))});
  return Value(Kind::kJavaScriptWithScope, std::move(pair));
}

// Stored as BSON has it, the id after the name.
Value Value::DbPointer(std::string_view collection, const ObjectIdBytes& id) {
  std::string text(collection);
  text.append(reinterpret_cast<const char*>(id.data()), id.size());
  return Value(Kind::kDbPointer, std::move(text));
}

Value Value::Array(Values elements) { return Value(Kind::kArray, std::move(elements)); }
Value Value::Object(Fields fields) { return Value(Kind::kObject, std::move(fields)); }
Value Value::Set(Values elements) { return Value(Kind::kSet, std::move(elements)); }
Value Value::Map(MapEntries entries) { return Value(Kind::kMap, std::move(entries)); }

bool Value::AsBool() const {
  ORRERY_CHECK(kind_ == Kind::kBool);
  return std::get<int64_t>(payload_) != 0;
}

int64_t Value::AsInteger() const {
  ORRERY_CHECK(kind_ >= Kind::kInt8 && kind_ <= Kind::kInt64);
  return std::get<int64_t>(payload_);
}

double Value::AsDouble() const {
  ORRERY_CHECK(kind_ == Kind::kFloat || kind_ == Kind::kDouble);
  return std::get<double>(payload_);
}

const std::string& Value::AsString() const {
  ORRERY_CHECK(kind_ == Kind::kString || kind_ == Kind::kAscii || kind_ == Kind::kSymbol ||
               kind_ == Kind::kJavaScript);
  return std::get<std::string>(payload_);
}

const std::string& Value::AsBytes() const {
  ORRERY_CHECK(kind_ == Kind::kBinary || kind_ == Kind::kInet || kind_ == Kind::kVarint);
  return std::get<std::string>(payload_);
}

DecimalView Value::AsDecimal() const {
  ORRERY_CHECK(kind_ == Kind::kDecimal);
  return {scale_, std::get<std::string>(payload_)};
}

Decimal128Bits Value::AsDecimal128() const {
  ORRERY_CHECK(kind_ == Kind::kDecimal128);
  return std::get<Decimal128Bits>(payload_);
}

const UuidBytes& Value::AsUuid() const {
  ORRERY_CHECK(kind_ == Kind::kUuid || kind_ == Kind::kTimeUuid);
  return std::get<UuidBytes>(payload_);
}

const ObjectIdBytes& Value::AsObjectId() const {
  ORRERY_CHECK(kind_ == Kind::kObjectId);
  return std::get<ObjectIdBytes>(payload_);
}

int64_t Value::AsDateTime() const {
  ORRERY_CHECK(kind_ == Kind::kDateTime);
  return std::get<int64_t>(payload_);
}

BsonTimestamp Value::AsTimestamp() const {
  ORRERY_CHECK(kind_ == Kind::kTimestamp);
  return std::get<BsonTimestamp>(payload_);
}

uint32_t Value::AsDate() const {
  ORRERY_CHECK(kind_ == Kind::kDate);
  return static_cast<uint32_t>(std::get<int64_t>(payload_));
}

int64_t Value::AsTime() const {
  ORRERY_CHECK(kind_ == Kind::kTime);
  return std::get<int64_t>(payload_);
}

DurationParts Value::AsDuration() const {
  ORRERY_CHECK(kind_ == Kind::kDuration);
  return std::get<DurationParts>(payload_);
}

RegexView Value::AsRegex() const {
  ORRERY_CHECK(kind_ == Kind::kRegex);
  const std::string_view text = std::get<std::string>(payload_);
  const size_t middle = text.find('\0');
  return {text.substr(0, middle), text.substr(middle + 1)};
}

DbPointerView Value::AsDbPointer() const {
  ORRERY_CHECK(kind_ == Kind::kDbPointer);
  const std::string_view text = std::get<std::string>(payload_);
  DbPointerView view;
  view.collection = text.substr(0, text.size() - view.id.size());
  text.copy(reinterpret_cast<char*>(view.id.data()), view.id.size(), view.collection.size());
  return view;
}

ScopedCodeView Value::AsScopedCode() const {
  ORRERY_CHECK(kind_ == Kind::kJavaScriptWithScope);
  const Field& pair = std::get<Fields>(payload_).front();
  return {pair.name, pair.value.AsFields()};
}

const Values& Value::AsValues() const {
  ORRERY_CHECK(kind_ == Kind::kArray || kind_ == Kind::kSet);
  return std::get<Values>(payload_);
}

const Fields& Value::AsFields() const {
  ORRERY_CHECK(kind_ == Kind::kObject);
  return std::get<Fields>(payload_);
}

const MapEntries& Value::AsEntries() const {
  ORRERY_CHECK(kind_ == Kind::kMap);
  return std::get<MapEntries>(payload_);
}

Values& Value::MutableValues() {
  ORRERY_CHECK(kind_ == Kind::kArray || kind_ == Kind::kSet);
  return std::get<Values>(payload_);
}

Fields& Value::MutableFields() {
  ORRERY_CHECK(kind_ == Kind::kObject);
  return std::get<Fields>(payload_);
}

const Value* Value::Find(std::string_view name) const {
  if (kind_ != Kind::kObject) return nullptr;
  for (const Field& field : std::get<Fields>(payload_)) {
    if (field.name == name) return &field.value;
  }
  return nullptr;
}

bool operator==(const Value& a, const Value& b) {
  if (a.kind_ != b.kind_ || a.subtype_ != b.subtype_ || a.scale_ != b.scale_) return false;
  if (const double* x = std::get_if<double>(&a.payload_)) {
    return std::bit_cast<uint64_t>(*x) == std::bit_cast<uint64_t>(std::get<double>(b.payload_));
  }
  return a.payload_ == b.payload_;
}

}  // namespace orrery::model
