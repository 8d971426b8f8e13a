// Nodes in one process, on objects in memory, that talk without a network.
#include "cluster/member/membership.h"

#include <gtest/gtest.h>

#include "cluster/cluster_testing.h"
#include "cluster/lease/expiry_grace.h"

namespace orrery::cluster {
namespace {

TEST_F(ClusterTest, TheFirstNodeLeadsAndTheNextFollows) {
  TestNode& first = Add();
  EXPECT_TRUE(first.membership->leads());
  TestNode& second = Add();
  EXPECT_FALSE(second.membership->leads());
  EXPECT_EQ(second.system.version(), first.system.version());
}

TEST_F(ClusterTest, ACommitOfAnyNodeIsKnownToAllWhenItIsDone) {
  TestNode& first = Add();
  TestNode& second = Add();
  TestNode& third = Add();
  SystemChange change;
  change.Put("db/1", "one");
  ASSERT_TRUE(second.system.Commit(std::move(change)).has_value());
  for (TestNode* node : {&first, &second, &third}) EXPECT_EQ(*node->system.Get("db/1"), "one");
  SystemChange late;
  late.Expect("db/1", "another");
  late.Put("db/1", "two");
  EXPECT_EQ(third.system.Commit(std::move(late)).error().code(), Code::kMoved);
  EXPECT_EQ(*first.system.Get("db/1"), "one");
}

TEST_F(ClusterTest, NodesKnowEachOtherByOneSecret) {
  TestNode& first = Add();
  TestNode& second = Add();
  EXPECT_EQ(first.membership->secret().size(), kClusterSecretDigits);
  EXPECT_EQ(first.membership->secret(), second.membership->secret());
}

TEST_F(ClusterTest, ANodeWithoutACommonKeyIsRefusedWhileOthersRun) {
  TestNode& first = Add();
  ASSERT_TRUE(
      first.membership->Enter({.software = "0.1.0", .key_marks = "aaaaaaaabbbbbbbb"}).has_value());
  TestNode& second = Add();
  EXPECT_TRUE(second.membership->CheckKeys("bbbbbbbbcccccccc").has_value());
  const Status refused = second.membership->CheckKeys("cccccccc");
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code(), Code::kForbidden);
  EXPECT_NE(refused.error().message().find("node 1 "), std::string::npos);
  Crash(0);
  PassLeaseTime();
  EXPECT_TRUE(second.membership->CheckKeys("cccccccc").has_value()) << "nobody else runs";
}

TEST_F(ClusterTest, IdsAreTakenOnceWhoeverAsks) {
  TestNode& first = Add();
  TestNode& second = Add();
  SystemChange change;
  std::set<uint64_t> ids;
  for (int i = 0; i < 5; ++i) {
    EXPECT_TRUE(ids.insert(*first.system.NextId("partition", change)).second);
    EXPECT_TRUE(ids.insert(*second.system.NextId("partition", change)).second);
  }
  ASSERT_TRUE(second.system.Commit(std::move(change)).has_value());
}

TEST_F(ClusterTest, ANodeTakesTheManagersPlaceWithAllThatWasCommitted) {
  Add();
  TestNode& second = Add();
  TestNode& third = Add();
  SystemChange change;
  change.Put("db/1", "one");
  ASSERT_TRUE(second.system.Commit(std::move(change)).has_value());
  const SystemVersion before = second.system.version();
  SystemChange taken;
  ASSERT_TRUE(second.system.NextId("partition", taken).has_value());
  Crash(0);
  EXPECT_EQ(second.system.Commit({}).error().code(), Code::kUnavailable) << "nobody to ask";
  PassLeaseTime();
  second.Tick();
  third.Tick();
  EXPECT_TRUE(second.membership->leads());
  EXPECT_EQ(second.system.version().term, before.term + 1);
  EXPECT_EQ(third.system.version(), second.system.version());
  EXPECT_EQ(*third.system.Get("db/1"), "one");
  taken.Put("pt/x", "with an id of the former manager");
  EXPECT_EQ(third.system.Commit(std::move(taken)).error().code(), Code::kMoved);
  SystemChange next;
  next.Put("db/2", "two");
  ASSERT_TRUE(third.system.Commit(std::move(next)).has_value());
  EXPECT_EQ(*second.system.Get("db/2"), "two");
}

TEST_F(ClusterTest, ASuccessorNeedNotWaitForItsPredecessorsLeases) {
  TestNode& first = Add();
  TestNode& second = Add();
  SystemChange change;
  change.Put("db/1", "one");
  ASSERT_TRUE(first.system.Commit(std::move(change)).has_value());
  Crash(0);
  TestNode& again = Add([&](const std::string&) { return first.self; });
  EXPECT_FALSE(*Lease::IsHeld(*again.store, NodeLeaseObject(first.self)));
  EXPECT_TRUE(*Lease::IsHeld(*again.store, NodeLeaseObject(second.self)));
  second.Tick();
  EXPECT_TRUE(second.membership->leads());
  again.Tick();
  EXPECT_EQ(*again.system.Get("db/1"), "one");
  EXPECT_FALSE(first.membership->RenewLeases().has_value());
}

TEST_F(ClusterTest, AManagerThatWakesUpCommitsNothing) {
  TestNode& first = Add();
  TestNode& second = Add();
  first.cut = true;
  PassLeaseTimeFor({&second});
  second.Tick();
  ASSERT_TRUE(second.membership->leads());
  SystemChange change;
  change.Put("db/1", "late");
  const Status committed = first.system.Commit(std::move(change));
  EXPECT_FALSE(committed.has_value());
  EXPECT_EQ(*second.system.Get("db/1"), std::nullopt);
  // Each object hears of a blocklisting when it is touched.
  EXPECT_TRUE(second.store->Stat(NodeLeaseObject(first.self)).has_value());
  EXPECT_EQ(first.membership->RenewLeases().error().code(), Code::kFenced);
  EXPECT_FALSE(first.membership->lease().ValidNow());
}

TEST_F(ClusterTest, AManagerWhoseStoreDidNotAnswerStaysOne) {
  TestNode& first = Add();
  TestNode& second = Add();
  bool waited = false;
  second.store->BeforeEach([&] {
    if (!std::exchange(waited, true)) clock_.Advance(std::chrono::seconds(7));
  });
  second.Tick();
  EXPECT_FALSE(second.membership->leads()) << "the first is renewing now";
  second.store->BeforeEach(nullptr);
  second.Tick();
  EXPECT_FALSE(second.membership->leads()) << "it may take a while";
  first.Tick();
  EXPECT_TRUE(first.membership->leads());
  EXPECT_FALSE(first.membership->LeadsNow());
  ASSERT_TRUE(first.membership->RenewLeases().has_value());
  EXPECT_TRUE(first.membership->LeadsNow());
  second.Tick();
  EXPECT_FALSE(second.membership->leads());
}

TEST_F(ClusterTest, AManagerThatLivesAndWaitsForTheStoreHasGraceByQuickLooksToo) {
  TestNode& first = Add();
  TestNode& second = Add();
  second.Tick();
  // The second waited for the store elsewhere.
  clock_.Advance(std::chrono::seconds(7));
  ASSERT_TRUE(second.membership->RenewLeases().has_value());
  second.Tick();
  EXPECT_FALSE(second.membership->leads());
  ASSERT_TRUE(first.membership->RenewLeases().has_value());
  EXPECT_TRUE(first.membership->LeadsNow());
  second.Tick();
  EXPECT_FALSE(second.membership->leads());
}

TEST_F(ClusterTest, AManagerThatGaveItsPlaceBackHasNoGrace) {
  TestNode& first = Add();
  TestNode& second = Add();
  second.Tick();
  clock_.Advance(std::chrono::seconds(3));
  first.membership->Stop();
  second.Tick();
  EXPECT_TRUE(second.membership->leads());
}

TEST_F(ClusterTest, AManagerThatDoesNotComeBackWithTheStoreIsFollowed) {
  Add();
  TestNode& second = Add();
  Crash(0);
  bool waited = false;
  second.store->BeforeEach([&] {
    if (!std::exchange(waited, true)) clock_.Advance(std::chrono::seconds(7));
  });
  second.Tick();
  EXPECT_FALSE(second.membership->leads());
  second.store->BeforeEach(nullptr);
  ASSERT_TRUE(second.membership->RenewLeases().has_value());
  clock_.Advance(kGrace);
  second.Tick();
  EXPECT_TRUE(second.membership->leads());
}

TEST_F(ClusterTest, ANodeWhoseEntryIsLostOrDamagedEntersAgain) {
  TestNode& first = Add();
  const std::string entry = "node/0000000000000001";
  const std::vector<NodeDescriptor> before = *first.membership->membership_list().Members();
  using storage::rados::ObjectWrite;
  ASSERT_TRUE(first.store->Apply("cluster", ObjectWrite().RemoveEntry(entry)).has_value());
  first.Tick();
  EXPECT_EQ(*first.membership->membership_list().Members(), before);
  ASSERT_TRUE(first.store->Apply("cluster", ObjectWrite().SetEntry(entry, "?")).has_value());
  first.Tick();
  EXPECT_EQ(*first.membership->membership_list().Members(), before);
}

TEST_F(ClusterTest, ANodeThatHasNotJoinedLeavesLeadingToThoseBeforeIt) {
  TestNode& first = Add();
  // Nobody has the manager's lease, and the first node lives.
  ASSERT_TRUE(first.store->Unlock("manager", "lease", "node 1").has_value());
  TestNode& second = Add();
  EXPECT_FALSE(second.membership->leads());
  EXPECT_EQ(second.system.version().term, 0u);
}

TEST_F(ClusterTest, AManagerThatLeavesIsFollowedAtOnce) {
  TestNode& first = Add();
  TestNode& second = Add();
  first.membership->Stop();
  second.Tick();
  EXPECT_TRUE(second.membership->leads());
}

}  // namespace
}  // namespace orrery::cluster
