#include "cluster/partition_figures.h"

#include <gtest/gtest.h>

namespace orrery::cluster {
namespace {

TEST(PartitionFiguresTest, ComeBackAsTheyWere) {
  PartitionFigures figures;
  figures.id = PartitionId(7);
  figures.bytes = 1'000'000'000'000;
  figures.items = 12;
  figures.request_units_per_second = 12.25;
  figures.granted = 10'000;
  figures.throttled = 3;
  figures.shares = {{ContainerId(4), 5, 6}, {ContainerId(9), 7, 8}};
  const auto decoded = DecodeFigures(EncodeFigures({PartitionFigures{}, figures}));
  ASSERT_TRUE(decoded.has_value());
  ASSERT_EQ(decoded->size(), 2U);
  const PartitionFigures& same = decoded->at(1);
  EXPECT_EQ(same.id, figures.id);
  EXPECT_EQ(same.bytes, figures.bytes);
  EXPECT_EQ(same.items, figures.items);
  EXPECT_EQ(same.request_units_per_second, figures.request_units_per_second);
  EXPECT_EQ(same.granted, figures.granted);
  EXPECT_EQ(same.throttled, figures.throttled);
  ASSERT_EQ(same.shares.size(), 2U);
  EXPECT_EQ(same.shares[1].container, ContainerId(9));
  EXPECT_EQ(same.shares[1].bytes, 7U);
  EXPECT_EQ(same.shares[1].items, 8U);
}

TEST(PartitionFiguresTest, KeysComeBackAsTheyWere) {
  PartitionFigures figures;
  figures.id = PartitionId(7);
  figures.largest = {{ContainerId(4), "large", 1'000}, {ContainerId(5), std::string("\0k", 2), 10}};
  figures.hottest = {{ContainerId(4), "hot", 0, 12.5}};
  const std::string bytes = EncodeFigures({PartitionFigures{}, figures});
  const auto decoded = DecodeFigures(bytes);
  ASSERT_TRUE(decoded.has_value());
  ASSERT_EQ(decoded->size(), 2U);
  EXPECT_TRUE(decoded->at(0).largest.empty() && decoded->at(0).hottest.empty());
  const PartitionFigures& same = decoded->at(1);
  ASSERT_EQ(same.largest.size(), 2U);
  EXPECT_EQ(same.largest[0].partition_key, "large");
  EXPECT_EQ(same.largest[0].bytes, 1'000U);
  EXPECT_EQ(same.largest[1].container, ContainerId(5));
  EXPECT_EQ(same.largest[1].partition_key, std::string("\0k", 2));
  ASSERT_EQ(same.hottest.size(), 1U);
  EXPECT_EQ(same.hottest[0].partition_key, "hot");
  EXPECT_EQ(same.hottest[0].request_units_per_second, 12.5);
  const size_t plain = EncodeFigures({PartitionFigures{}, PartitionFigures{}}).size();
  for (size_t size = plain + 1; size < bytes.size(); ++size)
    EXPECT_FALSE(DecodeFigures(bytes.substr(0, size)).has_value()) << size;
}

TEST(PartitionFiguresTest, RatesBeyondAllMachinesAreRefused) {
  const std::string varint_max = "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01";
  EXPECT_FALSE(DecodeFigures(std::string(1, 1) + std::string(3, 0) + varint_max + std::string(3, 0))
                   .has_value());
}

TEST(PartitionFiguresTest, WhatIsCutOffIsRefused) {
  PartitionFigures figures;
  figures.shares = {{ContainerId(4), 5, 6}};
  const std::string bytes = EncodeFigures({figures});
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(DecodeFigures(bytes.substr(0, size)).has_value()) << size;
  EXPECT_FALSE(DecodeFigures(bytes + "x").has_value());
}

}  // namespace
}  // namespace orrery::cluster
