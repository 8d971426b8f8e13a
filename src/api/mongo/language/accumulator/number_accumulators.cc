#include <algorithm>
#include <cmath>

#include "api/mongo/language/accumulator/accumulator.h"
#include "api/mongo/language/value/number.h"
#include "model/aggregate/mongo_sum.h"
#include "model/number/decimal128.h"
#include "model/number/number.h"

namespace orrery::mongo {

using model::Kind;
using model::Value;

namespace {

class SumAccumulator final : public Accumulator {
 public:
  Outcome Add(Value value) override {
    if (value.is_number()) state_.Add(value);
    return {};
  }
  Answer<Value> Result() const override { return state_.Sum(); }

 private:
  model::MongoSum state_;
};

class AverageAccumulator final : public Accumulator {
 public:
  Outcome Add(Value value) override {
    if (!value.is_number()) return {};
    state_.Add(value);
    ++count_;
    return {};
  }
  Answer<Value> Result() const override {
    if (count_ == 0) return Value::Null();
    if (state_.has_decimal()) {
      return Value::Decimal128(
          model::Divide(ToDecimal(state_.Sum()), model::Decimal128FromInt(count_)));
    }
    return Value::Double(state_.AsDouble() / static_cast<double>(count_));
  }

 private:
  model::MongoSum state_;
  int64_t count_ = 0;
};

class DeviationAccumulator final : public Accumulator {
 public:
  explicit DeviationAccumulator(bool is_sample) : is_sample_(is_sample) {}
  Outcome Add(Value value) override {
    if (!value.is_number()) return {};
    // Welford's way.
    const double number = model::ToDouble(value);
    ++count_;
    const double delta = number - mean_;
    mean_ += delta / static_cast<double>(count_);
    squares_ += delta * (number - mean_);
    return {};
  }
  Answer<Value> Result() const override {
    const int64_t divisor = is_sample_ ? count_ - 1 : count_;
    if (divisor <= 0) return Value::Null();
    return Value::Double(std::sqrt(squares_ / static_cast<double>(divisor)));
  }

 private:
  bool is_sample_;
  int64_t count_ = 0;
  double mean_ = 0;
  double squares_ = 0;
};

class ExtremeAccumulator final : public Accumulator {
 public:
  ExtremeAccumulator(bool is_max, std::shared_ptr<const Collator> collator)
      : is_max_(is_max), collator_(std::move(collator)) {}
  Outcome Add(Value value) override {
    if (IsNullish(value)) return {};
    if (!best_.is_undefined()) {
      const auto order = CompareValues(value, best_, collator_.get());
      if (is_max_ ? order <= 0 : order >= 0) return {};
    }
    best_ = std::move(value);
    return {};
  }
  Answer<Value> Result() const override { return best_.is_undefined() ? Value::Null() : best_; }

 private:
  bool is_max_;
  std::shared_ptr<const Collator> collator_;
  Value best_;
};

}  // namespace

std::unique_ptr<Accumulator> MakeSum() { return std::make_unique<SumAccumulator>(); }
std::unique_ptr<Accumulator> MakeAverage() { return std::make_unique<AverageAccumulator>(); }
std::unique_ptr<Accumulator> MakeDeviation(bool is_sample) {
  return std::make_unique<DeviationAccumulator>(is_sample);
}
std::unique_ptr<Accumulator> MakeExtreme(bool is_max, std::shared_ptr<const Collator> collator) {
  return std::make_unique<ExtremeAccumulator>(is_max, std::move(collator));
}

Value PercentilesOf(std::vector<double> numbers, const std::vector<double>& fractions,
                    bool is_median) {
  std::ranges::sort(numbers);
  model::Values results;
  for (const double fraction : fractions) {
    if (numbers.empty()) {
      results.push_back(Value::Null());
      continue;
    }
    const double rank = std::ceil(fraction * static_cast<double>(numbers.size()));
    const auto index = static_cast<size_t>(std::max(0.0, rank - 1));
    results.push_back(Value::Double(numbers[std::min(index, numbers.size() - 1)]));
  }
  return is_median ? results.front() : Value::Array(std::move(results));
}

}  // namespace orrery::mongo
