#include "item/layout/key_layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "base/bytes.h"
#include "model/key/key_codec.h"

namespace orrery::item {
namespace {

constexpr ContainerId kLayoutContainer{7};

std::string Tuple(std::string text) {
  const model::Value value = model::Value::String(std::move(text));
  return model::EncodeKey({&value, 1}, model::Order::kSql);
}

ItemKey Item(uint64_t high, const std::string& pk, const std::string& rk) {
  return {Hash128{high, 9}, Tuple(pk), Tuple(rk)};
}

TEST(KeyLayoutTest, DataKeyRoundTrip) {
  const ItemKey item = Item(3, "tenant", "row");
  const std::string key = DataKey(kLayoutContainer, item);
  const auto decoded = DecodeKey(key);
  ASSERT_TRUE(decoded.has_value());
  EXPECT_EQ(decoded->space, Space::kData);
  EXPECT_EQ(decoded->container, kLayoutContainer);
  EXPECT_EQ(decoded->item(), item);
}

TEST(KeyLayoutTest, EveryOtherKeyRoundTrips) {
  const ItemKey item = Item(UINT64_MAX, "tenant", std::string("a\0b", 3));
  std::string key;

  WriteSizesKey(key, kLayoutContainer, item.hash, item.partition_key);
  auto decoded = DecodeKey(key);
  ASSERT_TRUE(decoded.has_value());
  EXPECT_EQ(decoded->space, Space::kSizes);
  EXPECT_EQ(decoded->partition_key, item.partition_key);

  WriteUniqueKey(key, kLayoutContainer, item.hash, item.partition_key, 2, "values");
  decoded = DecodeKey(key);
  ASSERT_TRUE(decoded.has_value());
  EXPECT_EQ(decoded->unique_rule, 2);
  EXPECT_EQ(decoded->partition_key, item.partition_key);
  EXPECT_EQ(decoded->value, "values");

  WriteIndexKey(key, kLayoutContainer, IndexId(99), "value", item);
  decoded = DecodeKey(key);
  ASSERT_TRUE(decoded.has_value());
  EXPECT_EQ(decoded->index, IndexId(99));
  EXPECT_EQ(decoded->value, "value");
  EXPECT_EQ(decoded->item(), item);

  WriteRowFeedKey(key, kLayoutContainer, Lsn(11), item.hash);
  decoded = DecodeKey(key);
  ASSERT_TRUE(decoded.has_value());
  EXPECT_EQ(decoded->space, Space::kRowFeed);
  EXPECT_EQ(decoded->lsn, Lsn(11));
  EXPECT_EQ(decoded->hash, item.hash);
  EXPECT_TRUE(key.starts_with(RowFeedPrefix(kLayoutContainer, Lsn(11))));

  WriteFeedKey(key, kLayoutContainer, Lsn(12), item.hash, 5);
  decoded = DecodeKey(key);
  ASSERT_TRUE(decoded.has_value());
  EXPECT_EQ(decoded->lsn, Lsn(12));
  EXPECT_EQ(decoded->seq, 5u);
  EXPECT_EQ(decoded->hash, item.hash);

  WriteOutboxKey(key, kLayoutContainer, item.hash, Lsn(13));
  decoded = DecodeKey(key);
  ASSERT_TRUE(decoded.has_value());
  EXPECT_EQ(decoded->space, Space::kOutbox);
  EXPECT_EQ(decoded->lsn, Lsn(13));
  EXPECT_EQ(decoded->hash, item.hash);
  EXPECT_FALSE(DecodeKey(key + "x").has_value());

  WriteReceiptKey(key, kLayoutContainer, item.hash, item.partition_key, "name");
  decoded = DecodeKey(key);
  ASSERT_TRUE(decoded.has_value());
  EXPECT_EQ(decoded->space, Space::kReceipt);
  EXPECT_EQ(decoded->hash, item.hash);
  EXPECT_EQ(decoded->partition_key, item.partition_key);
  EXPECT_EQ(decoded->value, "name");
  EXPECT_TRUE(key.starts_with(
      LogicalPartitionPrefix(Space::kReceipt, kLayoutContainer, item.hash, item.partition_key)));

  WriteExpiryKey(key, kLayoutContainer, Micros(77), item);
  decoded = DecodeKey(key);
  ASSERT_TRUE(decoded.has_value());
  EXPECT_EQ(decoded->expiry, Micros(77));
  EXPECT_EQ(decoded->item(), item);
}

TEST(KeyLayoutTest, SizesOfAnyLengthRoundTrip) {
  for (const size_t size : {0, 1, 127, 128, 300, 16'383, 16'384, 70'000}) {
    const ItemKey item{Hash128{1, 2}, std::string(size, 'p'), "r"};
    const std::string key = DataKey(kLayoutContainer, item);
    const auto decoded = DecodeKey(key);
    ASSERT_TRUE(decoded.has_value()) << size;
    EXPECT_EQ(decoded->item(), item) << size;
  }
}

TEST(KeyLayoutTest, OrderIsRingThenPartitionKeyThenRowKey) {
  std::vector<ItemKey> items;
  for (const uint64_t high : {uint64_t{0}, uint64_t{5}, UINT64_MAX}) {
    for (const char* pk : {"", "a", "ab", "b"}) {
      for (const char* rk : {"", "1", "10", "2"}) items.push_back(Item(high, pk, rk));
    }
  }
  std::vector<std::string> keys;
  for (const ItemKey& item : items) keys.push_back(DataKey(kLayoutContainer, item));
  EXPECT_TRUE(std::ranges::is_sorted(keys));
  EXPECT_EQ(std::ranges::adjacent_find(keys), keys.end());
}

TEST(KeyLayoutTest, PrefixesHoldExactlyTheirKeys) {
  const std::string inside = DataKey(kLayoutContainer, Item(5, "a", "row"));
  const std::string outside = DataKey(kLayoutContainer, Item(5, "ab", "row"));
  const std::string prefix =
      LogicalPartitionPrefix(Space::kData, kLayoutContainer, Hash128{5, 9}, Tuple("a"));
  EXPECT_TRUE(inside.starts_with(prefix));
  EXPECT_FALSE(outside.starts_with(prefix));
  EXPECT_LT(inside, PrefixEnd(prefix));
  EXPECT_GE(outside, PrefixEnd(prefix));
}

TEST(KeyLayoutTest, RingBoundsCoverTheRangeOnly) {
  const auto range = partition::HashRange::Inclusive(Hash128{5, 0}, Hash128{5, UINT64_MAX});
  const KeyBounds bounds = RingBounds(Space::kData, kLayoutContainer, range);
  EXPECT_LT(DataKey(kLayoutContainer, Item(4, "a", "r")), bounds.lower);
  EXPECT_GE(DataKey(kLayoutContainer, Item(5, "a", "r")), bounds.lower);
  EXPECT_LT(DataKey(kLayoutContainer, Item(5, "a", "r")), bounds.upper);
  EXPECT_GE(DataKey(kLayoutContainer, Item(6, "a", "r")), bounds.upper);

  const KeyBounds whole = RingBounds(Space::kData, kLayoutContainer, partition::HashRange());
  EXPECT_LT(DataKey(kLayoutContainer, Item(UINT64_MAX, "z", "z")), whole.upper);
  EXPECT_GE(SpacePrefix(Space::kData, kLayoutContainer.Next()), whole.upper);
}

TEST(KeyLayoutTest, PrefixEndCarries) {
  EXPECT_EQ(PrefixEnd("ab"), "ac");
  EXPECT_EQ(PrefixEnd("a\xff"), "b");
  EXPECT_EQ(PrefixEnd("\xff\xff"), "");
}

TEST(KeyLayoutTest, RefusesForeignBytes) {
  EXPECT_FALSE(DecodeKey("").has_value());
  EXPECT_FALSE(DecodeKey(std::string_view("\0seq", 4)).has_value());
  EXPECT_FALSE(DecodeKey("Z1234hash").has_value());
  const std::string key = DataKey(kLayoutContainer, Item(1, "pk", "rk"));
  for (size_t size = 0; size < 21; ++size) {
    EXPECT_FALSE(DecodeKey(key.substr(0, size)).has_value()) << size;
  }
  std::string too_long = key;
  too_long.back() = 100;  // a partition key longer than the rest of the key
  EXPECT_FALSE(DecodeKey(too_long).has_value());
}

// docs/format/items.md shows these bytes.
TEST(KeyLayoutTest, WorkedExample) {
  const ItemKey item{Hash128{0x0123456789abcdef, 0xfedcba9876543210}, Tuple("acme"), Tuple("17")};
  EXPECT_EQ(ToHex(DataKey(ContainerId(7), item)),
            "44"
            "00000007"
            "0123456789abcdeffedcba9876543210"
            "3061636d650001"
            "3031370001"
            "07");
  std::string key;
  WriteIndexKey(key, ContainerId(7), IndexId(0x1122334455667788), Tuple("x"), item);
  EXPECT_EQ(ToHex(key),
            "49"
            "00000007"
            "1122334455667788"
            "30780001"
            "0123456789abcdeffedcba9876543210"
            "3061636d650001"
            "3031370001"
            "07"
            "04");
}

TEST(KeyLayoutTest, WorkedExampleOfAReceipt) {
  std::string key;
  WriteReceiptKey(key, kLayoutContainer, Hash128{0x0123456789abcdef, 0xfedcba9876543210},
                  Tuple("acme"), "r");
  EXPECT_EQ(ToHex(key),
            "4e"
            "00000007"
            "0123456789abcdeffedcba9876543210"
            "3061636d650001"
            "72"
            "07");
}

TEST(KeyLayoutTest, RandomBytesNeverRunPastTheEnd) {
  constexpr uint32_t kSeed = 20'240'611;
  SCOPED_TRACE(kSeed);
  std::mt19937 random(kSeed);
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes(random() % 64, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    if (!bytes.empty()) bytes[0] = static_cast<char>(kSpaces[random() % std::size(kSpaces)]);
    if (const auto decoded = DecodeKey(bytes); decoded.has_value()) {
      EXPECT_LE(decoded->partition_key.size() + decoded->row_key.size() + decoded->value.size(),
                bytes.size());
    }
  }
}

}  // namespace
}  // namespace orrery::item
