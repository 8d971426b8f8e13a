#include "api/cassandra/types/key_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "api/cassandra/types/collection_codec.h"
#include "api/cassandra/types/composite.h"
#include "api/cassandra/types/native/decimal.h"
#include "api/cassandra/types/native/fixed_size.h"
#include "api/cassandra/types/validate.h"

namespace orrery::cassandra {
namespace {

using model::Kind;
using model::Value;

model::UuidBytes ToUuid(std::string_view bytes) {
  model::UuidBytes uuid;
  std::copy(bytes.begin(), bytes.end(), uuid.begin());
  return uuid;
}

// A key does not know how a decimal was spelled. Whole numbers get their zeros back as long as they
// fit into 64 bits: who has 100 did hardly write 1E+2.
std::string DecimalBytes(const model::DecimalView& decimal) {
  int64_t whole = 0;
  if (decimal.scale < 0 && decimal.unscaled.size() <= sizeof(whole)) {
    whole = static_cast<signed char>(decimal.unscaled.front()) < 0 ? -1 : 0;
    for (const char byte : decimal.unscaled)
      whole = static_cast<int64_t>(static_cast<uint64_t>(whole) << 8 | static_cast<uint8_t>(byte));
    int32_t scale = decimal.scale;
    while (scale < 0 && !__builtin_mul_overflow(whole, 10, &whole)) ++scale;
    if (scale == 0) return EncodeDecimal(0, EncodeVarint(whole));
  }
  return EncodeDecimal(decimal.scale, decimal.unscaled);
}

// Keys keep decimals without trailing zeros, which must not push the scale out of its range.
Result<Value> DecimalValue(std::string_view bytes) {
  constexpr int64_t kScaleLimit =
      int64_t{std::numeric_limits<int32_t>::max()} - static_cast<int64_t>(kBigNumberDigitsMax);
  const int64_t scale = DecimalScale(bytes);
  if (bytes.size() > kBigNumberBytesMax || scale > kScaleLimit || scale < -kScaleLimit)
    return Fail(Code::kInvalidArgument, "the decimal is too large for a key");
  return Value::Decimal(static_cast<int32_t>(scale), DecimalUnscaled(bytes));
}

Result<model::Values> ToValues(const Type& element, const Views& bytes) {
  model::Values values;
  values.reserve(bytes.size());
  for (const std::string_view one : bytes) {
    ORRERY_ASSIGN(Value value, ToKeyValue(element, one));
    values.push_back(std::move(value));
  }
  return values;
}

Result<Value> MapValue(const Type& type, std::string_view bytes) {
  ORRERY_ASSIGN(const std::vector<EntryView> entries, UnpackEntries(bytes));
  model::MapEntries values;
  for (const EntryView& entry : entries) {
    ORRERY_ASSIGN(Value key, ToKeyValue(type.key(), entry.key));
    ORRERY_ASSIGN(Value value, ToKeyValue(type.value(), entry.value));
    values.push_back({std::move(key), std::move(value)});
  }
  return Value::Map(std::move(values));
}

Result<Value> ComponentsValue(const Type& type, std::string_view bytes) {
  ORRERY_ASSIGN(std::vector<NullableView> components, UnpackComponents(type, bytes));
  while (!components.empty() && !components.back().has_value()) components.pop_back();
  model::Values values;
  for (size_t i = 0; i < components.size(); ++i) {
    if (!components[i].has_value()) {
      values.push_back(Value::MinKey());
      continue;
    }
    ORRERY_ASSIGN(Value value, ToKeyValue(*type.parameters()[i], *components[i]));
    values.push_back(std::move(value));
  }
  return Value::Array(std::move(values));
}

// The parts one after the other, each value before its end; in front whether it is not a static
// column's, whose values come first.
Result<Value> CompositeValue(const Type& type, std::string_view bytes) {
  ORRERY_ASSIGN(const Composite composite, UnpackComposite(type, bytes));
  model::Values values;
  if (!bytes.empty()) values.push_back(Value::Bool(!composite.is_static));
  for (const CompositePart& part : composite.parts) {
    ORRERY_ASSIGN(Value value, ToKeyValue(*part.type, part.value));
    values.push_back(std::move(value));
    values.push_back(Value::Int8(part.end));
  }
  return Value::Array(std::move(values));
}

std::unexpected<Error> Mismatch(const Type& type, const Value& value) {
  return Fail(Code::kCorruption, fmt::format("a key holds {} where its column has type {}",
                                             model::KindName(value.kind()), type.CqlName()));
}

// The one kind that ToKeyValue makes of the type's values.
Kind KindOf(const Type& type) {
  switch (type.kind()) {
    case TypeKind::kAscii:
      return Kind::kAscii;
    case TypeKind::kText:
      return Kind::kString;
    case TypeKind::kBoolean:
      return Kind::kBool;
    case TypeKind::kTinyint:
      return Kind::kInt8;
    case TypeKind::kSmallint:
      return Kind::kInt16;
    case TypeKind::kInt:
      return Kind::kInt32;
    case TypeKind::kBigint:
    case TypeKind::kCounter:
      return Kind::kInt64;
    case TypeKind::kVarint:
      return Kind::kVarint;
    case TypeKind::kDecimal:
      return Kind::kDecimal;
    case TypeKind::kFloat:
      return Kind::kFloat;
    case TypeKind::kDouble:
      return Kind::kDouble;
    case TypeKind::kDate:
      return Kind::kDate;
    case TypeKind::kTime:
      return Kind::kTime;
    case TypeKind::kTimestamp:
      return Kind::kDateTime;
    case TypeKind::kInet:
      return Kind::kInet;
    case TypeKind::kUuid:
      return Kind::kUuid;
    case TypeKind::kTimeuuid:
      return Kind::kTimeUuid;
    case TypeKind::kSet:
      return Kind::kSet;
    case TypeKind::kMap:
      return Kind::kMap;
    case TypeKind::kList:
    case TypeKind::kTuple:
    case TypeKind::kUdt:
    case TypeKind::kVector:
      return Kind::kArray;
    case TypeKind::kCustom:
      return type.is_composite() ? Kind::kArray : Kind::kBinary;
    case TypeKind::kBlob:
    case TypeKind::kDuration:
    case TypeKind::kEmpty:
      return Kind::kBinary;
  }
  return Kind::kBinary;
}

Result<std::vector<std::string>> FromValues(const Type& element, const model::Values& values) {
  std::vector<std::string> bytes;
  bytes.reserve(values.size());
  for (const Value& value : values) {
    ORRERY_ASSIGN(std::string one, FromKeyValue(element, value));
    bytes.push_back(std::move(one));
  }
  return bytes;
}

Result<std::string> FromMap(const Type& type, const model::MapEntries& entries) {
  std::vector<std::pair<std::string, std::string>> owned;
  std::vector<EntryView> views;
  owned.reserve(entries.size());
  for (const model::MapEntry& entry : entries) {
    ORRERY_ASSIGN(std::string key, FromKeyValue(type.key(), entry.key));
    ORRERY_ASSIGN(std::string value, FromKeyValue(type.value(), entry.value));
    owned.emplace_back(std::move(key), std::move(value));
    views.push_back({owned.back().first, owned.back().second});
  }
  return PackEntries(views);
}

Result<std::string> FromComposite(const Type& type, const Value& value) {
  const model::Values& values = value.AsValues();
  if (values.empty()) return std::string();
  const size_t count = values.size() / 2;
  if (values.size() % 2 != 1 || count > type.parameters().size() ||
      values.front().kind() != Kind::kBool)
    return Mismatch(type, value);
  std::vector<std::string> owned(count);
  Composite composite;
  composite.is_static = !values.front().AsBool();
  for (size_t i = 0; i < count; ++i) {
    const Value& end = values[2 * i + 2];
    if (end.kind() != Kind::kInt8) return Mismatch(type, value);
    ORRERY_ASSIGN(owned[i], FromKeyValue(*type.parameters()[i], values[2 * i + 1]));
    composite.parts.push_back(
        {type.parameters()[i], owned[i], static_cast<int8_t>(end.AsInteger())});
  }
  return PackComposite(composite);
}

Result<std::string> FromArray(const Type& type, const Value& value) {
  if (type.is_composite()) return FromComposite(type, value);
  const model::Values& values = value.AsValues();
  if (type.kind() == TypeKind::kList || type.kind() == TypeKind::kVector) {
    ORRERY_ASSIGN(const std::vector<std::string> elements, FromValues(type.element(), values));
    if (type.kind() == TypeKind::kList) return PackElements(AsViews(elements));
    const std::optional<size_t> fixed = type.element().FixedLength();
    if (elements.size() != type.dimension()) return Mismatch(type, value);
    for (const std::string& element : elements) {
      if (fixed.has_value() && element.size() != *fixed) return Mismatch(type, value);
    }
    return PackVector(type, AsViews(elements));
  }
  std::vector<std::optional<std::string>> components(type.parameters().size());
  if (values.size() > components.size()) return Mismatch(type, value);
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i].kind() == Kind::kMinKey) continue;
    ORRERY_ASSIGN(components[i], FromKeyValue(*type.parameters()[i], values[i]));
  }
  return PackComponents(AsViews(components));
}

