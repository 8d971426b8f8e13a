#include "portal/json/field_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace orrery::portal {

std::optional<model::ElementView> FieldReader::Take(std::string_view name) {
  known_.emplace_back(name);
  return document_.Find(name);
}

void FieldReader::Refuse(std::string_view name, std::string_view wanted) {
  if (!error_)
    error_ = Error(Code::kInvalidArgument, fmt::format("field '{}' must be {}", name, wanted));
}

void FieldReader::RequirePresence(std::string_view name, bool present) {
  if (!present && !error_)
    error_ = Error(Code::kInvalidArgument, fmt::format("field '{}' is required", name));
}

std::optional<std::string> FieldReader::String(std::string_view name) {
  const auto element = Take(name);
  if (!element) return std::nullopt;
  if (element->kind() == model::Kind::kString) return std::string(element->AsString());
  Refuse(name, "a string");
  return std::nullopt;
}

std::optional<int64_t> FieldReader::Integer(std::string_view name) {
  const auto element = Take(name);
  if (!element) return std::nullopt;
  if (element->kind() == model::Kind::kInt32 || element->kind() == model::Kind::kInt64)
    return element->AsInteger();
  Refuse(name, "a whole number");
  return std::nullopt;
}

std::optional<bool> FieldReader::Bool(std::string_view name) {
  const auto element = Take(name);
  if (!element) return std::nullopt;
  if (element->kind() == model::Kind::kBool) return element->AsBool();
  Refuse(name, "true or false");
  return std::nullopt;
}

std::optional<model::DocumentView> FieldReader::Object(std::string_view name) {
  const auto element = Take(name);
  if (!element) return std::nullopt;
  if (element->kind() == model::Kind::kObject) return element->AsDocument();
  Refuse(name, "an object");
  return std::nullopt;
}

std::optional<model::DocumentView> FieldReader::Array(std::string_view name) {
  const auto element = Take(name);
  if (!element) return std::nullopt;
  if (element->kind() == model::Kind::kArray) return element->AsDocument();
  Refuse(name, "an array");
  return std::nullopt;
}

std::optional<model::Value> FieldReader::Any(std::string_view name) {
  const auto element = Take(name);
  if (!element) return std::nullopt;
  return element->ToValue();
}

std::string FieldReader::RequiredString(std::string_view name) {
  const auto value = String(name);
  RequirePresence(name, value.has_value());
  return value.value_or("");
}

int64_t FieldReader::RequiredInteger(std::string_view name) {
  const auto value = Integer(name);
  RequirePresence(name, value.has_value());
  return value.value_or(0);
}

Status FieldReader::Finish() {
  if (error_) return Fail(*error_);
  for (const model::ElementView element : document_) {
    if (std::ranges::find(known_, element.name()) != known_.end()) continue;
    return Fail(Code::kInvalidArgument, fmt::format("unknown field '{}'; the fields are {}",
                                                    element.name(), fmt::join(known_, ", ")));
  }
  return {};
}

}  // namespace orrery::portal
