// Functions that put arrays together, cut them and look into them.
#include <algorithm>

#include "api/sql/function/limits.h"
#include "api/sql/function/native/bodies.h"
#include "api/sql/function/native/native_functions.h"
#include "api/sql/function/operator/comparison.h"
#include "api/sql/function/value_size.h"

namespace orrery::sql {
namespace {

using model::Values;

Result<Value> ArrayConcat(Arguments arguments, const CallContext&) {
  size_t count = 0;
  size_t bytes = 0;
  for (const Value& argument : arguments) {
    const Values* elements = ArrayOf(argument);
    if (elements == nullptr) return Value::Undefined();
    count += elements->size();
    bytes += ApproximateBytes(argument);
  }
  ORRERY_TRY(CheckResultElements(count, bytes));
  Values joined;
  joined.reserve(count);
  for (const Value& argument : arguments)
    std::ranges::copy(*ArrayOf(argument), std::back_inserter(joined));
  return Value::Array(std::move(joined));
}

// Returns whether each field of `part` is in `whole`, and equal there. Anything but an object has
// to be equal.
bool ContainsPart(const Value& whole, const Value& part) {
  const model::Fields* fields = ObjectOf(part);
  if (fields == nullptr) return DeepEqual(whole, part);
  return ObjectOf(whole) != nullptr && std::ranges::all_of(*fields, [&](const model::Field& field) {
           const Value* found = whole.Find(field.name);
           return found != nullptr && DeepEqual(*found, field.value);
         });
}

Truth Contains(const Value& array, const Value& element) {
  const Values* elements = ArrayOf(array);
  if (elements == nullptr || element.is_undefined()) return Truth::kUndefined;
  return TruthOf(std::ranges::any_of(
      *elements, [&](const Value& candidate) { return DeepEqual(candidate, element); }));
}

Result<Value> ArrayContains(Arguments arguments, const CallContext&) {
  const auto partial = FlagAt(arguments, 2);
  if (!partial) return Value::Undefined();
  if (!*partial) return ToValue(Contains(arguments[0], arguments[1]));
  const Values* elements = ArrayOf(arguments[0]);
  if (elements == nullptr || arguments[1].is_undefined()) return Value::Undefined();
  return Value::Bool(std::ranges::any_of(
      *elements, [&](const Value& candidate) { return ContainsPart(candidate, arguments[1]); }));
}

Result<Value> ArrayContainsAll(Arguments arguments, const CallContext&) {
  Truth all = Truth::kTrue;
  for (const Value& element : arguments.subspan(1)) all = And(all, Contains(arguments[0], element));
  return ToValue(all);
}

Result<Value> ArrayContainsAny(Arguments arguments, const CallContext&) {
  Truth any = Truth::kFalse;
  for (const Value& element : arguments.subspan(1)) any = Or(any, Contains(arguments[0], element));
  return ToValue(any);
}

Result<Value> ArrayLength(Arguments arguments, const CallContext&) {
  const Values* elements = ArrayOf(arguments[0]);
  if (elements == nullptr) return Value::Undefined();
  return Value::Int32(static_cast<int32_t>(elements->size()));
}

// A negative start counts from the end.
Result<Value> ArraySlice(Arguments arguments, const CallContext&) {
  const Values* elements = ArrayOf(arguments[0]);
  const auto start = IntegerOf(arguments[1]);
  if (elements == nullptr || !start) return Value::Undefined();
  const auto size = static_cast<int64_t>(elements->size());
  int64_t length = size;
  if (arguments.size() == 3) {
    const auto asked = IntegerOf(arguments[2]);
    if (!asked) return Value::Undefined();
    length = std::clamp<int64_t>(*asked, 0, size);
  }
  // A start beyond either end is brought to it before anything is added, which could overflow.
  const int64_t bounded = std::clamp(*start, -size, size);
  const int64_t first = bounded < 0 ? bounded + size : bounded;
  const int64_t last = std::min(first + length, size);
  return Value::Array(Values(elements->begin() + first, elements->begin() + last));
}

constexpr Function kArrayFunctions[] = {
    {"ARRAY_CONCAT", 2, kArgumentsUnbounded, ArrayConcat},
    {"ARRAY_CONTAINS", 2, 3, ArrayContains},
    {"_TRY_ARRAY_CONTAINS", 2, 3, ArrayContains},  // what query plans of Azure call it
    {"ARRAY_CONTAINS_ALL", 2, kArgumentsUnbounded, ArrayContainsAll},
    {"ARRAY_CONTAINS_ANY", 2, kArgumentsUnbounded, ArrayContainsAny},
    {"ARRAY_LENGTH", 1, 1, ArrayLength},
    {"ARRAY_SLICE", 2, 3, ArraySlice},
};

}  // namespace

std::span<const Function> ArrayFunctions() { return kArrayFunctions; }

}  // namespace orrery::sql
