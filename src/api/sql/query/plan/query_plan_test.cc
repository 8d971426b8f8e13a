#include "api/sql/query/plan/query_plan.h"

#include <gtest/gtest.h>

#include "api/sql/query/query_testing.h"

namespace orrery::sql {
namespace {

class QueryPlanTest : public QueryTest {
 protected:
  QueryPlanTest() {
    schema_.partition_key_paths = {*model::Path::Parse("/pk")};
    schema_.row_key_path = *model::Path::Parse("/id");
    schema_.indexing = item::IndexPolicy::All();
  }

  Result<std::string> Plan(std::string_view text) {
    const auto tree = ParseQuery(text);
    EXPECT_TRUE(tree.has_value()) << text;
    const auto query = BindQuery(*tree, ContextOf(text));
    EXPECT_TRUE(query.has_value()) << text << ": " << query.error().message;
    return MakeQueryPlan(text, *query, ContextOf(text), schema_);
  }

  // The properties of queryInfo that are not what a plain query has, as JSON.
  std::string Info(std::string_view text) {
    const auto plan = Plan(text);
    if (!plan.has_value()) return plan.error().ToString();
    const Value whole = ParseText(*plan);
    const Value plain = ParseText(*Plan("SELECT * FROM c"));
    std::string out;
    for (const model::Field& field : whole.Find("queryInfo")->AsFields()) {
      if (field.value == *plain.Find("queryInfo")->Find(field.name)) continue;
      out += (out.empty() ? "" : " ") + field.name + "=" + model::ToJson(field.value);
    }
    return out;
  }

  std::string Ranges(std::string_view text) {
    const auto plan = Plan(text);
    if (!plan.has_value()) return plan.error().ToString();
    return model::ToJson(*ParseText(*plan).Find("queryRanges"));
  }

