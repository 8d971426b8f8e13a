// The window functions of a series of numbers.
#include <fmt/core.h>

#include <array>
#include <cmath>

#include "api/mongo/language/accumulator/accumulator.h"
#include "api/mongo/language/pipeline/window_function.h"
#include "api/mongo/language/value/bson_type_name.h"
#include "api/mongo/language/value/collator.h"
#include "api/mongo/language/value/number.h"
#include "api/mongo/language/value/print.h"
#include "model/document/document_builder.h"
#include "model/number/decimal128.h"
#include "model/number/number.h"

namespace orrery::mongo {

using model::Decimal128Bits;
using model::Kind;
using model::Value;
using model::Values;

Answer<Values> EvaluateRows(const Expression& expression, const WindowPartition& partition,
                            const QueryContext& context) {
  Values values;
  values.reserve(partition.rows.size());
  for (const Row& row : partition.rows) {
    MONGO_ASSIGN(Value value, EvaluateOn(expression, row.document, context, row.meta.get()));
    values.push_back(std::move(value));
  }
  return values;
}

namespace {

constexpr std::array<std::string_view, 6> kSeriesFunctions = {"$derivative",    "$integral",
                                                              "$expMovingAvg",  "$linearFill",
                                                              "$covariancePop", "$covarianceSamp"};

// $expMovingAvg: each number counts alpha, what was before the rest. Computed in decimals, whatever
// the numbers are.
class MovingAverage final : public WindowFunction {
 public:
  MovingAverage(ExpressionPtr input, Decimal128Bits alpha)
      : input_(std::move(input)),
        alpha_(alpha),
        rest_(model::Add(model::Decimal128FromInt(1), model::Negate(alpha))) {}
  Answer<Values> Compute(const WindowPartition& partition,
                         const QueryContext& context) const override {
    MONGO_ASSIGN(const Values inputs, EvaluateRows(*input_, partition, context));
    Values results;
    std::optional<Decimal128Bits> average;
    bool has_decimal = false;
    for (const Value& input : inputs) {
      if (input.is_number()) {
        has_decimal = has_decimal || input.kind() == Kind::kDecimal128;
        const Decimal128Bits number = ToDecimal(input);
        average = average.has_value() ? model::Add(model::Multiply(number, alpha_),
                                                   model::Multiply(*average, rest_))
                                      : number;
      }
      if (!average.has_value()) {
        results.push_back(Value::Null());
        continue;
      }
      const Value value = Value::Decimal128(*average);
      results.push_back(has_decimal ? value : Value::Double(model::ToDouble(value)));
    }
    return results;
  }

 private:
  ExpressionPtr input_;
  Decimal128Bits alpha_;
  Decimal128Bits rest_;
};

// $linearFill: what lies between two numbers, in proportion to the sorted value.
class LinearFill final : public WindowFunction {
 public:
  explicit LinearFill(ExpressionPtr input) : input_(std::move(input)) {}
  Answer<Values> Compute(const WindowPartition& partition,
                         const QueryContext& context) const override {
    MONGO_ASSIGN(Values values, EvaluateRows(*input_, partition, context));
    Values places;
    for (const Value& key : partition.values) {
      if (!key.is_number() && key.kind() != Kind::kDateTime) {
        return Refuse(ErrorCode::kTypeMismatch,
                      fmt::format("Sort field value must be numeric or a date, but found {}",
                                  BsonTypeName(key.kind())));
      }
      Value place = key.is_number() ? key : Value::Int64(key.AsDateTime());
      if (!places.empty() && EqualValues(places.back(), place, nullptr)) {
        return Refuse(6050106, "There can be no repeated values in the sort field");
      }
      places.push_back(std::move(place));
    }
    std::optional<size_t> known;
    for (size_t i = 0; i < values.size(); ++i) {
      if (values[i].is_undefined() || values[i].kind() == Kind::kNull) {
        values[i] = Value::Null();
        continue;
      }
      if (!values[i].is_number()) {
        return Refuse(ErrorCode::kTypeMismatch,
                      fmt::format("Value to be filled must be numeric or nullish, but found {}",
                                  BsonTypeName(values[i].kind())));
      }
      if (known.has_value()) Fill(values, places, *known, i);
      known = i;
    }
    return values;
  }

