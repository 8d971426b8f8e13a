#include "gateway/view/token_plan.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace orrery::gateway {
namespace {

using Votes = std::vector<TableVote>;

constexpr NodeId kOne(1);
constexpr NodeId kTwo(2);
constexpr NodeId kThree(3);
const std::vector<NodeId> kNodes = {kOne, kTwo, kThree};

// As drivers have it.
NodeId OwnerOf(const TokenPlan& plan, int64_t token) {
  const auto found = plan.lower_bound(token);
  return found == plan.end() ? plan.begin()->second : found->second;
}

TEST(TokenPlanTest, EveryKeyOfTheOnlyTableIsFound) {
  const TokenPlan plan =
      PlanTokens(Votes{{1, {{-100, kTwo}, {0, kOne}, {50, kThree}, {INT64_MAX, kOne}}}}, kNodes);
  EXPECT_EQ(OwnerOf(plan, INT64_MIN + 1), kTwo);
  EXPECT_EQ(OwnerOf(plan, -100), kTwo);
  EXPECT_EQ(OwnerOf(plan, -99), kOne);
  EXPECT_EQ(OwnerOf(plan, 0), kOne);
  EXPECT_EQ(OwnerOf(plan, 50), kThree);
  EXPECT_EQ(OwnerOf(plan, 51), kOne);
  EXPECT_EQ(OwnerOf(plan, INT64_MAX), kOne);
  EXPECT_EQ(plan.size(), 4U);
}

TEST(TokenPlanTest, NeighboursOfOneNodeAreOnePart) {
  const TokenPlan plan =
      PlanTokens(Votes{{1, {{-5, kOne}, {0, kOne}, {5, kTwo}, {INT64_MAX, kThree}}}}, kNodes);
  EXPECT_EQ(plan, (TokenPlan{{0, kOne}, {5, kTwo}, {INT64_MAX, kThree}}));
}

TEST(TokenPlanTest, TheHeavierTableDecides) {
  const TableVote small{1, {{INT64_MAX, kOne}}};
  const TableVote large{4, {{0, kTwo}, {INT64_MAX, kThree}}};
  for (const TokenPlan& plan :
       {PlanTokens(Votes{small, large}, kNodes), PlanTokens(Votes{large, small}, kNodes)}) {
    EXPECT_EQ(OwnerOf(plan, -7), kTwo);
    EXPECT_EQ(OwnerOf(plan, 7), kThree);
  }
  // Together the small ones are heavier.
  const TokenPlan plan = PlanTokens(Votes{small, small, small, small, small, large}, kNodes);
  EXPECT_EQ(OwnerOf(plan, -7), kOne);
  EXPECT_EQ(OwnerOf(plan, 7), kOne);
}

TEST(TokenPlanTest, NodesThatOwnNothingGetTokensThatNoKeyHas) {
  const TokenPlan plan = PlanTokens(Votes{{1, {{INT64_MAX, kTwo}}}}, kNodes);
  EXPECT_EQ(plan, (TokenPlan{{INT64_MIN, kOne}, {INT64_MIN + 1, kThree}, {INT64_MAX, kTwo}}));
}

TEST(TokenPlanTest, WhatNobodyOwnsGoesToTheNextNode) {
  const TokenPlan plan = PlanTokens(
      Votes{{1, {{0, NodeId()}, {9, NodeId(77)}, {20, kTwo}, {INT64_MAX, kOne}}}}, kNodes);
  EXPECT_EQ(OwnerOf(plan, -1), kTwo);
  EXPECT_EQ(OwnerOf(plan, 9), kTwo);
}

TEST(TokenPlanTest, WithoutTablesAllHaveEqualParts) {
  const TokenPlan plan = PlanTokens(Votes{}, kNodes);
  EXPECT_EQ(plan.size(), 3U);
  EXPECT_EQ(OwnerOf(plan, INT64_MIN), kOne);
  EXPECT_EQ(OwnerOf(plan, 0), kTwo);
  EXPECT_EQ(OwnerOf(plan, INT64_MAX), kThree);
  EXPECT_TRUE(PlanTokens(Votes{}, {}).empty());
}

TEST(TokenPlanTest, IsBoundedAndGivesEveryNodeAToken) {
  constexpr uint64_t kSeed = 20'261'116;
  SCOPED_TRACE(kSeed);
  std::mt19937_64 random(kSeed);
  std::vector<TableVote> tables;
  for (size_t i = 0; i < 2 * kVotersMax; ++i) {
    std::set<int64_t> cuts{INT64_MAX};
    for (int cut = 0; cut < 500; ++cut) cuts.insert(static_cast<int64_t>(random()));
    TableVote& table = tables.emplace_back();
    table.weight = random() % 10;
    for (const int64_t cut : cuts) table.parts.push_back({cut, NodeId(1 + random() % 2)});
  }
  const TokenPlan plan = PlanTokens(tables, kNodes);
  EXPECT_LE(plan.size(), kTokensMax + kNodes.size());
  std::set<NodeId> have;
  for (const auto& [token, node] : plan) have.insert(node);
  EXPECT_EQ(have.size(), kNodes.size());
}

}  // namespace
}  // namespace orrery::gateway
