#include <gtest/gtest.h>

#include "api/cassandra/parser/grammar/parsed.h"
#include "api/cassandra/parser/print/print.h"

namespace orrery::cassandra {
namespace {

TEST(Schema, Properties) {
  const auto create = ParseAs<ast::CreateKeyspace>(
      "CREATE KEYSPACE Ks WITH Replication = {'class': 'X', 'n': 3} AND durable_writes = false AND "
      "cosmosdb_provisioned_throughput=400 AND word = ALL");
  EXPECT_EQ(create.keyspace.text, "ks");
  ASSERT_EQ(create.properties.size(), 4u);
  EXPECT_EQ(create.properties[0].name.text, "replication");
  const auto& map = std::get<ast::Property::Map>(create.properties[0].value);
  ASSERT_EQ(map.size(), 2u);
  EXPECT_EQ(map[1].first.text, "n");
  EXPECT_EQ(map[1].second.kind, ast::ConstantKind::kInteger);
  EXPECT_EQ(std::get<ast::Constant>(create.properties[1].value).kind, ast::ConstantKind::kBoolean);
  EXPECT_EQ(create.properties[2].name.text, "cosmosdb_provisioned_throughput");
  EXPECT_EQ(std::get<ast::Constant>(create.properties[2].value).text, "400");
  EXPECT_EQ(std::get<ast::Constant>(create.properties[3].value).text, "all");
}

TEST(Schema, CreateTable) {
  const auto create = ParseAs<ast::CreateTable>(
      "CREATE TABLE IF NOT EXISTS ks.t (a int, b text, c uuid, s list<int> STATIC, PRIMARY KEY "
      "((a, b), c)) WITH COMPACT STORAGE AND CLUSTERING ORDER BY (c DESC) AND comment = 'x'");
  EXPECT_TRUE(create.if_not_exists);
  ASSERT_EQ(create.columns.size(), 4u);
  EXPECT_EQ(std::get<ast::NativeType>(create.columns[0].type.type), ast::NativeType::kInt);
  EXPECT_TRUE(create.columns[3].is_static);
  ASSERT_EQ(create.primary_keys.size(), 1u);
  EXPECT_EQ(create.primary_keys[0].partition_columns.size(), 2u);
  EXPECT_EQ(create.primary_keys[0].clustering_columns.size(), 1u);
  ASSERT_EQ(create.clustering_order.size(), 1u);
  EXPECT_TRUE(create.clustering_order[0].descending);
  EXPECT_TRUE(create.compact_storage);
  EXPECT_EQ(create.properties.size(), 1u);
}

TEST(Schema, APrimaryKeyInline) {
  const auto create = ParseAs<ast::CreateTable>("CREATE TABLE t (k int PRIMARY KEY, v text)");
  EXPECT_TRUE(create.columns[0].is_primary_key);
  EXPECT_FALSE(create.columns[1].is_primary_key);
  EXPECT_TRUE(create.primary_keys.empty());
}

TEST(Schema, Types) {
  const auto vector = ParseType("vector<float, 3>");
  ASSERT_TRUE(vector.has_value());
  const auto& constructed = std::get<ast::ConstructedType>(vector->type);
  EXPECT_EQ(constructed.constructor, ast::TypeConstructor::kVector);
  EXPECT_EQ(constructed.dimension, 3);
  EXPECT_EQ(constructed.parameters.size(), 1u);

  EXPECT_EQ(std::get<ast::UserType>(ParseType("Ks.T")->type).name.keyspace, "ks");
  EXPECT_EQ(std::get<ast::UserType>(ParseType("list")->type).name.name.text, "list");
  EXPECT_EQ(std::get<ast::CustomType>(ParseType("'a.B'")->type).class_name, "a.B");
  EXPECT_EQ(
      std::get<ast::ConstructedType>(ParseType("tuple<int, int, int>")->type).parameters.size(),
      3u);
  EXPECT_EQ(ParseType(" int")->position, (query::TextPosition{.line = 1, .column = 1}));
}

TEST(Schema, AlterTable) {
  const auto change = [](std::string_view text) { return ParseAs<ast::AlterTable>(text).change; };
  EXPECT_EQ(std::get<ast::AddColumns>(change("ALTER TABLE t ADD (a int, b int)")).columns.size(),
            2u);
  const auto add = change("ALTER TABLE t ADD IF NOT EXISTS a int STATIC");
  EXPECT_TRUE(std::get<ast::AddColumns>(add).if_not_exists);
  EXPECT_TRUE(std::get<ast::AddColumns>(add).columns[0].is_static);
  const auto drop = change("ALTER TABLE t DROP IF EXISTS (a, b) USING TIMESTAMP 5");
  EXPECT_TRUE(std::get<ast::DropColumns>(drop).if_exists);
  EXPECT_EQ(std::get<ast::DropColumns>(drop).columns.size(), 2u);
  EXPECT_EQ(std::get<ast::DropColumns>(drop).timestamp->text, "5");
  const auto rename = change("ALTER TABLE t RENAME a TO b AND c TO d");
  EXPECT_EQ(std::get<ast::RenameColumns>(rename).renames[1].second.text, "d");
  EXPECT_TRUE(
      std::holds_alternative<ast::AlterColumnType>(change("ALTER TABLE t ALTER a TYPE int")));
  EXPECT_TRUE(std::holds_alternative<ast::DropCompactStorage>(
      change("ALTER TABLE t DROP COMPACT STORAGE")));
  EXPECT_TRUE(std::holds_alternative<ast::Properties>(change("ALTER TABLE t WITH a = 1")));
}

TEST(Schema, UserTypes) {
  EXPECT_EQ(ParseAs<ast::CreateType>("CREATE TYPE ks.a (f int, g text)").fields.size(), 2u);
  const auto alter = ParseAs<ast::AlterType>("ALTER TYPE a RENAME f TO g AND h TO i");
  EXPECT_EQ(std::get<ast::RenameFields>(alter.change).renames.size(), 2u);
  EXPECT_TRUE(ParseAs<ast::DropType>("DROP TYPE IF EXISTS a").if_exists);
}

TEST(Schema, Indexes) {
  const auto plain = ParseAs<ast::CreateIndex>("CREATE INDEX ON uprofile.user (user)");
  EXPECT_FALSE(plain.index.has_value());
  EXPECT_EQ(plain.targets[0].kind, ast::IndexTargetKind::kColumn);
  EXPECT_EQ(plain.targets[0].column.text, "user");

  const auto custom = ParseAs<ast::CreateIndex>(
      "CREATE CUSTOM INDEX IF NOT EXISTS i ON t (KEYS(m), full(n)) USING 'x' WITH OPTIONS = {'a': "
      "'b'}");
  EXPECT_TRUE(custom.is_custom);
  EXPECT_EQ(custom.index->text, "i");
  EXPECT_EQ(custom.targets[0].kind, ast::IndexTargetKind::kKeys);
  EXPECT_EQ(custom.targets[1].kind, ast::IndexTargetKind::kFull);
  EXPECT_EQ(custom.class_name, "x");
  EXPECT_EQ(custom.properties[0].name.text, "options");

  EXPECT_EQ(ParseAs<ast::CreateIndex>("CREATE INDEX ON t (keys)").targets[0].kind,
            ast::IndexTargetKind::kColumn);
  EXPECT_EQ(ParseAs<ast::DropIndex>("DROP INDEX ks.i").index.keyspace, "ks");
}

TEST(Schema, Views) {
  const auto create = ParseAs<ast::CreateView>(
      "CREATE MATERIALIZED VIEW ks.v AS SELECT a, b FROM ks.t WHERE a IS NOT NULL AND b > 1 "
      "PRIMARY "
      "KEY ((a), b) WITH CLUSTERING ORDER BY (b DESC) AND comment = 'x'");
  EXPECT_EQ(create.view.name.text, "v");
  EXPECT_EQ(create.base_table.name.text, "t");
  EXPECT_EQ(create.selectors.size(), 2u);
  EXPECT_EQ(PrintWhere(create.where), "a IS NOT NULL AND b > 1");
  EXPECT_EQ(create.primary_key.partition_columns.size(), 1u);
  EXPECT_EQ(create.clustering_order.size(), 1u);
  EXPECT_EQ(create.properties.size(), 1u);
}

TEST(Schema, FunctionsAndAggregates) {
  const auto function = ParseAs<ast::CreateFunction>(
      "CREATE OR REPLACE FUNCTION ks.F (a int, b list<int>) CALLED ON NULL INPUT RETURNS text "
      "LANGUAGE JavaScript AS $$ a + 'b' $$");
  EXPECT_TRUE(function.or_replace);
  EXPECT_EQ(function.function.name.text, "f");
  EXPECT_EQ(function.arguments.size(), 2u);
  EXPECT_TRUE(function.called_on_null_input);
  EXPECT_EQ(function.language, "javascript");
  EXPECT_EQ(function.body, " a + 'b' ");

  const auto aggregate = ParseAs<ast::CreateAggregate>(
      "CREATE AGGREGATE a (int) SFUNC s STYPE tuple<int, int> FINALFUNC f INITCOND (0, 0)");
  EXPECT_EQ(aggregate.state_function.text, "s");
  EXPECT_EQ(aggregate.final_function->text, "f");
  EXPECT_EQ(PrintTerm(*aggregate.initial_condition), "(0, 0)");

  EXPECT_FALSE(ParseAs<ast::DropFunction>("DROP FUNCTION f").signature.has_value());
  EXPECT_EQ(ParseAs<ast::DropFunction>("DROP FUNCTION f ()").signature->size(), 0u);
  EXPECT_EQ(ParseAs<ast::DropAggregate>("DROP AGGREGATE f (int, text)").signature->size(), 2u);
}

TEST(Schema, Triggers) {
  const auto create = ParseAs<ast::CreateTrigger>("CREATE TRIGGER tr ON ks.t USING 'x'");
  EXPECT_EQ(create.trigger.text, "tr");
  EXPECT_EQ(create.class_name, "x");
  EXPECT_EQ(ParseAs<ast::DropTrigger>("DROP TRIGGER tr ON t").table.name.text, "t");
}

TEST(Schema, Describe) {
  const struct {
    std::string_view text;
    ast::DescribeKind kind;
    std::string_view name;  // empty for none
  } cases[] = {
      {"DESCRIBE CLUSTER", ast::DescribeKind::kCluster, ""},
      {"DESC SCHEMA", ast::DescribeKind::kSchema, ""},
      {"DESC FULL SCHEMA", ast::DescribeKind::kFullSchema, ""},
      {"DESC KEYSPACES", ast::DescribeKind::kKeyspaces, ""},
      {"DESC KEYSPACE", ast::DescribeKind::kKeyspace, ""},
      {"DESC KEYSPACE ks", ast::DescribeKind::kKeyspace, "ks"},
      {"DESC ONLY KEYSPACE ks", ast::DescribeKind::kOnlyKeyspace, "ks"},
      {"DESC TABLES", ast::DescribeKind::kTables, ""},
      {"DESC TABLE ks.t", ast::DescribeKind::kTable, "t"},
      {"DESC INDEX i", ast::DescribeKind::kIndex, "i"},
      {"DESC MATERIALIZED VIEW v", ast::DescribeKind::kView, "v"},
      {"DESC TYPES", ast::DescribeKind::kTypes, ""},
      {"DESC TYPE t", ast::DescribeKind::kType, "t"},
      {"DESC FUNCTIONS", ast::DescribeKind::kFunctions, ""},
      {"DESC FUNCTION f", ast::DescribeKind::kFunction, "f"},
      {"DESC AGGREGATES", ast::DescribeKind::kAggregates, ""},
      {"DESC AGGREGATE a", ast::DescribeKind::kAggregate, "a"},
      {"DESC anything", ast::DescribeKind::kAnything, "anything"},
      {"DESC ks.t", ast::DescribeKind::kAnything, "t"},
      {"DESC only", ast::DescribeKind::kAnything, "only"},
      {"DESC types.t", ast::DescribeKind::kAnything, "t"},
  };
  for (const auto& [text, kind, name] : cases) {
    const auto describe = ParseAs<ast::Describe>(text);
    EXPECT_EQ(describe.kind, kind) << text;
    EXPECT_EQ(describe.target ? describe.target->name.text : "", name) << text;
  }
  EXPECT_TRUE(ParseAs<ast::Describe>("DESC t WITH INTERNALS").with_internals);
}

}  // namespace
}  // namespace orrery::cassandra
