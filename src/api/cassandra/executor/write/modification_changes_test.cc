#include "api/cassandra/executor/write/modification_changes.h"

#include <gtest/gtest.h>

#include "api/cassandra/planner/test_writes.h"
#include "api/cassandra/types/native/fixed_size.h"
#include "api/cassandra/types/type_builder.h"
#include "model/row/row_codec.h"

namespace orrery::cassandra {
namespace {

using testing::BindWrite;
using testing::BoundWrite;
using testing::Int;
using testing::ListOf;
using testing::TableBuilder;

constexpr WriteTimes kTimes{.timestamp_us = 500, .now_s = 100, .ttl_s = 0, .list_order = 7};

TablePtr Things() {
  return TableBuilder()
      .Key("k", Int())
      .Clustering("c", Int())
      .Static("s", Int())
      .Regular("v", Int())
      .Regular("l", ListOf(Int(), Cells::kMulti))
      .DefaultTtl(90)
      .Build();
}
TablePtr Flat() { return TableBuilder().Key("k", Int()).Regular("v", Int()).Build(); }

std::string RowKey(int32_t c) {
  std::string key;
  EXPECT_TRUE(AppendClustering(key, Things()->clustering()[0], EncodeInteger(c)).has_value());
  return key;
}

class Changes : public ::testing::Test {
 protected:
  item::RowChanges Of(std::string_view text, const TablePtr& table = Things()) {
    const BoundWrite write = BindWrite(table, text);
    item::RowChanges changes;
    const auto added = AddChanges(changes, write.bound, kTimes, {});
    EXPECT_TRUE(added.has_value()) << text;
    return changes;
  }
  static model::Row Decoded(const item::RowChange& change) {
    model::Row row;
    EXPECT_TRUE(model::DecodeRow(change.row, row).has_value());
    return row;
  }
  static std::vector<std::string> Read(std::string_view text, const TablePtr& table = Things()) {
    const BoundWrite write = BindWrite(table, text);
    return RowsRead(write.bound);
  }
};

using Keys = std::vector<std::string>;

TEST_F(Changes, AnInsertMakesTheRowLiveAndAnUpdateDoesNot) {
  const auto inserted = Of("INSERT INTO ks.t (k, c, v) VALUES (1, 2, 3)");
  ASSERT_EQ(inserted.rows.size(), 1u);
  EXPECT_EQ(inserted.rows[0].clustering, RowKey(2));
  EXPECT_TRUE(Decoded(inserted.rows[0]).liveness.has_value());
  const auto updated = Of("UPDATE ks.t SET v = 3 WHERE k = 1 AND c = 2");
  EXPECT_FALSE(Decoded(updated.rows[0]).liveness.has_value());
}

TEST_F(Changes, StaticsAreTheRowOfTheEmptyKey) {
  const auto both = Of("INSERT INTO ks.t (k, c, s) VALUES (1, 2, 3)");
  ASSERT_EQ(both.rows.size(), 2u);
  EXPECT_EQ(both.rows[0].clustering, "");
  EXPECT_FALSE(Decoded(both.rows[0]).liveness.has_value());
  EXPECT_EQ(both.rows[1].clustering, RowKey(2));
  EXPECT_EQ(Of("UPDATE ks.t SET s = 3 WHERE k = 1").rows.size(), 1u);
}

TEST_F(Changes, SeveralRowsEachGetTheirs) {
  const auto changes = Of("UPDATE ks.t SET v = 3 WHERE k = 1 AND c IN (1, 2)");
  ASSERT_EQ(changes.rows.size(), 2u);
  EXPECT_EQ(changes.rows[0].row, changes.rows[1].row);
}

TEST_F(Changes, DeletionsOfARowARangeAndAPartition) {
  const auto row = Of("DELETE FROM ks.t WHERE k = 1 AND c = 2");
  ASSERT_EQ(row.rows.size(), 1u);
  EXPECT_EQ(row.rows[0].clustering, RowKey(2));
  EXPECT_EQ(Decoded(row.rows[0]).deletion, (model::Deletion{500, 100}));
  const auto range = Of("DELETE FROM ks.t WHERE k = 1 AND c >= 2");
  EXPECT_TRUE(range.rows.empty());
  ASSERT_EQ(range.range_tombstones.size(), 1u);
  EXPECT_EQ(range.range_tombstones[0].lower, RowKey(2));
  EXPECT_EQ(range.range_tombstones[0].deletion, (model::Deletion{500, 100}));
  const auto partition = Of("DELETE FROM ks.t WHERE k = 1");
  ASSERT_EQ(partition.rows.size(), 1u);
  EXPECT_EQ(partition.rows[0].clustering, "");
  EXPECT_TRUE(Decoded(partition.rows[0]).deletion.exists());
}

TEST_F(Changes, ATableWithoutClusteringHasOneRow) {
  EXPECT_EQ(Of("INSERT INTO ks.t (k, v) VALUES (1, 2)", Flat()).rows[0].clustering, "");
  EXPECT_EQ(Of("DELETE FROM ks.t WHERE k = 1", Flat()).rows[0].clustering, "");
  EXPECT_EQ(Read("UPDATE ks.t SET v = 1 WHERE k = 1 IF v = 2", Flat()), Keys{""});
}

TEST_F(Changes, NothingIsLeftOfAnUpdateWithoutEffect) {
  const BoundWrite write =
      BindWrite(Things(), "UPDATE ks.t SET v = ? WHERE k = 1 AND c = 1", {TermValue::Unset()});
  item::RowChanges changes;
  ASSERT_TRUE(AddChanges(changes, write.bound, kTimes, {}).has_value());
  EXPECT_TRUE(changes.empty());
}

TEST_F(Changes, TheStatementsTtlBeatsTheTables) {
  const auto ttl = [](std::string_view text) { return TtlOf(BindWrite(Things(), text).bound); };
  EXPECT_EQ(ttl("INSERT INTO ks.t (k, c) VALUES (1, 1)"), 90u);
  EXPECT_EQ(ttl("INSERT INTO ks.t (k, c) VALUES (1, 1) USING TTL 5"), 5u);
  EXPECT_EQ(ttl("INSERT INTO ks.t (k, c) VALUES (1, 1) USING TTL 0"), 0u);
}

TEST_F(Changes, OnlyWhatIsExaminedIsRead) {
  EXPECT_EQ(Read("UPDATE ks.t SET v = 1 WHERE k = 1 AND c = 2"), Keys{});
  EXPECT_EQ(Read("UPDATE ks.t SET l[0] = 1 WHERE k = 1 AND c = 2"), Keys{RowKey(2)});
  // A condition may show static columns, too.
  EXPECT_EQ(Read("UPDATE ks.t SET v = 1 WHERE k = 1 AND c = 2 IF v = 1"), (Keys{RowKey(2), ""}));
  EXPECT_EQ(Read("INSERT INTO ks.t (k, c) VALUES (1, 2) IF NOT EXISTS"), (Keys{RowKey(2), ""}));
  EXPECT_EQ(Read("UPDATE ks.t SET s = 1 WHERE k = 1 IF s = 2"), Keys{""});
}

}  // namespace
}  // namespace orrery::cassandra
