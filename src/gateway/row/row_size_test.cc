// Tests of the size limit of a logical partition of rows.
#include <gtest/gtest.h>

#include "gateway/row/row_testing.h"
#include "partition/merge_growth.h"

namespace orrery::gateway {
namespace {

partition::Limits SmallKeys() {
  partition::Limits limits = SmallPartitions();
  limits.logical_partition_bytes_max = 64 << 10;
  return limits;
}

class RowSize : public RowTable {
 protected:
  RowSize() : RowTable(SmallKeys()) {}

  const std::string kilobyte = std::string(1'000, 'x');

  Status Put(const std::string& key, int32_t clustering, int64_t timestamp) {
    return Write(key, Insert(Clustering(clustering), timestamp, kilobyte));
  }
  void RunMaintenance() {
    server.node->Maintain();
    server.node->WaitForBackground();
  }
  int64_t RecordedBytes() {
    int64_t bytes = 0;
    for (const auto& [id, partition] : server.node->topology()->hosted)
      bytes += partition->ledger().ByContainer()[table->id].bytes;
    return bytes;
  }
};

TEST_F(RowSize, WritingTheSameAgainAndAgainFillsNothing) {
  table = MakeTable({ByName(1)});
  for (int i = 0; i < 500; ++i) {
    const Status status = Put("k", i % 10, i);
    ASSERT_TRUE(status.has_value()) << i << ": " << status.error().ToString();
    if (i % 50 == 49) RunMaintenance();
  }
  RunMaintenance();
  ASSERT_TRUE(Put("k", 0, 1'000));
  RunMaintenance();
  EXPECT_LT(RecordedBytes(), 40 << 10);
}

TEST_F(RowSize, AFullPartitionIsRefusedAndDeletesAreLetThrough) {
  table = MakeTable();
  int32_t written = 0;
  while (written < 1'000 && Put("k", written, 1)) {
    ++written;
    RunMaintenance();
  }
  EXPECT_GE(written, 60);
  EXPECT_LE(written, 66);
  const Status full = Put("k", written, 1);
  ASSERT_FALSE(full.has_value());
  EXPECT_EQ(full.error().code(), Code::kPartitionFull);
  EXPECT_NE(full.error().message().find("64 KB"), std::string::npos);
  ASSERT_TRUE(Put("other", 1, 1)) << "other keys have room";

  ASSERT_TRUE(Write("k", DeleteRow(Clustering(0), 2)));
  ASSERT_TRUE(Clear("k", Clustering(30), std::nullopt, 2));
  EXPECT_EQ(Put("k", 0, 3).error().code(), Code::kPartitionFull) << "not counted again yet";
  server.clock.Advance(item::SizeCounts::kCountAgain);
  EXPECT_EQ(Put("k", 0, 3).error().code(), Code::kPartitionFull) << "but now it will be";
  RunMaintenance();
  for (int32_t c = 0; c < 25; ++c) EXPECT_TRUE(Put("k", 100 + c, 3)) << c;
  // The deletion of the whole partition makes room for all of it.
  ASSERT_TRUE(Write("k", DeleteRow("", 4)));
  server.clock.Advance(item::SizeCounts::kCountHolds);
  for (int32_t c = 0; c < 60; ++c) {
    EXPECT_TRUE(Put("k", c, 5)) << c;
    RunMaintenance();
  }
}

// Appends are merged without being read, so a row could grow far beyond what it may have.
class GrowingRow : public RowTable {
 protected:
  static constexpr uint64_t kRowBytesMax = 1 << 20;
  static partition::Limits SmallRows() {
    partition::Limits limits;
    limits.item_bytes_max = kRowBytesMax;
    return limits;
  }
  GrowingRow() : RowTable(SmallRows()) { table = MakeTable(); }

  // Adds an element to the row's collection, or writes that element again.
  Status Append(int32_t element, size_t bytes, int64_t timestamp) {
    const std::string path = Clustering(element);
    const std::string value(bytes, 'x');
    model::Row row;
    model::Cell cell;
    cell.column = kName;
    cell.has_path = true;
    cell.path = path;
    cell.timestamp = timestamp;
    cell.value = value;
    row.cells.push_back(cell);
    return Write("k", {Clustering(1), Encoded(row)});
  }
};

TEST_F(GrowingRow, LargeAppendsAreRefusedWhenTheRowIsFull) {
  constexpr size_t kElementBytes = 200'000;
  for (int32_t i = 0; i < 5; ++i) ASSERT_TRUE(Append(i, kElementBytes, i + 1)) << i;
  const Status full = Append(5, kElementBytes, 10);
  ASSERT_FALSE(full.has_value());
  EXPECT_EQ(full.error().code(), Code::kTooLarge);
  EXPECT_NE(full.error().message().find("too large"), std::string::npos);
  // Small ones, too, from then on; elements can be written again, and deletes make room.
  EXPECT_FALSE(Append(6, 100'000, 11).has_value());
  EXPECT_TRUE(Append(0, kElementBytes, 12));
  ASSERT_TRUE(Write("k", DeleteRow(Clustering(1), 20)));
  EXPECT_TRUE(Append(7, kElementBytes, 21));
}

TEST_F(GrowingRow, SmallAppendsAreLookedAtByTheMegabyte) {
  constexpr size_t kElementBytes = 10'000;
  int32_t taken = 0;
  while (taken < 1'000 && Append(taken, kElementBytes, taken + 1).has_value()) ++taken;
  const auto bytes = static_cast<size_t>(taken) * kElementBytes;
  EXPECT_LT(bytes, kRowBytesMax + partition::MergeGrowth::kLookAfter);
  EXPECT_GE(bytes, kRowBytesMax / 2);
  // A full row refuses each.
  EXPECT_FALSE(Append(taken, kElementBytes, taken + 1).has_value());
}

}  // namespace
}  // namespace orrery::gateway
