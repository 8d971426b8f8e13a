#include "script/lru_map.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace orrery::script {
namespace {

TEST(LruMapTest, ForgetsWhatWasUsedLongestAgo) {
  LruMap<int, std::string> map(2);
  std::vector<int> forgotten;
  const auto forget = [&](int key) { forgotten.push_back(key); };
  map.Insert(1, "one", forget);
  map.Insert(2, "two", forget);
  ASSERT_NE(map.Find(1), nullptr);
  EXPECT_EQ(map.Insert(3, "three", forget), "three");
  EXPECT_EQ(forgotten, std::vector<int>{2});
  EXPECT_EQ(map.Find(2), nullptr);
  EXPECT_EQ(*map.Find(1), "one");
  EXPECT_EQ(map.size(), 2u);
  map.EraseIf([](const std::string& value) { return value == "one"; });
  EXPECT_EQ(map.Find(1), nullptr);
  EXPECT_EQ(map.size(), 1u);
}

}  // namespace
}  // namespace orrery::script
