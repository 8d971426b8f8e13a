#include "api/cassandra/executor/write/row_builder.h"

#include <gtest/gtest.h>

#include <deque>

#include "api/cassandra/planner/term/column_nodes.h"
#include "api/cassandra/planner/test_writes.h"
#include "api/cassandra/types/native/fixed_size.h"
#include "api/cassandra/types/type_builder.h"
#include "api/cassandra/types/values_testing.h"
#include "model/row/row_codec.h"

namespace orrery::cassandra {
namespace {

using model::CellKind;
using testing::BoundWrite;
using testing::Bytes;
using testing::Int;
using testing::ListOf;
using testing::MapOf;
using testing::Native;
using testing::SetOf;
using testing::TableBuilder;
using testing::Text;
using testing::Udt;

constexpr WriteTimes kBuildTimes{.timestamp_us = 500, .now_s = 100, .ttl_s = 0, .list_order = 7};

std::string ListPath(uint64_t order, uint64_t place) {
  return EncodeInteger(order) + EncodeInteger(place);
}
constexpr uint64_t kMiddle = uint64_t{1} << 63;

class RowBuilderTest : public ::testing::Test {
 protected:
  // Applies the operations of "UPDATE SET ..."; Applied() without an error.
  CqlStatus Apply(const std::string& text, const WriteTimes& times = kBuildTimes,
                  const model::Row* current = nullptr, std::vector<TermValue> values = {}) {
    write_ = testing::BindWrite(table_, text, std::move(values));
    EXPECT_EQ(write_.error, "") << text;
    RowBuilder builder(times);
    for (const BoundOperation& operation : write_.bound.row_operations)
      CQL_TRY(builder.Apply(operation, current));
    row_ = {};
    encoded_.clear();
    if (builder.empty()) return {};
    encoded_ = builder.Encode();
    EXPECT_TRUE(model::DecodeRow(encoded_, row_).has_value()) << text;
    return {};
  }
  void Set(const std::string& assignments, const WriteTimes& times = kBuildTimes,
           const model::Row* current = nullptr) {
    const auto applied = Apply("UPDATE ks.t SET " + assignments + " WHERE k = 1", times, current);
    EXPECT_TRUE(applied.has_value()) << assignments << ": " << applied.error().message;
  }
  void Delete(const std::string& columns, const model::Row* current = nullptr) {
    const auto applied =
        Apply("DELETE " + columns + " FROM ks.t WHERE k = 1", kBuildTimes, current);
    EXPECT_TRUE(applied.has_value()) << columns << ": " << applied.error().message;
  }
  std::string Refused(const std::string& text, const model::Row* current = nullptr,
                      std::vector<TermValue> values = {}) {
    const auto applied = Apply(text, kBuildTimes, current, std::move(values));
    return applied.has_value() ? "was accepted" : applied.error().message;
  }
  // "path=value" of each cell, a tombstone as "path-".
  std::vector<std::string> CellTexts() const {
    std::vector<std::string> cells;
    for (const model::Cell& cell : row_.cells) {
      cells.push_back(std::string(cell.path) +
                      (cell.kind == CellKind::kTombstone ? "-" : "=" + std::string(cell.value)));
    }
    return cells;
  }
  model::ColumnId Id(std::string_view column) const { return table_->Find(column)->id; }
  // A row with a list of these numbers.
  model::Row RowWithList(std::vector<int32_t> numbers) {
    model::Row row;
    for (size_t i = 0; i < numbers.size(); ++i) {
      model::Cell cell;
      cell.column = Id("l");
      cell.has_path = true;
      cell.path = kept_.emplace_back(ListPath(kMiddle, i));
      cell.value = kept_.emplace_back(Bytes(numbers[i]));
      row.cells.push_back(cell);
    }
    return row;
  }

  const TablePtr table_ =
      TableBuilder()
          .Key("k", Int())
          .Regular("v", Int())
          .Regular("l", ListOf(Int(), Cells::kMulti))
          .Regular("s", SetOf(Text(), Cells::kMulti))
          .Regular("m", MapOf(Text(), Text(), Cells::kMulti))
          .Regular("u", Udt("pair", {"x", "y"}, {Text(), Text()}, Cells::kMulti))
          .Build();
  model::Row row_;