std::string FromUuid(const model::UuidBytes& uuid) { return std::string(uuid.begin(), uuid.end()); }

}  // namespace

Result<Value> ToKeyValue(const Type& type, std::string_view bytes) {
  if (type.parameters().empty()) ORRERY_TRY(Validate(type, bytes));
  if (bytes.empty() && !HasOrdinaryEmpty(type)) {
    if (!AllowsEmpty(type)) return Fail(Code::kInvalidArgument, "Unexpected empty value");
    return Value::Undefined();
  }
  switch (type.kind()) {
    case TypeKind::kAscii:
      return Value::Ascii(std::string(bytes));
    case TypeKind::kText:
      return Value::String(std::string(bytes));
    case TypeKind::kBoolean:
      return Value::Bool(bytes[0] != 0);
    case TypeKind::kTinyint:
      return Value::Int8(DecodeInteger<int8_t>(bytes));
    case TypeKind::kSmallint:
      return Value::Int16(DecodeInteger<int16_t>(bytes));
    case TypeKind::kInt:
      return Value::Int32(DecodeInteger<int32_t>(bytes));
    case TypeKind::kBigint:
    case TypeKind::kCounter:
      return Value::Int64(DecodeInteger<int64_t>(bytes));
    case TypeKind::kVarint:
      if (bytes.size() > kBigNumberBytesMax)
        return Fail(Code::kInvalidArgument, "the varint is too large for a key");
      return Value::Varint(bytes);
    case TypeKind::kDecimal:
      return DecimalValue(bytes);
    case TypeKind::kFloat:
      return Value::Float(DecodeFloat(bytes));
    case TypeKind::kDouble:
      return Value::Double(DecodeDouble(bytes));
    case TypeKind::kDate:
      return Value::Date(DecodeInteger<uint32_t>(bytes));
    case TypeKind::kTime:
      return Value::Time(DecodeInteger<int64_t>(bytes));
    case TypeKind::kTimestamp:
      return Value::DateTime(DecodeInteger<int64_t>(bytes));
    case TypeKind::kInet:
      return Value::Inet(std::string(bytes));
    case TypeKind::kUuid:
      return Value::Uuid(ToUuid(bytes));
    case TypeKind::kTimeuuid:
      return Value::TimeUuid(ToUuid(bytes));
    case TypeKind::kList:
    case TypeKind::kSet: {
      ORRERY_ASSIGN(const Views elements, UnpackElements(type, bytes));
      ORRERY_ASSIGN(model::Values values, ToValues(type.element(), elements));
      return type.kind() == TypeKind::kSet ? Value::Set(std::move(values))
                                           : Value::Array(std::move(values));
    }
    case TypeKind::kVector: {
      ORRERY_ASSIGN(const Views elements, UnpackVector(type, bytes));
      ORRERY_ASSIGN(model::Values values, ToValues(type.element(), elements));
      return Value::Array(std::move(values));
    }
    case TypeKind::kMap:
      return MapValue(type, bytes);
    case TypeKind::kTuple:
    case TypeKind::kUdt:
      return ComponentsValue(type, bytes);
    case TypeKind::kCustom:
      if (type.is_composite()) return CompositeValue(type, bytes);
      return Value::Binary(std::string(bytes));
    case TypeKind::kBlob:
    case TypeKind::kDuration:
    case TypeKind::kEmpty:
      return Value::Binary(std::string(bytes));
  }
  return Fail(Code::kInternal, "unknown type");
}

