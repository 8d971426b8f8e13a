#include "gateway/advice/key_adviser.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "base/has_code.h"
#include "model/document/json.h"

namespace orrery::gateway {
namespace {

using Kind = CandidateKey::Kind;

AdvisedItem Item(const std::string& json, int64_t time_ms = 0) {
  return {.document = *model::ParseJson(json), .time_ms = time_ms};
}

AdviceQuestion Question() {
  AdviceQuestion question;
  question.logical_partition_bytes_max = uint64_t{20} << 30;
  question.partition_bytes_max = uint64_t{50} << 30;
  question.partition_rate_max = 10'000;
  question.rate = 4'000;
  return question;
}

const CandidateAdvice& Find(const std::vector<CandidateAdvice>& advice, const std::string& name) {
  const auto found = std::ranges::find_if(
      advice, [&](const CandidateAdvice& each) { return each.key.Name() == name; });
  EXPECT_NE(found, advice.end()) << name;
  return found == advice.end() ? advice.front() : *found;
}

std::string BestOf(const std::vector<CandidateAdvice>& advice) {
  for (const CandidateAdvice& each : advice)
    if (each.verdict == "best") return each.key.Name();
  return "none";
}

// One tenant has nine tenths of the orders; requests name the tenant.
TEST(KeyAdviserTest, OneHotTenantNeedsASecondLevel) {
  std::mt19937 random(1);
  AdviceQuestion question = Question();
  for (int i = 0; i < 5'000; ++i) {
    const bool is_hot = random() % 10 != 0;
    question.sample.push_back(
        Item(fmt::format(R"({{"id":"{}","tenant":"{}","user":"u{}"}})", i,
                         is_hot ? "big" : fmt::format("t{}", random() % 300), random() % 2'000)));
  }
  question.items_total = 5'000'000;
  question.today = {"/tenant"};
  question.statements = {{{"/tenant"}, 90}, {{"/tenant", "/user"}, 8}, {{}, 2}};
  const auto advice = AdviseKeys(question);
  ASSERT_TRUE(advice.has_value());
  const CandidateAdvice& today = Find(*advice, "/tenant");
  EXPECT_TRUE(today.is_today);
  EXPECT_EQ(today.verdict, "hot key") << today.reason;
  EXPECT_EQ(today.hottest, "[\"big\"]");
  EXPECT_NEAR(today.hottest_share, 0.9 * 4'000 / 10'000, 0.02);
  EXPECT_EQ(Find(*advice, "/user").verdict, "scatters");
  EXPECT_EQ(Find(*advice, "/id").verdict, "scatters");
  const std::string best = BestOf(*advice);
  EXPECT_TRUE(best == "/tenant, /user (2 levels)" || best == "/tenant, /id (2 levels)") << best;
  EXPECT_NEAR(*Find(*advice, best).one_partition, 0.98, 0.001);
}

// Measurements by date: all that is written now has one date.
TEST(KeyAdviserTest, ATimeSeriesIsNotKeyedByItsDate) {
  std::mt19937 random(2);
  AdviceQuestion question = Question();
  for (int i = 0; i < 6'000; ++i) {
    question.sample.push_back(Item(
        fmt::format(R"({{"id":"{}","date":"2026-{:02}-{:02}","device":"d{}","value":{}}})", i,
                    i / 28 / 10 % 12 + 1, i / 10 % 28 + 1, random() % 400, random() % 1'000'000),
        1'700'000'000'000 + int64_t{i} * 1'000));
  }
  // 600 items a day at the end.
  for (int i = 0; i < 600; ++i) {
    question.sample.push_back(
        Item(fmt::format(R"({{"id":"n{}","date":"2027-01-01","device":"d{}","value":{}}})", i,
                         random() % 400, random() % 1'000'000),
             1'800'000'000'000 + i));
  }
  question.today = {"/date"};
  question.statements = {{{"/device"}, 70}, {{"/device", "/date"}, 30}};
  const auto advice = AdviseKeys(question);
  ASSERT_TRUE(advice.has_value());
  const CandidateAdvice& today = Find(*advice, "/date");
  EXPECT_EQ(today.verdict, "hot key") << today.reason;
  EXPECT_EQ(today.hottest, "[\"2027-01-01\"]");
  const std::string best = BestOf(*advice);
  EXPECT_TRUE(best.starts_with("/device")) << best;
  EXPECT_EQ(*Find(*advice, best).one_partition, 1);
  EXPECT_NE(Find(*advice, "/device").verdict, "hot key");
}

// Ids spread perfectly, but nobody asks for them.
TEST(KeyAdviserTest, UniformIdsScatterWhatIsAskedByAnotherField) {
  std::mt19937 random(3);
  AdviceQuestion question = Question();
  for (int i = 0; i < 4'000; ++i) {
    question.sample.push_back(Item(fmt::format(R"({{"id":"{:08x}","customer":"c{}","total":{}}})",
                                               random(), random() % 1'200, random() % 90'000)));
  }
  question.items_total = 400'000;
  question.today = {"/id"};
  question.statements = {{{"/customer"}, 95}, {{"/id"}, 5}};
  const auto advice = AdviseKeys(question);
  ASSERT_TRUE(advice.has_value());
  const CandidateAdvice& today = Find(*advice, "/id");
  EXPECT_EQ(today.verdict, "scatters") << today.reason;
  EXPECT_NEAR(*today.one_partition, 0.05, 1e-9);
  EXPECT_GT(today.distinct, 390'000u);
  EXPECT_TRUE(BestOf(*advice).starts_with("/customer")) << BestOf(*advice);
  EXPECT_NEAR(static_cast<double>(Find(*advice, "/customer").distinct), 1'200, 150);
}

TEST(KeyAdviserTest, SparseAndFewValuesAreTold) {
  AdviceQuestion question = Question();
  for (int i = 0; i < 1'000; ++i) {
    question.sample.push_back(
        Item(i % 3 == 0 ? fmt::format(R"({{"id":"{}","kind":"{}","ref":"{}"}})", i, i % 2, i)
                        : fmt::format(R"({{"id":"{}","kind":"{}"}})", i, i % 2)));
  }
  question.candidates = {{Kind::kSingle, {"/kind"}, 0},
                         {Kind::kSingle, {"/ref"}, 0},
                         {Kind::kSynthetic, {"/id"}, 16},
                         {Kind::kSingle, {"/nothing"}, 0}};
  const auto advice = AdviseKeys(question);
  ASSERT_TRUE(advice.has_value());
  EXPECT_EQ((*advice)[0].verdict, "too few");
  EXPECT_EQ((*advice)[1].verdict, "sparse");
  EXPECT_EQ((*advice)[2].key.Name(), "/id in 16 buckets");
  EXPECT_EQ((*advice)[2].distinct, 16u);
  EXPECT_EQ((*advice)[3].filled, 0);
  EXPECT_FALSE((*advice)[0].one_partition.has_value());
}

TEST(KeyAdviserTest, ALargeKeyIsTold) {
  AdviceQuestion question = Question();
  question.rate = 100;
  for (int i = 0; i < 1'000; ++i) {
    question.sample.push_back(
        Item(fmt::format(R"({{"id":"{}","tenant":"t{}"}})", i, i % 5 == 0 ? 0 : i)));
  }
  question.items_total = 1'000'000'000;
  question.bytes_total = uint64_t{60} << 30;
  question.candidates = {{Kind::kSingle, {"/tenant"}, 0}};
  const auto advice = AdviseKeys(question);
  ASSERT_TRUE(advice.has_value());
  // A fifth of 60 GB, ten times: 120 of 20 GB.
  EXPECT_EQ((*advice)[0].verdict, "too large") << (*advice)[0].reason;
  EXPECT_NEAR((*advice)[0].largest_share, 0.6, 0.05);
  EXPECT_EQ((*advice)[0].partitions_now, 2u);
  EXPECT_EQ((*advice)[0].partitions_then, 12u);
}

TEST(KeyAdviserTest, WhatCannotBeAskedIsRefused) {
  EXPECT_TRUE(HasCode(AdviseKeys({}), Code::kInvalidArgument));
  AdviceQuestion question = Question();
  question.sample.push_back(Item(R"({"id":"1"})"));
  question.candidates = {{Kind::kSingle, {"no slash"}, 0}};
  EXPECT_FALSE(AdviseKeys(question).has_value());
  question.candidates = {{Kind::kSingle, {}, 0}};
  EXPECT_FALSE(AdviseKeys(question).has_value());
}

}  // namespace
}  // namespace orrery::gateway
