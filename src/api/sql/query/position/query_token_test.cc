#include "api/sql/query/position/query_token.h"

#include <gtest/gtest.h>

#include "api/sql/query/source/scan_position.h"

namespace orrery::sql {
namespace {

using model::Value;

TEST(QueryToken, IsReadAsItWasWritten) {
  const QueryToken tokens[] = {
      {.query = 7,
       .offset = 3,
       .limit = 10,
       .state = DocumentState{.position = "where", .key = std::string("k\0y", 3), .rows = 2}},
      {.query = UINT64_MAX,
       .offset = 0,
       .limit = {},
       .state = SortState{.values = {Value::Null(), Value::String("s"), Value::Undefined()},
                          .key = "k",
                          .row = 1}},
      {.query = 0, .offset = 0, .limit = 0, .state = WholeState{.rows = 1'000'000}},
  };
  for (const QueryToken& token : tokens) {
    const auto read = DecodeQueryToken(EncodeQueryToken(token), token.query);
    ASSERT_TRUE(read.has_value()) << read.error().ToString();
    EXPECT_EQ(*read, token);
  }
}

TEST(QueryToken, RefusesWhatIsNone) {
  const QueryToken token{.query = 7, .offset = 1, .limit = {}, .state = WholeState{5}};
  const std::string text = EncodeQueryToken(token);
  EXPECT_EQ(DecodeQueryToken(text, 8).error().code(), Code::kInvalidArgument);
  for (size_t i = 0; i < text.size(); ++i) {
    EXPECT_FALSE(DecodeQueryToken(text.substr(0, i), 7).has_value()) << i;
    std::string damaged = text;
    damaged[i] = damaged[i] == 'A' ? 'B' : 'A';
    EXPECT_FALSE(DecodeQueryToken(damaged, 7).has_value()) << i;
  }
  for (const std::string_view garbage : {"", "!", "AAAA", "{\"token\":1}"})
    EXPECT_FALSE(DecodeQueryToken(garbage, 7).has_value()) << garbage;
}

TEST(ScanPosition, IsReadAsItWasWritten) {
  const ScanPosition position{
      .resume = DocumentSource::Resume::kWith, .value = "v", .key = {{1, 2}, "pk", "rk"}};
  const std::string bytes = EncodePosition(position);
  const auto read = DecodePosition(bytes);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->resume, position.resume);
  EXPECT_EQ(read->value, "v");
  EXPECT_EQ(read->key, position.key);
  for (size_t i = 0; i < bytes.size(); ++i)
    EXPECT_FALSE(DecodePosition(bytes.substr(0, i)).has_value()) << i;
  EXPECT_FALSE(DecodePosition(bytes + "x").has_value());
}

}  // namespace
}  // namespace orrery::sql
