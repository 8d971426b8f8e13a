#include "item/outbox/derived_write_codec.h"

#include <gtest/gtest.h>

#include <random>

#include "base/bytes.h"
#include "item/outbox/derived_write_testing.h"

namespace orrery::item {
namespace {

std::string Encoded(const std::vector<DerivedWrite>& derived_writes) {
  std::string bytes;
  EncodeDerivedWrites(bytes, derived_writes, {});
  return bytes;
}

std::vector<DerivedWrite> Several() {
  std::vector<DerivedWrite> derived_writes{
      DerivedWriteOf(7, "k", "c", RowOf(1'000, "theo")),
      DerivedWriteOf(UINT32_MAX, std::string(300, 'p'), "", RowOf(-5, ""))};
  derived_writes[1].changes.rows.push_back({std::string("\0x", 2), RowOf(3, "y")});
  derived_writes[1].changes.range_tombstones = {
      {"a", "b", {.timestamp = 9, .local_s = 4}},
      {"c", std::nullopt, {.timestamp = -9, .local_s = 0}}};
  derived_writes[1].maintains_views = true;
  return derived_writes;
}

TEST(DerivedWriteCodecTest, WhatIsStoredComesBack) {
  for (const auto& derived_writes : {std::vector<DerivedWrite>{}, Several()}) {
    const auto decoded = DecodeDerivedWrites(Encoded(derived_writes));
    ASSERT_TRUE(decoded.has_value());
    EXPECT_EQ(*decoded, derived_writes);
  }
}

TEST(DerivedWriteCodecTest, EntriesOfVersionOneAreRead) {
  const DerivedWrite derived_write = DerivedWriteOf(7, "k", "c", RowOf(1'000, "theo"));
  std::string bytes = Encoded({derived_write});
  bytes[0] = 1;
  bytes.erase(2, 1);  // whether it maintains views
  const auto decoded = DecodeDerivedWrites(bytes);
  ASSERT_TRUE(decoded.has_value());
  EXPECT_EQ(*decoded, std::vector{derived_write});
}

TEST(DerivedWriteCodecTest, TwoListsAreOne) {
  const std::vector<DerivedWrite> all = Several();
  std::string bytes;
  EncodeDerivedWrites(bytes, {all.data(), 1}, {all.data() + 1, 1});
  EXPECT_EQ(bytes, Encoded(all));
}

TEST(DerivedWriteCodecTest, RefusesWhatCannotBeDelivered) {
  const auto refused = [](const DerivedWrite& derived_write) {
    const auto decoded = DecodeDerivedWrites(Encoded({derived_write}));
    return !decoded.has_value() && decoded.error().code() == Code::kCorruption;
  };
  EXPECT_FALSE(refused(DerivedWriteOf(7, "k", "c", RowOf(1, "v"))));
  EXPECT_TRUE(refused(DerivedWriteOf(7, "", "c", RowOf(1, "v")))) << "no key";
  EXPECT_TRUE(refused(DerivedWriteOf(7, "k", "c", "")));
  EXPECT_TRUE(refused(DerivedWriteOf(7, "k", "c", "no row")));
  EXPECT_TRUE(
      refused(DerivedWriteOf(7, "k", "c", RowOf(1, "12345678", model::CellKind::kCounter))));
}

TEST(DerivedWriteCodecTest, NoPrefixOfADerivedWriteIsTakenForAWhole) {
  const std::vector<DerivedWrite> derived_writes = Several();
  const std::string bytes = Encoded(derived_writes);
  const size_t after_first = Encoded({derived_writes[0]}).size();
  for (size_t size = 0; size < bytes.size(); ++size) {
    const auto decoded = DecodeDerivedWrites(std::string_view(bytes).substr(0, size));
    EXPECT_EQ(decoded.has_value(), size == 1 || size == after_first) << size;
  }
}

TEST(DerivedWriteCodecTest, DamagedBytesAreRefusedOrDerivedWrites) {
  constexpr uint32_t kSeed = 20'261'116;
  SCOPED_TRACE(kSeed);
  std::mt19937 random(kSeed);
  const std::string sound = Encoded(Several());
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes = sound;
    for (uint32_t changes = random() % 3 + 1; changes > 0; --changes) {
      bytes[random() % bytes.size()] = static_cast<char>(random());
    }
    const auto decoded = DecodeDerivedWrites(bytes);
    if (!decoded.has_value()) continue;
    const auto again = DecodeDerivedWrites(Encoded(*decoded));
    ASSERT_TRUE(again.has_value());
    EXPECT_EQ(*again, *decoded);
  }
}

// docs/format/rows.md shows these bytes.
TEST(DerivedWriteCodecTest, WorkedExample) {
  DerivedWrite derived_write = DerivedWriteOf(300, "k", "c", RowOf(1'000, "theo"));
  derived_write.changes.range_tombstones = {{"a", "b", {.timestamp = 9, .local_s = 4}}};
  EXPECT_EQ(ToHex(Encoded({derived_write})),
            "02"
            "ac0200"
            "016b"
            "01"
            "0163"
            "13"
            "110000000000000000d00f00"
            "0100047468656f"
            "01"
            "0161"
            "05"
            "0101621204");
}

}  // namespace
}  // namespace orrery::item
