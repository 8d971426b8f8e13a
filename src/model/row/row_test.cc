#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "base/bytes.h"
#include "model/row/row_codec.h"
#include "model/row/row_merge.h"

namespace orrery::model {
namespace {

Cell LiveCell(ColumnId column, int64_t timestamp, std::string_view value) {
  Cell cell;
  cell.column = column;
  cell.timestamp = timestamp;
  cell.value = value;
  return cell;
}

Cell Tombstone(ColumnId column, int64_t timestamp, uint32_t local_s = 1) {
  Cell cell;
  cell.column = column;
  cell.timestamp = timestamp;
  cell.kind = CellKind::kTombstone;
  cell.expiry_s = local_s;
  return cell;
}

Cell Element(ColumnId column, std::string_view path, int64_t timestamp, std::string_view value) {
  Cell cell = LiveCell(column, timestamp, value);
  cell.has_path = true;
  cell.path = path;
  return cell;
}

Cell Expiring(Cell cell, uint32_t ttl_s, uint32_t expiry_s) {
  cell.ttl_s = ttl_s;
  cell.expiry_s = expiry_s;
  return cell;
}

Row RowOf(std::vector<Cell> cells) {
  Row row;
  row.cells = std::move(cells);
  return row;
}

Row Merge(std::vector<Row> rows) {
  RowMerger merger;
  for (const Row& row : rows) merger.Add(row);
  return merger.row();
}

// The example of docs/format/rows.md.
TEST(RowCodec, StoresRowsAsDocumented) {
  Row row;
  row.lsn = Lsn(7);
  row.liveness = Liveness{.timestamp = 1000};
  row.cells = {LiveCell(2, 1000, "theo"), Expiring(LiveCell(3, 1001, "x"), 60, 90)};
  std::string bytes;
  EncodeRow(bytes, row);
  EXPECT_EQ(ToHex(bytes),
            "11"                // version 1, live
            "0000000000000007"  // position
            "d00f"              // base: 1000
            "00"                // live at the base, for ever
            "0200"              // column 2, at the base
            "047468656f"        // "theo"
            "0306d20f"          // column 3, own time 1001, expires
            "3c5a"              // ttl 60, expiry 90
            "0178");            // "x"
}

TEST(RowCodec, StampsThePosition) {
  std::string bytes;
  EncodeRow(bytes, RowOf({LiveCell(1, 5, "a")}));
  StampRow(bytes, Lsn(0x0102030405060708));
  Row row;
  ASSERT_TRUE(DecodeRow(bytes, row).has_value());
  EXPECT_EQ(row.lsn, Lsn(0x0102030405060708));
  EXPECT_EQ(row.cells, std::vector{LiveCell(1, 5, "a")});
}

class RandomRows {
 public:
  explicit RandomRows(uint32_t seed) : random_(seed) {}

  Row Next() {
    Row row;
    row.lsn = Lsn(random_() % 100);
    if (Once(2)) row.liveness = Liveness{Time(), 0, 0};
    if (row.liveness.has_value() && Once(3)) {
      row.liveness->ttl_s = 1 + random_() % 5;
      row.liveness->expiry_s = 1 + random_() % 50;
    }
    if (Once(4)) row.deletion = {Time(), static_cast<uint32_t>(random_() % 50)};
    for (ColumnId column = 1; column <= 4; ++column) {
      if (Once(5)) row.column_deletions.push_back({column, {Time(), 3}});
      if (column <= 2) {
        if (Once(2)) row.cells.push_back(NextCell(column, {}));
        continue;
      }
      for (const std::string_view path : {"a", "b", "c"}) {
        if (Once(2)) row.cells.push_back(NextCell(column, path));
      }
    }
    return row;
  }

 private:
  bool Once(uint32_t in) { return random_() % in == 0; }
  int64_t Time() { return static_cast<int64_t>(random_() % 6) - 1; }

  Cell NextCell(ColumnId column, std::string_view path) {
    static constexpr std::string_view kValues[] = {"", "p", "q", "pp"};
    if (Once(4)) {
      Cell cell = Tombstone(column, Time(), 1 + random_() % 40);
      cell.has_path = !path.empty();
      cell.path = path;
      return cell;
    }
    Cell cell = LiveCell(column, Time(), kValues[random_() % 4]);
    cell.has_path = !path.empty();
    cell.path = path;
    if (Once(3)) cell = Expiring(cell, 1 + random_() % 5, 1 + random_() % 50);
    return cell;
  }

