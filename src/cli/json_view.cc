#include "cli/json_view.h"

#include "model/document/json.h"

namespace orrery::cli {

JsonView JsonView::operator[](std::string_view name) const {
  return JsonView(value_ == nullptr ? nullptr : value_->Find(name));
}

double JsonView::Number() const {
  if (value_ == nullptr) return 0;
  switch (value_->kind()) {
    case model::Kind::kInt32:
    case model::Kind::kInt64:
      return static_cast<double>(value_->AsInteger());
    case model::Kind::kDouble:
      return value_->AsDouble();
    default:
      return 0;
  }
}

std::string JsonView::Text() const {
  if (value_ == nullptr) return "";
  return value_->kind() == model::Kind::kString ? value_->AsString() : model::ToJson(*value_);
}

std::vector<JsonView> JsonView::Elements() const {
  std::vector<JsonView> elements;
  if (value_ == nullptr || value_->kind() != model::Kind::kArray) return elements;
  for (const model::Value& element : value_->AsValues()) elements.emplace_back(&element);
  return elements;
}

}  // namespace orrery::cli
