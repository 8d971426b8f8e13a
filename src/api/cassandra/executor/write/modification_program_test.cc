#include "api/cassandra/executor/write/modification_program.h"

#include <gtest/gtest.h>

#include <deque>

#include "api/cassandra/executor/write/applied_result.h"
#include "api/cassandra/planner/test_writes.h"
#include "api/cassandra/types/type_builder.h"
#include "api/cassandra/types/values_testing.h"
#include "model/row/row_codec.h"

namespace orrery::cassandra {
namespace {

using testing::Bytes;
using testing::Int;
using testing::ListOf;
using testing::TableBuilder;

constexpr model::ColumnId kDropped = 99;  // no column of the table has it
constexpr Micros kProgramTime = std::chrono::seconds(1'000);

class Program : public ::testing::Test {
 protected:
  void Make(const std::vector<std::string>& texts, std::optional<uint32_t> now_s = {}) {
    std::vector<WrittenStatement> statements;
    plans_.clear();
    for (const std::string& text : texts) {
      auto write = testing::BindWrite(table_, text);
      EXPECT_EQ(write.error, "") << text;
      plans_.push_back(write.plan);
      statements.push_back({write.plan, std::move(write.bound), std::nullopt});
    }
    ModificationProgram::Options options;
    options.partition_key = Bytes(1);
    options.now_s = now_s;
    program_ = std::make_unique<ModificationProgram>(std::move(statements), std::move(options));
  }
  // By clustering key, each with these numbers by column.
  using Stored = std::map<std::string, std::map<std::string, int32_t>>;

  // Runs it on rows as they are stored.
  Result<item::RowChanges> Decide(const Stored& rows) {
    std::vector<std::optional<model::Row>> found;
    for (const std::string& key : program_->reads()) {
      found.emplace_back();
      if (const auto row = rows.find(key); row != rows.end()) found.back() = Cells(row->second);
    }
    auto changes = program_->Decide(found, kProgramTime);
    if (!program_->looks_on()) return changes;
    for (const auto& [key, numbers] : rows) {
      if (key.empty()) continue;
      const auto more = program_->LookAt(key, Cells(numbers));
      EXPECT_TRUE(more.has_value());
      if (!more.value_or(false)) break;
    }
    return changes;
  }
  model::Row Cells(const std::map<std::string, int32_t>& numbers) {
    model::Row row;
    for (const auto& [column, number] : numbers) {
      model::Cell cell;
      cell.column = column == "dropped" ? kDropped : table_->Find(column)->id;
      cell.value = kept_.emplace_back(Bytes(number));
      row.cells.push_back(cell);
    }
    return row;
  }
  std::string RowKey(int32_t c) const {
    std::string key;
    EXPECT_TRUE(AppendClustering(key, table_->clustering()[0], Bytes(c)).has_value());
    return key;
  }
  std::vector<const ModificationPlan*> Plans() const {
    std::vector<const ModificationPlan*> plans;
    for (const auto& plan : plans_) plans.push_back(plan.get());
    return plans;
  }
  // The names of the result's columns, and its numbers row by row.
  std::string Shown(bool is_batch = false) const {
    const RowsOutcome outcome = AppliedResult(*program_, Plans(), is_batch);
    std::string text;
    for (const ColumnSpec& column : outcome.shape->columns()) text += column.name + " ";
    ByteReader reader(outcome.cells);
    for (int32_t i = 0; i < outcome.rows; ++i) {
      text += "|";
      for (size_t c = 0; c < outcome.shape->columns().size(); ++c) {
        int32_t size = 0;
        std::string_view bytes;
        EXPECT_TRUE(reader.ReadBigEndian(size));
        if (size < 0) {
          text += " null";
          continue;
        }
        EXPECT_TRUE(reader.ReadBytes(static_cast<size_t>(size), bytes));
        text += " " + std::to_string(size == 1 ? bytes[0] : DecodeInteger<int32_t>(bytes));
      }
    }
    EXPECT_TRUE(reader.empty());
    return text;
  }

  const TablePtr table_ = TableBuilder()
                              .Key("k", Int())
                              .Clustering("c", Int())
                              .Static("s", Int())
                              .Regular("v", Int())
                              .Regular("l", ListOf(Int(), Cells::kMulti))
                              .Build();
  std::unique_ptr<ModificationProgram> program_;

 private:
  std::vector<std::shared_ptr<const ModificationPlan>> plans_;
  std::deque<std::string> kept_;
};

TEST_F(Program, InsertsWhatIsNotThere) {
  Make({"INSERT INTO ks.t (k, c, v) VALUES (1, 2, 3) IF NOT EXISTS"});
  const auto changes = Decide({{"", {{"s", 9}}}});
  ASSERT_TRUE(changes.has_value());
  EXPECT_TRUE(program_->applied());
  ASSERT_EQ(changes->rows.size(), 1u);
  model::Row row;
  ASSERT_TRUE(model::DecodeRow(changes->rows[0].row, row).has_value());
  EXPECT_EQ(row.liveness->timestamp, kProgramTime.count());
  EXPECT_EQ(Shown(), "[applied] | 1");
}

TEST_F(Program, LeavesAloneWhatIsThereAndShowsIt) {
  Make({"INSERT INTO ks.t (k, c, v) VALUES (1, 2, 3) IF NOT EXISTS"});
  const auto changes = Decide({{RowKey(2), {{"v", 7}}}});
  ASSERT_TRUE(changes.has_value());
  EXPECT_TRUE(changes->empty());
  EXPECT_FALSE(program_->applied());
  EXPECT_EQ(Shown(), "[applied] k c s v l | 0 1 2 null 7 null");
}

TEST_F(Program, ExistsNeedsTheRow) {
  Make({"UPDATE ks.t SET v = 1 WHERE k = 1 AND c = 2 IF EXISTS"});
  ASSERT_TRUE(Decide({{"", {{"s", 9}}}}).has_value());
  EXPECT_FALSE(program_->applied());
  EXPECT_EQ(Shown(), "[applied] | 0");
  ASSERT_TRUE(Decide({{RowKey(2), {{"dropped", 1}}}}).has_value());
  EXPECT_FALSE(program_->applied()) << "a row of nothing but a dropped column is none";
  ASSERT_TRUE(Decide({{RowKey(2), {{"v", 1}}}}).has_value());
  EXPECT_TRUE(program_->applied());
}

TEST_F(Program, ConditionsShowWhatTheyExamined) {
  Make({"UPDATE ks.t SET v = 1 WHERE k = 1 AND c = 2 IF v = 5 AND s = 6"});
  ASSERT_TRUE(Decide({{RowKey(2), {{"v", 5}}}, {"", {{"s", 7}}}}).has_value());
  EXPECT_FALSE(program_->applied());
  EXPECT_EQ(Shown(), "[applied] v s | 0 5 7");
  ASSERT_TRUE(Decide({{RowKey(2), {{"v", 5}}}, {"", {{"s", 6}}}}).has_value());
  EXPECT_TRUE(program_->applied());
  EXPECT_TRUE(program_->found().empty());
}

TEST_F(Program, StaticsAreThereForARowThatIsNot) {
  Make({"UPDATE ks.t SET v = 1 WHERE k = 1 AND c = 2 IF s = 6"});
  ASSERT_TRUE(Decide({{"", {{"s", 7}}}}).has_value());
  EXPECT_EQ(Shown(), "[applied] s | 0 7");
  ASSERT_TRUE(Decide({}).has_value());
  EXPECT_EQ(Shown(), "[applied] | 0");
}

TEST_F(Program, ConditionsOnStaticsShowThePartitionsFirstRow) {
  Make({"UPDATE ks.t SET s = 30 WHERE k = 1 IF s = 5"});
  ASSERT_TRUE(Decide({{RowKey(2), {{"dropped", 1}}}}).has_value());
  EXPECT_EQ(Shown(), "[applied] | 0");
  ASSERT_TRUE(Decide({{RowKey(2), {{"v", 1}}}}).has_value());
  EXPECT_EQ(Shown(), "[applied] s | 0 null");
  Make({"INSERT INTO ks.t (k, s) VALUES (1, 2) IF NOT EXISTS"});
  ASSERT_TRUE(Decide({{"", {{"s", 7}}}, {RowKey(2), {{"v", 1}}}, {RowKey(3), {}}}).has_value());
  EXPECT_EQ(Shown(), "[applied] k c s v l | 0 1 2 7 null null");
  Make({"UPDATE ks.t SET s = 30 WHERE k = 1 IF s = 5",
        "UPDATE ks.t SET v = 1 WHERE k = 1 AND c = 1 IF v = 1"});
  ASSERT_TRUE(Decide({{"", {{"s", 7}}}, {RowKey(2), {{"v", 1}}}}).has_value());
  EXPECT_FALSE(program_->looks_on()) << "the second condition is about a row";
  EXPECT_EQ(Shown(/*is_batch=*/true), "[applied] k c s v | 0 1 null 7 null");
}

TEST_F(Program, WhoChangesStaticsIsShownAllOfThem) {
  Make({"INSERT INTO ks.t (k, c, s, v) VALUES (1, 2, 3, 4) IF NOT EXISTS"});
  const Stored stored = {{"", {{"s", 7}}}, {RowKey(2), {{"v", 1}}}};
  ASSERT_TRUE(Decide(stored).has_value());
  EXPECT_EQ(Shown(), "[applied] k c s v l | 0 1 2 7 1 null");
  Make({"INSERT INTO ks.t (k, c, v) VALUES (1, 2, 4) IF NOT EXISTS"});
  ASSERT_TRUE(Decide(stored).has_value());
  EXPECT_EQ(Shown(), "[applied] k c s v l | 0 1 2 null 1 null");
}

TEST_F(Program, EveryRowOfABatchHasTheStatics) {
  Make({"UPDATE ks.t SET s = 4 WHERE k = 1 IF s = 3",
        "UPDATE ks.t SET v = 1 WHERE k = 1 AND c = 2 IF v = 5",
        "UPDATE ks.t SET v = 1 WHERE k = 1 AND c = 1 IF v = 6"});
  ASSERT_TRUE(
      Decide({{"", {{"s", 3}}}, {RowKey(1), {{"v", 6}}}, {RowKey(2), {{"v", 8}}}}).has_value());
  EXPECT_EQ(Shown(/*is_batch=*/true), "[applied] k c s v | 0 1 1 3 6| 0 1 2 3 8");
}

TEST_F(Program, ListsKeepWhatEachStatementAdds) {
  Make({"UPDATE ks.t SET l = l + [1] WHERE k = 1 AND c = 1 IF v = 5",
        "UPDATE ks.t SET l = l + [2] WHERE k = 1 AND c = 1",
        "UPDATE ks.t SET l = [3] + l WHERE k = 1 AND c = 1",
        "UPDATE ks.t SET l = [4] + l WHERE k = 1 AND c = 1"});
  const auto changes = Decide({{RowKey(1), {{"v", 5}}}});
  ASSERT_TRUE(changes.has_value());
  std::map<std::string, int32_t> list;  // by path
  for (const item::RowChange& change : changes->rows) {
    model::Row row;
    ASSERT_TRUE(model::DecodeRow(change.row, row).has_value());
    for (const model::Cell& cell : row.cells)
      list[std::string(cell.path)] = DecodeInteger<int32_t>(cell.value);
  }
  std::vector<int32_t> numbers;
  for (const auto& [path, number] : list) numbers.push_back(number);
  EXPECT_EQ(numbers, (std::vector<int32_t>{4, 3, 1, 2}));
}

TEST_F(Program, PartitionsAndRangesAreClearedBeforeTheRestIsWritten) {
  Make({"UPDATE ks.t SET v = 1 WHERE k = 1 AND c = 1 IF v = 5", "DELETE FROM ks.t WHERE k = 1",
        "DELETE FROM ks.t WHERE k = 1 AND c > 3", "DELETE FROM ks.t WHERE k = 1 AND c = 2"});
  const auto changes = Decide({{RowKey(1), {{"v", 5}}}});
  ASSERT_TRUE(changes.has_value());
  ASSERT_EQ(changes->rows.size(), 3u);
  std::vector<int64_t> deletions;
  for (const item::RowChange& change : changes->rows) {
    model::Row row;
    ASSERT_TRUE(model::DecodeRow(change.row, row).has_value());
    deletions.push_back(row.deletion.timestamp);
  }
  const int64_t now = kProgramTime.count();
  EXPECT_EQ(deletions, (std::vector<int64_t>{model::kNoTimestamp, now - 1, now}));
  ASSERT_EQ(changes->range_tombstones.size(), 1u);
  EXPECT_EQ(changes->range_tombstones[0].deletion.timestamp, now - 1);
}

TEST_F(Program, ABatchIsDoneWhollyOrNotAtAll) {
  Make({"UPDATE ks.t SET v = 1 WHERE k = 1 AND c = 1 IF v = 5",
        "INSERT INTO ks.t (k, c, v) VALUES (1, 2, 3)",
        "UPDATE ks.t SET v = 1 WHERE k = 1 AND c = 3 IF v = 5"});
  const auto refused = Decide({{RowKey(1), {{"v", 5}}}, {RowKey(3), {{"v", 6}}}});
  ASSERT_TRUE(refused.has_value());
  EXPECT_TRUE(refused->empty());
  EXPECT_EQ(Shown(/*is_batch=*/true), "[applied] k c v | 0 1 1 5| 0 1 3 6");
  const auto done = Decide({{RowKey(1), {{"v", 5}}}, {RowKey(3), {{"v", 5}}}});
  ASSERT_TRUE(done.has_value());
  EXPECT_EQ(done->rows.size(), 3u);
}

TEST_F(Program, ARowIsShownOnce) {
  Make({"UPDATE ks.t SET v = 1 WHERE k = 1 AND c = 1 IF v = 5",
        "UPDATE ks.t SET l = [1] WHERE k = 1 AND c = 1 IF v = 6"});
  ASSERT_TRUE(Decide({{RowKey(1), {{"v", 4}}}}).has_value());
  EXPECT_EQ(program_->found().size(), 1u);
}

TEST_F(Program, RefusalsOfItsOwnAreKeptWithTheirCode) {
  Make({"UPDATE ks.t SET l[0] = 1 WHERE k = 1 AND c = 1"});
  EXPECT_EQ(program_->reads().size(), 1u);
  const auto refused = Decide({});
  ASSERT_FALSE(refused.has_value());
  ASSERT_TRUE(program_->error().has_value());
  EXPECT_EQ(program_->error()->code, ErrorCode::kInvalid);
  EXPECT_EQ(program_->error()->message, "Attempted to set an element on a list which is null");
}

TEST_F(Program, TheClientMaySayTheTime) {
  Make({"DELETE FROM ks.t WHERE k = 1 AND c = 1 IF EXISTS"}, 77);
  const auto changes = Decide({{RowKey(1), {{"v", 1}}}});
  ASSERT_TRUE(changes.has_value());
  model::Row row;
  ASSERT_TRUE(model::DecodeRow(changes->rows.at(0).row, row).has_value());
  EXPECT_EQ(row.deletion, (model::Deletion{kProgramTime.count(), 77}));
}

TEST_F(Program, ViewsFollowWhatTheStatementsTouch) {
  class Follows final : public ViewMaintenance {
   public:
    std::span<const std::string> reads() const override { return reads_; }
    std::span<const item::RowRange> read_ranges() const override { return {}; }
    CqlResult<std::vector<item::DerivedWrite>> Follow(std::span<const item::TouchedRow> rows,
                                                      Micros now) const override {
      EXPECT_TRUE(rows.empty());
      EXPECT_EQ(now, kProgramTime);
      return std::vector<item::DerivedWrite>(1);
    }

   private:
    const std::vector<std::string> reads_ = {"another row"};
  };
  auto write = testing::BindWrite(table_, "UPDATE ks.t SET v = 1 WHERE k = 1 AND c = 1");
  std::vector<WrittenStatement> statements;
  statements.push_back({write.plan, std::move(write.bound), 5});
  ModificationProgram::Options options;
  options.partition_key = Bytes(1);
  options.views = std::make_unique<Follows>();
  program_ = std::make_unique<ModificationProgram>(std::move(statements), std::move(options));
  EXPECT_TRUE(program_->follows());
  const auto derived_writes = program_->Follow({}, kProgramTime);
  ASSERT_TRUE(derived_writes.has_value());
  EXPECT_EQ(derived_writes->size(), 1u);
}

}  // namespace
}  // namespace orrery::cassandra
