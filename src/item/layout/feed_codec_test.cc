#include "item/layout/feed_codec.h"

#include <gtest/gtest.h>

#include "base/bytes.h"

namespace orrery::item {
namespace {

TEST(FeedCodecTest, RoundTrip) {
  const std::string image{"\5\0\0\0\0", 5};
  const Change change{.kind = ChangeKind::kDelete,
                      .superseded = true,
                      .by_expiry = true,
                      .time = Micros(1'700'000'000'000'000),
                      .previous_lsn = Lsn(41),
                      .partition_key = "pk",
                      .row_key = "rk",
                      .image = image};
  std::string bytes = "old content";
  WriteChange(bytes, change);
  const auto decoded = DecodeChange(bytes);
  ASSERT_TRUE(decoded.has_value());
  EXPECT_EQ(decoded->kind, change.kind);
  EXPECT_TRUE(decoded->superseded);
  EXPECT_TRUE(decoded->by_expiry);
  EXPECT_EQ(decoded->time, change.time);
  EXPECT_EQ(decoded->previous_lsn, change.previous_lsn);
  EXPECT_EQ(decoded->partition_key, "pk");
  EXPECT_EQ(decoded->row_key, "rk");
  EXPECT_EQ(decoded->image, image);
}

TEST(FeedCodecTest, DamageIsAnError) {
  std::string bytes;
  WriteChange(bytes, {.kind = ChangeKind::kCreate,
                      .time = Micros(5),
                      .partition_key = "p",
                      .row_key = "r",
                      .image = "image"});
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(DecodeChange(std::string_view(bytes).substr(0, size)).has_value()) << size;
  }
  EXPECT_FALSE(DecodeChange(bytes + "x").has_value());
  bytes[0] = 4;
  EXPECT_EQ(DecodeChange(bytes).error().code(), Code::kCorruption);
}

// docs/format/items.md shows these bytes.
TEST(FeedCodecTest, WorkedExample) {
  std::string bytes;
  WriteChange(bytes, {.kind = ChangeKind::kReplace,
                      .time = Micros(1'000'000),
                      .previous_lsn = Lsn(299),
                      .partition_key = "\x30\x61",
                      .row_key = "\x30\x62"});
  EXPECT_EQ(ToHex(bytes),
            "02"
            "00"
            "c0843d"
            "ab02"
            "023061"
            "023062");
}

TEST(FeedCodecTest, KeepsNotes) {
  std::string bytes;
  WriteChange(bytes, {.kind = ChangeKind::kReplace,
                      .time = Micros(5),
                      .partition_key = "p",
                      .row_key = "r",
                      .image = "image",
                      .note = "note"});
  const auto decoded = DecodeChange(bytes);
  ASSERT_TRUE(decoded.has_value());
  EXPECT_EQ(decoded->image, "image");
  EXPECT_EQ(decoded->note, "note");
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(DecodeChange(std::string_view(bytes).substr(0, size)).has_value()) << size;
}

}  // namespace
}  // namespace orrery::item
