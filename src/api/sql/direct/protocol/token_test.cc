#include "api/sql/direct/protocol/token.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace orrery::sql::direct {
namespace {

std::vector<Token> All(const std::string& bytes, bool& malformed) {
  std::vector<Token> tokens;
  TokenReader reader(bytes);
  while (const auto token = reader.Next()) tokens.push_back(*token);
  malformed = reader.malformed();
  return tokens;
}

TEST(TokenTest, WhatIsWrittenIsRead) {
  std::string bytes;
  AppendByteToken(bytes, 0x02, 1);
  AppendUInt32Token(bytes, 0x4d, 0xfffffffe);
  AppendInt64Token(bytes, 0x13, -5);
  AppendSmallTextToken(bytes, 0x03, "date");
  AppendTextToken(bytes, 0x17, std::string(300, 'x'));
  AppendDoubleToken(bytes, 0x15, 1.5);
  bool malformed = true;
  const std::vector<Token> tokens = All(bytes, malformed);
  EXPECT_FALSE(malformed);
  ASSERT_EQ(tokens.size(), 6U);
  EXPECT_EQ(tokens[0].AsInteger(), 1);
  EXPECT_EQ(tokens[1].AsInteger(), 0xfffffffe);
  EXPECT_EQ(tokens[2].AsInteger(), -5);
  EXPECT_EQ(tokens[3].AsText(), "date");
  EXPECT_EQ(tokens[4].id, 0x17);
  EXPECT_EQ(tokens[4].AsText(), std::string(300, 'x'));
  EXPECT_EQ(tokens[5].AsInteger(), std::nullopt);
  EXPECT_EQ(tokens[5].AsText(), std::nullopt);
  EXPECT_EQ(tokens[5].value.size(), 8U);
}

TEST(TokenTest, EveryTypeCanBeSkipped) {
  const std::vector<std::pair<uint8_t, std::string>> values = {
      {0, "a"},
      {1, "ab"},
      {2, "abcd"},
      {3, "abcd"},
      {4, "abcdefgh"},
      {5, "abcdefgh"},
      {6, "0123456789abcdef"},
      {7, std::string("\x02xy", 3)},
      {8, std::string("\x02\x00xy", 4)},
      {9, std::string("\x02\x00\x00\x00xy", 6)},
      {10, std::string("\x02xy", 3)},
      {11, std::string("\x02\x00xy", 4)},
      {12, std::string("\x02\x00\x00\x00xy", 6)},
      {13, "abcd"},
      {14, "abcdefgh"}};
  for (const auto& [type, value] : values) {
    std::string bytes("\xff\x7f", 2);
    bytes += static_cast<char>(type);
    bytes += value;
    AppendByteToken(bytes, 0x02, 7);
    bool malformed = true;
    const std::vector<Token> tokens = All(bytes, malformed);
    EXPECT_FALSE(malformed) << int{type};
    ASSERT_EQ(tokens.size(), 2U) << int{type};
    EXPECT_EQ(tokens[0].id, 0x7fff);
    EXPECT_EQ(tokens[1].AsInteger(), 7);
  }
}

TEST(TokenTest, EveryTruncationIsMalformed) {
  for (const uint8_t type : {0, 2, 5, 6, 7, 8, 9, 14}) {
    std::string bytes("\x01\x00", 2);
    bytes += static_cast<char>(type);
    bytes += std::string(16, '\x10');
    TokenReader whole(bytes);
    const auto token = whole.Next();
    if (!token.has_value()) continue;
    const auto size = static_cast<size_t>(token->value.data() + token->value.size() - bytes.data());
    for (size_t n = 1; n < size; ++n) {
      TokenReader reader(std::string_view(bytes).substr(0, n));
      EXPECT_FALSE(reader.Next().has_value()) << int{type} << ' ' << n;
      EXPECT_TRUE(reader.malformed()) << int{type} << ' ' << n;
    }
  }
}

TEST(TokenTest, AnUnknownTypeIsMalformed) {
  TokenReader reader(std::string_view("\x01\x00\x0f\x00", 4));
  EXPECT_FALSE(reader.Next().has_value());
  EXPECT_TRUE(reader.malformed());
}

TEST(TokenTest, NothingIsNotMalformed) {
  TokenReader reader("");
  EXPECT_FALSE(reader.Next().has_value());
  EXPECT_FALSE(reader.malformed());
}

}  // namespace
}  // namespace orrery::sql::direct
