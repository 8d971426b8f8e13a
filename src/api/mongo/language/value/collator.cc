#include "api/mongo/language/value/collator.h"

#include <utility>

#include "model/compare.h"

namespace orrery::mongo {

using model::Field;
using model::Fields;
using model::Kind;
using model::Value;
using model::Values;

Value Collated(const Value& value, const Collator& collator) {
  switch (value.kind()) {
    case Kind::kString:
    case Kind::kSymbol:
      return Value::String(collator.Key(value.AsString()));
    case Kind::kArray: {
      Values elements;
      elements.reserve(value.AsValues().size());
      for (const Value& element : value.AsValues()) elements.push_back(Collated(element, collator));
      return Value::Array(std::move(elements));
    }
    case Kind::kObject: {
      Fields fields;
      fields.reserve(value.AsFields().size());
      for (const Field& field : value.AsFields())
        fields.push_back({field.name, Collated(field.value, collator)});
      return Value::Object(std::move(fields));
    }
    default:
      return value;
  }
}

std::weak_ordering CompareValues(const Value& a, const Value& b, const Collator* collator) {
  if (collator == nullptr) return model::Compare(a, b, model::Order::kMongo);
  const auto is_plain = [](const Value& value) {
    return value.kind() != Kind::kString && value.kind() != Kind::kSymbol &&
           value.kind() != Kind::kArray && value.kind() != Kind::kObject;
  };
  if (is_plain(a) || is_plain(b)) return model::Compare(a, b, model::Order::kMongo);
  return model::Compare(Collated(a, *collator), Collated(b, *collator), model::Order::kMongo);
}

}  // namespace orrery::mongo
