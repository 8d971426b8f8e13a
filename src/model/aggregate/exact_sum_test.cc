#include "model/aggregate/exact_sum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace orrery::model {
namespace {

constexpr double kBeyond = std::numeric_limits<double>::infinity();
constexpr double kGreatest = std::numeric_limits<double>::max();
constexpr double kTiniest = std::numeric_limits<double>::denorm_min();

double SumOf(const std::vector<double>& numbers) {
  ExactSum sum;
  for (const double number : numbers) sum.Add(number);
  return sum.Rounded();
}

TEST(ExactSum, RoundsOnce) {
  EXPECT_EQ(SumOf({}), 0);
  EXPECT_EQ(SumOf({1, 2, 3.5}), 6.5);
  EXPECT_EQ(SumOf({0.1, 0.2}), 0.1 + 0.2);
  EXPECT_EQ(SumOf({0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1}), 1.0);
  EXPECT_EQ(SumOf({1e100, 1, -1e100}), 1);
  EXPECT_EQ(SumOf({kGreatest, kGreatest, -kGreatest}), kGreatest);
  EXPECT_EQ(SumOf({kGreatest, kGreatest}), kBeyond);
  EXPECT_EQ(SumOf({-kGreatest, -kGreatest}), -kBeyond);
  EXPECT_EQ(SumOf({kTiniest, kTiniest, kTiniest}), 3 * kTiniest);
  EXPECT_EQ(SumOf({kGreatest, kTiniest, -kGreatest}), kTiniest);
  EXPECT_EQ(SumOf({-1, 0.5}), -0.5);
  EXPECT_FALSE(std::signbit(SumOf({-0.0})));
  EXPECT_FALSE(std::signbit(SumOf({1, -1})));
  // Half way between two doubles: to the even one, unless anything is above.
  EXPECT_EQ(SumOf({0x1p53, 1}), 0x1p53);
  EXPECT_EQ(SumOf({0x1p53, 1, kTiniest}), 0x1p53 + 2);
  EXPECT_EQ(SumOf({0x1p53, 3}), 0x1p53 + 4);
  EXPECT_EQ(SumOf({-0x1p53, -1, -kTiniest}), -0x1p53 - 2);
}

TEST(ExactSum, InfinitiesAndNanSpread) {
  EXPECT_EQ(SumOf({1, kBeyond}), kBeyond);
  EXPECT_EQ(SumOf({-kBeyond, kGreatest}), -kBeyond);
  EXPECT_TRUE(std::isnan(SumOf({kBeyond, -kBeyond})));
  EXPECT_TRUE(std::isnan(SumOf({std::nan(""), 1})));
}

// Any double but NaN and infinities, often close to others.
double RandomDouble(std::mt19937_64& random) {
  if (random() % 4 == 0) return static_cast<double>(random() % 1'000) / 10;
  const double number = std::bit_cast<double>(random());
  return std::isfinite(number) ? number : 1.5;
}

TEST(ExactSum, IsTheSameHoweverItIsDivided) {
  constexpr uint64_t kSeed = 20261118;
  std::mt19937_64 random(kSeed);
  for (int round = 0; round < 500; ++round) {
    std::vector<double> numbers(random() % 60);
    for (double& number : numbers) number = RandomDouble(random);
    // Often of almost nothing.
    if (round % 3 == 0)
      for (size_t i = 0; i + 1 < numbers.size(); i += 2) numbers[i + 1] = -numbers[i];
    const double whole = SumOf(numbers);
    std::ranges::shuffle(numbers, random);
    std::vector<ExactSum> parts(1 + random() % 5);
    for (const double number : numbers) parts[random() % parts.size()].Add(number);
    ExactSum merged;
    for (const ExactSum& part : parts) ASSERT_TRUE(merged.Merge(part.Partial()).has_value());
    ASSERT_EQ(std::bit_cast<uint64_t>(merged.Rounded()), std::bit_cast<uint64_t>(whole)) << round;
  }
}

// Against whole numbers of 128 bits, which have all of such sums.
TEST(ExactSum, IsTheNearestDouble) {
  __extension__ using Wide = __int128;
  std::mt19937_64 random(7);
  for (int round = 0; round < 2'000; ++round) {
    ExactSum sum;
    Wide wide = 0;
    for (int i = 0; i < 20; ++i) {
      const auto whole = static_cast<int64_t>(random() >> 11) - (int64_t{1} << 52);
      const auto shift = static_cast<int>(random() % 40);
      sum.Add(std::ldexp(static_cast<double>(whole), shift));
      wide += static_cast<Wide>(whole) * (int64_t{1} << shift);
    }
    ASSERT_EQ(sum.Rounded(), static_cast<double>(wide)) << round;
  }
}

TEST(ExactSum, PartialsAreNumbersWhereThatIsAll) {
  ExactSum whole;
  whole.Add(2);
  whole.Add(0.5);
  EXPECT_EQ(whole.Partial().kind(), Kind::kDouble);
  ExactSum long_one;
  long_one.Add(1e100);
  long_one.Add(1);
  EXPECT_EQ(long_one.Partial().kind(), Kind::kArray);
}

TEST(ExactSum, MalformedPartialsAreRefused) {
  const auto array = [](std::vector<Value> values) { return Value::Array(std::move(values)); };
  for (const Value& partial :
       {Value::Null(), Value::String("1"), array({}), array({Value::Int32(1)}),
        array({Value::Int32(-1), Value::Int64(1)}), array({Value::Int32(100), Value::Int64(1)}),
        array({Value::Int32(1), Value::Int64(int64_t{1} << 32)}),
        array({Value::Int32(1), Value::Double(1)}),
        array(std::vector<Value>(100, Value::Int32(0)))}) {
    ExactSum sum;
    EXPECT_FALSE(sum.Merge(partial).has_value());
    EXPECT_EQ(sum.Rounded(), 0);
  }
}

}  // namespace
}  // namespace orrery::model
