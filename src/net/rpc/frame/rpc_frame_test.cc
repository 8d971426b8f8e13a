#include "net/rpc/frame/rpc_frame.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "base/bytes.h"

namespace orrery::net {
namespace {

std::string Encode(const RpcFrame& frame) { return EncodeRpcHeader(frame) + frame.payload; }

// All frames of `bytes`, given in pieces of that size; false when they are none.
bool Decode(std::string_view bytes, size_t piece, std::vector<RpcFrame>& frames) {
  RpcFrameDecoder decoder;
  while (!bytes.empty()) {
    std::string_view input = bytes.substr(0, piece);
    bytes.remove_prefix(input.size());
    while (!input.empty()) {
      auto frame = decoder.Take(input);
      if (!frame) return false;
      if (*frame) frames.push_back(std::move(**frame));
    }
  }
  return !decoder.partial();
}

bool IsRefused(const std::string& bytes) {
  std::vector<RpcFrame> frames;
  RpcFrameDecoder decoder;
  std::string_view input = bytes;
  const auto frame = decoder.Take(input);
  return !frame && frame.error().code() == Code::kInvalidArgument;
}

TEST(RpcFrameTest, HasTheBytesThatTheGrammarSays) {
  const RpcFrame frame{RpcFrameKind::kRequest, 0x0102, 17, "hi"};
  EXPECT_EQ(ToHex(Encode(frame)),
            "0000000d"
            "c2846824"
            "01"
            "0000000000000102"
            "0011"
            "6869");
}

TEST(RpcFrameTest, FramesComeOutHoweverTheirBytesAreCut) {
  constexpr unsigned kSeed = 20'261;
  SCOPED_TRACE(kSeed);
  std::mt19937_64 random(kSeed);
  std::vector<RpcFrame> frames;
  std::string bytes;
  for (int i = 0; i < 200; ++i) {
    RpcFrame frame{static_cast<RpcFrameKind>(1 + random() % 4), random(),
                   static_cast<uint16_t>(random()), ""};
    if (frame.kind != RpcFrameKind::kPing) frame.payload.assign(random() % 300, 'x');
    bytes += Encode(frame);
    frames.push_back(std::move(frame));
  }
  for (const size_t piece : {size_t{1}, size_t{7}, size_t{19}, size_t{100}, bytes.size()}) {
    std::vector<RpcFrame> decoded;
    EXPECT_TRUE(Decode(bytes, piece, decoded));
    EXPECT_EQ(decoded, frames) << piece;
  }
}

TEST(RpcFrameTest, AnyChangedByteIsNoticed) {
  const std::string bytes = Encode({RpcFrameKind::kAnswer, 7, 1, "payload"});
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::string changed = bytes;
    changed[i] = static_cast<char>(changed[i] ^ 0x40);
    std::vector<RpcFrame> frames;
    // A longer length makes it wait for more, for ever.
    EXPECT_FALSE(Decode(changed, changed.size(), frames)) << i;
    EXPECT_TRUE(frames.empty());
  }
}

TEST(RpcFrameTest, RefusesWhatIsTooLong) {
  std::string header = EncodeRpcHeader({RpcFrameKind::kAnswer, 7, 1, ""});
  const auto set_length = [&](uint32_t length) {
    std::string bytes;
    AppendBigEndian(bytes, length);
    return header.replace(0, bytes.size(), bytes);
  };
  EXPECT_FALSE(IsRefused(set_length(11 + kRpcPayloadBytesMax)));
  EXPECT_TRUE(IsRefused(set_length(11 + kRpcPayloadBytesMax + 1)));
  EXPECT_TRUE(IsRefused(set_length(UINT32_MAX)));
  EXPECT_TRUE(IsRefused(set_length(10)));
  EXPECT_TRUE(IsRefused(set_length(0)));
}

TEST(RpcFrameTest, RefusesUnknownKindsAndPingsWithPayload) {
  EXPECT_TRUE(IsRefused(Encode({static_cast<RpcFrameKind>(0), 1, 1, ""})));
  EXPECT_TRUE(IsRefused(Encode({static_cast<RpcFrameKind>(5), 1, 1, ""})));
  EXPECT_TRUE(IsRefused(Encode({RpcFrameKind::kPing, 0, 0, "x"})));
}

}  // namespace
}  // namespace orrery::net
