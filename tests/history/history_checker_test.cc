#include "history/history_checker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "history/history_testing.h"

namespace orrery::history {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Operation On(std::string key, Operation operation) {
  operation.key = std::move(key);
  return operation;
}

TEST(HistoryChecker, KeysAreCheckedEachForItself) {
  const std::vector<Operation> operations{
      On("good", Write("a", {1, 2})), On("bad", Write("a", {1, 2})), On("bad", Write("b", {3, 4})),
      On("good", Read("a", {5, 6})),  On("bad", Read("a", {5, 6})),
  };
  const HistoryReport report = CheckHistory(operations);
  EXPECT_EQ(report.keys, 2);
  ASSERT_EQ(report.violations.size(), 1);
  EXPECT_EQ(report.violations[0].key, "bad");
  EXPECT_THAT(report.violations[0].operations, ElementsAre(&operations[2], &operations[4]));
}

TEST(HistoryChecker, TheReportShowsWhatIsWrong) {
  std::vector<Operation> operations{Write("a", {1, 2}), Read(std::nullopt, {3, 4})};
  operations[1].line = 17;
  const std::string text = ToText(CheckHistory(operations));
  EXPECT_THAT(text, HasSubstr("2 operations on 1 keys: 1 keys violate linearizability"));
  EXPECT_THAT(text, HasSubstr("acknowledged write is lost"));
  EXPECT_THAT(text, HasSubstr("17  read -> nothing"));
}

TEST(HistoryChecker, AGoodHistoryIsOneLine) {
  const std::vector<Operation> operations{Write("a", {1, 2}), Read("a", {3, 4})};
  EXPECT_EQ(ToText(CheckHistory(operations)),
            "2 operations on 1 keys: every key is linearizable\n");
}

TEST(HistoryChecker, WhatIsTooConcurrentIsUndecidedButPlainChecksHold) {
  std::vector<Operation> operations;
  for (uint64_t i = 0; i < 12; ++i) operations.push_back(Append(std::to_string(i), {1, 100}));
  operations.push_back(Read("0,1,2,3,4,5,6,7,8,9,11,10", {50, 201}));
  operations.push_back(Mismatch(Cas("zzz", "y", {300, 301}), Content("no such content")));
  const SearchLimits limits{.tried_max = 1'000};
  HistoryReport report = CheckHistory(operations, limits);
  EXPECT_THAT(report.undecided, ElementsAre("k"));
  EXPECT_FALSE(report.holds());
  EXPECT_THAT(ToText(report), HasSubstr("too many operations overlap"));
  operations.pop_back();
  operations.push_back(Read("0,0", {300, 301}));
  report = CheckHistory(operations, limits);
  ASSERT_EQ(report.violations.size(), 1);
  EXPECT_THAT(report.violations[0].what[0], HasSubstr("more than once"));
}

}  // namespace
}  // namespace orrery::history
