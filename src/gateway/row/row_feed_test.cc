// The change feed of rows.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "gateway/row/row_keys.h"
#include "gateway/row/row_testing.h"
#include "item/row_feed/feed_pack.h"

namespace orrery::gateway {
namespace {

using item::RowChangeKind;
using Told = std::vector<std::string>;

class RowFeed : public RowTable {
 protected:
  // "key/clustering=name", "key/clustering deleted", "key [lower, upper) deleted", "key deleted".
  std::string Text(const item::RowFeedEntry& entry) {
    const std::string key = *SerializedKey(entry.partition_key);
    const auto number = [](std::string_view clustering) -> std::string {
      if (clustering.empty()) return "static";
      ByteReader reader(clustering);
      return std::to_string(model::ReadKey(reader)->AsInteger());
    };
    switch (entry.kind) {
      case RowChangeKind::kRow:
        return fmt::format("{}/{}={}", key, number(entry.clustering),
                           NameIn(entry.row, entry.covering_deletion));
      case RowChangeKind::kRowDeleted:
        return fmt::format("{}/{} deleted", key, number(entry.clustering));
      case RowChangeKind::kRangeDeleted:
        return fmt::format("{} [{}, {}) deleted", key, number(entry.clustering),
                           number(entry.upper.value_or("")));
      case RowChangeKind::kPartitionDeleted:
        return fmt::format("{} deleted", key);
    }
    return {};
  }

  // One page; goes on from `continuation` and replaces it.
  Told Page(const RowFeedSpec& spec, std::string& continuation) {
    const auto page = server.rows->ReadFeed(table, spec, continuation);
    EXPECT_TRUE(page.has_value()) << page.error().ToString();
    if (!page.has_value()) return {};
    continuation = page->continuation;
    drained = page->drained;
    Told told;
    for (const auto& entry : page->entries) told.push_back(Text(entry));
    return told;
  }
  Told All(RowFeedSpec spec, std::string& continuation, size_t page = 1'000) {
    spec.limits.items_max = page;
    Told all;
    for (int pages = 0; pages < 10'000; ++pages) {
      for (std::string& text : Page(spec, continuation)) all.push_back(std::move(text));
      if (drained) return all;
    }
    ADD_FAILURE() << "the feed never drains";
    return all;
  }
  Told All(const RowFeedSpec& spec = {}, size_t page = 1'000) {
    std::string continuation;
    return All(spec, continuation, page);
  }
  size_t CountEntries() {
    std::vector<item::PackedChange> changes;
    const std::string prefix = item::SpacePrefix(item::Space::kRowFeed, table->id);
    for (const auto& [id, partition] : server.node->topology()->hosted) {
      const auto cursor =
          partition->engine().NewIterator({.lower = prefix, .upper = item::PrefixEnd(prefix)});
      for (cursor->SeekToFirst(); cursor->Valid(); cursor->Next()) {
        EXPECT_TRUE(item::DecodePack(cursor->value(), changes));
      }
    }
    return changes.size();
  }

