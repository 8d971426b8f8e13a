#include "base/cluster_clock.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <vector>

namespace orrery {
namespace {

TEST(ClusterClockTest, TimesRiseWhileTheWallStandsStill) {
  ManualClock wall;
  ClusterClock clock(wall);
  const Micros first = clock.Next();
  EXPECT_GT(first, wall.Now());
  EXPECT_EQ(clock.Next(), first + Micros(1));
  EXPECT_EQ(clock.Latest(), first + Micros(1));
  wall.Advance(std::chrono::seconds(1));
  EXPECT_EQ(clock.Next(), wall.Now());
}

TEST(ClusterClockTest, NeverGoesBackWithTheWall) {
  ManualClock wall;
  ClusterClock clock(wall);
  const Micros before = clock.Next();
  wall.Advance(-std::chrono::hours(1));
  EXPECT_GT(clock.Next(), before);
}

TEST(ClusterClockTest, ObservesTimesThatAreNotTooFarAhead) {
  ManualClock wall;
  ClusterClock clock(wall);
  EXPECT_TRUE(clock.Observe(wall.Now() - std::chrono::hours(1)));
  EXPECT_EQ(clock.Latest(), wall.Now());
  const Micros ahead = wall.Now() + std::chrono::seconds(5);
  EXPECT_TRUE(clock.Observe(ahead));
  EXPECT_EQ(clock.Next(), ahead + Micros(1));
  EXPECT_FALSE(clock.Observe(wall.Now() + ClusterClock::kDriftMax + Micros(1)));
  EXPECT_EQ(clock.Latest(), ahead + Micros(1));
  clock.Restore(wall.Now() + std::chrono::hours(1));
  EXPECT_EQ(clock.Next(), wall.Now() + std::chrono::hours(1) + Micros(1));
}

TEST(ClusterClockTest, TimestampsKeepTheOrder) {
  const Micros second = std::chrono::seconds(1'700'000'000);
  EXPECT_EQ(TimestampOf(second), (uint64_t{1'700'000'000} << 32) + 1);
  EXPECT_LT(TimestampOf(second + Micros(999'999)), TimestampOf(second + Micros(1'000'000)));
  for (const Micros time : {second, second + Micros(1), second + Micros(999'999)})
    EXPECT_EQ(TimeOfTimestamp(TimestampOf(time)), time);
  // Timestamps of clients: of the second itself, and beyond the last microsecond.
  EXPECT_EQ(TimeOfTimestamp(uint64_t{1'700'000'000} << 32), second);
  EXPECT_EQ(TimeOfTimestamp((uint64_t{1'700'000'000} << 32) | UINT32_MAX),
            second + std::chrono::seconds(1));
}

TEST(ClusterClockTest, EachTimeIsGivenOutOnce) {
  ManualClock wall;
  ClusterClock clock(wall);
  std::vector<std::vector<Micros>> given(4);
  {
    std::vector<std::jthread> threads;
    threads.reserve(given.size());
    for (auto& mine : given) {
      threads.emplace_back([&] {
        for (int i = 0; i < 1'000; ++i) mine.push_back(clock.Next());
      });
    }
  }
  std::vector<Micros> all;
  for (const auto& mine : given) {
    EXPECT_TRUE(std::ranges::is_sorted(mine));
    all.insert(all.end(), mine.begin(), mine.end());
  }
  std::ranges::sort(all);
  EXPECT_EQ(std::ranges::adjacent_find(all), all.end());
}

}  // namespace
}  // namespace orrery
