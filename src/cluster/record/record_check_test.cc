#include "cluster/record/record_check.h"

#include <gtest/gtest.h>

namespace orrery::cluster {
namespace {

using partition::HashRange;

constexpr ContainerId kContainer(3);

PartitionRecord OwnedRecord(uint64_t id, std::vector<Slice> slices) {
  return {.id = PartitionId(id),
          .epoch = Epoch(1),
          .throughput_owner = ThroughputOwner::Of(kContainer),
          .slices = std::move(slices),
          .parents = {}};
}

Slice Part(uint64_t first, uint64_t last_high, uint64_t last_low = ~uint64_t{0}) {
  return {kContainer, HashRange::Inclusive({first, 0}, {last_high, last_low})};
}

void ExpectDamaged(const std::vector<PartitionRecord>& records, const std::string& partition) {
  const Status checked = CheckRecords(records, [](ContainerId) { return true; });
  ASSERT_FALSE(checked.has_value());
  EXPECT_EQ(checked.error().code(), Code::kCorruption);
  EXPECT_NE(checked.error().message().find("partition " + partition), std::string::npos)
      << checked.error().message();
  EXPECT_NE(checked.error().message().find("backup"), std::string::npos);
}

TEST(RecordCheckTest, WhatCoversTheRingOnceHolds) {
  const auto all = [](ContainerId) { return true; };
  EXPECT_TRUE(CheckRecords({}, all).has_value());
  EXPECT_TRUE(CheckRecords({OwnedRecord(1, {})}, all).has_value());
  EXPECT_TRUE(
      CheckRecords({OwnedRecord(2, {Part(0x80, ~uint64_t{0})}), OwnedRecord(1, {Part(0, 0x7f)})},
                   all)
          .has_value());
}

TEST(RecordCheckTest, OverlapsAndGapsAreFound) {
  ExpectDamaged({OwnedRecord(1, {Part(0, 0x80)}), OwnedRecord(2, {Part(0x80, ~uint64_t{0})})}, "2");
  ExpectDamaged({OwnedRecord(1, {Part(0, 0x70)}), OwnedRecord(2, {Part(0x80, ~uint64_t{0})})}, "2");
  ExpectDamaged({OwnedRecord(1, {Part(0, 0x7f)})}, "1");
  ExpectDamaged({OwnedRecord(2, {Part(0x80, ~uint64_t{0})})}, "2");
  ExpectDamaged({OwnedRecord(1, {Part(0, 0x7f)}), OwnedRecord(2, {Part(0, ~uint64_t{0})})}, "2");
}

TEST(RecordCheckTest, DoublesAreFound) {
  ExpectDamaged({OwnedRecord(1, {Part(0, 0x7f)}), OwnedRecord(1, {Part(0x80, ~uint64_t{0})})}, "1");
  ExpectDamaged({OwnedRecord(1, {Part(0, 0x7f), Part(0x80, ~uint64_t{0})})}, "1");
}

TEST(RecordCheckTest, ContainersOutsideTheCatalogAreFound) {
  const Status checked =
      CheckRecords({OwnedRecord(9, {Part(0, ~uint64_t{0})})}, [](ContainerId) { return false; });
  ASSERT_FALSE(checked.has_value());
  EXPECT_EQ(checked.error().code(), Code::kCorruption);
  EXPECT_NE(checked.error().message().find("container 3"), std::string::npos);
}

}  // namespace
}  // namespace orrery::cluster
