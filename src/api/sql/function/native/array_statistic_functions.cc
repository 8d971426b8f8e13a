// One value of an array's elements. Undefined elements do not count; an element of a type that the
// function does not know makes the result undefined, as does an array without elements.
#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include "api/sql/function/native/bodies.h"
#include "api/sql/function/native/native_functions.h"
#include "model/compare.h"

namespace orrery::sql {
namespace {

std::optional<std::vector<double>> NumbersOf(const Value& array) {
  const model::Values* elements = ArrayOf(array);
  if (elements == nullptr) return std::nullopt;
  std::vector<double> numbers;
  numbers.reserve(elements->size());
  for (const Value& element : *elements) {
    if (element.is_undefined()) continue;
    const auto number = NumberOf(element);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

double Sum(const std::vector<double>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0);
}

double Average(const std::vector<double>& numbers) {
  return Sum(numbers) / static_cast<double>(numbers.size());
}

// The one in the middle, or the mean of the two.
double Median(std::vector<double> numbers) {
  std::ranges::sort(numbers);
  const size_t middle = numbers.size() / 2;
  return numbers.size() % 2 == 1 ? numbers[middle] : (numbers[middle - 1] + numbers[middle]) / 2;
}

// double F(std::vector<double>), of at least one number.
template <auto F>
Result<Value> OfNumbers(Arguments arguments, const CallContext&) {
  const auto numbers = NumbersOf(arguments[0]);
  if (!numbers || numbers->empty()) return Value::Undefined();
  return model::NumberFromDouble(F(*numbers));
}

// null before booleans before numbers before strings.
template <bool want_greater>
Result<Value> Extreme(Arguments arguments, const CallContext&) {
  const model::Values* elements = ArrayOf(arguments[0]);
  if (elements == nullptr) return Value::Undefined();
  const Value* best = nullptr;
  for (const Value& element : *elements) {
    if (element.is_undefined()) continue;
    if (!IsPrimitive(TypeOf(element))) return Value::Undefined();
    if (best != nullptr) {
      const auto order = model::Compare(element, *best, model::Order::kSql);
      if (want_greater ? order <= 0 : order >= 0) continue;
    }
    best = &element;
  }
  return best == nullptr ? Value::Undefined() : *best;
}

constexpr Function kArrayStatisticFunctions[] = {
    {"ARRAY_AVG", 1, 1, OfNumbers<Average>},   {"ARRAY_MAX", 1, 1, Extreme<true>},
    {"ARRAY_MEDIAN", 1, 1, OfNumbers<Median>}, {"ARRAY_MIN", 1, 1, Extreme<false>},
    {"ARRAY_SUM", 1, 1, OfNumbers<Sum>},
};

}  // namespace

std::span<const Function> ArrayStatisticFunctions() { return kArrayStatisticFunctions; }

}  // namespace orrery::sql
