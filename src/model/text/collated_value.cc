#include "model/text/collated_value.h"

#include <utility>

namespace orrery::model {

Value CollatedValue(const Value& value, const TextCollator& collator) {
  switch (value.kind()) {
    case Kind::kString:
    case Kind::kSymbol:
      return Value::String(collator.Key(value.AsString()));
    case Kind::kArray: {
      Values elements;
      elements.reserve(value.AsValues().size());
      for (const Value& element : value.AsValues())
        elements.push_back(CollatedValue(element, collator));
      return Value::Array(std::move(elements));
    }
    case Kind::kObject: {
      Fields fields;
      fields.reserve(value.AsFields().size());
      for (const Field& field : value.AsFields())
        fields.push_back({field.name, CollatedValue(field.value, collator)});
      return Value::Object(std::move(fields));
    }
    default:
      return value;
  }
}

}  // namespace orrery::model
