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
    return MakeQueryPlan(*query, ContextOf(text), schema_, features_);
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

  // The beginnings of the ranges' keys: nothing for the whole ring.
  std::string Keys(std::string_view text) {
    const Value ranges = ParseText(Ranges(text));
    std::string out;
    for (const Value& range : ranges.AsValues()) {
      const std::string& min = range.Find("min")->AsString();
      const bool is_empty = min.empty() && range.Find("max")->AsString().empty();
      out += (out.empty() ? "" : " ") + (is_empty ? "none" : min.substr(0, 4));
    }
    return out;
  }

  item::ContainerSchema schema_;
  PlanFeatures features_;
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
            R"(offset=5 limit=10 rewrittenQuery="SELECT *\nFROM c\nOFFSET 0 LIMIT 15")");
}

// The rows that count are known only when those of all partitions are together.
TEST_F(QueryPlanTest, CountsOfMergedRowsAreTheClients) {
  EXPECT_EQ(Info("SELECT TOP 5 VALUE AVG(c.x) FROM c"),
            R"(top=5 aggregates=["Average"] rewrittenQuery="SELECT VALUE [{\"item\": {\"sum\": )"
            R"(SUM(c.x), \"count\": COUNT(c.x)}}]\nFROM c" hasSelectValue=true)");
  EXPECT_EQ(Info("SELECT DISTINCT TOP 5 VALUE c.x FROM c"),
            R"(distinctType="Unordered" top=5 rewrittenQuery="SELECT DISTINCT VALUE c.x\nFROM c" )"
            "hasSelectValue=true");
  EXPECT_EQ(Info("SELECT TOP 3 c.k, COUNT(1) AS n FROM c GROUP BY c.k"),
            R"(top=3 groupByExpressions=["c.k"] groupByAliases=["k","n"] )"
            R"(groupByAliasToAggregateType={"k":null,"n":"Count"} rewrittenQuery="SELECT )"
            R"([{\"item\": c.k}] AS groupByItems, {\"k\": c.k, \"n\": {\"item\": COUNT(1)}} AS )"
            R"(payload\nFROM c\nGROUP BY c.k")");
  EXPECT_EQ(Info("SELECT VALUE COUNT(1) FROM c OFFSET 1 LIMIT 2"),
            R"(offset=1 limit=2 aggregates=["Count"] rewrittenQuery="SELECT VALUE )"
            R"([{\"item\": COUNT(1)}]\nFROM c" hasSelectValue=true)");
  EXPECT_EQ(Info("SELECT DISTINCT * FROM c OFFSET 1 LIMIT 2"),
            R"(distinctType="Unordered" offset=1 limit=2 )"
            R"(rewrittenQuery="SELECT DISTINCT *\nFROM c")");
  EXPECT_EQ(Info("SELECT VALUE c.k FROM c GROUP BY c.k OFFSET 1 LIMIT 2"),
            R"(offset=1 limit=2 groupByExpressions=["c.k"] rewrittenQuery="SELECT )"
            R"([{\"item\": c.k}] AS groupByItems, c.k AS payload\nFROM c\nGROUP BY c.k" )"
            "hasSelectValue=true");
  EXPECT_EQ(Info("SELECT DISTINCT TOP 2 VALUE c.x FROM c ORDER BY c.x"),
            R"(distinctType="Ordered" top=2 orderBy=["Ascending"] orderByExpressions=["c.x"] )"
            R"(rewrittenQuery="SELECT c._rid, [{\"item\": c.x}] AS orderByItems, c.x AS payload\n)"
            R"(FROM c\nWHERE (({documentdb-formattableorderbyquery-filter}) AND IS_DEFINED(c.x))\n)"
            R"(ORDER BY c.x" hasSelectValue=true)");
}

// Rows in order, or in none, may be cut by each partition: no more than that of one are needed.
TEST_F(QueryPlanTest, CountsOfOtherRowsArePartitionsToo) {
  EXPECT_EQ(Info("SELECT TOP 5 * FROM c ORDER BY c.x"),
            R"(top=5 orderBy=["Ascending"] orderByExpressions=["c.x"] rewrittenQuery="SELECT TOP )"
            R"(5 c._rid, [{\"item\": c.x}] AS orderByItems, c AS payload\nFROM c\nWHERE )"
            R"(({documentdb-formattableorderbyquery-filter})\nORDER BY c.x")");
  EXPECT_EQ(Info("SELECT * FROM c ORDER BY c.x OFFSET 2 LIMIT 3"),
            R"(offset=2 limit=3 orderBy=["Ascending"] orderByExpressions=["c.x"] )"
            R"(rewrittenQuery="SELECT c._rid, [{\"item\": c.x}] AS orderByItems, c AS payload\n)"
            R"(FROM c\nWHERE ({documentdb-formattableorderbyquery-filter})\nORDER BY c.x\n)"
            R"(OFFSET 0 LIMIT 5")");
  EXPECT_EQ(Info("SELECT c.id FROM c OFFSET 2147483647 LIMIT 10"),
            R"(offset=2147483647 limit=10 )"
            R"(rewrittenQuery="SELECT c.id\nFROM c\nOFFSET 0 LIMIT 2147483657")");
  EXPECT_EQ(Info("SELECT TOP 3 c.id FROM c OFFSET 2 LIMIT 9"),
            R"(top=3 offset=2 limit=9 rewrittenQuery="SELECT c.id\nFROM c\nOFFSET 0 LIMIT 5")");
  EXPECT_EQ(Info("SELECT TOP 2 c.id FROM c ORDER BY VectorDistance(c.v, [1, 2], true)"),
            R"(top=2 orderBy=["Descending"] )"
            R"--(orderByExpressions=["VectorDistance(c.v, [1, 2], true)"] )--"
            R"(rewrittenQuery="SELECT TOP 2 c._rid, [{\"item\": VectorDistance(c.v, [1, 2], )"
            R"(true)}] AS orderByItems, {\"id\": c.id} AS payload\nFROM c\nWHERE )"
            R"(({documentdb-formattableorderbyquery-filter})\nORDER BY VectorDistance(c.v, )"
            R"--([1, 2], true)" hasNonStreamingOrderBy=true)--");
}

// All rows of one key are one partition's, which counts them itself.
TEST_F(QueryPlanTest, CountsOfOneKeyArePassedThrough) {
  EXPECT_EQ(Info("SELECT * FROM c WHERE c.pk = 5 OFFSET 1 LIMIT 2"), "");
  EXPECT_EQ(Info("SELECT TOP 5 * FROM c WHERE c.pk = 5"), "top=5");
  EXPECT_EQ(Info("SELECT TOP 2 5"), "");
  EXPECT_EQ(Info("SELECT VALUE COUNT(1) FROM c WHERE c.pk = 5 OFFSET 1 LIMIT 2"),
            R"(offset=1 limit=2 aggregates=["Count"] rewrittenQuery="SELECT VALUE )"
            R"--([{\"item\": COUNT(1)}]\nFROM c\nWHERE (c.pk = 5)" hasSelectValue=true)--");
  EXPECT_EQ(Info("SELECT DISTINCT * FROM c WHERE c.pk = 5 OFFSET 1 LIMIT 2"),
            R"(distinctType="Unordered" offset=1 limit=2 )"
            R"--(rewrittenQuery="SELECT DISTINCT *\nFROM c\nWHERE (c.pk = 5)")--");
}

// Clients that take rows for distinct compare each with the one before it.
TEST_F(QueryPlanTest, DistinctRowsAreOrderedWhereEqualOnesAreAdjacent) {
  const auto type = [&](std::string_view text) {
    return model::ToJson(*ParseText(*Plan(text)).Find("queryInfo")->Find("distinctType"));
  };
  EXPECT_EQ(type("SELECT DISTINCT VALUE c.x FROM c ORDER BY c.x"), R"("Ordered")");
  EXPECT_EQ(type("SELECT DISTINCT c.x FROM c ORDER BY c.x, c.y"), R"("Ordered")");
  EXPECT_EQ(type("SELECT DISTINCT c.x, c.y FROM c ORDER BY c.y, c.x DESC"), R"("Ordered")");
  EXPECT_EQ(type("SELECT DISTINCT c.x FROM c ORDER BY c.y"), R"("Unordered")");
  EXPECT_EQ(type("SELECT DISTINCT c.x FROM c ORDER BY c.y, c.x"), R"("Unordered")");
  EXPECT_EQ(type("SELECT DISTINCT c.x, c.y FROM c ORDER BY c.x"), R"("Unordered")");
  EXPECT_EQ(type("SELECT DISTINCT * FROM c ORDER BY c.x"), R"("Unordered")");
}

TEST_F(QueryPlanTest, Order) {
  EXPECT_EQ(Info("SELECT * FROM c ORDER BY c.x"),
            R"(orderBy=["Ascending"] orderByExpressions=["c.x"] rewrittenQuery="SELECT c._rid, )"
            R"([{\"item\": c.x}] AS orderByItems, c AS payload\nFROM c\nWHERE )"
            R"(({documentdb-formattableorderbyquery-filter})\nORDER BY c.x")");
  EXPECT_EQ(
      Info("SELECT r.id, r.n + 1 FROM root r WHERE r.a = 1 OR r.b ORDER BY r.x DESC, r.y"),
      R"(orderBy=["Descending","Ascending"] orderByExpressions=["r.x","r.y"] )"
      R"(rewrittenQuery="SELECT r._rid, [{\"item\": r.x}, {\"item\": r.y}] AS orderByItems, )"
      R"({\"id\": r.id, \"$1\": (r.n + 1)} AS payload\nFROM root AS r\nWHERE (((r.a = 1) OR r.b) )"
      R"(AND ({documentdb-formattableorderbyquery-filter}))\nORDER BY r.x DESC, r.y")");
  EXPECT_EQ(Info("SELECT DISTINCT VALUE c.x FROM c ORDER BY c.x"),
            R"(distinctType="Ordered" orderBy=["Ascending"] orderByExpressions=["c.x"] )"
            R"(rewrittenQuery="SELECT c._rid, [{\"item\": c.x}] AS orderByItems, )"
            R"(c.x AS payload\nFROM c\nWHERE (({documentdb-formattableorderbyquery-filter}) AND )"
            R"(IS_DEFINED(c.x))\nORDER BY c.x" hasSelectValue=true)");
  EXPECT_EQ(
      Info("SELECT VALUE r.a FROM r WHERE r.d = true ORDER BY r.b"),
      R"(orderBy=["Ascending"] orderByExpressions=["r.b"] rewrittenQuery="SELECT r._rid, )"
      R"([{\"item\": r.b}] AS orderByItems, r.a AS payload\nFROM r\nWHERE (((r.d = true) AND )"
      R"(({documentdb-formattableorderbyquery-filter})) AND IS_DEFINED(r.a))\nORDER BY r.b" )"
      "hasSelectValue=true");
  EXPECT_EQ(Info("SELECT VALUE s FROM (SELECT VALUE c FROM c) s ORDER BY s.x"),
            "unsupported: ORDER BY over a subquery or a part of documents cannot be executed "
            "partition by partition by a client");
}

TEST_F(QueryPlanTest, Aggregates) {
  EXPECT_EQ(Info("SELECT VALUE COUNT(1) FROM c"),
            R"(aggregates=["Count"] rewrittenQuery="SELECT VALUE [{\"item\": COUNT(1)}]\nFROM c" )"
            "hasSelectValue=true");
  EXPECT_EQ(Info("SELECT VALUE AVG(c.x) FROM c"),
            R"(aggregates=["Average"] rewrittenQuery="SELECT VALUE [{\"item\": {\"sum\": )"
            R"(SUM(c.x), \"count\": COUNT(c.x)}}]\nFROM c" hasSelectValue=true)");
  EXPECT_EQ(Info("SELECT VALUE MIN(c.x) FROM c"),
            R"(aggregates=["Min"] rewrittenQuery="SELECT VALUE [{\"item\": MIN(c.x), \"item2\": )"
            R"({\"min\": MIN(c.x), \"count\": COUNT(c.x)}}]\nFROM c" hasSelectValue=true)");
  EXPECT_EQ(Info("SELECT COUNT(1) AS n, MAX(c.x) FROM c"),
            R"(groupByAliases=["n","$1"] groupByAliasToAggregateType={"n":"Count","$1":"Max"} )"
            R"(rewrittenQuery="SELECT )"
            R"({\"n\": {\"item\": COUNT(1)}, \"$1\": {\"item\": MAX(c.x), \"item2\": {\"max\": )"
            R"(MAX(c.x), \"count\": COUNT(c.x)}}} AS payload\nFROM c")");
  EXPECT_EQ(Info("SELECT c.k, COUNT(1) AS n FROM c GROUP BY c.k"),
            R"(groupByExpressions=["c.k"] groupByAliases=["k","n"] )"
            R"(groupByAliasToAggregateType={"k":null,"n":"Count"} rewrittenQuery="SELECT )"
            R"([{\"item\": c.k}] AS groupByItems, {\"k\": c.k, \"n\": {\"item\": COUNT(1)}} AS )"
            R"(payload\nFROM c\nGROUP BY c.k")");
  EXPECT_EQ(Info("SELECT VALUE c.k FROM c GROUP BY c.k"),
            R"(groupByExpressions=["c.k"] rewrittenQuery="SELECT [{\"item\": c.k}] AS )"
            R"(groupByItems, c.k AS payload\nFROM c\nGROUP BY c.k" hasSelectValue=true)");
  EXPECT_EQ(Info("SELECT VALUE SUM(c.x) / COUNT(1) FROM c"),
            R"(unsupported: {"Errors":["Compositions of aggregates and other expressions are not )"
            R"(allowed."]})");
}

// The rewritten query can be executed, once the client has filled in its filter.
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

TEST_F(QueryPlanTest, DistinctCounts) {
  const std::string_view text = "SELECT COUNT(1) AS n FROM (SELECT DISTINCT c.k FROM c)";
  EXPECT_EQ(Info(text),
            "unsupported: an aggregate over a subquery cannot be executed partition by partition "
            "by a client");
  features_ = PlanFeatures::From({"Top", "DCount"});
  EXPECT_EQ(Info(text), R"(distinctType="Unordered" rewrittenQuery="SELECT DISTINCT c.k\nFROM c" )"
                        R"(dCountInfo={"dCountAlias":"n"})");
  EXPECT_EQ(Info("SELECT VALUE COUNT(1) FROM (SELECT DISTINCT VALUE c.k FROM c WHERE c.x > 1) s"),
            R"(distinctType="Unordered" rewrittenQuery="SELECT DISTINCT VALUE c.k\nFROM c\n)"
            R"--(WHERE (c.x > 1)" hasSelectValue=true dCountInfo={"dCountAlias":""})--");
  for (const std::string_view other :
       {"SELECT COUNT(1), 1 FROM (SELECT DISTINCT c.k FROM c)",
        "SELECT COUNT(s.k) FROM (SELECT DISTINCT c.k FROM c) s",
        "SELECT COUNT(1) FROM (SELECT DISTINCT TOP 1 c.k FROM c)",
        "SELECT COUNT(1) FROM (SELECT c.k FROM c)",
        "SELECT COUNT(1) FROM (SELECT DISTINCT c.k FROM c) s WHERE s.k = 1"}) {
    EXPECT_TRUE(Info(other).starts_with("unsupported")) << other;
  }
}

TEST_F(QueryPlanTest, WhatTheClientDoesNotUnderstand) {
  features_ = PlanFeatures::From({"Aggregate", "OrderBy"});
  for (const std::string_view text :
       {"SELECT COUNT(1) FROM c", "SELECT c.k FROM c GROUP BY c.k",
        "SELECT VALUE {a: COUNT(1), b: SUM(c.x)} FROM c", "SELECT VALUE MAKELIST(c.x) FROM c"}) {
    EXPECT_TRUE(Info(text).starts_with("unsupported")) << text;
  }
  EXPECT_FALSE(Info("SELECT VALUE COUNT(1) FROM c").starts_with("unsupported"));
  EXPECT_FALSE(Info("SELECT * FROM c ORDER BY c.x").starts_with("unsupported"));
  for (const std::string_view text :
       {"SELECT DISTINCT c.k FROM c", "SELECT TOP 1 * FROM c", "SELECT * FROM c OFFSET 1 LIMIT 2",
        "SELECT * FROM c ORDER BY c.x, c.y"}) {
    EXPECT_TRUE(Info(text).starts_with("unsupported")) << text;
  }
  features_ = PlanFeatures::From({"None"});
  EXPECT_TRUE(Info("SELECT VALUE COUNT(1) FROM c").starts_with("unsupported"));
  EXPECT_TRUE(Info("SELECT * FROM c ORDER BY c.x").starts_with("unsupported"));
  EXPECT_FALSE(Info("SELECT * FROM c").starts_with("unsupported"));
  features_ = PlanFeatures::From({});
  EXPECT_FALSE(Info("SELECT COUNT(1) FROM c").starts_with("unsupported"));
}

TEST_F(QueryPlanTest, HybridSearch) {
  const std::string_view text =
      "SELECT TOP 10 c.id FROM c WHERE c.x > 0 ORDER BY RANK RRF(FullTextScore(c.t, 'a', @b), "
      "VectorDistance(c.v, [1, 2]), [1, -0.5])";
  SetParameter("@b", R"("b \"c\"")");
  EXPECT_EQ(Plan(text).error().code(), Code::kUnsupported);
  features_ = PlanFeatures::From({"HybridSearch"});
  const Value plan = ParseText(*Plan(text));
  EXPECT_TRUE(plan.Find("queryInfo")->is_null());
  const Value& hybrid = *plan.Find("hybridSearchQueryInfo");
  EXPECT_EQ(hybrid.Find("globalStatisticsQuery")->AsString(),
            R"(SELECT COUNT(1) AS documentCount, [{"totalWordCount": )"
            R"(SUM(_FullTextWordCount(c.t) ?? 0), "hitCounts": [COUNTIF(FullTextContains(c.t, )"
            R"("a")), COUNTIF(FullTextContains(c.t, "b \"c\""))]}] AS fullTextStatistics FROM c)");
  EXPECT_EQ(model::ToJson(*hybrid.Find("componentWeights")), "[1,0.5]");
  EXPECT_EQ(model::ToJson(*hybrid.Find("take")), "10");
  EXPECT_TRUE(hybrid.Find("skip")->is_null());
  EXPECT_TRUE(hybrid.Find("requiresGlobalStatistics")->AsBool());
  const model::Values& components = hybrid.Find("componentQueryInfos")->AsValues();
  ASSERT_EQ(components.size(), 2u);
  EXPECT_EQ(model::ToJson(*components[1].Find("orderBy")), R"(["Ascending"])");
  EXPECT_EQ(model::ToJson(*components[1].Find("orderByExpressions")),
            R"--(["_VectorScore(c.v, [1, 2])"])--");
  const std::string score = R"(_FullTextScore(c.t, ["a", "b \"c\""], )"
                            "{documentdb-formattablehybridsearchquery-totaldocumentcount}, "
                            "{documentdb-formattablehybridsearchquery-totalwordcount-0}, "
                            "{documentdb-formattablehybridsearchquery-hitcountsarray-0})";
  EXPECT_EQ(components[0].Find("rewrittenQuery")->AsString(),
            "SELECT TOP 120 _RankOrder(c._etag, c._rid) AS _rid, [{\"item\": " + score +
                R"(}] AS orderByItems, {"payload": {"id": c.id}, "componentScores": [()" + score +
                " ?? -1), (_VectorScore(c.v, [1, 2]) ?? 1.79769e+308)]} AS payload\nFROM c\n"
                "WHERE ((c.x > 0) AND ({documentdb-formattableorderbyquery-filter}))\nORDER BY " +
                score + " DESC");
  EXPECT_TRUE(components[0].Find("hasNonStreamingOrderBy")->AsBool());
  const Value values =
      ParseText(*Plan("SELECT TOP 10 VALUE c.a FROM c ORDER BY RANK FullTextScore(c.t, 'a')"));
  const std::string rewritten = values.Find("hybridSearchQueryInfo")
                                    ->Find("componentQueryInfos")
                                    ->AsValues()[0]
                                    .Find("rewrittenQuery")
                                    ->AsString();
  EXPECT_NE(rewritten.find("WHERE (IS_DEFINED(c.a) AND ({documentdb-"), std::string::npos)
      << rewritten;

  for (const std::string_view other :
       {"SELECT DISTINCT TOP 5 * FROM c ORDER BY RANK FullTextScore(c.t, 'a')",
        "SELECT TOP 5 c.id FROM c JOIN d IN c.d ORDER BY RANK FullTextScore(c.t, 'a')"}) {
    EXPECT_FALSE(Plan(other).has_value()) << other;
  }
}

