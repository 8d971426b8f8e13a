#include "partition/map/persistent_index.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace orrery::partition {
namespace {

using Index = PersistentIndex<int, int>;

std::map<int, int> Contents(const Index& index) {
  std::map<int, int> contents;
  int last = INT32_MIN;
  index.ForEach([&](int key, int value) {
    EXPECT_LT(last, key);
    last = key;
    contents[key] = value;
  });
  EXPECT_EQ(contents.size(), index.size());
  return contents;
}

TEST(PersistentIndex, EmptyHasNothing) {
  const Index index;
  EXPECT_TRUE(index.empty());
  EXPECT_EQ(index.Find(1), nullptr);
  Index::Editor editor(index);
  EXPECT_FALSE(editor.Erase(1));
  EXPECT_TRUE(std::move(editor).Finish().empty());
}

TEST(PersistentIndex, OldVersionsStayAsTheyWere) {
  Index::Editor first(Index{});
  for (int i = 0; i < 1'000; ++i) first.Put(i, i);
  const Index before = std::move(first).Finish();
  Index::Editor second(before);
  second.Put(500, -1);
  EXPECT_EQ(*second.Find(500), -1);
  EXPECT_TRUE(second.Erase(501));
  const Index after = std::move(second).Finish();
  EXPECT_EQ(*before.Find(500), 500);
  EXPECT_EQ(*before.Find(501), 501);
  EXPECT_EQ(*after.Find(500), -1);
  EXPECT_EQ(after.Find(501), nullptr);
  EXPECT_EQ(after.size(), 999u);
  // Leaves that were not touched are the same objects.
  EXPECT_EQ(before.Find(10), after.Find(10));
}

TEST(PersistentIndex, AgreesWithAMapUnderRandomChanges) {
  constexpr uint64_t kSeed = 4'711;
  std::mt19937_64 random(kSeed);
  Index index;
  std::map<int, int> expected;
  for (int round = 0; round < 60; ++round) {
    const Index before = index;
    const auto contents_before = expected;
    Index::Editor editor(index);
    for (int i = 0; i < 50; ++i) {
      const int key = static_cast<int>(random() % 3'000);
      if (random() % 3 == 0) {
        EXPECT_EQ(editor.Erase(key), expected.erase(key) == 1);
      } else {
        editor.Put(key, round);
        expected[key] = round;
      }
    }
    index = std::move(editor).Finish();
    ASSERT_EQ(Contents(index), expected) << "seed " << kSeed << " round " << round;
    ASSERT_EQ(Contents(before), contents_before);
  }
  for (int key = -1; key <= 3'000; ++key) {
    const int* value = index.Find(key);
    ASSERT_EQ(value != nullptr, expected.contains(key));
  }
}

}  // namespace
}  // namespace orrery::partition
