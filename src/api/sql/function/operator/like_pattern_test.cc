#include "api/sql/function/operator/like_pattern.h"

#include <gtest/gtest.h>

#include <string>

namespace orrery::sql {
namespace {

struct LikeCase {
  std::string_view text;
  std::string_view pattern;
  bool matches;
};

TEST(LikePattern, Matches) {
  constexpr LikeCase kCases[] = {
      {"screwdriver set", "%driver%", true},
      {"fruit salad", "fruit%", true},
      {"a fruit", "fruit%", false},
      {"Mountain Road", "%Road", true},
      {"SOxPS", "%SO_PS%", true},
      {"SOPS", "%SO_PS%", false},
      {"1SO--PS2", "%SO%PS%", true},
      {"SOtPS", "%SO[t-z]PS%", true},
      {"SOaPS", "%SO[t-z]PS%", false},
      {"SOdPS", "%SO[^abc]PS%", true},
      {"SOaPS", "%SO[^abc]PS%", false},
      {"20-30%", "20-30[%]", true},
      {"20-30x", "20-30[%]", false},
      {"_n", "[_]n", true},
      {"an", "[_]n", false},
      {"[", "[ [ ]", true},
      {"]", "]", true},
      {"", "", true},
      {"", "%", true},
      {"", "_", false},
      {"a", "", false},
      {"Case", "case", false},
      {"a😀b", "a_b", true},
      {"é", "[à-ÿ]", true},
      {"[a", "[a", true},
      {"[]", "[]", true},
      {"a-", "a[-]", true},
      {" ", "[ ]", true},
      {"aab", "%ab", true},
      {"abcabd", "%abd", true},
  };
  for (const LikeCase& c : kCases) {
    const auto pattern = LikePattern::Parse(c.pattern);
    ASSERT_TRUE(pattern.has_value());
    EXPECT_EQ(pattern->Matches(c.text), c.matches) << c.text << " LIKE " << c.pattern;
  }
}

TEST(LikePattern, Escapes) {
  const auto pattern = LikePattern::Parse("%20^%%", "^");
  ASSERT_TRUE(pattern.has_value());
  EXPECT_TRUE(pattern->Matches("now 20% off"));
  EXPECT_FALSE(pattern->Matches("now 20 off"));
  EXPECT_TRUE(LikePattern::Parse("!_!!", "!")->Matches("_!"));
  EXPECT_TRUE(LikePattern::Parse("[!]a]", "!")->Matches("]"));
  EXPECT_EQ(LikePattern::Parse("a", "").error().code(), Code::kInvalidArgument);
  EXPECT_EQ(LikePattern::Parse("a", "ab").error().code(), Code::kInvalidArgument);
}

TEST(LikePattern, IsBounded) {
  EXPECT_EQ(LikePattern::Parse(std::string(kLikePatternBytesMax + 1, 'a')).error().code(),
            Code::kTooLarge);
  std::string many;
  for (int i = 0; i < 1000; ++i) many += "%a";
  EXPECT_FALSE(LikePattern::Parse(many + "b")->Matches(std::string(5000, 'a')));
}

TEST(LikePattern, OfOtherTypesIsUndefined) {
  using model::Value;
  EXPECT_EQ(Like(Value::Int32(5), Value::String("5")), Truth::kUndefined);
  EXPECT_EQ(Like(Value::String("5"), Value::Null()), Truth::kUndefined);
  const Value escape = Value::Int32(1);
  EXPECT_EQ(Like(Value::String("5"), Value::String("5"), &escape), Truth::kUndefined);
  EXPECT_EQ(Like(Value::String("50"), Value::String("5%")), Truth::kTrue);
}

}  // namespace
}  // namespace orrery::sql
