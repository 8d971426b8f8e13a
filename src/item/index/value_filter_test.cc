#include "item/index/value_filter.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

namespace orrery::item {
namespace {

std::string ValueOf(int n) { return "value" + std::to_string(n); }

TEST(ValueFilterTest, NeverMissesAValue) {
  ValueFilter filter;
  EXPECT_FALSE(filter.MayHave(ValueOf(0)));
  constexpr int kCount = 100'000;
  for (int i = 0; i < kCount; ++i) filter.Add(ValueOf(i));
  for (int i = 0; i < kCount; ++i) ASSERT_TRUE(filter.MayHave(ValueOf(i))) << i;
}

TEST(ValueFilterTest, RulesOutMostOthers) {
  ValueFilter filter;
  constexpr int kCount = 50'000;
  for (int i = 0; i < kCount; ++i) filter.Add(ValueOf(i));
  int wrong = 0;
  for (int i = kCount; i < 2 * kCount; ++i) wrong += filter.MayHave(ValueOf(i)) ? 1 : 0;
  EXPECT_LT(wrong, kCount / 20);
}

TEST(ValueFilterTest, RepeatedValuesTakeNoRoom) {
  ValueFilter filter;
  for (int i = 0; i < 100'000; ++i) filter.Add(ValueOf(i % 10));
  EXPECT_LE(filter.bytes(), ValueFilter::kFirstLevelValues * ValueFilter::kBitsPerValue / 8);
}

TEST(ValueFilterTest, WritersMayMeet) {
  ValueFilter filter;
  constexpr int kEach = 20'000;
  std::vector<std::thread> writers;
  for (int writer = 0; writer < 3; ++writer) {
    writers.emplace_back([&, writer] {
      for (int i = 0; i < kEach; ++i) {
        filter.Add(ValueOf(writer * kEach + i));
        ASSERT_TRUE(filter.MayHave(ValueOf(writer * kEach + i)));
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  for (int i = 0; i < 3 * kEach; ++i) ASSERT_TRUE(filter.MayHave(ValueOf(i)));
}

}  // namespace
}  // namespace orrery::item
