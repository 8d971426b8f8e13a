#include "api/cassandra/planner/select/select_plan.h"

#include <gtest/gtest.h>

#include "api/cassandra/planner/test_tables.h"
#include "api/cassandra/types/type_builder.h"

namespace orrery::cassandra {
namespace {

using testing::Int;
using testing::MapOf;
using testing::Native;
using testing::PlanText;
using testing::TableBuilder;
using testing::Text;
using testing::Udt;
using testing::VectorOf;

TablePtr Readings() {
  return TableBuilder("readings")
      .Key("k", Int())
      .Clustering("a", Int())
      .Clustering("t", Native(TypeKind::kTimestamp), /*descending=*/true)
      .Static("s", Text())
      .Regular("v", Int())
      .Regular("m", MapOf(Text(), Int(), Cells::kMulti))
      .Regular("u", Udt("pair", {"x", "y"}, {Int(), Int()}, Cells::kMulti))
      .Regular("e", VectorOf(Native(TypeKind::kFloat), 2))
      .Build();
}

std::vector<std::string> NamesOf(const std::string& selection) {
  const auto planned = PlanText(Readings(), "SELECT " + selection + " FROM ks.readings");
  EXPECT_EQ(planned.error, "") << selection;
  std::vector<std::string> names;
  if (planned.plan == nullptr) return names;
  for (const ColumnSpec& column : planned.plan->result) names.push_back(column.name);
  return names;
}

std::string ErrorOf(const std::string& statement) { return PlanText(Readings(), statement).error; }

TEST(SelectPlan, NamesColumnsAsCassandraDoes) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(NamesOf("*"), (Names{"k", "a", "t", "s", "v", "m", "u", "e"}));
  EXPECT_EQ(NamesOf("v AS x, k"), (Names{"x", "k"}));
  EXPECT_EQ(NamesOf("count(*), count(1), COUNT(v), max(v)"),
            (Names{"count", "count", "system.count(v)", "system.max(v)"}));
  EXPECT_EQ(NamesOf("writetime(v), ttl(v)"), (Names{"writetime(v)", "ttl(v)"}));
  EXPECT_EQ(NamesOf("cast(v AS text), a + v, -v"), (Names{"cast(v as text)", "a + v", "-v"}));
  EXPECT_EQ(NamesOf("m['x'], u.x, token(k)"), (Names{"m['x']", "u.x", "system.token(k)"}));
  EXPECT_EQ(NamesOf("(int) 1"), (Names{"(int)1"}));
  EXPECT_EQ(NamesOf("cast(v AS int), max(cast(v AS int))"), (Names{"v", "system.max(v)"}));
  EXPECT_EQ(NamesOf("intAsBlob(null)"), (Names{"system.intasblob(NULL)"}));
}

TEST(SelectPlan, JsonIsOneColumn) {
  const auto planned = PlanText(Readings(), "SELECT JSON k, v AS x FROM ks.readings");
  ASSERT_NE(planned.plan, nullptr);
  ASSERT_EQ(planned.plan->result.size(), 1u);
  EXPECT_EQ(planned.plan->result[0].name, "[json]");
  EXPECT_EQ(planned.plan->selection[1].json_name, "x");
}

TEST(SelectPlan, ThePointReadIsRecognised) {
  const auto is_point = [](const std::string& statement) {
    const auto planned = PlanText(Readings(), statement);
    EXPECT_EQ(planned.error, "") << statement;
    return planned.plan != nullptr && planned.plan->point.has_value();
  };
  const std::string key = " FROM ks.readings WHERE k = ? AND a = ? AND t = ?";
  EXPECT_TRUE(is_point("SELECT v, s, k, a, v" + key));
  EXPECT_FALSE(is_point("SELECT m" + key));
  EXPECT_FALSE(is_point("SELECT v + 1" + key));
  EXPECT_FALSE(is_point("SELECT JSON v" + key));
  EXPECT_FALSE(is_point("SELECT v" + key + " LIMIT ?"));
  EXPECT_FALSE(is_point("SELECT v FROM ks.readings WHERE k = ? AND a = ?"));
  EXPECT_FALSE(is_point("SELECT v FROM ks.readings WHERE k IN ? AND a = ? AND t = ?"));
}

TEST(SelectPlan, DistinctIsAboutPartitions) {
  EXPECT_EQ(ErrorOf("SELECT DISTINCT k, s FROM ks.readings"), "");
  EXPECT_EQ(ErrorOf("SELECT DISTINCT k, v FROM ks.readings"),
            "SELECT DISTINCT queries must only request partition key columns and/or static columns "
            "(not v)");
  EXPECT_EQ(ErrorOf("SELECT DISTINCT k FROM ks.readings WHERE k IN (1, 2) ORDER BY a"),
            "SELECT DISTINCT queries must only request partition key columns and/or static columns "
            "(not a)");
  EXPECT_EQ(ErrorOf("SELECT DISTINCT k FROM ks.readings WHERE k = 1 ORDER BY a"), "");
  EXPECT_EQ(ErrorOf("SELECT DISTINCT s FROM ks.readings"),
            "SELECT DISTINCT queries must request all the partition key columns (missing k)");
  EXPECT_EQ(ErrorOf("SELECT DISTINCT k FROM ks.readings WHERE k = 1 AND a = 1"),
            "SELECT DISTINCT with WHERE clause only supports restriction by partition key and/or "
            "static columns.");
  EXPECT_EQ(ErrorOf("SELECT DISTINCT k FROM ks.readings PER PARTITION LIMIT 2"),
            "PER PARTITION LIMIT is not allowed with SELECT DISTINCT queries");
}

TEST(SelectPlan, GroupsAreAPrefixOfTheKey) {
  const auto planned =
      PlanText(Readings(), "SELECT k, a, max(v) FROM ks.readings GROUP BY k, a, floor(t, 1h)");
  ASSERT_NE(planned.plan, nullptr) << planned.error;
  EXPECT_EQ(planned.plan->grouping.kind, Grouping::Kind::kPrefix);
  EXPECT_EQ(planned.plan->grouping.clustering, 2u);
  EXPECT_NE(planned.plan->grouping.last, nullptr);
  EXPECT_EQ(ErrorOf("SELECT v FROM ks.readings GROUP BY v"),
            "Group by is currently only supported on the columns of the PRIMARY KEY, got v");
  const std::string out_of_order =
      "Group by currently only support groups of columns following their declared order in the "
      "PRIMARY KEY";
  EXPECT_EQ(ErrorOf("SELECT v FROM ks.readings GROUP BY k, t"), out_of_order);
  EXPECT_EQ(ErrorOf("SELECT v FROM ks.readings GROUP BY a"), out_of_order);
  EXPECT_EQ(ErrorOf("SELECT v FROM ks.readings WHERE k = 1 GROUP BY a"), "");
  EXPECT_EQ(ErrorOf("SELECT v FROM ks.readings GROUP BY k, a, floor(t, 1h), a"),
            "Functions are only supported on the last element of the GROUP BY clause");
  EXPECT_EQ(ErrorOf("SELECT count(*) FROM ks.readings PER PARTITION LIMIT 1"),
            "PER PARTITION LIMIT is not allowed with aggregate queries.");
}

TEST(SelectPlan, OrderFollowsTheKey) {
  const auto reversed = [](const std::string& order) {
    const auto planned =
        PlanText(Readings(), "SELECT * FROM ks.readings WHERE k = 1 ORDER BY " + order);
    EXPECT_EQ(planned.error, "") << order;
    return planned.plan != nullptr && planned.plan->reversed;
  };
  EXPECT_FALSE(reversed("a ASC"));
  EXPECT_TRUE(reversed("a DESC"));
  EXPECT_FALSE(reversed("a ASC, t DESC"));
  EXPECT_TRUE(reversed("a DESC, t ASC"));
  EXPECT_TRUE(reversed("a ASC, a DESC"));
  EXPECT_FALSE(reversed("a DESC, t DESC, a ASC"));
  EXPECT_EQ(ErrorOf("SELECT * FROM ks.readings WHERE k = 1 ORDER BY a ASC, t ASC"),
            "Unsupported order by relation");
  EXPECT_EQ(ErrorOf("SELECT * FROM ks.readings ORDER BY a"),
            "ORDER BY is only supported when the partition key is restricted by an EQ or an IN.");
  EXPECT_EQ(ErrorOf("SELECT * FROM ks.readings WHERE k = 1 ORDER BY v"),
            "Order by is currently only supported on the clustered columns of the PRIMARY KEY, got "
            "v");
  EXPECT_EQ(ErrorOf("SELECT * FROM ks.readings WHERE k = 1 ORDER BY t"),
            "Order by currently only supports the ordering of columns following their declared "
            "order in the PRIMARY KEY");
  EXPECT_EQ(ErrorOf("SELECT * FROM ks.readings WHERE k = 1 AND a = 2 ORDER BY t"), "");
}

TEST(SelectPlan, OrderOfSeveralPartitionsIsSorted) {
  const auto planned =
      PlanText(Readings(), "SELECT v FROM ks.readings WHERE k IN (1, 2) ORDER BY a DESC");
  ASSERT_NE(planned.plan, nullptr) << planned.error;
  EXPECT_EQ(planned.plan->sort.size(), 1u);
  EXPECT_TRUE(planned.plan->uses[planned.plan->sort[0]].value);
}

TEST(SelectPlan, NearestNeedsALimit) {
  EXPECT_EQ(ErrorOf("SELECT v FROM ks.readings ORDER BY e ANN OF [1.0, 2.0] LIMIT 3"), "");
  EXPECT_NE(ErrorOf("SELECT v FROM ks.readings ORDER BY e ANN OF [1.0, 2.0]"), "");
  EXPECT_NE(ErrorOf("SELECT v FROM ks.readings ORDER BY v ANN OF [1.0, 2.0] LIMIT 3"), "");
}

TEST(SelectPlan, LimitsMayBeBound) {
  const auto planned =
      PlanText(Readings(), "SELECT v FROM ks.readings PER PARTITION LIMIT ? LIMIT ?");
  EXPECT_EQ(planned.variables, (std::vector<std::string>{"[per_partition_limit]", "[limit]"}));
}

TEST(SelectPlan, FeedReadsAreRecognised) {
  const auto planned = PlanText(
      Readings(),
      "SELECT * FROM ks.readings WHERE COSMOS_CHANGEFEED_START_TIME()='2020-01-02 03:04:05'");
  ASSERT_NE(planned.plan, nullptr) << planned.error;
  EXPECT_TRUE(planned.plan->is_feed());
}

}  // namespace
}  // namespace orrery::cassandra
