#include "api/cassandra/types/value_text.h"

#include <fmt/format.h>

#include <charconv>

#include "api/cassandra/types/collection_codec.h"
#include "api/cassandra/types/composite.h"
#include "api/cassandra/types/invalid_value.h"
#include "api/cassandra/types/marshal_name.h"
#include "api/cassandra/types/native/date_time.h"
#include "api/cassandra/types/native/decimal.h"
#include "api/cassandra/types/native/duration.h"
#include "api/cassandra/types/native/fixed_size.h"
#include "api/cassandra/types/native/inet.h"
#include "api/cassandra/types/native/real.h"
#include "api/cassandra/types/native/timeuuid.h"
#include "api/cassandra/types/validate.h"
#include "query/lexer/character_class.h"

namespace orrery::cassandra {
namespace {

// As Java's parse methods: an optional sign and digits.
template <typename Integer>
Result<std::string> ParseInteger(std::string_view text, std::string_view what) {
  std::string_view digits = text;
  if (digits.starts_with('+') && !digits.starts_with("+-")) digits.remove_prefix(1);
  Integer value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size())
    return InvalidValue(fmt::format("Unable to make {} from '{}'", what, text));
  return EncodeInteger(value);
}

Result<std::string> ParseBoolean(std::string_view text) {
  if (text.empty() || query::EqualsIgnoringCase(text, "false")) return EncodeBoolean(false);
  if (query::EqualsIgnoringCase(text, "true")) return EncodeBoolean(true);
  return InvalidValue(fmt::format("Unable to make boolean from '{}'", text));
}

Result<std::string> ParseHex(std::string_view text) {
  std::string bytes;
  if (!FromHex(text, bytes))
    return InvalidValue(fmt::format("cannot parse '{}' as hex bytes", text));
  return bytes;
}

Result<std::string> ParseTimeUuid(std::string_view text) {
  ORRERY_ASSIGN(std::string bytes, ParseUuid(text));
  if (UuidVersion(bytes) != 1) return InvalidValue("TimeUUID supports only version 1 UUIDs");
  return bytes;
}

// Parts of a tuple's text: between colons that no backslash stands before.
std::vector<std::string> SplitTuple(std::string_view text) {
  std::vector<std::string> parts(1);
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == ':' || text[i + 1] == '@')) {
      // A double escape is for the tuple within.
      parts.back() += text.substr(i++, 2);
    } else if (text[i] == ':') {
      parts.emplace_back();
    } else {
      parts.back() += text[i];
    }
  }
  return parts;
}

std::string Unescaped(std::string_view part) {
  std::string text;
  for (size_t i = 0; i < part.size(); ++i) {
    if (part[i] == '\\' && i + 1 < part.size() && (part[i + 1] == ':' || part[i + 1] == '@')) ++i;
    text += part[i];
  }
  return text;
}

// "1:a\:b": the components' texts with colons between them, "@" for null; those at the end may be
// missing.
Result<std::string> ParseTuple(const Type& type, std::string_view text, int64_t now_ms) {
  const std::vector<std::string> parts = SplitTuple(text);
  if (parts.size() > type.parameters().size()) {
    return InvalidValue(
        fmt::format("Invalid tuple literal: too many elements. Type {} expects {} but got {}",
                    type.CqlName(), type.parameters().size(), parts.size()));
  }
  std::vector<std::optional<std::string>> values(parts.size());
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts[i] == "@") continue;
    ORRERY_ASSIGN(values[i], FromText(*type.parameters()[i], Unescaped(parts[i]), now_ms));
  }
  std::string packed = PackComponents(std::vector<NullableView>(values.begin(), values.end()));
  // Components that are not native come in hex, which says nothing of what they hold.
  ORRERY_TRY(Validate(type, packed));
  return packed;
}

// Text, ascii and blob have "" as an ordinary value, and a boolean reads it as false.
bool EmptyTextIsEmptyValue(const Type& type) {
  switch (type.kind()) {
    case TypeKind::kAscii:
    case TypeKind::kBlob:
    case TypeKind::kBoolean:
    case TypeKind::kText:
      return false;
    default:
      return AllowsEmpty(type);
  }
}

}  // namespace

