#include <gtest/gtest.h>

#include "api/cassandra/parser/grammar/parsed.h"
#include "api/cassandra/parser/print/print.h"

namespace orrery::cassandra {
namespace {

using ast::Relation;
using ast::RelationOperator;

TEST(Select, Parts) {
  const auto select = ParseAs<ast::Select>(
      "SELECT JSON a AS x, b FROM ks.t WHERE k = 1 GROUP BY k, f(c) ORDER BY c DESC, d "
      "PER PARTITION LIMIT 2 LIMIT 10 ALLOW FILTERING");
  EXPECT_TRUE(select.is_json);
  EXPECT_FALSE(select.is_distinct);
  ASSERT_EQ(select.selectors.size(), 2u);
  EXPECT_EQ(select.selectors[0].alias->text, "x");
  EXPECT_FALSE(select.selectors[1].alias.has_value());
  EXPECT_EQ(select.table.keyspace, "ks");
  EXPECT_EQ(select.where.size(), 1u);
  EXPECT_EQ(select.group_by.size(), 2u);
  ASSERT_EQ(select.order_by.size(), 2u);
  EXPECT_TRUE(select.order_by[0].descending);
  EXPECT_FALSE(select.order_by[1].descending);
  EXPECT_EQ(PrintTerm(*select.per_partition_limit), "2");
  EXPECT_EQ(PrintTerm(*select.limit), "10");
  EXPECT_TRUE(select.allow_filtering);
}

TEST(Select, AStarSelectsNothingByName) {
  EXPECT_TRUE(ParseAs<ast::Select>("SELECT * FROM t").selectors.empty());
}

TEST(Select, JsonAndDistinctMayBeColumns) {
  const auto is_json = [](std::string_view text) { return ParseAs<ast::Select>(text).is_json; };
  EXPECT_TRUE(is_json("SELECT JSON * FROM t"));
  EXPECT_TRUE(is_json("SELECT JSON json FROM t"));
  EXPECT_TRUE(is_json("SELECT JSON as FROM t"));
  EXPECT_TRUE(is_json("SELECT json - json FROM t"));
  EXPECT_FALSE(is_json("SELECT json FROM t"));
  EXPECT_FALSE(is_json("SELECT json, a FROM t"));
  EXPECT_FALSE(is_json("SELECT json AS x FROM t"));
  EXPECT_FALSE(is_json("SELECT json * 2 FROM t"));
  EXPECT_TRUE(ParseAs<ast::Select>("SELECT DISTINCT distinct FROM t").is_distinct);
  EXPECT_FALSE(ParseAs<ast::Select>("SELECT distinct FROM t").is_distinct);
}

TEST(Select, NearestNeighbours) {
  const auto select = ParseAs<ast::Select>("SELECT a FROM t ORDER BY v ANN OF [0.1, 2] LIMIT 3");
  ASSERT_EQ(select.order_by.size(), 1u);
  ASSERT_TRUE(select.order_by[0].nearest_to.has_value());
  EXPECT_EQ(PrintTerm(*select.order_by[0].nearest_to), "[0.1, 2]");
  EXPECT_FALSE(ParseAs<ast::Select>("SELECT a FROM t ORDER BY ann").order_by[0].nearest_to);
}

Relation OnlyRelation(std::string_view where) {
  auto parsed = ParseWhere(where);
  if (!parsed || parsed->size() != 1 || !std::holds_alternative<Relation>((*parsed)[0])) {
    ADD_FAILURE() << where;
    return {};
  }
  return std::get<Relation>(std::move((*parsed)[0]));
}

TEST(Select, Operators) {
  const struct {
    std::string_view text;
    RelationOperator op;
  } cases[] = {
      {"a = 1", RelationOperator::kEqual},
      {"a != 1", RelationOperator::kNotEqual},
      {"a < 1", RelationOperator::kLess},
      {"a <= 1", RelationOperator::kLessOrEqual},
      {"a > 1", RelationOperator::kGreater},
      {"a >= 1", RelationOperator::kGreaterOrEqual},
      {"a IN (1)", RelationOperator::kIn},
      {"a CONTAINS 1", RelationOperator::kContains},
      {"a CONTAINS KEY 1", RelationOperator::kContainsKey},
      {"a LIKE 'x'", RelationOperator::kLike},
      {"a IS NOT NULL", RelationOperator::kIsNotNull},
  };
  for (const auto& [text, op] : cases) EXPECT_EQ(OnlyRelation(text).op, op) << text;
}

TEST(Select, LeftSides) {
  EXPECT_EQ(std::get<ast::Name>(OnlyRelation("A = 1").left).text, "a");
  EXPECT_EQ(std::get<ast::MapEntry>(OnlyRelation("m['k'] = 1").left).column.text, "m");
  EXPECT_EQ(std::get<ast::ColumnTuple>(OnlyRelation("(a, b) = (1, 2)").left).columns.size(), 2u);
  EXPECT_EQ(std::get<ast::ColumnTuple>(OnlyRelation("(a) = (1)").left).columns.size(), 1u);
  EXPECT_EQ(std::get<ast::TokenOfColumns>(OnlyRelation("token(a, b) > 1").left).columns.size(), 2u);
  EXPECT_EQ(std::get<ast::FunctionCall>(OnlyRelation("COSMOS_CHANGEFEED_START_TIME() = 'x'").left)
                .function.name.text,
            "cosmos_changefeed_start_time");
}

TEST(Select, RightSidesOfIn) {
  EXPECT_EQ(std::get<std::vector<ast::Term>>(OnlyRelation("a IN (1, 2)").right).size(), 2u);
  EXPECT_EQ(std::get<std::vector<ast::Term>>(OnlyRelation("a IN ()").right).size(), 0u);
  EXPECT_EQ(std::get<std::vector<ast::Term>>(OnlyRelation("a IN (?)").right).size(), 1u);
  EXPECT_NE(std::get<ast::Term>(OnlyRelation("a IN ?").right).As<ast::BindMarker>(), nullptr);
  EXPECT_NE(std::get<ast::Term>(OnlyRelation("(a, b) IN :x").right).As<ast::BindMarker>(), nullptr);
}

TEST(Select, RelationsKnowWhereTheyStand) {
  const auto where = ParseWhere("a = 1\n AND (b = 2)");
  ASSERT_TRUE(where.has_value());
  EXPECT_EQ(std::get<Relation>((*where)[1]).position,
            (query::TextPosition{.line = 2, .column = 6}));
}

TEST(Select, IndexExpressions) {
  const auto where = ParseWhere("expr(my_index, 'q')");
  ASSERT_TRUE(where.has_value());
  EXPECT_EQ(std::get<ast::IndexExpression>((*where)[0]).index.text, "my_index");
}

}  // namespace
}  // namespace orrery::cassandra
