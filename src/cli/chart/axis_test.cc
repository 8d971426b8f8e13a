#include "cli/chart/axis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace orrery::cli {
namespace {

using std::chrono::hours;
using testing::ElementsAre;

TEST(Axis, MarksAreRoundAndReachTheTop) {
  EXPECT_THAT(RoundMarks(10, 5), ElementsAre(0, 2, 4, 6, 8, 10));
  EXPECT_THAT(RoundMarks(11, 5), ElementsAre(0, 5, 10, 15));
  EXPECT_THAT(RoundMarks(0.3, 3),
              ElementsAre(0, testing::DoubleNear(0.1, 1e-9), testing::DoubleNear(0.2, 1e-9),
                          testing::DoubleNear(0.3, 1e-9)));
  EXPECT_THAT(RoundMarks(0, 5), ElementsAre(0, 1));
}

TEST(Axis, MarksAreFew) {
  for (double highest = 1e-3; highest < 1e12; highest *= 1.7)
    EXPECT_LE(RoundMarks(highest, 4).size(), 6) << highest;
}

TEST(Axis, TimesAreRound) {
  EXPECT_THAT(TimeMarks(hours(24), 8),
              ElementsAre(hours(0), hours(3), hours(6), hours(9), hours(12), hours(15), hours(18),
                          hours(21), hours(24)));
  EXPECT_EQ(TimeMarks(hours(24 * 7), 8).size(), 8);
  EXPECT_LE(TimeMarks(hours(24 * 3650), 8).size(), 9);
  EXPECT_EQ(TimeMarks(Micros(1), 8).size(), 1);
}

TEST(Axis, TimesAreLabelledInTheUnitOfTheirSteps) {
  const auto label = [](Micros duration) {
    const auto marks = TimeMarks(duration, 8);
    return TimeLabel(marks.back(), marks);
  };
  EXPECT_EQ(label(hours(24)), "24h");
  EXPECT_EQ(label(hours(24 * 7)), "7d");
  EXPECT_EQ(label(std::chrono::minutes(30)), "30m");
  EXPECT_EQ(label(std::chrono::seconds(40)), "40s");
  EXPECT_EQ(TimeLabel(Micros(0), {Micros(0)}), "0");
}

TEST(Axis, ShortNumbers) {
  EXPECT_EQ(ShortNumber(0), "0");
  EXPECT_EQ(ShortNumber(0.25), "0.25");
  EXPECT_EQ(ShortNumber(999), "999");
  EXPECT_EQ(ShortNumber(1500), "1.5k");
  EXPECT_EQ(ShortNumber(999'900), "1M");
  EXPECT_EQ(ShortNumber(20e6), "20M");
}

}  // namespace
}  // namespace orrery::cli
