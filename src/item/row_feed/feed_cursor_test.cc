#include "item/row_feed/feed_cursor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <tuple>
#include <utility>

#include "item/item_test_harness.h"

namespace orrery::item {
namespace {

constexpr ContainerId kFeedContainer{7};

class FeedCursorTest : public testing::Test {
 protected:
  using Place = std::tuple<uint64_t, uint64_t, uint32_t>;  // position, hash, seq

  void Store(const std::vector<Place>& places) {
    PackBuilder builder;
    for (const auto& [lsn, hash, seq] : places) builder.Add({Lsn(lsn), Hash128{hash, 0}, seq, "x"});
    const StoredPack pack = builder.Build(kFeedContainer);
    storage::Batch batch;
    batch.Put(pack.key, pack.pack);
    ASSERT_OK(harness_.engine().Write(batch, storage::Durability::kOs));
  }
  std::vector<Place> Read(uint64_t after = 0, uint64_t until = 1'000'000) {
    FeedCursor cursor(harness_.engine(), kFeedContainer,
                      {.after = Lsn(after), .until = Lsn(until)});
    std::vector<Place> read;
    for (;;) {
      const auto more = cursor.Next();
      EXPECT_TRUE(more.has_value()) << more.error().ToString();
      if (!more.value_or(false)) return read;
      read.emplace_back(cursor.change().lsn.value(), cursor.change().hash.high,
                        cursor.change().seq);
    }
  }

  ItemHarness harness_;
};

TEST_F(FeedCursorTest, ShowsWhatLiesBetweenItsEnds) {
  Store({{10, 1, 0}, {11, 2, 0}, {12, 3, 0}});
  Store({{20, 1, 0}, {21, 2, 0}});
  EXPECT_EQ(Read(10, 20), (std::vector<Place>{{11, 2, 0}, {12, 3, 0}, {20, 1, 0}}))
      << "also where a pack ends after the end";
  EXPECT_TRUE(Read(21).empty());
}

TEST_F(FeedCursorTest, PacksOfMergedPartitionsComeInOrderAndOnce) {
  Store({{10, 1, 0}, {30, 1, 0}});
  Store({{5, 9, 0}, {12, 9, 0}, {31, 9, 0}});
  Store({{11, 5, 0}, {30, 5, 0}, {30, 5, 1}});
  Store({{10, 1, 0}, {12, 9, 0}, {40, 2, 0}});
  EXPECT_EQ(Read(), (std::vector<Place>{{5, 9, 0},
                                        {10, 1, 0},
                                        {11, 5, 0},
                                        {12, 9, 0},
                                        {30, 1, 0},
                                        {30, 5, 0},
                                        {30, 5, 1},
                                        {31, 9, 0},
                                        {40, 2, 0}}));
}

TEST_F(FeedCursorTest, AnyPacksAreReadInOrder) {
  constexpr uint32_t kSeed = 20'261;
  std::mt19937 random(kSeed);
  std::set<Place> all;
  std::set<std::pair<uint64_t, uint64_t>> keys;
  for (int pack = 0; pack < 400; ++pack) {
    const uint64_t first = 1 + random() % 5'000;
    std::set<Place> places;
    for (int change = 0; change < 20; ++change)
      places.emplace(first + random() % kPackSpan, random() % 8, random() % 3);
    // Packs with one key do not come about.
    if (!keys.emplace(std::get<0>(*places.rbegin()), std::get<1>(*places.begin())).second) continue;
    all.insert(places.begin(), places.end());
    Store({places.begin(), places.end()});
  }
  const std::vector<Place> expected(all.begin(), all.end());
  EXPECT_EQ(Read(), expected) << "seed " << kSeed;
  for (int i = 0; i < 50; ++i) {
    const uint64_t after = random() % 5'500;
    const uint64_t until = after + random() % 1'000;
    std::vector<Place> between;
    std::ranges::copy_if(expected, std::back_inserter(between), [&](const Place& place) {
      return std::get<0>(place) > after && std::get<0>(place) <= until;
    });
    EXPECT_EQ(Read(after, until), between) << after << " to " << until << ", seed " << kSeed;
  }
}

TEST_F(FeedCursorTest, DamageIsAnError) {
  storage::Batch batch;
  std::string key;
  WriteRowFeedKey(key, kFeedContainer, Lsn(5), Hash128{});
  batch.Put(key, "\x05");
  ASSERT_OK(harness_.engine().Write(batch, storage::Durability::kOs));
  FeedCursor cursor(harness_.engine(), kFeedContainer, {.after = Lsn(), .until = Lsn(9)});
  const auto more = cursor.Next();
  ASSERT_FALSE(more.has_value());
  EXPECT_EQ(more.error().code(), Code::kCorruption);
}

}  // namespace
}  // namespace orrery::item
