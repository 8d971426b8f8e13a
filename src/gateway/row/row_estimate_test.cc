// Estimates of the size of a table without reading it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "gateway/row/row_testing.h"

namespace orrery::gateway {
namespace {

class RowEstimate : public RowTable {
 protected:
  RowEstimate() : RowTable(SmallPartitions()) {}
};

TEST_F(RowEstimate, TellsBytesAndPartitionsByRange) {
  table = MakeTable();
  const auto empty = server.rows->EstimateSizes(table);
  ASSERT_TRUE(empty.has_value());
  ASSERT_EQ(empty->size(), 1u);
  EXPECT_EQ((*empty)[0].partitions, 0u);
  EXPECT_EQ((*empty)[0].bytes, 0u);

  ContainerSettings settings = table->settings;
  settings.name = "own";
  settings.throughput = partition::ThroughputSettings::Manual(3000);
  table = *server.catalog->CreateContainer("ks", settings);
  for (int i = 0; i < 90; ++i) {
    ASSERT_TRUE(Write(fmt::format("k{}", i), Insert(Clustering(1), 1, std::string(1'000, 'x'))));
    server.clock.Advance(std::chrono::seconds(1));
  }
  const auto estimate = server.rows->EstimateSizes(table);
  ASSERT_TRUE(estimate.has_value());
  ASSERT_EQ(estimate->size(), 3u);
  uint64_t partitions = 0;
  uint64_t bytes = 0;
  for (const RowRangeEstimate& range : *estimate) {
    partitions += range.partitions;
    bytes += range.bytes;
    EXPECT_GT(range.partitions, 10u);
  }
  EXPECT_EQ(partitions, 90u);
  EXPECT_GT(bytes, 90'000u);
  EXPECT_LT(bytes, 110'000u);
}

}  // namespace
}  // namespace orrery::gateway
