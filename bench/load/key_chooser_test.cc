#include "load/key_chooser.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <vector>

namespace orrery::bench {
namespace {

constexpr uint64_t kChooserSeed = 20'261'116;

TEST(KeyChooserTest, UniformReachesAllKeysEvenly) {
  SCOPED_TRACE(kChooserSeed);
  KeyChooser chooser = KeyChooser::Uniform(10, kChooserSeed);
  std::vector<int> counts(10);
  for (int i = 0; i < 100'000; ++i) ++counts.at(chooser.Next());
  for (const int count : counts) EXPECT_NEAR(count, 10'000, 500);
}

TEST(KeyChooserTest, ZipfRanksFollowTheLaw) {
  SCOPED_TRACE(kChooserSeed);
  constexpr uint64_t kRanks = 1'000;
  constexpr int kDraws = 500'000;
  const ZipfRanks ranks(kRanks);
  LoadRandom random(kChooserSeed);
  std::vector<int> counts(kRanks + 1);
  for (int i = 0; i < kDraws; ++i) ++counts.at(ranks.Next(random));
  EXPECT_EQ(counts[0], 0);
  double weights = 0;
  for (uint64_t k = 1; k <= kRanks; ++k) weights += std::pow(k, -ZipfRanks::kExponent);
  for (const uint64_t k : {1u, 2u, 3u, 10u, 100u}) {
    const double expected = kDraws * std::pow(k, -ZipfRanks::kExponent) / weights;
    EXPECT_NEAR(counts[k], expected, 5 * std::sqrt(expected)) << "rank " << k;
  }
}

TEST(KeyChooserTest, ZipfStaysInsideAndIsSkewed) {
  KeyChooser chooser = KeyChooser::Zipf(1'000, kChooserSeed);
  std::map<uint64_t, int> counts;
  for (int i = 0; i < 10'000; ++i) ++counts[chooser.Next()];
  EXPECT_LT(counts.rbegin()->first, 1'000u);
  int most = 0;
  for (const auto& [key, count] : counts) most = std::max(most, count);
  EXPECT_GT(most, 1'000);
}

TEST(KeyChooserTest, OneKeyIsAlwaysChosen) {
  KeyChooser uniform = KeyChooser::Uniform(1, kChooserSeed);
  KeyChooser zipf = KeyChooser::Zipf(1, kChooserSeed);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(uniform.Next(), 0u);
    EXPECT_EQ(zipf.Next(), 0u);
  }
}

TEST(KeyChooserTest, SequencesOfThreadsCoverAllRowsOnce) {
  std::vector<int> seen(12);
  for (uint64_t thread = 0; thread < 3; ++thread) {
    KeyChooser chooser = KeyChooser::Sequence(thread, 3);
    for (int i = 0; i < 4; ++i) ++seen.at(chooser.Next());
  }
  EXPECT_EQ(seen, std::vector<int>(12, 1));
}

TEST(KeyChooserTest, TheSameSeedGivesTheSameRows) {
  KeyChooser one = KeyChooser::Zipf(1'000, 7);
  KeyChooser two = KeyChooser::Zipf(1'000, 7);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(one.Next(), two.Next());
}

}  // namespace
}  // namespace orrery::bench
