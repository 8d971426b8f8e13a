#include "item/read/feed.h"

#include <gtest/gtest.h>

#include "item/item_test_harness.h"

namespace orrery::item {
namespace {

using enum OperationKind;
using storage::ReadMode;

class FeedTest : public testing::Test {
 protected:
  Lsn Run(const std::string& pk, std::vector<Operation> operations) {
    const auto outcome = harness_.Run(schema_, pk, std::move(operations));
    EXPECT_TRUE(outcome.status.has_value()) << outcome.status.error().ToString();
    return outcome.result.lsn;
  }
  Lsn Run(const std::string& pk, Operation operation) {
    std::vector<Operation> operations;
    operations.push_back(std::move(operation));
    return Run(pk, std::move(operations));
  }
  // "create {...}", "delete {...} by expiry": one line for each entry.
  std::vector<std::string> Lines(FeedMode mode, Lsn after = Lsn()) {
    std::vector<std::string> lines;
    for (const FeedEntry& entry : harness_.Feed(*schema_, mode, after).entries) {
      std::string line = entry.kind == ChangeKind::kCreate    ? "create"
                         : entry.kind == ChangeKind::kReplace ? "replace"
                                                              : "delete";
      line += " " + (entry.document.has_value() ? model::ToJson(*entry.document) : "nothing");
      if (entry.by_expiry) line += " by expiry";
      lines.push_back(std::move(line));
    }
    return lines;
  }

