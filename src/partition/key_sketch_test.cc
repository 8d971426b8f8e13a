#include "partition/key_sketch.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

namespace orrery::partition {
namespace {

using std::chrono::seconds;

constexpr Micros kNow = seconds(1'000);

TEST(KeySketch, ExactWhileThereIsRoom) {
  KeySketch sketch({.capacity = 4});
  sketch.Add("a", 5, kNow);
  sketch.Add("b", 7, kNow);
  sketch.Add("a", 1, kNow);
  const auto top = sketch.Top(10, kNow);
  ASSERT_EQ(top.size(), 2u);
  EXPECT_EQ(top[0].key, "b");
  EXPECT_EQ(top[0].weight, 7);
  EXPECT_EQ(top[1].weight, 6);
  EXPECT_EQ(top[1].error, 0);
  EXPECT_EQ(sketch.Total(kNow), 13);
  EXPECT_EQ(sketch.ErrorBound(kNow), 0);
  EXPECT_EQ(sketch.Top(1, kNow).size(), 1u);
}

TEST(KeySketch, NewKeyInheritsTheLightestAsError) {
  KeySketch sketch({.capacity = 2});
  sketch.Add("heavy", 100, kNow);
  sketch.Add("light", 3, kNow);
  sketch.Add("new", 2, kNow);
  const auto top = sketch.Top(2, kNow);
  EXPECT_EQ(top[1].key, "new");
  EXPECT_EQ(top[1].weight, 5);
  EXPECT_EQ(top[1].error, 3);
  EXPECT_EQ(sketch.ErrorBound(kNow), 3);
}

TEST(KeySketch, SubtractLowersAndStaysAnUpperBound) {
  KeySketch sketch({.capacity = 2});
  sketch.Add("a", 10, kNow);
  sketch.Subtract("a", 4, kNow);
  EXPECT_EQ(sketch.Top(1, kNow)[0].weight, 6);
  sketch.Subtract("a", 100, kNow);
  EXPECT_EQ(sketch.Top(1, kNow)[0].weight, 0);
  sketch.Subtract("unknown", 1, kNow);
  EXPECT_EQ(sketch.Total(kNow), 0);
  // A key that was evicted at weight 8 may still have it when it returns.
  KeySketch full({.capacity = 1});
  full.Add("x", 8, kNow);
  full.Add("y", 1, kNow);
  full.Subtract("y", 9, kNow);
  full.Add("x", 1, kNow);
  EXPECT_GE(full.Top(1, kNow)[0].weight, 9);
}

TEST(KeySketch, WeightsFadeByHalf) {
  KeySketch sketch({.capacity = 4, .half_life = seconds(60)});
  sketch.Add("old", 100, kNow);
  EXPECT_NEAR(sketch.Top(1, kNow + seconds(60))[0].weight, 50, 1e-9);
  sketch.Add("young", 60, kNow + seconds(60));
  const auto top = sketch.Top(2, kNow + seconds(120));
  EXPECT_EQ(top[0].key, "young");
  EXPECT_NEAR(top[0].weight, 30, 1e-9);
  EXPECT_NEAR(top[1].weight, 25, 1e-9);
  EXPECT_NEAR(sketch.Total(kNow + seconds(120)), 55, 1e-9);
}

TEST(KeySketch, LongPausesDoNotOverflow) {
  KeySketch sketch({.capacity = 2, .half_life = seconds(1)});
  sketch.Add("a", 1e6, kNow);
  for (const int64_t pause : {600, 5'000, 1'000'000}) {
    sketch.Add("b", 10, kNow + seconds(pause));
    const auto top = sketch.Top(2, kNow + seconds(pause));
    EXPECT_EQ(top[0].key, "b");
    EXPECT_NEAR(top[0].weight, 10, 1e-6);
    EXPECT_LT(top[1].weight, 1e-6);
  }
}

struct Stream {
  std::map<std::string, double> truth;
  double total = 0;
};

void Feed(KeySketch& sketch, Stream& stream, std::mt19937_64& random, int events, double skew) {
  std::exponential_distribution<double> rank(skew);
  for (int i = 0; i < events; ++i) {
    const std::string key = fmt::format("key-{}", static_cast<int>(rank(random)));
    const auto weight = static_cast<double>(1 + random() % 20);
    sketch.Add(key, weight, kNow);
    stream.truth[key] += weight;
    stream.total += weight;
  }
}

void ExpectPromises(const KeySketch& sketch, const Stream& stream, size_t capacity, uint64_t seed) {
  const auto top = sketch.Top(capacity, kNow);
  ASSERT_LE(top.size(), capacity);
  EXPECT_EQ(sketch.Total(kNow), stream.total);
  EXPECT_LE(sketch.ErrorBound(kNow), stream.total / static_cast<double>(capacity));
  std::map<std::string, WeightedKey> watched;
  for (const WeightedKey& item : top) watched[item.key] = item;
  for (const auto& [key, weight] : stream.truth) {
    const auto found = watched.find(key);
    if (found == watched.end()) {
      ASSERT_LE(weight, sketch.ErrorBound(kNow)) << key << " seed " << seed;
      ASSERT_LE(weight, stream.total / static_cast<double>(capacity)) << key << " seed " << seed;
    } else {
      ASSERT_GE(found->second.weight, weight) << key << " seed " << seed;
      ASSERT_LE(found->second.weight - found->second.error, weight) << key << " seed " << seed;
    }
  }
}

TEST(KeySketch, PromisesHoldForRandomStreams) {
  constexpr uint64_t kSeed = 5'772;
  std::mt19937_64 random(kSeed);
  for (const size_t capacity : {1u, 2u, 10u, 64u}) {
    for (const double skew : {0.001, 0.02, 0.3}) {
      KeySketch sketch({.capacity = capacity});
      Stream stream;
      Feed(sketch, stream, random, 5'000, skew);
      ExpectPromises(sketch, stream, capacity, kSeed);
    }
  }
}

TEST(KeySketch, PromisesHoldAfterMerging) {
  constexpr uint64_t kSeed = 2'718;
  std::mt19937_64 random(kSeed);
  for (const size_t capacity : {2u, 16u, 64u}) {
    for (const double skew : {0.005, 0.1}) {
      KeySketch all({.capacity = capacity});
      Stream stream;
      Feed(all, stream, random, 1'000, skew);
      for (int part = 0; part < 4; ++part) {
        KeySketch sketch({.capacity = capacity});
        Feed(sketch, stream, random, part * 700, skew * (part + 1));
        all.Merge(sketch, kNow);
      }
      Feed(all, stream, random, 500, skew);
      ExpectPromises(all, stream, capacity, kSeed);
    }
  }
}

TEST(KeySketch, MergeAlignsFading) {
  const KeySketchOptions options{.capacity = 4, .half_life = seconds(10)};
  KeySketch a(options);
  KeySketch b(options);
  a.Add("x", 16, kNow);
  b.Add("x", 8, kNow + seconds(20));
  a.Merge(b, kNow + seconds(20));
  EXPECT_NEAR(a.Top(1, kNow + seconds(20))[0].weight, 4 + 8, 1e-9);
}

}  // namespace
}  // namespace orrery::partition
