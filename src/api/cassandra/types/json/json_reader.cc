// The reading half of json.h.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "api/cassandra/types/collection_codec.h"
#include "api/cassandra/types/invalid_value.h"
#include "api/cassandra/types/json/json.h"
#include "api/cassandra/types/native/fixed_size.h"
#include "api/cassandra/types/validate.h"
#include "api/cassandra/types/value_text.h"

namespace orrery::cassandra {
namespace {

using JsonKind = JsonValue::Kind;

std::optional<int64_t> AsInt64(const JsonValue& json) {
  if (!json.IsInteger()) return std::nullopt;
  int64_t number = 0;
  const char* const end = json.text.data() + json.text.size();
  const auto parsed = std::from_chars(json.text.data(), end, number);
  if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  return number;
}

// The Java class that Cassandra's messages name.
std::string_view ClassName(const JsonValue& json) {
  switch (json.kind) {
    case JsonKind::kNull:
      return "null";
    case JsonKind::kBoolean:
      return "Boolean";
    case JsonKind::kString:
      return "String";
    case JsonKind::kArray:
      return "ArrayList";
    case JsonKind::kObject:
      return "LinkedHashMap";
    case JsonKind::kNumber:
      break;
  }
  if (!json.IsInteger()) return "Double";
  const auto number = AsInt64(json);
  if (!number.has_value()) return "BigInteger";
  return *number == static_cast<int32_t>(*number) ? "Integer" : "Long";
}

std::unexpected<Error> Expected(std::string_view what, const JsonValue& json) {
  return InvalidValue(
      fmt::format("Expected {}, but got a {}: {}", what, ClassName(json), JsonText(json)));
}

std::string_view ExpectedOf(TypeKind kind) {
  switch (kind) {
    case TypeKind::kAscii:
      return "an ascii string";
    case TypeKind::kText:
      return "a UTF-8 string";
    case TypeKind::kTinyint:
      return "a byte value";
    case TypeKind::kSmallint:
      return "a short value";
    case TypeKind::kInt:
      return "an int value";
    case TypeKind::kBigint:
      return "a bigint value";
    case TypeKind::kFloat:
      return "a float value";
    case TypeKind::kDouble:
      return "a double value";
    case TypeKind::kBoolean:
      return "a boolean value";
    case TypeKind::kDate:
      return "a string representation of a date value";
    case TypeKind::kTime:
      return "a string representation of a time value";
    case TypeKind::kTimestamp:
      return "a long or a datestring representation of a timestamp value";
    case TypeKind::kDuration:
      return "a string representation of a duration";
    case TypeKind::kInet:
      return "a string representation of an inet value";
    case TypeKind::kUuid:
      return "a string representation of a uuid";
    case TypeKind::kTimeuuid:
      return "a string representation of a timeuuid";
    default:
      return "an empty string";
  }
}

Result<std::string> ReadBlob(const Type& blob, const JsonValue& json) {
  const auto bad = [&](std::string_view why) {
    return InvalidValue(
        fmt::format("Value '{}' is not a valid blob representation: {}", JsonText(json), why));
  };
  if (json.kind != JsonKind::kString) return bad("not a string");
  if (!json.text.starts_with("0x"))
    return bad("String representation of blob is missing 0x prefix: " + JsonText(json));
  Result<std::string> bytes = FromText(blob, std::string_view(json.text).substr(2), 0);
  if (!bytes.has_value()) return bad(bytes.error().message());
  return bytes;
}

// varint and decimal take whatever has their digits.
Result<std::string> ReadBigNumber(const Type& type, const JsonValue& json) {
  // No digits are no number, though no text is the empty value elsewhere.
  if ((json.kind == JsonKind::kString || json.kind == JsonKind::kNumber) && !json.text.empty()) {
    Result<std::string> bytes = FromText(type, json.text, 0);
    if (bytes.has_value()) return bytes;
  }
  return InvalidValue(fmt::format("Value '{}' is not a valid representation of a {} value",
                                  JsonText(json), type.CqlName()));
}

// Returns whether a JSON value that is no string may stand for one of the type.
bool TakesBare(const Type& type, const JsonValue& json) {
  switch (type.kind()) {
    case TypeKind::kTinyint:
    case TypeKind::kSmallint:
    case TypeKind::kFloat:
    case TypeKind::kDouble:
      return json.kind == JsonKind::kNumber;
    case TypeKind::kInt: {
      const auto number = AsInt64(json);
      return number.has_value() && *number == static_cast<int32_t>(*number);
    }
    case TypeKind::kBigint:
    case TypeKind::kTimestamp:
      return AsInt64(json).has_value();
    default:
      return false;
  }
}

Result<std::string> ReadNative(const Type& type, const JsonValue& json, int64_t now_ms) {
  switch (type.kind()) {
    case TypeKind::kBlob:
      return ReadBlob(type, json);
    case TypeKind::kVarint:
    case TypeKind::kDecimal:
      return ReadBigNumber(type, json);
    case TypeKind::kCounter:
      return InvalidValue("Counters cannot be set from JSON");
    default:
      break;
  }
  if (type.kind() == TypeKind::kBoolean && json.kind == JsonKind::kBoolean)
    return EncodeBoolean(json.boolean);
  if (json.kind != JsonKind::kString && !TakesBare(type, json))
    return Expected(ExpectedOf(type.kind()), json);
  return FromText(type, json.text, now_ms);
}

Result<std::string> ReadRequired(const Type& type, const JsonValue& json, int64_t now_ms,
                                 std::string_view role) {
  ORRERY_ASSIGN(std::optional<std::string> bytes, FromJson(type, json, now_ms));
  if (!bytes.has_value()) return InvalidValue(fmt::format("Invalid null {}", role));
  return *std::move(bytes);
}

Result<std::vector<std::string>> ReadItems(const Type& element, const JsonValue& json,
                                           int64_t now_ms, std::string_view role) {
  std::vector<std::string> values;
  values.reserve(json.items.size());
  for (const JsonValue& item : json.items) {
    ORRERY_ASSIGN(std::string value, ReadRequired(element, item, now_ms, role));
    values.push_back(std::move(value));
  }
  return values;
}

Result<std::string> ReadSequence(const Type& type, const JsonValue& json, int64_t now_ms) {
  const bool is_set = type.kind() == TypeKind::kSet;
  if (json.kind != JsonKind::kArray)
    return Expected(is_set ? "a list (representing a set)" : "a list", json);
  if (type.kind() == TypeKind::kVector && json.items.size() != type.dimension()) {
    return InvalidValue(fmt::format("List had incorrect size: expected {} but given {}; {}",
                                    type.dimension(), json.items.size(), JsonText(json)));
  }
  ORRERY_ASSIGN(
      const std::vector<std::string> values,
      ReadItems(type.element(), json, now_ms, is_set ? "element in set" : "element in list"));
  if (type.kind() != TypeKind::kVector) {
    const std::string packed = PackElements(AsViews(values));
    return is_set ? Normalise(type, packed) : packed;
  }
  const std::optional<size_t> fixed = type.element().FixedLength();
  for (const std::string& value : values) {
    const bool is_null = value.empty() && !HasOrdinaryEmpty(type.element());
    if (is_null || (fixed.has_value() && value.size() != *fixed))
      return InvalidValue("Invalid null element in list");
  }
  return PackVector(type, AsViews(values));
}

Result<std::string> ReadMap(const Type& type, const JsonValue& json, int64_t now_ms) {
  if (json.kind != JsonKind::kObject) return Expected("a map", json);
  std::vector<std::pair<std::string, std::string>> owned;
  std::vector<EntryView> entries;
  owned.reserve(json.members.size());
  for (const JsonMember& member : json.members) {
    JsonValue name;
    name.kind = JsonKind::kString;
    name.text = member.name;
    ORRERY_ASSIGN(std::string key, ReadRequired(type.key(), name, now_ms, "key in map"));
    ORRERY_ASSIGN(std::string value,
                  ReadRequired(type.value(), member.value, now_ms, "value in map"));
    owned.emplace_back(std::move(key), std::move(value));
    entries.push_back({owned.back().first, owned.back().second});
  }
  return Normalise(type, PackEntries(entries));
}

Result<std::string> ReadTuple(const Type& type, const JsonValue& json, int64_t now_ms) {
  const size_t count = type.parameters().size();
  if (json.kind != JsonKind::kArray) return Expected("a list representation of a tuple", json);
  if (json.items.size() != count) {
    return InvalidValue(fmt::format("Tuple {} items (expected {}): {}",
                                    json.items.size() > count ? "contains extra" : "is missing",
                                    count, JsonText(json)));
  }
  std::vector<std::optional<std::string>> components(count);
  for (size_t i = 0; i < count; ++i) {
    ORRERY_ASSIGN(components[i], FromJson(*type.parameters()[i], json.items[i], now_ms));
  }
  return PackComponents(AsViews(components));
}

// Upper-case letters only mean themselves inside quotes of their own.
std::string MeantName(std::string_view name) {
  if (name.size() >= 2 && name.front() == '"' && name.back() == '"')
    return std::string(name.substr(1, name.size() - 2));
  std::string lower(name);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

Result<std::string> ReadUserType(const Type& type, const JsonValue& json, int64_t now_ms) {
  if (json.kind != JsonKind::kObject) return Expected("a map", json);
  const UserTypeDefinition& udt = type.udt();
  std::vector<std::optional<std::string>> fields(udt.field_names.size());
  for (const JsonMember& member : json.members) {
    const std::string name = MeantName(member.name);
    const auto found = std::find(udt.field_names.begin(), udt.field_names.end(), name);
    if (found == udt.field_names.end()) {
      return InvalidValue(
          fmt::format("Unknown field '{}' in value of user defined type {}", name, udt.name));
    }
    const auto index = static_cast<size_t>(found - udt.field_names.begin());
    ORRERY_ASSIGN(fields[index], FromJson(*udt.field_types[index], member.value, now_ms));
  }
  return PackComponents(AsViews(fields));
}

}  // namespace

Result<std::optional<std::string>> FromJson(const Type& type, const JsonValue& json,
                                            int64_t now_ms) {
  if (json.kind == JsonKind::kNull) return std::nullopt;
  if (type.is_native()) return ReadNative(type, json, now_ms);
  if (type.kind() == TypeKind::kCustom) return ReadBlob(type, json);
  if (json.kind == JsonKind::kString) {
    Result<JsonValue> inner = ParseJson(json.text);
    if (!inner.has_value()) {
      return InvalidValue(fmt::format("Error decoding JSON string: {}", inner.error().message()));
    }
    // A string within the string is no collection, so this cannot go round in circles.
    if (inner->kind != JsonKind::kString) return FromJson(type, *inner, now_ms);
  }
  switch (type.kind()) {
    case TypeKind::kMap:
      return ReadMap(type, json, now_ms);
    case TypeKind::kTuple:
      return ReadTuple(type, json, now_ms);
    case TypeKind::kUdt:
      return ReadUserType(type, json, now_ms);
    default:
      return ReadSequence(type, json, now_ms);
  }
}

Result<std::vector<JsonMember>> ParseJsonRow(std::string_view text) {
  Result<JsonValue> json = ParseJson(text);
  if (!json.has_value()) {
    return InvalidValue(fmt::format("Could not decode JSON string as a map: {}. (String was: {})",
                                    json.error().message(), text));
  }
  if (json->kind == JsonKind::kNull) return InvalidValue("Got null for INSERT JSON values");
  if (json->kind != JsonKind::kObject) {
    return InvalidValue(
        fmt::format("Could not decode JSON string as a map: {} found. (String was: {})",
                    ClassName(*json), text));
  }
  for (JsonMember& member : json->members) member.name = MeantName(member.name);
  return std::move(json->members);
}

}  // namespace orrery::cassandra
