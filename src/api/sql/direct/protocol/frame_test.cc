#include "api/sql/direct/protocol/frame.h"

#include <gtest/gtest.h>

#include <string>

#include "api/sql/direct/direct_testing.h"
#include "api/sql/direct/protocol/context.h"
#include "base/bytes.h"

namespace orrery::sql::direct {
namespace {

std::string FromHexText(std::string_view hex) {
  std::string digits;
  for (const char c : hex)
    if (c != ' ' && c != '\n') digits += c;
  std::string bytes;
  EXPECT_TRUE(FromHex(digits, bytes)) << hex;
  return bytes;
}

// docs/format/rntbd.md has these bytes.
constexpr std::string_view kExampleRead = R"(
  49 00 00 00  03 00  03 00  33 22 11 00 55 44 77 66 88 99 aa bb cc dd ee ff
  15 00 08 02 00 64 62
  16 00 08 01 00 63
  17 00 08 01 00 31
  2b 00 08 05 00 5b 22 61 22 5d
  4d 00 02 07 00 00 00
  10 00 00 02
  28 00 07 01 78
  02 00 00 00)";

TEST(FrameTest, TheExampleOfTheFormatPage) {
  const std::string bytes = FromHexText(kExampleRead);
  std::string_view input = bytes;
  FrameDecoder decoder;
  const auto frame = decoder.Next(input);
  ASSERT_TRUE(frame.has_value() && frame->has_value());
  EXPECT_TRUE(input.empty());
  EXPECT_TRUE((*frame)->is(WireResource::kDocument));
  EXPECT_EQ((*frame)->operation, static_cast<uint16_t>(WireOperation::kRead));
  EXPECT_EQ(GuidText((*frame)->activity), "00112233-4455-6677-8899-aabbccddeeff");
  EXPECT_TRUE((*frame)->body.empty());

  std::string answer;
  AnswerWriter writer(answer, 200, (*frame)->activity);
  writer.UInt32(AnswerToken::kTransportRequestId, 7);
  writer.Double(AnswerToken::kRequestCharge, 1.0);
  writer.Text(AnswerToken::kPartitionKeyRangeId, "1");
  writer.Text(AnswerToken::kSessionToken, "-1#5");
  writer.Finish("{}");
  EXPECT_EQ(ToHex(answer), ToHex(FromHexText(R"(
    3d 00 00 00  c8 00 00 00  33 22 11 00 55 44 77 66 88 99 aa bb cc dd ee ff
    35 00 02 07 00 00 00
    15 00 0e 00 00 00 00 00 00 f0 3f
    21 00 08 01 00 31
    3e 00 08 04 00 2d 31 23 35
    00 00 00 01
    02 00 00 00 7b 7d)")));
}

TEST(FrameTest, FramesFollowEachOther) {
  const std::string first = TestFrame(WireResource::kDocument, WireOperation::kCreate)
                                .Number(RequestToken::kTransportRequestId, 1)
                                .Body(R"({"id":"1"})")
                                .bytes();
  const std::string second = TestFrame(WireResource::kDocument, WireOperation::kRead)
                                 .Number(RequestToken::kTransportRequestId, 2)
                                 .bytes();
  const std::string both = first + second;
  std::string_view input = both;
  FrameDecoder decoder;
  auto frame = decoder.Next(input);
  ASSERT_TRUE(frame.has_value() && frame->has_value());
  EXPECT_EQ((*frame)->body, R"({"id":"1"})");
  frame = decoder.Next(input);
  ASSERT_TRUE(frame.has_value() && frame->has_value());
  EXPECT_EQ((*frame)->operation, static_cast<uint16_t>(WireOperation::kRead));
  EXPECT_TRUE(input.empty());
  EXPECT_FALSE((*decoder.Next(input)).has_value());
}

TEST(FrameTest, BytesMayComeOneByOne) {
  const std::string bytes =
      TestFrame(WireResource::kDocument, WireOperation::kCreate).Body("body").bytes();
  FrameDecoder decoder;
  for (size_t n = 0; n < bytes.size(); ++n) {
    std::string_view input = std::string_view(bytes).substr(0, n);
    const auto frame = decoder.Next(input);
    ASSERT_TRUE(frame.has_value());
    ASSERT_FALSE(frame->has_value()) << n;
    ASSERT_EQ(input.size(), n);
  }
  std::string_view input = bytes;
  const auto frame = decoder.Next(input);
  ASSERT_TRUE(frame.has_value() && frame->has_value());
  EXPECT_EQ((*frame)->body, "body");
}

TEST(FrameTest, HeadsOfImpossibleSizesAreRefused) {
  for (const uint32_t size : {0U, 4U, 23U, static_cast<uint32_t>(kHeadBytesMax) + 1, 0xffffffffU}) {
    std::string bytes;
    AppendUInt32(bytes, size);
    bytes.resize(64, 'x');
    std::string_view input = bytes;
    EXPECT_FALSE(FrameDecoder().Next(input).has_value()) << size;
  }
}

TEST(FrameTest, TokensThatEndBehindTheHeadAreRefused) {
  const std::string bytes = TestFrame(WireResource::kDocument, WireOperation::kRead)
                                .Raw(std::string_view("\x15\x00\x08\xff\x00x", 6))
                                .bytes();
  std::string_view input = bytes;
  EXPECT_FALSE(FrameDecoder().Next(input).has_value());
}

TEST(FrameTest, ALargeBodyIsSkippedAndTheNextRequestRead) {
  const std::string large = TestFrame(WireResource::kDocument, WireOperation::kCreate)
                                .Body(std::string(kBodyBytesMax + 1, 'x'))
                                .bytes();
  const std::string next = TestFrame(WireResource::kDocument, WireOperation::kRead).bytes();
  FrameDecoder decoder;
  const std::string all = large + next;
  // The body has not come when its request is refused.
  std::string_view input = std::string_view(all).substr(0, 100);
  const auto refused = decoder.Next(input);
  ASSERT_TRUE(refused.has_value() && refused->has_value());
  EXPECT_TRUE((*refused)->body_too_large);
  EXPECT_TRUE((*refused)->body.empty());
  const size_t used = 100 - input.size();
  input = std::string_view(all).substr(used);
  const auto read = decoder.Next(input);
  ASSERT_TRUE(read.has_value() && read->has_value());
  EXPECT_EQ((*read)->operation, static_cast<uint16_t>(WireOperation::kRead));
  EXPECT_TRUE(input.empty());
}

TEST(FrameTest, ABodyThatIsTooLargeToSkipIsRefused) {
  std::string bytes = TestFrame(WireResource::kDocument, WireOperation::kCreate).Body("").bytes();
  bytes.resize(bytes.size() - 4);
  AppendUInt32(bytes, static_cast<uint32_t>(kSkippedBodyBytesMax) + 1);
  std::string_view input = bytes;
  EXPECT_FALSE(FrameDecoder().Next(input).has_value());
}

TEST(ContextTest, TheFirstExchange) {
  const std::string hello = TestHandshake();
  std::string_view input = hello;
  const auto frame = FrameDecoder().Next(input);
  ASSERT_TRUE(frame.has_value() && frame->has_value());
  const auto request = ReadContextRequest(**frame);
  ASSERT_TRUE(request.has_value());
  EXPECT_EQ(request->client_version, "2020-07-15");
  EXPECT_EQ(request->agent, "a test");

  std::string out;
  AppendContextAnswer(out, (*frame)->activity, *request,
                      {.agent = "orrery", .version = "1.0", .idle_timeout = std::chrono::hours(1)});
  std::string_view answer = out;
  const auto taken = TakeAnswer(answer, /*is_context=*/true);
  ASSERT_TRUE(taken.has_value());
  EXPECT_TRUE(answer.empty());
  EXPECT_EQ(taken->status, 200U);
  EXPECT_EQ(taken->tokens.at(2).bytes, "orrery");
  EXPECT_EQ(taken->tokens.at(3).bytes, "1.0");
  EXPECT_EQ(taken->tokens.at(4).type, TokenType::kUInt32);
  EXPECT_FALSE(taken->tokens.contains(5));
}

TEST(ContextTest, AnotherVersionOfTheProtocolIsRefused) {
  const std::string hello = TestHandshake(/*version=*/2);
  std::string_view input = hello;
  const auto frame = FrameDecoder().Next(input);
  ASSERT_TRUE(frame.has_value() && frame->has_value());
  EXPECT_FALSE(ReadContextRequest(**frame).has_value());
  std::string out;
  AppendContextError(out, (*frame)->activity, 400, {.agent = "orrery", .version = "1.0"},
                     R"({"message":"no"})");
  std::string_view answer = out;
  const auto taken = TakeAnswer(answer, /*is_context=*/true);
  ASSERT_TRUE(taken.has_value());
  EXPECT_EQ(taken->status, 400U);
  EXPECT_EQ(taken->body, R"({"message":"no"})");
  EXPECT_EQ(taken->tokens.at(2).bytes, "orrery");
}

}  // namespace
}  // namespace orrery::sql::direct
