#include "cluster/lease/lease_renewer.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <memory>

#include "storage/rados/memory_store.h"

namespace orrery::cluster {
namespace {

using storage::rados::MemoryCluster;
using storage::rados::MemoryStore;
using storage::rados::ObjectFault;

class LeaseRenewerTest : public testing::Test {
 protected:
  std::unique_ptr<NodeLease> Take(MemoryStore& store) {
    // Short, so that the renewer's pauses are; the lease itself runs by the clock that stands
    // still.
    auto lease = NodeLease::Take(
        store, clock_,
        {.object = "node.7", .cookie = "a", .duration = std::chrono::milliseconds(30)});
    EXPECT_TRUE(lease.has_value());
    return std::move(*lease);
  }
  // Returns at the `count`th call that `store` carries out from now on.
  static void AwaitCalls(MemoryStore& store, int count) {
    struct Calls {
      std::atomic<int> left;
      std::promise<void> reached;
    };
    const auto calls = std::make_shared<Calls>(count);
    store.BeforeEach([calls] {
      if (--calls->left == 0) calls->reached.set_value();
    });
    calls->reached.get_future().wait();
    store.BeforeEach(nullptr);
  }

  ManualClock clock_;
  MemoryCluster cluster_{clock_};
  MemoryStore store_{cluster_};
};

TEST_F(LeaseRenewerTest, RenewsUntilStopped) {
  const auto lease = Take(store_);
  LeaseRenewer renewer(*lease, [](const Error& error) { ADD_FAILURE() << error.ToString(); });
  clock_.Advance(std::chrono::milliseconds(25));
  EXPECT_FALSE(lease->ValidNow());
  AwaitCalls(store_, 2);  // the first of them may have begun before the clock moved
  renewer.Stop();
  EXPECT_TRUE(lease->ValidNow());
}

TEST_F(LeaseRenewerTest, GoesOnAfterAnErrorThatPasses) {
  const auto lease = Take(store_);
  store_.FaultAfter(0, ObjectFault::kLostRequest);
  LeaseRenewer renewer(*lease, [](const Error& error) { ADD_FAILURE() << error.ToString(); });
  AwaitCalls(store_, 3);
  renewer.Stop();
  EXPECT_TRUE(lease->ValidNow());
}

TEST_F(LeaseRenewerTest, TellsOnceThatTheLeaseIsLost) {
  const auto lease = Take(store_);
  clock_.Advance(std::chrono::milliseconds(31));
  MemoryStore other(cluster_, 2);
  const auto next = Take(other);
  std::promise<Code> lost;
  LeaseRenewer renewer(*lease, [&](const Error& error) { lost.set_value(error.code()); });
  EXPECT_EQ(lost.get_future().get(), Code::kFenced);
  renewer.Stop();
  EXPECT_FALSE(lease->ValidNow());
}

}  // namespace
}  // namespace orrery::cluster
