#include "api/cassandra/system/schema/schema_keyspace.h"

#include <gtest/gtest.h>

#include "api/cassandra/system/system_testing.h"
#include "api/cassandra/types/type_builder.h"

namespace orrery::cassandra {
namespace {

using namespace testing;
using Texts = std::vector<std::string>;

class SchemaKeyspaceTest : public ::testing::Test {
 protected:
  SchemaKeyspaceTest() {
    Table table = UserTable("ks", "t",
                            {{"b", "int", ColumnKind::kPartitionKey},
                             {"a", "text", ColumnKind::kPartitionKey},
                             {"c", "timeuuid", ColumnKind::kClustering, true},
                             {"s", "list<int>", ColumnKind::kStatic},
                             {"M", "map<text, int>"},
                             {"v", "frozen<tuple<int, text>>"}});
    table.options.comment = "mine";
    table.options.cosmos_flags = {{"cosmosdb_cell_level_timestamp", "true"}};
    table.indexes = {{"t_m_idx", 1, ast::IndexTargetKind::kKeys, "M", false, {}, true},
                     {"t_v_idx",
                      2,
                      ast::IndexTargetKind::kColumn,
                      "v",
                      true,
                      {{"class_name", "StorageAttachedIndex"}},
                      false}};
    table.dropped = {{"gone", ColumnType("int"), ColumnKind::kStatic, 1'234'567, std::nullopt}};
    table.triggers = {{"audit", "org.example.Audit"}};
    auto container = std::make_shared<gateway::ContainerEntry>();
    container->settings.throughput = partition::ThroughputSettings::Manual(4'000);
    table.container = container;

    Table view = UserTable("ks", "by_c", {{"c", "timeuuid", ColumnKind::kPartitionKey}});
    view.view = ViewOf{"t", table.id, "c IS NOT NULL", true};

    Keyspace keyspace = UserKeyspace("ks", {table, view});
    keyspace.types["address"] =
        Udt("address", {"street", "Zip"}, {Text(), ListOf(Int(), Cells::kMulti)}, Cells::kMulti);
    auto function = std::make_shared<UserFunction>();
    function->name = "twice";
    function->argument_names = {"x"};
    function->argument_types = {Int()};
    function->return_type = Int();
    function->language = "javascript";
    function->body = "return x * 2;";
    keyspace.functions = {function};
    auto aggregate = std::make_shared<UserAggregate>();
    aggregate->name = "total";
    aggregate->argument_types = {Int()};
    aggregate->state_function = "add";
    aggregate->state_type = Int();
    aggregate->return_type = Int();
    aggregate->initial_condition = "0";
    keyspace.aggregates = {aggregate};
    tables_.Add(std::move(keyspace));
  }

  std::vector<TextRow> Read(std::string_view table, std::string_view keyspace = "ks") const {
    return tables_.Read("system_schema", table, {{std::string(keyspace)}});
  }

  SystemTables tables_;
};

TEST_F(SchemaKeyspaceTest, KeyspacesAreListedWithoutTheVirtualOnes) {
  EXPECT_EQ(Values(tables_.Read("system_schema", "keyspaces"), "keyspace_name"),
            (Texts{"'ks'", "'system'", "'system_auth'", "'system_distributed'", "'system_schema'",
                   "'system_traces'"}));
  const auto rows = Read("keyspaces");
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].at("durable_writes"), "true");
  EXPECT_EQ(rows[0].at("replication"),
            "{'class': 'org.apache.cassandra.locator.SimpleStrategy', 'replication_factor': '1'}");
  EXPECT_EQ(Read("keyspaces", "system")[0].at("replication"),
            "{'class': 'org.apache.cassandra.locator.LocalStrategy'}");
}

TEST_F(SchemaKeyspaceTest, OneKeyspaceIsAskedForOnce) {
  EXPECT_EQ(tables_.Read("system_schema", "keyspaces", {{"ks", "ks", "none"}}).size(), 1U);
  EXPECT_TRUE(Read("tables", "system_views").empty());
}

TEST_F(SchemaKeyspaceTest, TablesHaveTheirOptions) {
  const auto rows = Read("tables");
  ASSERT_EQ(rows.size(), 1U);
  const TextRow& table = rows[0];
  EXPECT_EQ(table.at("table_name"), "'t'");
  EXPECT_EQ(table.at("id"), "33333333-3333-3333-3333-333333333333");
  EXPECT_EQ(table.at("comment"), "'mine'");
  EXPECT_EQ(table.at("flags"), "{'compound'}");
  EXPECT_EQ(table.at("caching"), "{'keys': 'ALL', 'rows_per_partition': 'NONE'}");
  EXPECT_EQ(table.at("gc_grace_seconds"), "864000");
  EXPECT_EQ(table.at("speculative_retry"), "'99p'");
  EXPECT_EQ(table.at("read_repair_chance"), "0.0");
  EXPECT_EQ(table.at("memtable"), "null");
  EXPECT_EQ(table.at("extensions"),
            "{'cosmosdb_cell_level_timestamp': 0x74727565, "
            "'cosmosdb_provisioned_throughput': 0x34303030}");
}

TEST_F(SchemaKeyspaceTest, ViewsAreNoTables) {
  const auto rows = Read("views");
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].at("view_name"), "'by_c'");
  EXPECT_EQ(rows[0].at("base_table_name"), "'t'");
  EXPECT_EQ(rows[0].at("where_clause"), "'c IS NOT NULL'");
  EXPECT_EQ(rows[0].at("include_all_columns"), "true");
  EXPECT_EQ(rows[0].at("extensions"), "{}");
  EXPECT_EQ(Values(Read("columns"), "table_name").front(), "'by_c'");
}

