#include "gateway/fault/fault_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <future>
#include <map>

#include "base/has_code.h"

namespace orrery::gateway {
namespace {

constexpr FaultPoint kFaultedRead{.api = FaultApi::kSql,
                                  .database = "db",
                                  .container = "c",
                                  .operation = FaultOperation::kRead,
                                  .name = "ReadDocument"};

class FaultPlanTest : public testing::Test {
 protected:
  // Which of so many equal requests meet a fault.
  std::string Faults(int requests, const FaultPoint& point = kFaultedRead) {
    std::string seen;
    for (int i = 0; i < requests; ++i) seen += plan_.Decide(point).has_value() ? 'x' : '.';
    return seen;
  }

  std::map<uint64_t, int64_t> slow_;
  FaultPlan plan_{[this](PartitionId partition, std::chrono::milliseconds delay) -> Status {
    if (partition == PartitionId(9)) return Fail(Code::kNotFound, "no such partition");
    slow_[partition.value()] = delay.count();
    return {};
  }};
};

TEST_F(FaultPlanTest, WithoutRulesNothingHappens) {
  EXPECT_FALSE(plan_.armed());
  EXPECT_EQ(Faults(3), "...");
  ASSERT_TRUE(plan_.Add({}).has_value());
  EXPECT_TRUE(plan_.armed());
  plan_.Clear();
  EXPECT_FALSE(plan_.armed());
  EXPECT_EQ(Faults(3), "...");
}

TEST_F(FaultPlanTest, SkipAndCountChooseByOrder) {
  ASSERT_TRUE(plan_.Add({.skip = 2, .count = 3}).has_value());
  EXPECT_EQ(Faults(8), "..xxx...");
  const auto entries = plan_.List();
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0].matched, 8u);
  EXPECT_EQ(entries[0].made, 3u);
}

