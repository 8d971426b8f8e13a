// The half of script_value.h that goes in.
#include "api/cassandra/types/collection_codec.h"
#include "api/cassandra/types/native/fixed_size.h"
#include "api/cassandra/types/validate.h"
#include "api/cassandra/types/value_text.h"
#include "api/cassandra/user_function/script_value.h"

namespace orrery::cassandra {
namespace {

using model::Value;

Result<Value> Convert(const Type& type, std::string_view bytes);

Result<model::Values> ConvertAll(const Type& element, const Views& views) {
  model::Values values;
  values.reserve(views.size());
  for (const std::string_view view : views) {
    ORRERY_ASSIGN(Value value, Convert(element, view));
    values.push_back(std::move(value));
  }
  return values;
}

Result<Value> ConvertMap(const Type& type, std::string_view bytes) {
  ORRERY_ASSIGN(const std::vector<EntryView> views, UnpackEntries(bytes));
  model::MapEntries entries;
  entries.reserve(views.size());
  for (const EntryView& view : views) {
    ORRERY_ASSIGN(Value key, Convert(type.key(), view.key));
    ORRERY_ASSIGN(Value value, Convert(type.value(), view.value));
    entries.push_back({std::move(key), std::move(value)});
  }
  return Value::Map(std::move(entries));
}

Result<Value> ConvertComponents(const Type& type, std::string_view bytes) {
  ORRERY_ASSIGN(const std::vector<NullableView> views, UnpackComponents(type, bytes));
  model::Values values;
  for (size_t i = 0; i < views.size(); ++i) {
    values.push_back(Value::Null());
    if (!views[i].has_value()) continue;
    ORRERY_ASSIGN(values.back(), Convert(*type.parameters()[i], *views[i]));
  }
  if (type.kind() == TypeKind::kTuple) return Value::Array(std::move(values));
  model::Fields fields;
  for (size_t i = 0; i < values.size(); ++i)
    fields.push_back({type.udt().field_names[i], std::move(values[i])});
  return Value::Object(std::move(fields));
}

// REQUIRES: Validate accepts the bytes.
Result<Value> Convert(const Type& type, std::string_view bytes) {
  if (bytes.empty() && type.is_native() && !HasOrdinaryEmpty(type)) return Value::Null();
  switch (type.kind()) {
    case TypeKind::kAscii:
    case TypeKind::kText:
      return Value::String(std::string(bytes));
    case TypeKind::kBlob:
    case TypeKind::kCustom:
      return Value::Binary(std::string(bytes));
    case TypeKind::kBoolean:
      return Value::Bool(bytes[0] != '\0');
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
      return Value::Varint(bytes);
    case TypeKind::kFloat:
      return Value::Float(DecodeFloat(bytes));
    case TypeKind::kDouble:
      return Value::Double(DecodeDouble(bytes));
    case TypeKind::kTimestamp:
      return Value::DateTime(DecodeInteger<int64_t>(bytes));
    case TypeKind::kDate:
    case TypeKind::kDecimal:
    case TypeKind::kDuration:
    case TypeKind::kInet:
    case TypeKind::kTime:
    case TypeKind::kTimeuuid:
    case TypeKind::kUuid: {
      ORRERY_ASSIGN(std::string text, ToText(type, bytes));
      return Value::String(std::move(text));
    }
    case TypeKind::kEmpty:
      return Value::Null();
    case TypeKind::kList:
    case TypeKind::kSet: {
      ORRERY_ASSIGN(const Views views, UnpackElements(type, bytes));
      ORRERY_ASSIGN(model::Values values, ConvertAll(type.element(), views));
      return type.kind() == TypeKind::kSet ? Value::Set(std::move(values))
                                           : Value::Array(std::move(values));
    }
    case TypeKind::kVector: {
      ORRERY_ASSIGN(const Views views, UnpackVector(type, bytes));
      ORRERY_ASSIGN(model::Values values, ConvertAll(type.element(), views));
      return Value::Array(std::move(values));
    }
    case TypeKind::kMap:
      return ConvertMap(type, bytes);
    case TypeKind::kTuple:
    case TypeKind::kUdt:
      return ConvertComponents(type, bytes);
  }
  return Value::Null();
}

}  // namespace

Result<Value> ToScriptValue(const Type& type, std::string_view bytes) {
  ORRERY_TRY(Validate(type, bytes));
  // Collections, tuples and UDTs too may be of zero bytes, which stand for nothing.
  if (bytes.empty() && !HasOrdinaryEmpty(type)) return Value::Null();
  return Convert(type, bytes);
}

}  // namespace orrery::cassandra
