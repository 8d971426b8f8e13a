#include "item/layout/entry_codec.h"

#include <gtest/gtest.h>

namespace orrery::item {
namespace {

TEST(EntryCodecTest, Totals) {
  std::string bytes;
  WriteTotals(bytes, {.bytes = 123'456'789, .items = 42});
  const auto totals = DecodeTotals(bytes);
  ASSERT_TRUE(totals.has_value());
  EXPECT_EQ(*totals, (Totals{123'456'789, 42}));
  EXPECT_FALSE(DecodeTotals(bytes + "x").has_value());
  EXPECT_FALSE(DecodeTotals("").has_value());
}

TEST(EntryCodecTest, Unique) {
  std::string bytes;
  WriteUniqueEntry(bytes, {.expiry = std::nullopt, .row_key = "row"});
  auto entry = DecodeUniqueEntry(bytes);
  ASSERT_TRUE(entry.has_value());
  EXPECT_EQ(entry->expiry, std::nullopt);
  EXPECT_EQ(entry->row_key, "row");

  WriteUniqueEntry(bytes, {.expiry = Micros(500), .row_key = ""});
  entry = DecodeUniqueEntry(bytes);
  ASSERT_TRUE(entry.has_value());
  EXPECT_EQ(entry->expiry, Micros(500));
  EXPECT_FALSE(DecodeUniqueEntry("").has_value());
}

TEST(EntryCodecTest, Index) {
  for (const bool several : {false, true}) {
    for (const auto& expiry : {std::optional<Micros>(), std::optional<Micros>(Micros(1))}) {
      std::string bytes;
      WriteIndexEntry(bytes, {expiry, several});
      const auto entry = DecodeIndexEntry(bytes);
      ASSERT_TRUE(entry.has_value());
      EXPECT_EQ(*entry, (IndexEntry{expiry, several}));
    }
  }
  for (const std::string_view damaged :
       {std::string_view("\0\2", 2), std::string_view("\0\3x", 3), std::string_view("\0\1\1", 3)})
    EXPECT_EQ(DecodeIndexEntry(damaged).error().code(), Code::kCorruption);
}

TEST(EntryCodecTest, IndexWithPayload) {
  std::string bytes;
  const std::string_view payload("\0\1vector", 8);
  WriteIndexEntry(bytes, {.expiry = Micros(500), .payload = payload});
  const auto entry = DecodeIndexEntry(bytes);
  ASSERT_TRUE(entry.has_value());
  EXPECT_EQ(*entry, (IndexEntry{Micros(500), false, payload}));
}

TEST(EntryCodecTest, Receipt) {
  std::string bytes;
  WriteReceiptEntry(bytes, {.expiry = Micros(61'000'000), .bytes = "a"});
  EXPECT_EQ(bytes,
            "\xc0\x92\x8b\x1d"
            "a");
  const auto entry = DecodeReceiptEntry(bytes);
  ASSERT_TRUE(entry.has_value());
  EXPECT_EQ(entry->expiry, Micros(61'000'000));
  EXPECT_EQ(entry->bytes, "a");
  EXPECT_FALSE(DecodeReceiptEntry("").has_value());
}

TEST(EntryCodecTest, Expiry) {
  std::string bytes;
  WriteExpiryEntry(bytes, {.lsn = Lsn(9), .seq = 3, .bytes = 1'000});
  const auto entry = DecodeExpiryEntry(bytes);
  ASSERT_TRUE(entry.has_value());
  EXPECT_EQ(*entry, (ExpiryEntry{Lsn(9), 3, 1'000}));
  EXPECT_FALSE(DecodeExpiryEntry(bytes.substr(0, 2)).has_value());
}

}  // namespace
}  // namespace orrery::item
