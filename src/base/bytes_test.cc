#include "base/bytes.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>

namespace orrery {
namespace {

std::string Varint(uint64_t value) {
  std::string out;
  AppendVarint(out, value);
  return out;
}

TEST(BytesTest, VarintRoundTripsAtEveryLengthEdge) {
  for (int bits = 0; bits < 64; ++bits) {
    for (const uint64_t value :
         {(uint64_t{1} << bits) - 1, uint64_t{1} << bits, UINT64_MAX >> bits}) {
      const std::string bytes = Varint(value) + "tail";
      ByteReader reader(bytes);
      uint64_t back = 0;
      ASSERT_TRUE(reader.ReadVarint(back)) << value;
      EXPECT_EQ(back, value);
      EXPECT_EQ(reader.rest(), "tail");
    }
  }
  EXPECT_EQ(Varint(127).size(), 1u);
  EXPECT_EQ(Varint(128).size(), 2u);
  EXPECT_EQ(Varint(UINT64_MAX).size(), 10u);
}

TEST(BytesTest, VarintRefusesCutAndOverlongBytes) {
  const std::string whole = Varint(UINT64_MAX);
  uint64_t value = 7;
  for (size_t size = 0; size < whole.size(); ++size) {
    ByteReader reader(std::string_view(whole).substr(0, size));
    EXPECT_FALSE(reader.ReadVarint(value));
    EXPECT_EQ(reader.rest().size(), size);
  }
  const std::string too_big = std::string(9, '\xff') + '\x02';
  EXPECT_FALSE(ByteReader(too_big).ReadVarint(value));
  const std::string too_long(11, '\x80');
  EXPECT_FALSE(ByteReader(too_long).ReadVarint(value));
  EXPECT_EQ(value, 7u);
}

TEST(BytesTest, BigEndianKeepsNumericOrder) {
  std::string out;
  AppendBigEndian<uint32_t>(out, 0x01020304);
  AppendBigEndian<uint8_t>(out, 5);
  EXPECT_EQ(ToHex(out), "0102030405");
  ByteReader reader(out);
  uint32_t wide = 0;
  uint8_t narrow = 0;
  uint16_t none = 0;
  EXPECT_TRUE(reader.ReadBigEndian(wide));
  EXPECT_TRUE(reader.ReadBigEndian(narrow));
  EXPECT_FALSE(reader.ReadBigEndian(none));
  EXPECT_EQ(wide, 0x01020304u);
  EXPECT_EQ(narrow, 5);
  EXPECT_TRUE(reader.empty());
}

TEST(BytesTest, LengthPrefixedFailsWithoutMoving) {
  std::string out;
  AppendLengthPrefixed(out, "abc");
  AppendLengthPrefixed(out, "");
  ByteReader reader(out);
  std::string_view bytes;
  ASSERT_TRUE(reader.ReadLengthPrefixed(bytes));
  EXPECT_EQ(bytes, "abc");
  ASSERT_TRUE(reader.ReadLengthPrefixed(bytes));
  EXPECT_EQ(bytes, "");

  ByteReader cut(std::string_view(out).substr(0, 3));
  EXPECT_FALSE(cut.ReadLengthPrefixed(bytes));
  EXPECT_EQ(cut.rest().size(), 3u);

  const std::string huge = Varint(UINT64_MAX) + "x";
  EXPECT_FALSE(ByteReader(huge).ReadLengthPrefixed(bytes));
}

TEST(BytesTest, HexRoundTrips) {
  constexpr uint32_t kSeed = 20240611;
  SCOPED_TRACE(kSeed);
  std::mt19937 random(kSeed);
  for (size_t size = 0; size < 64; ++size) {
    std::string bytes;
    for (size_t i = 0; i < size; ++i) bytes.push_back(static_cast<char>(random()));
    std::string back;
    ASSERT_TRUE(FromHex(ToHex(bytes), back));
    EXPECT_EQ(back, bytes);
    ASSERT_TRUE(FromHex(ToHex(bytes, /*upper=*/true), back));
    EXPECT_EQ(back, bytes);
  }
}

TEST(BytesTest, HexRefusesOddLengthsAndOtherCharacters) {
  std::string bytes = "kept";
  for (const std::string_view bad : {"0", "0g", " 0", "0x", "zz", "00 1"}) {
    EXPECT_FALSE(FromHex(bad, bytes)) << bad;
  }
  EXPECT_EQ(bytes, "kept");
}

}  // namespace
}  // namespace orrery