TEST_F(FaultPlanTest, TheSameSeedChoosesTheSame) {
  ASSERT_TRUE(plan_.Add({.share = 0.3, .seed = 7}).has_value());
  const std::string first = Faults(2'000);
  plan_.Clear();
  ASSERT_TRUE(plan_.Add({.share = 0.3, .seed = 7}).has_value());
  EXPECT_EQ(Faults(2'000), first);
  plan_.Clear();
  ASSERT_TRUE(plan_.Add({.share = 0.3, .seed = 8}).has_value());
  EXPECT_NE(Faults(2'000), first);
  const auto made = std::ranges::count(first, 'x');
  EXPECT_GT(made, 500);
  EXPECT_LT(made, 700);
}

TEST_F(FaultPlanTest, TheFirstRuleThatFiresCounts) {
  ASSERT_TRUE(plan_.Add({.kind = FaultKind::kUnavailable, .count = 1}).has_value());
  ASSERT_TRUE(plan_.Add({.kind = FaultKind::kGone, .count = 1, .code = 1000}).has_value());
  EXPECT_EQ(plan_.Decide(kFaultedRead)->kind, FaultKind::kUnavailable);
  const auto second = plan_.Decide(kFaultedRead);
  ASSERT_TRUE(second.has_value());
  EXPECT_EQ(second->kind, FaultKind::kGone);
  EXPECT_EQ(second->code, 1000);
  EXPECT_FALSE(plan_.Decide(kFaultedRead).has_value());
}

TEST(FaultRuleTest, IsAboutWhatItNames) {
  EXPECT_TRUE(IsAbout({}, kFaultedRead));
  EXPECT_TRUE(IsAbout({.api = FaultApi::kSql, .database = "db", .container = "c"}, kFaultedRead));
  EXPECT_FALSE(IsAbout({.api = FaultApi::kMongo}, kFaultedRead));
  EXPECT_FALSE(IsAbout({.database = "other"}, kFaultedRead));
  EXPECT_FALSE(IsAbout({.container = "other"}, kFaultedRead));
  EXPECT_TRUE(IsAbout({.operation = "read"}, kFaultedRead));
  EXPECT_TRUE(IsAbout({.operation = "readdocument"}, kFaultedRead));
  EXPECT_TRUE(IsAbout({.operation = "any"}, kFaultedRead));
  EXPECT_FALSE(IsAbout({.operation = "write"}, kFaultedRead));
  // A word of an API that is a family's: the reading of a definition is no read.
  const FaultPoint definition{
      .api = FaultApi::kSql, .operation = FaultOperation::kMetadata, .name = "Read"};
  EXPECT_FALSE(IsAbout({.operation = "read"}, definition));
}

TEST(FaultRuleTest, LeavesDefinitionsAndTheSystemAloneUnlessTheyAreNamed) {
  FaultPoint point = kFaultedRead;
  point.operation = FaultOperation::kMetadata;
  EXPECT_FALSE(IsAbout({}, point));
  EXPECT_TRUE(IsAbout({.operation = "metadata"}, point));
  EXPECT_TRUE(IsAbout({.operation = "any"}, point));
  const FaultPoint driver{.api = FaultApi::kCassandra,
                          .database = "system",
                          .container = "local",
                          .operation = FaultOperation::kQuery};
  EXPECT_FALSE(IsAbout({}, driver));
  EXPECT_FALSE(IsAbout({.operation = "any"}, driver));
  EXPECT_TRUE(IsAbout({.database = "system"}, driver));
}

TEST(FaultRuleTest, RefusesWhatMakesNoSense) {
  const auto is_invalid = [](const FaultRule& rule) {
    return HasCode(CheckFaultRule(rule), Code::kInvalidArgument);
  };
  EXPECT_TRUE(is_invalid({.share = 0}));
  EXPECT_TRUE(is_invalid({.share = 1.5}));
  EXPECT_TRUE(is_invalid({.share = std::nan("")}));
  EXPECT_TRUE(is_invalid({.count = 0}));
  EXPECT_TRUE(is_invalid({.retry_after_ms = 0}));
  EXPECT_TRUE(is_invalid({.kind = FaultKind::kDelay}));
  EXPECT_TRUE(is_invalid({.kind = FaultKind::kDelay, .delay = std::chrono::hours(1)}));
  EXPECT_TRUE(is_invalid({.kind = FaultKind::kGone, .delay = std::chrono::milliseconds(5)}));
  EXPECT_TRUE(is_invalid({.kind = FaultKind::kSlow, .delay = std::chrono::milliseconds(5)}));
  EXPECT_TRUE(is_invalid({.kind = FaultKind::kCut, .partition = PartitionId(1)}));
  EXPECT_TRUE(is_invalid({.kind = FaultKind::kSlow,
                          .api = FaultApi::kSql,
                          .delay = std::chrono::milliseconds(5),
                          .partition = PartitionId(1)}));
  EXPECT_TRUE(CheckFaultRule({.kind = FaultKind::kCut, .after = true}).has_value());
}

TEST_F(FaultPlanTest, SlowPartitionsAreToldAndLifted) {
  const auto slow = [](uint64_t partition, int ms) {
    return FaultRule{.kind = FaultKind::kSlow,
                     .delay = std::chrono::milliseconds(ms),
                     .partition = PartitionId(partition)};
  };
  const auto first = plan_.Add(slow(3, 50));
  ASSERT_TRUE(first.has_value());
  EXPECT_FALSE(plan_.armed());
  EXPECT_EQ(slow_[3], 50);
  const auto second = plan_.Add(slow(3, 80));
  ASSERT_TRUE(second.has_value());
  EXPECT_EQ(slow_[3], 80);
  ASSERT_TRUE(plan_.Remove(second->id).has_value());
  EXPECT_EQ(slow_[3], 50);
  plan_.Clear();
  EXPECT_EQ(slow_[3], 0);
  EXPECT_TRUE(HasCode(plan_.Add(slow(9, 5)), Code::kNotFound));
  EXPECT_TRUE(plan_.List().empty());
}

TEST_F(FaultPlanTest, RulesAreBounded) {
  for (size_t i = 0; i < FaultPlan::kRulesMax; ++i) ASSERT_TRUE(plan_.Add({}).has_value());
  EXPECT_TRUE(HasCode(plan_.Add({}), Code::kResourceExhausted));
  EXPECT_TRUE(HasCode(plan_.Remove(12'345), Code::kNotFound));
}

TEST_F(FaultPlanTest, WhatWaitsRunsAtTheLatestWhenItStops) {
  std::promise<void> ran;
  plan_.Later(std::chrono::hours(1), [&ran] { ran.set_value(); });
  plan_.Stop();
  ran.get_future().get();
  bool at_once = false;
  plan_.Later(std::chrono::hours(1), [&at_once] { at_once = true; });
  EXPECT_TRUE(at_once);
}

TEST(FaultRuleTest, NamesGoBothWays) {
  for (const FaultKind kind :
       {FaultKind::kThrottled, FaultKind::kTimeout, FaultKind::kGone, FaultKind::kRetryWith,
        FaultKind::kUnavailable, FaultKind::kDelay, FaultKind::kCut, FaultKind::kSlow})
    EXPECT_EQ(FaultOfName(FaultName(kind)), kind);
  for (const FaultApi api : {FaultApi::kSql, FaultApi::kCassandra, FaultApi::kTable,
                             FaultApi::kMongo, FaultApi::kGremlin})
    EXPECT_EQ(FaultApiOfName(FaultApiName(api)), api);
  EXPECT_EQ(FaultOfName("500"), std::nullopt);
  EXPECT_EQ(FaultApiOfName(""), std::nullopt);
}

}  // namespace
}  // namespace orrery::gateway
