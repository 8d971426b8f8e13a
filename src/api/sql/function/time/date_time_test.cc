#include "api/sql/function/time/date_time.h"

#include <gtest/gtest.h>

#include <random>

#include "api/sql/function/time/date_part.h"

namespace orrery::sql {
namespace {

TEST(DateTime, RefusesWhatIsNone) {
  for (const std::string_view text : {"",
                                      "2024",
                                      "2024-01",
                                      "2024-1-1",
                                      "24-01-01",
                                      "2024-13-01",
                                      "2024-00-01",
                                      "2024-02-30",
                                      "2023-02-29",
                                      "0000-01-01",
                                      "2024-01-01x",
                                      "2024-01-01T",
                                      "2024-01-01t00:00:00",
                                      "2024-01-01T24:00:00",
                                      "2024-01-01T00:60:00",
                                      "2024-01-01T00:00:60",
                                      "2024-01-01T00:00",
                                      "2024-01-01T00:00:00.",
                                      "2024-01-01T00:00:00.12345678",
                                      "2024-01-01T00:00:00+01:00",
                                      "2024-01-01T00:00:00ZZ",
                                      " 2024-01-01",
                                      "2024-01-01 ",
                                      "-024-01-01",
                                      "2024/01/01"})
    EXPECT_FALSE(ParseDateTime(text).has_value()) << text;
}

TEST(DateTime, FirstAndLast) {
  EXPECT_EQ(ParseDateTime("0001-01-01"), kTicksMin);
  EXPECT_EQ(ParseDateTime("9999-12-31T23:59:59.9999999Z"), kTicksEnd - 1);
  EXPECT_EQ(ParseDateTime("1601-01-01"), kWindowsEpochTicks);
  EXPECT_EQ(FormatDateTime(kTicksMin), "0001-01-01T00:00:00.0000000Z");
  EXPECT_EQ(FormatDateTime(kTicksEnd - 1), "9999-12-31T23:59:59.9999999Z");
  EXPECT_EQ(FormatDateTime(-1), "1969-12-31T23:59:59.9999999Z");
}

TEST(DateTime, FractionsOfAnyLength) {
  EXPECT_EQ(ParseDateTime("1970-01-01T00:00:00.5"), 5'000'000);
  EXPECT_EQ(ParseDateTime("1970-01-01 00:00:00.0000001Z"), 1);
}

TEST(DateTime, TextGoesThereAndBack) {
  constexpr uint64_t kSeed = 20241014;
  SCOPED_TRACE(kSeed);
  std::mt19937_64 random(kSeed);
  std::uniform_int_distribution<Ticks> any(kTicksMin, kTicksEnd - 1);
  for (int i = 0; i < 2000; ++i) {
    const Ticks ticks = any(random);
    EXPECT_EQ(ParseDateTime(FormatDateTime(ticks)), ticks);
    EXPECT_EQ(JoinDateTime(SplitDateTime(ticks)), ticks);
  }
}

// A bin begins at or before the time that it holds, and the next one after it.
TEST(DatePart, BinsHoldTheirTimes) {
  constexpr uint64_t kSeed = 42;
  SCOPED_TRACE(kSeed);
  std::mt19937_64 random(kSeed);
  std::uniform_int_distribution<Ticks> any(kWindowsEpochTicks, -2 * kWindowsEpochTicks);
  for (int i = 0; i < 2000; ++i) {
    const auto part = static_cast<DatePart>(random() % 8);
    const auto size = static_cast<int64_t>(random() % 5 + 1);
    const Ticks ticks = any(random);
    const Ticks origin = any(random);
    const auto bin = BinDatePart(ticks, part, size, origin);
    ASSERT_TRUE(bin.has_value());
    EXPECT_LE(*bin, ticks);
    // Months that lack the origin's day make a bin's end come early, by three days at most.
    const auto next = AddDatePart(*bin, part, size);
    ASSERT_TRUE(next.has_value());
    EXPECT_GT(*next + 3 * kTicksPerDay, ticks);
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
