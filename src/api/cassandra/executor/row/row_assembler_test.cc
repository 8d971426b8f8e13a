#include "api/cassandra/executor/row/row_assembler.h"

#include <gtest/gtest.h>

#include <deque>

#include "api/cassandra/planner/term/column_nodes.h"
#include "api/cassandra/planner/test_tables.h"
#include "api/cassandra/types/literal.h"
#include "api/cassandra/types/type_builder.h"
#include "api/cassandra/types/values_testing.h"
#include "model/row/row_codec.h"

namespace orrery::cassandra {
namespace {

using testing::Bytes;
using testing::Int;
using testing::ListOf;
using testing::MapOf;
using testing::SetOf;
using testing::TableBuilder;
using testing::Text;
using testing::Udt;

constexpr uint32_t kReadTime = 100;

class Assembler : public ::testing::Test {
 protected:
  // A cell of a column at time 10.
  model::Cell Cell(std::string_view column, std::string value,
                   std::optional<std::string> path = {}) {
    model::Cell cell;
    cell.column = table_->Find(column)->id;
    cell.timestamp = 10;
    cell.value = kept_.emplace_back(std::move(value));
    if (path.has_value()) {
      cell.has_path = true;
      cell.path = kept_.emplace_back(*std::move(path));
    }
    return cell;
  }
  std::string_view Encoded(const model::Row& row) {
    std::string& bytes = kept_.emplace_back();
    model::EncodeRow(bytes, row);
    return bytes;
  }
  // Returns whether anything of the row is visible.
  bool Add(const model::Row& row, const model::Deletion& covering_deletion = {}) {
    assembler_.Begin(kReadTime);
    const auto visible = assembler_.AddEncoded(Encoded(row), covering_deletion);
    EXPECT_TRUE(visible.has_value());
    return visible.value_or(false);
  }
  std::string Value(std::string_view column) const {
    const Column* found = table_->Find(column);
    const auto& value =
        assembler_.values().values[static_cast<size_t>(found - table_->columns.data())];
    return value.has_value() ? ToCqlLiteral(*found->type, *value).value_or("damaged") : "null";
  }

