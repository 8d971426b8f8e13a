#include "partition/key/partition_key.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "partition/key/cassandra_key.h"

namespace orrery::partition {
namespace {

using model::Value;
using model::Values;

Hash128 At(KeyHashing hashing, const Values& key) { return HashOf(hashing, key).value(); }
std::string Epk(KeyHashing hashing, const Values& key) {
  return EffectivePartitionKey(hashing, key).value();
}

TEST(PartitionKey, PositionOfV2IsTheEpk) {
  EXPECT_EQ(At(KeyHashing::kV2, {Value::String("redmond")}).ToString(),
            "22E342F38A486A088463DFF7838A5963");
}

TEST(PartitionKey, PositionOfV1IsHashThenValue) {
  EXPECT_EQ(At(KeyHashing::kV1, {Value::Null()}).ToString(),
            "E45AD1AB"
            "010000000000000000000000");
  EXPECT_EQ(At(KeyHashing::kV1, {Value::String("redmond")}).ToString().substr(8),
            "087366656E706F6500000000");
}

TEST(PartitionKey, PositionOfMultiHashIsTheHeadOfEachLevel) {
  const Values key = {Value::String("redmond"), Value::Int32(5), Value::Null()};
  // 22E3.. whole; 19C08621 B.. and 378867E4 4.. shifted left by two bits.
  EXPECT_EQ(At(KeyHashing::kMultiHash, key).ToString(),
            "22E342F38A486A08"
            "67021886"
            "DE219F91");
}

TEST(PartitionKey, HierarchicalPrefixIsOneRange) {
  const Values key = {Value::String("tenant"), Value::String("user"), Value::Int32(3)};
  const auto prefix = [&](size_t levels) {
    return RangeOfPrefix(KeyHashing::kMultiHash, std::span(key).first(levels)).value();
  };
  const Hash128 position = At(KeyHashing::kMultiHash, key);
  EXPECT_TRUE(prefix(1).Contains(prefix(2)));
  EXPECT_TRUE(prefix(2).Contains(prefix(3)));
  EXPECT_EQ(prefix(3), HashRange::Inclusive(position, position));
  EXPECT_TRUE(prefix(1).divisible());
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(prefix(1).Contains(
        At(KeyHashing::kMultiHash, {Value::String("tenant"), Value::Int32(i), Value::Null()})));
    EXPECT_FALSE(prefix(1).Contains(
        At(KeyHashing::kMultiHash, {Value::Int32(i), Value::String("user"), Value::Int32(3)})));
  }
}

TEST(PartitionKey, RingOrderIsEpkOrder) {
  std::mt19937_64 random(7'113);
  for (const KeyHashing hashing : {KeyHashing::kV1, KeyHashing::kV2, KeyHashing::kMultiHash}) {
    std::vector<std::pair<std::string, Hash128>> keys;
    for (int i = 0; i < 3'000; ++i) {
      Values key = {Value::Int32(static_cast<int32_t>(random() % 500)),
                    Value::String(fmt::format("u{}", random() % 50)),
                    Value::Int32(static_cast<int32_t>(i))};
      keys.emplace_back(Epk(hashing, key), At(hashing, key));
    }
    std::sort(keys.begin(), keys.end());
    for (size_t i = 1; i < keys.size(); ++i) ASSERT_LE(keys[i - 1].second, keys[i].second);
  }
}

TEST(PartitionKey, BoundariesTellEpksApartAsPositions) {
  std::mt19937_64 random(99);
  for (const KeyHashing hashing : {KeyHashing::kV1, KeyHashing::kV2, KeyHashing::kMultiHash}) {
    std::vector<Hash128> cuts;
    for (uint32_t n : {2u, 3u, 7u}) {
      for (const HashRange& range : DivideEvenly(UsedSpan(hashing), n))
        cuts.push_back(range.begin());
    }
    if (hashing != KeyHashing::kMultiHash) {
      for (int i = 0; i < 20; ++i) cuts.push_back(At(hashing, {Value::Int32(i)}));
    }
    for (int i = 0; i < 500; ++i) {
      const Values key = {i % 3 == 0 ? Value::String(fmt::format("k{}", random()))
                                     : Value::Int32(static_cast<int32_t>(i / 2))};
      for (const Hash128 cut : cuts) {
        ASSERT_EQ(At(hashing, key) >= cut, Epk(hashing, key) >= EpkHex(hashing, cut))
            << cut.ToString() << " " << Epk(hashing, key);
      }
    }
  }
}

TEST(PartitionKey, BoundariesAsSdksWantThem) {
  for (const KeyHashing hashing :
       {KeyHashing::kCassandra, KeyHashing::kV1, KeyHashing::kV2, KeyHashing::kMultiHash}) {
    std::string before;
    for (const HashRange& range : DivideEvenly(UsedSpan(hashing), 1'000)) {
      EXPECT_EQ(EpkHex(hashing, range.begin()), before);
      before = EpkHex(hashing, range.end());
      EXPECT_LE(before, "FF");
    }
    EXPECT_EQ(before, "FF");
  }
  const HashRange used = UsedSpan(KeyHashing::kV2);
  EXPECT_EQ(EpkHex(KeyHashing::kV2, DivideEvenly(used, 3)[1].begin()),
            "15555555555555555555555555555555");
  // 2^31 - 1 and 2^31, the two ways of writing half of the 32-bit space.
  EXPECT_EQ(EpkHex(KeyHashing::kV1, Hash128{0x7fffffff00000000, 0}), "05C1DFFFFFFFFC");
  EXPECT_EQ(EpkHex(KeyHashing::kV1, DivideEvenly(UsedSpan(KeyHashing::kV1), 2)[1].begin()),
            "05C1E0");
}

TEST(PartitionKey, Errors) {
  const auto code = [](KeyHashing hashing, const Values& key) {
    return HashOf(hashing, key).error().code();
  };
  EXPECT_EQ(code(KeyHashing::kV2, {}), Code::kInvalidArgument);
  EXPECT_EQ(code(KeyHashing::kMultiHash, Values(4)), Code::kInvalidArgument);
  EXPECT_EQ(code(KeyHashing::kCassandra, {Value::Null()}), Code::kInvalidArgument);
  EXPECT_EQ(EffectivePartitionKey(KeyHashing::kCassandra, Values(1)).error().code(),
            Code::kUnsupported);
}

TEST(PartitionKey, MillionKeysSpreadEvenlyOverTenRanges) {
  constexpr int kKeys = 1'000'000;
  constexpr int kRanges = 10;
  for (const KeyHashing hashing : {KeyHashing::kV2, KeyHashing::kCassandra}) {
    const auto ranges = DivideEvenly(UsedSpan(hashing), kRanges);
    int counts[kRanges] = {};
    for (int i = 0; i < kKeys; ++i) {
      const Value key = Value::Int32(i);
      const Hash128 position = HashOf(hashing, {&key, 1}).value();
      const auto range = std::ranges::lower_bound(ranges, position, {}, &HashRange::last);
      ++counts[range - ranges.begin()];
    }
    for (const int count : counts) EXPECT_NEAR(count, kKeys / kRanges, kKeys / kRanges / 100);
  }
}

TEST(EpkOfCut, PartsTheKeysOfOneFirstLevelAsPositionsDo) {
  // Few values on the lower levels, so that cuts fall between and inside second levels.
  std::vector<std::vector<Value>> keys;
  for (int user = 0; user < 12; ++user) {
    for (int session = 0; session < 12; ++session) {
      keys.push_back({Value::String("tenant"), Value::Int32(user), Value::Int32(session)});
    }
  }
  const auto position = [](const std::vector<Value>& key) {
    return *HashOf(KeyHashing::kMultiHash, key);
  };
  std::ranges::sort(keys, {}, position);
  const auto expect_parted = [&](Hash128 cut) {
    const auto at = std::ranges::lower_bound(keys, cut, {}, position);
    const std::string boundary = EpkOfCut(cut, at == keys.end() ? keys.front() : *at);
    for (const auto& key : keys) {
      ASSERT_EQ(*EffectivePartitionKey(KeyHashing::kMultiHash, key) < boundary, position(key) < cut)
          << cut.ToString() << " " << boundary;
    }
  };
  for (const auto& key : keys) {
    const Hash128 at = position(key);
    expect_parted(at);
    expect_parted({at.high, at.low + 1});
    expect_parted({at.high, at.low & ~uint64_t{0xffffffff}});
    expect_parted({at.high, at.low | 0xffffffff});
  }
  expect_parted({position(keys.front()).high, UINT64_MAX});
}

}  // namespace
}  // namespace orrery::partition
