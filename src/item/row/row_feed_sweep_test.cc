#include "item/row/row_feed_sweep.h"

#include <gtest/gtest.h>

namespace orrery::item {
namespace {

StaleFeedEntries Found(uint64_t position, size_t looked_at, size_t stale, bool done) {
  StaleFeedEntries found;
  found.keys.resize(stale);
  found.position = Lsn(position);
  found.looked_at = looked_at;
  found.done = done;
  return found;
}

TEST(FeedSweepPass, WaitsUntilTheFeedMayHaveGrown) {
  constexpr uint64_t kMin = FeedSweepPass::kPositionsMin;
  FeedSweepPass pass;
  EXPECT_FALSE(pass.Due(Lsn(kMin - 1)));
  EXPECT_TRUE(pass.Due(Lsn(kMin)));

  auto span = pass.Next(Lsn(9'000));
  EXPECT_EQ(span.after, Lsn());
  EXPECT_EQ(span.until, Lsn(9'000));
  pass.Looked(Found(5'000, 5'000, 1'000, false));
  EXPECT_TRUE(pass.Due(Lsn(9'000))) << "a pass that runs goes on";
  span = pass.Next(Lsn(9'500));
  EXPECT_EQ(span.after, Lsn(5'000));
  EXPECT_EQ(span.until, Lsn(9'000));
  pass.Looked(Found(9'000, 4'000, 2'000, true));

  // 6,000 were worth keeping.
  constexpr uint64_t kNext = 9'000 + FeedSweepPass::kGrowth * 6'000;
  EXPECT_FALSE(pass.Due(Lsn(kNext - 1)));
  EXPECT_TRUE(pass.Due(Lsn(kNext)));
  EXPECT_EQ(pass.Next(Lsn(kNext)).after, Lsn());
}

TEST(FeedSweepPass, OfASmallFeedWaitsTheLeast) {
  FeedSweepPass pass;
  pass.Next(Lsn(2'000));
  pass.Looked(Found(2'000, 2'000, 1'990, true));
  EXPECT_FALSE(pass.Due(Lsn(2'000 + FeedSweepPass::kPositionsMin - 1)));
  EXPECT_TRUE(pass.Due(Lsn(2'000 + FeedSweepPass::kPositionsMin)));
}

}  // namespace
}  // namespace orrery::item
