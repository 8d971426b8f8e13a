#include "cluster/lease/node_lease.h"

#include <gtest/gtest.h>

#include "storage/rados/memory_store.h"

namespace orrery::cluster {
namespace {

using std::chrono::milliseconds;
using storage::rados::MemoryCluster;
using storage::rados::MemoryStore;
using storage::rados::ObjectFault;
using storage::rados::ObjectWrite;

class NodeLeaseTest : public testing::Test {
 protected:
  static constexpr milliseconds kDuration{6'000};

  Result<std::unique_ptr<NodeLease>> Take(MemoryStore& store, const std::string& cookie) {
    return NodeLease::Take(store, clock_,
                           {.object = "node.7", .cookie = cookie, .duration = kDuration});
  }
  std::unique_ptr<NodeLease> TakeOrFail(MemoryStore& store, const std::string& cookie) {
    auto lease = Take(store, cookie);
    EXPECT_TRUE(lease.has_value()) << lease.error().ToString();
    return lease.has_value() ? std::move(*lease) : nullptr;
  }
  template <typename T>
  static Code CodeOf(const Result<T>& result) {
    return result.has_value() ? Code::kInternal : result.error().code();
  }

  ManualClock clock_;
  MemoryCluster cluster_{clock_};
  MemoryStore first_{cluster_, 1};
  MemoryStore second_{cluster_, 2};
};

TEST_F(NodeLeaseTest, IsTrustedForTwoThirdsOfItsDuration) {
  const auto lease = TakeOrFail(first_, "a");
  EXPECT_TRUE(lease->ValidNow());
  clock_.Advance(milliseconds(3'999));
  EXPECT_TRUE(lease->ValidNow());
  clock_.Advance(milliseconds(1));
  EXPECT_FALSE(lease->ValidNow());
}

TEST_F(NodeLeaseTest, ARenewalCountsFromItsStart) {
  const auto lease = TakeOrFail(first_, "a");
  clock_.Advance(milliseconds(2'000));
  const Micros sent = clock_.Monotonic();
  first_.BeforeEach([&] { clock_.Advance(milliseconds(1'000)); });
  EXPECT_TRUE(lease->Renew().has_value());
  EXPECT_EQ(lease->valid_until(), sent + milliseconds(4'000));
}

TEST_F(NodeLeaseTest, HasOneHolder) {
  const auto lease = TakeOrFail(first_, "a");
  const auto other = Take(second_, "b");
  ASSERT_EQ(CodeOf(other), Code::kAlreadyExists);
  EXPECT_NE(other.error().message().find("held by a"), std::string::npos);
  clock_.Advance(milliseconds(5'000));
  EXPECT_FALSE(lease->ValidNow());
  EXPECT_EQ(CodeOf(Take(second_, "b")), Code::kAlreadyExists) << "the last third is nobody's";
}

TEST_F(NodeLeaseTest, ARenewalInTheLastThirdMakesItValidAgain) {
  const auto lease = TakeOrFail(first_, "a");
  clock_.Advance(milliseconds(5'000));
  EXPECT_TRUE(lease->Renew().has_value());
  EXPECT_TRUE(lease->ValidNow());
}

TEST_F(NodeLeaseTest, TakingOverFencesTheFormerHolder) {
  const auto lease = TakeOrFail(first_, "a");
  ASSERT_TRUE(first_.Apply("data", ObjectWrite().Write(0, "x")).has_value());
  clock_.Advance(milliseconds(6'001));
  const auto next = TakeOrFail(second_, "b");
  EXPECT_TRUE(next->ValidNow());
  EXPECT_GT(next->term(), lease->term());
  ASSERT_TRUE(second_.Stat("data").has_value());
  EXPECT_EQ(CodeOf(first_.Apply("data", ObjectWrite().Write(0, "zombie"))), Code::kFenced);
  const Code renewed = CodeOf(lease->Renew());
  EXPECT_TRUE(renewed == Code::kFenced || renewed == Code::kNotFound);
  EXPECT_FALSE(lease->ValidNow());
}

TEST_F(NodeLeaseTest, ALockThatRanOutIsTakenAgainWhenNobodyHadTheLease) {
  const auto lease = TakeOrFail(first_, "a");
  clock_.Advance(milliseconds(6'001));
  EXPECT_FALSE(lease->ValidNow());
  EXPECT_TRUE(lease->Renew().has_value());
  EXPECT_TRUE(lease->ValidNow());
  EXPECT_EQ(CodeOf(Take(second_, "b")), Code::kAlreadyExists);
}

TEST_F(NodeLeaseTest, ALockTakenAgainIsWorthNothingBeforeTheRecordWasSeen) {
  const auto lease = TakeOrFail(first_, "a");
  clock_.Advance(milliseconds(6'001));
  first_.FaultAfter(2, ObjectFault::kLostRequest);  // after the renewal and the lock
  EXPECT_EQ(CodeOf(lease->Renew()), Code::kUnavailable);
  EXPECT_FALSE(lease->ValidNow());
  EXPECT_TRUE(lease->Renew().has_value());
  EXPECT_TRUE(lease->ValidNow());
}

TEST_F(NodeLeaseTest, ALostLeaseStaysLostAndKeepsNobodyOut) {
  const auto lease = TakeOrFail(first_, "a");
  clock_.Advance(milliseconds(6'001));
  // By the same process, so that only the record tells.
  EXPECT_TRUE(TakeOrFail(first_, "b")->Release().has_value());
  EXPECT_EQ(CodeOf(lease->Renew()), Code::kNotFound);
  EXPECT_EQ(CodeOf(lease->Renew()), Code::kNotFound);
  EXPECT_FALSE(lease->ValidNow());
  EXPECT_NE(TakeOrFail(second_, "c"), nullptr);
}

TEST_F(NodeLeaseTest, WhoReleasedIsNotFenced) {
  const auto lease = TakeOrFail(first_, "a");
  EXPECT_TRUE(lease->Release().has_value());
  EXPECT_FALSE(lease->ValidNow());
  EXPECT_TRUE(lease->Release().has_value());
  const auto next = TakeOrFail(second_, "b");
  ASSERT_TRUE(second_.Apply("data", ObjectWrite().Create()).has_value());
  EXPECT_TRUE(first_.Apply("data", ObjectWrite().Write(0, "x")).has_value());
}

TEST_F(NodeLeaseTest, TheSameProcessDoesNotFenceItself) {
  const auto lease = TakeOrFail(first_, "a");
  clock_.Advance(milliseconds(6'001));
  const auto again = TakeOrFail(first_, "b");
  EXPECT_TRUE(again->Renew().has_value());
  EXPECT_FALSE(lease->Renew().has_value());
}

TEST_F(NodeLeaseTest, AReleaseAfterTheTakeOverChangesNothing) {
  const auto lease = TakeOrFail(first_, "a");
  clock_.Advance(milliseconds(6'001));
  const auto again = TakeOrFail(first_, "b");
  EXPECT_TRUE(lease->Release().has_value());
  const auto view = NodeLease::Look(second_, "node.7");
  ASSERT_TRUE(view.has_value());
  EXPECT_EQ(view->holder_address, first_.Address());
  EXPECT_TRUE(again->Renew().has_value());
}

TEST_F(NodeLeaseTest, AnyoneCanLook) {
  EXPECT_EQ(CodeOf(NodeLease::Look(second_, "node.7")), Code::kNotFound);
  const auto lease = TakeOrFail(first_, "a");
  auto view = NodeLease::Look(second_, "node.7");
  ASSERT_TRUE(view.has_value()) << view.error().ToString();
  EXPECT_TRUE(view->held);
  EXPECT_EQ(view->term, lease->term());
  EXPECT_EQ(view->holder_address, first_.Address());
  EXPECT_EQ(view->holder_cookie, "a");
  clock_.Advance(milliseconds(6'001));
  view = NodeLease::Look(second_, "node.7");
  EXPECT_FALSE(view->held);
  EXPECT_EQ(view->holder_address, first_.Address()) << "to be fenced by the next";
}

// The taker dies or loses an answer at any step: whoever comes next fences the last that may have
// got it.
TEST_F(NodeLeaseTest, ATakingThatFailsHalfWayLeavesTheFormerHolderKnown) {
  const auto lease = TakeOrFail(first_, "a");
  clock_.Advance(milliseconds(6'001));
  for (const ObjectFault fault : {ObjectFault::kLostRequest, ObjectFault::kLostAnswer}) {
    for (uint64_t step = 0; step < 6; ++step) {
      MemoryStore taker(cluster_, 10 + step);
      taker.FaultAfter(step, fault);
      const auto taken = Take(taker, "taker." + std::to_string(step));
      clock_.Advance(milliseconds(6'001));
      if (taken.has_value()) EXPECT_FALSE((*taken)->ValidNow());
    }
  }
  const auto next = TakeOrFail(second_, "next");
  ASSERT_TRUE(second_.Apply("data", ObjectWrite().Create()).has_value());
  EXPECT_EQ(CodeOf(first_.Apply("data", ObjectWrite().Write(0, "zombie"))), Code::kFenced);
}

TEST_F(NodeLeaseTest, ATakingThatIsTooSlowLosesToTheNext) {
  const auto lease = TakeOrFail(first_, "a");
  clock_.Advance(milliseconds(6'001));
  MemoryStore slow(cluster_, 3);
  // The lock runs out while the slow one works, and another takes the lease in between.
  int calls = 0;
  std::unique_ptr<NodeLease> winner;
  slow.BeforeEach([&] {
    if (++calls != 3) return;  // made, locked, now about to look who it was
    clock_.Advance(milliseconds(6'001));
    winner = TakeOrFail(second_, "winner");
  });
  const auto loser = Take(slow, "slow");
  ASSERT_NE(winner, nullptr);
  EXPECT_FALSE(loser.has_value());
  EXPECT_TRUE(winner->ValidNow());
}

TEST_F(NodeLeaseTest, AnObjectThatIsNoLeaseIsLeftAlone) {
  ASSERT_TRUE(first_.Apply("node.7", ObjectWrite().Create()).has_value());
  EXPECT_EQ(CodeOf(Take(first_, "a")), Code::kCorruption);
  ASSERT_TRUE(first_.Apply("x", ObjectWrite().SetAttribute("term", "1x").SetAttribute("holder", ""))
                  .has_value());
  EXPECT_EQ(CodeOf(NodeLease::Look(first_, "x")), Code::kCorruption);
}

}  // namespace
}  // namespace orrery::cluster
