#include "api/mongo/language/match/operand_parser.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "api/mongo/language/match/geo_predicate.h"
#include "api/mongo/language/value/bson_type_name.h"
#include "api/mongo/language/value/number.h"
#include "api/mongo/language/value/print.h"
#include "model/document/bson_type.h"
#include "model/number/number.h"

namespace orrery::mongo {

using model::Field;
using model::Fields;
using model::Kind;
using model::Value;

Answer<double> ExpectNumber(const std::string& name, const Value& value) {
  if (value.is_number()) return model::ToDouble(value);
  return Refuse(ErrorCode::kBadValue, fmt::format("{} must be a number", name));
}

Answer<int64_t> ExpectInteger(const std::string& name, const Value& value) {
  if (!value.is_number()) {
    return Refuse(ErrorCode::kFailedToParse,
                  fmt::format("Expected a number in: {}", PrintElement(name, value)));
  }
  const std::optional<int64_t> number = ExactInt64(value);
  if (!number.has_value()) {
    return Refuse(ErrorCode::kFailedToParse,
                  fmt::format("Expected an integer: {}", PrintElement(name, value)));
  }
  return *number;
}

namespace {

Answer<int64_t> ExpectNonNegative(const std::string& name, const Value& value) {
  MONGO_ASSIGN(const int64_t number, ExpectInteger(name, value));
  if (number < 0) {
    return Refuse(ErrorCode::kFailedToParse,
                  fmt::format("Expected a non-negative number in: {}", PrintElement(name, value)));
  }
  return number;
}

Answer<ValuePredicatePtr> ParseSize(const Value& value) {
  Answer<int64_t> size = ExpectNonNegative("$size", value);
  if (!size.has_value()) {
    return Refuse(ErrorCode::kBadValue,
                  fmt::format("Failed to parse $size. {}", size.error().message));
  }
  if (*size > INT32_MAX) {
    return Refuse(ErrorCode::kBadValue,
                  fmt::format("Failed to parse $size. Cannot represent {} in an int",
                              PrintElement("$size", value)));
  }
  return std::make_unique<SizeTest>(*size);
}

Answer<ValuePredicatePtr> ParseMod(const Value& value) {
  if (value.kind() != Kind::kArray) {
    return Refuse(ErrorCode::kBadValue, "malformed mod, needs to be an array");
  }
  const model::Values& parts = value.AsValues();
  if (parts.size() < 2) return Refuse(ErrorCode::kBadValue, "malformed mod, not enough elements");
  if (parts.size() > 2) return Refuse(ErrorCode::kBadValue, "malformed mod, too many elements");
  if (!parts[0].is_number()) {
    return Refuse(ErrorCode::kBadValue, "malformed mod, divisor not a number");
  }
  if (!parts[1].is_number()) {
    return Refuse(ErrorCode::kBadValue, "malformed mod, remainder not a number");
  }
  const std::optional<int64_t> divisor = TruncatedInt64(parts[0]);
  const std::optional<int64_t> remainder = TruncatedInt64(parts[1]);
  if (!divisor.has_value()) {
    return Refuse(
        ErrorCode::kBadValue,
        "malformed mod, divisor value is invalid :: caused by :: Unable to coerce NaN/Inf "
        "to integral type");
  }
  if (!remainder.has_value()) {
    return Refuse(ErrorCode::kBadValue,
                  "malformed mod, remainder value is invalid :: caused by :: Unable to coerce "
                  "NaN/Inf to integral type");
  }
  if (*divisor == 0) return Refuse(ErrorCode::kBadValue, "divisor cannot be 0");
  return std::make_unique<ModTest>(*divisor, *remainder);
}

constexpr int64_t kBitPositionMax = int64_t{1} << 31;

Answer<std::vector<uint32_t>> ParseBitPositions(const std::string& name, const Value& value) {
  std::vector<uint32_t> positions;
  if (value.kind() == Kind::kArray) {
    for (const Value& entry : value.AsValues()) {
      const Answer<int64_t> parsed = ExpectNonNegative(std::to_string(positions.size()), entry);
      if (!parsed.has_value()) {
        return Refuse(ErrorCode::kBadValue,
                      fmt::format("Failed to parse bit position. {}", parsed.error().message));
      }
      const int64_t position = *parsed;
      if (position >= kBitPositionMax) {
        return Refuse(ErrorCode::kFailedToParse,
                      fmt::format("bit positions cannot be represented as a 32-bit signed integer, "
                                  "got {}",
                                  position));
      }
      positions.push_back(static_cast<uint32_t>(position));
    }
    return positions;
  }
  if (value.kind() == Kind::kBinary) {
    const std::string& bytes = value.AsBytes();
    for (size_t i = 0; i < bytes.size() * 8; ++i) {
      if ((static_cast<uint8_t>(bytes[i / 8]) >> (i % 8) & 1) != 0) {
        positions.push_back(static_cast<uint32_t>(i));
      }
    }
    return positions;
  }
  if (!value.is_number()) {
    return Refuse(ErrorCode::kBadValue,
                  fmt::format("{} takes an Array, a number, or a BinData but received: {}", name,
                              PrintElement(name, value)));
  }
  MONGO_ASSIGN(const int64_t mask, ExpectNonNegative(name, value));
  for (uint32_t bit = 0; bit < 63; ++bit) {
    if ((mask >> bit & 1) != 0) positions.push_back(bit);
  }
  return positions;
}

}  // namespace

Answer<std::set<uint8_t>> ParseTypes(const std::string& name, const Value& value) {
  std::set<uint8_t> types;
  const auto byte_of = [](Kind kind) { return static_cast<uint8_t>(BsonTypeNumber(kind)); };
  if (value.kind() == Kind::kArray) {
    for (const Value& entry : value.AsValues()) {
      if (entry.kind() == Kind::kArray) {
        return Refuse(ErrorCode::kTypeMismatch, "type must be represented as a number or a string");
      }
      MONGO_ASSIGN(const std::set<uint8_t> some, ParseTypes(name, entry));
      types.insert(some.begin(), some.end());
    }
    if (types.empty()) {
      return Refuse(ErrorCode::kFailedToParse,
                    fmt::format("{} must match at least one type", name.substr(1)));
    }
    return types;
  }
  if (value.kind() == Kind::kString) {
    if (value.AsString() == "number") {
      return std::set<uint8_t>{model::kBsonInt32, model::kBsonInt64, model::kBsonDouble,
                               model::kBsonDecimal128};
    }
    const std::optional<Kind> kind = KindOfTypeName(value.AsString());
    if (!kind.has_value()) {
      return Refuse(ErrorCode::kBadValue,
                    fmt::format("Unknown type name alias: {}", value.AsString()));
    }
    return std::set<uint8_t>{byte_of(*kind)};
  }
  if (!value.is_number()) {
    return Refuse(ErrorCode::kTypeMismatch, "type must be represented as a number or a string");
  }
  const std::optional<int64_t> number = ExactInt64(value);
  if (number == 0) {
    return Refuse(ErrorCode::kBadValue,
                  "Invalid numerical type code: 0. Instead use {$exists:false}.");
  }
  const std::optional<Kind> kind = number.has_value() ? KindOfTypeNumber(*number) : std::nullopt;
  if (!kind.has_value()) {
    return Refuse(ErrorCode::kBadValue,
                  fmt::format("Invalid numerical type code: {}", PrintValue(value)));
  }
  return std::set<uint8_t>{byte_of(*kind)};
}

Answer<ValuePredicatePtr> ParseValuePredicate(const std::string& name, const Value& value) {
  if (name == "$type") {
    MONGO_ASSIGN(std::set<uint8_t> types, ParseTypes(name, value));
    return std::make_unique<TypeTest>(std::move(types));
  }
  if (name == "$size") return ParseSize(value);
  if (name == "$mod") return ParseMod(value);
  if (name == "$geoWithin" || name == "$within" || name == "$geoIntersects") {
    return ParseGeoPredicate(name, value);
  }
  static const std::map<std::string, BitsTest::Wanted> bits = {
      {"$bitsAllSet", BitsTest::Wanted::kAllSet},
      {"$bitsAllClear", BitsTest::Wanted::kAllClear},
      {"$bitsAnySet", BitsTest::Wanted::kAnySet},
      {"$bitsAnyClear", BitsTest::Wanted::kAnyClear}};
  if (const auto found = bits.find(name); found != bits.end()) {
    MONGO_ASSIGN(std::vector<uint32_t> positions, ParseBitPositions(name, value));
    return std::make_unique<BitsTest>(found->second, std::move(positions));
  }
  return nullptr;
}

Answer<TextNode::Search> ParseTextSearch(const Value& value) {
  if (value.kind() != Kind::kObject) {
    return Refuse(ErrorCode::kBadValue, "$text expects an object");
  }
  TextNode::Search search;
  bool has_search = false;
  for (const Field& field : value.AsFields()) {
    if (field.name == "$search" || field.name == "$language") {
      if (field.value.kind() != Kind::kString) {
        return Refuse(ErrorCode::kTypeMismatch,
                      fmt::format("\"{}\" had the wrong type. Expected string, found {}",
                                  field.name, BsonTypeName(field.value.kind())));
      }
      (field.name == "$search" ? search.text : search.language) = field.value.AsString();
      has_search = has_search || field.name == "$search";
    } else if (field.name == "$caseSensitive" || field.name == "$diacriticSensitive") {
      if (field.value.kind() != Kind::kBool) {
        return Refuse(ErrorCode::kTypeMismatch,
                      fmt::format("\"{}\" had the wrong type. Expected bool, found {}", field.name,
                                  BsonTypeName(field.value.kind())));
      }
      (field.name == "$caseSensitive" ? search.is_case_sensitive : search.is_diacritic_sensitive) =
          field.value.AsBool();
    } else {
      return Refuse(ErrorCode::kBadValue, "extra fields in $text");
    }
  }
  if (!has_search) return Refuse(4, "Missing expected field \"$search\"");
  return search;
}

Answer<NearNode::Search> ParseNearSearch(const FieldPath& path, const std::string& name,
                                         const Value& value, const Fields& all) {
  NearNode::Search search{.path = path, .near = value, .is_spherical = name == "$nearSphere"};
  const auto take_distance = [&](const Field& field) -> Outcome {
    if (field.name != "$maxDistance" && field.name != "$minDistance") return {};
    if (!field.value.is_number()) {
      return Refuse(ErrorCode::kBadValue, fmt::format("{} must be a number", field.name.substr(1)));
    }
    const double distance = model::ToDouble(field.value);
    if (!(distance >= 0)) {
      return Refuse(ErrorCode::kBadValue,
                    fmt::format("{} must be non-negative", field.name.substr(1)));
    }
    (field.name == "$maxDistance" ? search.distance_max : search.distance_min) = distance;
    return {};
  };
  for (const Field& field : all) MONGO_TRY(take_distance(field));
  if (value.kind() == Kind::kArray) {
    if (value.AsValues().size() >= 3 && value.AsValues()[2].is_number()) {
      search.distance_max = model::ToDouble(value.AsValues()[2]);
    }
    return search;
  }
  if (value.kind() != Kind::kObject) {
    return Refuse(ErrorCode::kBadValue, "near must be first in: " + PrintElement(name, value));
  }
  for (const Field& field : value.AsFields()) {
    if (field.name == "$geometry") {
      search.near = field.value;
      search.is_geo_json = true;
      search.is_spherical = true;
    }
    MONGO_TRY(take_distance(field));
  }
  return search;
}

}  // namespace orrery::mongo
