#include "partition/rate/throughput.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace orrery::partition {
namespace {

using ::testing::HasSubstr;
using Settings = ThroughputSettings;

const Limits kLimits;

std::string ErrorOf(const Settings& settings) {
  const Status status = ValidateThroughput(settings, kLimits);
  return status.has_value() ? "" : status.error().message();
}

TEST(Throughput, WhatMayBeAskedFor) {
  EXPECT_EQ(ErrorOf(Settings::None()), "");
  EXPECT_EQ(ErrorOf(Settings::Manual(400)), "");
  EXPECT_EQ(ErrorOf(Settings::Manual(1'000'000)), "");
  EXPECT_EQ(ErrorOf(Settings::Autoscale(1'000)), "");
  EXPECT_THAT(ErrorOf(Settings::Manual(300)), HasSubstr("ask for at least 400 RU/s"));
  EXPECT_THAT(ErrorOf(Settings::Manual(-100)), HasSubstr("at least 400"));
  EXPECT_THAT(ErrorOf(Settings::Manual(450)), HasSubstr("multiple of 100: ask for 400 or 500"));
  EXPECT_THAT(ErrorOf(Settings::Manual(1'000'100)), HasSubstr("the most is 1000000"));
  EXPECT_THAT(ErrorOf(Settings::Autoscale(400)), HasSubstr("at least 1000"));
  EXPECT_THAT(ErrorOf(Settings::Autoscale(1'500)), HasSubstr("ask for 1000 or 2000"));
  EXPECT_THAT(ErrorOf({ThroughputKind::kNone, 400}), HasSubstr("has no RU/s"));
}

TEST(Throughput, KindsOfContainers) {
  struct Case {
    bool key;
    Settings throughput;
    bool shared;
    ContainerKind kind;
  };
  const Case cases[] = {
      {true, Settings::Manual(1'000), false, ContainerKind::kUnlimited},
      {true, Settings::Manual(900), false, ContainerKind::kFixed},
      {false, Settings::Manual(10'000), false, ContainerKind::kFixed},
      {true, Settings::Autoscale(1'000), false, ContainerKind::kUnlimited},
      {true, Settings::Manual(1'000), true, ContainerKind::kUnlimited},
      {true, Settings::Manual(400), true, ContainerKind::kFixed},
      {false, Settings::Manual(50'000), true, ContainerKind::kFixed},
      {true, Settings::None(), false, ContainerKind::kUnlimited},
      {false, Settings::None(), false, ContainerKind::kFixed},
  };
  for (const Case& c : cases) {
    const auto kind = ClassifyContainer(c.key, c.throughput, c.shared, kLimits);
    ASSERT_TRUE(kind.has_value());
    EXPECT_EQ(*kind, c.kind) << c.key << " " << c.throughput.request_units_per_second;
  }
  const auto refused = ClassifyContainer(false, Settings::Manual(10'100), false, kLimits);
  ASSERT_FALSE(refused.has_value());
  EXPECT_THAT(refused.error().message(), HasSubstr("at most 10000 RU/s, or give the container"));
  EXPECT_FALSE(ClassifyContainer(true, Settings::Manual(50), false, kLimits).has_value());
}

TEST(Throughput, PartitionsThatCarryIt) {
  EXPECT_EQ(PartitionCountFor(Settings::None(), kLimits), 1u);
  EXPECT_EQ(PartitionCountFor(Settings::Manual(400), kLimits), 1u);
  EXPECT_EQ(PartitionCountFor(Settings::Manual(10'000), kLimits), 1u);
  EXPECT_EQ(PartitionCountFor(Settings::Manual(10'100), kLimits), 2u);
  EXPECT_EQ(PartitionCountFor(Settings::Manual(20'000), kLimits), 2u);
  EXPECT_EQ(PartitionCountFor(Settings::Autoscale(100'000), kLimits), 10u);
  EXPECT_EQ(RatePerPartition(Settings::Manual(20'000), 2), RequestUnits::Whole(10'000));
  EXPECT_EQ(RatePerPartition(Settings::Manual(1'000), 3).ToString(), "333.34");
  EXPECT_EQ(RatePerPartition(Settings::None(), 3), RequestUnits());
}

TEST(Throughput, MinimumFollowsStorageAndHistory) {
  const auto manual = [](const ThroughputHistory& history) {
    return MinimumThroughput(ThroughputKind::kManual, history, kLimits);
  };
  const auto autoscale = [](const ThroughputHistory& history) {
    return MinimumThroughput(ThroughputKind::kAutoscale, history, kLimits);
  };
  EXPECT_EQ(manual({}), 400);
  EXPECT_EQ(manual({.storage_bytes = 1'000 * kGigabyte}), 1'000);
  EXPECT_EQ(manual({.storage_bytes = 1'000 * kGigabyte + 1}), 1'100);
  EXPECT_EQ(manual({.highest_rate_ever = 100'000}), 1'000);
  EXPECT_EQ(manual({.containers_sharing = 30}), 900);
  EXPECT_EQ(autoscale({}), 1'000);
  EXPECT_EQ(autoscale({.storage_bytes = 250 * kGigabyte}), 3'000);
  EXPECT_EQ(autoscale({.highest_rate_ever = 50'000}), 5'000);
  EXPECT_EQ(autoscale({.containers_sharing = 27}), 3'000);
  EXPECT_EQ(MinimumThroughput(ThroughputKind::kNone, {}, kLimits), 0);

  const ThroughputHistory history{.highest_rate_ever = 100'000};
  EXPECT_TRUE(ValidateThroughputChange(Settings::Manual(1'000), history, kLimits));
  EXPECT_THAT(ValidateThroughputChange(Settings::Manual(900), history, kLimits).error().message(),
              HasSubstr("below the minimum of 1000 RU/s"));
}

}  // namespace
}  // namespace orrery::partition
