#include "api/table/protocol/kept_field.h"

#include <string>
#include <utility>

#include "model/document/document_builder.h"

namespace orrery::table {
namespace {

constexpr std::string_view kOwn = "table";

void SetField(model::Value& object, std::string_view name, model::Value value) {
  for (model::Field& field : object.MutableFields()) {
    if (field.name != name) continue;
    field.value = std::move(value);
    return;
  }
  object.MutableFields().push_back({std::string(name), std::move(value)});
}

model::Value OwnOf(const std::optional<model::Document>& extra) {
  model::Value own = extra.has_value() ? extra->view().Get(kOwn) : model::Value();
  return own.kind() == model::Kind::kObject ? std::move(own) : model::Value::Object({});
}

}  // namespace

model::Value KeptField(const std::optional<model::Document>& extra, std::string_view name) {
  const model::Value own = OwnOf(extra);
  const model::Value* value = own.Find(name);
  return value == nullptr ? model::Value() : *value;
}

model::Document WithKeptField(const std::optional<model::Document>& extra, std::string_view name,
                              model::Value value) {
  model::Value own = OwnOf(extra);
  SetField(own, name, std::move(value));
  model::Value all = extra.has_value() ? extra->view().ToObject() : model::Value::Object({});
  SetField(all, kOwn, std::move(own));
  return model::ToDocument(all);
}

}  // namespace orrery::table
