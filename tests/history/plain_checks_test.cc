#include "history/plain_checks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "history/history_testing.h"

namespace orrery::history {
namespace {

using testing::HasSubstr;

std::string FirstOf(const std::vector<Operation>& operations) {
  const auto found = CheckPlainly(PointersTo(operations));
  return found.empty() ? "" : found.front().what;
}

TEST(PlainChecks, GoodHistoriesPass) {
  EXPECT_EQ(FirstOf({Write("a", {1, 2}), Read("a", {3, 4}), Delete({5, 6}), Read({}, {7, 8})}), "");
  EXPECT_EQ(FirstOf({Append("x", {1, 2}), Read("x", {3, 4}), Append("y", {5, 9}), Read("x", {6, 7}),
                     Read("x,y", {8, 9})}),
            "");
  EXPECT_EQ(FirstOf({Read({}, {1, 2}), Write("a", {3, 4})}), "");
}

TEST(PlainChecks, Strangers) {
  EXPECT_THAT(FirstOf({Read("a", {1, 2}), Delete({3, 4})}), HasSubstr("nobody wrote"));
  EXPECT_THAT(FirstOf({Failed(Write("a", {1, 2})), Read("a", {3, 4})}), HasSubstr("refused"));
  EXPECT_EQ(FirstOf({Failed(Write("a", {1, 2})), Unknown(Write("a", {3, 4})), Read("a", {5, 6})}),
            "");
}

TEST(PlainChecks, LostWrites) {
  EXPECT_THAT(FirstOf({Write("a", {1, 2}), Read({}, {3, 4})}),
              HasSubstr("acknowledged write is lost"));
  EXPECT_EQ(FirstOf({Write("a", {1, 5}), Read({}, {3, 4})}), "");
  EXPECT_EQ(FirstOf({Write("a", {1, 2}), Unknown(Delete({1, 2})), Read({}, {3, 4})}), "");
  EXPECT_EQ(FirstOf({Unknown(Write("a", {1, 2})), Read({}, {3, 4})}), "");
}

TEST(PlainChecks, Appends) {
  EXPECT_THAT(FirstOf({Append("x", {1, 2}), Read("x,x", {3, 4})}), HasSubstr("more than once"));
  EXPECT_EQ(FirstOf({Append("x", {1, 2}), Append("x", {1, 2}), Read("x,x", {3, 4})}), "");
  EXPECT_THAT(FirstOf({Append("x", {1, 2}), Read("y", {1, 4})}), HasSubstr("nobody appended"));
  EXPECT_THAT(FirstOf({Append("x", {1, 2}), Append("y", {3, 4}), Read("x", {5, 6})}),
              HasSubstr("append of \"y\" is lost"));
  EXPECT_THAT(
      FirstOf({Append("x", {1, 9}), Append("y", {1, 9}), Read("x", {5, 6}), Read("y", {5, 6})}),
      HasSubstr("different orders"));
  EXPECT_EQ(FirstOf({Unknown(Append("x", {1, 2})), Read({}, {3, 4}), Read("x", {5, 6})}), "");
}

}  // namespace
}  // namespace orrery::history