 private:
  static void Fill(Values& values, const Values& places, size_t first, size_t last) {
    const Value slope = DivideNumbers(SubtractNumbers(values[last], values[first]),
                                      SubtractNumbers(places[last], places[first]));
    for (size_t i = first + 1; i < last; ++i) {
      const Value rise = MultiplyNumbers(slope, SubtractNumbers(places[i], places[first]));
      values[i] = AddNumbers(values[first], rise);
    }
  }

  ExpressionPtr input_;
};

// $covariancePop and $covarianceSamp of the pairs of numbers in a window.
class Covariance final : public WindowFunction {
 public:
  Covariance(ExpressionPtr pair, Window window, bool is_sample)
      : pair_(std::move(pair)), window_(window), is_sample_(is_sample) {}
  Answer<Values> Compute(const WindowPartition& partition,
                         const QueryContext& context) const override {
    MONGO_ASSIGN(const Values pairs, EvaluateRows(*pair_, partition, context));
    Values results;
    for (size_t at = 0; at < pairs.size(); ++at) {
      MONGO_ASSIGN(const auto rows, window_.RowsOf(at, pairs.size(), partition.values));
      results.push_back(Of(pairs, rows.first, rows.second));
    }
    return results;
  }

 private:
  Value Of(const Values& pairs, size_t first, size_t end) const {
    int32_t count = 0;
    const std::unique_ptr<Accumulator> mean_x = MakeAverage();
    const std::unique_ptr<Accumulator> mean_y = MakeAverage();
    const auto mean_of = [](const Accumulator& mean) {
      const Answer<Value> value = mean.Result();
      return value.has_value() && value->is_number() ? *value : Value::Double(0);
    };
    Value moment = Value::Double(0);
    for (size_t i = first; i < end; ++i) {
      if (pairs[i].kind() != Kind::kArray || pairs[i].AsValues().size() != 2) continue;
      const Value& a = pairs[i].AsValues()[0];
      const Value& b = pairs[i].AsValues()[1];
      if (!a.is_number() || !b.is_number()) continue;
      ++count;
      const Value before = SubtractNumbers(a, mean_of(*mean_x));
      static_cast<void>(mean_x->Add(a));
      static_cast<void>(mean_y->Add(b));
      moment = AddNumbers(moment, MultiplyNumbers(before, SubtractNumbers(b, mean_of(*mean_y))));
    }
    const int32_t divisor = is_sample_ ? count - 1 : count;
    return divisor <= 0 ? Value::Null() : DivideNumbers(moment, Value::Int32(divisor));
  }

  ExpressionPtr pair_;
  Window window_;
  bool is_sample_;
};

// $derivative and $integral over the sorted value.
class Calculus final : public WindowFunction {
 public:
  Calculus(std::string name, ExpressionPtr input, Window window, int64_t unit_ms)
      : name_(std::move(name)), input_(std::move(input)), window_(window), unit_ms_(unit_ms) {}
  Answer<Values> Compute(const WindowPartition& partition,
                         const QueryContext& context) const override {
    MONGO_ASSIGN(const Values inputs, EvaluateRows(*input_, partition, context));
    Values results;
    for (size_t at = 0; at < inputs.size(); ++at) {
      MONGO_ASSIGN(const auto rows, window_.RowsOf(at, inputs.size(), partition.values));
      const auto [first, end] = rows;
      Answer<Value> result = name_ == "$derivative" ? Derivative(partition, inputs, first, end)
                                                    : Integral(partition, inputs, first, end);
      if (!result.has_value()) return std::unexpected(std::move(result).error());
      results.push_back(*std::move(result));
    }
    return results;
  }

 private:
  // Returns the place of a row: a number, or milliseconds where there is a unit.
  Answer<Value> DerivativePlace(const Value& key) const {
    if (unit_ms_ != 0) {
      if (key.kind() == Kind::kDateTime) return Value::Int64(key.AsDateTime());
      return Refuse(5624900, "$derivative with 'unit' expects the sortBy field to be a Date");
    }
    if (key.kind() == Kind::kDateTime)
      return Refuse(5624901, "$derivative where the sortBy is a Date requires an 'unit'");
    if (key.is_number()) return key;
    return Refuse(5624902, "$derivative (with no 'unit') expects the sortBy field to be numeric");
  }

