// The window functions of a series of numbers.
#include <fmt/core.h>

#include <array>
#include <cmath>

#include "api/mongo/language/pipeline/window_function.h"
#include "api/mongo/language/value/bson_type_name.h"
#include "api/mongo/language/value/number.h"
#include "api/mongo/language/value/print.h"
#include "model/document/document_builder.h"
#include "model/number/number.h"

namespace orrery::mongo {

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

// $expMovingAvg: each number counts alpha, what was before the rest.
class MovingAverage final : public WindowFunction {
 public:
  MovingAverage(ExpressionPtr input, double alpha) : input_(std::move(input)), alpha_(alpha) {}
  Answer<Values> Compute(const WindowPartition& partition,
                         const QueryContext& context) const override {
    MONGO_ASSIGN(const Values inputs, EvaluateRows(*input_, partition, context));
    Values results;
    std::optional<double> average;
    for (const Value& input : inputs) {
      if (input.is_number()) {
        const double number = model::ToDouble(input);
        average = average.has_value() ? number * alpha_ + *average * (1 - alpha_) : number;
      }
      results.push_back(average.has_value() ? Value::Double(*average) : Value::Null());
    }
    return results;
  }

 private:
  ExpressionPtr input_;
  double alpha_;
};

// $linearFill: what lies between two numbers, in proportion to the sorted value.
class LinearFill final : public WindowFunction {
 public:
  explicit LinearFill(ExpressionPtr input) : input_(std::move(input)) {}
  Answer<Values> Compute(const WindowPartition& partition,
                         const QueryContext& context) const override {
    MONGO_ASSIGN(Values values, EvaluateRows(*input_, partition, context));
    std::vector<double> places;
    for (const Value& key : partition.values) {
      if (!key.is_number() && key.kind() != Kind::kDateTime) {
        return Refuse(ErrorCode::kTypeMismatch,
                      fmt::format("Sort field value must be numeric or a date, but found {}",
                                  BsonTypeName(key.kind())));
      }
      const double place =
          key.is_number() ? model::ToDouble(key) : static_cast<double>(key.AsDateTime());
      if (!places.empty() && places.back() == place) {
        return Refuse(6050106, "There can be no repeated values in the sort field");
      }
      places.push_back(place);
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
  static void Fill(Values& values, const std::vector<double>& places, size_t first, size_t last) {
    const double from = model::ToDouble(values[first]);
    const double slope = (model::ToDouble(values[last]) - from) / (places[last] - places[first]);
    for (size_t i = first + 1; i < last; ++i) {
      values[i] = Value::Double(from + slope * (places[i] - places[first]));
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
      const auto [first, end] = window_.RowsOf(at, pairs.size(), partition.values);
      results.push_back(Of(pairs, first, end));
    }
    return results;
  }

 private:
  Value Of(const Values& pairs, size_t first, size_t end) const {
    double count = 0;
    double mean_x = 0;
    double mean_y = 0;
    double moment = 0;
    for (size_t i = first; i < end; ++i) {
      if (pairs[i].kind() != Kind::kArray || pairs[i].AsValues().size() != 2) continue;
      const Value& a = pairs[i].AsValues()[0];
      const Value& b = pairs[i].AsValues()[1];
      if (!a.is_number() || !b.is_number()) continue;
      ++count;
      const double dx = model::ToDouble(a) - mean_x;
      mean_x += dx / count;
      mean_y += (model::ToDouble(b) - mean_y) / count;
      moment += dx * (model::ToDouble(b) - mean_y);
    }
    const double divisor = is_sample_ ? count - 1 : count;
    return divisor <= 0 ? Value::Null() : Value::Double(moment / divisor);
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
      const auto [first, end] = window_.RowsOf(at, inputs.size(), partition.values);
      Answer<Value> result = name_ == "$derivative" ? Derivative(partition, inputs, first, end)
                                                    : Integral(partition, inputs, first, end);
      if (!result.has_value()) return std::unexpected(std::move(result).error());
      results.push_back(*std::move(result));
    }
    return results;
  }

 private:
  Answer<double> PlaceOf(const Value& key) const {
    if (key.kind() == Kind::kDateTime) {
      if (unit_ms_ == 0) {
        return Refuse(name_ == "$derivative" ? 5624901 : 5423902,
                      fmt::format("{} where the sortBy is a Date requires an 'unit'", name_));
      }
      return static_cast<double>(key.AsDateTime()) / static_cast<double>(unit_ms_);
    }
    if (unit_ms_ != 0) {
      return Refuse(name_ == "$derivative" ? 5624900 : 5423901,
                    fmt::format("{} with 'unit' expects the sortBy field to be a Date", name_));
    }
    if (!key.is_number()) {
      return Refuse(ErrorCode::kTypeMismatch,
                    fmt::format("{} expects the sortBy field to be numeric or a Date, but found {}",
                                name_, BsonTypeName(key.kind())));
    }
    return model::ToDouble(key);
  }
  static Answer<double> NumberOf(const Value& value) {
    if (value.is_number()) return model::ToDouble(value);
    return Refuse(ErrorCode::kTypeMismatch,
                  fmt::format("can't $subtract {} from a number", BsonTypeName(value.kind())));
  }

  Answer<Value> Derivative(const WindowPartition& partition, const Values& inputs, size_t first,
                           size_t end) const {
    if (end <= first + 1) return Value::Null();
    MONGO_ASSIGN(const double from, PlaceOf(partition.values[first]));
    MONGO_ASSIGN(const double to, PlaceOf(partition.values[end - 1]));
    MONGO_ASSIGN(const double before, NumberOf(inputs[first]));
    MONGO_ASSIGN(const double after, NumberOf(inputs[end - 1]));
    if (from == to) return Value::Null();
    return Value::Double((after - before) / (to - from));
  }

  // The area below the line from row to row.
  Answer<Value> Integral(const WindowPartition& partition, const Values& inputs, size_t first,
                         size_t end) const {
    if (end <= first) return Value::Null();
    double area = 0;
    for (size_t i = first; i < end; ++i) {
      MONGO_ASSIGN(const double place, PlaceOf(partition.values[i]));
      MONGO_ASSIGN(const double number, NumberOf(inputs[i]));
      if (i == first) continue;
      MONGO_ASSIGN(const double last_place, PlaceOf(partition.values[i - 1]));
      MONGO_ASSIGN(const double last_number, NumberOf(inputs[i - 1]));
      area += (number + last_number) / 2 * (place - last_place);
    }
    if (end == first + 1 && unit_ms_ == 0) return Value::Int32(0);
    return Value::Double(area);
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
  double weight = 0;
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
    weight = 2.0 / (static_cast<double>(*n) + 1);
  } else {
    weight = alpha->is_number() ? model::ToDouble(*alpha) : 0;
    if (!(weight > 0 && weight < 1)) {
      return Refuse(ErrorCode::kFailedToParse,
                    fmt::format("'alpha' must be between 0 and 1 (exclusive), found {}",
                                PrintElement("alpha", *alpha)));
    }
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