Result<std::string> FromKeyValue(const Type& type, const Value& value) {
  if (value.is_undefined() && AllowsEmpty(type) && !HasOrdinaryEmpty(type)) return std::string();
  if (value.kind() != KindOf(type)) return Mismatch(type, value);
  switch (value.kind()) {
    case Kind::kAscii:
    case Kind::kString:
      return value.AsString();
    case Kind::kBool:
      return EncodeBoolean(value.AsBool());
    case Kind::kInt8:
      return EncodeInteger(static_cast<int8_t>(value.AsInteger()));
    case Kind::kInt16:
      return EncodeInteger(static_cast<int16_t>(value.AsInteger()));
    case Kind::kInt32:
      return EncodeInteger(static_cast<int32_t>(value.AsInteger()));
    case Kind::kInt64:
      return EncodeInteger(value.AsInteger());
    case Kind::kVarint:
    case Kind::kInet:
    case Kind::kBinary:
      return value.AsBytes();
    case Kind::kDecimal:
      return DecimalBytes(value.AsDecimal());
    case Kind::kFloat:
      return EncodeFloat(static_cast<float>(value.AsDouble()));
    case Kind::kDouble:
      return EncodeDouble(value.AsDouble());
    case Kind::kDate:
      return EncodeInteger(value.AsDate());
    case Kind::kTime:
      return EncodeInteger(value.AsTime());
    case Kind::kDateTime:
      return EncodeInteger(value.AsDateTime());
    case Kind::kUuid:
    case Kind::kTimeUuid:
      return FromUuid(value.AsUuid());
    case Kind::kSet: {
      ORRERY_ASSIGN(const std::vector<std::string> elements,
                    FromValues(type.element(), value.AsValues()));
      return PackElements(AsViews(elements));
    }
    case Kind::kMap:
      return FromMap(type, value.AsEntries());
    case Kind::kArray:
      return FromArray(type, value);
    default:
      return Mismatch(type, value);
  }
}

}  // namespace orrery::cassandra
