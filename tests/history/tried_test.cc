#include "history/tried.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

namespace orrery::history {
namespace {

TEST(FillingSet, IsWrittenAlikeForEqualSetsOnly) {
  constexpr size_t kNumbers = 200;
  std::mt19937_64 random(1);
  FillingSet filling(kNumbers);
  std::set<size_t> plain;
  std::map<std::string, std::set<size_t>> written;
  for (int round = 0; round < 5'000; ++round) {
    // Mostly the lower ones, so that words fill up and empty again.
    const size_t number = std::min(random() % kNumbers, random() % kNumbers);
    if (plain.erase(number) > 0) {
      filling.Erase(number);
    } else {
      plain.insert(number);
      filling.Insert(number);
    }
    std::string text;
    filling.AppendTo(text);
    EXPECT_EQ(written.emplace(text, plain).first->second, plain);
    EXPECT_EQ(filling.count(), plain.size());
  }
}

TEST(Tried, MoreUsedForTheSameIsNotTriedAgain) {
  Tried tried;
  EXPECT_TRUE(tried.Add("situation", {0b011}));
  EXPECT_FALSE(tried.Add("situation", {0b011}));
  EXPECT_FALSE(tried.Add("situation", {0b111}));
  EXPECT_TRUE(tried.Add("situation", {0b100}));
  EXPECT_TRUE(tried.Add("another", {0b111}));
  EXPECT_EQ(tried.size(), 3);
}

TEST(Tried, LessUsedReplacesMore) {
  Tried tried;
  EXPECT_TRUE(tried.Add("situation", {0b011}));
  EXPECT_TRUE(tried.Add("situation", {0b001}));
  EXPECT_EQ(tried.size(), 1);
  EXPECT_FALSE(tried.Add("situation", {0b011}));
}

}  // namespace
}  // namespace orrery::history
