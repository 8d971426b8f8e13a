#include "api/sql/function/value_size.h"

#include "api/sql/function/json_type.h"

namespace orrery::sql {
namespace {

// What a number or a word takes as text, and what separates it from the next.
constexpr size_t kScalarBytes = 8;

}  // namespace

size_t ApproximateBytes(const model::Value& value) {
  size_t bytes = kScalarBytes;
  switch (TypeOf(value)) {
    case JsonType::kString:
      bytes += value.AsString().size();
      break;
    case JsonType::kArray:
      for (const model::Value& element : value.AsValues()) bytes += ApproximateBytes(element);
      break;
    case JsonType::kObject:
      for (const model::Field& field : value.AsFields())
        bytes += field.name.size() + ApproximateBytes(field.value);
      break;
    default:
      break;
  }
  return bytes;
}

}  // namespace orrery::sql