TEST_F(QueryPlanTest, RangesOfSeveralKeys) {
  const auto keys = [&](std::string_view text) { return Keys(text); };
  EXPECT_EQ(keys("SELECT * FROM c WHERE c.pk IN ('redmond', 5, null, 5)"), "19C0 22E3 3788");
  EXPECT_EQ(keys("SELECT * FROM c WHERE c.pk = 'redmond' OR c.pk = 5"), "19C0 22E3");
  EXPECT_EQ(keys("SELECT * FROM c WHERE c.pk = 'redmond' OR c.pk IN (5, true)"), "0E71 19C0 22E3");
  EXPECT_EQ(keys("SELECT * FROM c WHERE c.pk IN ('redmond', 5) AND c.x = 1"), "19C0 22E3");
  EXPECT_EQ(keys("SELECT * FROM c WHERE c.pk IN ('redmond', 5) AND c.pk = 5"), "19C0");
  EXPECT_EQ(keys("SELECT * FROM c WHERE c.pk = 'redmond' OR c.x = 1"), "");
  EXPECT_EQ(keys("SELECT * FROM c WHERE c.pk IN ('redmond', c.x)"), "");
  schema_.partition_key_paths = {*model::Path::Parse("/t"), *model::Path::Parse("/u")};
  schema_.hashing = partition::KeyHashing::kMultiHash;
  EXPECT_EQ(keys("SELECT * FROM c WHERE c.t IN ('redmond', 5)"), "19C0 22E3");
  EXPECT_EQ(keys("SELECT * FROM c WHERE c.t IN ('redmond', 5) AND c.u IN (1, 2)"),
            "19C0 19C0 22E3 22E3");
  EXPECT_EQ(keys("SELECT * FROM c WHERE c.u IN (1, 2)"), "");
  // Not every value of one path goes with every value of the other.
  EXPECT_EQ(keys("SELECT * FROM c WHERE (c.t = 5 AND c.u = 1) OR (c.t = 'redmond' AND c.u = 2)"),
            "19C0 22E3");
  // A prefix has all keys that begin with it.
  EXPECT_EQ(keys("SELECT * FROM c WHERE c.t = 5 OR (c.t = 5 AND c.u = 1)"), "19C0");
  EXPECT_EQ(keys("SELECT * FROM c WHERE c.t = 5 AND c.u = 1 AND c.u = 2"), "none");
  schema_.hashing = partition::KeyHashing::kV2;
  EXPECT_EQ(keys("SELECT * FROM c WHERE c.t = 5"), "");
}

