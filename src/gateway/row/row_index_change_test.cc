// Indexes that come to a table with rows, and go.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "gateway/row/row_testing.h"

namespace orrery::gateway {
namespace {

using Names = std::vector<std::string>;
using storage::ReadMode;

class RowIndexChange : public RowTable {
 protected:
  RowScanSpec Named(uint32_t index, std::string_view name) {
    RowScanSpec spec;
    spec.index = {.id = item::NamedIndexId(index), .value = item::RowTermValue(name)};
    return spec;
  }
  // Entries of an index that are stored, in all partitions.
  size_t CountEntries(uint32_t index) {
    size_t count = 0;
    const std::string prefix = item::IndexPrefix(table->id, item::NamedIndexId(index));
    for (const auto& [id, partition] : server.node->topology()->hosted) {
      const auto cursor =
          partition->engine().NewIterator({.lower = prefix, .upper = item::PrefixEnd(prefix)});
      for (cursor->SeekToFirst(); cursor->Valid(); cursor->Next()) ++count;
    }
    return count;
  }
  void Fill(int keys) {
    for (int i = 0; i < keys; ++i) {
      for (int32_t c = 0; c < 3; ++c) {
        ASSERT_TRUE(Write(fmt::format("k{}", i), Insert(Clustering(c), 1, fmt::format("n{}", c))));
      }
    }
  }
};

TEST_F(RowIndexChange, ReachesRowsThatExist) {
  table = MakeTable();
  Fill(70);
  ASSERT_TRUE(Write("k0", DeleteRow(Clustering(1), 5)));
  ASSERT_TRUE(Clear("k1", Clustering(1), Clustering(2), 5));
  const ContainerRef before = table;
  table = SetIndexes({ByName(1)});
  // A writer that still holds the old settings is moved to the new ones.
  ASSERT_TRUE(server.rows
                  ->WriteAndWait({.container = before,
                                  .partition_key = "late",
                                  .changes = {.rows = {Insert(Clustering(1), 1, "n1")},
                                              .range_tombstones = {},
                                              .derived_writes = {}},
                                  .program = nullptr})
                  .status);
  server.catalog->WaitForIndexes();
  table = Newest();
  EXPECT_TRUE(table->HasBuiltRowIndex(1));
  EXPECT_EQ(server.catalog->IndexProgress(table->id), 100);
  EXPECT_EQ(ScanAll(Named(1, "n1")).size(), 69u);
  EXPECT_EQ(CountEntries(1), 70u * 3 - 1);
  // The walk leaves nothing in the change feed and writes stay right.
  ASSERT_TRUE(Write("k5", Insert(Clustering(1), 2, "other")));
  EXPECT_EQ(ScanAll(Named(1, "n1")).size(), 68u);
}

TEST_F(RowIndexChange, UnbuiltAndRemovedOnesAreNotUsed) {
  table = MakeTable({ByName(1)});
  Fill(3);
  EXPECT_TRUE(table->HasBuiltRowIndex(1));
  server.catalog->Disconnect();  // from now on builds wait for the next start
  table = SetIndexes({ByName(1), ByName(2)});
  EXPECT_TRUE(table->HasBuiltRowIndex(1));
  EXPECT_FALSE(table->HasBuiltRowIndex(2));
  EXPECT_FALSE(table->indexes_ready());
  EXPECT_LT(*server.catalog->IndexProgress(table->id), 100);
  EXPECT_EQ(ScanAll(Named(1, "n1")).size(), 3u);
  const auto early = server.rows->Scan(table, Named(2, "n1"), {}, ReadMode::kMayBlock);
  ASSERT_FALSE(early.has_value());
  EXPECT_EQ(early.error().code(), Code::kPreconditionFailed);
  SetIndexes({ByName(2)});
  const auto late = server.rows->Scan(table, Named(1, "n1"), {}, ReadMode::kMayBlock);
  ASSERT_FALSE(late.has_value());
  EXPECT_EQ(late.error().code(), Code::kPreconditionFailed);

  server.Restart();
  server.catalog->WaitForIndexes();
  table = Newest();
  EXPECT_TRUE(table->indexes_ready());
  EXPECT_TRUE(table->row_indexes.empty());
  EXPECT_EQ(CountEntries(1), 0u);
  EXPECT_EQ(ScanAll(Named(2, "n1")).size(), 3u);
}

TEST_F(RowIndexChange, SeveralMayFollowOneAnother) {
  table = MakeTable();
  Fill(20);
  SetIndexes({ByName(1)});
  SetIndexes({ByName(1), ByName(2)});
  SetIndexes({ByName(2)});
  SetIndexes({ByName(2), ByName(3)});
  server.catalog->WaitForIndexes();
  table = Newest();
  EXPECT_TRUE(table->row_indexes.empty());
  EXPECT_EQ(CountEntries(1), 0u);
  EXPECT_EQ(CountEntries(2), 60u);
  EXPECT_EQ(CountEntries(3), 60u);

  ContainerSettings settings = table->settings;
  settings.rows->indexes = {ByName(1)};
  EXPECT_EQ(server.catalog->UpdateContainer("ks", settings).error().code(), Code::kInvalidArgument)
      << "an id is used once";
}

TEST_F(RowIndexChange, SurvivesSplits) {
  table = MakeTable({ByName(1)});
  Fill(200);
  SetIndexes({ByName(2)});
  for (int round = 0; round < 2; ++round) {
    const auto topology = server.node->topology();
    for (const auto& [id, partition] : topology->hosted) {
      // One that is being trimmed is left whole.
      static_cast<void>(server.node->Split(id, std::nullopt));
    }
  }
  server.catalog->WaitForIndexes();
  server.node->WaitForBackground();
  table = Newest();
  EXPECT_EQ(CountEntries(1), 0u);
  EXPECT_EQ(ScanAll(Named(2, "n2"), 50).size(), 200u);
}

TEST_F(RowIndexChange, SurvivesAMerge) {
  table = MakeTable({ByName(1)});
  Fill(200);
  const PartitionId whole = server.node->topology()->hosted.begin()->first;
  const auto split = server.node->Split(whole, std::nullopt);
  ASSERT_TRUE(split.has_value()) << split.error().ToString();
  server.node->WaitForBackground();
  SetIndexes({ByName(2)});
  const auto merged = server.node->Merge(split->children[0], split->children[1]);
  ASSERT_TRUE(merged.has_value()) << merged.error().ToString();
  server.catalog->WaitForIndexes();
  server.node->WaitForBackground();
  table = Newest();
  EXPECT_TRUE(table->HasBuiltRowIndex(2));
  EXPECT_EQ(CountEntries(1), 0u);
  EXPECT_EQ(ScanAll(Named(2, "n2"), 50).size(), 200u);
}

TEST_F(RowIndexChange, GraceAndExtraChangeAtOnceAndTheFormOfRowsNever) {
  table = MakeTable();
  Fill(1);
  ContainerSettings settings = table->settings;
  settings.rows->gc_grace_s = 5;
  settings.default_ttl_s = 7;
  settings.extra = Json(R"({"note": 1})");
  const auto updated = server.catalog->UpdateContainer("ks", settings);
  ASSERT_TRUE(updated.has_value()) << updated.error().ToString();
  EXPECT_TRUE((*updated)->indexes_ready());
  EXPECT_EQ((*updated)->gate, table->gate);
  EXPECT_EQ((*updated)->schema->rows->gc_grace_s, 5u);
  server.Restart();
  EXPECT_EQ(Newest()->settings, settings);

  settings.rows->clustering.clear();
  EXPECT_EQ(server.catalog->UpdateContainer("ks", settings).error().code(), Code::kInvalidArgument);
  settings.rows.reset();
  EXPECT_EQ(server.catalog->UpdateContainer("ks", settings).error().code(), Code::kInvalidArgument);
}

}  // namespace
}  // namespace orrery::gateway
