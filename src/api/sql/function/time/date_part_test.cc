#include "api/sql/function/time/date_part.h"

#include <gtest/gtest.h>

#include <random>

namespace orrery::sql {
namespace {

// A bin begins at or before the time that it holds, and the next one after it.
TEST(DatePart, BinsHoldTheirTimes) {
  constexpr uint64_t kSeed = 42;
  SCOPED_TRACE(kSeed);
  std::mt19937_64 random(kSeed);
  std::uniform_int_distribution<model::Ticks> any(model::kWindowsEpochTicks,
                                                  -2 * model::kWindowsEpochTicks);
  for (int i = 0; i < 2000; ++i) {
    const auto part = static_cast<DatePart>(random() % 8);
    const auto size = static_cast<int64_t>(random() % 5 + 1);
    const model::Ticks ticks = any(random);
    const model::Ticks origin = any(random);
    const auto bin = BinDatePart(ticks, part, size, origin);
    ASSERT_TRUE(bin.has_value());
    EXPECT_LE(*bin, ticks);
    // Months that lack the origin's day make a bin's end come early, by three days at most.
    const auto next = AddDatePart(*bin, part, size);
    ASSERT_TRUE(next.has_value());
    EXPECT_GT(*next + 3 * model::kTicksPerDay, ticks);
  }
}

TEST(DatePart, NamesInAnyCase) {
  EXPECT_EQ(ParseDatePart("YYYY"), DatePart::kYear);
  EXPECT_EQ(ParseDatePart("n"), DatePart::kMinute);
  EXPECT_EQ(ParseDatePart("mcs"), DatePart::kMicrosecond);
  EXPECT_EQ(ParseDatePart(""), std::nullopt);
  EXPECT_EQ(ParseDatePart("yyyyyyyyyyyyyyyyyyyyy"), std::nullopt);
}

}  // namespace
}  // namespace orrery::sql