TEST_F(SchemaKeyspaceTest, ColumnsOfEachKind) {
  const auto rows = Read("columns");
  const auto column = [&](std::string_view name) {
    for (const TextRow& row : rows) {
      if (row.at("table_name") == "'t'" && row.at("column_name") == name) return row;
    }
    return TextRow();
  };
  const TextRow a = column("'a'");
  EXPECT_EQ(a.at("kind"), "'partition_key'");
  EXPECT_EQ(a.at("position"), "1");
  EXPECT_EQ(a.at("clustering_order"), "'none'");
  const TextRow c = column("'c'");
  EXPECT_EQ(c.at("kind"), "'clustering'");
  EXPECT_EQ(c.at("position"), "0");
  EXPECT_EQ(c.at("clustering_order"), "'desc'");
  EXPECT_EQ(c.at("type"), "'timeuuid'");
  EXPECT_EQ(column("'s'").at("kind"), "'static'");
  const TextRow m = column("'M'");
  EXPECT_EQ(m.at("kind"), "'regular'");
  EXPECT_EQ(m.at("position"), "-1");
  EXPECT_EQ(m.at("column_name_bytes"), "0x4d");
  EXPECT_EQ(m.at("type"), "'map<text, int>'");
  EXPECT_EQ(column("'v'").at("type"), "'frozen<tuple<int, text>>'");
}

TEST_F(SchemaKeyspaceTest, IndexTargetsAreAsCreateIndexWritesThem) {
  const auto rows = Read("indexes");
  const TextRow keys = RowWith(rows, "index_name", "'t_m_idx'");
  EXPECT_EQ(keys.at("kind"), "'COMPOSITES'");
  EXPECT_EQ(keys.at("options"), "{'target': 'keys(\"M\")'}");
  const TextRow custom = RowWith(rows, "index_name", "'t_v_idx'");
  EXPECT_EQ(custom.at("kind"), "'CUSTOM'");
  EXPECT_EQ(custom.at("options"), "{'class_name': 'StorageAttachedIndex', 'target': 'v'}");
}

