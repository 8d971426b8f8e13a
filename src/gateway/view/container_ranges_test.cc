#include "gateway/view/container_ranges.h"

#include <gtest/gtest.h>

#include "gateway/test_server.h"
#include "partition/key/partition_key.h"

namespace orrery::gateway {
namespace {

using partition::KeyHashing;
using partition::ThroughputSettings;

ContainerEntry Hashed(KeyHashing hashing) {
  ContainerEntry entry;
  entry.settings.hashing = hashing;
  return entry;
}

TEST(ContainerRanges, AreContiguousAndEven) {
  TestServer server(SmallPartitions());
  const ContainerRef container = server.MakeContainer("c", ThroughputSettings::Manual(2'000));
  const auto ranges = RangesOf(*server.gateway, *container);
  ASSERT_TRUE(ranges.has_value());
  ASSERT_EQ(ranges->size(), 2u);
  EXPECT_EQ(ranges->at(0).min_epk, "");
  EXPECT_EQ(ranges->at(0).max_epk, "2" + std::string(31, '0'));
  EXPECT_EQ(ranges->at(1).min_epk, ranges->at(0).max_epk);
  EXPECT_EQ(ranges->at(1).max_epk, "FF");
  EXPECT_TRUE(ranges->at(0).ancestry.empty());
}

TEST(ContainerRanges, ChildrenOfASplitNameTheirParent) {
  TestServer server;
  const ContainerRef container = server.MakeContainer("c", ThroughputSettings::Manual(1'000));
  for (int i = 0; i < 50; ++i)
    ASSERT_TRUE(server.Put(container, fmt::format(R"({{"id":"{}","pk":"k{}"}})", i, i)).status);
  const ContainerRange whole = RangesOf(*server.gateway, *container)->at(0);
  EXPECT_EQ(whole.items, 50u);
  const PartitionId parent = whole.partition;
  ASSERT_TRUE(server.node->Split(parent, std::nullopt).has_value());
  const auto ranges = RangesOf(*server.gateway, *container);
  ASSERT_EQ(ranges->size(), 2u);
  EXPECT_EQ(FindRange(*server.gateway, *container, parent), std::nullopt);
  EXPECT_EQ(FindRange(*server.gateway, *container, ranges->at(1).partition), ranges->at(1).range);
  for (const ContainerRange& range : *ranges) {
    EXPECT_EQ(range.ancestry, std::vector<PartitionId>{parent});
    EXPECT_GT(range.partition, parent);
  }
}

TEST(ContainerRanges, EpksBecomePositionsAgain) {
  for (const KeyHashing hashing : {KeyHashing::kV1, KeyHashing::kV2}) {
    SCOPED_TRACE(static_cast<int>(hashing));
    const ContainerEntry entry = Hashed(hashing);
    for (const char* key : {"redmond", "", "a", "Ψ"}) {
      const model::Value values[] = {model::Value::String(key)};
      const std::string epk = *partition::EffectivePartitionKey(hashing, values);
      const Hash128 position = *partition::HashOf(hashing, values);
      const auto from = RangeOfEpks(entry, epk, "FF");
      ASSERT_TRUE(from.has_value()) << epk;
      EXPECT_TRUE(from->Contains(position)) << epk;
      const auto until = RangeOfEpks(entry, "", epk);
      ASSERT_TRUE(until.has_value()) << epk;
      EXPECT_EQ(until->Contains(position), hashing == KeyHashing::kV1) << epk;
    }
  }
  EXPECT_EQ(RangeOfEpks(Hashed(KeyHashing::kV2), "", "FF"), partition::HashRange());
}

TEST(ContainerRanges, ItsOwnBoundsAreMetExactly) {
  for (const KeyHashing hashing : {KeyHashing::kV1, KeyHashing::kV2}) {
    const ContainerEntry entry = Hashed(hashing);
    for (const partition::HashRange& range :
         partition::DivideEvenly(partition::UsedSpan(hashing), 7)) {
      EXPECT_EQ(RangeOfEpks(entry, partition::EpkHex(hashing, range.begin()),
                            partition::EpkHex(hashing, range.end())),
                range);
    }
  }
}

TEST(ContainerRanges, APrefixOfAHierarchyIsOneRange) {
  const ContainerEntry entry = Hashed(KeyHashing::kMultiHash);
  const model::Value key[] = {model::Value::String("redmond"), model::Value::Int32(5)};
  const std::span<const model::Value> whole(key);
  const std::string prefix =
      *partition::EffectivePartitionKey(KeyHashing::kMultiHash, whole.first(1));
  const auto range = RangeOfEpks(entry, prefix, prefix + "FF");
  ASSERT_TRUE(range.has_value());
  EXPECT_TRUE(range->Contains(*partition::HashOf(KeyHashing::kMultiHash, whole)));
  EXPECT_EQ(*range, *partition::RangeOfPrefix(KeyHashing::kMultiHash, whole.first(1)));
}

// As Java's client writes it: up to the next number.
TEST(ContainerRanges, APrefixOfAHierarchyEndsWithTheNextNumber) {
  const ContainerEntry entry = Hashed(KeyHashing::kMultiHash);
  const model::Value key[] = {model::Value::String("redmond"), model::Value::Int32(5),
                              model::Value::String("x")};
  const std::span<const model::Value> whole(key);
  for (const size_t levels : {1u, 2u, 3u}) {
    const std::string min =
        *partition::EffectivePartitionKey(KeyHashing::kMultiHash, whole.first(levels));
    std::string max = min;
    for (size_t at = max.size(); at-- > 0;) {
      const char digit = max[at];
      max[at] = digit == 'F' ? '0' : digit == '9' ? 'A' : static_cast<char>(digit + 1);
      if (digit != 'F') break;
    }
    const auto range = RangeOfEpks(entry, min, max);
    ASSERT_TRUE(range.has_value()) << levels;
    EXPECT_TRUE(range->Contains(*partition::HashOf(KeyHashing::kMultiHash, whole))) << levels;
    if (levels < 3) {
      EXPECT_EQ(*range, *partition::RangeOfPrefix(KeyHashing::kMultiHash, whole.first(levels)));
    }
  }
}

TEST(ContainerRanges, WhatIsNoRangeIsRefused) {
  const ContainerEntry entry = Hashed(KeyHashing::kV2);
  for (const auto& [min, max] : {std::pair("20", "10"), std::pair("x", "FF"), std::pair("FF", "FF"),
                                 std::pair("", ""), std::pair("3f", "FF")}) {
    const auto range = RangeOfEpks(entry, min, max);
    ASSERT_FALSE(range.has_value()) << min << " " << max;
    EXPECT_EQ(range.error().code(), Code::kInvalidArgument);
  }
}

}  // namespace
}  // namespace orrery::gateway
