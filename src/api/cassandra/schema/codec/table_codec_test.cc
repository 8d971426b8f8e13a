#include "api/cassandra/schema/codec/table_codec.h"

#include <gtest/gtest.h>

#include "api/cassandra/schema/codec/definition.h"
#include "api/cassandra/types/native/timeuuid.h"
#include "api/cassandra/types/type_builder.h"
#include "model/document/json.h"

namespace orrery::cassandra {
namespace {

using testing::Int;
using testing::Text;

Keyspace SomeKeyspace() {
  Keyspace keyspace;
  keyspace.name = "ks";
  keyspace.types["address"] = testing::Udt("address", {"street"}, {Text()}, Cells::kMulti);
  return keyspace;
}

Table SomeTable() {
  Table table;
  table.id = MakeRandomUuid(1, 2);
  table.keyspace = "ks";
  table.name = "t";
  const TypePtr address = SomeKeyspace().FindType("address");
  table.columns = {
      {1, "v", Text(), ColumnKind::kRegular, 0, false},
      {4, "m", testing::MapOf(Text(), Int(), Cells::kMulti), ColumnKind::kRegular, 0, false},
      {5, "set", testing::SetOf(Text(), Cells::kMulti), ColumnKind::kRegular, 0, false},
      {2, "s", Freeze(address), ColumnKind::kStatic, 0, false},
      {0, "c", Int(), ColumnKind::kClustering, 0, true},
      {0, "b", Int(), ColumnKind::kPartitionKey, 1, false},
      {0, "a", Int(), ColumnKind::kPartitionKey, 0, false},
  };
  table.highest_column_id = 6;
  table.highest_index_id = 9;
  table.options.comment = "it's a table";
  table.options.gc_grace_seconds = 60;
  table.options.default_time_to_live = 30;
  table.options.extensions = {{"x", std::string("\0\xff", 2)}};
  table.options.cosmos_flags = {{"cosmosdb_cell_level_timestamp", "true"}};
  table.indexes = {
      {"by_b", 1, ast::IndexTargetKind::kColumn, "b", false, {}, false},
      {"by_c", 2, ast::IndexTargetKind::kColumn, "c", false, {}, false},
      {"by_entry", 3, ast::IndexTargetKind::kEntries, "m", false, {}, false},
      {"by_key", 4, ast::IndexTargetKind::kKeys, "m", false, {}, false},
      {"by_member", 5, ast::IndexTargetKind::kValues, "set", false, {}, false},
      {"by_v", 9, ast::IndexTargetKind::kColumn, "v", true, {{"class_name", "sai"}}, false},
  };
  table.triggers = {{"tr", "a.B"}};
  table.dropped = {{"old", Int(), ColumnKind::kRegular, 123, 7}};
  ArrangeColumns(table);
  return table;
}

gateway::ContainerRef Stored(gateway::ContainerSettings settings) {
  auto entry = std::make_shared<gateway::ContainerEntry>();
  entry->settings = std::move(settings);
  return entry;
}

void ExpectSame(const Table& a, const Table& b) {
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(a.keyspace, b.keyspace);
  EXPECT_EQ(a.name, b.name);
  ASSERT_EQ(a.columns.size(), b.columns.size());
  for (size_t i = 0; i < a.columns.size(); ++i) {
    EXPECT_EQ(a.columns[i].name, b.columns[i].name);
    EXPECT_EQ(a.columns[i].id, b.columns[i].id);
    EXPECT_EQ(*a.columns[i].type, *b.columns[i].type) << a.columns[i].name;
    EXPECT_EQ(a.columns[i].kind, b.columns[i].kind);
    EXPECT_EQ(a.columns[i].position, b.columns[i].position);
    EXPECT_EQ(a.columns[i].descending, b.columns[i].descending);
  }
  EXPECT_EQ(a.options, b.options);
  ASSERT_EQ(a.indexes.size(), b.indexes.size());
  for (size_t i = 0; i < a.indexes.size(); ++i) {
    EXPECT_EQ(a.indexes[i].name, b.indexes[i].name);
    EXPECT_EQ(a.indexes[i].id, b.indexes[i].id);
    EXPECT_EQ(a.indexes[i].target, b.indexes[i].target);
    EXPECT_EQ(a.indexes[i].column, b.indexes[i].column);
    EXPECT_EQ(a.indexes[i].is_custom, b.indexes[i].is_custom);
    EXPECT_EQ(a.indexes[i].options, b.indexes[i].options);
  }
  EXPECT_EQ(a.is_compact, b.is_compact);
  EXPECT_EQ(a.was_compact, b.was_compact);
  EXPECT_EQ(a.is_counter, b.is_counter);
  EXPECT_EQ(a.highest_column_id, b.highest_column_id);
  EXPECT_EQ(a.highest_index_id, b.highest_index_id);
}

TEST(TableCodec, ReadsWhatItWrote) {
  const Table table = SomeTable();
  const auto settings = EncodeTable(table, partition::ThroughputSettings::Manual(400));
  EXPECT_TRUE(IsOurs(settings.extra));
  EXPECT_EQ(settings.throughput, partition::ThroughputSettings::Manual(400));
  const auto decoded = DecodeTable(Stored(settings), SomeKeyspace());
  ASSERT_TRUE(decoded.has_value()) << decoded.error().ToString();
  ExpectSame(*decoded, table);
  ASSERT_EQ(decoded->triggers.size(), 1u);
  EXPECT_EQ(decoded->triggers[0].class_name, "a.B");
  ASSERT_EQ(decoded->dropped.size(), 1u);
  EXPECT_EQ(decoded->dropped[0].dropped_us, 123);
  EXPECT_EQ(decoded->dropped[0].id, 7u);
  EXPECT_NE(decoded->digest, 0u);
  EXPECT_EQ(decoded->container->settings, settings);
}

TEST(TableCodec, ReadsViewsToo) {
  Table view = SomeTable();
  view.view = ViewOf{"base", MakeRandomUuid(3, 4), "a IS NOT NULL", true};
  view.is_compact = true;
  view.was_compact = true;
  const auto decoded = DecodeTable(Stored(EncodeTable(view, {})), SomeKeyspace());
  ASSERT_TRUE(decoded.has_value());
  ExpectSame(*decoded, view);
  EXPECT_EQ(decoded->view->base_id, view.view->base_id);
  EXPECT_EQ(decoded->view->where_clause, "a IS NOT NULL");
  EXPECT_TRUE(decoded->view->include_all_columns);
}

TEST(TableCodec, TellsTheCoreWhatItMustKnow) {
  using item::RowIndexTarget;
  const auto settings = EncodeTable(SomeTable(), {});
  EXPECT_EQ(settings.partition_key_paths, (std::vector<std::string>{"/k0", "/k1"}));
  EXPECT_EQ(settings.hashing, partition::KeyHashing::kCassandra);
  EXPECT_EQ(settings.order, model::Order::kCql);
  EXPECT_FALSE(settings.indexing.automatic);
  EXPECT_EQ(settings.default_ttl_s, std::nullopt);
  ASSERT_TRUE(settings.rows.has_value());
  EXPECT_TRUE(settings.rows->composite_key);
  EXPECT_EQ(settings.rows->clustering,
            std::vector<model::Direction>{model::Direction::kDescending});
  EXPECT_EQ(settings.rows->gc_grace_s, 60u);
  const std::vector<item::RowIndex> expected = {
      {.id = 1, .target = RowIndexTarget::kPartitionKey, .component = 1},
      {.id = 2, .target = RowIndexTarget::kClustering, .component = 0},
      {.id = 3, .target = RowIndexTarget::kEntry, .column = 4},
      {.id = 4, .target = RowIndexTarget::kPath, .column = 4},
      {.id = 5, .target = RowIndexTarget::kPath, .column = 5},
      {.id = 9, .target = RowIndexTarget::kValue, .column = 1},
  };
  EXPECT_EQ(settings.rows->indexes, expected);
}

// docs/format/cassandra-schema.md has this one.
TEST(TableCodec, TheExampleOfTheFormatPage) {
  Table table;
  table.id = *ParseUuid("c268afb6-7367-4ff8-b06b-b7e2d1269f55");
  table.keyspace = "shop";
  table.name = "orders";
  table.columns = {
      {0, "customer", Int(), ColumnKind::kPartitionKey, 0, false},
      {0, "placed", testing::Native(TypeKind::kTimestamp), ColumnKind::kClustering, 0, true},
      {1, "total", testing::Native(TypeKind::kDecimal), ColumnKind::kRegular, 0, false},
  };
  table.highest_column_id = 1;
  table.highest_index_id = 1;
  table.indexes = {{"by_total", 1, ast::IndexTargetKind::kColumn, "total", false, {}, false}};
  ArrangeColumns(table);
  EXPECT_EQ(model::ToJson(*EncodeTable(table, {}).extra),
            R"({"api":"cassandra","version":1,"id":"c268afb6-7367-4ff8-b06b-b7e2d1269f55",)"
            R"("columns":[{"name":"customer","type":"int","kind":"partition_key","position":0},)"
            R"({"name":"placed","type":"timestamp","kind":"clustering","position":0,)"
            R"("descending":true},{"name":"total","type":"decimal","kind":"regular","id":1}],)"
            R"("counter":false,"compact":false,"options":{"bloomFilterFpChance":0.01,)"
            R"("crcCheckChance":1,"cdc":false,"defaultTimeToLive":0,"gcGraceSeconds":864000,)"
            R"("maxIndexInterval":2048,"memtableFlushPeriodInMs":0,"minIndexInterval":128,)"
            R"("comment":"","memtable":"","speculativeRetry":"99p",)"
            R"("additionalWritePolicy":"99p","readRepair":"BLOCKING","caching":["keys","ALL",)"
            R"("rows_per_partition","NONE"],"compaction":["class",)"
            R"("org.apache.cassandra.db.compaction.SizeTieredCompactionStrategy",)"
            R"("max_threshold","32","min_threshold","4"],"compression":["chunk_length_in_kb",)"
            R"("16","class","org.apache.cassandra.io.compress.LZ4Compressor"],"cosmosFlags":[],)"
            R"("extensions":[]},"indexes":[{"name":"by_total","id":1,"target":"column",)"
            R"("column":"total","custom":false,"options":[]}],"triggers":[],"dropped":[],)"
            R"("highestColumnId":1,"highestIndexId":1})");
}

TEST(TableCodec, DamageIsAnErrorThatNamesTheTable) {
  const auto error_of = [](gateway::ContainerSettings settings) {
    const auto decoded = DecodeTable(Stored(std::move(settings)), SomeKeyspace());
    EXPECT_FALSE(decoded.has_value());
    return decoded.has_value() ? "" : decoded.error().ToString();
  };
  auto settings = EncodeTable(SomeTable(), {});
  settings.extra = *model::ParseJson(R"({"api": "cassandra", "version": 1})");
  EXPECT_EQ(error_of(settings),
            "corruption: the stored definition of table 'ks.t' cannot be read: field 'id' is "
            "missing");
  settings.extra = *model::ParseJson(R"({"api": "cassandra", "version": 2})");
  EXPECT_TRUE(error_of(settings).starts_with("unsupported: "));
  settings = EncodeTable(SomeTable(), {});
  settings.rows->clustering.clear();
  EXPECT_TRUE(error_of(settings).ends_with("are not those of the table"));

  Table other = SomeTable();
  other.columns.back().type = testing::Udt("gone", {"f"}, {Int()});
  EXPECT_TRUE(error_of(EncodeTable(other, {})).contains("Unknown type ks.gone"));
}

TEST(TableCodec, ADigestIsThatOfTheDefinition) {
  const auto digest = [](const Table& table, const partition::ThroughputSettings& throughput,
                         const Keyspace& keyspace) {
    return DecodeTable(Stored(EncodeTable(table, throughput)), keyspace)->digest;
  };
  const uint64_t first = digest(SomeTable(), {}, SomeKeyspace());
  EXPECT_EQ(digest(SomeTable(), partition::ThroughputSettings::Manual(400), SomeKeyspace()), first);
  Table changed = SomeTable();
  changed.options.comment = "other";
  EXPECT_NE(digest(changed, {}, SomeKeyspace()), first);
  Keyspace altered = SomeKeyspace();
  altered.types["address"] =
      testing::Udt("address", {"street", "zip"}, {Text(), Int()}, Cells::kMulti);
  EXPECT_NE(digest(SomeTable(), {}, altered), first) << "a type that it uses has changed";
}

}  // namespace
}  // namespace orrery::cassandra
