#include "item/row_feed/row_feed_sweep.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>

#include "item/item_test_harness.h"
#include "item/row_feed/feed_cursor.h"

namespace orrery::item {
namespace {

class FeedSweepTest : public testing::Test {
 protected:
  FeedSweepTest() {
    schema_->id = ContainerId(7);
    schema_->rows.emplace();
    schema_->rows->gc_grace_s = 100;
  }

  // One pack of changes of the rows named, all in one logical partition, at positions that rise.
  void Store(const std::vector<std::string>& rows, ChangeKind kind = ChangeKind::kReplace,
             uint64_t hash = 1) {
    PackBuilder builder;
    std::vector<std::string> bytes(rows.size());
    for (size_t i = 0; i < rows.size(); ++i) {
      WriteChange(bytes[i], {.kind = kind,
                             .superseded = kind == ChangeKind::kDelete,
                             .time = now_,
                             .partition_key = "pk",
                             .row_key = rows[i]});
      builder.Add({Lsn(++last_), Hash128{hash, 0}, 0, bytes[i]});
    }
    const StoredPack pack = builder.Build(schema_->id);
    storage::Batch batch;
    batch.Put(pack.key, pack.pack);
    ASSERT_OK(harness_.engine().Write(batch, storage::Durability::kOs));
  }
  FeedSweepRequest Request() const {
    return {.ranges = {partition::HashRange()},
            .after = Lsn(),
            .until = Lsn(last_),
            .settled = Lsn(),
            .now = now_};
  }
  // Sweeps all; returns what was worth keeping.
  uint64_t Sweep(const FeedSweepRequest& request) {
    auto sweep = FeedSweep::Open(harness_.engine(), *schema_, request);
    EXPECT_TRUE(sweep.has_value());
    for (;;) {
      auto rewrite = sweep->Next();
      EXPECT_TRUE(rewrite.has_value());
      if (!rewrite->has_value()) break;
      if ((*rewrite)->empty()) continue;
      EXPECT_TRUE(harness_.Submit(
          [&](auto done) { return RewriteFeed(**std::move(rewrite), std::move(done)); }));
    }
    EXPECT_EQ(sweep->position(), request.until);
    return sweep->kept();
  }
  // "row@position" of every change that is stored.
  std::vector<std::string> Stored() {
    FeedCursor cursor(harness_.engine(), schema_->id, {.after = Lsn(), .until = Lsn(last_)});
    std::vector<std::string> stored;
    while (cursor.Next().value_or(false)) {
      const auto change = DecodeChange(cursor.change().change);
      EXPECT_TRUE(change.has_value());
      stored.push_back(fmt::format("{}@{}", change->row_key, cursor.change().lsn.value()));
    }
    return stored;
  }

