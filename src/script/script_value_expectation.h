// Returns the expected value after a round trip through a script: the table of README.md in code.
// Included by tests and fuzz targets only.
#pragma once

#include <cmath>
#include <string>
#include <utility>

#include "base/bytes.h"
#include "base/check.h"
#include "model/document/json.h"
#include "model/number/number.h"
#include "model/value.h"
#include "model/value_text.h"

namespace orrery::script {

inline model::Value AfterRoundTrip(const model::Value& value);

// Objects keep one field a name: the last value at the first one's place, names that are array
// indexes first and in order.
inline model::Value FieldsAfterRoundTrip(const model::Fields& fields) {
  model::Fields kept;
  for (const model::Field& field : fields) {
    model::Value now = AfterRoundTrip(field.value);
    auto same = std::ranges::find(kept, field.name, &model::Field::name);
    if (same != kept.end()) {
      same->value = std::move(now);
    } else {
      kept.push_back({field.name, std::move(now)});
    }
  }
  std::erase_if(kept, [](const model::Field& field) { return field.value.is_undefined(); });
  return model::Value::Object(std::move(kept));
}

// Only scalars are compared by what they are; each array, object, set or map is itself alone.
inline bool SameKey(const model::Value& a, const model::Value& b) {
  const auto zero = [](const model::Value& v) {
    return v == model::Value::Int32(0) || v == model::Value::Double(-0.0);
  };
  if (zero(a) && zero(b)) return true;
  switch (a.kind()) {
    case model::Kind::kArray:
    case model::Kind::kObject:
    case model::Kind::kSet:
    case model::Kind::kMap:
    case model::Kind::kBinary:
    case model::Kind::kDateTime:
      return false;
    default:
      return a == b;
  }
}

inline model::Value KeyAfterRoundTrip(const model::Value& key) {
  model::Value now = AfterRoundTrip(key);
  return now == model::Value::Double(-0.0) ? model::Value::Int32(0) : now;
}

inline model::Value AfterRoundTrip(const model::Value& value) {
  using model::Kind;
  using model::Value;
  constexpr int64_t kSafe = (int64_t{1} << 53) - 1;
  switch (value.kind()) {
    case Kind::kInt8:
    case Kind::kInt16:
    case Kind::kInt32:
      return Value::Int32(static_cast<int32_t>(value.AsInteger()));
    case Kind::kInt64:
      return value.AsInteger() >= -kSafe && value.AsInteger() <= kSafe
                 ? model::NumberFromDouble(static_cast<double>(value.AsInteger()))
                 : value;
    case Kind::kVarint: {
      if (value.AsBytes().size() > 8) return value;
      std::string bytes(8, (value.AsBytes()[0] & 0x80) != 0 ? '\xff' : '\0');
      bytes.replace(8 - value.AsBytes().size(), value.AsBytes().size(), value.AsBytes());
      return AfterRoundTrip(Value::Int64(LoadBigEndian<int64_t>(bytes.data())));
    }
    case Kind::kFloat:
    case Kind::kDouble: {
      const double number = value.AsDouble();
      if (std::isnan(number)) return Value::Double(std::nan(""));
      return number == 0 && std::signbit(number) ? Value::Double(number)
                                                 : model::NumberFromDouble(number);
    }
    case Kind::kAscii:
    case Kind::kSymbol:
      return Value::String(value.AsString());
    case Kind::kBinary:
      return Value::Binary(value.AsBytes());
    case Kind::kDateTime: {
      const int64_t ms = value.AsDateTime();
      return ms >= -8'640'000'000'000'000 && ms <= 8'640'000'000'000'000
                 ? value
                 : AfterRoundTrip(Value::Int64(ms));
    }
    case Kind::kDecimal:
    case Kind::kDecimal128:
    case Kind::kUuid:
    case Kind::kTimeUuid:
    case Kind::kDate:
    case Kind::kTime:
    case Kind::kDuration:
    case Kind::kInet:
      return Value::String(model::ToText(value));
    case Kind::kObjectId:
    case Kind::kTimestamp:
    case Kind::kRegex:
    case Kind::kJavaScript:
    case Kind::kDbPointer:
    case Kind::kMinKey:
    case Kind::kMaxKey: {
      auto json = model::ValueFromJson(model::ToJson(value));
      ORRERY_CHECK(json.has_value());
      return AfterRoundTrip(*json);
    }
    case Kind::kJavaScriptWithScope:
      return AfterRoundTrip(
          Value::Object({{"$code", Value::String(std::string(value.AsScopedCode().code))},
                         {"$scope", Value::Object(value.AsScopedCode().scope)}}));
    case Kind::kArray: {
      model::Values values;
      for (const Value& each : value.AsValues()) values.push_back(AfterRoundTrip(each));
      return Value::Array(std::move(values));
    }
    case Kind::kObject:
      return FieldsAfterRoundTrip(value.AsFields());
    case Kind::kSet: {
      model::Values values;
      for (const Value& each : value.AsValues()) {
        Value now = KeyAfterRoundTrip(each);
        const auto same = [&now](const Value& other) { return SameKey(other, now); };
        if (std::ranges::none_of(values, same)) values.push_back(std::move(now));
      }
      return Value::Set(std::move(values));
    }
    case Kind::kMap: {
      model::MapEntries entries;
      for (const model::MapEntry& each : value.AsEntries()) {
        Value key = KeyAfterRoundTrip(each.key);
        const auto same = [&key](const model::MapEntry& other) { return SameKey(other.key, key); };
        const auto found = std::ranges::find_if(entries, same);
        if (found != entries.end()) {
          found->value = AfterRoundTrip(each.value);
        } else {
          entries.push_back({std::move(key), AfterRoundTrip(each.value)});
        }
      }
      return Value::Map(std::move(entries));
    }
    default:
      return value;
  }
}

}  // namespace orrery::script
