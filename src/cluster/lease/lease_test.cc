#include "cluster/lease/lease.h"

#include <gtest/gtest.h>

#include "base/log.h"
#include "storage/rados/object/memory_store.h"

namespace orrery::cluster {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using storage::rados::MemoryCluster;
using storage::rados::MemoryStore;
using storage::rados::ObjectFault;
using storage::rados::ObjectWrite;

class LeaseTest : public testing::Test {
 protected:
  void SetUp() override { SetLogLevel(LogLevel::kError); }
  Result<std::unique_ptr<Lease>> Take(MemoryStore& store, const std::string& who) {
    return Lease::TryTake(store, clock_, {.object = "node.1", .cookie = who});
  }

  ManualClock clock_;
  MemoryCluster cluster_{clock_};
  MemoryStore first_{cluster_};
  MemoryStore second_{cluster_};
};

TEST_F(LeaseTest, IsTrustedForThreeQuartersAndKeptForTheWhole) {
  const auto lease = Take(first_, "a");
  ASSERT_TRUE(lease.has_value()) << lease.error().ToString();
  EXPECT_TRUE((*lease)->ValidNow());
  clock_.Advance(milliseconds(3'749));
  EXPECT_TRUE((*lease)->ValidNow());
  clock_.Advance(milliseconds(1));
  EXPECT_FALSE((*lease)->ValidNow());
  EXPECT_EQ(Take(second_, "b").error().code(), Code::kAlreadyExists);
  EXPECT_TRUE(*Lease::IsHeld(second_, "node.1"));
  clock_.Advance(milliseconds(1'251));
  EXPECT_FALSE(*Lease::IsHeld(second_, "node.1"));
}

TEST_F(LeaseTest, RenewalsKeepItAsLongAsTheyComeInTime) {
  const auto lease = *Take(first_, "a");
  for (int i = 0; i < 10; ++i) {
    clock_.Advance(seconds(3));
    EXPECT_TRUE(lease->Renew().has_value());
    EXPECT_TRUE(lease->ValidNow());
  }
  EXPECT_EQ(Take(second_, "b").error().code(), Code::kAlreadyExists);
}

TEST_F(LeaseTest, WhoeverTakesItOverShutsTheFormerHolderOut) {
  const auto stopped = *Take(first_, "a");
  clock_.Advance(seconds(7));
  const auto taken = Take(second_, "b");
  ASSERT_TRUE(taken.has_value()) << taken.error().ToString();
  EXPECT_FALSE(stopped->ValidNow());
  EXPECT_FALSE(second_.Stat("data").has_value());  // each object hears of it when it is touched
  EXPECT_EQ(first_.Apply("data", ObjectWrite().Write(0, "late")).error().code(), Code::kFenced);
  EXPECT_EQ(stopped->Renew().error().code(), Code::kFenced);
  EXPECT_TRUE(stopped->lost());
  EXPECT_TRUE((*taken)->ValidNow());
}

TEST_F(LeaseTest, ALeaseThatRanOutIsTakenUpAgainIfNobodyHadIt) {
  const auto lease = *Take(first_, "a");
  clock_.Advance(seconds(7));
  EXPECT_FALSE(lease->ValidNow());
  EXPECT_TRUE(lease->Renew().has_value());
  EXPECT_TRUE(lease->ValidNow());
}

TEST_F(LeaseTest, AClosedLeaseIsNotTakenUpAgain) {
  const auto lease = *Take(first_, "a");
  EXPECT_FALSE(*Lease::Close(second_, "node.1")) << "it is held";
  clock_.Advance(seconds(7));
  EXPECT_TRUE(*Lease::Close(second_, "node.1"));
  EXPECT_EQ(lease->Renew().error().code(), Code::kFenced);
  EXPECT_TRUE(lease->lost());
}

TEST_F(LeaseTest, AClosedLeaseIsNobodysAndMayBeClosedByOthersToo) {
  const auto lease = *Take(first_, "a");
  clock_.Advance(seconds(7));
  ASSERT_TRUE(*Lease::Close(second_, "node.1"));
  MemoryStore third(cluster_);
  EXPECT_FALSE(*Lease::IsHeld(third, "node.1"));
  EXPECT_TRUE(*Lease::Close(third, "node.1"));
  EXPECT_EQ(lease->Renew().error().code(), Code::kFenced);
}

TEST_F(LeaseTest, ALeaseThatAnotherHadInBetweenIsLost) {
  const auto lease = *Take(first_, "a");
  clock_.Advance(seconds(7));
  // Not by the other's blocklisting alone: the object has not heard of it.
  (*Take(second_, "b"))->Release();
  EXPECT_EQ(lease->Renew().error().code(), Code::kFenced);
}

TEST_F(LeaseTest, AReleasedLeaseIsFreeAtOnceAndNobodyIsShutOut) {
  auto lease = *Take(first_, "a");
  lease->Release();
  EXPECT_FALSE(lease->ValidNow());
  EXPECT_TRUE(Take(second_, "b").has_value());
  EXPECT_TRUE(first_.Apply("data", ObjectWrite().Write(0, "fine")).has_value());
}

TEST_F(LeaseTest, WhoeverInheritsItNeedNotWait) {
  const auto lease = *Take(first_, "a");
  first_.Crash();
  ASSERT_TRUE(Lease::Inherit(second_, "node.1", "another").has_value());
  EXPECT_TRUE(*Lease::IsHeld(second_, "node.1")) << "it is not that one's";
  ASSERT_TRUE(Lease::Inherit(second_, "node.1", "a").has_value());
  EXPECT_FALSE(*Lease::IsHeld(second_, "node.1"));
  const auto next = *Take(second_, "b");
  ASSERT_TRUE(Lease::Inherit(second_, "node.1", "a").has_value());
  EXPECT_TRUE(*Lease::IsHeld(second_, "node.1")) << "it is the next one's already";
  EXPECT_TRUE(Lease::Inherit(second_, "node.2", "a").has_value()) << "that never was";
}

TEST_F(LeaseTest, ALostRenewalMayPass) {
  const auto lease = *Take(first_, "a");
  clock_.Advance(seconds(2));
  first_.FaultAfter(0, ObjectFault::kLostRequest);
  EXPECT_EQ(lease->Renew().error().code(), Code::kUnavailable);
  EXPECT_TRUE(lease->ValidNow()) << "by the renewal before";
  EXPECT_FALSE(lease->lost());
  EXPECT_TRUE(lease->Renew().has_value());
  clock_.Advance(seconds(3));
  EXPECT_TRUE(lease->ValidNow());
}

TEST_F(LeaseTest, AnAnswerThatCameTooLateIsAskedForAgainAtOnce) {
  const auto lease = *Take(first_, "a");
  clock_.Advance(seconds(1));
  // The store stands still while the renewal is on its way: so long that the lease has run out by
  // then, and so long that it has not.
  for (const seconds stall : {seconds(6), seconds(4)}) {
    bool waited = false;
    first_.BeforeEach([&] {
      if (!std::exchange(waited, true)) clock_.Advance(stall);
    });
    EXPECT_TRUE(lease->Renew().has_value());
    first_.BeforeEach(nullptr);
    EXPECT_TRUE(lease->ValidNow()) << "after " << stall.count() << " s";
  }
}

TEST_F(LeaseTest, AStoreThatIsAlwaysTooSlowDoesNotKeepTheRenewalForEver) {
  const auto lease = *Take(first_, "a");
  first_.BeforeEach([&] { clock_.Advance(seconds(4)); });
  EXPECT_TRUE(lease->Renew().has_value());
  EXPECT_FALSE(lease->ValidNow());
  EXPECT_FALSE(lease->lost());
}

TEST_F(LeaseTest, WhoSleptWhileTakingItHasNothing) {
  // The first gets the lock, and sleeps before it can say who it is.
  std::unique_ptr<Lease> second;
  int calls = 0;
  first_.BeforeEach([&] {
    if (++calls != 4) return;  // create, lock, look, and now the name
    clock_.Advance(seconds(7));
    second = *Take(second_, "b");
  });
  const auto first = Take(first_, "a");
  ASSERT_FALSE(first.has_value());
  ASSERT_NE(second, nullptr);
  EXPECT_TRUE(second->Renew().has_value());
  EXPECT_TRUE(second->ValidNow());
}

}  // namespace
}  // namespace orrery::cluster