  item::ContainerSchema schema_;
};

TEST_F(QueryPlanTest, OfAPlainQuery) {
  const auto plan = Plan("SELECT * FROM c");
  ASSERT_TRUE(plan.has_value());
  EXPECT_EQ(
      *plan,
      R"({"partitionedQueryExecutionInfoVersion":2,"queryInfo":{"distinctType":"None",)"
      R"("top":null,"offset":null,"limit":null,"orderBy":[],"orderByExpressions":[],)"
      R"("groupByExpressions":[],"groupByAliases":[],"aggregates":[],)"
      R"("groupByAliasToAggregateType":{},"rewrittenQuery":"","hasSelectValue":false,)"
      R"("hasNonStreamingOrderBy":false,"dCountInfo":null},"hybridSearchQueryInfo":null,)"
      R"("queryRanges":[{"min":"","max":"FF","isMinInclusive":true,"isMaxInclusive":false}]})");
}

TEST_F(QueryPlanTest, OfEachClause) {
  SetParameter("@n", "3");
  EXPECT_EQ(Info("SELECT VALUE c.id FROM c"), "hasSelectValue=true");
  EXPECT_EQ(Info("SELECT TOP 5 c.id FROM c"), "top=5");
  EXPECT_EQ(Info("SELECT TOP @n c.id FROM c"), "top=3");
  EXPECT_EQ(Info("SELECT DISTINCT c.id FROM c"), R"(distinctType="Unordered")");
  EXPECT_EQ(Info("SELECT * FROM c OFFSET 5 LIMIT 10"),
            R"(offset=5 limit=10 rewrittenQuery="SELECT * FROM c OFFSET 0 LIMIT 15")");
}

TEST_F(QueryPlanTest, Order) {
  EXPECT_EQ(Info("SELECT * FROM c ORDER BY c.x"),
            R"(orderBy=["Ascending"] orderByExpressions=["c.x"] rewrittenQuery="SELECT c._rid, )"
            R"([{\"item\": c.x}] AS orderByItems, c AS payload FROM c WHERE )"
            R"(({documentdb-formattableorderbyquery-filter}) ORDER BY c.x")");
  EXPECT_EQ(
      Info("SELECT r.id, r.n + 1 FROM root r WHERE r.a = 1 OR r.b ORDER BY r.x DESC, r.y"),
      R"(orderBy=["Descending","Ascending"] orderByExpressions=["r.x","r.y"] )"
      R"(rewrittenQuery="SELECT r._rid, [{\"item\": r.x}, {\"item\": r.y}] AS orderByItems, )"
      R"({\"id\": r.id, \"$1\": r.n + 1} AS payload FROM root AS r WHERE (r.a = 1 OR r.b) AND )"
      R"(({documentdb-formattableorderbyquery-filter}) ORDER BY r.x DESC, r.y")");
  EXPECT_EQ(Info("SELECT DISTINCT VALUE c.x FROM c ORDER BY c.x"),
            R"(distinctType="Ordered" orderBy=["Ascending"] orderByExpressions=["c.x"] )"
            R"(rewrittenQuery="SELECT DISTINCT c._rid, [{\"item\": c.x}] AS orderByItems, )"
            R"(c.x AS payload FROM c WHERE ({documentdb-formattableorderbyquery-filter}) )"
            R"(ORDER BY c.x" hasSelectValue=true)");
  EXPECT_EQ(Info("SELECT VALUE s FROM (SELECT VALUE c FROM c) s ORDER BY s.x"),
            "unsupported: ORDER BY over a subquery or a part of documents cannot be executed "
            "partition by partition by a client");
}

TEST_F(QueryPlanTest, Aggregates) {
  EXPECT_EQ(Info("SELECT VALUE COUNT(1) FROM c"),
            R"(aggregates=["Count"] rewrittenQuery="SELECT VALUE [{\"item\": COUNT(1)}] FROM c" )"
            "hasSelectValue=true");
  EXPECT_EQ(Info("SELECT VALUE AVG(c.x) FROM c"),
            R"(aggregates=["Average"] rewrittenQuery="SELECT VALUE [{\"item\": {\"sum\": )"
            R"(SUM(c.x), \"count\": COUNT(c.x)}}] FROM c" hasSelectValue=true)");
  EXPECT_EQ(Info("SELECT VALUE MIN(c.x) FROM c"),
            R"(aggregates=["Min"] rewrittenQuery="SELECT VALUE [{\"item\": MIN(c.x), \"item2\": )"
            R"({\"min\": MIN(c.x), \"count\": COUNT(c.x)}}] FROM c" hasSelectValue=true)");
  EXPECT_EQ(Info("SELECT COUNT(1) AS n, MAX(c.x) FROM c"),
            R"(groupByAliases=["n","$1"] groupByAliasToAggregateType={"n":"Count","$1":"Max"} )"
            R"(rewrittenQuery="SELECT )"
            R"({\"n\": {\"item\": COUNT(1)}, \"$1\": {\"item\": MAX(c.x), \"item2\": {\"max\": )"
            R"(MAX(c.x), \"count\": COUNT(c.x)}}} AS payload FROM c")");
  EXPECT_EQ(Info("SELECT c.k, COUNT(1) AS n FROM c GROUP BY c.k"),
            R"(groupByExpressions=["c.k"] groupByAliases=["k","n"] )"
            R"(groupByAliasToAggregateType={"k":null,"n":"Count"} rewrittenQuery="SELECT )"
            R"([{\"item\": c.k}] AS groupByItems, {\"k\": c.k, \"n\": {\"item\": COUNT(1)}} AS )"
            R"(payload FROM c GROUP BY c.k")");
  EXPECT_EQ(Info("SELECT VALUE c.k FROM c GROUP BY c.k"),
            R"(groupByExpressions=["c.k"] rewrittenQuery="SELECT [{\"item\": c.k}] AS )"
            R"(groupByItems, c.k AS payload FROM c GROUP BY c.k" hasSelectValue=true)");
  EXPECT_EQ(Info("SELECT VALUE SUM(c.x) / COUNT(1) FROM c"),
            "unsupported: a value of several aggregates cannot be executed partition by partition "
            "by a client");
}

// What is sent back can be executed, once the client has filled in its filter.
TEST_F(QueryPlanTest, RewrittenQueriesRun) {
  SetDocuments(R"([{"x": 2, "k": "a"}, {"x": 1, "k": "b"}])");
  for (const std::string_view text :
       {"SELECT * FROM c WHERE c.x > 0 ORDER BY c.x", "SELECT VALUE AVG(c.x) FROM c",
        "SELECT c.k, MIN(c.x) AS m FROM c GROUP BY c.k", "SELECT * FROM c OFFSET 1 LIMIT 1"}) {
    const Value plan = ParseText(*Plan(text));
    std::string rewritten = plan.Find("queryInfo")->Find("rewrittenQuery")->AsString();
    constexpr std::string_view kPlaceholder = "{documentdb-formattableorderbyquery-filter}";
    if (const size_t at = rewritten.find(kPlaceholder); at != std::string::npos)
      rewritten.replace(at, kPlaceholder.size(), "c.x > 0 OR IS_STRING(c.x)");
    const std::string rows = Run(rewritten, 100);
    EXPECT_EQ(rows.front(), '[') << rewritten << ": " << rows;
    EXPECT_GT(rows.size(), 2u) << rewritten;
  }
}

TEST_F(QueryPlanTest, RangesOfTheKey) {
  EXPECT_EQ(
      Ranges("SELECT * FROM c WHERE c.pk = 'redmond'"),
      R"([{"min":"22E342F38A486A088463DFF7838A5963","max":"22E342F38A486A088463DFF7838A5963",)"
      R"("isMinInclusive":true,"isMaxInclusive":true}])");
  schema_.partition_key_paths = {*model::Path::Parse("/t"), *model::Path::Parse("/u")};
  schema_.hashing = partition::KeyHashing::kMultiHash;
  EXPECT_EQ(
      Ranges("SELECT * FROM c WHERE c.t = 'redmond' AND c.x = 1"),
      R"([{"min":"22E342F38A486A088463DFF7838A5963","max":)"
      R"("22E342F38A486A088463DFF7838A5963FF","isMinInclusive":true,"isMaxInclusive":false}])");
}

}  // namespace
}  // namespace orrery::sql
