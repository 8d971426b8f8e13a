// Strings read as JSON, and values written as strings.
#include "api/sql/function/limits.h"
#include "api/sql/function/native/bodies.h"
#include "api/sql/function/native/native_functions.h"
#include "model/document/json.h"
#include "model/value_text.h"

namespace orrery::sql {
namespace {

// Undefined unless the text is JSON of the type.
template <JsonType type>
Result<Value> FromJson(const std::string& text) {
  Result<Value> value = model::ValueFromJson(text);
  if (!value.has_value() || TypeOf(*value) != type) return Value::Undefined();
  return value;
}

// A string stays as it is; NaN and the infinities, which JSON lacks, are named as in JavaScript.
Result<Value> ToText(Arguments arguments, const CallContext&) {
  const Value& value = arguments[0];
  if (value.is_undefined()) return value;
  if (const std::string* text = TextOf(value)) return Value::String(*text);
  if (value.kind() == model::Kind::kDouble)
    return Value::String(model::FormatDouble(value.AsDouble()));
  std::string text = model::ToJson(value);
  ORRERY_TRY(CheckResultBytes(text.size()));
  return Value::String(std::move(text));
}

constexpr Function kConversionFunctions[] = {
    {"STRINGTOARRAY", 1, 1, OfText<FromJson<JsonType::kArray>>},
    {"STRINGTOBOOLEAN", 1, 1, OfText<FromJson<JsonType::kBool>>},
    {"STRINGTONULL", 1, 1, OfText<FromJson<JsonType::kNull>>},
    {"STRINGTONUMBER", 1, 1, OfText<FromJson<JsonType::kNumber>>},
    {"STRINGTOOBJECT", 1, 1, OfText<FromJson<JsonType::kObject>>},
    {"TOSTRING", 1, 1, ToText},
};

}  // namespace

std::span<const Function> ConversionFunctions() { return kConversionFunctions; }

}  // namespace orrery::sql
