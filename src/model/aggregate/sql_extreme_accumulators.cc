// MIN and MAX.
#include <string>
#include <string_view>

#include "model/aggregate/sql_accumulators.h"
#include "model/compare.h"
#include "model/sql/json_type.h"
#include "model/value_size.h"

namespace orrery::model::sql {
namespace {

enum class End : uint8_t { kMin, kMax };

class ExtremeAccumulator final : public Accumulator {
 public:
  explicit ExtremeAccumulator(End end) : end_(end) {}

  Status Add(const Value& value) override {
    if (value.is_undefined()) return {};
    ++count_;
    Offer(value);
    return {};
  }

  Status Merge(const Value& partial) override {
    const auto count = CountOf(partial.Find("count"));
    if (!count || __builtin_add_overflow(count_, *count, &count_)) return NoPartial();
    if (*count == 0) return {};
    const Value* value = partial.Find(name());
    Offer(value == nullptr ? Value::Undefined() : *value);
    return {};
  }

  Value Partial() const override {
    return Value::Object({{std::string(name()), Final()}, {"count", FromCount(count_)}});
  }
  Value Final() const override { return has_stranger_ ? Value::Undefined() : best_; }
  size_t kept_bytes() const override { return ApproximateBytes(best_); }

 private:
  std::string_view name() const { return end_ == End::kMin ? "min" : "max"; }

  void Offer(const Value& value) {
    if (!IsPrimitive(TypeOf(value))) {
      has_stranger_ = true;
      best_ = Value::Undefined();
    }
    if (has_stranger_) return;
    if (!best_.is_undefined()) {
      const auto order = Compare(value, best_, Order::kSql);
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

std::unique_ptr<Accumulator> StartMin() { return std::make_unique<ExtremeAccumulator>(End::kMin); }
std::unique_ptr<Accumulator> StartMax() { return std::make_unique<ExtremeAccumulator>(End::kMax); }

}  // namespace orrery::model::sql
