#include "partition/rate/period_meter.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace orrery::partition {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(PeriodMeter, SumsWithinAPeriodAndKeepsTheLast) {
  PeriodMeter meter(seconds(1), Fold::kSum);
  EXPECT_EQ(meter.Add(5, seconds(100)), 5);
  EXPECT_EQ(meter.Add(7, milliseconds(100'999)), 12);
  EXPECT_EQ(meter.Current(milliseconds(100'500)), 12);
  EXPECT_EQ(meter.LastFull(seconds(101)), 12);
  EXPECT_EQ(meter.Add(1, seconds(101)), 1);
  EXPECT_EQ(meter.LastFull(seconds(101)), 12);
  EXPECT_EQ(meter.LastFull(seconds(102)), 1);
  EXPECT_EQ(meter.LastFull(seconds(103)), 0);
}

TEST(PeriodMeter, LateAmountsCountIntoTheNewerPeriod) {
  PeriodMeter meter(seconds(1), Fold::kSum);
  meter.Add(5, seconds(10));
  EXPECT_EQ(meter.Add(2, milliseconds(9'999)), 7);
  EXPECT_EQ(meter.LastFull(seconds(10)), 0);
}

TEST(PeriodMeter, KeepsTheHighest) {
  PeriodMeter meter(std::chrono::hours(1), Fold::kHighest);
  meter.Add(5, seconds(4'000));
  meter.Add(9, seconds(4'001));
  EXPECT_EQ(meter.Add(3, seconds(4'002)), 9);
  EXPECT_EQ(meter.LastFull(seconds(7'300)), 9);
}

TEST(PeriodMeter, StopsAtTheEndsOfItsWord) {
  PeriodMeter meter(seconds(1), Fold::kSum);
  EXPECT_EQ(meter.Add(INT64_MAX / 2, seconds(1)), INT32_MAX);
  EXPECT_EQ(meter.Add(10, seconds(1)), INT32_MAX);
}

TEST(PeriodMeter, LosesNothingBetweenThreads) {
  PeriodMeter meter(seconds(1), Fold::kSum);
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        for (int i = 0; i < 10'000; ++i) meter.Add(1, seconds(50));
      });
    }
  }
  EXPECT_EQ(meter.Current(seconds(50)), 40'000);
}

}  // namespace
}  // namespace orrery::partition
