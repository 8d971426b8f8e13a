#include "cli/transfer/item_digests.h"

#include <algorithm>

#include "base/murmur3.h"
#include "model/document/json.h"

namespace orrery::cli {
namespace {

model::Value WithSortedFields(const model::Value& value) {
  if (value.kind() == model::Kind::kObject) {
    model::Fields fields;
    for (const model::Field& field : value.AsFields())
      fields.push_back({field.name, WithSortedFields(field.value)});
    std::ranges::sort(fields, {}, &model::Field::name);
    return model::Value::Object(std::move(fields));
  }
  if (value.kind() == model::Kind::kArray) {
    model::Values elements;
    for (const model::Value& element : value.AsValues())
      elements.push_back(WithSortedFields(element));
    return model::Value::Array(std::move(elements));
  }
  return value;
}

}  // namespace

Hash128 DigestOfItem(const model::Value& item) {
  return Murmur3(model::ToJson(WithSortedFields(item)));
}

}  // namespace orrery::cli