  Answer<Value> Derivative(const WindowPartition& partition, const Values& inputs, size_t first,
                           size_t end) const {
    if (end <= first) return Value::Null();
    MONGO_ASSIGN(const Value from, DerivativePlace(partition.values[first]));
    MONGO_ASSIGN(const Value to, DerivativePlace(partition.values[end - 1]));
    const Value& before = inputs[first];
    const Value& after = inputs[end - 1];
    if (IsNullish(before) || IsNullish(after))
      return Refuse(5624903, "$derivative input must not be null or missing");
    if (!before.is_number() || !after.is_number()) {
      return Refuse(ErrorCode::kTypeMismatch,
                    fmt::format("can't $subtract {} from {}", BsonTypeName(before.kind()),
                                BsonTypeName(after.kind())));
    }
    const Value run = SubtractNumbers(to, from);
    if (model::ToDouble(run) == 0) return Value::Null();
    const Value slope = DivideNumbers(SubtractNumbers(after, before), run);
    return unit_ms_ == 0 ? slope : MultiplyNumbers(slope, Value::Int64(unit_ms_));
  }

  Answer<Value> IntegralPlace(const Value& key) const {
    if (key.kind() == Kind::kDateTime) {
      if (unit_ms_ != 0) return Value::Int64(key.AsDateTime());
      return Refuse(5423902, "$integral where the sortBy is a Date requires an 'unit'");
    }
    if (unit_ms_ == 0) return key;
    return Refuse(5423901, "$integral with 'unit' expects the sortBy field to be a Date");
  }

  // The area below the line from row to row.
  Answer<Value> Integral(const WindowPartition& partition, const Values& inputs, size_t first,
                         size_t end) const {
    if (end <= first) return Value::Null();
    const std::unique_ptr<Accumulator> area = MakeSum();
    Value last_place;
    for (size_t i = first; i < end; ++i) {
      const Value& key = partition.values[i];
      if ((!key.is_number() && key.kind() != Kind::kDateTime) || !inputs[i].is_number()) {
        return Refuse(5423900,
                      "The input value of $integral window function must be a vector of 2 value, "
                      "the first value must be numeric or date type and the second must be "
                      "numeric.");
      }
      MONGO_ASSIGN(const Value place, IntegralPlace(key));
      if (i > first) {
        const Value twice = MultiplyNumbers(AddNumbers(inputs[i - 1], inputs[i]),
                                            SubtractNumbers(place, last_place));
        MONGO_TRY(area->Add(DivideNumbers(twice, Value::Int32(2))));
      }
      last_place = place;
    }
    MONGO_ASSIGN(const Value sum, area->Result());
    return unit_ms_ == 0 ? sum : DivideNumbers(sum, Value::Int64(unit_ms_));
  }

