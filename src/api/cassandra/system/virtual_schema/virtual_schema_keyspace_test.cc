#include "api/cassandra/system/virtual_schema/virtual_schema_keyspace.h"

#include <gtest/gtest.h>

#include "api/cassandra/system/system_testing.h"

namespace orrery::cassandra {
namespace {

using namespace testing;
using Texts = std::vector<std::string>;

TEST(VirtualSchemaKeyspaceTest, ListsTheVirtualKeyspacesAndNoOthers) {
  const SystemTables tables;
  EXPECT_EQ(Values(tables.Read("system_virtual_schema", "keyspaces"), "keyspace_name"),
            (Texts{"'system_views'", "'system_virtual_schema'"}));
  const auto rows = tables.Read("system_virtual_schema", "tables", {{"system_views"}});
  EXPECT_EQ(rows.size(), 34U);
  EXPECT_EQ(RowWith(rows, "table_name", "'settings'").at("comment"), "'the server''s settings'");
  const auto columns = tables.Read("system_virtual_schema", "columns", {{"system_virtual_schema"}});
  EXPECT_EQ(columns.size(), 1U + 3U + 8U);
  EXPECT_TRUE(tables.Read("system_virtual_schema", "columns", {{"system"}}).empty());
}

}  // namespace
}  // namespace orrery::cassandra
