// Every figure that is published, and that the prices stay in order between them.
#include "item/price_list.h"

#include <gtest/gtest.h>

#include <random>

namespace orrery::item {
namespace {

constexpr uint64_t kKilobyte = 1'024;

double Create(uint64_t kilobytes, uint64_t terms = 0) {
  return PriceOfWrite({.bytes_after = kilobytes * kKilobyte, .index_terms_added = terms})
      .ToDouble();
}

TEST(PriceList, PointReads) {
  EXPECT_EQ(PriceOfPointRead(1 * kKilobyte).ToString(), "1.00");
  EXPECT_EQ(PriceOfPointRead(4 * kKilobyte).ToString(), "1.30");
  EXPECT_EQ(PriceOfPointRead(64 * kKilobyte).ToString(), "10.00");
  EXPECT_EQ(PriceOfPointRead(100 * kKilobyte).ToString(), "10.00");
  EXPECT_EQ(PriceOfPointRead(0).ToString(), "1.00");
  EXPECT_EQ(PriceOfPointRead(1 * kKilobyte, ReadPrice::kDouble).ToString(), "2.00");
}

TEST(PriceList, WritesWithoutIndex) {
  EXPECT_EQ(Create(1), 5);
  EXPECT_EQ(Create(4), 7);
  EXPECT_EQ(Create(64), 48);
  EXPECT_EQ(Create(100), 50);
}

TEST(PriceList, WritesWithDefaultIndexing) {
  for (const uint64_t terms : {2, 3, 4, 5}) {
    EXPECT_GE(Create(1, terms), 5.5);
    EXPECT_LE(Create(1, terms), 7);
  }
  for (const uint64_t terms : {20, 24, 28}) {
    EXPECT_GE(Create(1, terms), 10);
    EXPECT_LE(Create(1, terms), 15);
  }
}

TEST(PriceList, ReplaceIsTwiceInsertAndDeleteIsOne) {
  const WriteWork replace{.bytes_before = kKilobyte,
                          .bytes_after = kKilobyte,
                          .index_terms_added = 4,
                          .index_terms_removed = 4};
  EXPECT_EQ(PriceOfWrite(replace).ToDouble(), 2 * Create(1, 4));
  // An update that leaves the indexed values alone.
  EXPECT_EQ(PriceOfWrite({.bytes_before = kKilobyte, .bytes_after = kKilobyte}).ToString(),
            "10.00");
  EXPECT_EQ(PriceOfWrite({.bytes_before = kKilobyte}).ToString(), "5.00");
  EXPECT_EQ(PriceOfWrite({}).ToString(), "1.00");
  EXPECT_EQ(PriceOfRefusedWrite(kKilobyte).ToString(), "1.00");
}

TEST(PriceList, Queries) {
  struct Case {
    const char* what;
    QueryWork work;
    double published;
    double tolerance;  // relative; the published examples do not state their items' sizes
  };
  const Case cases[] = {
      {"by id", {.records_examined = 1, .bytes_examined = kKilobyte, .index_lookups = 1}, 2.5, 0.1},
      {"one 10 KB document",
       {.records_examined = 1, .bytes_examined = 10 * kKilobyte, .index_lookups = 1},
       3.19,
       0.05},
      {"seven rows by one property",
       {.records_examined = 7, .bytes_examined = 7 * kKilobyte, .index_lookups = 1},
       7,
       0.1},
      {"TOP 10",
       {.records_examined = 10, .bytes_examined = 10 * kKilobyte, .index_lookups = 1},
       10,
       0.1},
      {"100 rows ORDER BY",
       {.records_examined = 100, .bytes_examined = 100 * kKilobyte, .index_lookups = 1},
       70,
       0.25},
      {"1,000 items of 1 KB",
       {.records_examined = 1'000, .bytes_examined = 1'000 * kKilobyte, .index_lookups = 1},
       1'000,
       0.2},
  };
  for (const Case& c : cases) {
    EXPECT_NEAR(PriceOfQuery(c.work).ToDouble(), c.published, c.published * c.tolerance) << c.what;
  }
}

TEST(PriceList, EachPartitionOfAFanOutCostsTwoToThree) {
  const double empty = PriceOfQuery({.index_lookups = 1, .fan_out = true}).ToDouble();
  EXPECT_GE(empty, 2);
  EXPECT_LE(empty, 3);
}

TEST(PriceList, StrongReadsCostDouble) {
  const QueryWork work{.records_examined = 3, .bytes_examined = 5'000, .index_lookups = 2};
  EXPECT_EQ(PriceOfQuery(work, ReadPrice::kDouble), PriceOfQuery(work) * 2);
  EXPECT_EQ(PriceOfFeedPage(3, 5'000, ReadPrice::kDouble), PriceOfFeedPage(3, 5'000) * 2);
}

TEST(PriceList, FeedPages) {
  EXPECT_EQ(PriceOfFeedPage(0, 0).ToString(), "1.00");
  EXPECT_EQ(PriceOfFeedPage(100, 100 * kKilobyte).ToString(), "84.00");
}

TEST(PriceList, NeverFallsAsItemsGrow) {
  RequestUnits read;
  RequestUnits write;
  for (uint64_t bytes = 0; bytes <= 2 * kKilobyte * kKilobyte; bytes += 333) {
    ASSERT_GE(PriceOfPointRead(bytes), read);
    ASSERT_GE(PriceOfWrite({.bytes_after = bytes}), write);
    read = PriceOfPointRead(bytes);
    write = PriceOfWrite({.bytes_after = bytes});
  }
  EXPECT_GT(read, PriceOfPointRead(100 * kKilobyte));
  EXPECT_GT(write, PriceOfWrite({.bytes_after = 100 * kKilobyte}));
}

RequestUnits SumOf(const std::vector<ChargePart>& parts) {
  RequestUnits sum;
  for (const ChargePart& part : parts) {
    EXPECT_GT(part.charge, RequestUnits()) << part.what;
    sum += part.charge;
  }
  return sum;
}

TEST(PriceListTest, PartsAlwaysSumToThePrice) {
  std::mt19937_64 random(23);
  // Small numbers as often as large ones.
  const auto number = [&] { return random() >> (random() % 44 + 20); };
  const auto maybe = [&] { return random() % 2 == 0 ? std::optional(number()) : std::nullopt; };
  for (int i = 0; i < 20'000; ++i) {
    const ReadPrice read = random() % 2 == 0 ? ReadPrice::kSingle : ReadPrice::kDouble;
    const uint64_t bytes = number();
    EXPECT_EQ(SumOf(ExplainPointRead(bytes, read)), PriceOfPointRead(bytes, read));
    const WriteWork write{.bytes_before = maybe(),
                          .bytes_after = maybe(),
                          .index_terms_added = number(),
                          .index_terms_removed = number()};
    EXPECT_EQ(SumOf(ExplainWrite(write)), PriceOfWrite(write));
    const QueryWork query{.records_examined = number(),
                          .bytes_examined = bytes,
                          .index_lookups = number(),
                          .entries_passed = number(),
                          .fan_out = random() % 2 == 0};
    EXPECT_EQ(SumOf(ExplainQuery(query, read)), PriceOfQuery(query, read));
    const uint64_t records = number();
    EXPECT_EQ(SumOf(ExplainFeedPage(records, bytes, read)), PriceOfFeedPage(records, bytes, read));
  }
}

}  // namespace
}  // namespace orrery::item
