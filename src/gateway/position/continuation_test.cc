#include "gateway/position/continuation.h"

#include <gtest/gtest.h>

#include "base/bytes.h"
#include "gateway/account/base64.h"

namespace orrery::gateway {
namespace {

using partition::HashRange;

Continuation SampleContinuation() {
  Continuation continuation;
  continuation.kind = ContinuationKind::kScan;
  continuation.container = ContainerId(7);
  continuation.shape = 0x0102030405060708;
  const auto [left, right] = HashRange().CutAt({uint64_t{1} << 61, 0});
  continuation.parts = {{left, "k"}, {right, std::nullopt}};
  return continuation;
}

Result<Continuation> Decode(std::string_view text) {
  return DecodeContinuation(text, ContinuationKind::kScan, ContainerId(7), 0x0102030405060708);
}

TEST(Continuation, RoundTrip) {
  const auto back = Decode(EncodeContinuation(SampleContinuation()));
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(*back, SampleContinuation());
}

// The worked example of docs/format/tokens.md.
TEST(Continuation, BytesAreTheDocumentedOnes) {
  std::string bytes;
  ASSERT_TRUE(FromBase64Url(EncodeContinuation(SampleContinuation()), bytes));
  EXPECT_EQ(ToHex(std::string_view(bytes).substr(0, bytes.size() - 4)),
            "01"
            "01"
            "07"
            "0102030405060708"
            "00"
            "02"
            "00000000000000000000000000000000"
            "1fffffffffffffffffffffffffffffff"
            "01"
            "01"
            "6b"
            "20000000000000000000000000000000"
            "ffffffffffffffffffffffffffffffff"
            "00");
}

TEST(Continuation, BoundToKindContainerAndShape) {
  const std::string text = EncodeContinuation(SampleContinuation());
  const auto fails = [&](ContinuationKind kind, uint32_t container, uint64_t shape,
                         std::string_view why) {
    const auto back = DecodeContinuation(text, kind, ContainerId(container), shape);
    ASSERT_FALSE(back.has_value());
    EXPECT_EQ(back.error().code(), Code::kInvalidArgument);
    EXPECT_NE(back.error().message().find(why), std::string::npos) << back.error().message();
  };
  fails(ContinuationKind::kFeed, 7, 0x0102030405060708, "another kind");
  fails(ContinuationKind::kScan, 8, 0x0102030405060708, "another container");
  fails(ContinuationKind::kScan, 7, 1, "another request");
}

TEST(Continuation, EveryDamageIsFound) {
  std::string bytes;
  ASSERT_TRUE(FromBase64Url(EncodeContinuation(SampleContinuation()), bytes));
  for (size_t i = 0; i < bytes.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ (1 << bit));
      EXPECT_FALSE(Decode(ToBase64Url(damaged)).has_value()) << i << " " << bit;
    }
    EXPECT_FALSE(Decode(ToBase64Url(bytes.substr(0, i))).has_value()) << i;
  }
  EXPECT_FALSE(Decode("no token").has_value());
  EXPECT_FALSE(Decode("").has_value());
}

TEST(Continuation, FeedPositions) {
  EXPECT_EQ(DecodeFeedPosition(EncodeFeedPosition({Lsn(300)}))->lsn, Lsn(300));
  EXPECT_EQ(DecodeFeedPosition(EncodeFeedPosition({Lsn(3), Micros(70)}))->complete_until,
            Micros(70));
  EXPECT_FALSE(DecodeFeedPosition("").has_value());
  EXPECT_FALSE(DecodeFeedPosition("\x01\x02\x03").has_value());
}

}  // namespace
}  // namespace orrery::gateway
