#include "model/key/entry_document.h"

#include <cmath>

#include "model/key/key_codec.h"
#include "model/path/set_at.h"

namespace orrery::model {
namespace {

// Whole numbers beyond this are not all doubles, which indexes have.
constexpr double kExactMax = 9'007'199'254'740'992;

bool IsExactInKeys(const Value& value) {
  switch (value.kind()) {
    case Kind::kUndefined:
    case Kind::kNull:
    case Kind::kBool:
    case Kind::kString:
      return true;
    case Kind::kDouble:
      return std::abs(value.AsDouble()) < kExactMax;
    default:
      return false;
  }
}

}  // namespace

std::optional<Value> EntryDocument::Of(std::string_view partition_key, std::string_view row_key,
                                       std::string_view value) const {
  if (value.size() >= cut_) return std::nullopt;
  const auto at_path = DecodeKey(value);
  const auto key = DecodeKey(partition_key);
  const auto row = DecodeKey(row_key);
  if (!at_path.has_value() || at_path->size() != 1 || !IsExactInKeys(at_path->front()) ||
      !key.has_value() || key->size() != paths_.partition_key.size() || !row.has_value() ||
      row->size() != 1 || !IsExactInKeys(row->front()))
    return std::nullopt;
  Value document = Value::Object({});
  for (size_t i = 0; i < key->size(); ++i) {
    const Value& part = (*key)[i];
    // An object or an array counts as no value in keys.
    if (part.is_undefined() || !IsExactInKeys(part)) return std::nullopt;
    SetAt(document, paths_.partition_key[i].steps(), part);
  }
  SetAt(document, paths_.row_key.steps(), row->front());
  if (!at_path->front().is_undefined()) SetAt(document, paths_.value.steps(), at_path->front());
  return document;
}

}  // namespace orrery::model
