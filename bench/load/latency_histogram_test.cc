#include "load/latency_histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace orrery::bench {
namespace {

using std::chrono::hours;
using std::chrono::nanoseconds;
using std::chrono::seconds;

TEST(LatencyHistogramTest, EmptyIsZero) {
  const LatencyHistogram histogram;
  EXPECT_EQ(histogram.count(), 0u);
  EXPECT_EQ(histogram.Percentile(0.99), nanoseconds(0));
  EXPECT_EQ(histogram.max(), nanoseconds(0));
}

TEST(LatencyHistogramTest, SmallValuesAreExact) {
  LatencyHistogram histogram;
  for (int i = 0; i < 200; ++i) histogram.Record(nanoseconds(i));
  EXPECT_EQ(histogram.Percentile(0.0), nanoseconds(0));
  EXPECT_EQ(histogram.Percentile(0.5), nanoseconds(99));
  EXPECT_EQ(histogram.Percentile(1.0), nanoseconds(199));
}

TEST(LatencyHistogramTest, EveryPowerOfTwoAndItsNeighboursKeepsOnePercent) {
  for (int bits = 1; bits < LatencyHistogram::kOctavesMax; ++bits) {
    for (const int64_t step : {-1, 0, 1}) {
      const int64_t value = (int64_t{1} << bits) + step;
      LatencyHistogram histogram;
      histogram.Record(nanoseconds(value));
      histogram.Record(hours(1));  // so that max() does not mend the percentile
      const int64_t answer = histogram.Percentile(0.5).count();
      EXPECT_GE(answer, value);
      EXPECT_LE(answer, value + value / 100 + 1);
    }
  }
}

TEST(LatencyHistogramTest, PercentilesOfManyAgreeWithSorting) {
  constexpr uint64_t kSeed = 20'261'116;
  SCOPED_TRACE(kSeed);
  std::mt19937_64 random(kSeed);
  std::lognormal_distribution<double> spread(12.0, 2.0);
  std::vector<int64_t> values(20'000);
  LatencyHistogram histogram;
  for (int64_t& value : values) {
    value = static_cast<int64_t>(spread(random));
    histogram.Record(nanoseconds(value));
  }
  std::ranges::sort(values);
  for (const double share : {0.01, 0.5, 0.9, 0.99, 0.999}) {
    const int64_t exact = values[static_cast<size_t>(share * 20'000) - 1];
    const int64_t answer = histogram.Percentile(share).count();
    EXPECT_GE(answer, exact);
    EXPECT_LE(answer, exact + exact / 100 + 1);
  }
  EXPECT_EQ(histogram.Percentile(1.0).count(), values.back());
}

TEST(LatencyHistogramTest, MergedIsAsIfRecordedInOne) {
  LatencyHistogram one, two, all;
  for (int i = 1; i <= 1'000; ++i) {
    (i % 3 == 0 ? one : two).Record(nanoseconds(i * 977));
    all.Record(nanoseconds(i * 977));
  }
  one.Merge(two);
  EXPECT_EQ(one.count(), all.count());
  EXPECT_EQ(one.max(), all.max());
  for (const double share : {0.1, 0.5, 0.99}) {
    EXPECT_EQ(one.Percentile(share), all.Percentile(share));
  }
}

TEST(LatencyHistogramTest, OutOfRangeIsKeptAtTheEnds) {
  LatencyHistogram histogram;
  histogram.Record(nanoseconds(-5));
  EXPECT_EQ(histogram.max(), nanoseconds(0));
  histogram.Record(hours(24));
  EXPECT_EQ(histogram.max(), hours(24));
  EXPECT_GT(histogram.Percentile(1.0), seconds(1'000));
  EXPECT_EQ(histogram.count(), 2u);
}

}  // namespace
}  // namespace orrery::bench
