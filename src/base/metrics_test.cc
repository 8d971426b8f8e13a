#include "base/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <latch>
#include <limits>
#include <optional>
#include <thread>

namespace orrery {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(MetricsTest, RendersCountersAndGaugesInNameOrder) {
  MetricsRegistry registry;
  registry.GetGauge("orrery_open", "Open now").Set(2.5);
  registry.GetCounter("orrery_done_total", "Done", {{"class", "2xx"}}).Add(3);
  registry.GetCounter("orrery_done_total", "Done", {{"class", "4xx"}}).Add();
  EXPECT_EQ(registry.Render(),
            "# HELP orrery_done_total Done\n"
            "# TYPE orrery_done_total counter\n"
            "orrery_done_total{class=\"2xx\"} 3\n"
            "orrery_done_total{class=\"4xx\"} 1\n"
            "# HELP orrery_open Open now\n"
            "# TYPE orrery_open gauge\n"
            "orrery_open 2.5\n");
}

TEST(MetricsTest, SameNameAndLabelsIsTheSameMetric) {
  MetricsRegistry registry;
  Counter& first = registry.GetCounter("a_total", "A", {{"x", "1"}});
  for (int i = 0; i < 1000; ++i) registry.GetCounter("a_total", "A", {{"y", std::to_string(i)}});
  EXPECT_EQ(&first, &registry.GetCounter("a_total", "A", {{"x", "1"}}));
}

TEST(MetricsTest, EscapesHelpAndLabelValues) {
  MetricsRegistry registry;
  registry.GetCounter("a_total", "back\\slash \"quoted\"\nline", {{"name", "a\\b\"c\nd"}});
  EXPECT_EQ(registry.Render(),
            "# HELP a_total back\\\\slash \"quoted\"\\nline\n"
            "# TYPE a_total counter\n"
            "a_total{name=\"a\\\\b\\\"c\\nd\"} 0\n");
}

TEST(MetricsTest, WritesNumbersAsPrometheusReadsThem) {
  MetricsText text;
  const double infinity = std::numeric_limits<double>::infinity();
  text.AddGauge("g", "G", {{"v", "a"}}, infinity);
  text.AddGauge("g", "G", {{"v", "b"}}, -infinity);
  text.AddGauge("g", "G", {{"v", "c"}}, std::nan(""));
  text.AddGauge("g", "G", {{"v", "d"}}, 1e300);
  text.AddGauge("g", "G", {{"v", "e"}}, 9007199254740992.0);
  const std::string out = text.Render();
  EXPECT_THAT(out, HasSubstr("{v=\"a\"} +Inf\n"));
  EXPECT_THAT(out, HasSubstr("{v=\"b\"} -Inf\n"));
  EXPECT_THAT(out, HasSubstr("{v=\"c\"} NaN\n"));
  EXPECT_THAT(out, HasSubstr("{v=\"d\"} 1e+300\n"));
  EXPECT_THAT(out, HasSubstr("{v=\"e\"} 9007199254740992\n"));
}

TEST(MetricsTest, HistogramBucketsAreInclusiveAndSummedUp) {
  MetricsRegistry registry;
  Histogram& histogram = registry.GetHistogram("h_seconds", "H", {0.5, 1}, {{"op", "read"}});
  for (const double value : {0.25, 0.5, 0.75, 4.0}) histogram.Observe(value);
  EXPECT_EQ(registry.Render(),
            "# HELP h_seconds H\n"
            "# TYPE h_seconds histogram\n"
            "h_seconds_bucket{op=\"read\",le=\"0.5\"} 2\n"
            "h_seconds_bucket{op=\"read\",le=\"1\"} 3\n"
            "h_seconds_bucket{op=\"read\",le=\"+Inf\"} 4\n"
            "h_seconds_sum{op=\"read\"} 5.5\n"
            "h_seconds_count{op=\"read\"} 4\n");
}

TEST(MetricsTest, CollectorsEmitUntilTheirRegistrationEnds) {
  MetricsRegistry registry;
  registry.GetGauge("partition_bytes", "Bytes", {{"partition", "0"}}).Set(1);
  {
    auto registration = registry.AddCollector([](MetricsText& text) {
      text.AddGauge("partition_bytes", "Bytes", {{"partition", "7"}}, 4096);
    });
    EXPECT_EQ(registry.Render(),
              "# HELP partition_bytes Bytes\n"
              "# TYPE partition_bytes gauge\n"
              "partition_bytes{partition=\"0\"} 1\n"
              "partition_bytes{partition=\"7\"} 4096\n");
  }
  EXPECT_THAT(registry.Render(), Not(HasSubstr("partition=\"7\"")));
}

TEST(MetricsTest, EndingARegistrationWaitsForTheScrapeThatRunsIt) {
  MetricsRegistry registry;
  std::latch entered(1);
  std::atomic<bool> finished = false;
  auto registration = std::make_optional(registry.AddCollector([&](MetricsText&) {
    entered.count_down();
    for (int i = 0; i < 1000; ++i) std::this_thread::yield();
    finished = true;
  }));
  std::thread scraper([&] { registry.Render(); });
  entered.wait();
  registration.reset();
  EXPECT_TRUE(finished);
  scraper.join();
}

TEST(MetricsTest, CountsFromManyThreads) {
  MetricsRegistry registry;
  Counter& counter = registry.GetCounter("a_total", "A");
  Gauge& gauge = registry.GetGauge("b", "B");
  Histogram& histogram = registry.GetHistogram("c", "C", LatencyBounds());
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 1000; ++i) {
        counter.Add();
        gauge.Add(i % 2 == 0 ? 1 : -1);
        histogram.Observe(1);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(counter.value(), 4000u);
  EXPECT_EQ(gauge.value(), 0);
  EXPECT_EQ(histogram.sum(), 4000);
}

TEST(MetricsDeathTest, OneNameHasOneKind) {
  MetricsRegistry registry;
  registry.GetCounter("a_total", "A");
  EXPECT_DEATH(registry.GetGauge("a_total", "A"), "check failed");
}

}  // namespace
}  // namespace orrery
