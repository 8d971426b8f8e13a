#include "api/cassandra/server/session/frame_wrapper.h"

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

TEST(FrameWrapperTest, FramesBeginBehindTheAnswerToStartup) {
  FrameWrapper frames;
  net::SendBuffer send_buffer;
  send_buffer.gather() = EnvelopeOf("bare");
  frames.set_format(FrameFormat::kLz4);
  send_buffer.WrapFromHere(frames);
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

}  // namespace
}  // namespace orrery::cassandra
