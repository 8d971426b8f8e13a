#include "model/number/decimal128.h"

#include <gtest/gtest.h>

#include "model/value_text.h"

namespace orrery::model {
namespace {

Decimal128Bits D(std::string_view text) { return *Decimal128FromText(text); }
std::string Text(Decimal128Bits bits) { return FormatDecimal128(bits); }

TEST(Decimal128, AddsExactlyAndKeepsTheSmallerExponent) {
  EXPECT_EQ(Text(Add(D("0.1"), D("0.2"))), "0.3");
  EXPECT_EQ(Text(Add(D("1.00"), D("2"))), "3.00");
  EXPECT_EQ(Text(Add(Decimal128FromDouble(0.1), D("0.2"))), "0.3000000000000000055511151231257827");
}

TEST(Decimal128, DividesWithThePreferredExponent) {
  EXPECT_EQ(Text(Divide(D("1"), D("3"))), "0.3333333333333333333333333333333333");
  EXPECT_EQ(Text(Divide(D("6"), D("2"))), "3");
  EXPECT_EQ(Text(Divide(D("1"), D("0"))), "Infinity");
  EXPECT_EQ(Text(Divide(D("0"), D("0"))), "NaN");
}

TEST(Decimal128, RoundsHalfToEven) {
  EXPECT_EQ(Text(RoundTo(D("2.5"), 0, DecimalRounding::kHalfEven)), "2");
  EXPECT_EQ(Text(RoundTo(D("3.5"), 0, DecimalRounding::kHalfEven)), "4");
  EXPECT_EQ(Text(RoundTo(D("-2.5"), 0, DecimalRounding::kFloor)), "-3");
  EXPECT_EQ(Text(RoundTo(D("1234"), 2, DecimalRounding::kTowardZero)), "1.2E+3");
}

TEST(Decimal128, TakesFifteenDigitsOfADouble) {
  EXPECT_EQ(Text(Decimal128FromDouble(0.1, 15)), "0.100000000000000");
}

TEST(Decimal128, OverflowsToInfinity) {
  EXPECT_EQ(Text(Multiply(D("9E6144"), D("10"))), "Infinity");
  EXPECT_EQ(TruncateToInt(D("9223372036854775808")), std::nullopt);
  EXPECT_EQ(TruncateToInt(D("-9.9")), -9);
}

TEST(Decimal128, ComputesFunctionsToAllDigits) {
  EXPECT_EQ(Text(Apply(DecimalFunction::kSqrt, D("2"))), "1.414213562373095048801688724209698");
  EXPECT_EQ(Text(Power(D("2"), D("10"))), "1024");
}

}  // namespace
}  // namespace orrery::model
