#include "api/sql/query/run/row_json.h"

#include <algorithm>
#include <cmath>

#include "model/document/json.h"
#include "model/value_text.h"

namespace orrery::sql {
namespace {

using model::Kind;
using model::Value;

bool IsWritable(const Value& value) {
  switch (value.kind()) {
    case Kind::kDouble:
      return std::isfinite(value.AsDouble());
    case Kind::kArray:
      return std::ranges::all_of(value.AsValues(), IsWritable);
    case Kind::kObject:
      return std::ranges::all_of(value.AsFields(),
                                 [](const model::Field& field) { return IsWritable(field.value); });
    default:
      return true;
  }
}

void MakeWritable(Value& value) {
  switch (value.kind()) {
    case Kind::kDouble:
      if (!IsWritable(value)) value = Value::String(model::FormatDouble(value.AsDouble()));
      return;
    case Kind::kArray:
      for (Value& element : value.MutableValues()) MakeWritable(element);
      return;
    case Kind::kObject:
      for (model::Field& field : value.MutableFields()) MakeWritable(field.value);
      return;
    default:
      return;
  }
}

}  // namespace

std::string RowJson(const Value& row) {
  // Almost every row is, and needs no copy.
  if (IsWritable(row)) return model::ToJson(row);
  Value writable = row;
  MakeWritable(writable);
  return model::ToJson(writable);
}

}  // namespace orrery::sql
