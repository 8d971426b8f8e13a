#include "api/cassandra/function/aggregate/accumulators.h"
#include "api/cassandra/types/compare.h"
#include "api/cassandra/types/native/fixed_size.h"

namespace orrery::cassandra {
namespace {

class RowCount final : public Accumulator {
 public:
  Status Add(FunctionArguments) override {
    ++count_;
    return {};
  }
  FunctionResult Finish() override { return EncodeInteger(count_); }

 private:
  int64_t count_ = 0;
};

class ValueCount final : public Accumulator {
 public:
  Status Add(FunctionArguments arguments) override {
    if (arguments[0].has_value()) ++count_;
    return {};
  }
  FunctionResult Finish() override { return EncodeInteger(count_); }

 private:
  int64_t count_ = 0;
};

class ExtremeValue final : public Accumulator {
 public:
  ExtremeValue(TypePtr type, Extreme extreme) : type_(std::move(type)), extreme_(extreme) {}

  Status Add(FunctionArguments arguments) override {
    const auto& value = arguments[0];
    if (!value.has_value()) return {};
    // The empty counter is no count.
    if (value->empty() && type_->kind() == TypeKind::kCounter) return {};
    if (best_.has_value()) {
      const std::weak_ordering order = Compare(*type_, *value, *best_);
      if (extreme_ == Extreme::kMin ? order >= 0 : order <= 0) return {};
    }
    best_ = std::string(*value);
    return {};
  }
  FunctionResult Finish() override { return std::move(best_); }

 private:
  const TypePtr type_;
  const Extreme extreme_;
  std::optional<std::string> best_;
};

}  // namespace

std::unique_ptr<Accumulator> StartRowCount() { return std::make_unique<RowCount>(); }

std::unique_ptr<Accumulator> StartCount() { return std::make_unique<ValueCount>(); }

std::unique_ptr<Accumulator> StartExtreme(TypePtr type, Extreme extreme) {
  return std::make_unique<ExtremeValue>(std::move(type), extreme);
}

}  // namespace orrery::cassandra