Result<std::string> FromText(const Type& type, std::string_view text, int64_t now_ms) {
  if (text.empty() && EmptyTextIsEmptyValue(type)) return std::string();
  switch (type.kind()) {
    case TypeKind::kAscii:
      if (!Validate(type, text).has_value())
        return InvalidValue(fmt::format("Invalid ASCII character in string literal: {}", text));
      return std::string(text);
    case TypeKind::kText:
      ORRERY_TRY(Validate(type, text));
      return std::string(text);
    case TypeKind::kTinyint:
      return ParseInteger<int8_t>(text, "byte");
    case TypeKind::kSmallint:
      return ParseInteger<int16_t>(text, "short");
    case TypeKind::kInt:
      return ParseInteger<int32_t>(text, "int");
    case TypeKind::kBigint:
    case TypeKind::kCounter:
      return ParseInteger<int64_t>(text, "long");
    case TypeKind::kVarint:
      return ParseVarint(text);
    case TypeKind::kDecimal:
      return ParseDecimal(text);
    case TypeKind::kFloat: {
      ORRERY_ASSIGN(const float value, ParseFloat(text));
      return EncodeFloat(value);
    }
    case TypeKind::kDouble: {
      ORRERY_ASSIGN(const double value, ParseDouble(text));
      return EncodeDouble(value);
    }
    case TypeKind::kBoolean:
      return ParseBoolean(text);
    case TypeKind::kDate: {
      ORRERY_ASSIGN(const uint32_t date, ParseDate(text));
      return EncodeInteger(date);
    }
    case TypeKind::kTime: {
      ORRERY_ASSIGN(const int64_t time, ParseTime(text));
      return EncodeInteger(time);
    }
    case TypeKind::kTimestamp: {
      ORRERY_ASSIGN(const int64_t timestamp, ParseTimestamp(text, now_ms));
      return EncodeInteger(timestamp);
    }
    case TypeKind::kDuration: {
      ORRERY_ASSIGN(const Duration duration, ParseDuration(text));
      return EncodeDuration(duration);
    }
    case TypeKind::kInet:
      return ParseInet(text);
    case TypeKind::kUuid:
      return ParseUuid(text);
    case TypeKind::kTimeuuid:
      return ParseTimeUuid(text);
    case TypeKind::kEmpty:
      return InvalidValue(fmt::format("'{}' is not empty", text));
    case TypeKind::kTuple:
    case TypeKind::kUdt:
      return ParseTuple(type, text, now_ms);
    case TypeKind::kCustom:
      if (type.is_composite()) return ParseComposite(type, text, now_ms);
      return type.class_name() == kLexicalUuidClass ? ParseUuid(text) : ParseHex(text);
    default:
      return ParseHex(text);
  }
}

Result<std::string> ToText(const Type& type, std::string_view bytes) {
  ORRERY_TRY(Validate(type, bytes));
  if (bytes.empty()) return std::string();
  switch (type.kind()) {
    case TypeKind::kAscii:
    case TypeKind::kText:
      return std::string(bytes);
    case TypeKind::kTinyint:
      return fmt::format("{}", int{DecodeInteger<int8_t>(bytes)});
    case TypeKind::kSmallint:
      return fmt::format("{}", DecodeInteger<int16_t>(bytes));
    case TypeKind::kInt:
      return fmt::format("{}", DecodeInteger<int32_t>(bytes));
    case TypeKind::kBigint:
    case TypeKind::kCounter:
      return fmt::format("{}", DecodeInteger<int64_t>(bytes));
    case TypeKind::kVarint:
      return VarintText(bytes);
    case TypeKind::kDecimal:
      return DecimalText(bytes);
    case TypeKind::kFloat:
      return FloatText(DecodeFloat(bytes));
    case TypeKind::kDouble:
      return DoubleText(DecodeDouble(bytes));
    case TypeKind::kBoolean:
      return std::string(bytes[0] != 0 ? "true" : "false");
    case TypeKind::kDate:
      return DateText(DecodeInteger<uint32_t>(bytes));
    case TypeKind::kTime:
      return TimeText(DecodeInteger<int64_t>(bytes));
    case TypeKind::kTimestamp:
      return TimestampText(DecodeInteger<int64_t>(bytes));
    case TypeKind::kDuration: {
      ORRERY_ASSIGN(const Duration duration, DecodeDuration(bytes));
      return DurationText(duration);
    }
    case TypeKind::kInet:
      return InetText(bytes);
    case TypeKind::kUuid:
    case TypeKind::kTimeuuid:
      return UuidText(bytes);
    default:
      return ToHex(bytes);
  }
}

}  // namespace orrery::cassandra
