#include "api/cassandra/protocol/frame/message_decoder.h"

#include <gtest/gtest.h>

#include "api/cassandra/protocol/test_bytes.h"

namespace orrery::cassandra {
namespace {

std::string Message(ProtocolVersion version, int16_t stream, std::string_view body,
                    uint8_t flags = 0) {
  std::string out;
  AppendEnvelopeHeader(
      out, Direction::kRequest,
      {version, flags, stream, Opcode::kQuery, static_cast<uint32_t>(body.size())});
  return out.append(body);
}

TEST(MessageDecoderTest, GivesMessagesOneByOne) {
  const std::string bytes =
      Message(ProtocolVersion::kV4, 1, "one") + Message(ProtocolVersion::kV4, 2, "two") + "\x04";
  MessageDecoder decoder(Direction::kRequest);
  std::string_view input = bytes;
  auto next = decoder.Next(input);
  ASSERT_TRUE(next.has_value() && next->has_value());
  EXPECT_EQ((*next)->body, "one");
  next = decoder.Next(input);
  ASSERT_TRUE(next.has_value() && next->has_value());
  EXPECT_EQ((*next)->header.stream, 2);
  next = decoder.Next(input);
  ASSERT_TRUE(next.has_value());
  EXPECT_FALSE(next->has_value());
  EXPECT_EQ(input, "\x04");
}

TEST(MessageDecoderTest, DecompressesBodies) {
  for (const Compression compression : {Compression::kLz4, Compression::kSnappy}) {
    const std::string body(1000, 'x');
    std::string compressed = body;
    ASSERT_TRUE(CompressTail(compression, compressed, 0));
    const std::string bytes = Message(ProtocolVersion::kV4, 1, compressed, kFlagCompressed) +
                              Message(ProtocolVersion::kV4, 2, "plain");
    MessageDecoder decoder(Direction::kRequest);
    decoder.Start(ProtocolVersion::kV4, compression);
    std::string_view input = bytes;
    auto next = decoder.Next(input);
    ASSERT_TRUE(next.has_value() && next->has_value());
    EXPECT_EQ((*next)->body, body);
    next = decoder.Next(input);
    ASSERT_TRUE(next.has_value() && next->has_value());
    EXPECT_EQ((*next)->body, "plain");
  }
}

TEST(MessageDecoderTest, BadCompressionIsRefusedAndTheNextMessageRead) {
  const std::string bytes = Message(ProtocolVersion::kV4, 1, "nonsense", kFlagCompressed) +
                            Message(ProtocolVersion::kV4, 2, "good");
  for (const bool agreed : {false, true}) {
    MessageDecoder decoder(Direction::kRequest);
    if (agreed) decoder.Start(ProtocolVersion::kV4, Compression::kLz4);
    std::string_view input = bytes;
    auto next = decoder.Next(input);
    ASSERT_FALSE(next.has_value());
    EXPECT_FALSE(next.error().fatal());
    EXPECT_EQ(next.error().stream, 1);
    EXPECT_EQ(next.error().error.code, ErrorCode::kProtocolError);
    next = decoder.Next(input);
    ASSERT_TRUE(next.has_value() && next->has_value());
    EXPECT_EQ((*next)->body, "good");
  }
}

TEST(MessageDecoderTest, KeepsNoLargeBufferBetweenMessages) {
  constexpr size_t kKeptMax = 8 << 10;
  const std::string body(100'000, 'x');
  const auto take = [](MessageDecoder& decoder, std::string_view input) {
    const auto next = decoder.Next(input);
    ASSERT_TRUE(next.has_value() && next->has_value());
    EXPECT_GE(decoder.memory_bytes(), 100'000u);
    ASSERT_TRUE(decoder.Next(input).has_value());
  };
  for (const Compression compression : {Compression::kLz4, Compression::kSnappy}) {
    std::string compressed = body;
    ASSERT_TRUE(CompressTail(compression, compressed, 0));
    MessageDecoder decoder(Direction::kRequest);
    decoder.Start(ProtocolVersion::kV4, compression);
    take(decoder, Message(ProtocolVersion::kV4, 1, compressed, kFlagCompressed));
    EXPECT_LE(decoder.memory_bytes(), kKeptMax);
  }
  std::string frames;
  AppendFrames(frames, Message(ProtocolVersion::kV5, 1, body), FrameFormat::kLz4);
  MessageDecoder decoder(Direction::kRequest);
  decoder.Start(ProtocolVersion::kV5, Compression::kLz4);
  take(decoder, frames);
  EXPECT_LE(decoder.memory_bytes(), kKeptMax);
}

TEST(MessageDecoderTest, CountsThePiecesOfALargeMessageAsTheyAreInMemory) {
  std::string frames;
  AppendFrames(frames, Message(ProtocolVersion::kV5, 1, std::string(300'000, 'x')),
               FrameFormat::kLz4);
  ASSERT_LT(frames.size(), 3'000u);
  MessageDecoder decoder(Direction::kRequest);
  decoder.Start(ProtocolVersion::kV5, Compression::kLz4);
  std::string_view input = std::string_view(frames).substr(0, frames.size() - 1);
  auto next = decoder.Next(input);
  ASSERT_TRUE(next.has_value() && !next->has_value());
  EXPECT_EQ(decoder.partial_bytes(), 2 * kFramePayloadBytesMax);
  input = std::string_view(frames).substr(frames.size() - 1 - input.size());
  next = decoder.Next(input);
  ASSERT_TRUE(next.has_value() && next->has_value());
  EXPECT_EQ(decoder.partial_bytes(), 0u);
}

TEST(MessageDecoderTest, SkipsAMessageThatIsTooBigAsItArrives) {
  MessageDecoder decoder(Direction::kRequest, 10);
  const std::string large = Message(ProtocolVersion::kV4, 1, std::string(100, 'x'));
  std::string_view input = std::string_view(large).substr(0, 50);
  auto next = decoder.Next(input);
  ASSERT_FALSE(next.has_value());
  EXPECT_EQ(next.error().error.code, ErrorCode::kInvalid);
  next = decoder.Next(input);
  ASSERT_TRUE(next.has_value());
  EXPECT_FALSE(next->has_value());
  EXPECT_TRUE(input.empty());
  const std::string rest = large.substr(50) + Message(ProtocolVersion::kV4, 2, "good");
  input = rest;
  next = decoder.Next(input);
  ASSERT_TRUE(next.has_value() && next->has_value());
  EXPECT_EQ((*next)->header.stream, 2);
}

TEST(MessageDecoderTest, ReadsFramesOnceStartedInV5) {
  for (const Compression compression : {Compression::kNone, Compression::kLz4}) {
    const FrameFormat format =
        compression == Compression::kLz4 ? FrameFormat::kLz4 : FrameFormat::kPlain;
    const std::string startup = Message(ProtocolVersion::kV5, 0, "startup");
    const std::string large(300'000, 'x');
    std::string bytes = startup;
    // v5 ignores the compression flag of an envelope.
    AppendFrames(bytes, Message(ProtocolVersion::kV5, 1, "a", kFlagCompressed), format);
    AppendFrames(bytes,
                 Message(ProtocolVersion::kV5, 2, "b") + Message(ProtocolVersion::kV5, 3, large) +
                     Message(ProtocolVersion::kV5, 4, "c"),
                 format);
    MessageDecoder decoder(Direction::kRequest);
    std::string_view input = bytes;
    auto next = decoder.Next(input);
    ASSERT_TRUE(next.has_value() && next->has_value());
    EXPECT_EQ((*next)->body, "startup");
    decoder.Start(ProtocolVersion::kV5, compression);
    for (const std::string_view body : {std::string_view("a"), std::string_view("b"),
                                        std::string_view(large), std::string_view("c")}) {
      next = decoder.Next(input);
      ASSERT_TRUE(next.has_value() && next->has_value());
      EXPECT_TRUE((*next)->body == body);
    }
    next = decoder.Next(input);
    ASSERT_TRUE(next.has_value());
    EXPECT_FALSE(next->has_value());
    EXPECT_TRUE(input.empty());
  }
}

TEST(MessageDecoderTest, AWrongChecksumEndsTheConnection) {
  std::string bytes;
  AppendFrames(bytes, Message(ProtocolVersion::kV5, 1, "a"), FrameFormat::kPlain);
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  MessageDecoder decoder(Direction::kRequest);
  decoder.Start(ProtocolVersion::kV5, Compression::kNone);
  std::string_view input = bytes;
  const auto next = decoder.Next(input);
  ASSERT_FALSE(next.has_value());
  EXPECT_TRUE(next.error().fatal());
  EXPECT_EQ(next.error().version, ProtocolVersion::kV5);
}

TEST(MessageDecoderTest, AnUnknownOpcodeInsideAFrameIsSkipped) {
  std::string odd = Message(ProtocolVersion::kV5, 1, "a");
  odd[4] = 0x7F;
  std::string bytes;
  AppendFrames(bytes, odd + Message(ProtocolVersion::kV5, 2, "b"), FrameFormat::kPlain);
  MessageDecoder decoder(Direction::kRequest);
  decoder.Start(ProtocolVersion::kV5, Compression::kNone);
  std::string_view input = bytes;
  auto next = decoder.Next(input);
  ASSERT_FALSE(next.has_value());
  EXPECT_FALSE(next.error().fatal());
  next = decoder.Next(input);
  ASSERT_TRUE(next.has_value() && next->has_value());
  EXPECT_EQ((*next)->header.stream, 2);
}

}  // namespace
}  // namespace orrery::cassandra
