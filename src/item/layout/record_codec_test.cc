#include "item/layout/record_codec.h"

#include <gtest/gtest.h>

#include "base/bytes.h"

namespace orrery::item {
namespace {

const std::string kEmptyDocument{"\5\0\0\0\0", 5};

TEST(RecordCodecTest, RoundTrip) {
  for (const auto& expiry :
       {std::optional<Micros>(), std::optional<Micros>(Micros(1'700'000'600'000'000))}) {
    for (const uint32_t seq : {0u, 1u, 99u, UINT32_MAX}) {
      const RecordHeader header{Lsn(300), Micros(1'700'000'000'000'000), expiry, seq};
      const std::string bytes = EncodeRecord(header, kEmptyDocument);
      const auto record = DecodeRecord(bytes);
      ASSERT_TRUE(record.has_value());
      EXPECT_EQ(record->lsn, header.lsn);
      EXPECT_EQ(record->time, header.time);
      EXPECT_EQ(record->expiry, header.expiry);
      EXPECT_EQ(record->seq, header.seq);
      EXPECT_EQ(record->document, kEmptyDocument);
    }
  }
}

TEST(RecordCodecTest, LargestHeaderFitsTheRoom) {
  const RecordHeader header{Lsn(UINT64_MAX), Micros(INT64_MAX), Micros(INT64_MAX), UINT32_MAX};
  const auto record = DecodeRecord(EncodeRecord(header, kEmptyDocument));
  ASSERT_TRUE(record.has_value());
  EXPECT_EQ(record->lsn, header.lsn);
}

TEST(RecordCodecTest, BufferCanBeStampedAgain) {
  RecordBuffer buffer(kEmptyDocument);
  const std::string first(buffer.Stamp({Lsn(1), Micros(1), Micros(2), 3}));
  const std::string second(buffer.Stamp({Lsn(1), Micros(1), std::nullopt, 0}));
  EXPECT_GT(first.size(), second.size());
  EXPECT_EQ(buffer.bson(), kEmptyDocument);
  EXPECT_EQ(DecodeRecord(second)->document, kEmptyDocument);
}

TEST(RecordCodecTest, ExpiresAtItsTime) {
  const RecordHeader header{Lsn(1), Micros(0), Micros(100), 0};
  EXPECT_FALSE(header.ExpiredAt(Micros(99)));
  EXPECT_TRUE(header.ExpiredAt(Micros(100)));
  EXPECT_FALSE((RecordHeader{Lsn(1), Micros(0), std::nullopt, 0}.ExpiredAt(Micros::max())));
}

TEST(RecordCodecTest, DamageIsAnError) {
  const std::string good = EncodeRecord({Lsn(300), Micros(7), Micros(9), 4}, kEmptyDocument);
  for (size_t size = 0; size < good.size(); ++size) {
    const auto record = DecodeRecord(std::string_view(good).substr(0, size));
    ASSERT_FALSE(record.has_value()) << size;
    EXPECT_EQ(record.error().code(), Code::kCorruption);
  }
  std::string wrong_version = good;
  wrong_version[0] = 2;
  EXPECT_FALSE(DecodeRecord(wrong_version).has_value());
  std::string wrong_flags = good;
  wrong_flags[1] = 4;
  EXPECT_FALSE(DecodeRecord(wrong_flags).has_value());
}

// docs/format/items.md shows these bytes.
TEST(RecordCodecTest, WorkedExample) {
  EXPECT_EQ(
      ToHex(EncodeRecord({Lsn(300), Micros(1'000'000), Micros(61'000'000), 2}, kEmptyDocument)),
      "01"
      "03"
      "ac02"
      "c0843d"
      "c0928b1d"
      "02"
      "0500000000");
}

}  // namespace
}  // namespace orrery::item