TEST_F(SchemaKeyspaceTest, DroppedColumnsAndTriggers) {
  const auto dropped = Read("dropped_columns");
  ASSERT_EQ(dropped.size(), 1U);
  EXPECT_EQ(dropped[0].at("column_name"), "'gone'");
  EXPECT_EQ(dropped[0].at("kind"), "'static'");
  EXPECT_EQ(dropped[0].at("dropped_time"), "'1970-01-01T00:00:01.234Z'");
  EXPECT_EQ(Read("triggers").at(0).at("options"), "{'class': 'org.example.Audit'}");
}

TEST_F(SchemaKeyspaceTest, TypesFunctionsAndAggregates) {
  const auto types = Read("types");
  ASSERT_EQ(types.size(), 1U);
  EXPECT_EQ(types[0].at("field_names"), "['street', 'Zip']");
  EXPECT_EQ(types[0].at("field_types"), "['text', 'list<int>']");
  const auto functions = Read("functions");
  ASSERT_EQ(functions.size(), 1U);
  EXPECT_EQ(functions[0].at("argument_types"), "['int']");
  EXPECT_EQ(functions[0].at("argument_names"), "['x']");
  EXPECT_EQ(functions[0].at("language"), "'javascript'");
  const auto aggregates = Read("aggregates");
  ASSERT_EQ(aggregates.size(), 1U);
  EXPECT_EQ(aggregates[0].at("state_func"), "'add'");
  EXPECT_EQ(aggregates[0].at("final_func"), "null");
  EXPECT_EQ(aggregates[0].at("initcond"), "'0'");
}

TEST_F(SchemaKeyspaceTest, SystemTablesListThemselves) {
  const auto rows = Read("columns", "system_schema");
  size_t matching = 0;
  for (const TextRow& row : rows) {
    if (row.at("table_name") == "'columns'") ++matching;
  }
  EXPECT_EQ(matching, tables_.Find("system_schema", "columns")->columns.size());
  EXPECT_EQ(RowWith(Read("tables", "system"), "table_name", "'IndexInfo'").at("gc_grace_seconds"),
            "0");
}

TEST_F(SchemaKeyspaceTest, CompactTablesHaveTheFormThatDriversKnow) {
  Table columns_only = UserTable(
      "old", "one", {{"k", "int", ColumnKind::kPartitionKey}, {"column1", "int"}, {"v", "int"}});
  columns_only.is_compact = true;
  Table dense =
      UserTable("old", "two",
                {{"k", "int", ColumnKind::kPartitionKey}, {"c", "int", ColumnKind::kClustering}});
  dense.is_compact = true;
  Table counters = UserTable("old", "three",
                             {{"k", "int", ColumnKind::kPartitionKey},
                              {"c", "int", ColumnKind::kClustering},
                              {"d", "int", ColumnKind::kClustering},
                              {"n", "counter"}});
  counters.is_compact = true;
  counters.is_counter = true;
  tables_.Add(UserKeyspace("old", {columns_only, dense, counters}));

  const auto tables = Read("tables", "old");
  EXPECT_EQ(RowWith(tables, "table_name", "'one'").at("flags"), "{}");
  EXPECT_EQ(RowWith(tables, "table_name", "'two'").at("flags"), "{'dense'}");
  EXPECT_EQ(RowWith(tables, "table_name", "'three'").at("flags"),
            "{'compound', 'counter', 'dense'}");
  Texts one;
  Texts two;
  for (const TextRow& row : Read("columns", "old")) {
    const std::string text = row.at("column_name") + row.at("kind") + row.at("type");
    if (row.at("table_name") == "'one'") one.push_back(text);
    if (row.at("table_name") == "'two'") two.push_back(text);
  }
  EXPECT_EQ(one, (Texts{"'k''partition_key''int'", "'column2''clustering''text'",
                        "'column1''static''int'", "'v''static''int'", "'value''regular''blob'"}));
  EXPECT_EQ(two,
            (Texts{"'k''partition_key''int'", "'c''clustering''int'", "'value''regular''empty'"}));
}

}  // namespace
}  // namespace orrery::cassandra