  ItemHarness harness_;
  std::shared_ptr<ContainerSchema> schema_ = PlainSchema();
};

using Expected = std::vector<std::string>;

TEST_F(FeedTest, LatestModeTellsEachLiveItemOnce) {
  Run("p", Do(kCreate, "a", R"({"n":1})"));
  const Lsn second = Run("q", Do(kCreate, "b", R"({"n":2})"));
  Run("p", Do(kReplace, "a", R"({"n":3})"));
  Run("p", Do(kCreate, "c", R"({"n":4})"));
  Run("p", Do(kDelete, "c"));
  EXPECT_EQ(Lines(FeedMode::kLatestVersion), (Expected{R"(create {"n":2})", R"(replace {"n":3})"}));
  EXPECT_EQ(Lines(FeedMode::kLatestVersion, second), (Expected{R"(replace {"n":3})"}));
  const FeedPage page = harness_.Feed(*schema_, FeedMode::kLatestVersion);
  EXPECT_TRUE(page.drained);
  EXPECT_EQ(page.position, harness_.sequencer().last_committed());
  EXPECT_EQ(page.entries[1].previous_lsn, Lsn(1));
}

TEST_F(FeedTest, AllVersionsNeedARetention) {
  const auto page = ReadFeed(harness_.engine(), *schema_, {}, FeedMode::kAllVersions, Lsn(), Lsn(5),
                             harness_.now(), {}, ReadMode::kMayBlock);
  EXPECT_EQ(page.error().code(), Code::kInvalidArgument);
}

TEST_F(FeedTest, AllVersionsModeTellsEverything) {
  schema_->feed_retention = std::chrono::hours(1);
  Run("p", Do(kCreate, "a", R"({"n":1})"));
  Run("p", Do(kReplace, "a", R"({"n":2})"));
  Run("p", Do(kDelete, "a"));
  Run("p", {Do(kCreate, "b", R"({"n":3})"), Do(kReplace, "b", R"({"n":4})")});
  EXPECT_EQ(Lines(FeedMode::kAllVersions),
            (Expected{R"(create {"n":1})", R"(replace {"n":2})", R"(delete {"n":2})",
                      R"(create {"n":3})", R"(replace {"n":4})"}));
  EXPECT_EQ(Lines(FeedMode::kLatestVersion), (Expected{R"(replace {"n":4})"}));
  harness_.ExpectConsistent({schema_});
  harness_.Advance(std::chrono::hours(1) + std::chrono::seconds(1));
  EXPECT_EQ(Lines(FeedMode::kAllVersions), Expected{});
  EXPECT_EQ(Lines(FeedMode::kLatestVersion), (Expected{R"(replace {"n":4})"}));
}

TEST_F(FeedTest, VersionsFromBeforeTheRetentionAreKeptWhenSuperseded) {
  Run("p", Do(kCreate, "a", R"({"n":1})"));
  schema_->feed_retention = std::chrono::hours(1);
  EXPECT_EQ(Lines(FeedMode::kAllVersions), (Expected{R"(create {"n":1})"}));
  Run("p", Do(kReplace, "a", R"({"n":2})"));
  EXPECT_EQ(Lines(FeedMode::kAllVersions), (Expected{R"(create {"n":1})", R"(replace {"n":2})"}));
}

TEST_F(FeedTest, ExpiryIsAnnounced) {
  schema_->feed_retention = std::chrono::hours(1);
  schema_->default_ttl_s = 10;
  Run("p", Do(kCreate, "a", R"({"n":1})"));
  Run("p", Do(kCreate, "b", R"({"n":2})"));
  harness_.Advance(std::chrono::seconds(11));
  EXPECT_EQ(Lines(FeedMode::kLatestVersion), Expected{});
  // It is announced once, by the next create or by the sweep.
  Run("p", Do(kCreate, "b", R"({"n":3})"));
  EXPECT_EQ(harness_.Sweep(schema_), 1u);
  EXPECT_EQ(Lines(FeedMode::kAllVersions),
            (Expected{R"(create {"n":1})", R"(create {"n":2})", R"(delete {"n":2} by expiry)",
                      R"(create {"n":3})", R"(delete {"n":1} by expiry)"}));
  harness_.ExpectConsistent({schema_});
}

TEST_F(FeedTest, PagesNeverCutATransaction) {
  Run("p", Do(kCreate, "x", R"({"n":0})"));
  Run("p", {Do(kCreate, "a", R"({"n":1})"), Do(kCreate, "b", R"({"n":2})"),
            Do(kCreate, "c", R"({"n":3})")});
  Run("p", Do(kCreate, "d", R"({"n":4})"));
  std::vector<size_t> sizes;
  Lsn position;
  for (bool drained = false; !drained;) {
    const auto page = ReadFeed(harness_.engine(), *schema_, {}, FeedMode::kLatestVersion, position,
                               harness_.sequencer().last_committed(), harness_.now(),
                               {.items_max = 2}, ReadMode::kMayBlock);
    ASSERT_TRUE(page.has_value());
    sizes.push_back(page->entries.size());
    position = page->position;
    drained = page->drained;
  }
  EXPECT_EQ(sizes, (std::vector<size_t>{4, 1}));
}

TEST_F(FeedTest, NeverReadsBeyondTheGivenPosition) {
  const Lsn first = Run("p", Do(kCreate, "a", R"({"n":1})"));
  Run("p", Do(kCreate, "b", R"({"n":2})"));
  const auto page = ReadFeed(harness_.engine(), *schema_, {}, FeedMode::kLatestVersion, Lsn(),
                             first, harness_.now(), {}, ReadMode::kMayBlock);
  ASSERT_TRUE(page.has_value());
  EXPECT_EQ(page->entries.size(), 1u);
  EXPECT_EQ(page->position, first);
  EXPECT_TRUE(page->drained);
}

TEST_F(FeedTest, HalvesOfASplitTellTheirOwn) {
  for (int i = 0; i < 20; ++i) Run("p" + std::to_string(i), Do(kCreate, "a", R"({"n":1})"));
  const auto [low, high] = partition::HashRange().CutAt(HashOfKey("p7"));
  size_t entries = 0;
  for (const auto& range : {low, high}) {
    const auto page =
        ReadFeed(harness_.engine(), *schema_, range, FeedMode::kLatestVersion, Lsn(5),
                 harness_.sequencer().last_committed(), harness_.now(), {}, ReadMode::kMayBlock);
    ASSERT_TRUE(page.has_value());
    EXPECT_EQ(page->position, Lsn(20));
    entries += page->entries.size();
  }
  EXPECT_EQ(entries, 15u);
}

TEST_F(FeedTest, FindsThePositionOfATime) {
  std::vector<Micros> times;
  for (int i = 0; i < 30; ++i) {
    times.push_back(harness_.now());
    Run("p" + std::to_string(i), Do(kCreate, "a", R"({"n":1})"));
    harness_.Advance(std::chrono::seconds(10));
  }
  const auto position = [&](Micros time) {
    return FeedPositionAt(harness_.engine(), *schema_, {}, time,
                          harness_.sequencer().last_committed())
        .value();
  };
  EXPECT_EQ(position(Micros(0)), Lsn(0));
  EXPECT_EQ(position(times[0]), Lsn(0));
  EXPECT_EQ(position(times[12]), Lsn(12));
  EXPECT_EQ(position(times[12] + Micros(1)), Lsn(13));
  EXPECT_EQ(position(times[29] + std::chrono::seconds(1)), Lsn(30));
}

TEST_F(FeedTest, TellsNotesAndWhatWasThereBefore) {
  auto keeping = std::make_shared<ContainerSchema>(*schema_);
  keeping->feed_retention = std::chrono::hours(1);
  schema_ = keeping;
  Run("p", Do(kCreate, "a", R"({"n":1})"));
  Operation replace = Do(kReplace, "a", R"({"n":2})");
  replace.note = "a note";
  Run("p", std::move(replace));
  Operation remove = Do(kDelete, "a");
  remove.note = "gone";
  Run("p", std::move(remove));
  const FeedPage page = harness_.Feed(*schema_, FeedMode::kAllVersionsAndBefore);
  ASSERT_EQ(page.entries.size(), 3u);
  EXPECT_FALSE(page.entries[0].before.has_value());
  EXPECT_EQ(page.entries[0].note, "");
  ASSERT_TRUE(page.entries[1].before.has_value());
  EXPECT_EQ(model::ToJson(*page.entries[1].before), R"({"n":1})");
  EXPECT_EQ(page.entries[1].note, "a note");
  EXPECT_EQ(page.entries[2].note, "gone");
  EXPECT_EQ(page.complete_until, page.entries[2].time);
  const FeedPage plain = harness_.Feed(*schema_, FeedMode::kAllVersions);
  EXPECT_FALSE(plain.entries[1].before.has_value());
}

}  // namespace
}  // namespace orrery::item