  bool drained = false;
};

TEST_F(RowFeed, TellsEachRowOnceAtItsLatestChange) {
  table = MakeTable();
  ASSERT_TRUE(Write("k", Insert(Clustering(1), 1, "a")));
  ASSERT_TRUE(Write("k", Insert(Clustering(2), 1, "b")));
  ASSERT_TRUE(Write("l", Insert(Clustering(1), 1, "c")));
  ASSERT_TRUE(Write("k", Insert(Clustering(1), 2, "a2")));
  EXPECT_EQ(All(), (Told{"k/2=b", "l/1=c", "k/1=a2"}));
  EXPECT_EQ(All({}, 1), (Told{"k/2=b", "l/1=c", "k/1=a2"}));
  RowFeedSpec spec;
  spec.partition_key = "k";
  EXPECT_EQ(All(spec), (Told{"k/2=b", "k/1=a2"}));
  // Twice in one transaction, and told once.
  item::RowChanges changes;
  changes.rows = {Insert(Clustering(2), 3, "b2"), Insert(Clustering(2), 4, "b3")};
  ASSERT_TRUE(Write("k", std::move(changes)));
  EXPECT_EQ(All(), (Told{"l/1=c", "k/1=a2", "k/2=b3"}));
}

TEST_F(RowFeed, GoesOnFromAContinuationForEver) {
  table = MakeTable();
  std::string continuation;
  EXPECT_EQ(All({}, continuation), Told{});
  ASSERT_FALSE(continuation.empty());
  ASSERT_TRUE(Write("k", Insert(Clustering(1), 1, "a")));
  EXPECT_EQ(All({}, continuation), Told{"k/1=a"});
  EXPECT_EQ(All({}, continuation), Told{});
  server.Restart();
  table = Newest();
  server.clock.Advance(std::chrono::hours(24 * 365));
  EXPECT_EQ(All({}, continuation), Told{});
  ASSERT_TRUE(Write("k", Insert(Clustering(2), 1, "b")));
  EXPECT_EQ(All({}, continuation), Told{"k/2=b"});

  RowFeedSpec other;
  other.partition_key = "k";
  EXPECT_EQ(server.rows->ReadFeed(table, other, continuation).error().code(),
            Code::kInvalidArgument);
  EXPECT_EQ(server.rows->ReadFeed(table, {}, "nonsense").error().code(), Code::kInvalidArgument);
}

TEST_F(RowFeed, TellsDeletionsOfEveryKind) {
  table = MakeTable();
  for (int32_t c = 1; c <= 5; ++c) ASSERT_TRUE(Write("k", Insert(Clustering(c), 10, "x")));
  std::string continuation;
  All({}, continuation);
  ASSERT_TRUE(Write("k", DeleteRow(Clustering(1), 11)));
  ASSERT_TRUE(Clear("k", Clustering(2), Clustering(4), 12));
  ASSERT_TRUE(Write("k", Insert(Clustering(3), 13, "again")));
  ASSERT_TRUE(Write("k", DeleteRow("", 12)));
  const std::string before = continuation;
  EXPECT_EQ(All({}, continuation),
            (Told{"k/1 deleted", "k [2, 4) deleted", "k/3=again", "k deleted"}));
  // Rows that the deletions removed are no longer reported, also not from the beginning.
  EXPECT_EQ(All(), (Told{"k/1 deleted", "k [2, 4) deleted", "k/3=again", "k deleted"}));

  const auto page = server.rows->ReadFeed(table, {}, before);
  ASSERT_TRUE(page.has_value());
  ASSERT_EQ(page->entries.size(), 4u);
  EXPECT_EQ(page->entries[0].deletion.timestamp, 11);
  EXPECT_EQ(page->entries[1].deletion.timestamp, 12);
  EXPECT_EQ(page->entries[3].deletion.timestamp, 12);
  // They go when the table forgets its deletions.
  server.clock.Advance(std::chrono::seconds(table->settings.rows->gc_grace_s + 1));
  EXPECT_EQ(All(), Told{"k/3=again"});
}

TEST_F(RowFeed, RowsThatForgotAllAreNotTold) {
  table = MakeTable();
  const uint32_t expires_s = NowSeconds() + 10;
  for (int64_t timestamp : {1, 2}) {
    model::Row update;
    update.cells.push_back({.column = 1,
                            .timestamp = timestamp,
                            .ttl_s = 10,
                            .expiry_s = expires_s,
                            .path = {},
                            .value = "x"});
    ASSERT_TRUE(Write("k", {Clustering(1), Encoded(update)}));
  }
  EXPECT_EQ(All().size(), 1u);
  server.clock.Advance(std::chrono::seconds(table->settings.rows->gc_grace_s + 11));
  EXPECT_EQ(All(), Told{}) << "it was not deleted, it expired";
}

TEST_F(RowFeed, StaticCellsAreNotLostBesideDeletions) {
  table = MakeTable();
  ASSERT_TRUE(Write("k", Insert("", 10, "s")));
  ASSERT_TRUE(Write("k", Insert(Clustering(1), 10, "x")));
  ASSERT_TRUE(Clear("k", Clustering(1), std::nullopt, 11));
  EXPECT_EQ(All(), (Told{"k/static=s", "k [1, static) deleted"}));
  // Older than the static cells, which survive it.
  ASSERT_TRUE(Write("k", DeleteRow("", 5)));
  EXPECT_EQ(All(), (Told{"k [1, static) deleted", "k deleted", "k/static=s"}));
  ASSERT_TRUE(Write("k", Insert("", 12, "t")));
  EXPECT_EQ(All(), (Told{"k [1, static) deleted", "k deleted", "k/static=t"}));
}

TEST_F(RowFeed, CellsMayTakeTheRowWithThem) {
  table = MakeTable();
  model::Row update;
  model::Cell& cell = update.cells.emplace_back();
  cell.column = kName;
  cell.timestamp = 1;
  cell.value = "only";
  ASSERT_TRUE(Write("k", {Clustering(1), Encoded(update)}));
  EXPECT_EQ(All(), Told{"k/1=only"});
  cell.kind = model::CellKind::kTombstone;
  cell.timestamp = 2;
  cell.expiry_s = NowSeconds();
  cell.value = {};
  ASSERT_TRUE(Write("k", {Clustering(1), Encoded(update)}));
  EXPECT_EQ(All(), Told{"k/1 deleted"});
  // An expiry is silent.
  const uint32_t now = NowSeconds();
  ASSERT_TRUE(Write("k", Insert(Clustering(2), 1, "short", 10, now + 10)));
  EXPECT_EQ(All(), (Told{"k/1 deleted", "k/2=short"}));
  server.clock.Advance(std::chrono::seconds(10));
  EXPECT_EQ(All(), Told{"k/1 deleted"});
}

TEST_F(RowFeed, OfATableWithoutClusteringColumns) {
  table = MakeTable({}, /*clustered=*/false);
  ASSERT_TRUE(Write("a", Insert("", 1, "x")));
  ASSERT_TRUE(Write("b", Insert("", 1, "y")));
  ASSERT_TRUE(Write("a", DeleteRow("", 2)));
  EXPECT_EQ(All(), (Told{"b/static=y", "a/static deleted"}));
}

TEST_F(RowFeed, StartsWhereItIsTold) {
  table = MakeTable();
  ASSERT_TRUE(Write("k", Insert(Clustering(1), 1, "a")));
  server.clock.Advance(std::chrono::seconds(10));
  const Micros middle = server.clock.Now();
  server.clock.Advance(std::chrono::seconds(10));
  ASSERT_TRUE(Write("k", Insert(Clustering(2), 1, "b")));
  RowFeedSpec spec;
  spec.start = FeedSpec::Start::kTime;
  spec.start_time = middle;
  EXPECT_EQ(All(spec), Told{"k/2=b"});
  spec.start = FeedSpec::Start::kNow;
  std::string continuation;
  EXPECT_EQ(All(spec, continuation), Told{});
  ASSERT_TRUE(Write("k", Insert(Clustering(3), 1, "c")));
  EXPECT_EQ(All(spec, continuation), Told{"k/3=c"});
}

TEST_F(RowFeed, SurvivesSplitsAndTellsEverythingOnce) {
  table = MakeTable();
  const auto write = [&](int round) {
    for (int i = 0; i < 40; ++i) {
      ASSERT_TRUE(Write(fmt::format("k{}", i), Insert(Clustering(round), 1, "x")));
    }
  };
  write(1);
  RowFeedSpec spec;
  spec.limits.items_max = 25;
  std::string continuation;
  std::map<std::string, int> told;
  for (const std::string& text : Page(spec, continuation)) ++told[text];
  EXPECT_EQ(told.size(), 25u);
  const auto topology = server.node->topology();
  for (const auto& [id, partition] : topology->hosted) {
    ASSERT_TRUE(server.node->Split(id, std::nullopt).has_value());
  }
  write(2);
  for (const std::string& text : All(spec, continuation, 7)) ++told[text];
  EXPECT_EQ(told.size(), 80u);
  for (const auto& [text, times] : told) EXPECT_EQ(times, 1) << text;
}

TEST_F(RowFeed, SurvivesAMerge) {
  table = MakeTable();
  const auto write = [&](int round) {
    for (int i = 0; i < 20; ++i) {
      ASSERT_TRUE(Write(fmt::format("k{}", i), Insert(Clustering(round), 1, "x")));
    }
  };
  write(1);
  const PartitionId whole = server.node->topology()->hosted.begin()->first;
  const auto split = server.node->Split(whole, std::nullopt);
  ASSERT_TRUE(split.has_value()) << split.error().ToString();
  server.node->WaitForBackground();
  write(2);
  RowFeedSpec spec;
  spec.limits.items_max = 15;
  std::string continuation;
  std::map<std::string, int> told;
  for (const std::string& text : Page(spec, continuation)) ++told[text];
  const auto merged = server.node->Merge(split->children[0], split->children[1]);
  ASSERT_TRUE(merged.has_value()) << merged.error().ToString();
  write(3);
  for (const std::string& text : All(spec, continuation, 7)) ++told[text];
  EXPECT_EQ(told.size(), 60u);
  for (const auto& [text, times] : told) EXPECT_EQ(times, 1) << text;
}

TEST_F(RowFeed, DoesNotGrowBeyondItsRows) {
  table = MakeTable();
  for (int i = 0; i < 1'500; ++i) {
    ASSERT_TRUE(Write("k", Insert(Clustering(i % 5), i, std::to_string(i))));
  }
  const Told before = All();
  EXPECT_EQ(before.size(), 5u);
  EXPECT_EQ(CountEntries(), 1'500u);
  server.node->Maintain();
  server.node->WaitForBackground();
  EXPECT_EQ(CountEntries(), 5u);
  EXPECT_EQ(All(), before);
}

}  // namespace
}  // namespace orrery::gateway
