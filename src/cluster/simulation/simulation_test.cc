#include "cluster/simulation/simulation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

namespace orrery::cluster {
namespace {

using partition::kGigabyte;
using std::chrono::hours;
using std::chrono::minutes;
using testing::HasSubstr;

Outcome Simulated(const Scenario& scenario) {
  auto outcome = Simulate(scenario);
  EXPECT_TRUE(outcome.has_value()) << outcome.error().message();
  return outcome.has_value() ? *std::move(outcome) : Outcome{};
}

template <typename Count>
Count Total(const Outcome& outcome, Count Sample::* count) {
  Count total{};
  for (const Sample& sample : outcome.samples) total += sample.*count;
  return total;
}

TEST(Simulation, NothingHappensToAQuietCluster) {
  const Outcome outcome = Simulated({.duration = hours(6)});
  ASSERT_EQ(outcome.samples.size(), 360);
  EXPECT_EQ(outcome.samples.back().partitions, 4);  // 100 GB in parts of at most 30
  EXPECT_EQ(Total(outcome, &Sample::splits_by_storage), 0);
  EXPECT_EQ(Total(outcome, &Sample::moves), 0);
  EXPECT_EQ(Total(outcome, &Sample::unowned_s), 0);
  EXPECT_EQ(outcome.samples.back().throttled, 0);
}

TEST(Simulation, GrowthSplitsByStorage) {
  const Outcome outcome = Simulated({.bytes = 20 * kGigabyte, .bytes_per_day = 500 * kGigabyte});
  EXPECT_EQ(outcome.samples.front().partitions, 2);
  // 520 GB of smooth keys, halved at 30.
  EXPECT_EQ(outcome.samples.back().partitions, 32);
  EXPECT_EQ(Total(outcome, &Sample::splits_by_storage), 30);
  EXPECT_TRUE(outcome.stuck.empty());
}

TEST(Simulation, RaisedThroughputSplitsAndEndsThrottling) {
  using Kind = ScenarioEvent::Kind;
  const Outcome outcome = Simulated({.events = {{hours(12), Kind::kSetThroughput, 40'000}},
                                     .throughput = 20'000,
                                     .demand = 30'000,
                                     .bytes = kGigabyte});
  EXPECT_NEAR(outcome.samples.front().ThrottledShare(), 1.0 / 3, 1e-6);
  EXPECT_EQ(outcome.samples.back().throttled, 0);
  EXPECT_EQ(outcome.samples.back().partitions, 4);
  EXPECT_EQ(Total(outcome, &Sample::splits_by_throughput), 2);
}

TEST(Simulation, AHotKeyIsThrottledWhateverIsProvisioned) {
  const Outcome outcome = Simulated({.throughput = 100'000,
                                     .demand = 50'000,
                                     .bytes = kGigabyte,
                                     .distribution = KeyDistribution::kZipf,
                                     .zipf_exponent = 1.5});
  EXPECT_GT(outcome.samples.back().ThrottledShare(), 0.1);
  EXPECT_GT(outcome.samples.back().hottest, 1.5);
  ASSERT_FALSE(outcome.hottest_container.hottest.empty());
  EXPECT_EQ(outcome.hottest_container.hottest[0].key, "key-1");
  EXPECT_GT(outcome.hottest_container.hottest[0].demand,
            outcome.hottest_container.hottest[0].partition_rate);
}

TEST(Simulation, AKeyThatOutgrowsAPartitionIsStuck) {
  const Outcome outcome =
      Simulated({.bytes = 20 * kGigabyte, .bytes_per_day = 100 * kGigabyte, .keys = 2});
  ASSERT_FALSE(outcome.stuck.empty());
  EXPECT_THAT(outcome.stuck[0].why, HasSubstr("one logical partition"));
  EXPECT_LE(outcome.samples.back().partitions, 3);
}

TEST(Simulation, LostNodesAreTakenOverAndNewOnesGetTheirShare) {
  using Kind = ScenarioEvent::Kind;
  const Outcome outcome =
      Simulated({.duration = hours(8),
                 .events = {{hours(1), Kind::kLoseNodes, 5}, {hours(2), Kind::kAddNodes, 20}},
                 .nodes = 20,
                 .containers = 100,
                 .throughput = 100'000,
                 .demand = 60'000});
  EXPECT_EQ(outcome.samples.back().nodes, 35);
  EXPECT_EQ(Total(outcome, &Sample::take_overs), 250);
  EXPECT_GT(Total(outcome, &Sample::moves), 400);
  const Sample& lost = outcome.samples[60];
  EXPECT_EQ(lost.take_overs, 250);
  // The goal, of which 6.5 seconds are the end of the lease and shutting out the old owner.
  EXPECT_GT(lost.take_over_longest_s, 6.5);
  EXPECT_LT(lost.take_over_longest_s, 8);
  const NodeSpread& spread = outcome.samples.back().spread;
  EXPECT_LT(spread.most, 1.2 * spread.mean);
  EXPECT_GT(spread.least, 0.8 * spread.mean);
}

TEST(Simulation, WithoutNodesPartitionsWaitAndThenGoOn) {
  using Kind = ScenarioEvent::Kind;
  const Outcome outcome = Simulated(
      {.duration = minutes(30),
       .events = {{minutes(10), Kind::kLoseNodes, 100}, {minutes(20), Kind::kAddNodes, 3}},
       .nodes = 3});
  EXPECT_EQ(outcome.samples[15].nodes, 0);
  EXPECT_EQ(outcome.samples[15].unowned_s, 4 * 60);
  EXPECT_EQ(outcome.samples[20].take_overs, 4);
  EXPECT_EQ(outcome.samples[25].unowned_s, 0);
}

TEST(Simulation, NodesCrashAndReturnByChance) {
  const Outcome outcome =
      Simulated({.nodes = 50, .node_lifetime = hours(48), .containers = 20, .throughput = 100'000});
  const uint64_t take_overs = Total(outcome, &Sample::take_overs);
  EXPECT_GT(take_overs, 40);  // some 25 crashes of 4 partitions each
  EXPECT_LT(take_overs, 300);
  EXPECT_GT(outcome.samples.back().nodes, 40);
}

TEST(Simulation, TheSameSeedGivesTheSameOutcomeAndAnotherAnother) {
  Scenario scenario{.seed = 5,
                    .duration = hours(4),
                    .nodes = 30,
                    .node_lifetime = hours(20),
                    .containers = 10,
                    .throughput = 100'000,
                    .distribution = KeyDistribution::kZipf,
                    .keys = 1'000};
  const auto statistics = [](const Outcome& outcome) {
    std::vector<double> all;
    for (const Sample& sample : outcome.samples) {
      all.insert(all.end(), {static_cast<double>(sample.moves), sample.unowned_s, sample.hottest,
                             sample.spread.most, sample.throttled});
    }
    return all;
  };
  const auto first = statistics(Simulated(scenario));
  EXPECT_EQ(first, statistics(Simulated(scenario)));
  scenario.seed = 6;
  EXPECT_NE(first, statistics(Simulated(scenario)));
}

TEST(Simulation, ADailySwingPeaksAtNoon) {
  const Outcome outcome = Simulated({.demand = 10'000, .daily_swing = 0.5});
  EXPECT_NEAR(outcome.samples[0].demand, 5'000, 1);
  EXPECT_NEAR(outcome.samples[12 * 60].demand, 15'000, 1);
}

TEST(Simulation, TheHeatMapShowsWhereTheRingIsHot) {
  const Outcome outcome = Simulated({.distribution = KeyDistribution::kZipf, .zipf_exponent = 1.2});
  EXPECT_EQ(outcome.heat.columns.size(), 120);
  EXPECT_EQ(outcome.heat.times.size(), 120);
  for (const auto& column : outcome.heat.columns) ASSERT_EQ(column.size(), outcome.heat.rows);
  EXPECT_FLOAT_EQ(*std::ranges::max_element(outcome.heat.columns.back()),
                  static_cast<float>(outcome.samples.back().hottest));
}

TEST(Simulation, ThousandsOfNodesAndAHundredThousandPartitions) {
  using Kind = ScenarioEvent::Kind;
  const Outcome outcome = Simulated(
      {.duration = minutes(20),
       .events = {{minutes(5), Kind::kLoseNodes, 100}, {minutes(8), Kind::kAddNodes, 150}},
       .nodes = 2'000,
       .containers = 1'000,
       .throughput = 1'000'000,
       .demand = 600'000,
       .bytes = 100 * kGigabyte,
       .distribution = KeyDistribution::kZipf,
       .zipf_exponent = 0.7});
  EXPECT_EQ(outcome.samples.back().partitions, 100'000);
  EXPECT_EQ(outcome.samples.back().nodes, 2'050);
  EXPECT_EQ(outcome.samples.back().unowned_s / 0.5, outcome.samples.back().moves);
}

TEST(Scenario, NonsenseIsRefusedWithAReason) {
  const auto error_of = [](const Scenario& scenario) {
    const auto outcome = Simulate(scenario);
    return outcome.has_value() ? "no error" : outcome.error().message();
  };
  EXPECT_THAT(error_of({.nodes = 0}), HasSubstr("from 1 to 100000 nodes"));
  EXPECT_THAT(error_of({.throughput = 50}), HasSubstr("400"));
  EXPECT_THAT(error_of({.tick = Micros(0)}), HasSubstr("tick"));
  EXPECT_THAT(error_of({.duration = hours(24 * 365), .tick = std::chrono::seconds(1)}),
              HasSubstr("more than 1000000 ticks"));
  EXPECT_THAT(error_of({.containers = 50'000, .throughput = 1'000'000}),
              HasSubstr("5000000 partitions"));
  EXPECT_THAT(error_of({.daily_swing = 1.5}), HasSubstr("0 to 1"));
  EXPECT_THAT(error_of({.keys = 0}), HasSubstr("one key"));
  EXPECT_THAT(error_of({.events = {{hours(30)}}}), HasSubstr("after the end"));
  EXPECT_THAT(error_of({.bytes = uint64_t{40'000'000} * kGigabyte}),
              HasSubstr("more than 1000000"));
}

}  // namespace
}  // namespace orrery::cluster
