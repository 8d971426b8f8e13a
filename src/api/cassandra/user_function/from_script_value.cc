// The half of script_value.h that comes back.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "api/cassandra/types/collection_codec.h"
#include "api/cassandra/types/native/date_time.h"
#include "api/cassandra/types/native/decimal.h"
#include "api/cassandra/types/native/fixed_size.h"
#include "api/cassandra/types/validate.h"
#include "api/cassandra/types/value_text.h"
#include "api/cassandra/user_function/script_value.h"
#include "model/number/number.h"
#include "model/value_text.h"

namespace orrery::cassandra {
namespace {

using model::Kind;
using model::Value;

std::string_view ScriptName(const Value& value) {
  switch (value.kind()) {
    case Kind::kUndefined:
    case Kind::kNull:
      return "null";
    case Kind::kBool:
      return "a boolean";
    case Kind::kInt32:
    case Kind::kInt64:
    case Kind::kDouble:
    case Kind::kVarint:
      return "a number";
    case Kind::kString:
      return "a string";
    case Kind::kBinary:
      return "a Uint8Array";
    case Kind::kDateTime:
      return "a Date";
    case Kind::kArray:
      return "an array";
    case Kind::kSet:
      return "a Set";
    case Kind::kMap:
      return "a Map";
    default:
      return "an object";
  }
}

std::unexpected<Error> Expected(const Type& type, const Value& value) {
  return Fail(Code::kInvalidArgument,
              fmt::format("expected {}, but got {}", type.CqlName(), ScriptName(value)));
}

bool IsMissing(const Value& value) { return value.is_null() || value.is_undefined(); }

// The digits of a number without its fraction; a string as it is.
Result<std::string> WholeDigits(const Type& type, const Value& value) {
  switch (value.kind()) {
    case Kind::kInt32:
    case Kind::kInt64:
      return std::to_string(value.AsInteger());
    case Kind::kVarint:
      return VarintText(value.AsBytes());
    case Kind::kDouble: {
      const double whole = std::trunc(value.AsDouble());
      if (!std::isfinite(whole)) {
        return Fail(Code::kInvalidArgument, fmt::format("expected {}, but got {}", type.CqlName(),
                                                        model::FormatDouble(whole)));
      }
      // Adding zero makes -0 a plain one.
      return fmt::format("{:.0f}", whole + 0.0);
    }
    case Kind::kString:
      return value.AsString();
    default:
      return Expected(type, value);
  }
}

Result<std::string> FromDigits(const Type& type, std::string_view text) {
  // CQL would take it for the empty value.
  if (text.empty()) {
    return Fail(Code::kInvalidArgument,
                fmt::format("expected {}, but got an empty string", type.CqlName()));
  }
  return FromText(type, text, 0);
}

Result<std::string> FromWholeNumber(const Type& type, const Value& value) {
  ORRERY_ASSIGN(const std::string digits, WholeDigits(type, value));
  return FromDigits(type, digits);
}

Result<std::string> FromDecimal(const Type& type, const Value& value) {
  if (value.kind() == Kind::kDouble) return FromDigits(type, model::FormatDouble(value.AsDouble()));
  return FromWholeNumber(type, value);
}

Result<std::string> FromReal(const Type& type, const Value& value) {
  if (value.kind() == Kind::kString) return FromDigits(type, value.AsString());
  if (!value.is_number()) return Expected(type, value);
  const double number = model::ToDouble(value);
  return type.kind() == TypeKind::kFloat ? EncodeFloat(static_cast<float>(number))
                                         : EncodeDouble(number);
}

Result<std::string> FromMoment(const Type& type, const Value& value) {
  if (value.kind() != Kind::kDateTime) return FromWholeNumber(type, value);
  if (type.kind() == TypeKind::kTimestamp) return EncodeInteger(value.AsDateTime());
  const auto date = DateOfTimestamp(value.AsDateTime());
  if (!date.has_value())
    return Fail(Code::kInvalidArgument, "the Date is beyond the range of a date");
  return EncodeInteger(*date);
}

Result<std::string> FromNative(const Type& type, const Value& value) {
  switch (type.kind()) {
    case TypeKind::kAscii:
    case TypeKind::kText:
      if (value.kind() != Kind::kString) return Expected(type, value);
      return value.AsString();
    case TypeKind::kBlob:
      if (value.kind() != Kind::kBinary) return Expected(type, value);
      return value.AsBytes();
    case TypeKind::kBoolean:
      if (value.kind() != Kind::kBool) return Expected(type, value);
      return EncodeBoolean(value.AsBool());
    case TypeKind::kCounter:
      return FromWholeNumber(*Type::Native(TypeKind::kBigint), value);
    case TypeKind::kTinyint:
    case TypeKind::kSmallint:
    case TypeKind::kInt:
    case TypeKind::kBigint:
    case TypeKind::kVarint:
    case TypeKind::kTime:
      return FromWholeNumber(type, value);
    case TypeKind::kDecimal:
      return FromDecimal(type, value);
    case TypeKind::kFloat:
    case TypeKind::kDouble:
      return FromReal(type, value);
    case TypeKind::kTimestamp:
    case TypeKind::kDate:
      return FromMoment(type, value);
    default:
      if (value.kind() != Kind::kString) return Expected(type, value);
      return FromDigits(type, value.AsString());
  }
}

Result<std::string> Convert(const Type& type, const Value& value);

Result<std::string> FromElement(const Type& type, const Value& value) {
  if (IsMissing(value))
    return Fail(Code::kInvalidArgument, "null is not supported inside collections");
  return Convert(type, value);
}

Result<std::string> FromSequence(const Type& type, const Value& value) {
  const bool is_vector = type.kind() == TypeKind::kVector;
  if (value.kind() != Kind::kArray && (is_vector || value.kind() != Kind::kSet))
    return Expected(type, value);
  if (is_vector && value.AsValues().size() != type.dimension()) {
    return Fail(Code::kInvalidArgument, fmt::format("expected {}, but got {} elements",
                                                    type.CqlName(), value.AsValues().size()));
  }
  std::vector<std::string> elements;
  elements.reserve(value.AsValues().size());
  for (const Value& each : value.AsValues()) {
    ORRERY_ASSIGN(std::string element, FromElement(type.element(), each));
    elements.push_back(std::move(element));
  }
  return is_vector ? PackVector(type, AsViews(elements)) : PackElements(AsViews(elements));
}

Result<std::string> FromMap(const Type& type, const Value& value) {
  std::vector<std::pair<std::string, std::string>> owned;
  const auto add = [&](const Value& key, const Value& mapped) -> Status {
    ORRERY_ASSIGN(std::string key_bytes, FromElement(type.key(), key));
    ORRERY_ASSIGN(std::string value_bytes, FromElement(type.value(), mapped));
    owned.emplace_back(std::move(key_bytes), std::move(value_bytes));
    return {};
  };
  if (value.kind() == Kind::kMap) {
    for (const model::MapEntry& entry : value.AsEntries()) ORRERY_TRY(add(entry.key, entry.value));
  } else if (value.kind() == Kind::kObject) {
    for (const model::Field& field : value.AsFields())
      ORRERY_TRY(add(Value::String(field.name), field.value));
  } else {
    return Expected(type, value);
  }
  std::vector<EntryView> entries;
  entries.reserve(owned.size());
  for (const auto& [key, mapped] : owned) entries.push_back({key, mapped});
  return PackEntries(entries);
}

Result<std::string> FromTuple(const Type& type, const Value& value) {
  if (value.kind() != Kind::kArray) return Expected(type, value);
  const size_t count = type.parameters().size();
  if (value.AsValues().size() > count) {
    return Fail(Code::kInvalidArgument, fmt::format("expected {}, but got {} elements",
                                                    type.CqlName(), value.AsValues().size()));
  }
  std::vector<std::optional<std::string>> components(count);
  for (size_t i = 0; i < value.AsValues().size(); ++i) {
    const Value& each = value.AsValues()[i];
    if (IsMissing(each)) continue;
    ORRERY_ASSIGN(components[i], Convert(*type.parameters()[i], each));
  }
  return PackComponents(AsViews(components));
}

Result<std::string> FromUserType(const Type& type, const Value& value) {
  if (value.kind() != Kind::kObject) return Expected(type, value);
  const UserTypeDefinition& udt = type.udt();
  std::vector<std::optional<std::string>> fields(udt.field_names.size());
  for (const model::Field& field : value.AsFields()) {
    const auto found = std::ranges::find(udt.field_names, field.name);
    if (found == udt.field_names.end()) {
      return Fail(
          Code::kInvalidArgument,
          fmt::format("Unknown field '{}' in value of user defined type {}", field.name, udt.name));
    }
    if (IsMissing(field.value)) continue;
    const auto index = static_cast<size_t>(found - udt.field_names.begin());
    ORRERY_ASSIGN(fields[index], Convert(*udt.field_types[index], field.value));
  }
  return PackComponents(AsViews(fields));
}

// REQUIRES: neither null nor undefined.
Result<std::string> Convert(const Type& type, const Value& value) {
  switch (type.kind()) {
    case TypeKind::kList:
    case TypeKind::kSet:
    case TypeKind::kVector:
      return FromSequence(type, value);
    case TypeKind::kMap:
      return FromMap(type, value);
    case TypeKind::kTuple:
      return FromTuple(type, value);
    case TypeKind::kUdt:
      return FromUserType(type, value);
    case TypeKind::kCustom:
      return FromNative(*Type::Native(TypeKind::kBlob), value);
    default:
      return FromNative(type, value);
  }
}

}  // namespace

Result<std::optional<std::string>> FromScriptValue(const Type& type, const Value& value) {
  if (IsMissing(value)) return std::nullopt;
  ORRERY_ASSIGN(const std::string bytes, Convert(type, value));
  ORRERY_TRY(Validate(type, bytes));
  ORRERY_ASSIGN(std::string normal, Normalise(type, bytes));
  return normal;
}

}  // namespace orrery::cassandra
