#include "api/gremlin/value/text.h"

#include <gtest/gtest.h>

namespace orrery::gremlin {
namespace {

TEST(Text, IsJavasToString) {
  EXPECT_EQ(ToText(Value::Double(30)), "30.0");
  EXPECT_EQ(ToText(Value::Double(0.1)), "0.1");
  EXPECT_EQ(ToText(Value::Int(7)), "7");
  EXPECT_EQ(ToText(Value::List({Value::String("a"), Value::Bool(true)})), "[a, true]");
  EXPECT_EQ(ToText(Value::Map({{"a", Value::Int(1)}, {"b", Value::Int(2)}})), "{a=1, b=2}");
}

TEST(Text, UuidsAreReadBack) {
  constexpr std::string_view kText = "41d2e28a-20a4-4ab0-b379-d810dede3786";
  const auto uuid = ParseUuid(kText);
  ASSERT_TRUE(uuid.has_value());
  EXPECT_EQ(UuidText(*uuid), kText);
  EXPECT_FALSE(ParseUuid("41d2e28a-20a4-4ab0-b379-d810dede378").has_value());
  EXPECT_FALSE(ParseUuid("41d2e28a-20a4-4ab0-b379-d810dede378x").has_value());
}

TEST(Text, DatesAreReadInUtcUnlessTheySayOtherwise) {
  EXPECT_EQ(ParseDate("1970-01-02"), 86'400'000);
  EXPECT_EQ(ParseDate("1970-01-01T00:00:01Z"), 1'000);
  EXPECT_EQ(ParseDate("1970-01-01T01:00:00+01:00"), 0);
  EXPECT_EQ(ParseDate("1970-13-01"), std::nullopt);
  EXPECT_EQ(ParseDate("yesterday"), std::nullopt);
  EXPECT_EQ(DateText(1'690'934'400'000), "2023-08-02T00:00:00Z");
}

}  // namespace
}  // namespace orrery::gremlin
