#include "item/outbox/derived_write_check.h"

#include <gtest/gtest.h>

#include "item/outbox/derived_write_testing.h"

namespace orrery::item {
namespace {

Code CodeOf(const Status& status) {
  return status.has_value() ? Code::kInternal : status.error().code();
}
Code Check(const DerivedWrite& derived_write, const DerivedWriteLimits& limits = {}) {
  return CodeOf(DerivedWriteCheck(limits).Add({&derived_write, 1}));
}
constexpr Code kTaken = Code::kInternal;

TEST(DerivedWriteCheckTest, TakesWhatCanBeDelivered) {
  EXPECT_EQ(Check(DerivedWriteOf(1, "k", "c", RowOf(1, "v"))), kTaken);
  EXPECT_EQ(Check({ContainerId(1), "k", {}}), kTaken) << "that changes nothing";
}

TEST(DerivedWriteCheckTest, RefusesCounters) {
  EXPECT_EQ(Check(DerivedWriteOf(1, "k", "c", RowOf(1, "12345678", model::CellKind::kCounter))),
            Code::kInvalidArgument);
}

TEST(DerivedWriteCheckTest, RefusesKeysThatLeadNowhere) {
  EXPECT_EQ(Check(DerivedWriteOf(1, "", "c", RowOf(1, "v"))), Code::kInvalidArgument);
  const DerivedWriteLimits limits{.partition_key_bytes_max = 3};
  EXPECT_EQ(Check(DerivedWriteOf(1, "abc", "c", RowOf(1, "v")), limits), kTaken);
  EXPECT_EQ(Check(DerivedWriteOf(1, "abcd", "c", RowOf(1, "v")), limits), Code::kTooLarge);
}

TEST(DerivedWriteCheckTest, RefusesDerivedWritesOfDerivedWrites) {
  DerivedWrite derived_write = DerivedWriteOf(1, "k", "c", RowOf(1, "v"));
  derived_write.changes.derived_writes.push_back(DerivedWriteOf(1, "k", "c", RowOf(1, "v")));
  EXPECT_EQ(Check(derived_write), Code::kInvalidArgument);
}

TEST(DerivedWriteCheckTest, RefusesBytesThatAreNoRow) {
  EXPECT_EQ(Check(DerivedWriteOf(1, "k", "c", "no row")), Code::kCorruption);
}

TEST(DerivedWriteCheckTest, RowsHaveALimit) {
  const std::string row = RowOf(1, "value");
  EXPECT_EQ(Check(DerivedWriteOf(1, "k", "c", row), {.row_bytes_max = row.size()}), kTaken);
  EXPECT_EQ(Check(DerivedWriteOf(1, "k", "c", row), {.row_bytes_max = row.size() - 1}),
            Code::kTooLarge);
}

TEST(DerivedWriteCheckTest, AllTogetherHaveLimits) {
  DerivedWriteCheck count({});
  const std::vector<DerivedWrite> half(kDerivedWritesMax / 2,
                                       DerivedWriteOf(1, "k", "c", RowOf(1, "")));
  EXPECT_TRUE(count.Add(half).has_value());
  EXPECT_TRUE(count.Add(half).has_value());
  EXPECT_EQ(CodeOf(count.Add({half.data(), 1})), Code::kTooLarge);

  DerivedWriteCheck bytes({});
  const DerivedWrite large =
      DerivedWriteOf(1, "k", "c", RowOf(1, std::string(kDerivedWriteBytesMax / 2, 'x')));
  EXPECT_TRUE(bytes.Add({&large, 1}).has_value());
  EXPECT_GT(bytes.bytes(), kDerivedWriteBytesMax / 2);
  EXPECT_EQ(CodeOf(bytes.Add({&large, 1})), Code::kTooLarge);
}

}  // namespace
}  // namespace orrery::item
