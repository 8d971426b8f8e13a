#include "load/process_usage.h"

#include <gtest/gtest.h>

namespace orrery::bench {
namespace {

constexpr std::string_view kStat =
    "31222 (a (odd) name) S 1 2 3 0 -1 4194304 100 0 0 0 250 50 0 0 20 0 60 0 12345 900000 1000 "
    "18446744073709551615 1 1 0";

TEST(ProcessUsageTest, ReadsTicksAndPages) {
  const auto usage = ParseStat(kStat, {100, 4'096});
  ASSERT_TRUE(usage.has_value());
  EXPECT_DOUBLE_EQ(usage->cpu_seconds, 3.0);
  EXPECT_EQ(usage->resident_bytes, 4'096'000u);
}

TEST(ProcessUsageTest, OtherTextIsAnError) {
  EXPECT_FALSE(ParseStat("", {}).has_value());
  EXPECT_FALSE(ParseStat("1 (x) S 1 2 3", {}).has_value());
}

TEST(ProcessUsageTest, ThisProcessUsesMemory) {
  EXPECT_GT(UsageOfThisProcess().resident_bytes, 0u);
  EXPECT_EQ(UsageOf(uint64_t{1} << 40).error().code(), Code::kNotFound);
}

}  // namespace
}  // namespace orrery::bench
