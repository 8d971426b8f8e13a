// Programs that see what became of the rows they touch, and say what follows from it.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "gateway/row/row_testing.h"

namespace orrery::gateway {
namespace {

using item::RowChanges;
using item::RowRange;
using item::TouchedRow;

// Makes changes and notes which rows they touched: "before>after", "-" for no row.
class Noting : public item::RowProgram {
 public:
  Noting(std::vector<std::string> reads, std::vector<RowRange> ranges, RowChanges changes)
      : reads_(std::move(reads)), ranges_(std::move(ranges)), changes_(std::move(changes)) {}

  std::span<const std::string> reads() const override { return reads_; }
  std::span<const RowRange> read_ranges() const override { return ranges_; }
  bool follows() const override { return true; }
  Result<RowChanges> Decide(std::span<const std::optional<model::Row>>, Micros) override {
    return changes_;
  }
  Result<std::vector<item::DerivedWrite>> Follow(std::span<const TouchedRow> rows,
                                                 Micros now) override {
    notes.clear();
    std::vector<item::DerivedWrite> derived_writes;
    for (const TouchedRow& row : rows) {
      notes.push_back(NameIn(row.before) + ">" + NameIn(row.after));
      if (derived_write.has_value()) {
        item::DerivedWrite copy = *derived_write;
        copy.changes.rows = {Insert(std::string(row.clustering), now.count(), NameIn(row.after))};
        derived_writes.push_back(std::move(copy));
      }
    }
    return derived_writes;
  }

  Names notes;
  std::optional<item::DerivedWrite> derived_write;  // copied for each row

 private:
  static std::string NameIn(const model::Row* row) {
    if (row == nullptr) return "-";
    return row->cells.empty() ? "" : std::string(row->cells.front().value);
  }

  const std::vector<std::string> reads_;
  const std::vector<RowRange> ranges_;
  const RowChanges changes_;
};

class RowFollow : public RowTable {
 protected:
  RowFollow() { table = MakeTable(); }

  Names Notes(std::unique_ptr<Noting> program) {
    const RowWriteResponse response = server.rows->WriteAndWait(
        {.container = table, .partition_key = "k", .changes = {}, .program = std::move(program)});
    EXPECT_TRUE(response.status.has_value()) << response.status.error().ToString();
    return static_cast<const Noting&>(*response.program).notes;
  }
  static std::unique_ptr<Noting> Program(std::vector<std::string> reads,
                                         std::vector<RowRange> ranges, RowChanges changes) {
    return std::make_unique<Noting>(std::move(reads), std::move(ranges), std::move(changes));
  }
};

TEST_F(RowFollow, SeesRowsBeforeAndAfter) {
  ASSERT_TRUE(Write("k", Insert(Clustering(1), 10, "old")).has_value());
  RowChanges changes;
  changes.rows.push_back(Insert(Clustering(1), 20, "new"));
  changes.rows.push_back(Insert(Clustering(2), 20, "fresh"));
  EXPECT_EQ(Notes(Program({Clustering(1), Clustering(2), Clustering(3)}, {}, changes)),
            (Names{"old>new", "->fresh", "->-"}));
  // A change that comes with an older time than what is there loses.
  RowChanges late;
  late.rows.push_back(Insert(Clustering(1), 15, "late"));
  EXPECT_EQ(Notes(Program({Clustering(1)}, {}, late)), Names{"new>new"});
}

TEST_F(RowFollow, SeesTheRowsOfARangeThatIsCleared) {
  for (int i = 0; i < 5; ++i)
    ASSERT_TRUE(Write("k", Insert(Clustering(i), 10, std::to_string(i))).has_value());
  ASSERT_TRUE(Write("other", Insert(Clustering(2), 10, "x")).has_value());
  RowChanges changes;
  changes.range_tombstones.push_back({Clustering(1), Clustering(4), {20, 1}});
  EXPECT_EQ(Notes(Program({}, {{Clustering(1), Clustering(4)}}, changes)),
            (Names{"1>-", "2>-", "3>-"}));
}

TEST_F(RowFollow, SeesTheRowsOfAPartitionThatIsDeleted) {
  for (int i = 0; i < 3; ++i)
    ASSERT_TRUE(Write("k", Insert(Clustering(i), 10, std::to_string(i))).has_value());
  RowChanges changes;
  changes.rows.push_back(DeleteRow("", 20));
  // A row that is named and in the range comes once.
  EXPECT_EQ(Notes(Program({Clustering(1)}, {{"", std::nullopt}}, changes)),
            (Names{"0>-", "1>-", "2>-"}));
  EXPECT_EQ(Notes(Program({}, {{"", std::nullopt}}, {})), (Names{"->-", "->-", "->-"}));
}

TEST_F(RowFollow, WhatFollowsIsDelivered) {
  ASSERT_TRUE(Write("k", Insert(Clustering(1), 10, "one")).has_value());
  auto program = Program({Clustering(1)}, {}, {});
  program->derived_write = item::DerivedWrite{table->id, "copy", {}};
  Notes(std::move(program));
  EXPECT_EQ(NameOf("copy", Clustering(1)), "one");
}

TEST_F(RowFollow, RangesWithTooManyRowsAreRefused) {
  RowChanges rows;
  for (size_t i = 0; i <= item::kRowProgramRangeRowsMax; ++i)
    rows.rows.push_back(Insert(Clustering(static_cast<int32_t>(i)), 10, "x"));
  ASSERT_TRUE(Write("k", rows).has_value());
  RowChanges changes;
  changes.rows.push_back(DeleteRow("", 20));
  const auto write = [&](std::vector<RowRange> ranges) {
    return server.rows
        ->WriteAndWait({.container = table,
                        .partition_key = "k",
                        .changes = {},
                        .program = Program({}, std::move(ranges), changes)})
        .status;
  };
  const Status refused = write({{"", std::nullopt}});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code(), Code::kTooLarge);
  EXPECT_EQ(NameOf("k", Clustering(0)), "x");
  const Status both = write({{"", Clustering(6'000)}, {Clustering(6'000), std::nullopt}});
  EXPECT_FALSE(both.has_value()) << "they count together";
  EXPECT_TRUE(write({{Clustering(1), std::nullopt}}).has_value());
}

}  // namespace
}  // namespace orrery::gateway
