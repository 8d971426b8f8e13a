#include "model/match/mongo_value.h"

#include <optional>
#include <utility>

namespace orrery::model {

Value MongoValueAt(DocumentView document, std::span<const std::string> steps) {
  while (!steps.empty()) {
    const std::optional<ElementView> element = document.Find(steps.front());
    if (!element.has_value()) return Value::Undefined();
    steps = steps.subspan(1);
    if (steps.empty()) return element->ToValue();
    if (element->kind() == Kind::kArray) {
      Values found;
      for (const ElementView inner : element->AsDocument()) {
        if (inner.kind() != Kind::kObject) continue;
        Value value = MongoValueAt(inner.AsDocument(), steps);
        if (!value.is_undefined()) found.push_back(std::move(value));
      }
      return Value::Array(std::move(found));
    }
    if (element->kind() != Kind::kObject) return Value::Undefined();
    document = element->AsDocument();
  }
  return document.ToObject();
}

}  // namespace orrery::model
