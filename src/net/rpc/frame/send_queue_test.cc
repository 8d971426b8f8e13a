#include "net/rpc/frame/send_queue.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace orrery::net {
namespace {

RpcFrame Answer(uint64_t id, size_t payload) {
  return {RpcFrameKind::kAnswer, id, 1, std::string(payload, 'x')};
}
size_t WireBytes(const RpcFrame& frame) { return kRpcHeaderBytes + frame.payload.size(); }

// Takes all out in pieces of at most that size, and decodes them.
std::vector<RpcFrame> Drain(SendQueue& queue, size_t at_once) {
  std::vector<RpcFrame> frames;
  RpcFrameDecoder decoder;
  while (!queue.empty()) {
    std::string_view piece = queue.NextPiece().substr(0, at_once);
    const size_t size = piece.size();
    while (!piece.empty()) {
      auto frame = decoder.Take(piece);
      if (frame.value()) frames.push_back(std::move(**frame));
    }
    queue.Consume(size);
  }
  return frames;
}

TEST(SendQueueTest, FramesLeaveInOrderWhateverTheirSize) {
  for (const size_t at_once : {size_t{1'000}, SendQueue::kPieceBytesMax}) {
    SendQueue queue(nullptr);
    std::vector<RpcFrame> frames;
    for (const size_t size : {size_t{0}, size_t{10}, SendQueue::kGatheredBytesMax + 1, size_t{5},
                              3 * SendQueue::kPieceBytesMax, size_t{0}}) {
      frames.push_back(Answer(frames.size(), size));
      queue.Append(frames.back());
    }
    EXPECT_EQ(Drain(queue, at_once), frames);
    EXPECT_EQ(queue.bytes(), 0u);
  }
}

TEST(SendQueueTest, SmallFramesLeaveTogether) {
  SendQueue queue(nullptr);
  for (int i = 0; i < 100; ++i) queue.Append(Answer(1, 20));
  EXPECT_EQ(queue.NextPiece().size(), 100 * WireBytes(Answer(1, 20)));
}

TEST(SendQueueTest, APieceStaysWhereItIsWhileMoreComes) {
  SendQueue queue(nullptr);
  queue.Append(Answer(1, 20));
  const std::string_view piece = queue.NextPiece();
  const std::string before(piece);
  for (int i = 0; i < 10'000; ++i) queue.Append(Answer(2, 20));
  EXPECT_EQ(piece, before);
  EXPECT_EQ(queue.NextPiece(), before);
  queue.Consume(before.size());
  EXPECT_EQ(queue.NextPiece().size(),
            SendQueue::kPieceBytesMax / WireBytes(Answer(2, 20)) * WireBytes(Answer(2, 20)));
}

TEST(SendQueueTest, CountsWhatWaitsAgainstTheBudget) {
  const auto budget = std::make_shared<ByteBudget>(100);
  {
    SendQueue queue(budget);
    queue.Append(Answer(1, 1'000));
    EXPECT_EQ(budget->bytes(), 1'000 + kRpcHeaderBytes);
    EXPECT_FALSE(budget->TryTake(1));
    queue.Consume(kRpcHeaderBytes);
    EXPECT_EQ(budget->bytes(), 1'000u);
  }
  EXPECT_EQ(budget->bytes(), 0u);
}

}  // namespace
}  // namespace orrery::net