TEST_F(QueryPlanTest, RangesOfConditions) {
  SetParameter("@five", "5");
  const struct {
    std::string_view condition;
    std::string_view keys;
  } cases[] = {
      {"true", ""},
      {"false", "none"},
      {"1 = 2", "none"},
      {"'a'", "none"},
      {"null", "none"},
      {"undefined", "none"},
      {"NOT false", ""},
      {"NOT true", "none"},
      {"NOT null", "none"},
      {"c.pk", "0E71"},
      {"NOT c.pk", "2FE1"},
      {"NOT NOT c.pk", "0E71"},
      {"c.pk = 5 AND c.pk = 'redmond'", "none"},
      {"c.pk = 5 AND c.pk = 5.0", "19C0"},
      {"c.pk = 5 AND false", "none"},
      {"c.pk = 5 OR false", "19C0"},
      {"c.pk = 5 OR true", ""},
      {"5 = c.pk", "19C0"},
      {"c['pk'] = @five", "19C0"},
      {"c.pk != 5", ""},
      {"NOT (c.pk != 5)", "19C0"},
      {"NOT (c.pk = 5)", ""},
      {"NOT (c.pk != 5 OR c.x = 1)", "19C0"},
      {"NOT (c.pk != 5 AND c.pk != 'redmond')", "19C0 22E3"},
      {"c.pk = undefined", "none"},
      {"c.pk = []", "1162"},
      {"c.pk = {}", "1162"},
      {"c.pk IN ([], {a: 1}, 5)", "1162 19C0"},
      {"c.pk NOT IN (5)", ""},
      {"IS_NULL(c.pk)", "3788"},
      {"IS_BOOL(c.pk)", "0E71 2FE1"},
      {"IS_NUMBER(c.pk)", ""},
      {"IS_DEFINED(c.pk)", ""},
      {"NOT IS_DEFINED(c.pk)", "1162"},
      {"ABS(c.pk) = 5", "1229 19C0"},
      {"ABS(c.pk) = -5", "none"},
      {"ABS(c.pk) = 'a'", "none"},
      {"ARRAY_CONTAINS([5, 'redmond'], c.pk)", "19C0 22E3"},
      {"_TRY_ARRAY_CONTAINS([5, 'redmond'], c.pk)", "19C0 22E3"},
      {"ARRAY_CONTAINS([1, 2, 3], c.pk) AND c.pk = 5", "none"},
      {"ARRAY_CONTAINS([], c.pk)", "none"},
      {"ARRAY_CONTAINS(c.list, c.pk)", ""},
      {"c.pk LIKE 'redmond'", "22E3"},
      {"c.pk LIKE 'redmon!d' ESCAPE '!'", "22E3"},
      {"c.pk LIKE 'red%'", ""},
      {"c.pk LIKE 'red!%' ESCAPE '!' AND c.pk = 'red%'", "01DB"},
      {"c.pk BETWEEN 2 AND 3", ""},
      {"c.pk > 5 AND c.pk = 5", "19C0"},
      {"LENGTH(c.pk) = 1", ""},
      {"c.x.pk = 5", ""},
      {"c.pk[0] = 5", ""},
      {"EXISTS(SELECT VALUE t FROM t IN c.tags WHERE c.pk = 5)", "19C0"},
      {"EXISTS(SELECT VALUE COUNT(1) FROM t IN c.tags WHERE c.pk = 5)", ""},
      {"c.x = (SELECT VALUE c.y WHERE c.pk = 'redmond') AND c.pk = 5", "none"},
      {"udf.f(c.pk) = 5", ""},
      {"c.pk = 5 ? true : false", ""},
  };
  for (const auto& [condition, keys] : cases)
    EXPECT_EQ(Keys("SELECT * FROM c WHERE " + std::string(condition)), keys) << condition;
}

