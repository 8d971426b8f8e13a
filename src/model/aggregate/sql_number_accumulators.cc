// COUNT, COUNTIF, SUM and AVG.
#include <cmath>

#include "model/aggregate/exact_sum.h"
#include "model/aggregate/sql_accumulators.h"
#include "model/number/number.h"

namespace orrery::model::sql {
namespace {

class CountAccumulator final : public Accumulator {
 public:
  explicit CountAccumulator(bool (*counts)(const Value&)) : counts_(counts) {}

  Status Add(const Value& value) override {
    if (counts_(value)) ++count_;
    return {};
  }
  Status Merge(const Value& partial) override {
    const auto count = CountOf(&partial);
    if (!count || __builtin_add_overflow(count_, *count, &count_)) return NoPartial();
    return {};
  }
  Value Partial() const override { return FromCount(count_); }
  Value Final() const override { return Partial(); }

 private:
  bool (*const counts_)(const Value&);
  int64_t count_ = 0;
};

class SumAccumulator final : public Accumulator {
 public:
  Status Add(const Value& value) override {
    if (value.is_undefined()) return {};
    if (value.is_number()) {
      sum_.Add(ToDouble(value));
    } else {
      has_stranger_ = true;
    }
    return {};
  }
  Status Merge(const Value& partial) override {
    if (partial.is_number() || partial.kind() == Kind::kArray) return sum_.Merge(partial);
    has_stranger_ = true;
    return {};
  }
  Value Partial() const override { return has_stranger_ ? Value::Undefined() : sum_.Partial(); }
  Value Final() const override {
    return has_stranger_ ? Value::Undefined() : NumberFromDouble(sum_.Rounded());
  }

 private:
  ExactSum sum_;
  bool has_stranger_ = false;  // anything but a number
};

class AverageAccumulator final : public Accumulator {
 public:
  Status Add(const Value& value) override {
    if (value.is_undefined()) return {};
    ++count_;
    return sum_.Add(value);
  }
  Status Merge(const Value& partial) override {
    const auto count = CountOf(partial.Find("count"));
    if (!count || __builtin_add_overflow(count_, *count, &count_)) return NoPartial();
    if (*count == 0) return {};
    const Value* sum = partial.Find("sum");
    return sum_.Merge(sum == nullptr ? Value::Undefined() : *sum);
  }
  Value Partial() const override {
    return Value::Object({{"sum", sum_.Partial()}, {"count", FromCount(count_)}});
  }
  Value Final() const override {
    const Value sum = sum_.Final();
    if (sum.is_undefined() || count_ == 0) return Value::Undefined();
    return NumberFromDouble(ToDouble(sum) / static_cast<double>(count_));
  }

 private:
  SumAccumulator sum_;
  int64_t count_ = 0;
};

}  // namespace

std::optional<int64_t> CountOf(const Value* value) {
  if (value == nullptr || !value->is_number()) return std::nullopt;
  const bool is_integer = value->kind() == Kind::kInt32 || value->kind() == Kind::kInt64;
  if (is_integer && value->AsInteger() >= 0) return value->AsInteger();
  const double number = ToDouble(*value);
  if (is_integer || number != std::trunc(number) || number < 0 || number >= 0x1p63)
    return std::nullopt;
  return static_cast<int64_t>(number);
}

Value FromCount(int64_t count) {
  if (count == static_cast<int32_t>(count)) return Value::Int32(static_cast<int32_t>(count));
  return Value::Int64(count);
}

std::unique_ptr<Accumulator> StartCount() {
  return std::make_unique<CountAccumulator>(
      [](const Value& value) { return !value.is_undefined(); });
}

std::unique_ptr<Accumulator> StartCountIf() {
  return std::make_unique<CountAccumulator>(
      [](const Value& value) { return value.kind() == Kind::kBool && value.AsBool(); });
}

std::unique_ptr<Accumulator> StartSum() { return std::make_unique<SumAccumulator>(); }

std::unique_ptr<Accumulator> StartAverage() { return std::make_unique<AverageAccumulator>(); }

}  // namespace orrery::model::sql
