#include "gateway/snapshot/commit_barrier.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <optional>
#include <thread>
#include <vector>

#include "gateway/snapshot/commit_rooms.h"

namespace orrery::gateway {
namespace {

using storage::ReadMode;

TEST(CommitBarrierTest, ReadersWaitForTheCommitsOfTheirPartition) {
  CommitBarrier barrier;
  EXPECT_TRUE(barrier.Pass(PartitionId(1), ReadMode::kCachedOnly).has_value());
  std::optional<CommitBarrier::Mark> mark;
  mark.emplace(barrier, std::vector{PartitionId(1), PartitionId(2)});
  EXPECT_TRUE(barrier.Pass(PartitionId(3), ReadMode::kMayBlock).has_value());
  EXPECT_FALSE(barrier.Pass(PartitionId(1), ReadMode::kCachedOnly).has_value());
  auto waits = std::async(std::launch::async,
                          [&] { return barrier.Pass(PartitionId(2), ReadMode::kMayBlock); });
  EXPECT_EQ(waits.wait_for(std::chrono::milliseconds(1)), std::future_status::timeout);
  mark.reset();
  EXPECT_TRUE(waits.get().has_value());
  EXPECT_TRUE(barrier.Pass(PartitionId(1), ReadMode::kCachedOnly).has_value());
}

TEST(CommitRoomsTest, OneKindIsInsideAtATime) {
  CommitRooms rooms;
  std::atomic<int> snapshots = 0;
  std::atomic<int> commits = 0;
  std::atomic<int> met = 0;
  const auto visit = [&](CommitRooms::Room room, std::atomic<int>& own, std::atomic<int>& other) {
    for (int i = 0; i < 2'000; ++i) {
      const CommitRooms::Stay stay(rooms, room);
      ++own;
      if (other.load() != 0) ++met;
      --own;
    }
  };
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 3; ++i) {
      threads.emplace_back([&] { visit(CommitRooms::Room::kSnapshots, snapshots, commits); });
      threads.emplace_back([&] { visit(CommitRooms::Room::kCommits, commits, snapshots); });
    }
  }
  EXPECT_EQ(met, 0);
}

}  // namespace
}  // namespace orrery::gateway
