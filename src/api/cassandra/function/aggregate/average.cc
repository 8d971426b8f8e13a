#include <cmath>
#include <type_traits>

#include "api/cassandra/function/aggregate/accumulators.h"
#include "api/cassandra/function/aggregate/compensated_sum.h"
#include "api/cassandra/function/math/decimal_rounding.h"
#include "api/cassandra/function/native/native_function.h"
#include "api/cassandra/types/native/big_arithmetic.h"
#include "api/cassandra/types/native/decimal.h"
#include "api/cassandra/types/native/fixed_size.h"
#include "api/cassandra/types/native/real.h"

namespace orrery::cassandra {
namespace {

__extension__ using Int128 = __int128;

template <typename Integer>
class IntegerAverage final : public Accumulator {
 public:
  Status Add(FunctionArguments arguments) override {
    if (IsNothing(arguments[0])) return {};
    sum_ += DecodeInteger<Integer>(*arguments[0]);
    ++count_;
    return {};
  }
  FunctionResult Finish() override {
    return EncodeInteger(count_ == 0 ? Integer{0} : static_cast<Integer>(sum_ / count_));
  }

 private:
  Int128 sum_ = 0;
  int64_t count_ = 0;
};

template <typename Real>
class RealAverage final : public Accumulator {
 public:
  Status Add(FunctionArguments arguments) override {
    if (IsNothing(arguments[0])) return {};
    ++count_;
    if constexpr (std::is_same_v<Real, float>) return Add(double{DecodeFloat(*arguments[0])});
    return Add(DecodeDouble(*arguments[0]));
  }

  FunctionResult Finish() override {
    ORRERY_ASSIGN(const double average, Average());
    if constexpr (std::is_same_v<Real, float>) return EncodeFloat(static_cast<float>(average));
    return EncodeDouble(average);
  }

 private:
  Status Add(double value) {
    // Beyond the doubles the sum goes on as a decimal, until an infinity makes its size matter no
    // more.
    if (std::isfinite(value) && big_sum_.has_value()) return AddBig(value);
    big_sum_.reset();
    const double before = sum_.running();
    sum_.Add(value);
    if (!std::isinf(sum_.running()) || !std::isfinite(value) || !std::isfinite(before)) return {};
    ORRERY_ASSIGN(big_sum_, DecimalFromDouble(before));
    return AddBig(value);
  }

  Status AddBig(double value) {
    ORRERY_ASSIGN(const std::string decimal, DecimalFromDouble(value));
    ORRERY_ASSIGN(big_sum_, ComputeDecimal(Operator::kAdd, *big_sum_, decimal));
    return {};
  }

  Result<double> Average() const {
    if (count_ == 0) return 0.0;
    if (!big_sum_.has_value()) return sum_.Total() / static_cast<double>(count_);
    ORRERY_ASSIGN(const std::string average, DivideHalfEven(*big_sum_, count_));
    ORRERY_ASSIGN(const std::string text, DecimalText(average));
    return ParseDouble(text);
  }

  CompensatedSum sum_;
  std::optional<std::string> big_sum_;
  int64_t count_ = 0;
};

class VarintAverage final : public Accumulator {
 public:
  Status Add(FunctionArguments arguments) override {
    if (IsNothing(arguments[0])) return {};
    ORRERY_ASSIGN(sum_, ComputeVarint(Operator::kAdd, sum_, *arguments[0]));
    ++count_;
    return {};
  }
  FunctionResult Finish() override {
    if (count_ == 0) return sum_;
    return ComputeVarint(Operator::kDivide, sum_, EncodeVarint(count_));
  }

 private:
  std::string sum_ = EncodeVarint(0);
  int64_t count_ = 0;
};

class DecimalAverage final : public Accumulator {
 public:
  Status Add(FunctionArguments arguments) override {
    if (IsNothing(arguments[0])) return {};
    ++count_;
    ORRERY_ASSIGN(const std::string difference,
                  ComputeDecimal(Operator::kSubtract, *arguments[0], average_));
    ORRERY_ASSIGN(const std::string correction, DivideHalfEven(difference, count_));
    ORRERY_ASSIGN(average_, ComputeDecimal(Operator::kAdd, average_, correction));
    return {};
  }
  FunctionResult Finish() override { return std::move(average_); }

 private:
  std::string average_ = EncodeDecimal(0, EncodeVarint(0));
  int64_t count_ = 0;
};

}  // namespace

std::unique_ptr<Accumulator> StartAverage(TypeKind kind) {
  switch (kind) {
    case TypeKind::kTinyint:
      return std::make_unique<IntegerAverage<int8_t>>();
    case TypeKind::kSmallint:
      return std::make_unique<IntegerAverage<int16_t>>();
    case TypeKind::kInt:
      return std::make_unique<IntegerAverage<int32_t>>();
    case TypeKind::kFloat:
      return std::make_unique<RealAverage<float>>();
    case TypeKind::kDouble:
      return std::make_unique<RealAverage<double>>();
    case TypeKind::kVarint:
      return std::make_unique<VarintAverage>();
    case TypeKind::kDecimal:
      return std::make_unique<DecimalAverage>();
    default:  // bigint and counter
      return std::make_unique<IntegerAverage<int64_t>>();
  }
}

}  // namespace orrery::cassandra
