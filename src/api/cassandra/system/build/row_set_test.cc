#include "api/cassandra/system/build/row_set.h"

#include <gtest/gtest.h>

#include <limits>

#include "api/cassandra/executor/client.h"
#include "api/cassandra/schema/schema.h"
#include "api/cassandra/system/build/column_type.h"
#include "api/cassandra/types/literal.h"

namespace orrery::cassandra {
namespace {

// One value, written by `write` into a column "c" of that type, as a CQL literal.
template <typename Write>
std::string Written(std::string_view type, const Write& write) {
  std::vector<Column> columns(1);
  columns[0].name = "c";
  columns[0].type = ColumnType(type);
  RowSet rows(columns);
  RowWriter row = rows.Add();
  write(row);
  const VirtualRow made = std::move(rows).Take().at(0);
  if (!made[0].has_value()) return "null";
  return ToCqlLiteral(*columns[0].type, *made[0]).value_or("invalid");
}

TEST(RowSetTest, NumbersThatDoNotFitStopAtTheEnd) {
  EXPECT_EQ(Written("int", [](RowWriter& row) { row.Int("c", -7); }), "-7");
  EXPECT_EQ(Written("int", [](RowWriter& row) { row.Int("c", int64_t{1} << 40); }), "2147483647");
  EXPECT_EQ(Written("bigint",
                    [](RowWriter& row) { row.Bigint("c", std::numeric_limits<uint64_t>::max()); }),
            "9223372036854775807");
}

TEST(RowSetTest, TimesAreInMilliseconds) {
  EXPECT_EQ(Written("timestamp", [](RowWriter& row) { row.Timestamp("c", Micros(1'999)); }),
            Written("timestamp", [](RowWriter& row) { row.Timestamp("c", Micros(1'000)); }));
}

TEST(RowSetTest, EmptyCollectionsAreNullUnlessFrozen) {
  const auto empty_set = [](RowWriter& row) { row.TextSet("c", {}); };
  EXPECT_EQ(Written("set<text>", empty_set), "null");
  EXPECT_EQ(Written("frozen<set<text>>", empty_set), "{}");
  EXPECT_EQ(Written("frozen<list<text>>", [](RowWriter& row) { row.TextList("c", {}); }), "[]");
  EXPECT_EQ(Written("map<text, text>", [](RowWriter& row) { row.TextMap("c", {}); }), "null");
}

TEST(RowSetTest, Collections) {
  EXPECT_EQ(Written("set<text>", [](RowWriter& row) { row.TextSet("c", {"b", "a"}); }),
            "{'a', 'b'}");
  EXPECT_EQ(
      Written("frozen<map<text, text>>", [](RowWriter& row) { row.TextMap("c", {{"k", "v"}}); }),
      "{'k': 'v'}");
}

TEST(RowSetTest, WantedKeys) {
  const Schema schema;
  const Client client;
  VirtualQuery query{schema, client, std::nullopt};
  EXPECT_TRUE(IsWanted(query, "a"));
  const std::vector<std::string> keys = {"a", "b"};
  query.partition_keys = keys;
  EXPECT_TRUE(IsWanted(query, "b"));
  EXPECT_FALSE(IsWanted(query, "c"));
}

}  // namespace
}  // namespace orrery::cassandra
