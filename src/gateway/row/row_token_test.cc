#include "gateway/row/row_token.h"

#include <gtest/gtest.h>

namespace orrery::gateway {
namespace {

using Components = std::vector<std::string_view>;

TEST(RowToken, IsCassandrasOwn) {
  EXPECT_EQ(TokenOf(std::string_view("test")), -6017608668500074083);
  EXPECT_EQ(TokenOf(std::string_view("\0\0\0\1", 4)), -4069959284402364209);
  EXPECT_EQ(TokenOf(Hash128::Min()), INT64_MIN);
  EXPECT_EQ(TokenOf(Hash128::Max()), INT64_MAX);
}

TEST(KeyComponents, ComeBackAsTheyWere) {
  const std::string large(65'535, 'x');
  for (const Components& components :
       {Components{"a"}, Components{"", ""}, Components{"a", std::string_view("\0b", 2), large}}) {
    const auto key = JoinKeyComponents(components);
    ASSERT_TRUE(key.has_value());
    EXPECT_EQ(SplitKeyComponents(*key, components.size()), components);
  }
}

TEST(KeyComponents, HaveALargestSize) {
  const std::string too_large(65'536, 'x');
  EXPECT_EQ(JoinKeyComponents(Components{"a", too_large}).error().code(), Code::kInvalidArgument);
}

TEST(KeyComponents, DamagedKeysAreRefused) {
  const std::string key = *JoinKeyComponents(Components{"ab", "c"});
  for (size_t size = 0; size < key.size(); ++size)
    EXPECT_EQ(SplitKeyComponents(key.substr(0, size), 2).error().code(), Code::kCorruption) << size;
  EXPECT_FALSE(SplitKeyComponents(key, 3).has_value());
  EXPECT_FALSE(SplitKeyComponents(key + "x", 2).has_value());
  EXPECT_FALSE(SplitKeyComponents(std::string("\xff\xff\0", 3), 2).has_value());
}

TEST(RangeOfTokens, HasBothEnds) {
  const int64_t token = TokenOf(std::string_view("test"));
  const auto one = RangeOfTokens(token, token);
  ASSERT_TRUE(one.has_value());
  EXPECT_EQ(TokenOf(one->begin()), token);
  EXPECT_EQ(TokenOf(one->last()), token);
  EXPECT_EQ(RangeOfTokens(INT64_MIN, INT64_MAX), partition::HashRange());
  EXPECT_EQ(RangeOfTokens(1, 0), std::nullopt);
  EXPECT_TRUE(RangeOfTokens(-5, -1)->Precedes(*RangeOfTokens(0, 5)));
}

}  // namespace
}  // namespace orrery::gateway
