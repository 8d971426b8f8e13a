#include "item/row_feed/feed_pack.h"

#include <gtest/gtest.h>

#include "base/bytes.h"
#include "item/layout/key_layout.h"

namespace orrery::item {
namespace {

PackedChange At(uint64_t lsn, uint64_t hash, uint32_t seq, std::string_view change) {
  return {Lsn(lsn), Hash128{hash, 0}, seq, change};
}

TEST(FeedPack, RoundTrip) {
  const PackedChange changes[] = {At(300, 9, 0, "a"), At(300, 9, 1, ""), At(301, 2, 0, "bc")};
  PackBuilder builder;
  for (const PackedChange& change : changes) {
    ASSERT_TRUE(builder.TakesMoreAt(change.lsn));
    builder.Add(change);
  }
  std::vector<PackedChange> decoded;
  ASSERT_TRUE(DecodePack(builder.bytes(), decoded).has_value());
  ASSERT_EQ(decoded.size(), 3u);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(decoded[i].place(), changes[i].place());
    EXPECT_EQ(decoded[i].change, changes[i].change);
  }
  const auto key = DecodeKey(builder.Build(ContainerId(7)).key);
  ASSERT_TRUE(key.has_value());
  EXPECT_EQ(key->lsn, Lsn(301)) << "of the last change";
  EXPECT_EQ(key->hash, (Hash128{9, 0})) << "of the first one";
}

// The example of docs/format/rows.md.
TEST(FeedPack, IsStoredLikeThis) {
  PackBuilder builder;
  builder.Add(At(300, 1, 0, "ab"));
  builder.Add(At(301, 2, 3, "c"));
  EXPECT_EQ(ToHex(builder.bytes()),
            "ac02"
            "00000000000000010000000000000000"
            "00"
            "026162"
            "01"
            "00000000000000020000000000000000"
            "03"
            "0163");
}

TEST(FeedPack, EndsWithItsSpanOrItsBytesButNotWithinAPosition) {
  PackBuilder builder;
  EXPECT_TRUE(builder.TakesMoreAt(Lsn(UINT64_MAX)));
  builder.Add(At(10, 1, 0, "x"));
  EXPECT_TRUE(builder.TakesMoreAt(Lsn(10 + kPackSpan - 1)));
  EXPECT_FALSE(builder.TakesMoreAt(Lsn(10 + kPackSpan)));
  const std::string large(kPackBytes, 'x');
  builder.Add(At(11, 1, 0, large));
  EXPECT_TRUE(builder.TakesMoreAt(Lsn(11)));
  EXPECT_FALSE(builder.TakesMoreAt(Lsn(12)));
}

TEST(FeedPack, DamagedBytesAreRefused) {
  PackBuilder builder;
  builder.Add(At(10, 1, 0, "change"));
  const std::string sound(builder.bytes());
  std::vector<PackedChange> changes;
  for (size_t size = 0; size < sound.size(); ++size) {
    const Status status = DecodePack(std::string_view(sound).substr(0, size), changes);
    ASSERT_FALSE(status.has_value()) << size;
    EXPECT_EQ(status.error().code(), Code::kCorruption);
  }
}

}  // namespace
}  // namespace orrery::item
