#include <type_traits>

#include "api/cassandra/function/aggregate/accumulators.h"
#include "api/cassandra/function/aggregate/compensated_sum.h"
#include "api/cassandra/function/native/native_function.h"
#include "api/cassandra/types/native/big_arithmetic.h"
#include "api/cassandra/types/native/decimal.h"
#include "api/cassandra/types/native/fixed_size.h"

namespace orrery::cassandra {
namespace {

template <typename Integer>
class IntegerSum final : public Accumulator {
 public:
  Status Add(FunctionArguments arguments) override {
    if (!IsNothing(arguments[0]))
      sum_ += static_cast<uint64_t>(DecodeInteger<Integer>(*arguments[0]));
    return {};
  }
  FunctionResult Finish() override { return EncodeInteger(static_cast<Integer>(sum_)); }

 private:
  uint64_t sum_ = 0;  // wraps; its lower bits are the sum at any width
};

template <typename Real>
class RealSum final : public Accumulator {
 public:
  Status Add(FunctionArguments arguments) override {
    if (IsNothing(arguments[0])) return {};
    if constexpr (std::is_same_v<Real, float>) {
      sum_.Add(static_cast<double>(DecodeFloat(*arguments[0])));
    } else {
      sum_.Add(DecodeDouble(*arguments[0]));
    }
    return {};
  }
  FunctionResult Finish() override {
    if constexpr (std::is_same_v<Real, float>) return EncodeFloat(static_cast<float>(sum_.Total()));
    return EncodeDouble(sum_.Total());
  }

 private:
  CompensatedSum sum_;
};

using BigCompute = Result<std::string> (*)(Operator, std::string_view, std::string_view);

class BigSum final : public Accumulator {
 public:
  BigSum(BigCompute compute, std::string zero) : compute_(compute), sum_(std::move(zero)) {}

  Status Add(FunctionArguments arguments) override {
    if (IsNothing(arguments[0])) return {};
    ORRERY_ASSIGN(sum_, compute_(Operator::kAdd, sum_, *arguments[0]));
    return {};
  }
  FunctionResult Finish() override { return std::move(sum_); }

 private:
  const BigCompute compute_;
  std::string sum_;
};

}  // namespace

std::unique_ptr<Accumulator> StartSum(TypeKind kind) {
  switch (kind) {
    case TypeKind::kTinyint:
      return std::make_unique<IntegerSum<int8_t>>();
    case TypeKind::kSmallint:
      return std::make_unique<IntegerSum<int16_t>>();
    case TypeKind::kInt:
      return std::make_unique<IntegerSum<int32_t>>();
    case TypeKind::kFloat:
      return std::make_unique<RealSum<float>>();
    case TypeKind::kDouble:
      return std::make_unique<RealSum<double>>();
    case TypeKind::kVarint:
      return std::make_unique<BigSum>(ComputeVarint, EncodeVarint(0));
    case TypeKind::kDecimal:
      return std::make_unique<BigSum>(ComputeDecimal, EncodeDecimal(0, EncodeVarint(0)));
    default:  // bigint and counter
      return std::make_unique<IntegerSum<int64_t>>();
  }
}

}  // namespace orrery::cassandra
