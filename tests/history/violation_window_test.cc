#include "history/violation_window.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "history/history_testing.h"

namespace orrery::history {
namespace {

using testing::ElementsAre;

std::vector<std::string> WindowOf(const std::vector<Operation>& operations) {
  const auto pointers = PointersTo(operations);
  RegisterModel model;
  const SearchResult result = SearchOrder(pointers, model, kNothing, {});
  EXPECT_EQ(result.verdict, Verdict::kViolated);
  std::vector<std::string> shown;
  for (const Operation* operation : FindWindow(pointers, result.culprit))
    shown.push_back(Describe(*operation));
  return shown;
}

TEST(ViolationWindow, AStaleReadIsTwoOperations) {
  EXPECT_THAT(
      WindowOf({Write("a", {1, 2}), Read("a", {3, 4}), Write("b", {5, 6}), Read("b", {7, 8}),
                Write("c", {9, 10}), Read("c", {11, 12}), Read("b", {13, 14})}),
      ElementsAre("read -> \"c\"", "read -> \"b\""));
}

TEST(ViolationWindow, ReadsThatDoNotMatterAreLeftOut) {
  EXPECT_THAT(WindowOf({Write("a", {1, 2}), Write("b", {5, 20}), Read("b", {6, 7}),
                        Read("b", {8, 9}), Read("a", {10, 11})}),
              ElementsAre("write \"b\"", "read -> \"b\"", "read -> \"a\""));
}

TEST(ViolationWindow, WhatOverlapsIsShown) {
  EXPECT_THAT(
      WindowOf({Write("a", {1, 2}), Write("b", {3, 40}), Write("c", {5, 6}), Read("a", {7, 8})}),
      ElementsAre("write \"b\"", "write \"c\"", "read -> \"a\""));
}

TEST(ViolationWindow, WhatCameBeforeIsNotNeeded) {
  std::vector<Operation> operations;
  for (uint64_t i = 0; i < 1'000; ++i)
    operations.push_back(Write(std::to_string(i), {10 * i, 10 * i + 5}));
  operations.push_back(Read("7", {20'000, 20'001}));
  EXPECT_THAT(WindowOf(operations), ElementsAre("write \"999\"", "read -> \"7\""));
}

TEST(ViolationWindow, ADoubledAppend) {
  EXPECT_THAT(WindowOf({Append("x", {1, 2}), Read("x", {3, 4}), Append("y", {5, 6}),
                        Read("x,y,y", {7, 8})}),
              ElementsAre("read -> \"x\"", "append \"y\"", "read -> \"x,y,y\""));
}

}  // namespace
}  // namespace orrery::history
