#include "model/value_size.h"

namespace orrery::model {
namespace {

// The size of a number or a word as text, with its separator.
constexpr size_t kScalarBytes = 8;

}  // namespace

size_t ApproximateBytes(const Value& value) {
  size_t bytes = kScalarBytes;
  switch (value.kind()) {
    case Kind::kString:
    case Kind::kAscii:
      bytes += value.AsString().size();
      break;
    case Kind::kBinary:
      bytes += value.AsBytes().size();
      break;
    case Kind::kArray:
      for (const Value& element : value.AsValues()) bytes += ApproximateBytes(element);
      break;
    case Kind::kObject:
      for (const Field& field : value.AsFields())
        bytes += field.name.size() + ApproximateBytes(field.value);
      break;
    default:
      break;
  }
  return bytes;
}

}  // namespace orrery::model
