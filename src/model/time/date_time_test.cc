#include "model/time/date_time.h"

#include <gtest/gtest.h>

#include <random>

namespace orrery::model {
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
    EXPECT_FALSE(ParseTicks(text).has_value()) << text;
}

TEST(DateTime, FirstAndLast) {
  EXPECT_EQ(ParseTicks("0001-01-01"), kTicksMin);
  EXPECT_EQ(ParseTicks("9999-12-31T23:59:59.9999999Z"), kTicksEnd - 1);
  EXPECT_EQ(ParseTicks("1601-01-01"), kWindowsEpochTicks);
  EXPECT_EQ(FormatTicks(kTicksMin), "0001-01-01T00:00:00.0000000Z");
  EXPECT_EQ(FormatTicks(kTicksEnd - 1), "9999-12-31T23:59:59.9999999Z");
  EXPECT_EQ(FormatTicks(-1), "1969-12-31T23:59:59.9999999Z");
}

TEST(DateTime, FractionsOfAnyLength) {
  EXPECT_EQ(ParseTicks("1970-01-01T00:00:00.5"), 5'000'000);
  EXPECT_EQ(ParseTicks("1970-01-01 00:00:00.0000001Z"), 1);
}

TEST(DateTime, TextGoesThereAndBack) {
  constexpr uint64_t kSeed = 20241014;
  SCOPED_TRACE(kSeed);
  std::mt19937_64 random(kSeed);
  std::uniform_int_distribution<Ticks> any(kTicksMin, kTicksEnd - 1);
  for (int i = 0; i < 2000; ++i) {
    const Ticks ticks = any(random);
    EXPECT_EQ(ParseTicks(FormatTicks(ticks)), ticks);
    EXPECT_EQ(JoinDateTime(SplitDateTime(ticks)), ticks);
  }
}

}  // namespace
}  // namespace orrery::model
