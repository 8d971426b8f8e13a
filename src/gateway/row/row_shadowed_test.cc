// Rows that deletions of partitions and ranges shadow are removed in the background, which no
// reader sees.
#include <gtest/gtest.h>

#include <random>

#include "gateway/row/row_testing.h"

namespace orrery::gateway {
namespace {

constexpr int kShadowedRows = 12;

class RowShadowed : public RowTable {
 protected:
  void SetUp() override {
    table = MakeTable();
    server.clock.Advance(std::chrono::hours(1'000));
  }

  // Compaction finds deletions, maintenance sweeps, and compaction drops what that left. Only what
  // was merged already is examined, so each takes two.
  void Sweep() {
    for (int i = 0; i < 4; ++i) {
      for (const auto& [id, partition] : server.node->topology()->hosted) {
        ASSERT_TRUE(partition->engine().Flush().has_value());
        ASSERT_TRUE(partition->engine().Compact("", "\xff\xff\xff\xff").has_value());
      }
      server.node->Maintain();
      server.node->WaitForBackground();
      // The sequencer keeps a view of the state before its last group until the next one.
      ASSERT_TRUE(Write("next", Insert(Clustering(1), 1, "")).has_value());
      server.clock.Advance(std::chrono::seconds(2));
    }
  }
  size_t Stored(item::Space space) {
    size_t count = 0;
    const std::string prefix = item::SpacePrefix(space, table->id);
    for (const auto& [id, partition] : server.node->topology()->hosted) {
      const auto cursor =
          partition->engine().NewIterator({.lower = prefix, .upper = item::PrefixEnd(prefix)});
      for (cursor->SeekToFirst(); cursor->Valid(); cursor->Next()) ++count;
    }
    return count;
  }
  size_t StoredBytes() {
    size_t bytes = 0;
    const std::string prefix = item::SpacePrefix(item::Space::kRow, table->id);
    for (const auto& [id, partition] : server.node->topology()->hosted) {
      const auto cursor =
          partition->engine().NewIterator({.lower = prefix, .upper = item::PrefixEnd(prefix)});
      for (cursor->SeekToFirst(); cursor->Valid(); cursor->Next()) bytes += cursor->value().size();
    }
    return bytes;
  }
  model::Deletion At(int64_t timestamp) const { return {timestamp, NowSeconds()}; }
  void Clear(const std::string& key, int from, std::optional<int> to, int64_t timestamp) {
    item::RowChanges changes;
    changes.range_tombstones.push_back({Clustering(from), std::nullopt, At(timestamp)});
    if (to.has_value()) changes.range_tombstones.back().upper = Clustering(*to);
    ASSERT_TRUE(Write(key, std::move(changes)).has_value());
  }
  void DeletePartition(const std::string& key, int64_t timestamp) {
    model::Row static_row;
    static_row.deletion = At(timestamp);
    ASSERT_TRUE(Write(key, item::RowChange{"", Encoded(static_row)}).has_value());
  }
  void Fill(const std::string& key, int64_t timestamp) {
    for (int c = 1; c <= kShadowedRows; ++c)
      ASSERT_TRUE(Write(key, Insert(Clustering(c), timestamp, std::string(1'000, 'n'))));
  }
  Names All(const std::string& key) { return ScanAll(Of(key), 100); }
};

TEST_F(RowShadowed, ADeletedPartitionGivesItsSpaceBack) {
  Fill("k", 10);
  Fill("other", 10);
  DeletePartition("k", 20);
  ASSERT_TRUE(Write("k", Insert(Clustering(3), 30, "new")).has_value());
  EXPECT_GT(StoredBytes(), (2u * kShadowedRows - 1) * 1'000);
  Sweep();
  EXPECT_EQ(All("k"), Names{"new"});
  EXPECT_EQ(All("other").size(), static_cast<size_t>(kShadowedRows));
  EXPECT_LT(StoredBytes(), (kShadowedRows + 2u) * 1'000);
  // The rows themselves go when the deletion is old enough.
  server.clock.Advance(std::chrono::seconds(table->settings.rows->gc_grace_s));
  Sweep();
  EXPECT_EQ(All("k"), Names{"new"});
  EXPECT_EQ(Stored(item::Space::kRow),
            kShadowedRows + 3u);  // with the partition's own, and the next
}

TEST_F(RowShadowed, RangesAreForgotten) {
  Fill("k", 10);
  for (int c = 1; c <= 5; ++c) Clear("k", 2 * c, 2 * c + 1, 20 + c);
  EXPECT_EQ(Stored(item::Space::kRangeTombstone), 5u);
  const Names before = All("k");
  Sweep();
  EXPECT_EQ(All("k"), before);
  EXPECT_EQ(Stored(item::Space::kRangeTombstone), 5u);
  server.clock.Advance(std::chrono::seconds(table->settings.rows->gc_grace_s));
  Sweep();
  EXPECT_EQ(All("k"), before);
  EXPECT_EQ(Stored(item::Space::kRangeTombstone), 0u);
  EXPECT_EQ(Stored(item::Space::kRow), kShadowedRows - 5 + 2u);
}

TEST_F(RowShadowed, WithinTheGraceOlderWritesStayHidden) {
  Fill("k", 10);
  Clear("k", 1, std::nullopt, 20);
  Sweep();
  ASSERT_TRUE(Write("k", Insert(Clustering(3), 15, "late")).has_value());
  ASSERT_TRUE(Write("k", Insert(Clustering(4), 25, "new")).has_value());
  EXPECT_EQ(All("k"), Names{"new"});
  Sweep();
  EXPECT_EQ(All("k"), Names{"new"});
}

TEST_F(RowShadowed, NobodySeesASweep) {
  constexpr uint32_t kSeed = 20'261'116;
  std::mt19937 random(kSeed);
  SCOPED_TRACE(kSeed);
  const auto any = [&](int below) { return static_cast<int>(random() % below); };
  for (int round = 0; round < 25; ++round) {
    for (int step = 0; step < 12; ++step) {
      const std::string key(1, static_cast<char>('a' + any(3)));
      const int64_t timestamp = 1 + any(50);
      const int c = 1 + any(kShadowedRows);
      switch (any(6)) {
        case 0:
          Clear(key, c, c + any(4), timestamp);
          break;
        case 1:
          if (any(4) == 0) DeletePartition(key, timestamp);
          break;
        case 2:
          ASSERT_TRUE(Write(key, DeleteRow(Clustering(c), timestamp)).has_value());
          break;
        default:
          ASSERT_TRUE(
              Write(key, Insert(Clustering(c), timestamp, std::to_string(timestamp))).has_value());
      }
    }
    const std::vector<Names> before = {All("a"), All("b"), All("c")};
    Sweep();
    EXPECT_EQ((std::vector<Names>{All("a"), All("b"), All("c")}), before) << "round " << round;
  }
}

}  // namespace
}  // namespace orrery::gateway
