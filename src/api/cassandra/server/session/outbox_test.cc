#include "api/cassandra/server/session/outbox.h"

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

TEST(OutboxTest, WhatIsBeingSentStaysWhereItIs) {
  Outbox outbox;
  EXPECT_EQ(outbox.Wire(), "");
  outbox.gather() = EnvelopeOf("first");
  const std::string_view wire = outbox.Wire();
  EXPECT_EQ(wire, EnvelopeOf("first"));
  outbox.gather().append(EnvelopeOf("second"));
  EXPECT_EQ(outbox.Wire().data(), wire.data());
  EXPECT_EQ(outbox.Wire(), EnvelopeOf("first"));
  EXPECT_EQ(outbox.unsent_bytes(), EnvelopeOf("first").size() + EnvelopeOf("second").size());
  outbox.Consume(3);
  EXPECT_EQ(outbox.Wire(), EnvelopeOf("first").substr(3));
  outbox.Consume(outbox.Wire().size());
  EXPECT_EQ(outbox.Wire(), EnvelopeOf("second"));
  outbox.Consume(outbox.Wire().size());
  EXPECT_EQ(outbox.unsent_bytes(), 0u);
}

TEST(OutboxTest, FramesBeginBehindTheAnswerToStartup) {
  Outbox outbox;
  outbox.gather() = EnvelopeOf("bare");
  outbox.StartFrames(FrameFormat::kLz4);
  outbox.gather().append(EnvelopeOf("a")).append(EnvelopeOf("b"));
  std::string expected = EnvelopeOf("bare");
  AppendFrames(expected, EnvelopeOf("a") + EnvelopeOf("b"), FrameFormat::kLz4);
  EXPECT_EQ(outbox.Wire(), expected);
  outbox.Consume(expected.size());
  outbox.gather().append(EnvelopeOf("c"));
  std::string framed;
  AppendFrames(framed, EnvelopeOf("c"), FrameFormat::kLz4);
  EXPECT_EQ(outbox.Wire(), framed);
}

TEST(OutboxTest, AnEmptyOutboxKeepsNoMemory) {
  constexpr size_t kLittle = 2 << 10;
  for (const bool framed : {false, true}) {
    Outbox outbox;
    if (framed) outbox.StartFrames(FrameFormat::kPlain);
    outbox.gather() = EnvelopeOf(std::string(1 << 20, 'x'));
    outbox.Consume(outbox.Wire().size());
    EXPECT_LE(outbox.memory_bytes(), kLittle);
    outbox.ExpectBurst();
    EXPECT_GE(outbox.memory_bytes(), 1u << 20);
    outbox.EndBurst();
    EXPECT_LE(outbox.memory_bytes(), kLittle);
  }
}

}  // namespace
}  // namespace orrery::cassandra
