#include "cli/duration.h"

#include <gtest/gtest.h>

namespace orrery::cli {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

TEST(Duration, Units) {
  EXPECT_EQ(ParseDuration("250ms"), milliseconds(250));
  EXPECT_EQ(ParseDuration("90s"), seconds(90));
  EXPECT_EQ(ParseDuration("15m"), minutes(15));
  EXPECT_EQ(ParseDuration("1.5h"), minutes(90));
  EXPECT_EQ(ParseDuration("30d"), hours(720));
  EXPECT_EQ(ParseDuration("0s"), Micros(0));
}

TEST(Duration, NonsenseIsRefused) {
  for (const char* text :
       {"", "5", "h", "-1h", "1 h", "1hour", "nans", "1e30d", "200000d", "1h30m"})
    EXPECT_FALSE(ParseDuration(text).has_value()) << text;
}

TEST(Duration, Format) {
  EXPECT_EQ(FormatDuration(Micros(0)), "0s");
  EXPECT_EQ(FormatDuration(milliseconds(250)), "250ms");
  EXPECT_EQ(FormatDuration(seconds(90)), "1.5m");
  EXPECT_EQ(FormatDuration(seconds(61)), "61s");
  EXPECT_EQ(FormatDuration(minutes(90)), "1.5h");
  EXPECT_EQ(FormatDuration(hours(24)), "1d");
  EXPECT_EQ(FormatDuration(hours(25)), "25h");
}

TEST(Duration, Elapsed) {
  EXPECT_EQ(FormatElapsed(Micros(0)), "0:00");
  EXPECT_EQ(FormatElapsed(minutes(5)), "0:05");
  EXPECT_EQ(FormatElapsed(hours(36) + minutes(5)), "36:05");
  EXPECT_EQ(FormatElapsed(hours(54)), "2d 06:00");
  EXPECT_EQ(FormatElapsed(seconds(61)), "0:01:01");
}

TEST(Duration, RoundTrip) {
  for (const char* text : {"250ms", "61s", "1.5h", "25h", "30d"})
    EXPECT_EQ(FormatDuration(*ParseDuration(text)), text);
}

}  // namespace
}  // namespace orrery::cli