  std::mt19937 random_;
};

constexpr uint32_t kRowSeed = 20'261'116;

TEST(RowCodec, RoundTrips) {
  RandomRows rows(kRowSeed);
  for (int i = 0; i < 2'000; ++i) {
    const Row row = rows.Next();
    std::string bytes;
    EncodeRow(bytes, row);
    Row again;
    ASSERT_TRUE(DecodeRow(bytes, again).has_value()) << "seed " << kRowSeed << " row " << i;
    ASSERT_EQ(again, row) << "seed " << kRowSeed << " row " << i;
  }
}

TEST(RowCodec, RefusesWhatIsCutWithinACell) {
  std::string bytes;
  EncodeRow(bytes, RowOf({Element(9, "path", 5, "value")}));
  Row row;
  // A row without its only cell is a row, too.
  const size_t head = 10;
  for (size_t size = 0; size < bytes.size(); ++size) {
    const Status decoded = DecodeRow(std::string_view(bytes).substr(0, size), row);
    EXPECT_EQ(decoded.has_value(), size == head) << size;
  }
}

TEST(RowMerge, LaterTimeWins) {
  const Row merged = Merge({RowOf({LiveCell(1, 5, "new")}), RowOf({LiveCell(1, 4, "old")})});
  EXPECT_EQ(merged.cells, std::vector{LiveCell(1, 5, "new")});
}

TEST(RowMerge, OnATieDeletionBeatsExpiringBeatsLastingBeatsSmaller) {
  const Cell lasting = LiveCell(1, 5, "b");
  const Cell smaller = LiveCell(1, 5, "a");
  const Cell expiring = Expiring(LiveCell(1, 5, "a"), 10, 100);
  const Cell gone = Tombstone(1, 5);
  EXPECT_EQ(Merge({RowOf({lasting}), RowOf({smaller})}).cells, std::vector{lasting});
  EXPECT_EQ(Merge({RowOf({lasting}), RowOf({expiring})}).cells, std::vector{expiring});
  EXPECT_EQ(Merge({RowOf({gone}), RowOf({expiring})}).cells, std::vector{gone});
}

TEST(RowMerge, DeletionsCoverWhatIsNotLater) {
  Row deleted;
  deleted.deletion = {5, 1};
  const Row merged = Merge({RowOf({LiveCell(1, 5, "a"), LiveCell(2, 6, "b")}), deleted});
  EXPECT_EQ(merged.cells, std::vector{LiveCell(2, 6, "b")});
  EXPECT_TRUE(merged.deletion.exists());
}

TEST(RowMerge, ACollectionIsReplacedAsAWhole) {
  Row replaced = RowOf({Element(3, "b", 8, "2")});
  replaced.column_deletions = {{3, {7, 1}}};
  const Row merged = Merge({RowOf({Element(3, "a", 6, "1"), Element(4, "a", 6, "1")}), replaced});
  EXPECT_EQ(merged.cells, (std::vector{Element(3, "b", 8, "2"), Element(4, "a", 6, "1")}));
}

TEST(RowMerge, CountersAddUp) {
  std::string five;
  AppendBigEndian(five, int64_t{5});
  std::string minus_two;
  AppendBigEndian(minus_two, int64_t{-2});
  std::string three;
  AppendBigEndian(three, int64_t{3});
  Cell a = LiveCell(1, 10, five);
  Cell b = LiveCell(1, 11, minus_two);
  a.kind = b.kind = CellKind::kCounter;
  RowMerger merger;
  merger.Add(RowOf({a}));
  merger.Add(RowOf({b}));
  const Row& row = merger.row();
  ASSERT_EQ(row.cells.size(), 1u);
  EXPECT_EQ(row.cells[0].value, three);
  EXPECT_EQ(row.cells[0].timestamp, 11);
}

// As a set is that takes new elements and loses old ones: each change is small, the row is large.
TEST(RowMerge, ManySmallChangesAreOneMerge) {
  constexpr int kChanges = 20'000;
  std::vector<std::string> paths;
  for (int i = 0; i < kChanges; ++i) paths.push_back(std::to_string(i * 7'919 % kChanges));
  RowMerger merger;
  for (int i = 0; i < kChanges; ++i) {
    Row change = RowOf({Element(1, paths[i], i, "")});
    merger.Add(change);
    if (i < 100) continue;
    change.cells[0] = Element(1, paths[i - 100], i, "");
    change.cells[0].kind = CellKind::kTombstone;
    merger.Add(change);
  }
  Row row = merger.row();
  EXPECT_EQ(row.cells.size(), size_t{kChanges});
  EXPECT_TRUE(std::ranges::is_sorted(row.cells, {}, &Cell::path));
  EXPECT_TRUE(Purge(row, {}, 0));
  EXPECT_EQ(row.cells.size(), 100u);
}

TEST(RowMerge, OneByOneOrAllAtOnceIsTheSame) {
  RandomRows rows(kRowSeed);
  for (int i = 0; i < 500; ++i) {
    std::vector<Row> all;
    for (int j = 0; j < 12; ++j) all.push_back(rows.Next());
    Row step_by_step = all.front();
    for (const Row& row : all) step_by_step = Merge({step_by_step, row});
    ASSERT_EQ(Merge(all), step_by_step) << "seed " << kRowSeed << " round " << i;
  }
}

TEST(RowMerge, OrderAndGroupingDoNotMatter) {
  RandomRows rows(kRowSeed);
  for (int i = 0; i < 2'000; ++i) {
    const Row a = rows.Next();
    const Row b = rows.Next();
    const Row c = rows.Next();
    const Row all = Merge({a, b, c});
    ASSERT_EQ(Merge({c, a, b}), all) << "seed " << kRowSeed << " round " << i;
    ASSERT_EQ(Merge({a, Merge({b, c})}), all) << "seed " << kRowSeed << " round " << i;
    ASSERT_EQ(Merge({Merge({a, b}), c}), all) << "seed " << kRowSeed << " round " << i;
    ASSERT_EQ(Merge({all, all}), all) << "seed " << kRowSeed << " round " << i;
  }
}

TEST(RowPurge, LeavesWhatIsVisible) {
  Row row = RowOf({LiveCell(1, 5, "a"), Expiring(LiveCell(2, 9, "b"), 10, 100), Tombstone(3, 9)});
  row.liveness = Liveness{.timestamp = 5};
  Row later = row;
  EXPECT_TRUE(Purge(row, {.timestamp = 5, .local_s = 1}, 99));
  EXPECT_EQ(row.cells, std::vector{Expiring(LiveCell(2, 9, "b"), 10, 100)});
  EXPECT_FALSE(row.liveness.has_value());
  EXPECT_FALSE(Purge(later, {.timestamp = 5, .local_s = 1}, 100)) << "the cell expires at 100";
}

TEST(RowForgets, OnlyWhatIsDeadForLong) {
  Row row = RowOf({Tombstone(1, 5, 10), Expiring(LiveCell(2, 5, ""), 1, 10), LiveCell(3, 5, "")});
  row.liveness = Liveness{.timestamp = 5, .ttl_s = 1, .expiry_s = 10};
  EXPECT_FALSE(ForgetCells(row, 10));
  EXPECT_TRUE(row.liveness.has_value());
  EXPECT_EQ(row.cells.size(), 3u);
  EXPECT_TRUE(ForgetCells(row, 11));
  EXPECT_FALSE(row.liveness.has_value());
  EXPECT_EQ(row.cells, std::vector{LiveCell(3, 5, "")});
  EXPECT_FALSE(ForgetCells(row, 11));
}

TEST(RowForgets, CountersAndWhatLastsStay) {
  Cell counter = LiveCell(1, 5, std::string_view("\0\0\0\0\0\0\0\1", 8));
  counter.kind = CellKind::kCounter;
  Row row = RowOf({counter, LiveCell(2, 5, "")});
  row.liveness = Liveness{.timestamp = 5};
  EXPECT_FALSE(ForgetCells(row, UINT32_MAX));
  EXPECT_FALSE(ForgetDeletions(row, UINT32_MAX));
}

TEST(RowForgets, DeletionsTakeWhatTheyCoverWithThem) {
  Row row = RowOf({LiveCell(1, 5, "a"), LiveCell(2, 6, "b"), LiveCell(3, 6, "c")});
  row.deletion = {5, 10};
  row.column_deletions = {{2, {6, 20}}};
  EXPECT_FALSE(ForgetDeletions(row, 10));
  EXPECT_TRUE(ForgetDeletions(row, 11));
  EXPECT_FALSE(row.deletion.exists());
  EXPECT_EQ(row.column_deletions.size(), 1u) << "it is not that old";
  EXPECT_EQ(row.cells, std::vector{LiveCell(3, 6, "c")});
  EXPECT_TRUE(ForgetDeletions(row, 21));
  EXPECT_TRUE(row.column_deletions.empty());
  EXPECT_FALSE(row.is_blank());
}

}  // namespace
}  // namespace orrery::model