  const TablePtr table_ = TableBuilder()
                              .Key("k", Int())
                              .Regular("v", Int())
                              .Regular("l", ListOf(Int(), Cells::kMulti))
                              .Regular("s", SetOf(Int(), Cells::kMulti))
                              .Regular("m", MapOf(Int(), Text(), Cells::kMulti))
                              .Regular("u", Udt("pair", {"x", "y"}, {Int(), Text()}, Cells::kMulti))
                              .Build();
  RowAssembler assembler_{*table_};
  std::deque<std::string> kept_;
};

TEST_F(Assembler, PutsCellsTogether) {
  model::Row row;
  row.cells = {Cell("v", Bytes(1)), Cell("l", Bytes(7), "a"), Cell("l", Bytes(5), "b"),
               // By the bytes of their paths -1 comes last.
               Cell("s", "", Bytes(2)), Cell("s", "", Bytes(-1)), Cell("m", "two", Bytes(2)),
               Cell("m", "less", Bytes(-3)), Cell("u", "y", FieldPath(1))};
  EXPECT_TRUE(Add(row));
  EXPECT_EQ(Value("v"), "1");
  EXPECT_EQ(Value("l"), "[7, 5]");
  EXPECT_EQ(Value("s"), "{-1, 2}");
  EXPECT_EQ(Value("m"), "{-3: 'less', 2: 'two'}");
  EXPECT_EQ(Value("u"), "{x: null, y: 'y'}");
}

TEST_F(Assembler, ANewRowHasNothingOfTheOneBefore) {
  model::Row row;
  row.cells = {Cell("v", Bytes(1)), Cell("l", Bytes(7), "a")};
  Add(row);
  EXPECT_FALSE(Add({}));
  EXPECT_EQ(Value("v"), "null");
  EXPECT_EQ(Value("l"), "null");
}

TEST_F(Assembler, DeletedAndExpiredCellsDoNotCount) {
  model::Row row;
  row.cells = {Cell("v", Bytes(1)), Cell("l", Bytes(7), "a"), Cell("l", Bytes(8), "b")};
  row.cells[0].ttl_s = 5;
  row.cells[0].expiry_s = kReadTime;
  row.cells[1].kind = model::CellKind::kTombstone;
  row.cells[1].value = {};
  EXPECT_TRUE(Add(row));
  EXPECT_EQ(Value("v"), "null");
  EXPECT_EQ(Value("l"), "[8]");
}

TEST_F(Assembler, DeletionsCoverWhatIsNotLater) {
  model::Row row;
  row.liveness = model::Liveness{10, 0, 0};
  row.cells = {Cell("v", Bytes(1)), Cell("l", Bytes(7), "a"), Cell("s", "", Bytes(1))};
  row.cells[1].timestamp = 12;
  row.column_deletions = {{table_->Find("s")->id, {10, 1}}};
  EXPECT_TRUE(Add(row));
  EXPECT_EQ(Value("v"), "1");
  EXPECT_EQ(Value("s"), "null");
  row.deletion = {11, 1};
  EXPECT_TRUE(Add(row));
  EXPECT_EQ(Value("v"), "null");
  EXPECT_EQ(Value("l"), "[7]");
  EXPECT_FALSE(Add(row, {12, 1}));
}

TEST_F(Assembler, LivenessAloneMakesARowVisible) {
  model::Row row;
  row.liveness = model::Liveness{10, 0, 0};
  EXPECT_TRUE(Add(row));
  row.liveness = model::Liveness{10, 5, kReadTime};
  EXPECT_FALSE(Add(row));
}

TEST_F(Assembler, CellsOfDroppedColumnsKeepNothingAlive) {
  model::Row row;
  row.cells = {Cell("v", Bytes(1))};
  row.cells[0].column = 99;
  EXPECT_FALSE(Add(row));
}

TEST_F(Assembler, AddsStaticsAndKeysToTheSameRow) {
  model::Row statics;
  statics.cells = {Cell("v", Bytes(1))};
  model::Row row;
  row.cells = {Cell("l", Bytes(7), "a")};
  assembler_.Begin(kReadTime);
  assembler_.AddVisible(statics);
  assembler_.AddVisible(row);
  const std::string key = Bytes(3);
  assembler_.SetKey(0, key);
  EXPECT_EQ(Value("k"), "3");
  EXPECT_EQ(Value("v"), "1");
  EXPECT_EQ(Value("l"), "[7]");
}

TEST_F(Assembler, GivesTimesWhereTheyAreWanted) {
  std::vector<ColumnUse> uses(table_->columns.size());
  uses[1] = {.value = false, .times = true};
  uses[2] = {.value = true, .times = true};
  RowAssembler wanted(*table_, uses);
  model::Row row;
  row.cells = {Cell("v", Bytes(1)), Cell("l", Bytes(7), "a"), Cell("s", "", Bytes(2))};
  row.cells[0].ttl_s = 50;
  row.cells[0].expiry_s = kReadTime + 20;
  wanted.Begin(kReadTime);
  EXPECT_EQ(wanted.AddEncoded(Encoded(row), {}), true);
  const RowValues& values = wanted.values();
  EXPECT_EQ(values.now_s, kReadTime);
  EXPECT_FALSE(values.values[1].has_value());
  ASSERT_EQ(values.times[1].size(), 1u);
  EXPECT_EQ(values.times[1][0].ttl_s, 50u);
  EXPECT_EQ(values.times[1][0].expiry_s, kReadTime + 20);
  ASSERT_EQ(values.times[2].size(), 1u);
  EXPECT_EQ(values.times[2][0].path, "a");
  EXPECT_EQ(values.times[2][0].timestamp_us, 10);
  EXPECT_TRUE(values.values[2].has_value());
  EXPECT_FALSE(values.values[3].has_value());
}

TEST_F(Assembler, DamagedRowsAreRefused) {
  assembler_.Begin(kReadTime);
  EXPECT_EQ(assembler_.AddEncoded("damaged", {}).error().code(), Code::kCorruption);
  EXPECT_EQ(assembler_.AddEncoded("", {}), false);
}

}  // namespace
}  // namespace orrery::cassandra
