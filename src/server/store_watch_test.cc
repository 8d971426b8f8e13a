#include "server/store_watch.h"

#include <gtest/gtest.h>

namespace orrery::server {
namespace {

using storage::rados::ClusterFacts;
using storage::rados::PoolFacts;
using Osds = std::vector<uint32_t>;

class StoreWatchTest : public ::testing::Test {
 protected:
  StoreWatchTest() {
    cluster_.health = "HEALTH_WARN";
    cluster_.checks = {"OSD_DOWN"};
    cluster_.osds = 4;
    cluster_.osds_up = 3;
  }

  template <typename T>
  Result<T> Answer(T value) const {
    if (silent_) return Fail(Code::kUnavailable, "no monitor answers");
    return value;
  }

  ClusterFacts cluster_;
  std::map<PartitionId, std::string> directories_ = {{PartitionId(7), "d.7"}};
  bool silent_ = false;
  int asked_ = 0;
  StoreWatch watch_{"orrery",
                    {.pool = [this] { return Answer(PoolFacts{.size = 4, .min_size = 3}); },
                     .cluster = [this] { return Answer(cluster_); },
                     .directories = [this] { return Answer(directories_); },
                     .copies =
                         [this](const std::string& object) {
                           ++asked_;
                           return Answer(Osds{static_cast<uint32_t>(object.size())});
                         }}};
};

TEST_F(StoreWatchTest, SaysThatNothingIsKnownYet) {
  EXPECT_EQ(watch_.report()->pool, "orrery");
  EXPECT_EQ(watch_.report()->trouble, "not asked yet");
  EXPECT_TRUE(watch_.CopiesOf(PartitionId(7)).empty());
}

TEST_F(StoreWatchTest, KeepsWhatTheStoreSaid) {
  watch_.Look();
  EXPECT_EQ(watch_.report()->trouble, "");
  EXPECT_EQ(watch_.report()->copies, 4U);
  EXPECT_EQ(watch_.report()->copies_serving, 3U);
  EXPECT_EQ(watch_.report()->checks, std::vector<std::string>{"OSD_DOWN"});
  EXPECT_EQ(watch_.report()->disks_up, 3U);
  EXPECT_EQ(watch_.CopiesOf(PartitionId(7)), Osds{3});
  silent_ = true;
  watch_.Look();
  EXPECT_EQ(watch_.report()->trouble, "no monitor answers");
  EXPECT_EQ(watch_.report()->copies, 4U);
  EXPECT_EQ(watch_.CopiesOf(PartitionId(7)), Osds{3});
}

TEST_F(StoreWatchTest, ForgetsPartitionsThatAreGone) {
  watch_.Look();
  directories_ = {{PartitionId(8), "directory"}};
  watch_.Look();
  EXPECT_TRUE(watch_.CopiesOf(PartitionId(7)).empty());
  EXPECT_EQ(watch_.CopiesOf(PartitionId(8)), Osds{9});
}

TEST_F(StoreWatchTest, AllPartitionsHaveTheirTurn) {
  for (uint64_t i = 0; i < StoreWatch::kPartitionsPerLook + 10; ++i)
    directories_[PartitionId(100 + i)] = "d";
  watch_.Look();
  EXPECT_EQ(asked_, static_cast<int>(StoreWatch::kPartitionsPerLook));
  EXPECT_TRUE(watch_.CopiesOf(directories_.rbegin()->first).empty());
  watch_.Look();
  for (const auto& [id, object] : directories_) EXPECT_FALSE(watch_.CopiesOf(id).empty());
}

}  // namespace
}  // namespace orrery::server
