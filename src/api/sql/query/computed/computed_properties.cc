#include "api/sql/query/computed/computed_properties.h"

#include <algorithm>

namespace orrery::sql {

using model::Kind;
using model::Value;

ComputedProperties::ComputedProperties(const Value& json) {
  if (json.kind() != Kind::kArray) return;
  for (const Value& property : json.AsValues()) {
    const Value* name = property.Find("name");
    const Value* query = property.Find("query");
    if (name == nullptr || name->kind() != Kind::kString || query == nullptr ||
        query->kind() != Kind::kString)
      continue;
    properties_.push_back({name->AsString(), query->AsString()});
  }
}

const ComputedProperty* ComputedProperties::Find(std::string_view name) const {
  const auto found = std::ranges::find(properties_, name, &ComputedProperty::name);
  return found == properties_.end() ? nullptr : &*found;
}

}  // namespace orrery::sql