  ItemHarness harness_;
  std::shared_ptr<ContainerSchema> schema_ = std::make_shared<ContainerSchema>();
  Micros now_{std::chrono::hours(1)};
  uint64_t last_ = 0;
};

using Strings = std::vector<std::string>;

TEST_F(FeedSweepTest, KeepsTheLastChangeOfEachRow) {
  Store({"a", "b", "a"});
  Store({"a", "c", "b"});
  EXPECT_EQ(Sweep(Request()), 3u);
  EXPECT_EQ(Stored(), (Strings{"a@4", "c@5", "b@6"}));
}

TEST_F(FeedSweepTest, LeavesAloneWhatIsMostlyLive) {
  Store({"a", "b", "c", "d", "e", "a"});
  EXPECT_EQ(Sweep(Request()), 5u);
  EXPECT_EQ(Stored().size(), 6u);
}

TEST_F(FeedSweepTest, LooksUpRowsOfChangesThatAnEarlierPassKept) {
  Store({"gone", "a"});
  FeedSweepRequest request = Request();
  EXPECT_EQ(Sweep(request), 2u);
  EXPECT_EQ(Stored().size(), 2u);
  request.settled = Lsn(1);  // there are no rows at all
  EXPECT_EQ(Sweep(request), 1u);
  EXPECT_EQ(Stored(), (Strings{"a@2"}));
}

TEST_F(FeedSweepTest, DeletionsStayForTheirTime) {
  Store({"a"});
  Store({"a"}, ChangeKind::kDelete);
  Sweep(Request());
  EXPECT_EQ(Stored(), (Strings{"a@2"}));
  now_ += std::chrono::seconds(100);
  Sweep(Request());
  EXPECT_TRUE(Stored().empty());
}

TEST_F(FeedSweepTest, OnlyATrimTouchesPacksWithChangesOfOthers) {
  Store({"x"}, ChangeKind::kReplace, /*hash=*/9);
  Store({"a", "a", "a"});
  FeedSweepRequest request = Request();
  request.ranges = {partition::HashRange().CutAt(Hash128{5, 0}).first};
  Sweep(request);
  EXPECT_EQ(Stored().size(), 4u);
  request.trim = true;
  EXPECT_EQ(Sweep(request), 1u);
  EXPECT_EQ(Stored(), (Strings{"a@4"}));
}

TEST_F(FeedSweepTest, WorksThroughAFeedOfManyWindows) {
  constexpr size_t kRows = 50;
  std::vector<std::string> rows;
  for (size_t i = 0; i < kRows; ++i) rows.push_back(std::to_string(i));
  for (size_t written = 0; written < 3 * FeedSweep::kWindowChanges; written += kRows) Store(rows);
  EXPECT_EQ(Sweep(Request()), kRows);
  EXPECT_EQ(Stored().size(), kRows);
}

TEST_F(FeedSweepTest, APartOfAPackIsAPackOfItsOwn) {
  PackBuilder builder;
  builder.Add({Lsn(1), Hash128{9, 0}, 0, "x"});
  builder.Add({Lsn(2), Hash128{1, 0}, 0, "y"});
  builder.Add({Lsn(3), Hash128{9, 0}, 0, "z"});
  const auto [low, high] = partition::HashRange().CutAt(Hash128{5, 0});
  const auto ours = PackWithin(builder.bytes(), schema_->id, {low});
  ASSERT_TRUE(ours.has_value() && ours->has_value());
  const auto key = DecodeKey((*ours)->key);
  ASSERT_TRUE(key.has_value());
  EXPECT_EQ(key->lsn, Lsn(2));
  EXPECT_EQ(key->hash, (Hash128{1, 0}));
  EXPECT_NE((*ours)->key, (*PackWithin(builder.bytes(), schema_->id, {high}))->key);
  EXPECT_FALSE(PackWithin(builder.bytes(), schema_->id, {})->has_value());
}

TEST(FeedSweepPass, WaitsUntilTheFeedMayHaveGrown) {
  constexpr uint64_t kMin = FeedSweepPass::kPositionsMin;
  FeedSweepPass pass;
  EXPECT_FALSE(pass.Due(Lsn(kMin - 1)));
  EXPECT_TRUE(pass.Due(Lsn(kMin)));

  auto span = pass.Next(Lsn(9'000));
  EXPECT_EQ(span.after, Lsn());
  EXPECT_EQ(span.until, Lsn(9'000));
  pass.Looked(Lsn(5'000), 4'000);
  EXPECT_TRUE(pass.Due(Lsn(9'000))) << "a pass that runs goes on";
  span = pass.Next(Lsn(9'500));
  EXPECT_EQ(span.after, Lsn(5'000));
  EXPECT_EQ(span.until, Lsn(9'000));
  pass.Looked(Lsn(9'000), 2'000);

  // 6,000 were worth keeping.
  constexpr uint64_t kNext = 9'000 + FeedSweepPass::kGrowth * 6'000;
  EXPECT_FALSE(pass.Due(Lsn(kNext - 1)));
  EXPECT_TRUE(pass.Due(Lsn(kNext)));
  span = pass.Next(Lsn(kNext));
  EXPECT_EQ(span.after, Lsn());
  EXPECT_EQ(span.settled, Lsn(9'000));
}

TEST(FeedSweepPass, OfASmallFeedWaitsTheLeast) {
  FeedSweepPass pass;
  pass.Next(Lsn(2'000));
  pass.Looked(Lsn(2'000), 10);
  EXPECT_FALSE(pass.Due(Lsn(2'000 + FeedSweepPass::kPositionsMin - 1)));
  EXPECT_TRUE(pass.Due(Lsn(2'000 + FeedSweepPass::kPositionsMin)));
}

TEST(FeedSweepPass, LooksUpRowsSeldomWhenOneSegmentIsAll) {
  FeedSweepPass pass;
  uint64_t last = 0;
  // Runs a pass of as many segments; returns how far rows are looked up.
  const auto run = [&](int segments) {
    last += FeedSweepPass::kPositionsMin;
    const Lsn settled = pass.Next(Lsn(last)).settled;
    for (int left = segments - 1; left > 0; --left) pass.Looked(Lsn(last - left), 0);
    pass.Looked(Lsn(last), 0);
    return settled;
  };
  EXPECT_EQ(run(1), Lsn()) << "no pass was before";
  for (uint64_t i = 1; i < FeedSweepPass::kRowsLooked; ++i) EXPECT_EQ(run(1), Lsn());
  EXPECT_EQ(run(1), Lsn(last - FeedSweepPass::kPositionsMin));
  EXPECT_EQ(run(2), Lsn());
  EXPECT_EQ(run(1), Lsn(last - FeedSweepPass::kPositionsMin)) << "more than one before";
  EXPECT_EQ(run(1), Lsn());
}

}  // namespace
}  // namespace orrery::item
