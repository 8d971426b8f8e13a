#include "api/table/entity/entity_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "api/table/entity/entity_limits.h"
#include "api/table/entity/stored_entity.h"
#include "gateway/account/base64.h"
#include "model/document/json.h"

namespace orrery::table {
namespace {

using model::ElementView;
using model::Kind;

constexpr std::string_view kTypeSuffix = "@odata.type";
constexpr std::string_view kMetadataPrefix = "odata.";

std::unexpected<ErrorResponse> BadValue(std::string_view name, std::string_view why) {
  return Refuse(
      ErrorCode::kInvalidInput,
      fmt::format("One of the request inputs is not valid: the property '{}' {}.", name, why));
}

bool IsNumber(const ElementView& element) {
  return element.kind() == Kind::kInt32 || element.kind() == Kind::kInt64 ||
         element.kind() == Kind::kDouble;
}

// Integers come as numbers or as text.
std::optional<int64_t> IntegerOf(const ElementView& element) {
  if (element.kind() == Kind::kInt32 || element.kind() == Kind::kInt64) return element.AsInteger();
  if (element.kind() == Kind::kString) return ParseEdmInteger(element.AsString());
  return std::nullopt;
}

std::optional<double> DoubleOf(const ElementView& element) {
  if (element.kind() == Kind::kString) return ParseEdmDouble(element.AsString());
  if (!IsNumber(element)) return std::nullopt;
  return element.kind() == Kind::kDouble ? element.AsDouble()
                                         : static_cast<double>(element.AsInteger());
}

std::optional<EdmValue> TextValue(EdmType type, std::string_view text) {
  switch (type) {
    case EdmType::kString:
      return EdmValue::String(std::string(text));
    case EdmType::kGuid:
      if (auto guid = ParseGuid(text)) return EdmValue::Guid(*std::move(guid));
      return std::nullopt;
    case EdmType::kDateTime:
      if (const auto ticks = ParseEdmDateTime(text)) return EdmValue::DateTime(*ticks);
      return std::nullopt;
    case EdmType::kBinary: {
      std::string bytes;
      if (!gateway::FromBase64(text, bytes)) return std::nullopt;
      return EdmValue::Binary(std::move(bytes));
    }
    default:
      return std::nullopt;
  }
}

std::optional<EdmValue> ValueOf(EdmType type, const ElementView& element) {
  switch (type) {
    case EdmType::kInt32: {
      const auto number = IntegerOf(element);
      if (!number.has_value() || *number != static_cast<int32_t>(*number)) return std::nullopt;
      return EdmValue::Int32(static_cast<int32_t>(*number));
    }
    case EdmType::kInt64:
      if (const auto number = IntegerOf(element)) return EdmValue::Int64(*number);
      return std::nullopt;
    case EdmType::kDouble:
      if (const auto number = DoubleOf(element)) return EdmValue::Double(*number);
      return std::nullopt;
    case EdmType::kBoolean:
      if (element.kind() == Kind::kBool) return EdmValue::Boolean(element.AsBool());
      if (element.kind() == Kind::kString && element.AsString() == "true")
        return EdmValue::Boolean(true);
      if (element.kind() == Kind::kString && element.AsString() == "false")
        return EdmValue::Boolean(false);
      return std::nullopt;
    default:
      return element.kind() == Kind::kString ? TextValue(type, element.AsString()) : std::nullopt;
  }
}

// The type that a value without one has; nullopt if JSON does not say it.
std::optional<EdmType> InferredType(const ElementView& element) {
  switch (element.kind()) {
    case Kind::kString:
      return EdmType::kString;
    case Kind::kBool:
      return EdmType::kBoolean;
    case Kind::kInt32:
      return EdmType::kInt32;
    case Kind::kDouble:
      return EdmType::kDouble;
    default:
      return std::nullopt;
  }
}

// The fields that tell the types of others.
using Annotations = std::vector<ElementView>;

Annotations AnnotationsOf(model::DocumentView body) {
  Annotations annotations;
  for (const ElementView element : body)
    if (element.name().ends_with(kTypeSuffix) && element.kind() != Kind::kNull)
      annotations.push_back(element);
  return annotations;
}

Outcome<EdmType> TypeOf(const Annotations& annotations, const ElementView& element) {
  const auto named = std::ranges::find_if(annotations, [&](const ElementView& annotation) {
    return annotation.name().size() == element.name().size() + kTypeSuffix.size() &&
           annotation.name().starts_with(element.name());
  });
  if (named != annotations.end()) {
    if (named->kind() != Kind::kString) return BadValue(element.name(), "has no name of a type");
    const auto type = EdmTypeNamed(named->AsString());
    if (!type.has_value())
      return BadValue(element.name(), fmt::format("is of no known type: {}", named->AsString()));
    return *type;
  }
  const auto inferred = InferredType(element);
  if (inferred.has_value()) return *inferred;
  if (element.kind() == Kind::kInt64)
    return BadValue(element.name(), "is no Int32: send it as text, of the type Edm.Int64");
  return BadValue(element.name(), "is an array or an object, which entities do not have");
}

Outcome<std::string> KeyFrom(const ElementView& element) {
  if (element.kind() != Kind::kString) {
    return Refuse(
        ErrorCode::kInvalidInput,
        "An error occurred while processing this request: PartitionKey and RowKey must be "
        "strings.");
  }
  TABLE_TRY(CheckKey(element.AsString()));
  return std::string(element.AsString());
}

Outcome<void> AddProperty(const Annotations& annotations, const ElementView& element,
                          EntityBody& to) {
  TABLE_TRY(CheckPropertyName(element.name()));
  TABLE_ASSIGN(const EdmType type, TypeOf(annotations, element));
  auto value = ValueOf(type, element);
  if (!value.has_value())
    return BadValue(element.name(), fmt::format("is no value of the type {}", NameOf(type)));
  TABLE_TRY(CheckPropertyValue(*value));
  if (to.properties.size() == kPropertiesMax) return Refuse(ErrorCode::kTooManyProperties);
  to.properties.push_back({std::string(element.name()), *std::move(value)});
  return {};
}

bool IsTooLarge(std::string_view partition_key, std::string_view row_key, const EntityBody& body) {
  constexpr size_t kOverheadBytes = 4;
  constexpr size_t kPropertyOverheadBytes = 8;
  size_t bytes_max = kOverheadBytes + kUtf16PerUtf8Max * (partition_key.size() + row_key.size());
  for (const Property& property : body.properties)
    bytes_max += kPropertyOverheadBytes + kUtf16PerUtf8Max * property.name.size() +
                 SizeMaxOf(property.value);
  if (bytes_max <= kEntityBytesMax) return false;
  size_t bytes = kOverheadBytes + Utf16Size(partition_key) + Utf16Size(row_key);
  for (const Property& property : body.properties)
    bytes += kPropertyOverheadBytes + Utf16Size(property.name) + SizeOf(property.value);
  return bytes > kEntityBytesMax;
}

}  // namespace

Outcome<EntityBody> ReadEntity(std::string_view json) {
  const auto body = model::ParseJson(json, model::RepeatedKeys::kRefuse);
  if (!body.has_value() && body.error().code() == Code::kAlreadyExists)
    return Refuse(ErrorCode::kDuplicatePropertiesSpecified);
  if (!body.has_value()) {
    return Refuse(ErrorCode::kInvalidInput,
                  fmt::format("An error occurred while processing this request: {}.",
                              body.error().message()));
  }
  const Annotations annotations = AnnotationsOf(*body);
  EntityBody entity;
  for (const ElementView element : body->view()) {
    const std::string_view name = element.name();
    if (name.ends_with(kTypeSuffix) || name.starts_with(kMetadataPrefix) || name == "Timestamp")
      continue;
    if (name == "PartitionKey" && element.kind() != Kind::kNull) {
      TABLE_ASSIGN(entity.partition_key, KeyFrom(element));
    } else if (name == "RowKey" && element.kind() != Kind::kNull) {
      TABLE_ASSIGN(entity.row_key, KeyFrom(element));
    } else if (element.kind() != Kind::kNull) {
      TABLE_TRY(AddProperty(annotations, element, entity));
    }
  }
  return entity;
}

Outcome<model::Document> StoredEntity(std::string_view partition_key, std::string_view row_key,
                                      const EntityBody& body, std::optional<int32_t> ttl_s) {
  if (IsTooLarge(partition_key, row_key, body)) return Refuse(ErrorCode::kEntityTooLarge);
  model::DocumentBuilder builder;
  AppendKeys(builder, partition_key, row_key);
  if (ttl_s.has_value()) builder.AppendInt32(kTtlField, *ttl_s);
  for (const Property& property : body.properties)
    AppendProperty(builder, property.name, property.value);
  return std::move(builder).Finish();
}

}  // namespace orrery::table
