#include "api/mongo/language/expression/path_value.h"

#include <utility>

namespace orrery::mongo {

using model::DocumentView;
using model::ElementView;
using model::Kind;
using model::Value;
using model::Values;

Value ValueAtPath(DocumentView document, std::span<const std::string> steps) {
  while (!steps.empty()) {
    const std::optional<ElementView> element = document.Find(steps.front());
    if (!element.has_value()) return Value::Undefined();
    steps = steps.subspan(1);
    if (steps.empty()) return element->ToValue();
    if (element->kind() == Kind::kArray) {
      Values found;
      for (const ElementView inner : element->AsDocument()) {
        if (inner.kind() != Kind::kObject) continue;
        Value value = ValueAtPath(inner.AsDocument(), steps);
        if (!value.is_undefined()) found.push_back(std::move(value));
      }
      return Value::Array(std::move(found));
    }
    if (element->kind() != Kind::kObject) return Value::Undefined();
    document = element->AsDocument();
  }
  return document.ToObject();
}

Value ValueAtPath(const Value& value, std::span<const std::string> steps) {
  const Value* at = &value;
  while (!steps.empty()) {
    if (at->kind() == Kind::kArray) {
      Values found;
      for (const Value& inner : at->AsValues()) {
        if (inner.kind() != Kind::kObject) continue;
        Value result = ValueAtPath(inner, steps);
        if (!result.is_undefined()) found.push_back(std::move(result));
      }
      return Value::Array(std::move(found));
    }
    at = at->Find(steps.front());
    if (at == nullptr) return Value::Undefined();
    steps = steps.subspan(1);
  }
  return *at;
}

}  // namespace orrery::mongo
