// BindModification: keys and operations out of a plan and its values.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/cassandra/planner/test_writes.h"
#include "api/cassandra/types/type_builder.h"
#include "api/cassandra/types/values_testing.h"

namespace orrery::cassandra {
namespace {

using testing::BindWrite;
using testing::BoundWrite;
using testing::Bytes;
using testing::Int;
using testing::ListOf;
using testing::MapOf;
using testing::SetOf;
using testing::TableBuilder;
using testing::Text;

TablePtr BoundTable() {
  return TableBuilder()
      .Key("k", Int())
      .Clustering("c", Int())
      .Static("s", Int())
      .Regular("v", Int())
      .Regular("w", Text())
      .Build();
}

std::string RowKey(const TablePtr& table, int32_t c) {
  std::string key;
  EXPECT_TRUE(AppendClustering(key, table->clustering()[0], Bytes(c)).has_value());
  return key;
}

TEST(BindModification, AnInsertNamesOneRow) {
  const BoundWrite write = BindWrite(BoundTable(), "INSERT INTO ks.t (k, c, v) VALUES (?, ?, 3)",
                                     {TermValue::Of(Bytes(1)), TermValue::Of(Bytes(2))});
  ASSERT_EQ(write.error, "");
  EXPECT_EQ(write.bound.partition_keys, std::vector<std::string>{Bytes(1)});
  ASSERT_EQ(write.bound.rows.size(), 1u);
  EXPECT_TRUE(write.bound.rows[0].is_row);
  EXPECT_EQ(write.bound.rows[0].lower, RowKey(BoundTable(), 2));
  EXPECT_EQ(write.bound.row_operations.size(), 1u);
}

TEST(BindModification, KeysOfSeveralColumnsAreJoined) {
  const TablePtr table =
      TableBuilder().Key("x", Int()).Key("y", Text()).Regular("v", Int()).Build();
  const BoundWrite write = BindWrite(table, "INSERT INTO ks.t (y, x, v) VALUES ('ab', 1, 1)");
  ASSERT_EQ(write.error, "");
  EXPECT_EQ(write.bound.partition_keys.front(), std::string("\0\4\0\0\0\1\0\0\2"
                                                            "ab\0",
                                                            12));
}

TEST(BindModification, KeysMustBeThere) {
  const auto refused = [](std::string_view text, TermValue value) {
    return BindWrite(BoundTable(), text, {std::move(value)}).error;
  };
  EXPECT_EQ(refused("INSERT INTO ks.t (k, c) VALUES (?, 1)", TermValue::Null()),
            "Invalid null value in condition for column k");
  EXPECT_EQ(refused("INSERT INTO ks.t (k, c) VALUES (1, ?)", TermValue::Unset()),
            "Invalid unset value for column c");
  EXPECT_EQ(refused("INSERT INTO ks.t (k, c) VALUES (?, 1)", TermValue::Of("")),
            "Key may not be empty");
}

TEST(BindModification, KeysAndIndexedValuesHaveALimit) {
  const TablePtr table = TableBuilder()
                             .Key("k", Int())
                             .Clustering("c", Text())
                             .Clustering("d", Text())
                             .Regular("v", Text())
                             .IndexOn("v")
                             .Build();
  const auto insert = [&](size_t c, size_t d, size_t v) {
    return BindWrite(table, "INSERT INTO ks.t (k, c, d, v) VALUES (1, ?, ?, ?)",
                     {TermValue::Of(std::string(c, 'x')), TermValue::Of(std::string(d, 'x')),
                      TermValue::Of(std::string(v, 'x'))})
        .error;
  };
  EXPECT_EQ(insert(65'000, 535, 65'534), "");
  EXPECT_EQ(insert(65'000, 536, 1), "Key length of 65536 is longer than maximum of 65535");
  EXPECT_EQ(insert(1, 1, 65'536),
            "Cannot index value of size 65536 for index v_idx on ks.t(v) (maximum allowed "
            "size=65535)");
}

TEST(BindModification, ElementsOfIndexedCollectionsHaveALimit) {
  const TablePtr table = TableBuilder()
                             .Key("k", Int())
                             .Regular("l", ListOf(Text(), Cells::kMulti))
                             .Regular("s", SetOf(Text(), Cells::kMulti))
                             .Regular("m", MapOf(Text(), Text(), Cells::kMulti))
                             .IndexOn("l", ast::IndexTargetKind::kValues)
                             .IndexOn("s", ast::IndexTargetKind::kValues)
                             .IndexOn("m", ast::IndexTargetKind::kKeys)
                             .IndexOn("m", ast::IndexTargetKind::kEntries)
                             .Build();
  const auto write = [&](std::string_view change, const std::vector<std::string>& values) {
    std::vector<TermValue> bound;
    for (const std::string& value : values) bound.push_back(TermValue::Of(value));
    return BindWrite(table, "UPDATE ks.t SET " + std::string(change) + " WHERE k = 1",
                     std::move(bound))
        .error;
  };
  const std::string small(65'534, 'x');
  const std::string large(65'535, 'x');
  const auto refusal = [](size_t bytes, std::string_view index, std::string_view column) {
    return fmt::format(
        "Cannot index value of size {} for index {} on ks.t({}) (maximum allowed size=65535)",
        bytes, index, column);
  };
  for (const std::string change : {"l = [?]", "l = l + [?]", "l = [?] + l"}) {
    EXPECT_EQ(write(change, {small}), "") << change;
    EXPECT_EQ(write(change, {large}), refusal(65'535, "l_idx", "l")) << change;
  }
  for (const std::string change : {"s = {?}", "s = s + {?}"}) {
    EXPECT_EQ(write(change, {small}), "") << change;
    EXPECT_EQ(write(change, {large}), refusal(65'535, "s_idx", "s")) << change;
  }
  EXPECT_EQ(write("s = s - {?}", {large}), "") << "nothing is written";
  for (const std::string change : {"m = {?: ?}", "m[?] = ?", "m = m + {?: ?}"}) {
    EXPECT_EQ(write(change, {"k", std::string(65'527, 'x')}), "") << change;
    EXPECT_EQ(write(change, {"k", std::string(65'528, 'x')}), refusal(65'535, "m_idx", "m"));
  }
}

TEST(BindModification, StaticsAloneNameNoRow) {
  const BoundWrite write = BindWrite(BoundTable(), "INSERT INTO ks.t (k, s) VALUES (1, 2)");
  EXPECT_TRUE(write.bound.rows.empty());
  EXPECT_EQ(write.bound.static_operations.size(), 1u);
}

TEST(BindModification, AnUpdateMayNameSeveralPartitionsAndRows) {
  const BoundWrite write =
      BindWrite(BoundTable(), "UPDATE ks.t SET v = 1 WHERE k IN (2, 1) AND c IN (5, 4)");
  ASSERT_EQ(write.error, "");
  EXPECT_EQ(write.bound.partition_keys.size(), 2u);
  ASSERT_EQ(write.bound.rows.size(), 2u);
  EXPECT_EQ(write.bound.rows[0].lower, RowKey(BoundTable(), 4));
  EXPECT_EQ(write.bound.rows[1].lower, RowKey(BoundTable(), 5));
}

TEST(BindModification, DeletionsMayClearARangeOrNothing) {
  const BoundWrite range = BindWrite(BoundTable(), "DELETE FROM ks.t WHERE k = 1 AND c >= 2");
  ASSERT_EQ(range.bound.rows.size(), 1u);
  EXPECT_FALSE(range.bound.rows[0].is_row);
  const BoundWrite nothing =
      BindWrite(BoundTable(), "DELETE FROM ks.t WHERE k = 1 AND c > 2 AND c < 1");
  EXPECT_EQ(nothing.error, "");
  EXPECT_TRUE(nothing.bound.rows.empty());
}

class BindJson : public ::testing::Test {
 protected:
  static BoundWrite Insert(const std::string& json, const std::string& mode = "") {
    return BindWrite(BoundTable(), "INSERT INTO ks.t JSON ? " + mode, {TermValue::Of(json)});
  }
};

TEST_F(BindJson, ColumnsThatAreNotNamedBecomeNullOrStay) {
  const BoundWrite nulls = Insert(R"({"k": 1, "c": 2, "v": 3})");
  ASSERT_EQ(nulls.error, "");
  EXPECT_EQ(nulls.bound.partition_keys, std::vector<std::string>{Bytes(1)});
  ASSERT_EQ(nulls.bound.row_operations.size(), 2u);
  EXPECT_EQ(nulls.bound.row_operations[0].value.bytes, Bytes(3));
  EXPECT_TRUE(nulls.bound.row_operations[1].value.is_null());
  EXPECT_EQ(nulls.bound.static_operations.size(), 1u);
  const BoundWrite kept = Insert(R"({"k": 1, "c": 2, "v": 3})", "DEFAULT UNSET");
  EXPECT_EQ(kept.bound.row_operations.size(), 1u);
  EXPECT_TRUE(kept.bound.static_operations.empty());
}

TEST_F(BindJson, Refusals) {
  EXPECT_EQ(Insert(R"({"k": 1, "c": 2, "x": 3})").error,
            "JSON values map contains unrecognized column: x");
  EXPECT_EQ(Insert(R"({"k": 1})").error, "Invalid null value in condition for column c");
  EXPECT_TRUE(
      Insert(R"({"k": "a", "c": 2})").error.starts_with("Error decoding JSON value for k: "));
  EXPECT_EQ(BindWrite(BoundTable(), "INSERT INTO ks.t JSON ?", {TermValue::Null()}).error,
            "Got null for INSERT JSON values");
  EXPECT_EQ(BindWrite(BoundTable(), "INSERT INTO ks.t JSON ?", {TermValue::Unset()}).error,
            "Got unset value for INSERT JSON values");
}

}  // namespace
}  // namespace orrery::cassandra
