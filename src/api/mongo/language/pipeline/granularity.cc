#include "api/mongo/language/pipeline/granularity.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "api/mongo/language/expression/operator_table.h"
#include "api/mongo/language/value/bson_type_name.h"
#include "api/mongo/language/value/collator.h"
#include "api/mongo/language/value/number.h"
#include "model/number/decimal128.h"
#include "model/number/number.h"

namespace orrery::mongo {

using model::Kind;
using model::Value;

namespace {

constexpr double kOneTwoFive[] = {10, 20, 50};
constexpr double kR5[] = {10, 16, 25, 40, 63};
constexpr double kR10[] = {100, 125, 160, 200, 250, 315, 400, 500, 630, 800};
constexpr double kR20[] = {100, 112, 125, 140, 160, 180, 200, 224, 250, 280,
                           315, 355, 400, 450, 500, 560, 630, 710, 800, 900};
constexpr double kR40[] = {100, 106, 112, 118, 125, 132, 140, 150, 160, 170, 180, 190, 200,
                           212, 224, 236, 250, 265, 280, 300, 315, 355, 375, 400, 425, 450,
                           475, 500, 530, 560, 600, 630, 670, 710, 750, 800, 850, 900, 950};
constexpr double kR80[] = {103, 109, 115, 122, 128, 136, 145, 155, 165, 175, 185, 195, 206, 218,
                           230, 243, 258, 272, 290, 307, 325, 345, 365, 387, 412, 437, 462, 487,
                           515, 545, 575, 615, 650, 690, 730, 775, 825, 875, 925, 975};
constexpr double kE6[] = {10, 15, 22, 33, 47, 68};
constexpr double kE12[] = {10, 12, 15, 18, 22, 27, 33, 39, 47, 56, 68, 82};
constexpr double kE24[] = {10, 11, 12, 13, 15, 16, 18, 20, 22, 24, 27, 30,
                           33, 36, 39, 43, 47, 51, 56, 62, 68, 75, 82, 91};

struct NamedSeries {
  std::string_view name;
  std::span<const double> numbers;
};
constexpr NamedSeries kSeries[] = {
    {"1-2-5", kOneTwoFive}, {"R5", kR5}, {"R10", kR10}, {"R20", kR20}, {"R40", kR40},
    {"R80", kR80},          {"E6", kE6}, {"E12", kE12}, {"E24", kE24},
};

// E48, E96 and E192: three digits of the roots of ten; the one exception is the standard's.
std::vector<double> FineSeries(int count) {
  std::vector<double> numbers;
  for (int i = 0; i < count; ++i) {
    const double number = std::round(100 * std::pow(10.0, static_cast<double>(i) / count));
    numbers.push_back(number == 919 ? 920 : number);
  }
  return numbers;
}

Outcome CheckRounded(const Value& value) {
  constexpr std::string_view kText = "$bucketAuto can specify a 'granularity' with";
  if (!value.is_number()) {
    return Refuse(40258, fmt::format("{} numeric boundaries only, but found a value with type: {}",
                                     kText, BsonTypeName(value.kind())));
  }
  const double number = model::ToDouble(value);
  if (std::isnan(number))
    return Refuse(40259, fmt::format("{} numeric boundaries only, but found a NaN", kText));
  if (number < 0) {
    return Refuse(40260,
                  fmt::format("{} non-negative numbers only, but found a negative number", kText));
  }
  return {};
}

bool IsZero(const Value& value) { return model::ToDouble(value) == 0; }

// A number of a series times a power of ten, in the type of the value that is rounded.
class Decade {
 public:
  explicit Decade(const Value& value)
      : ten_(value.kind() == Kind::kDecimal128 ? Value::Decimal128(model::Decimal128FromInt(10))
                                               : Value::Double(10)),
        factor_(DivideNumbers(ten_, ten_)) {}

  Value At(double number) const { return MultiplyNumbers(Value::Double(number), factor_); }
  void Raise() { factor_ = MultiplyNumbers(factor_, ten_); }
  void Lower() { factor_ = DivideNumbers(factor_, ten_); }
  // False where a double has no more powers of ten.
  bool is_sound() const {
    const double factor = model::ToDouble(factor_);
    return factor > 0 && std::isfinite(factor);
  }

 private:
  Value ten_;
  Value factor_;
};

auto CompareNumbers(const Value& a, const Value& b) { return CompareValues(a, b, nullptr); }

Answer<Value> PowerOfTwo(const Value& value, double exponent, const QueryContext& context) {
  const Value arguments[] = {value.kind() == Kind::kDecimal128
                                 ? Value::Decimal128(model::Decimal128FromInt(2))
                                 : Value::Int32(2),
                             Value::Int32(static_cast<int32_t>(exponent))};
  return FindListOperator("$pow")->function({"$pow", arguments, context});
}

Value ZeroOf(const Value& value) {
  return value.kind() == Kind::kDecimal128 ? Value::Decimal128(model::Decimal128FromInt(0))
                                           : Value::Int32(0);
}

}  // namespace

Answer<Granularity> Granularity::Parse(std::string_view name) {
  Granularity granularity;
  if (name == "POWERSOF2") return granularity;
  for (const NamedSeries& series : kSeries) {
    if (series.name != name) continue;
    granularity.series_.assign(series.numbers.begin(), series.numbers.end());
    return granularity;
  }
  const int fine = name == "E48" ? 48 : name == "E96" ? 96 : name == "E192" ? 192 : 0;
  if (fine == 0) return Refuse(40257, fmt::format("Unknown rounding granularity '{}'", name));
  granularity.series_ = FineSeries(fine);
  return granularity;
}

Answer<Value> Granularity::RoundUp(const Value& value, const QueryContext& context) const {
  MONGO_TRY(CheckRounded(value));
  if (IsZero(value)) return ZeroOf(value);
  if (std::isinf(model::ToDouble(value))) return value;
  if (series_.empty()) {
    return PowerOfTwo(value, std::floor(std::log2(model::ToDouble(value))) + 1, context);
  }
  Decade decade(value);
  while (decade.is_sound() && CompareNumbers(value, decade.At(series_.back())) >= 0) decade.Raise();
  while (decade.is_sound() && CompareNumbers(value, decade.At(series_.front())) < 0) {
    const Value above = decade.At(series_.front());
    decade.Lower();
    if (CompareNumbers(value, decade.At(series_.back())) >= 0) return above;
  }
  for (const double number : series_) {
    Value rounded = decade.At(number);
    if (CompareNumbers(value, rounded) < 0) return rounded;
  }
  return value;
}

Answer<Value> Granularity::RoundDown(const Value& value, const QueryContext& context) const {
  MONGO_TRY(CheckRounded(value));
  if (IsZero(value)) return ZeroOf(value);
  if (std::isinf(model::ToDouble(value))) return value;
  if (series_.empty()) {
    return PowerOfTwo(value, std::ceil(std::log2(model::ToDouble(value))) - 1, context);
  }
  Decade decade(value);
  while (decade.is_sound() && CompareNumbers(value, decade.At(series_.front())) <= 0)
    decade.Lower();
  while (decade.is_sound() && CompareNumbers(value, decade.At(series_.back())) > 0) {
    const Value below = decade.At(series_.back());
    decade.Raise();
    if (CompareNumbers(value, decade.At(series_.front())) <= 0) return below;
  }
  for (size_t i = series_.size(); i-- > 0;) {
    Value rounded = decade.At(series_[i]);
    if (CompareNumbers(value, rounded) > 0) return rounded;
  }
  return value;
}

}  // namespace orrery::mongo