  std::string name_;
  ExpressionPtr input_;
  Window window_;
  int64_t unit_ms_;
};

Answer<WindowFunctionPtr> ParseMovingAverage(const Value& argument, const WindowPlace& place,
                                             const QueryContext& context) {
  if (!place.sort.has_value()) {
    return Refuse(ErrorCode::kFailedToParse, "$expMovingAvg requires an explicit 'sortBy'");
  }
  const Value* input = argument.kind() == Kind::kObject ? argument.Find("input") : nullptr;
  const Value* count = input == nullptr ? nullptr : argument.Find("N");
  const Value* alpha = input == nullptr ? nullptr : argument.Find("alpha");
  if (place.has_window) {
    return Refuse(ErrorCode::kFailedToParse, "$expMovingAvg does not accept a 'window' field");
  }
  if (input == nullptr || (count == nullptr) == (alpha == nullptr) ||
      argument.AsFields().size() != 2) {
    return Refuse(ErrorCode::kFailedToParse,
                  "$expMovingAvg sub object must have exactly two fields: An 'input' field, and "
                  "either an 'N' field or an 'alpha' field");
  }
  Decimal128Bits weight = model::Decimal128FromInt(2);
  if (count != nullptr) {
    const std::optional<int64_t> n =
        count->is_number() ? ExactInt64(*count) : std::optional<int64_t>();
    if (!n.has_value()) {
      return Refuse(ErrorCode::kFailedToParse,
                    fmt::format("'N' field must be an integer, but found type {}",
                                BsonTypeName(count->kind())));
    }
    if (*n <= 0) {
      return Refuse(ErrorCode::kFailedToParse,
                    fmt::format("'N' must be greater than zero. Got {}", *n));
    }
    weight = model::Divide(weight,
                           model::Add(model::Decimal128FromInt(*n), model::Decimal128FromInt(1)));
  } else {
    const double share = alpha->is_number() ? model::ToDouble(*alpha) : 0;
    if (!(share > 0 && share < 1)) {
      return Refuse(ErrorCode::kFailedToParse,
                    fmt::format("'alpha' must be between 0 and 1 (exclusive), found {}",
                                PrintElement("alpha", *alpha)));
    }
    weight = ToDecimal(*alpha);
  }
  MONGO_ASSIGN(ExpressionPtr expression, ParseExpression(*input, context));
  return std::make_unique<MovingAverage>(std::move(expression), weight);
}

Answer<WindowFunctionPtr> ParseCalculus(const std::string& name, const Value& argument,
                                        const WindowPlace& place, const QueryContext& context) {
  if (!place.sort.has_value() || place.sort->parts().size() != 1) {
    return Refuse(ErrorCode::kFailedToParse,
                  fmt::format("{} requires a sortBy with exactly one field", name));
  }
  if (argument.kind() != Kind::kObject) {
    return Refuse(ErrorCode::kFailedToParse, fmt::format("{} expects an object, but found {}", name,
                                                         BsonTypeName(argument.kind())));
  }
  if (name == "$derivative" && !place.has_window) {
    return Refuse(ErrorCode::kFailedToParse, "$derivative requires explicit window bounds");
  }
  const Value* input = argument.Find("input");
  const Value* unit = argument.Find("unit");
  if (input == nullptr) {
    return Refuse(ErrorCode::kFailedToParse,
                  fmt::format("{} requires an 'input' expression", name));
  }
  int64_t unit_ms = 0;
  if (unit != nullptr) {
    const std::optional<int64_t> ms =
        unit->kind() == Kind::kString ? WindowUnitMs(unit->AsString()) : std::nullopt;
    if (!ms.has_value()) {
      return Refuse(5490710, fmt::format("unit must be 'week' or smaller, but found {}",
                                         PrintElement("unit", *unit)));
    }
    unit_ms = *ms;
  }
  MONGO_ASSIGN(ExpressionPtr expression, ParseExpression(*input, context));
  return std::make_unique<Calculus>(name, std::move(expression), place.window, unit_ms);
}

}  // namespace

bool IsSeriesFunction(std::string_view name) {
  for (const std::string_view known : kSeriesFunctions) {
    if (known == name) return true;
  }
  return false;
}

Answer<WindowFunctionPtr> ParseSeriesFunction(const std::string& name, const Value& argument,
                                              const WindowPlace& place,
                                              const QueryContext& context) {
  if (name == "$expMovingAvg") return ParseMovingAverage(argument, place, context);
  if (name == "$derivative" || name == "$integral")
    return ParseCalculus(name, argument, place, context);
  if (name == "$linearFill") {
    if (!place.sort.has_value() || place.sort->parts().size() != 1) {
      return Refuse(605001,
                    "$linearFill must be specified with a top level sortBy expression with exactly "
                    "one element");
    }
    if (place.has_window) {
      return Refuse(ErrorCode::kFailedToParse, "'window' field is not allowed in $linearFill");
    }
    MONGO_ASSIGN(ExpressionPtr input, ParseExpression(argument, context));
    return std::make_unique<LinearFill>(std::move(input));
  }
  MONGO_ASSIGN(ExpressionPtr pair, ParseExpression(argument, context));
  return std::make_unique<Covariance>(std::move(pair), place.window, name == "$covarianceSamp");
}

}  // namespace orrery::mongo
