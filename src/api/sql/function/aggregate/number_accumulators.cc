// COUNT, COUNTIF, SUM and AVG.
#include "api/sql/function/aggregate/accumulators.h"
#include "api/sql/function/argument.h"

namespace orrery::sql {
namespace {

class Count final : public Accumulator {
 public:
  explicit Count(bool (*counts)(const Value&)) : counts_(counts) {}

  Status Add(const Value& value) override {
    if (counts_(value)) ++count_;
    return {};
  }
  Status Merge(const Value& partial) override {
    const auto count = IntegerOf(partial);
    if (!count || *count < 0 || __builtin_add_overflow(count_, *count, &count_)) return NoPartial();
    return {};
  }
  Value Partial() const override { return FromInteger(count_); }
  Value Final() const override { return Partial(); }

 private:
  bool (*const counts_)(const Value&);
  int64_t count_ = 0;
};

class Sum final : public Accumulator {
 public:
  Status Add(const Value& value) override {
    if (value.is_undefined()) return {};
    return Merge(value);
  }
  Status Merge(const Value& partial) override {
    if (const auto number = NumberOf(partial)) {
      sum_ += *number;
    } else {
      has_stranger_ = true;
    }
    return {};
  }
  Value Partial() const override {
    return has_stranger_ ? Value::Undefined() : model::NumberFromDouble(sum_);
  }
  Value Final() const override { return Partial(); }

 private:
  double sum_ = 0;
  bool has_stranger_ = false;  // anything but a number
};

class Average final : public Accumulator {
 public:
  Status Add(const Value& value) override {
    if (value.is_undefined()) return {};
    ++count_;
    return sum_.Add(value);
  }
  Status Merge(const Value& partial) override {
    const Value* sum = partial.Find("sum");
    const Value* count_value = partial.Find("count");
    const auto count = count_value == nullptr ? std::nullopt : IntegerOf(*count_value);
    if (!count || *count < 0 || __builtin_add_overflow(count_, *count, &count_)) return NoPartial();
    if (*count == 0) return {};
    return sum_.Merge(sum == nullptr ? Value::Undefined() : *sum);
  }
  Value Partial() const override {
    return Value::Object({{"sum", sum_.Partial()}, {"count", FromInteger(count_)}});
  }
  Value Final() const override {
    const auto sum = NumberOf(sum_.Final());
    if (!sum || count_ == 0) return Value::Undefined();
    return model::NumberFromDouble(*sum / static_cast<double>(count_));
  }

 private:
  Sum sum_;
  int64_t count_ = 0;
};

}  // namespace

std::unique_ptr<Accumulator> StartCount() {
  return std::make_unique<Count>([](const Value& value) { return !value.is_undefined(); });
}

std::unique_ptr<Accumulator> StartCountIf() {
  return std::make_unique<Count>([](const Value& value) { return BoolOf(value) == true; });
}

std::unique_ptr<Accumulator> StartSum() { return std::make_unique<Sum>(); }

std::unique_ptr<Accumulator> StartAverage() { return std::make_unique<Average>(); }

}  // namespace orrery::sql
