#include "model/time/time_zone.h"

#include <gtest/gtest.h>

namespace orrery::model {
namespace {

constexpr int64_t kHourMs = 3'600'000;

TEST(TimeZone, KnowsSummerTime) {
  const TimeZone berlin = TimeZone::Named("Europe/Berlin").value();
  EXPECT_EQ(berlin.OffsetAt(1'705'276'800'000), kHourMs);      // January 2024
  EXPECT_EQ(berlin.OffsetAt(1'721'001'600'000), 2 * kHourMs);  // July 2024
}

TEST(TimeZone, GoesBackToUtc) {
  const TimeZone zone = TimeZone::Named("America/New_York").value();
  const int64_t instant = 1'721'001'600'000;
  EXPECT_EQ(zone.ToUtc(instant + zone.OffsetAt(instant)), instant);
}

TEST(TimeZone, RefusesUnknownNames) { EXPECT_FALSE(TimeZone::Named("Foo/Bar").has_value()); }

}  // namespace
}  // namespace orrery::model
