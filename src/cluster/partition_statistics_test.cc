#include "cluster/partition_statistics.h"

#include <gtest/gtest.h>

namespace orrery::cluster {
namespace {

TEST(PartitionStatisticsTest, ComeBackAsTheyWere) {
  PartitionStatistics statistics;
  statistics.id = PartitionId(7);
  statistics.bytes = 1'000'000'000'000;
  statistics.items = 12;
  statistics.request_units_per_second = 12.25;
  statistics.granted = 10'000;
  statistics.throttled = 3;
  statistics.shares = {{ContainerId(4), 5, 6}, {ContainerId(9), 7, 8}};
  const auto decoded = DecodeStatistics(EncodeStatistics({PartitionStatistics{}, statistics}));
  ASSERT_TRUE(decoded.has_value());
  ASSERT_EQ(decoded->size(), 2U);
  const PartitionStatistics& same = decoded->at(1);
  EXPECT_EQ(same.id, statistics.id);
  EXPECT_EQ(same.bytes, statistics.bytes);
  EXPECT_EQ(same.items, statistics.items);
  EXPECT_EQ(same.request_units_per_second, statistics.request_units_per_second);
  EXPECT_EQ(same.granted, statistics.granted);
  EXPECT_EQ(same.throttled, statistics.throttled);
  ASSERT_EQ(same.shares.size(), 2U);
  EXPECT_EQ(same.shares[1].container, ContainerId(9));
  EXPECT_EQ(same.shares[1].bytes, 7U);
  EXPECT_EQ(same.shares[1].items, 8U);
}

TEST(PartitionStatisticsTest, KeysComeBackAsTheyWere) {
  PartitionStatistics statistics;
  statistics.id = PartitionId(7);
  statistics.largest = {{ContainerId(4), "large", 1'000},
                        {ContainerId(5), std::string("\0k", 2), 10}};
  statistics.hottest = {{ContainerId(4), "hot", 0, 12.5}};
  const std::string bytes = EncodeStatistics({PartitionStatistics{}, statistics});
  const auto decoded = DecodeStatistics(bytes);
  ASSERT_TRUE(decoded.has_value());
  ASSERT_EQ(decoded->size(), 2U);
  EXPECT_TRUE(decoded->at(0).largest.empty() && decoded->at(0).hottest.empty());
  const PartitionStatistics& same = decoded->at(1);
  ASSERT_EQ(same.largest.size(), 2U);
  EXPECT_EQ(same.largest[0].partition_key, "large");
  EXPECT_EQ(same.largest[0].bytes, 1'000U);
  EXPECT_EQ(same.largest[1].container, ContainerId(5));
  EXPECT_EQ(same.largest[1].partition_key, std::string("\0k", 2));
  ASSERT_EQ(same.hottest.size(), 1U);
  EXPECT_EQ(same.hottest[0].partition_key, "hot");
  EXPECT_EQ(same.hottest[0].request_units_per_second, 12.5);
  const size_t plain = EncodeStatistics({PartitionStatistics{}, PartitionStatistics{}}).size();
  for (size_t size = plain + 1; size < bytes.size(); ++size)
    EXPECT_FALSE(DecodeStatistics(bytes.substr(0, size)).has_value()) << size;
}

TEST(PartitionStatisticsTest, RatesBeyondAllMachinesAreRefused) {
  const std::string varint_max = "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01";
  EXPECT_FALSE(
      DecodeStatistics(std::string(1, 1) + std::string(3, 0) + varint_max + std::string(3, 0))
          .has_value());
}

TEST(PartitionStatisticsTest, WhatIsCutOffIsRefused) {
  PartitionStatistics statistics;
  statistics.shares = {{ContainerId(4), 5, 6}};
  const std::string bytes = EncodeStatistics({statistics});
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(DecodeStatistics(bytes.substr(0, size)).has_value()) << size;
  EXPECT_FALSE(DecodeStatistics(bytes + "x").has_value());
}

}  // namespace
}  // namespace orrery::cluster
