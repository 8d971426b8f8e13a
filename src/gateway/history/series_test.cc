#include "gateway/history/series.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace orrery::gateway {
namespace {

constexpr int64_t kStart = 1'700'000'100 / 900 * 900;

TEST(SeriesTest, EachTierHasTheMeanTheHighestSecondAndTheSum) {
  Series series;
  for (int64_t i = 0; i < 60; ++i) {
    const auto used = static_cast<float>(i);
    series.Add(kStart + i,
               {.used = used, .used_highest = used, .throttled = 2, .bytes = 100 + used});
  }
  const auto seconds = series.Rows(0, kStart, 60);
  EXPECT_EQ(seconds[7]->used, 7);
  const auto tens = series.Rows(1, kStart, 7);
  EXPECT_FLOAT_EQ(tens[2]->used, 24.5);
  EXPECT_EQ(tens[2]->used_highest, 29);
  EXPECT_EQ(tens[2]->throttled, 20);
  EXPECT_EQ(tens[2]->bytes, 129);
  EXPECT_FALSE(tens[6].has_value());
  // The step under way is told too.
  EXPECT_EQ(series.Rows(3, kStart, 1)[0]->used_highest, 59);
}

TEST(SeriesTest, SecondsThatWereNotSampledAreGaps) {
  Series series;
  series.Add(kStart, {.used = 1, .used_highest = 1});
  series.Add(kStart + 3, {.used = 4, .used_highest = 4});
  series.Add(kStart + 2, {.used = 9, .used_highest = 9});  // too late
  const auto rows = series.Rows(0, kStart - 1, 6);
  EXPECT_FALSE(rows[0].has_value());
  EXPECT_EQ(rows[1]->used, 1);
  EXPECT_FALSE(rows[2].has_value());
  EXPECT_FALSE(rows[3].has_value());
  EXPECT_EQ(rows[4]->used, 4);
  EXPECT_FALSE(rows[5].has_value());
  // The mean is of the seconds that are known.
  EXPECT_FLOAT_EQ(series.Rows(1, kStart, 1)[0]->used, 2.5);
}

TEST(SeriesTest, IdleTimeCostsNextToNothing) {
  Series busy;
  Series idle;
  for (int64_t i = 0; i < 24 * 3'600; ++i) {
    busy.Add(kStart + i, {.used = 1, .used_highest = 1, .bytes = static_cast<float>(i)});
    idle.Add(kStart + i, {.bytes = 4'096});
  }
  EXPECT_LT(idle.bytes(), 1'024u);
  EXPECT_LT(busy.bytes(), 64u << 10);
  EXPECT_GT(busy.bytes(), 40u << 10);
  const auto rows = idle.Rows(2, kStart + 3'600, 60);
  for (const auto& row : rows) {
    ASSERT_TRUE(row.has_value());
    EXPECT_EQ(row->used, 0);
    EXPECT_EQ(row->bytes, 4'096);
  }
}

TEST(SeriesTest, WhatIsOlderThanATierIsInTheNext) {
  Series series;
  for (int64_t i = 0; i < 4 * 3'600; ++i) series.Add(kStart + i, {.used = 1, .used_highest = 1});
  EXPECT_FALSE(series.Rows(0, kStart + 60, 1)[0].has_value());
  EXPECT_FALSE(series.Rows(1, kStart + 60, 1)[0].has_value());
  EXPECT_TRUE(series.Rows(2, kStart + 60, 1)[0].has_value());
}

TEST(SeriesTest, TheFinestTierGoesFirst) {
  Series series;
  for (int64_t i = 0; i < 600; ++i)
    series.Add(kStart + i, {.used = 1, .used_highest = 1, .bytes = static_cast<float>(i)});
  const size_t before = series.bytes();
  EXPECT_TRUE(series.DropFinest());
  EXPECT_LT(series.bytes(), before / 2);
  series.Add(kStart + 600, {.used = 1, .used_highest = 1});
  EXPECT_FALSE(series.Rows(0, kStart + 600, 1)[0].has_value());
  EXPECT_TRUE(series.Rows(1, kStart + 590, 1)[0].has_value());
  EXPECT_TRUE(series.DropFinest());
  EXPECT_TRUE(series.DropFinest());
  EXPECT_FALSE(series.DropFinest());
  EXPECT_TRUE(series.Rows(3, kStart, 1)[0].has_value());
}

// Against rows that are simply kept.
TEST(SeriesTest, RowsAreThoseThatWereAdded) {
  std::mt19937 random(11);
  Series series;
  std::map<int64_t, SeriesRow> kept;
  int64_t second = kStart;
  for (int i = 0; i < 3'000; ++i) {
    second += random() % 20 == 0 ? static_cast<int64_t>(random() % 200) + 1 : 1;
    SeriesRow row{.bytes = static_cast<float>(random() % 50 == 0 ? random() % 3 : 1)};
    if (random() % 300 < 40) row.used = row.used_highest = static_cast<float>(random() % 100);
    series.Add(second, row);
    kept[second] = row;
  }
  const auto rows = series.Rows(0, second - 599, 600);
  for (int64_t i = 0; i < 600; ++i) {
    const auto found = kept.find(second - 599 + i);
    ASSERT_EQ(rows[static_cast<size_t>(i)].has_value(), found != kept.end()) << i;
    if (found == kept.end()) continue;
    EXPECT_EQ(rows[static_cast<size_t>(i)]->used, found->second.used);
    EXPECT_EQ(rows[static_cast<size_t>(i)]->bytes, found->second.bytes);
  }
}

}  // namespace
}  // namespace orrery::gateway
