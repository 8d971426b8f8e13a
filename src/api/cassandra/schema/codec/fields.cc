#include "api/cassandra/schema/codec/fields.h"

#include <fmt/format.h>

namespace orrery::cassandra {
namespace {

using model::ElementView;
using model::Kind;

std::unexpected<Error> Wrong(std::string_view name, std::string_view wanted) {
  return Fail(Code::kCorruption, fmt::format("field '{}' is not {}", name, wanted));
}

}  // namespace

Result<ElementView> Fields::Require(std::string_view name) const {
  const auto found = document_.Find(name);
  if (!found.has_value())
    return Fail(Code::kCorruption, fmt::format("field '{}' is missing", name));
  return *found;
}

Result<std::string> Fields::String(std::string_view name) const {
  ORRERY_ASSIGN(const ElementView field, Require(name));
  if (field.kind() != Kind::kString) return Wrong(name, "a string");
  return std::string(field.AsString());
}

Result<std::optional<std::string>> Fields::OptionalString(std::string_view name) const {
  if (!Has(name)) return std::nullopt;
  return String(name);
}

Result<int64_t> Fields::Integer(std::string_view name, int64_t low, int64_t high) const {
  ORRERY_ASSIGN(const ElementView field, Require(name));
  if (field.kind() != Kind::kInt32 && field.kind() != Kind::kInt64)
    return Wrong(name, "a whole number");
  const int64_t number = field.AsInteger();
  if (number < low || number > high)
    return Wrong(name, fmt::format("between {} and {}", low, high));
  return number;
}

Result<bool> Fields::Bool(std::string_view name) const {
  const auto field = document_.Find(name);
  if (!field.has_value()) return false;
  if (field->kind() != Kind::kBool) return Wrong(name, "true or false");
  return field->AsBool();
}

Result<double> Fields::Real(std::string_view name) const {
  ORRERY_ASSIGN(const ElementView field, Require(name));
  if (field.kind() != Kind::kDouble) return Wrong(name, "a real number");
  return field.AsDouble();
}

Result<Fields> Fields::Object(std::string_view name) const {
  ORRERY_ASSIGN(const ElementView field, Require(name));
  if (field.kind() != Kind::kObject) return Wrong(name, "an object");
  return Fields(field.AsDocument());
}

Result<std::vector<Fields>> Fields::Objects(std::string_view name) const {
  std::vector<Fields> objects;
  const auto field = document_.Find(name);
  if (!field.has_value()) return objects;
  if (field->kind() != Kind::kArray) return Wrong(name, "an array");
  for (const ElementView element : field->AsDocument()) {
    if (element.kind() != Kind::kObject) return Wrong(name, "an array of objects");
    objects.emplace_back(element.AsDocument());
  }
  return objects;
}

Result<std::vector<std::string>> Fields::Strings(std::string_view name) const {
  std::vector<std::string> strings;
  const auto field = document_.Find(name);
  if (!field.has_value()) return strings;
  if (field->kind() != Kind::kArray) return Wrong(name, "an array");
  for (const ElementView element : field->AsDocument()) {
    if (element.kind() != Kind::kString) return Wrong(name, "an array of strings");
    strings.emplace_back(element.AsString());
  }
  return strings;
}

Result<OptionMap> Fields::Map(std::string_view name) const {
  ORRERY_ASSIGN(const std::vector<std::string> flat, Strings(name));
  if (flat.size() % 2 != 0) return Wrong(name, "an array of keys and values");
  OptionMap map;
  for (size_t i = 0; i < flat.size(); i += 2) map[flat[i]] = flat[i + 1];
  return map;
}

void AppendMap(model::DocumentBuilder& builder, std::string_view name, const OptionMap& map) {
  std::vector<std::string> flat;
  for (const auto& [key, value] : map) {
    flat.push_back(key);
    flat.push_back(value);
  }
  AppendStrings(builder, name, flat);
}

void AppendStrings(model::DocumentBuilder& builder, std::string_view name,
                   const std::vector<std::string>& strings) {
  builder.OpenArray(name);
  for (size_t i = 0; i < strings.size(); ++i) builder.AppendString(std::to_string(i), strings[i]);
  builder.Close();
}

}  // namespace orrery::cassandra
