// VECTORDISTANCE, and _VECTORSCORE, its name in queries that clients send to each partition.
//
//   cosine      similarity from -1 to 1; the default
//   dotproduct  the sum of the products
//   euclidean   the length of the difference
//
// The third argument (whether to search without an index) does not change the number.
#include <cmath>
#include <vector>

#include "api/sql/function/limits.h"
#include "api/sql/function/native/bodies.h"
#include "api/sql/function/native/native_functions.h"
#include "model/expression/letter_case.h"

namespace orrery::sql {
namespace {

enum class DistanceFunction : uint8_t { kCosine, kDotProduct, kEuclidean };

std::optional<std::vector<double>> VectorOf(const Value& value) {
  const model::Values* elements = ArrayOf(value);
  if (elements == nullptr || elements->empty()) return std::nullopt;
  std::vector<double> numbers;
  numbers.reserve(elements->size());
  for (const Value& element : *elements) {
    const auto number = NumberOf(element);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

std::optional<DistanceFunction> FunctionOf(const Value& options) {
  const Value* value = options.Find("distanceFunction");
  if (value == nullptr) return DistanceFunction::kCosine;
  const std::string* text = TextOf(*value);
  if (text == nullptr) return std::nullopt;
  const std::string name = model::ToLowerCase(*text);
  if (name == "cosine") return DistanceFunction::kCosine;
  if (name == "dotproduct") return DistanceFunction::kDotProduct;
  if (name == "euclidean") return DistanceFunction::kEuclidean;
  return std::nullopt;
}

double Measure(DistanceFunction function, const std::vector<double>& a,
               const std::vector<double>& b) {
  double product = 0;
  double square_a = 0;
  double square_b = 0;
  double square_difference = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    product += a[i] * b[i];
    square_a += a[i] * a[i];
    square_b += b[i] * b[i];
    square_difference += (a[i] - b[i]) * (a[i] - b[i]);
  }
  switch (function) {
    case DistanceFunction::kCosine:
      return product / std::sqrt(square_a) / std::sqrt(square_b);
    case DistanceFunction::kDotProduct:
      return product;
    case DistanceFunction::kEuclidean:
      break;
  }
  return std::sqrt(square_difference);
}

Result<Value> VectorDistance(Arguments arguments, const CallContext&) {
  for (const Value& argument : arguments.first(2)) {
    const model::Values* elements = ArrayOf(argument);
    if (elements != nullptr && elements->size() > kVectorDimensionsMax)
      return Fail(Code::kTooLarge, "a vector has more than 4096 dimensions");
  }
  const auto a = VectorOf(arguments[0]);
  const auto b = VectorOf(arguments[1]);
  const auto brute_force = FlagAt(arguments, 2);
  if (!a || !b || a->size() != b->size() || !brute_force) return Value::Undefined();
  auto function = std::optional(DistanceFunction::kCosine);
  if (arguments.size() == 4 && !arguments[3].is_undefined()) {
    if (ObjectOf(arguments[3]) == nullptr) return Value::Undefined();
    function = FunctionOf(arguments[3]);
  }
  if (!function) return Value::Undefined();
  const double distance = Measure(*function, *a, *b);
  // A vector without length has no direction to compare.
  return std::isfinite(distance) ? model::NumberFromDouble(distance) : Value::Undefined();
}

constexpr Function kFunctions[] = {{"VECTORDISTANCE", 2, 4, VectorDistance},
                                   {"_VECTORSCORE", 2, 4, VectorDistance}};

}  // namespace

std::span<const Function> VectorFunctions() { return kFunctions; }

}  // namespace orrery::sql
