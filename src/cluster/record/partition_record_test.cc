#include "cluster/record/partition_record.h"

#include <gtest/gtest.h>

#include "base/bytes.h"

namespace orrery::cluster {
namespace {

PartitionRecord SampleRecord() {
  return {.id = PartitionId(7),
          .epoch = Epoch(2),
          .throughput_owner = ThroughputOwner::Of(ContainerId(3)),
          .slices = {{ContainerId(3), partition::HashRange::Inclusive({0x20, 0}, Hash128::Max()),
                      "2C"}},
          .parents = {PartitionId(1), PartitionId(4)}};
}

TEST(PartitionRecord, RoundTrip) {
  const auto decoded = DecodePartitionRecord(EncodePartitionRecord(SampleRecord()));
  ASSERT_TRUE(decoded.has_value());
  EXPECT_EQ(*decoded, SampleRecord());
}

// The example of docs/format/system.md.
TEST(PartitionRecord, BytesAsDocumented) {
  EXPECT_EQ(ToHex(EncodePartitionRecord(SampleRecord())),
            "02"
            "07"
            "02"
            "02"
            "03"
            "01"
            "03"
            "00000000000000200000000000000000"
            "ffffffffffffffffffffffffffffffff"
            "023243"
            "02"
            "01"
            "04");
  EXPECT_EQ(ToHex(PartitionRecordKey(PartitionId(7))), "70742f0000000000000007");
}

TEST(PartitionRecord, VersionOneIsStillRead) {
  std::string bytes = EncodePartitionRecord(SampleRecord());
  bytes[0] = 1;
  bytes.erase(bytes.find("\x02"
                         "2C"),
              3);
  PartitionRecord expected = SampleRecord();
  expected.slices[0].begin_epk.clear();
  const auto decoded = DecodePartitionRecord(bytes);
  ASSERT_TRUE(decoded.has_value());
  EXPECT_EQ(*decoded, expected);
  bytes[0] = 3;
  EXPECT_FALSE(DecodePartitionRecord(bytes).has_value());
}

TEST(PartitionRecord, EveryTruncationIsRefused) {
  const std::string bytes = EncodePartitionRecord(SampleRecord());
  for (size_t size = 0; size < bytes.size(); ++size) {
    const auto decoded = DecodePartitionRecord(std::string_view(bytes).substr(0, size));
    ASSERT_FALSE(decoded.has_value()) << size;
    EXPECT_EQ(decoded.error().code(), Code::kCorruption);
  }
  EXPECT_FALSE(DecodePartitionRecord(bytes + "x").has_value());
}

TEST(PartitionRecord, AncestryIsOldestFirstAndBounded) {
  PartitionRecord left = SampleRecord();
  left.parents = {PartitionId(1), PartitionId(4)};
  PartitionRecord right = SampleRecord();
  right.id = PartitionId(6);
  right.parents = {PartitionId(1), PartitionId(5)};
  EXPECT_EQ(AncestryFrom({&left, &right}),
            (std::vector{PartitionId(1), PartitionId(4), PartitionId(5), PartitionId(6),
                         PartitionId(7)}));
  PartitionRecord record = SampleRecord();
  record.parents.clear();
  for (uint64_t id = 100; id < 2'000; ++id) {
    record.parents = AncestryFrom({&record});
    record.id = PartitionId(id);
  }
  EXPECT_EQ(record.parents.size(), kAncestorsMax);
  EXPECT_EQ(record.parents.back(), PartitionId(1'998)) << "recent ancestors stay";
  EXPECT_EQ(record.parents.front(), PartitionId(1'999 - kAncestorsMax));
}

TEST(PartitionRecord, AnInvertedRangeIsRefused) {
  PartitionRecord record = SampleRecord();
  std::string bytes = EncodePartitionRecord(record);
  std::swap_ranges(bytes.begin() + 7, bytes.begin() + 23, bytes.begin() + 23);
  EXPECT_FALSE(DecodePartitionRecord(bytes).has_value());
}

}  // namespace
}  // namespace orrery::cluster
