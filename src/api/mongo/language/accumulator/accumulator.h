// Accumulators make one value of many: of a group's documents, a window's, or an array's elements.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "api/mongo/error/mongo_error.h"
#include "api/mongo/language/expression/expression_parser.h"
#include "model/aggregate/grouping.h"
#include "model/value.h"

namespace orrery::mongo {

// The running state of one accumulator. Not thread-safe.
class Accumulator {
 public:
  virtual ~Accumulator() = default;
  // Takes one value, as AccumulatorSpec::Evaluate made it.
  virtual Outcome Add(model::Value value) = 0;
  virtual Answer<model::Value> Result() const = 0;
  // Returns the bytes that it holds, for limits.
  virtual size_t bytes() const { return 64; }
};

// A parsed accumulator: {$sum: expression}. Immutable and thread-safe.
class AccumulatorSpec {
 public:
  virtual ~AccumulatorSpec() = default;
  virtual std::unique_ptr<Accumulator> Make() const = 0;
  // The same for a group with this key, which $accumulator begins with.
  virtual std::unique_ptr<Accumulator> MakeFor(const model::Value& /*key*/) const { return Make(); }
  virtual Answer<model::Value> Evaluate(Evaluation& evaluation) const = 0;

  // The same accumulator where it can be made in parts, by whoever has the documents; and the
  // expression whose values it takes. Nullopt and null where it cannot.
  virtual std::optional<model::AggregateOperator> owner_operator() const { return std::nullopt; }
  virtual const Expression* argument() const { return nullptr; }
};

using AccumulatorSpecPtr = std::shared_ptr<const AccumulatorSpec>;

// 15952 for an unknown name.
Answer<AccumulatorSpecPtr> ParseAccumulator(ExpressionParser& parser, const std::string& name,
                                            const model::Value& argument);
bool IsAccumulatorName(std::string_view name);

// The states by themselves, for operators of the same name that work on arrays.
std::unique_ptr<Accumulator> MakeSum();
std::unique_ptr<Accumulator> MakeAverage();
std::unique_ptr<Accumulator> MakeExtreme(bool is_max, std::shared_ptr<const Collator> collator);
std::unique_ptr<Accumulator> MakeDeviation(bool is_sample);

// The values at the given fractions of a sorted list of numbers, by the discrete definition.
model::Value PercentilesOf(std::vector<double> numbers, const std::vector<double>& fractions,
                           bool is_median);

// $accumulator: functions in JavaScript.
Answer<AccumulatorSpecPtr> ParseScriptAccumulator(ExpressionParser& parser,
                                                  const model::Value& argument);

// Several accumulators that keep n of their values ($firstN, $maxN, $topN, ...).
Answer<AccumulatorSpecPtr> ParseListAccumulator(ExpressionParser& parser, const std::string& name,
                                                const model::Value& argument);

}  // namespace orrery::mongo
