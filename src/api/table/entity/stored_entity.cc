#include "api/table/entity/stored_entity.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "gateway/account/base64.h"

namespace orrery::table {
namespace {

using model::Kind;
using model::Value;

constexpr size_t kPaddedSize = 20;
constexpr char kEscape = '$';
// Fields that a document has for itself.
constexpr std::array<std::string_view, 9> kOwnFields = {
    "id", "ttl", "_rid", "_self", "_etag", "_ts", "_attachments", "_lsn", "_metadata"};

bool IsOwn(std::string_view name) {
  return std::ranges::find(kOwnFields, name) != kOwnFields.end();
}

std::string Padded(const std::string& text) {
  return text.size() >= kPaddedSize ? text : std::string(kPaddedSize - text.size(), '0') + text;
}

std::optional<int64_t> Int64From(std::string_view text) {
  while (text.size() > 1 && text.front() == '0') text.remove_prefix(1);
  return ParseEdmInteger(text);
}

std::optional<model::Ticks> TicksFrom(std::string_view text) {
  const auto since_year_one = Int64From(text);
  if (!since_year_one.has_value() || *since_year_one < 0 ||
      *since_year_one >= model::kTicksEnd - model::kTicksMin)
    return std::nullopt;
  return *since_year_one + model::kTicksMin;
}

std::optional<EdmValue> FromText(EdmType type, std::string_view text) {
  switch (type) {
    case EdmType::kString:
      return EdmValue::String(std::string(text));
    case EdmType::kGuid:
      if (auto guid = ParseGuid(text)) return EdmValue::Guid(*std::move(guid));
      return std::nullopt;
    case EdmType::kBinary: {
      std::string bytes;
      if (!gateway::FromBase64(text, bytes)) return std::nullopt;
      return EdmValue::Binary(std::move(bytes));
    }
    case EdmType::kDateTime:
      if (const auto ticks = TicksFrom(text)) return EdmValue::DateTime(*ticks);
      return std::nullopt;
    case EdmType::kInt64:
      if (const auto number = Int64From(text)) return EdmValue::Int64(*number);
      return std::nullopt;
    case EdmType::kDouble:
      if (const auto number = ParseEdmDouble(text)) return EdmValue::Double(*number);
      return std::nullopt;
    case EdmType::kInt32:
    case EdmType::kBoolean:
      break;
  }
  return std::nullopt;
}

std::optional<EdmValue> FromNumber(EdmType type, const model::ElementView& element) {
  const bool is_whole = element.kind() != Kind::kDouble;
  if (type == EdmType::kDouble) {
    return EdmValue::Double(is_whole ? static_cast<double>(element.AsInteger())
                                     : element.AsDouble());
  }
  int64_t number = 0;
  if (is_whole) {
    number = element.AsInteger();
  } else if (const double real = element.AsDouble();
             std::trunc(real) == real && std::abs(real) < 1e18) {
    number = static_cast<int64_t>(real);
  } else {
    return std::nullopt;
  }
  if (type == EdmType::kInt64) return EdmValue::Int64(number);
  if (type != EdmType::kInt32 || number != static_cast<int32_t>(number)) return std::nullopt;
  return EdmValue::Int32(static_cast<int32_t>(number));
}

std::optional<EdmValue> FromElement(EdmType type, const model::ElementView& element) {
  switch (element.kind()) {
    case Kind::kString:
      return FromText(type, element.AsString());
    case Kind::kBool:
      if (type != EdmType::kBoolean) return std::nullopt;
      return EdmValue::Boolean(element.AsBool());
    case Kind::kInt32:
    case Kind::kInt64:
    case Kind::kDouble:
      return FromNumber(type, element);
    default:
      return std::nullopt;
  }
}

}  // namespace

std::string FieldOf(std::string_view property) {
  std::string field(property);
  if (IsOwn(property)) field += kEscape;
  return field;
}

std::optional<std::string_view> PropertyOf(std::string_view field) {
  if (field.starts_with(kEscape) || IsOwn(field)) return std::nullopt;
  if (field.ends_with(kEscape)) field.remove_suffix(1);
  return field;
}

void AppendKeys(model::DocumentBuilder& builder, std::string_view partition_key,
                std::string_view row_key) {
  builder.AppendString(kPartitionKeyField, partition_key)
      .AppendString(kRowKeyField, row_key)
      .AppendString(kIdField, row_key);
}

void AppendProperty(model::DocumentBuilder& builder, std::string_view property,
                    const EdmValue& value) {
  builder.OpenObject(FieldOf(property)).AppendInt32(kTypeField, static_cast<int32_t>(value.type()));
  builder.Append(kValueField, StoredForm(value)).Close();
}

std::optional<TypedElement> TypedElementIn(const model::ElementView& field) {
  if (field.kind() != Kind::kObject) return std::nullopt;
  std::optional<model::ElementView> number;
  std::optional<model::ElementView> value;
  for (const model::ElementView part : field.AsDocument()) {
    if (!number.has_value() && part.name() == kTypeField) number = part;
    if (!value.has_value() && part.name() == kValueField) value = part;
  }
  if (!number.has_value() || !value.has_value() ||
      (number->kind() != Kind::kInt32 && number->kind() != Kind::kInt64))
    return std::nullopt;
  const auto type = EdmTypeNumbered(number->AsInteger());
  if (!type.has_value()) return std::nullopt;
  return TypedElement{*type, *value};
}

std::optional<EdmValue> StoredValue(const TypedElement& stored) {
  return FromElement(stored.type, stored.value);
}

std::optional<EdmValue> StoredValue(const model::ElementView& field) {
  const auto stored = TypedElementIn(field);
  return stored.has_value() ? StoredValue(*stored) : std::nullopt;
}

Value StoredForm(const EdmValue& value) {
  switch (value.type()) {
    case EdmType::kInt32:
      return Value::Int32(static_cast<int32_t>(value.AsInteger()));
    case EdmType::kDouble:
      if (const auto text = NonFiniteText(value.AsDouble()); !text.empty())
        return Value::String(std::string(text));
      return Value::Double(value.AsDouble());
    case EdmType::kBoolean:
      return Value::Bool(value.AsBoolean());
    case EdmType::kInt64:
      return Value::String(StoredInt64(value.AsInteger()));
    case EdmType::kDateTime:
      return Value::String(StoredTicks(value.AsTicks()));
    case EdmType::kBinary:
      return Value::String(gateway::ToBase64(value.AsString()));
    case EdmType::kString:
    case EdmType::kGuid:
      break;
  }
  return Value::String(value.AsString());
}

std::string StoredInt64(int64_t value) { return Padded(fmt::to_string(value)); }

std::string StoredTicks(model::Ticks ticks) {
  return Padded(fmt::to_string(ticks - model::kTicksMin));
}

std::string_view KeyOf(model::DocumentView document, std::string_view field) {
  const auto found = document.Find(field);
  if (!found.has_value() || found->kind() != Kind::kString) return {};
  return found->AsString();
}

model::Document MergeEntities(model::DocumentView former, model::DocumentView changes) {
  model::DocumentBuilder builder;
  for (const model::ElementView field : changes) builder.Append(field.name(), field);
  for (const model::ElementView field : former)
    if (!changes.Find(field.name()).has_value()) builder.Append(field.name(), field);
  return std::move(builder).Finish();
}

}  // namespace orrery::table
