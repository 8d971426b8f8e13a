#include "api/gremlin/value/arithmetic.h"

#include <gtest/gtest.h>

#include <cstdint>

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
