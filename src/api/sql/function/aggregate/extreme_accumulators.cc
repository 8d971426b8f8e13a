// MIN and MAX.
#include "api/sql/function/aggregate/accumulators.h"
#include "api/sql/function/argument.h"
#include "model/compare.h"

namespace orrery::sql {
namespace {

enum class End : uint8_t { kMin, kMax };

class Extreme final : public Accumulator {
 public:
  explicit Extreme(End end) : end_(end) {}

  Status Add(const Value& value) override {
    if (value.is_undefined()) return {};
    ++count_;
    Offer(value);
    return {};
  }

  Status Merge(const Value& partial) override {
    const Value* count_value = partial.Find("count");
    const auto count = count_value == nullptr ? std::nullopt : IntegerOf(*count_value);
    if (!count || *count < 0 || __builtin_add_overflow(count_, *count, &count_)) return NoPartial();
    if (*count == 0) return {};
    const Value* value = partial.Find(name());
    Offer(value == nullptr ? Value::Undefined() : *value);
    return {};
  }

  Value Partial() const override {
    return Value::Object({{std::string(name()), Final()}, {"count", FromInteger(count_)}});
  }
  Value Final() const override { return has_stranger_ ? Value::Undefined() : best_; }

 private:
  std::string_view name() const { return end_ == End::kMin ? "min" : "max"; }

  void Offer(const Value& value) {
    if (!IsPrimitive(TypeOf(value))) {
      has_stranger_ = true;
      return;
    }
    if (!best_.is_undefined()) {
      const auto order = model::Compare(value, best_, model::Order::kSql);
      if (end_ == End::kMin ? order >= 0 : order <= 0) return;
    }
    best_ = value;
  }

  const End end_;
  Value best_;
  int64_t count_ = 0;
  bool has_stranger_ = false;  // a value without order
};

}  // namespace

std::unique_ptr<Accumulator> StartMin() { return std::make_unique<Extreme>(End::kMin); }
std::unique_ptr<Accumulator> StartMax() { return std::make_unique<Extreme>(End::kMax); }

}  // namespace orrery::sql
