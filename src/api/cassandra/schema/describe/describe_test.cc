#include "api/cassandra/schema/describe/describe.h"

#include "api/cassandra/schema/schema_testing.h"

namespace orrery::cassandra {
namespace {

class DescribeSchema : public SchemaFixture {
 protected:
  // "type name" of each element.
  std::vector<std::string> Names(std::string_view statement) {
    std::vector<std::string> names;
    for (const DescribedElement& element : Described(statement))
      names.push_back(fmt::format("{} {}", element.type, element.name));
    return names;
  }
  std::string RefusedDescription(std::string_view text) {
    const ast::Statement statement = Parse(text);
    const auto elements = Describe(*schema(), std::get<ast::Describe>(statement), keyspace);
    return elements.has_value() ? "" : elements.error().message;
  }
  void MakeEverything() {
    Run("CREATE TYPE b_inner (f int)");
    Run("CREATE TYPE a_outer (f frozen<b_inner>, \"G\" list<text>)");
    Run("CREATE FUNCTION step (s int, \"V\" a_outer) CALLED ON NULL INPUT RETURNS int LANGUAGE "
        "javascript AS $$ 'it''s' $$");
    Run("CREATE FUNCTION step (s tuple<int, text>) RETURNS NULL ON NULL INPUT RETURNS "
        "tuple<int, text> LANGUAGE javascript AS 'cash $$'");
    Run("CREATE AGGREGATE agg (a_outer) SFUNC step STYPE int INITCOND 5");
    Run("CREATE TABLE \"T\" (k1 int, k2 int, c int, s text STATIC, v frozen<a_outer>, m map<text, "
        "int>, PRIMARY KEY ((k1, k2), c)) WITH CLUSTERING ORDER BY (c DESC) AND comment = 'it''s' "
        "AND extensions = {'x': 0xcafe} AND cosmosdb_cell_level_timestamp = true");
    Run("CREATE TABLE single (k int PRIMARY KEY, v int) WITH cosmosdb_provisioned_throughput = "
        "1000 AND compression = {'enabled': 'false'}");
    Run("CREATE TABLE compact (k int, c int, v int, PRIMARY KEY (k, c)) WITH COMPACT STORAGE");
    Run("CREATE INDEX ON \"T\" (values(m))");
    Run("CREATE CUSTOM INDEX sasi ON single (v) USING 'org.apache.cassandra.index.sasi.SASIIndex' "
        "WITH OPTIONS = {'mode': 'PREFIX'}");
    Run("CREATE MATERIALIZED VIEW w AS SELECT k, v FROM single WHERE k > 3 AND v IS NOT NULL "
        "PRIMARY KEY (v, k)");
    server.catalog->WaitForIndexes();
  }
};

TEST_F(DescribeSchema, ATableHasTheFormOfCassandra) {
  Run("CREATE TABLE t (k int, c int, s int STATIC, v list<text>, PRIMARY KEY (k, c))");
  const auto elements = Described("DESCRIBE TABLE t");
  ASSERT_EQ(elements.size(), 1u);
  EXPECT_EQ(elements[0].keyspace, "ks");
  EXPECT_EQ(elements[0].create_statement,
            "CREATE TABLE ks.t (\n"
            "    k int,\n"
            "    c int,\n"
            "    s int static,\n"
            "    v list<text>,\n"
            "    PRIMARY KEY (k, c)\n"
            ") WITH CLUSTERING ORDER BY (c ASC)\n"
            "    AND additional_write_policy = '99p'\n"
            "    AND bloom_filter_fp_chance = 0.01\n"
            "    AND caching = {'keys': 'ALL', 'rows_per_partition': 'NONE'}\n"
            "    AND cdc = false\n"
            "    AND comment = ''\n"
            "    AND compaction = {'class': "
            "'org.apache.cassandra.db.compaction.SizeTieredCompactionStrategy', 'max_threshold': "
            "'32', 'min_threshold': '4'}\n"
            "    AND compression = {'chunk_length_in_kb': '16', 'class': "
            "'org.apache.cassandra.io.compress.LZ4Compressor'}\n"
            "    AND memtable = 'default'\n"
            "    AND crc_check_chance = 1.0\n"
            "    AND default_time_to_live = 0\n"
            "    AND extensions = {}\n"
            "    AND gc_grace_seconds = 864000\n"
            "    AND max_index_interval = 2048\n"
            "    AND memtable_flush_period_in_ms = 0\n"
            "    AND min_index_interval = 128\n"
            "    AND read_repair = 'BLOCKING'\n"
            "    AND speculative_retry = '99p';");
}

TEST_F(DescribeSchema, OtherElements) {
  MakeEverything();
  const auto text = [&](std::string_view statement) {
    return Described(statement).at(0).create_statement;
  };
  EXPECT_EQ(text("DESC KEYSPACE ks"),
            "CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', "
            "'replication_factor': '1'}  AND durable_writes = true;");
  EXPECT_EQ(text("DESC TYPE a_outer"),
            "CREATE TYPE ks.a_outer (\n    f frozen<b_inner>,\n    \"G\" list<text>\n);");
  EXPECT_EQ(text("DESC FUNCTION step"),
            "CREATE FUNCTION ks.step(s tuple<int, text>)\n    RETURNS NULL ON NULL INPUT\n    "
            "RETURNS tuple<int, text>\n    LANGUAGE javascript\n    AS 'cash $$';");
  EXPECT_EQ(text("DESC AGGREGATE agg"),
            "CREATE AGGREGATE ks.agg(a_outer)\n    SFUNC step\n    STYPE int\n    INITCOND 5;");
  EXPECT_EQ(text("DESC INDEX \"T_m_idx\""), "CREATE INDEX \"T_m_idx\" ON ks.\"T\" (values(m));");
  EXPECT_EQ(text("DESC INDEX sasi"),
            "CREATE CUSTOM INDEX sasi ON ks.single (v) USING "
            "'org.apache.cassandra.index.sasi.SASIIndex' WITH OPTIONS = {'mode': 'PREFIX'};");
  EXPECT_TRUE(text("DESC MATERIALIZED VIEW w")
                  .starts_with("CREATE MATERIALIZED VIEW ks.w AS\n    SELECT v, k\n    FROM "
                               "ks.single\n    WHERE k > 3 AND v IS NOT NULL\n    PRIMARY KEY (v, "
                               "k)\n WITH CLUSTERING ORDER BY (k ASC)\n    AND additional_write"));
  EXPECT_TRUE(text("DESC TABLE single").contains("AND cosmosdb_provisioned_throughput = 1000;"));
}

TEST_F(DescribeSchema, WhatIsShownMakesTheSameSchema) {
  MakeEverything();
  // Is shown as a remark.
  Run("DROP TABLE ks.compact");
  const std::string version = schema()->version;
  // With ids, since they are part of the version.
  std::vector<std::string> statements;
  for (const DescribedElement& element : Described("DESCRIBE SCHEMA WITH INTERNALS"))
    statements.push_back(element.create_statement);
  Run("DROP KEYSPACE ks");
  for (const std::string& statement : statements) Run(statement);
  server.catalog->WaitForIndexes();
  std::vector<std::string> again;
  for (const DescribedElement& element : Described("DESCRIBE SCHEMA WITH INTERNALS"))
    again.push_back(element.create_statement);
  EXPECT_EQ(again, statements);
  EXPECT_EQ(schema()->version, version);
}

TEST_F(DescribeSchema, Listings) {
  MakeEverything();
  EXPECT_EQ(Names("DESC TABLES"),
            (std::vector<std::string>{"table compact", "table single", "table \"T\""}));
  EXPECT_EQ(Names("DESC TYPES"), (std::vector<std::string>{"type a_outer", "type b_inner"}));
  EXPECT_EQ(Names("DESC FUNCTIONS"), (std::vector<std::string>{"function step(tuple<int, text>)",
                                                               "function step(int, a_outer)"}));
  EXPECT_EQ(Names("DESC AGGREGATES"), (std::vector<std::string>{"aggregate agg(a_outer)"}));
  EXPECT_EQ(Names("DESC KEYSPACES"), (std::vector<std::string>{"keyspace ks"}));
  EXPECT_EQ(Described("DESC TABLES")[0].create_statement, "");
  EXPECT_FALSE(HasCreateStatements(ast::DescribeKind::kTables));
  EXPECT_TRUE(HasCreateStatements(ast::DescribeKind::kTable));
}

TEST_F(DescribeSchema, AKeyspaceComesInAnOrderThatCanBeRun) {
  MakeEverything();
  EXPECT_EQ(
      Names("DESC KEYSPACE"),
      (std::vector<std::string>{
          "keyspace ks", "type b_inner", "type a_outer", "function step(tuple<int, text>)",
          "function step(int, a_outer)", "aggregate agg(a_outer)", "table compact", "table single",
          "index sasi", "materialized_view w", "table \"T\"", "index \"T_m_idx\""}));
  EXPECT_EQ(Names("DESC ONLY KEYSPACE ks"), (std::vector<std::string>{"keyspace ks"}));
  EXPECT_EQ(Names("DESC ks").size(), 12u);
  EXPECT_EQ(Names("DESC single"), (std::vector<std::string>{"table single", "index sasi"}));
  EXPECT_EQ(Names("DESC sasi"), (std::vector<std::string>{"index sasi"}));
  EXPECT_EQ(Names("DESC ks.w"), (std::vector<std::string>{"materialized_view w"}));
}

TEST_F(DescribeSchema, InternalsTellOfDroppedColumns) {
  Run("CREATE TABLE t (k int PRIMARY KEY, a int, b int)");
  Run("ALTER TABLE t DROP (a, b) USING TIMESTAMP 5");
  Run("ALTER TABLE t ADD b int");
  const std::string text = Described("DESC TABLE t WITH INTERNALS")[0].create_statement;
  EXPECT_TRUE(
      text.starts_with("CREATE TABLE ks.t (\n    k int PRIMARY KEY,\n    a int,\n    b "
                       "int\n) WITH ID = 00000000-0000-"))
      << text;
  EXPECT_TRUE(
      text.ends_with("\nALTER TABLE ks.t DROP a USING TIMESTAMP 5;\nALTER TABLE ks.t DROP b "
                     "USING TIMESTAMP 5;\nALTER TABLE ks.t ADD b int;"))
      << text;
}

TEST_F(DescribeSchema, RefusesInCassandrasWords) {
  EXPECT_EQ(RefusedDescription("DESC TABLE no"), "Table 'no' not found in keyspace 'ks'");
  EXPECT_EQ(RefusedDescription("DESC KEYSPACE no"), "'no' not found in keyspaces");
  EXPECT_EQ(RefusedDescription("DESC TYPE no"), "User defined type 'no' not found in 'ks'");
  EXPECT_EQ(RefusedDescription("DESC FUNCTION no"), "User defined function 'no' not found in 'ks'");
  EXPECT_EQ(RefusedDescription("DESC AGGREGATE no"),
            "User defined aggregate 'no' not found in 'ks'");
  EXPECT_EQ(RefusedDescription("DESC INDEX no"), "Table for existing index 'no' not found in 'ks'");
  EXPECT_EQ(RefusedDescription("DESC MATERIALIZED VIEW no"),
            "Materialized view 'no' not found in 'ks'");
  EXPECT_EQ(RefusedDescription("DESC no"), "'no' not found in keyspace 'ks'");
  keyspace.clear();
  EXPECT_EQ(RefusedDescription("DESC TABLE t"), "No keyspace specified and no current keyspace");
  EXPECT_EQ(RefusedDescription("DESC no"), "'no' not found in keyspaces");
}

TEST_F(DescribeSchema, ColumnsOfSeveralCellsComeLast) {
  Run("CREATE TABLE mixed (k int, c int, a list<int>, b int, s set<int> static, x int static, "
      "PRIMARY KEY (k, c))");
  const std::string text = Described("DESC TABLE mixed").front().create_statement;
  const std::string columns = text.substr(0, text.find("PRIMARY KEY"));
  EXPECT_EQ(columns,
            "CREATE TABLE ks.mixed (\n    k int,\n    c int,\n    x int static,\n    s set<int> "
            "static,\n    b int,\n    a list<int>,\n    ");
}

}  // namespace
}  // namespace orrery::cassandra
