#include "api/sql/container/kept_properties.h"

#include <algorithm>
#include <utility>

#include "model/document/document_builder.h"

namespace orrery::sql {
namespace {

constexpr std::string_view kField = "sql";

}  // namespace

model::Value KeptProperties(const std::optional<model::Document>& extra) {
  if (extra.has_value()) {
    model::Value kept = extra->view().Get(kField);
    if (kept.kind() == model::Kind::kObject) return kept;
  }
  return model::Value::Object({});
}

model::Value KeptProperty(const std::optional<model::Document>& extra, std::string_view name) {
  if (!extra.has_value()) return {};
  const auto kept = extra->view().Find(kField);
  if (!kept.has_value() || kept->kind() != model::Kind::kObject) return {};
  return kept->AsDocument().Get(name);
}

model::Document WithKeptProperties(const std::optional<model::Document>& extra,
                                   const model::Value& kept) {
  model::DocumentBuilder builder;
  if (extra.has_value()) {
    for (const model::ElementView field : extra->view())
      if (field.name() != kField) builder.Append(field.name(), field);
  }
  builder.Append(kField, kept);
  return std::move(builder).Finish();
}

void SetField(model::Value& object, std::string_view name, model::Value value) {
  model::Fields& fields = object.MutableFields();
  const auto found = std::ranges::find(fields, name, &model::Field::name);
  if (value.is_undefined()) {
    if (found != fields.end()) fields.erase(found);
  } else if (found != fields.end()) {
    found->value = std::move(value);
  } else {
    fields.push_back({std::string(name), std::move(value)});
  }
}

std::string TextField(const model::Value& object, std::string_view name) {
  const model::Value* value = object.Find(name);
  const bool text = value != nullptr && value->kind() == model::Kind::kString;
  return text ? value->AsString() : std::string();
}

int64_t NumberField(const model::Value& object, std::string_view name) {
  const model::Value* value = object.Find(name);
  const bool integer = value != nullptr && (value->kind() == model::Kind::kInt32 ||
                                            value->kind() == model::Kind::kInt64);
  return integer ? value->AsInteger() : 0;
}

}  // namespace orrery::sql