 private:
  BoundWrite write_;
  std::string encoded_;
  std::deque<std::string> kept_;
};

using Texts = std::vector<std::string>;

TEST_F(RowBuilderTest, IsEmptyUntilSomethingIsDone) {
  RowBuilder builder(kBuildTimes);
  EXPECT_TRUE(builder.empty());
  builder.SetLive();
  EXPECT_FALSE(builder.empty());
  RowBuilder deleting(kBuildTimes);
  deleting.DeleteRow();
  EXPECT_FALSE(deleting.empty());
}

TEST_F(RowBuilderTest, LivenessExpiresWithItsTtl) {
  WriteTimes times = kBuildTimes;
  times.ttl_s = 60;
  RowBuilder builder(times);
  builder.SetLive();
  const std::string encoded = builder.Encode();
  ASSERT_TRUE(model::DecodeRow(encoded, row_).has_value());
  EXPECT_EQ(row_.liveness, (model::Liveness{500, 60, 160}));
}

TEST_F(RowBuilderTest, OneCellColumnsAreSetAndRemoved) {
  Set("v = 5");
  ASSERT_EQ(row_.cells.size(), 1u);
  EXPECT_EQ(row_.cells[0].column, Id("v"));
  EXPECT_FALSE(row_.cells[0].has_path);
  EXPECT_EQ(row_.cells[0].timestamp, 500);
  EXPECT_EQ(row_.cells[0].value, Bytes(5));
  Set("v = null");
  EXPECT_EQ(row_.cells[0].kind, CellKind::kTombstone);
  EXPECT_EQ(row_.cells[0].expiry_s, 100u);
  Delete("v");
  EXPECT_EQ(row_.cells[0].kind, CellKind::kTombstone);
}

TEST_F(RowBuilderTest, CellsExpireWithTheirTtl) {
  WriteTimes times = kBuildTimes;
  times.ttl_s = 60;
  Set("v = 5", times);
  EXPECT_EQ(row_.cells[0].ttl_s, 60u);
  EXPECT_EQ(row_.cells[0].expiry_s, 160u);
}

TEST_F(RowBuilderTest, SettingACollectionClearsWhatWasBefore) {
  Set("m = {'b': '2', 'a': '1'}");
  EXPECT_EQ(CellTexts(), (Texts{"a=1", "b=2"}));
  ASSERT_EQ(row_.column_deletions.size(), 1u);
  EXPECT_EQ(row_.column_deletions[0].deletion, (model::Deletion{499, 100}));
  Set("m = null");
  EXPECT_TRUE(row_.cells.empty());
  EXPECT_EQ(row_.column_deletions[0].deletion, (model::Deletion{499, 100}));
  Delete("m");
  EXPECT_TRUE(row_.cells.empty());
  EXPECT_EQ(row_.column_deletions[0].deletion, (model::Deletion{500, 100}));
  Set("s = {}");
  EXPECT_TRUE(row_.cells.empty());
  EXPECT_EQ(row_.column_deletions[0].deletion.timestamp, 499);
}

TEST_F(RowBuilderTest, TheEarliestTimeHasNothingBeforeIt) {
  WriteTimes times = kBuildTimes;
  times.timestamp_us = INT64_MIN + 1;
  Set("m = {'a': '1'}", times);
  EXPECT_EQ(CellTexts(), Texts{"a=1"});
  EXPECT_TRUE(row_.column_deletions.empty());
}

TEST_F(RowBuilderTest, SetsAndMapsGrowAndShrinkByPath) {
  Set("s = s + {'b', 'a'}");
  EXPECT_EQ(CellTexts(), (Texts{"a=", "b="}));
  EXPECT_TRUE(row_.column_deletions.empty());
  Set("s = s - {'a'}, m = m - {'k'}");
  EXPECT_EQ(CellTexts(), (Texts{"a-", "k-"}));
  Set("m['k'] = 'v', m['g'] = null");
  EXPECT_EQ(CellTexts(), (Texts{"g-", "k=v"}));
  Delete("m['k'], s['a']");
  EXPECT_EQ(CellTexts(), (Texts{"a-", "k-"}));
}

TEST_F(RowBuilderTest, NothingIsAddedOrTakenByNull) {
  Set("s = s + null, l = l + null, m = m - null");
  EXPECT_TRUE(row_.cells.empty());
}

TEST_F(RowBuilderTest, AppendedElementsComeAfterThoseInFront) {
  Set("l = l + [1, 2], l = [3] + l");
  ASSERT_EQ(row_.cells.size(), 3u);
  EXPECT_EQ(row_.cells[0].path, ListPath(kMiddle - 7, 0xFFFF'FFFF'0000'0002));
  EXPECT_EQ(row_.cells[0].value, Bytes(3));
  EXPECT_EQ(row_.cells[1].path, ListPath(kMiddle + 7, 0));
  EXPECT_EQ(row_.cells[2].path, ListPath(kMiddle + 7, 1));
  EXPECT_EQ(row_.cells[2].value, Bytes(2));
}

TEST_F(RowBuilderTest, ListElementsAreReplacedByIndex) {
  const model::Row current = RowWithList({10, 11, 12});
  Set("l[1] = 5", kBuildTimes, &current);
  EXPECT_EQ(CellTexts(), Texts{ListPath(kMiddle, 1) + "=" + Bytes(5)});
  Set("l[2] = null", kBuildTimes, &current);
  EXPECT_EQ(CellTexts(), Texts{ListPath(kMiddle, 2) + "-"});
  Delete("l[0]", &current);
  EXPECT_EQ(CellTexts(), Texts{ListPath(kMiddle, 0) + "-"});
}

TEST_F(RowBuilderTest, ListElementsAreTakenByValue) {
  const model::Row current = RowWithList({10, 11, 10});
  Set("l = l - [10, 9]", kBuildTimes, &current);
  EXPECT_EQ(CellTexts(), (Texts{ListPath(kMiddle, 0) + "-", ListPath(kMiddle, 2) + "-"}));
  Set("l = l - [10]");
  EXPECT_TRUE(row_.cells.empty());
}

TEST_F(RowBuilderTest, IndexesMustBeThere) {
  const model::Row current = RowWithList({10});
  const std::string update = "UPDATE ks.t SET l[1] = 1 WHERE k = 1";
  EXPECT_EQ(Refused(update, &current), "List index 1 out of bound, list has size 1");
  EXPECT_EQ(Refused(update), "Attempted to set an element on a list which is null");
  EXPECT_EQ(Refused("DELETE l[0] FROM ks.t WHERE k = 1"),
            "Attempted to delete an element from a list which is null");
  EXPECT_EQ(Refused("UPDATE ks.t SET l[-1] = 1 WHERE k = 1", &current),
            "List index -1 out of bound, list has size 1");
}

TEST_F(RowBuilderTest, FieldsAreCellsByNumber) {
  Set("u = {x: 'a'}");
  EXPECT_EQ(CellTexts(), Texts{FieldPath(0) + "=a"});
  EXPECT_EQ(row_.column_deletions.size(), 1u);
  Set("u.y = 'b', u.x = null");
  EXPECT_EQ(CellTexts(), (Texts{FieldPath(0) + "-", FieldPath(1) + "=b"}));
  EXPECT_TRUE(row_.column_deletions.empty());
  Delete("u.y");
  EXPECT_EQ(CellTexts(), Texts{FieldPath(1) + "-"});
}

TEST_F(RowBuilderTest, OfRepeatedPlacesTheStrongestCounts) {
  Set("m['a'] = '1', m['b'] = '2', m['a'] = '3'");
  EXPECT_EQ(CellTexts(), (Texts{"a=3", "b=2"}));
  Set("m['a'] = '3', m['a'] = '1'");
  EXPECT_EQ(CellTexts(), Texts{"a=3"});
  Set("s = s + {'a'}, s = s - {'a'}");
  EXPECT_EQ(CellTexts(), Texts{"a-"});
  Set("s = s - {'a'}, s = s + {'a'}");
  EXPECT_EQ(CellTexts(), Texts{"a-"});
  Delete("m, m, s");
  ASSERT_EQ(row_.column_deletions.size(), 2u);
  EXPECT_EQ(row_.column_deletions[0].column, Id("s"));
  EXPECT_EQ(row_.column_deletions[1].column, Id("m"));
}

TEST_F(RowBuilderTest, CellsComeInOrderOfTheirColumns) {
  Set("m['a'] = '1', v = 1");
  ASSERT_EQ(row_.cells.size(), 2u);
  EXPECT_EQ(row_.cells[0].column, Id("v"));
  EXPECT_EQ(row_.cells[1].column, Id("m"));
}

TEST_F(RowBuilderTest, PathsAreAsLongAsTheirElements) {
  const std::string large(65'536, 'x');
  EXPECT_EQ(Refused("UPDATE ks.t SET m[?] = 'a' WHERE k = 1", nullptr, {TermValue::Of(large)}),
            "was accepted");
  EXPECT_EQ(Refused("UPDATE ks.t SET s = {?} WHERE k = 1", nullptr, {TermValue::Of(large)}),
            "was accepted");
}

TEST(RowBuilder, CountsAddUp) {
  const TablePtr table =
      TableBuilder().Key("k", Int()).Regular("n", Native(TypeKind::kCounter)).Build();
  const auto count = [&](const std::string& assignments) {
    const BoundWrite write =
        testing::BindWrite(table, "UPDATE ks.t SET " + assignments + " WHERE k = 1");
    RowBuilder builder(kBuildTimes);
    for (const BoundOperation& operation : write.bound.row_operations)
      EXPECT_TRUE(builder.Apply(operation, nullptr).has_value());
    const std::string encoded = builder.Encode();
    model::Row row;
    EXPECT_TRUE(model::DecodeRow(encoded, row).has_value());
    EXPECT_EQ(row.cells.size(), 1u);
    EXPECT_EQ(row.cells[0].kind, CellKind::kCounter);
    return DecodeInteger<int64_t>(row.cells[0].value);
  };
  EXPECT_EQ(count("n = n + 5"), 5);
  EXPECT_EQ(count("n = n - 5"), -5);
  EXPECT_EQ(count("n = n - -9223372036854775808"), INT64_MIN);
  EXPECT_EQ(count("n = n + 5, n = n - 2"), 3);
}

}  // namespace
}  // namespace orrery::cassandra
