#include "model/vector/vector_measure.h"

#include <cmath>

#include "base/check.h"
#include "model/expression/letter_case.h"
#include "model/number/number.h"

namespace orrery::model {
namespace {

struct MeasureName {
  VectorMeasure measure;
  std::string_view name;
};
constexpr MeasureName kMeasureNames[] = {{VectorMeasure::kCosine, "cosine"},
                                         {VectorMeasure::kDotProduct, "dotproduct"},
                                         {VectorMeasure::kEuclidean, "euclidean"}};

double Compute(VectorMeasure measure, std::span<const double> a, std::span<const double> b) {
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
  switch (measure) {
    case VectorMeasure::kCosine:
      return product / std::sqrt(square_a) / std::sqrt(square_b);
    case VectorMeasure::kDotProduct:
      return product;
    case VectorMeasure::kEuclidean:
      break;
  }
  return std::sqrt(square_difference);
}

}  // namespace

std::optional<VectorMeasure> FindVectorMeasure(std::string_view name) {
  const std::string lower = ToLowerCase(name);
  for (const MeasureName& known : kMeasureNames)
    if (known.name == lower) return known.measure;
  return std::nullopt;
}

std::string_view NameOf(VectorMeasure measure) {
  for (const MeasureName& known : kMeasureNames)
    if (known.measure == measure) return known.name;
  return {};
}

std::optional<std::vector<double>> VectorOf(const Value& value) {
  if (value.kind() != Kind::kArray || value.AsValues().empty()) return std::nullopt;
  std::vector<double> numbers;
  numbers.reserve(value.AsValues().size());
  for (const Value& element : value.AsValues()) {
    if (!element.is_number()) return std::nullopt;
    numbers.push_back(ToDouble(element));
  }
  return numbers;
}

std::optional<std::vector<double>> VectorOf(const ElementView& element, size_t dimensions) {
  if (element.kind() != Kind::kArray) return std::nullopt;
  std::vector<double> numbers;
  numbers.reserve(dimensions);
  for (const ElementView number : element.AsDocument()) {
    if (numbers.size() == dimensions || !IsNumber(number.kind())) return std::nullopt;
    numbers.push_back(number.kind() == Kind::kDouble ? number.AsDouble()
                                                     : ToDouble(number.ToValue()));
  }
  if (numbers.size() != dimensions) return std::nullopt;
  return numbers;
}

double LengthOf(std::span<const double> vector) {
  double square = 0;
  for (const double number : vector) square += number * number;
  return std::sqrt(square);
}

std::optional<double> Measure(VectorMeasure measure, std::span<const double> a,
                              std::span<const double> b) {
  ORRERY_CHECK(a.size() == b.size());
  const double number = Compute(measure, a, b);
  if (!std::isfinite(number)) return std::nullopt;
  return number;
}

}  // namespace orrery::model
