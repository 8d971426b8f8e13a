#include "item/row/range_tombstones.h"

#include <gtest/gtest.h>

#include <random>

namespace orrery::item {
namespace {

RangeTombstone Range(std::string lower, std::optional<std::string> upper, int64_t timestamp) {
  return {std::move(lower), std::move(upper), {timestamp, 1}};
}

TEST(RangeTombstones, RoundTrip) {
  for (const RangeTombstone& range : {Range("a", "b", -5), Range("", std::nullopt, 1'700'000)}) {
    std::string value;
    WriteRangeTombstoneValue(value, range);
    EXPECT_EQ(DecodeRangeTombstone(range.lower, value).value(), range);
    value.pop_back();
    EXPECT_FALSE(DecodeRangeTombstone(range.lower, value).has_value());
  }
}

TEST(RangeTombstones, ANewOneTakesTheOlderParts) {
  const auto ranges = AddRangeTombstone({Range("b", "f", 1)}, Range("d", "h", 2));
  EXPECT_EQ(ranges, (std::vector{Range("b", "d", 1), Range("d", "h", 2)}));
  EXPECT_EQ(AddRangeTombstone({Range("b", "f", 3)}, Range("d", "h", 2)),
            (std::vector{Range("b", "f", 3), Range("f", "h", 2)}));
  EXPECT_EQ(AddRangeTombstone({Range("b", std::nullopt, 1)}, Range("c", "d", 2)),
            (std::vector{Range("b", "c", 1), Range("c", "d", 2), Range("d", std::nullopt, 1)}));
}

// Each position on a small line has the latest deletion of all ranges over it.
TEST(RangeTombstones, AgreeWithAModel) {
  constexpr uint32_t kSeed = 16;
  std::mt19937 random(kSeed);
  for (int round = 0; round < 500; ++round) {
    std::vector<RangeTombstone> ranges;
    std::array<int64_t, 26> latest;
    latest.fill(model::kNoTimestamp);
    for (int i = 0; i < 12; ++i) {
      const size_t begin = random() % 26;
      const size_t end = begin + 1 + random() % (26 - begin);
      const auto time = static_cast<int64_t>(random() % 8);
      for (size_t at = begin; at < end; ++at) latest[at] = std::max(latest[at], time);
      ranges = AddRangeTombstone(
          std::move(ranges),
          Range(std::string(1, static_cast<char>('a' + begin)),
                end == 26 ? std::nullopt
                          : std::optional(std::string(1, static_cast<char>('a' + end))),
                time));
      for (size_t n = 1; n < ranges.size(); ++n) {
        ASSERT_LE(*ranges[n - 1].upper, ranges[n].lower) << "seed " << kSeed << " " << round;
      }
    }
    for (size_t at = 0; at < 26; ++at) {
      const std::string place(1, static_cast<char>('a' + at));
      ASSERT_EQ(RangeTombstoneAt(ranges, place).timestamp, latest[at])
          << "seed " << kSeed << " round " << round << " at " << place;
    }
  }
}

}  // namespace
}  // namespace orrery::item
