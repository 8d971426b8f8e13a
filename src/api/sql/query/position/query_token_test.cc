#include "api/sql/query/position/query_token.h"

#include <gtest/gtest.h>

#include "api/sql/query/source/scan_position.h"
#include "base/bytes.h"
#include "gateway/account/base64.h"

namespace orrery::sql {
namespace {

using model::Value;

TEST(QueryToken, IsReadAsItWasWritten) {
  const QueryToken tokens[] = {
      {.query = 7,
       .offset = 3,
       .limit = 10,
       .state = DocumentState{.position = "where", .key = UINT64_MAX, .rows = 2}},
      {.query = UINT64_MAX,
       .offset = 0,
       .limit = {},
       .state = SortState{.values = {Value::Null(), Value::String("s"), Value::Undefined()},
                          .key = "k",
                          .row = 1}},
      {.query = 0, .offset = 0, .limit = 0, .state = WholeState{.rows = 1'000'000}},
      {.query = 1,
       .offset = 0,
       .limit = {},
       .state = AggregateState{.position = "p", .partials = "[3]"}},
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

// The example of docs/format/tokens.md.
TEST(QueryToken, HasTheDocumentedForm) {
  const QueryToken token{
      .query = 0x0102030405060708,
      .offset = 0,
      .limit = 5,
      .state = DocumentState{
          .position = EncodePosition(
              {.resume = DocumentSource::Resume::kBehind, .value = "", .key = {{0, 1}, "p", "r"}}),
          .key = 0,
          .rows = 0}};
  std::string bytes;
  ASSERT_TRUE(gateway::FromBase64Url(EncodeQueryToken(token), bytes));
  bytes.resize(bytes.size() - sizeof(uint32_t));
  EXPECT_EQ(ToHex(bytes),
            "010102030405060708"
            "000105"
            "01"
            "160000"
            "0000000000000000000000000000000101700172"
            "000000000000000000");
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
