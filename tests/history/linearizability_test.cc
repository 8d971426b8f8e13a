// The search on histories that are right and on each kind of wrong one: a checker that finds
// nothing proves nothing until it has been seen to find.
#include "history/linearizability.h"

#include <gtest/gtest.h>

#include "history/history_testing.h"
#include "history/unobserved.h"

namespace orrery::history {
namespace {

SearchResult ResultOf(const std::vector<Operation>& operations, const SearchLimits& limits = {}) {
  RegisterModel model;
  return SearchOrder(PointersTo(operations), model, kNothing, limits);
}
bool Holds(const std::vector<Operation>& operations) {
  return ResultOf(operations).verdict == Verdict::kLinearizable;
}
bool Fails(const std::vector<Operation>& operations) {
  return ResultOf(operations).verdict == Verdict::kViolated;
}

TEST(Linearizability, NothingAtAll) {
  EXPECT_TRUE(Holds({}));
  EXPECT_TRUE(Holds({Read(std::nullopt, {1, 2})}));
  EXPECT_TRUE(Fails({Read("a", {1, 2})}));
}

TEST(Linearizability, OneAfterTheOther) {
  EXPECT_TRUE(Holds({Write("a", {1, 2}), Read("a", {3, 4}), Write("b", {5, 6}), Read("b", {7, 8}),
                     Delete({9, 10}), Read(std::nullopt, {11, 12})}));
}

TEST(Linearizability, AConcurrentReadMaySeeBeforeOrAfter) {
  for (const Content& seen : {Content("a"), Content("b")})
    EXPECT_TRUE(Holds({Write("a", {1, 2}), Write("b", {3, 10}), Read(seen, {4, 5})}));
}

TEST(Linearizability, WhatTouchesIsConcurrent) {
  EXPECT_TRUE(Holds({Write("a", {1, 2}), Write("b", {3, 5}), Read("a", {5, 6})}));
  EXPECT_TRUE(Fails({Write("a", {1, 2}), Write("b", {3, 4}), Read("a", {5, 6})}));
}

TEST(Linearizability, StaleRead) {
  const SearchResult result =
      ResultOf({Write("a", {1, 2}), Write("b", {3, 4}), Read("b", {5, 6}), Read("a", {7, 8})});
  EXPECT_EQ(result.verdict, Verdict::kViolated);
  EXPECT_EQ(result.culprit, 3);
}

TEST(Linearizability, ReadsMayNotGoBackWhileAWriteRuns) {
  EXPECT_TRUE(
      Fails({Write("a", {1, 2}), Write("b", {3, 20}), Read("b", {4, 5}), Read("a", {6, 7})}));
  EXPECT_TRUE(
      Holds({Write("a", {1, 2}), Write("b", {3, 20}), Read("a", {4, 5}), Read("b", {6, 7})}));
}

TEST(Linearizability, LostWrite) {
  EXPECT_TRUE(Fails({Write("a", {1, 2}), Read(std::nullopt, {3, 4})}));
  EXPECT_TRUE(Fails({Write("a", {1, 2}), Write("b", {3, 4}), Cas("a", "c", {5, 6})}));
}

TEST(Linearizability, DoubledAppend) {
  EXPECT_TRUE(Holds({Append("x", {1, 2}), Append("y", {3, 4}), Read("x,y", {5, 6})}));
  EXPECT_TRUE(Fails({Append("x", {1, 2}), Append("y", {3, 4}), Read("x,x,y", {5, 6})}));
  EXPECT_TRUE(Fails({Append("x", {1, 2}), Append("y", {3, 4}), Read("y", {5, 6})}));
}

TEST(Linearizability, BrokenCasChain) {
  EXPECT_TRUE(Holds({Write("a", {1, 2}), Cas("a", "b", {3, 9}), Cas("b", "c", {3, 9})}));
  EXPECT_TRUE(Fails({Write("a", {1, 2}), Cas("a", "b", {3, 9}), Cas("a", "c", {3, 9})}));
}

TEST(Linearizability, AMismatchSaysWhatWasNotThere) {
  EXPECT_TRUE(Holds({Write("a", {1, 2}), Mismatch(Cas("b", "c", {3, 4}))}));
  EXPECT_TRUE(Fails({Write("a", {1, 2}), Mismatch(Cas("a", "c", {3, 4}))}));
  EXPECT_TRUE(Holds({Write("a", {1, 2}), Mismatch(Cas("b", "c", {3, 4}), Content("a"))}));
  EXPECT_TRUE(Fails({Write("a", {1, 2}), Mismatch(Cas("b", "c", {3, 4}), Content("d"))}));
  EXPECT_TRUE(Fails({Write("a", {1, 2}), Mismatch(Cas("b", "c", {3, 4})), Read("c", {5, 6})}));
}

TEST(Linearizability, ResurrectedDelete) {
  EXPECT_TRUE(Fails({Write("a", {1, 2}), Delete({3, 4}), Read("a", {5, 6})}));
}

TEST(Linearizability, AnUnknownWriteMayAppearAtAnyTimeOrNever) {
  const Operation unknown = Unknown(Write("u", {1, 2}));
  EXPECT_TRUE(Holds({unknown, Read(std::nullopt, {3, 4})}));
  EXPECT_TRUE(Holds({unknown, Read(std::nullopt, {3, 4}), Read("u", {5, 6})}));
  EXPECT_TRUE(Holds({unknown, Write("a", {3, 4}), Read("a", {5, 6}), Read("u", {7, 8})}));
  // But once only, and not before it was asked for.
  EXPECT_TRUE(Fails({unknown, Read("u", {3, 4}), Write("a", {5, 6}), Read("u", {7, 8})}));
  EXPECT_TRUE(Fails({Read("u", {1, 2}), Unknown(Write("u", {3, 4}))}));
}

TEST(Linearizability, AnUnknownCasNeedsWhatItExpected) {
  EXPECT_TRUE(Holds({Write("a", {1, 2}), Unknown(Cas("a", "b", {3, 4})), Read("b", {5, 6})}));
  EXPECT_TRUE(Fails({Write("a", {1, 2}), Unknown(Cas("z", "b", {3, 4})), Read("b", {5, 6})}));
}

TEST(Linearizability, WhatFailedHadNoEffect) {
  EXPECT_TRUE(Fails({Failed(Write("a", {1, 2})), Read("a", {3, 4})}));
  EXPECT_TRUE(Holds({Failed(Read("zzz", {1, 2})), Unknown(Read("zzz", {1, 2}))}));
}

TEST(Linearizability, LongHistoriesOfLittleOverlapAreQuick) {
  std::vector<Operation> operations;
  for (uint64_t i = 0; i < 20'000; ++i) {
    const std::string value = std::to_string(i);
    operations.push_back(Write(value, {i * 10, i * 10 + 8}));
    operations.push_back(Read(value, {i * 10 + 9, i * 10 + 9}));
  }
  EXPECT_TRUE(Holds(operations));
  operations.push_back(Read("19998", {1'000'000, 1'000'001}));
  EXPECT_TRUE(Fails(operations));
}

TEST(Linearizability, TooMuchAtOnceIsSaidSo) {
  // Appends in any of 12! orders, with a deletion among them, and a read that none explains.
  std::vector<Operation> operations{Delete({1, 100})};
  for (uint64_t i = 0; i < 12; ++i) operations.push_back(Append(std::to_string(i), {1, 100}));
  operations.push_back(Read("none of them", {200, 201}));
  EXPECT_EQ(ResultOf(operations, {.tried_max = 10'000}).verdict, Verdict::kTooConcurrent);
  EXPECT_EQ(ResultOf(operations, {.steps_max = 10'000}).verdict, Verdict::kTooConcurrent);
}

TEST(Unobserved, UnknownWritesThatNobodySawGo) {
  const std::vector<Operation> operations{Write("a", {1, 2}), Unknown(Write("u", {1, 2})),
                                          Unknown(Write("v", {1, 2})), Read("v", {3, 4})};
  EXPECT_EQ(WithoutUnobserved(PointersTo(operations)).size(), 3);
}

TEST(Unobserved, TheyStayWhereTheirTracesCanBeSeenOtherwise) {
  const std::vector<Operation> silent{Unknown(Write("u", {1, 2})),
                                      Mismatch(Cas(std::nullopt, "c", {3, 4}))};
  EXPECT_EQ(WithoutUnobserved(PointersTo(silent)).size(), 2);
}

TEST(Unobserved, WhatIsSeenInAListStays) {
  const std::vector<Operation> operations{Unknown(Append("x", {1, 2})),
                                          Unknown(Append("y", {1, 2})), Append("z", {3, 4}),
                                          Read("x,z", {5, 6})};
  EXPECT_EQ(WithoutUnobserved(PointersTo(operations)).size(), 3);
}

}  // namespace
}  // namespace orrery::history
