// VECTORDISTANCE, and _VECTORSCORE, its name in queries that clients send to each partition.
//
// Compared by the cosine unless the options say otherwise (model/vector/vector_measure.h). The
// third argument (whether to search without an index) does not change the number.
#include <optional>
#include <string>

#include "api/sql/function/native/bodies.h"
#include "api/sql/function/native/native_functions.h"
#include "model/vector/vector_measure.h"

namespace orrery::sql {
namespace {

std::optional<model::VectorMeasure> MeasureOf(const Value& options) {
  const Value* value = options.Find("distanceFunction");
  if (value == nullptr) return model::VectorMeasure::kCosine;
  const std::string* text = TextOf(*value);
  return text == nullptr ? std::nullopt : model::FindVectorMeasure(*text);
}

Result<Value> VectorDistance(Arguments arguments, const CallContext&) {
  for (const Value& argument : arguments.first(2)) {
    const model::Values* elements = ArrayOf(argument);
    if (elements != nullptr && elements->size() > model::kVectorDimensionsMax)
      return Fail(Code::kTooLarge, "a vector has more than 4096 dimensions");
  }
  const auto a = model::VectorOf(arguments[0]);
  const auto b = model::VectorOf(arguments[1]);
  const auto brute_force = FlagAt(arguments, 2);
  if (!a || !b || a->size() != b->size() || !brute_force) return Value::Undefined();
  auto measure = std::optional(model::VectorMeasure::kCosine);
  if (arguments.size() == 4 && !arguments[3].is_undefined()) {
    if (ObjectOf(arguments[3]) == nullptr) return Value::Undefined();
    measure = MeasureOf(arguments[3]);
  }
  if (!measure) return Value::Undefined();
  const auto distance = model::Measure(*measure, *a, *b);
  return distance ? model::NumberFromDouble(*distance) : Value::Undefined();
}

constexpr Function kVectorFunctions[] = {{"VECTORDISTANCE", 2, 4, VectorDistance},
                                         {"_VECTORSCORE", 2, 4, VectorDistance}};

}  // namespace

std::span<const Function> VectorFunctions() { return kVectorFunctions; }

}  // namespace orrery::sql
