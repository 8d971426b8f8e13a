#include "base/status.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>

namespace orrery {
namespace {

Result<std::unique_ptr<int>> Positive(int value) {
  if (value <= 0) return Fail(Code::kInvalidArgument, "not positive");
  return std::make_unique<int>(value);
}

Result<int> Sum(int a, int b) {
  ORRERY_ASSIGN(const auto first, Positive(a));
  ORRERY_ASSIGN(const auto second, Positive(b));
  return *first + *second;
}

Status BothPositive(int a, int b) {
  ORRERY_TRY(Positive(a));
  ORRERY_TRY(Positive(b));
  return {};
}

TEST(StatusTest, AssignTakesTheValueOrReturnsTheError) {
  EXPECT_EQ(Sum(1, 2).value(), 3);
  ASSERT_FALSE(Sum(1, -2).has_value());
  EXPECT_EQ(Sum(1, -2).error().code(), Code::kInvalidArgument);
}

TEST(StatusTest, TryReturnsTheFirstError) {
  EXPECT_TRUE(BothPositive(1, 1).has_value());
  EXPECT_FALSE(BothPositive(0, 1).has_value());
  EXPECT_FALSE(BothPositive(1, 0).has_value());
}

TEST(StatusTest, TextNamesTheCode) {
  EXPECT_EQ(Error(Code::kNotFound, "no container 'x'").ToString(), "not_found: no container 'x'");
  EXPECT_EQ(Error(Code::kNotFound, "gone").Annotate("opening").message(), "opening: gone");
}

TEST(StatusTest, OnlyThrottledCarriesARetryTime) {
  const Error throttled = Error::Throttled("slow down", 250);
  EXPECT_EQ(throttled.code(), Code::kThrottled);
  EXPECT_EQ(throttled.retry_after_ms(), 250u);
  EXPECT_EQ(Error(Code::kOverloaded, "full").retry_after_ms(), 0u);
}

TEST(StatusTest, EveryCodeHasAnOwnName) {
  std::set<std::string_view> names;
  for (int code = 0; code <= static_cast<int>(Code::kInternal); ++code) {
    const std::string_view name = CodeName(static_cast<Code>(code));
    EXPECT_NE(name, "unknown") << code;
    EXPECT_TRUE(names.insert(name).second) << name;
  }
}

}  // namespace
}  // namespace orrery
