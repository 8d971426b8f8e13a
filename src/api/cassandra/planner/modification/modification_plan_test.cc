#include "api/cassandra/planner/modification/modification_plan.h"

#include <gtest/gtest.h>

#include "api/cassandra/planner/test_writes.h"
#include "api/cassandra/types/type_builder.h"

namespace orrery::cassandra {
namespace {

using testing::Counters;
using testing::Int;
using testing::ListOf;
using testing::MapOf;
using testing::PlannedWrite;
using testing::PlanWrite;
using testing::TableBuilder;
using testing::Text;

TableBuilder Builder() {
  return TableBuilder()
      .Key("k", Int())
      .Clustering("a", Int())
      .Clustering("b", Int())
      .Static("s", Int())
      .Regular("v", Int())
      .Regular("l", ListOf(Int(), Cells::kMulti))
      .Regular("m", MapOf(Text(), Int(), Cells::kMulti));
}

PlannedWrite Plan(std::string_view text) { return PlanWrite(Builder().Build(), text); }
std::string Refused(std::string_view text, const TablePtr& table = Builder().Build()) {
  return PlanWrite(table, text).error;
}

TEST(InsertPlan, HasKeysAndOperationsByKind) {
  const auto planned = Plan("INSERT INTO ks.t (v, b, k, a, s) VALUES (1, ?, ?, 3, 4)");
  ASSERT_NE(planned.plan, nullptr) << planned.error;
  EXPECT_EQ(planned.plan->partition_key.size(), 1u);
  EXPECT_EQ(planned.plan->clustering.size(), 2u);
  EXPECT_EQ(planned.plan->static_operations.size(), 1u);
  EXPECT_EQ(planned.plan->row_operations.size(), 1u);
  EXPECT_FALSE(planned.plan->is_conditional());
  EXPECT_FALSE(planned.plan->reads());
  EXPECT_EQ(planned.variables, (std::vector<std::string>{"b", "k"}));
  EXPECT_EQ(planned.partition_key_indexes, std::vector<uint16_t>{1});
}

TEST(InsertPlan, StaticsAloneNeedNoRow) {
  const auto planned = Plan("INSERT INTO ks.t (k, s) VALUES (1, 2)");
  ASSERT_NE(planned.plan, nullptr) << planned.error;
  EXPECT_TRUE(planned.plan->only_statics);
  EXPECT_TRUE(planned.plan->clustering.empty());
}

TEST(InsertPlan, Refusals) {
  EXPECT_EQ(Refused("INSERT INTO ks.t (k, a) VALUES (1)"), "Unmatched column names/values");
  EXPECT_EQ(Refused("INSERT INTO ks.t (k, x) VALUES (1, 2)"),
            "Undefined column name x in table ks.t");
  EXPECT_EQ(Refused("INSERT INTO ks.t (k, k) VALUES (1, 2)"),
            "The column names contains duplicates");
  EXPECT_EQ(Refused("INSERT INTO ks.t (a, b) VALUES (1, 2)"),
            "Some partition key parts are missing: k");
  EXPECT_EQ(Refused("INSERT INTO ks.t (k, v) VALUES (1, 2)"),
            "Some clustering keys are missing: a, b");
  EXPECT_EQ(Refused("INSERT INTO ks.t (k, b, s) VALUES (1, 2, 3)"),
            "Some clustering keys are missing: a");
  EXPECT_EQ(Refused("INSERT INTO ks.t (k) VALUES (1)", Counters()),
            "INSERT statements are not allowed on counter tables, use UPDATE instead");
  EXPECT_EQ(Refused("INSERT INTO ks.t (k) VALUES (1)", Builder().ViewOn("base").Build()),
            "Cannot directly modify a materialized view");
}

TEST(InsertPlan, CompactTablesNeedTheirClusteringAndTheirValue) {
  const TablePtr compact =
      TableBuilder().Key("k", Int()).Clustering("a", Int()).Regular("v", Int()).Compact().Build();
  EXPECT_EQ(Refused("INSERT INTO ks.t (k, v) VALUES (1, 2)", compact),
            "Some clustering keys are missing: a");
  EXPECT_EQ(Refused("INSERT INTO ks.t (k, a) VALUES (1, 2)", compact),
            "Column v is mandatory for this COMPACT STORAGE table");
  EXPECT_EQ(Refused("INSERT INTO ks.t (k, a, v) VALUES (1, 2, 3)", compact), "");
}

TEST(InsertJsonPlan, TakesEveryColumn) {
  const auto planned = Plan("INSERT INTO ks.t JSON ? DEFAULT UNSET IF NOT EXISTS");
  ASSERT_NE(planned.plan, nullptr) << planned.error;
  EXPECT_NE(planned.plan->json, nullptr);
  EXPECT_TRUE(planned.plan->json_unset);
  EXPECT_TRUE(planned.plan->if_not_exists);
  EXPECT_EQ(planned.plan->static_operations.size(), 1u);
  EXPECT_EQ(planned.plan->row_operations.size(), 3u);
  EXPECT_EQ(planned.variables, std::vector<std::string>{"[json]"});
  EXPECT_EQ(Refused("INSERT INTO ks.t JSON '{}'", Counters()),
            "INSERT statements are not allowed on counter tables, use UPDATE instead");
}

TEST(UpdatePlan, KnowsWhatItTouches) {
  const auto row = Plan("UPDATE ks.t SET v = 1, s = 2 WHERE k = ? AND a = ? AND b = ?");
  ASSERT_NE(row.plan, nullptr) << row.error;
  EXPECT_FALSE(row.plan->only_statics);
  EXPECT_EQ(row.partition_key_indexes, std::vector<uint16_t>{0});
  const auto statics = Plan("UPDATE ks.t SET s = 2 WHERE k = 1");
  ASSERT_NE(statics.plan, nullptr) << statics.error;
  EXPECT_TRUE(statics.plan->only_statics);
  const auto list = Plan("UPDATE ks.t SET l[0] = 2 WHERE k = 1 AND a = 1 AND b = 1");
  ASSERT_NE(list.plan, nullptr) << list.error;
  EXPECT_TRUE(list.plan->reads());
}

// The parser has refused those that contradict each other.
TEST(UpdatePlan, AColumnMayBeChangedInSeveralWays) {
  const auto planned = Plan(
      "UPDATE ks.t SET l = l + [1], l = [2] + l, m['a'] = 1, m['b'] = 2 WHERE k = 1 AND a = 1 AND "
      "b = 1");
  ASSERT_NE(planned.plan, nullptr) << planned.error;
  EXPECT_EQ(planned.plan->row_operations.size(), 4u);
}

TEST(UpdatePlan, ConditionalOnesNameOneRow) {
  EXPECT_EQ(Refused("UPDATE ks.t SET v = 1 WHERE k IN (1, 2) AND a = 1 AND b = 1 IF v = 1"),
            "IN on the partition key is not supported with conditional updates");
  EXPECT_EQ(Refused("UPDATE ks.t SET v = 1 WHERE k = 1 AND a = 1 AND b IN (1, 2) IF EXISTS"),
            "IN on the clustering key columns is not supported with conditional updates");
  EXPECT_EQ(Refused("UPDATE ks.t USING TIMESTAMP 1 SET v = 1 WHERE k = 1 AND a = 1 AND b = 1 IF "
                    "EXISTS"),
            "Cannot provide custom timestamp for conditional updates");
  const auto statics = Plan("UPDATE ks.t SET s = 1 WHERE k = 1 IF s = 2");
  ASSERT_NE(statics.plan, nullptr) << statics.error;
  EXPECT_TRUE(statics.plan->only_statics);
  EXPECT_TRUE(statics.plan->is_conditional());
}

TEST(UpdatePlan, CountersHaveNeitherTimesNorConditions) {
  EXPECT_EQ(Refused("UPDATE ks.t USING TIMESTAMP 1 SET n = n + 1 WHERE k = 1", Counters()),
            "Cannot provide custom timestamp for counter updates");
  EXPECT_EQ(Refused("UPDATE ks.t USING TTL 1 SET n = n + 1 WHERE k = 1", Counters()),
            "Cannot provide custom TTL for counter updates");
  EXPECT_EQ(Refused("UPDATE ks.t SET n = n + 1 WHERE k = 1 IF EXISTS", Counters()),
            "Conditional updates are not supported on counter tables");
  EXPECT_EQ(Refused("UPDATE ks.t SET n = n + 1 WHERE k = 1 IF n = 1", Counters()),
            "Conditions on counters are not supported");
}

TEST(DeletePlan, OfRowsColumnsAndStatics) {
  const auto rows = Plan("DELETE FROM ks.t WHERE k = 1 AND a > 3");
  ASSERT_NE(rows.plan, nullptr) << rows.error;
  EXPECT_TRUE(rows.plan->deletes_rows());
  const auto columns = Plan("DELETE v, m['a'] FROM ks.t WHERE k = 1 AND a = 1 AND b = 1");
  ASSERT_NE(columns.plan, nullptr) << columns.error;
  EXPECT_FALSE(columns.plan->deletes_rows());
  EXPECT_EQ(columns.plan->row_operations.size(), 2u);
  const auto statics = Plan("DELETE s FROM ks.t WHERE k = 1");
  ASSERT_NE(statics.plan, nullptr) << statics.error;
  EXPECT_TRUE(statics.plan->only_statics);
}

TEST(DeletePlan, Refusals) {
  EXPECT_EQ(Refused("DELETE v FROM ks.t WHERE k = 1 AND a > 1"),
            "Range deletions are not supported for specific columns");
  EXPECT_TRUE(Refused("DELETE FROM ks.t WHERE k = 1 AND a = 1 IF v = 1")
                  .starts_with("DELETE statements must restrict all PRIMARY KEY columns"));
  EXPECT_EQ(Refused("DELETE FROM ks.t WHERE k IN (1, 2) AND a = 1 AND b = 1 IF EXISTS"),
            "IN on the partition key is not supported with conditional deletions");
}

}  // namespace
}  // namespace orrery::cassandra
