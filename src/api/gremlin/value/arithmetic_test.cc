#include "api/gremlin/value/arithmetic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>

#include "api/gremlin/value/big.h"
#include "api/gremlin/value/big_arithmetic.h"
#include "api/gremlin/value/text.h"

namespace orrery::gremlin {
namespace {

TEST(Arithmetic, GivesTheWiderType) {
  const auto sum = Calculate(Arithmetic::kAdd, Value::Int(1), Value::Long(2));
  ASSERT_TRUE(sum.has_value());
  EXPECT_EQ(sum->type(), Type::kLong);
  EXPECT_EQ(sum->AsInteger(), 3);
  const auto product = Calculate(Arithmetic::kMultiply, Value::Int(2), Value::Double(0.25));
  ASSERT_TRUE(product.has_value());
  EXPECT_EQ(product->type(), Type::kDouble);
  EXPECT_EQ(product->AsFloating(), 0.5);
}

TEST(Arithmetic, IntsBecomeLongsOnOverflow) {
  const auto sum = Calculate(Arithmetic::kAdd, Value::Int(INT32_MAX), Value::Int(1));
  ASSERT_TRUE(sum.has_value());
  EXPECT_EQ(sum->type(), Type::kLong);
  EXPECT_EQ(sum->AsInteger(), int64_t{INT32_MAX} + 1);
}

TEST(Arithmetic, RefusesWhatHasNoResult) {
  EXPECT_EQ(Calculate(Arithmetic::kDivide, Value::Int(1), Value::Int(0)).error().code(),
            Code::kInvalidArgument);
  EXPECT_EQ(Calculate(Arithmetic::kAdd, Value::Int(1), Value::String("a")).error().code(),
            Code::kInvalidArgument);
}

// Text of a result; an error's message.
std::string Of(const Result<Value>& result) {
  return result.has_value() ? ToText(*result) : result.error().message();
}
Value Decimal(std::string_view digits) { return *ParseBigDecimal(digits); }
Value Integer(std::string_view digits) { return *ParseBigInteger(digits); }

TEST(BigArithmetic, IsExact) {
  EXPECT_EQ(Of(Calculate(Arithmetic::kAdd, Decimal("0.1"), Decimal("0.2"))), "0.3");
  EXPECT_EQ(Of(Calculate(Arithmetic::kAdd, Decimal("1.50"), Value::Double(2.1))), "3.60");
  EXPECT_EQ(Of(Calculate(Arithmetic::kSubtract, Integer("3"), Decimal("5.5"))), "-2.5");
  EXPECT_EQ(Of(Calculate(Arithmetic::kMultiply, Decimal("1.25"), Decimal("3.5"))), "4.375");
  const auto sum = Calculate(Arithmetic::kAdd, Integer("99999999999999999999"), Value::Int(1));
  EXPECT_EQ(Of(sum), "100000000000000000000");
  EXPECT_EQ(sum->type(), Type::kBigInteger);
  EXPECT_EQ(Of(Calculate(Arithmetic::kDivide, Integer("-7"), Value::Int(2))), "-3");
}

TEST(BigArithmetic, DividesAsTinkerPop) {
  EXPECT_EQ(Of(Calculate(Arithmetic::kDivide, Decimal("10"), Value::Int(4))), "2.5");
  EXPECT_EQ(Of(Calculate(Arithmetic::kDivide, Decimal("3"), Value::Int(7))), "0.4285714286");
  EXPECT_EQ(Of(Calculate(Arithmetic::kDivide, Decimal("-1"), Value::Int(6))), "-0.1666666667");
  EXPECT_EQ(Of(Divide(Integer("5"), 3)), "1.6666666667");
  EXPECT_EQ(Of(Divide(Integer("6"), 3)), "2");
  EXPECT_EQ(Of(Calculate(Arithmetic::kDivide, Decimal("3"), Value::Int(0))), "Division by zero");
  EXPECT_EQ(Of(Calculate(Arithmetic::kAdd, Decimal("3"), Value::Double(INFINITY))),
            "Infinite or NaN: no BigDecimal has this value");
}

TEST(BigArithmetic, ComparesAndConverts) {
  EXPECT_TRUE(*CompareBig(Decimal("1.1"), Value::Double(1.1)) == 0);
  EXPECT_TRUE(*CompareBig(Integer("10000000000000000000001"), Integer("10000000000000000000000")) >
              0);
  EXPECT_FALSE(CompareBig(Decimal("1"), Value::Double(NAN)).has_value());
  EXPECT_EQ(ToText(*ToBigInteger(Decimal("-2.99"))), "-2");
  EXPECT_FALSE(ToBigDecimal(Value::Double(NAN)).has_value());
}

TEST(BigArithmetic, IsBounded) {
  Value product = Decimal("1" + std::string(3'000, '7'));
  Result<Value> next = product;
  for (int i = 0; i < 10 && next.has_value(); ++i)
    next = Calculate(Arithmetic::kMultiply, *next, product);
  ASSERT_FALSE(next.has_value());
  EXPECT_EQ(next.error().code(), Code::kResourceExhausted);
  EXPECT_EQ(Calculate(Arithmetic::kAdd, Decimal("1e9999"), Decimal("1e-9999")).has_value(), true);
}

TEST(Arithmetic, KnowsWholeNumbers) {
  int64_t whole = 0;
  EXPECT_TRUE(ToLong(Value::Double(4.0), whole));
  EXPECT_EQ(whole, 4);
  EXPECT_FALSE(ToLong(Value::Double(4.5), whole));
  EXPECT_FALSE(ToLong(Value::Double(1e300), whole));
  EXPECT_FALSE(ToLong(Value::String("4"), whole));
}

}  // namespace
}  // namespace orrery::gremlin
