#include "cluster/simulation/key_population.h"

#include <gtest/gtest.h>

#include <cmath>

namespace orrery::cluster {
namespace {

constexpr size_t kNamed = 1'000;
const partition::HashRange kRing;

std::pair<partition::HashRange, partition::HashRange> Halves() {
  return kRing.CutAt(*partition::EvenCut(kRing, KeyPopulation::UsedSpan()));
}

TEST(KeyPopulation, ManyEvenKeysAreSmooth) {
  const auto keys = KeyPopulation::Even(1'000'000'000, 1, kNamed);
  EXPECT_NEAR(keys.ShareOf(kRing).load, 1, 1e-9);
  EXPECT_NEAR(keys.ShareOf(Halves().first).load, 0.5, 1e-9);
  EXPECT_NEAR(keys.ShareOf(Halves().second).bytes, 0.5, 1e-9);
  EXPECT_FALSE(keys.IsSoleKey(kRing));
  EXPECT_TRUE(keys.Hottest(3).empty());
}

TEST(KeyPopulation, FewEvenKeysAreAllNamed) {
  const auto keys = KeyPopulation::Even(4, 1, kNamed);
  const auto top = keys.Hottest(10);
  ASSERT_EQ(top.size(), 4);
  EXPECT_EQ(top[0].name, "key-1");
  EXPECT_DOUBLE_EQ(top[0].share.load, 0.25);
  EXPECT_NEAR(keys.ShareOf(Halves().first).load + keys.ShareOf(Halves().second).load, 1, 1e-9);
}

TEST(KeyPopulation, ZipfSumsToOneHoweverManyKeysAreNamed) {
  for (const double exponent : {0.5, 1.0, 1.5}) {
    const auto all = KeyPopulation::Zipf(20'000, exponent, 1, 20'000);
    const auto some = KeyPopulation::Zipf(20'000, exponent, 1, 500);
    EXPECT_NEAR(all.ShareOf(kRing).load, 1, 1e-9);
    EXPECT_NEAR(some.ShareOf(kRing).load, 1, 1e-9);
    // The tail by integral is the tail by sum.
    EXPECT_NEAR(some.Hottest(1)[0].share.load / all.Hottest(1)[0].share.load, 1, 1e-4);
  }
}

TEST(KeyPopulation, ZipfWeightsFallWithTheRank) {
  const auto top = KeyPopulation::Zipf(1'000'000, 1, 7, kNamed).Hottest(4);
  ASSERT_EQ(top.size(), 4);
  EXPECT_NEAR(top[0].share.load / top[3].share.load, 4, 1e-9);
}

TEST(KeyPopulation, TheSaltDecidesWhereKeysLie) {
  const auto a = KeyPopulation::Zipf(100, 1, 1, kNamed);
  const auto b = KeyPopulation::Zipf(100, 1, 2, kNamed);
  EXPECT_EQ(a.ShareOf(Halves().first).load,
            KeyPopulation::Zipf(100, 1, 1, kNamed).ShareOf(Halves().first).load);
  EXPECT_NE(a.ShareOf(Halves().first).load, b.ShareOf(Halves().first).load);
}

TEST(KeyPopulation, ListedKeysHaveBytesOfTheirOwn) {
  const std::vector<ListedKey> list{{"a", 3, 100}, {"b", 1, 300}};
  const auto keys = KeyPopulation::Listed(list);
  EXPECT_EQ(keys.Hottest(1)[0].name, "a");
  EXPECT_DOUBLE_EQ(keys.Hottest(1)[0].share.load, 0.75);
  EXPECT_EQ(keys.Largest(1)[0].name, "b");
  EXPECT_DOUBLE_EQ(keys.Largest(1)[0].share.bytes, 0.75);
}

TEST(KeyPopulation, ListedKeysWithoutBytesStoreByWeight) {
  const std::vector<ListedKey> list{{"a", 3, 0}, {"b", 1, 0}};
  EXPECT_DOUBLE_EQ(KeyPopulation::Listed(list).Largest(1)[0].share.bytes, 0.75);
}

TEST(KeyPopulation, CutsFallBetweenKeysAndHalveTheBytes) {
  const auto keys = KeyPopulation::Zipf(10'000, 0.8, 5, kNamed);
  const auto cut = partition::ChooseCut(kRing, keys.SampleBytes(kRing, 1e12));
  ASSERT_TRUE(cut.has_value());
  const auto [below, above] = kRing.CutAt(*cut);
  EXPECT_NEAR(keys.ShareOf(below).bytes, 0.5, 0.05);
}

TEST(KeyPopulation, OneKeyCannotBeCut) {
  const auto keys = KeyPopulation::Even(1, 1, kNamed);
  EXPECT_TRUE(keys.IsSoleKey(kRing));
  EXPECT_EQ(partition::ChooseCut(kRing, keys.SampleBytes(kRing, 1e12)), std::nullopt);
}

TEST(KeyPopulation, AHeavyKeyAmongManyIsSoonAlone) {
  const auto keys = KeyPopulation::Zipf(1'000'000, 2, 1, kNamed);
  partition::HashRange range;
  int cuts = 0;
  for (; !keys.IsSoleKey(range); ++cuts) {
    ASSERT_LT(cuts, 10);
    const auto cut = partition::ChooseCut(range, keys.SampleBytes(range, 1e12));
    ASSERT_TRUE(cut.has_value());
    const auto [below, above] = range.CutAt(*cut);
    range = keys.ShareOf(below).bytes > keys.ShareOf(above).bytes ? below : above;
  }
  EXPECT_GE(keys.ShareOf(range).bytes, keys.Largest(1)[0].share.bytes);
}

}  // namespace
}  // namespace orrery::cluster