// Clients ask the first partition, and nobody else: SELECT 1 is one row.
TEST_F(QueryPlanTest, RangesOfQueriesThatReadNothing) {
  EXPECT_EQ(Ranges("SELECT VALUE 1"),
            R"([{"min":"","max":"","isMinInclusive":true,"isMaxInclusive":true}])");
  EXPECT_EQ(Keys("SELECT VALUE s FROM (SELECT VALUE 1) s"), "none");
  EXPECT_EQ(Keys("SELECT VALUE COUNT(1) FROM c WHERE false"), "none");
  EXPECT_EQ(Keys("SELECT * FROM (SELECT * FROM c) s WHERE false"), "none");
  EXPECT_EQ(Keys("SELECT * FROM (SELECT * FROM c WHERE c.pk = 5) s WHERE s.pk = 'a'"), "19C0");
  EXPECT_EQ(Keys("SELECT * FROM (SELECT c.x AS pk FROM c) s WHERE s.pk = 5"), "");
}

TEST_F(QueryPlanTest, RangesOfTooManyKeys) {
  const auto list = [](size_t count) {
    std::string text = "SELECT * FROM c WHERE c.pk IN (";
    for (size_t i = 0; i < count; ++i) text += (i == 0 ? "" : ", ") + std::to_string(i);
    return text + ")";
  };
  EXPECT_EQ(ParseText(Ranges(list(1'000))).AsValues().size(), 1'000u);
  EXPECT_EQ(Keys(list(1'001)), "");
  EXPECT_EQ(Keys(list(1'000) + " AND c.pk = 5"), "19C0");
  EXPECT_EQ(Keys(list(1'000) + " OR c.pk = 'redmond'"), "");
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
