#include "api/cassandra/server/session/send_buffer.h"

#include <gtest/gtest.h>

#include "api/cassandra/protocol/frame/message_decoder.h"

namespace orrery::cassandra {
namespace {

std::string EnvelopeOf(std::string_view body) {
  std::string envelope;
  AppendEnvelopeHeader(
      envelope, Direction::kResponse,
      {.opcode = Opcode::kResult, .body_bytes = static_cast<uint32_t>(body.size())});
  return envelope.append(body);
}

TEST(SendBufferTest, WhatIsBeingSentStaysWhereItIs) {
  SendBuffer send_buffer;
  EXPECT_EQ(send_buffer.Wire(), "");
  send_buffer.gather() = EnvelopeOf("first");
  const std::string_view wire = send_buffer.Wire();
  EXPECT_EQ(wire, EnvelopeOf("first"));
  send_buffer.gather().append(EnvelopeOf("second"));
  EXPECT_EQ(send_buffer.Wire().data(), wire.data());
  EXPECT_EQ(send_buffer.Wire(), EnvelopeOf("first"));
  EXPECT_EQ(send_buffer.unsent_bytes(), EnvelopeOf("first").size() + EnvelopeOf("second").size());
  send_buffer.Consume(3);
  EXPECT_EQ(send_buffer.Wire(), EnvelopeOf("first").substr(3));
  send_buffer.Consume(send_buffer.Wire().size());
  EXPECT_EQ(send_buffer.Wire(), EnvelopeOf("second"));
  send_buffer.Consume(send_buffer.Wire().size());
  EXPECT_EQ(send_buffer.unsent_bytes(), 0u);
}

TEST(SendBufferTest, FramesBeginBehindTheAnswerToStartup) {
  SendBuffer send_buffer;
  send_buffer.gather() = EnvelopeOf("bare");
  send_buffer.StartFrames(FrameFormat::kLz4);
  send_buffer.gather().append(EnvelopeOf("a")).append(EnvelopeOf("b"));
  std::string expected = EnvelopeOf("bare");
  AppendFrames(expected, EnvelopeOf("a") + EnvelopeOf("b"), FrameFormat::kLz4);
  EXPECT_EQ(send_buffer.Wire(), expected);
  send_buffer.Consume(expected.size());
  send_buffer.gather().append(EnvelopeOf("c"));
  std::string framed;
  AppendFrames(framed, EnvelopeOf("c"), FrameFormat::kLz4);
  EXPECT_EQ(send_buffer.Wire(), framed);
}

TEST(SendBufferTest, AnEmptyOneKeepsNoMemory) {
  constexpr size_t kLittle = 2 << 10;
  for (const bool framed : {false, true}) {
    SendBuffer send_buffer;
    if (framed) send_buffer.StartFrames(FrameFormat::kPlain);
    send_buffer.gather() = EnvelopeOf(std::string(1 << 20, 'x'));
    send_buffer.Consume(send_buffer.Wire().size());
    EXPECT_LE(send_buffer.memory_bytes(), kLittle);
    send_buffer.ExpectBurst();
    EXPECT_GE(send_buffer.memory_bytes(), 1u << 20);
    send_buffer.EndBurst();
    EXPECT_LE(send_buffer.memory_bytes(), kLittle);
  }
}

}  // namespace
}  // namespace orrery::cassandra
