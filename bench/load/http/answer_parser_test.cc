#include "load/http/answer_parser.h"

#include <gtest/gtest.h>

namespace orrery::bench {
namespace {

constexpr std::string_view kWithLength =
    "HTTP/1.1 200 OK\r\nX-MS-Request-Charge: 2.83\r\ncontent-length: 5\r\n\r\nhello";
constexpr std::string_view kInChunks =
    "HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n";

TEST(AnswerParserTest, ReadsOneAnswerAndLeavesTheNext) {
  std::string memory;
  for (const std::string_view text : {kWithLength, kInChunks}) {
    const auto answer = ParseAnswer(std::string(text) + "HTTP/1.1 404", memory);
    ASSERT_TRUE(answer.has_value() && answer->has_value());
    EXPECT_EQ((*answer)->bytes, text.size());
    EXPECT_EQ((*answer)->status, text == kWithLength ? 200 : 201);
  }
  const auto answer = ParseAnswer(kWithLength, memory);
  EXPECT_EQ((*answer)->body, "hello");
  EXPECT_DOUBLE_EQ((*answer)->charge, 2.83);
  EXPECT_EQ((*ParseAnswer(kInChunks, memory))->body, "hello");
}

TEST(AnswerParserTest, EveryBeginningNeedsMore) {
  std::string memory;
  for (const std::string_view text : {kWithLength, kInChunks}) {
    for (size_t size = 0; size < text.size(); ++size) {
      const auto answer = ParseAnswer(text.substr(0, size), memory);
      ASSERT_TRUE(answer.has_value()) << size;
      EXPECT_FALSE(answer->has_value()) << size;
    }
  }
}

TEST(AnswerParserTest, NoBody) {
  std::string memory;
  const auto answer = ParseAnswer("HTTP/1.1 304 Not Modified\r\n\r\n", memory);
  ASSERT_TRUE(answer.has_value() && answer->has_value());
  EXPECT_EQ((*answer)->body, "");
}

TEST(AnswerParserTest, WhatIsNoHttp) {
  std::string memory;
  for (const std::string_view text :
       {"SSH-2.0\r\n\r\n", "HTTP/1.1 abc\r\n\r\n", "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabcd"}) {
    EXPECT_FALSE(ParseAnswer(text, memory).has_value()) << text;
  }
}

}  // namespace
}  // namespace orrery::bench
