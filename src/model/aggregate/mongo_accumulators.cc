#include "model/aggregate/mongo_accumulators.h"

#include <cstdint>
#include <utility>

#include "model/aggregate/mongo_sum.h"
#include "model/compare.h"
#include "model/value_size.h"

namespace orrery::model {
namespace {

std::unexpected<Error> NoPartialOfGroup() {
  return Fail(Code::kInvalidArgument, "the partial result of an accumulator is malformed");
}

class MongoSumAccumulator final : public Accumulator {
 public:
  Status Add(const Value& value) override {
    if (value.is_number()) sum_.Add(value);
    return {};
  }
  Status Merge(const Value& partial) override { return sum_.Merge(partial); }
  Value Partial() const override { return sum_.Partial(); }
  Value Final() const override { return sum_.Sum(); }

 private:
  MongoSum sum_;
};

class MongoAverageAccumulator final : public Accumulator {
 public:
  Status Add(const Value& value) override {
    if (!value.is_number()) return {};
    sum_.Add(value);
    ++count_;
    return {};
  }
  Status Merge(const Value& partial) override {
    const Value* const sum = partial.kind() == Kind::kObject ? partial.Find("sum") : nullptr;
    const Value* const count = sum == nullptr ? nullptr : partial.Find("count");
    if (count == nullptr || count->kind() != Kind::kInt64 || count->AsInteger() < 0 ||
        __builtin_add_overflow(count_, count->AsInteger(), &count_))
      return NoPartialOfGroup();
    return sum_.Merge(*sum);
  }
  Value Partial() const override {
    return Value::Object({{"sum", sum_.Partial()}, {"count", Value::Int64(count_)}});
  }
  Value Final() const override {
    if (count_ == 0) return Value::Null();
    if (sum_.has_decimal())
      return Value::Decimal128(Divide(sum_.Sum().AsDecimal128(), Decimal128FromInt(count_)));
    return Value::Double(sum_.AsDouble() / static_cast<double>(count_));
  }

 private:
  MongoSum sum_;
  int64_t count_ = 0;
};

class MongoExtremeAccumulator final : public Accumulator {
 public:
  explicit MongoExtremeAccumulator(bool is_max) : is_max_(is_max) {}

  Status Add(const Value& value) override {
    if (value.is_null() || value.is_undefined()) return {};
    if (!best_.is_undefined()) {
      const auto order = Compare(value, best_, Order::kMongo);
      if (is_max_ ? order <= 0 : order >= 0) return {};
    }
    best_ = value;
    bytes_ = ApproximateBytes(best_);
    return {};
  }
  Status Merge(const Value& partial) override {
    if (partial.kind() != Kind::kObject) return NoPartialOfGroup();
    const Value* const value = partial.Find("value");
    return value == nullptr ? Status() : Add(*value);
  }
  Value Partial() const override {
    Fields fields;
    if (!best_.is_undefined()) fields.push_back({"value", best_});
    return Value::Object(std::move(fields));
  }
  Value Final() const override { return best_.is_undefined() ? Value::Null() : best_; }
  size_t kept_bytes() const override { return bytes_; }

 private:
  const bool is_max_;
  Value best_ = Value::Undefined();
  size_t bytes_ = 0;
};

}  // namespace

std::unique_ptr<Accumulator> StartMongoSum() { return std::make_unique<MongoSumAccumulator>(); }
std::unique_ptr<Accumulator> StartMongoAverage() {
  return std::make_unique<MongoAverageAccumulator>();
}
std::unique_ptr<Accumulator> StartMongoExtreme(bool is_max) {
  return std::make_unique<MongoExtremeAccumulator>(is_max);
}

}  // namespace orrery::model
