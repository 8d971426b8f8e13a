#include "query/position/query_token.h"

#include <gtest/gtest.h>

#include "base/bytes.h"
#include "base/murmur3.h"
#include "gateway/account/base64.h"
#include "query/source/scan_position.h"

namespace orrery::query {
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
      {.query = 2, .run = CursorId(INT64_MAX), .limit = 4, .state = WholeState{.rows = 5}},
      {.query = 3,
       .run = CursorId(4),
       .scope =
           TokenScope{.range = partition::HashRange::Inclusive({1, 2}, {3, 4}), .is_merged = true},
       .limit = {},
       .state = WholeState{.rows = 5}},
      {.query = 3, .scope = TokenScope{}, .limit = {}, .state = WholeState{.rows = 5}},
      {.query = 1,
       .offset = 0,
       .limit = {},
       .state = AggregateState{.position = "p", .partials = "[3]"}},
  };
  for (const QueryToken& token : tokens) {
    const auto read = DecodeQueryToken(EncodeQueryToken(token), token.api, token.query);
    ASSERT_TRUE(read.has_value()) << read.error().ToString();
    EXPECT_EQ(*read, token);
  }
}

TEST(QueryToken, RefusesWhatIsNone) {
  const QueryToken token{.query = 7, .offset = 1, .limit = {}, .state = WholeState{5}};
  const std::string text = EncodeQueryToken(token);
  EXPECT_EQ(DecodeQueryToken(text, Api::kSql, 8).error().code(), Code::kInvalidArgument);
  EXPECT_EQ(DecodeQueryToken(text, Api::kMongo, 7).error().code(), Code::kInvalidArgument);
  for (size_t i = 0; i < text.size(); ++i) {
    EXPECT_FALSE(DecodeQueryToken(text.substr(0, i), Api::kSql, 7).has_value()) << i;
    std::string damaged = text;
    damaged[i] = damaged[i] == 'A' ? 'B' : 'A';
    EXPECT_FALSE(DecodeQueryToken(damaged, Api::kSql, 7).has_value()) << i;
  }
  for (const std::string_view garbage : {"", "!", "AAAA", "{\"token\":1}"})
    EXPECT_FALSE(DecodeQueryToken(garbage, Api::kSql, 7).has_value()) << garbage;
}

TEST(QueryToken, RefusesAScopeThatIsNone) {
  const QueryToken token{
      .query = 7,
      .scope = TokenScope{.range = partition::HashRange::Inclusive({0, 1}, {0, 1})},
      .limit = {},
      .state = WholeState{5}};
  std::string bytes;
  ASSERT_TRUE(gateway::FromBase64Url(EncodeQueryToken(token), bytes));
  bytes.resize(bytes.size() - sizeof(uint32_t));
  const auto read_with = [&](size_t at, char byte) {
    std::string body = bytes;
    body.at(at) = byte;
    AppendBigEndian(body, Murmur3Short(body));
    return DecodeQueryToken(gateway::ToBase64Url(body), Api::kSql).has_value();
  };
  constexpr size_t kScopeAt = 2 + 2 * sizeof(uint64_t);
  EXPECT_TRUE(read_with(kScopeAt, 1));
  EXPECT_FALSE(read_with(kScopeAt, 2));
  EXPECT_TRUE(read_with(kScopeAt + Hash128::kBytes, 0));
  EXPECT_FALSE(read_with(kScopeAt + Hash128::kBytes, 2));  // begins behind its end
}

// Clients may hold tokens that were made before there was more than one API.
TEST(QueryToken, OfTheFirstVersionAreOfTheSqlApi) {
  const QueryToken token{.query = 7, .offset = 1, .limit = {}, .state = WholeState{5}};
  std::string bytes;
  ASSERT_TRUE(gateway::FromBase64Url(EncodeQueryToken(token), bytes));
  std::string body = "\x01" + bytes.substr(2, bytes.size() - 2 - sizeof(uint32_t));
  AppendBigEndian(body, Murmur3Short(body));
  const auto read = DecodeQueryToken(gateway::ToBase64Url(body), Api::kSql, 7);
  ASSERT_TRUE(read.has_value()) << read.error().ToString();
  EXPECT_EQ(*read, token);
  EXPECT_FALSE(DecodeQueryToken(gateway::ToBase64Url(body), Api::kTable, 7).has_value());
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
            "02010102030405060708"
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
}  // namespace orrery::query
