#include "cluster/member/membership_list.h"

#include <gtest/gtest.h>

#include "base/clock.h"
#include "storage/rados/object/memory_store.h"

namespace orrery::cluster {
namespace {

using storage::rados::MemoryCluster;
using storage::rados::MemoryStore;
using storage::rados::ObjectWrite;

class MembershipListTest : public testing::Test {
 protected:
  static NodeDescriptor Descriptor(NodeId id) {
    return {.id = id,
            .host_id = std::string(16, 'h'),
            .peer_address = "127.0.0.2",
            .peer_port = 7'000,
            .client_address = "127.0.0.3",
            .sql_port = 8'081,
            .cassandra_port = 9'042,
            .sql_direct_port = 10'251,
            .software = "0.1.0",
            .store_address = "10.0.0.1:0/12"};
  }
  ManualClock clock_;
  MemoryCluster cluster_{clock_};
  MemoryStore store_{cluster_};
};

TEST_F(MembershipListTest, TheFirstMakesTheClusterAndOthersFindIt) {
  EXPECT_EQ(MembershipList::Open(store_, "one")->cluster_id(), "one");
  EXPECT_EQ(MembershipList::Open(store_, "two")->cluster_id(), "one");
}

TEST_F(MembershipListTest, StrangersDataIsNotTouched) {
  ASSERT_TRUE(store_.Apply("theirs", ObjectWrite().Write(0, "x")).has_value());
  const auto membership_list = MembershipList::Open(store_, "one");
  ASSERT_FALSE(membership_list.has_value());
  EXPECT_EQ(membership_list.error().code(), Code::kInvalidArgument);
  EXPECT_NE(membership_list.error().message().find("--rados-namespace"), std::string::npos);
  EXPECT_EQ(cluster_.Names(), std::vector<std::string>{"theirs"});
}

TEST_F(MembershipListTest, AnotherFormatIsRefused) {
  ASSERT_TRUE(store_
                  .Apply("cluster", ObjectWrite()
                                        .SetAttribute("format", "orrery cluster, format 9")
                                        .SetAttribute("id", "x"))
                  .has_value());
  EXPECT_EQ(MembershipList::Open(store_, "one").error().code(), Code::kUnsupported);
}

TEST_F(MembershipListTest, TheSecretIsDrawnOnceAndTheSameForAll) {
  const std::string one(kClusterSecretDigits, '1');
  const std::string two(kClusterSecretDigits, '2');
  MembershipList first = *MembershipList::Open(store_, "one");
  EXPECT_EQ(*first.Secret(one), one);
  EXPECT_EQ(*first.Secret(two), one);
  MemoryStore other_store(cluster_);
  MembershipList other = *MembershipList::Open(other_store, "two");
  EXPECT_EQ(*other.Secret(two), one);
}

TEST_F(MembershipListTest, ClustersOfFormerVersionsGetASecret) {
  MembershipList membership_list = *MembershipList::Open(store_, "one");
  ASSERT_TRUE(membership_list.TakeNumber().has_value());
  ASSERT_TRUE(membership_list.Enter(Descriptor(NodeId(1))).has_value());
  const std::string fresh(kClusterSecretDigits, 'a');
  EXPECT_EQ(*membership_list.Secret(fresh), fresh);
  // It is in nobody's way.
  EXPECT_EQ(*membership_list.TakeNumber(), NodeId(2));
  EXPECT_EQ(membership_list.Members()->size(), 1u);
  EXPECT_EQ(*membership_list.Secret(std::string(kClusterSecretDigits, 'b')), fresh);
}

TEST_F(MembershipListTest, ADamagedSecretIsNotReplaced) {
  MembershipList membership_list = *MembershipList::Open(store_, "one");
  for (const std::string& damaged : {std::string("1234"), std::string(kClusterSecretDigits, 'X')}) {
    ASSERT_TRUE(store_.Apply("cluster", ObjectWrite().SetEntry("secret", damaged)).has_value());
    const auto secret = membership_list.Secret(std::string(kClusterSecretDigits, '1'));
    ASSERT_FALSE(secret.has_value());
    EXPECT_EQ(secret.error().code(), Code::kCorruption);
    EXPECT_NE(secret.error().message().find("rmomapkey cluster secret"), std::string::npos);
  }
}

TEST(NodeDescriptorTest, NodesHaveAKeyInCommonByTheirMarks) {
  const std::string a = "aaaaaaaa", b = "bbbbbbbb", c = "cccccccc";
  EXPECT_TRUE(HaveKeyInCommon(a, a));
  EXPECT_TRUE(HaveKeyInCommon(a + b, b + c)) << "in the middle of a change of keys";
  EXPECT_FALSE(HaveKeyInCommon(a, b + c));
  EXPECT_FALSE(HaveKeyInCommon(a + "bbbb", "aaaabbbb")) << "marks are compared whole";
  EXPECT_TRUE(HaveKeyInCommon("", a)) << "a former version tells none";
  EXPECT_TRUE(HaveKeyInCommon(a, ""));
}

TEST_F(MembershipListTest, NumbersAreNeverGivenTwice) {
  MembershipList membership_list = *MembershipList::Open(store_, "one");
  MemoryStore other_store(cluster_);
  MembershipList other = *MembershipList::Open(other_store, "one");
  EXPECT_EQ(*membership_list.TakeNumber(), NodeId(1));
  EXPECT_EQ(*other.TakeNumber(), NodeId(2));
  ASSERT_TRUE(membership_list.Enter(Descriptor(NodeId(2))).has_value());
  EXPECT_EQ(*membership_list.TakeNumber(), NodeId(3));
}

TEST_F(MembershipListTest, NodesComeAndGo) {
  MembershipList membership_list = *MembershipList::Open(store_, "one");
  EXPECT_TRUE(membership_list.Members()->empty());
  for (uint64_t i = 1; i <= 1'100; ++i)
    ASSERT_TRUE(membership_list.Enter(Descriptor(NodeId(i))).has_value());
  ASSERT_TRUE(membership_list.Leave(NodeId(2)).has_value());
  ASSERT_TRUE(membership_list.Leave(NodeId(2)).has_value());
  const auto members = *membership_list.Members();
  ASSERT_EQ(members.size(), 1'099u);
  EXPECT_EQ(members[0], Descriptor(NodeId(1)));
  EXPECT_EQ(members[1], Descriptor(NodeId(3)));
}

TEST_F(MembershipListTest, OfADamagedDescriptorTheNumberIsKnown) {
  MembershipList membership_list = *MembershipList::Open(store_, "one");
  ASSERT_TRUE(membership_list.Enter(Descriptor(NodeId(1))).has_value());
  ASSERT_TRUE(
      store_.Apply("cluster", ObjectWrite().SetEntry("node/0000000000000001", "?")).has_value());
  ASSERT_TRUE(membership_list.Enter(Descriptor(NodeId(2))).has_value());
  EXPECT_EQ(*membership_list.Members(),
            (std::vector<NodeDescriptor>{{.id = NodeId(1)}, Descriptor(NodeId(2))}));
}

TEST_F(MembershipListTest, AnEntryOfNobodyIsSaidSo) {
  MembershipList membership_list = *MembershipList::Open(store_, "one");
  ASSERT_TRUE(store_.Apply("cluster", ObjectWrite().SetEntry("node/zz", "?")).has_value());
  EXPECT_EQ(membership_list.Members().error().code(), Code::kCorruption);
  EXPECT_NE(membership_list.Members().error().message().find("rmomapkey cluster node/zz"),
            std::string::npos);
}

TEST_F(MembershipListTest, ALostNumberIsNotGivenAgain) {
  MembershipList membership_list = *MembershipList::Open(store_, "one");
  ASSERT_EQ(*membership_list.TakeNumber(), NodeId(1));
  ASSERT_TRUE(store_.Apply("cluster", ObjectWrite().SetEntry("last_node", "many")).has_value());
  EXPECT_EQ(membership_list.TakeNumber().error().code(), Code::kCorruption);
  ASSERT_TRUE(membership_list.Enter(Descriptor(NodeId(1))).has_value());
  ASSERT_TRUE(store_.Apply("cluster", ObjectWrite().RemoveEntry("last_node")).has_value());
  EXPECT_EQ(membership_list.TakeNumber().error().code(), Code::kCorruption);
}

TEST_F(MembershipListTest, AClusterWithoutItsNameIsNotMadeAnew) {
  ASSERT_TRUE(store_.Apply("manager", ObjectWrite().Create()).has_value());
  EXPECT_EQ(MembershipList::Open(store_, "one").error().code(), Code::kCorruption);
  EXPECT_EQ(cluster_.Names(), std::vector<std::string>{"manager"});
}

TEST_F(MembershipListTest, ThatThereWasASystemStoreIsNotForgotten) {
  MembershipList membership_list = *MembershipList::Open(store_, "one");
  EXPECT_FALSE(membership_list.system_made());
  ASSERT_TRUE(membership_list.NoteSystemMade().has_value());
  EXPECT_TRUE(MembershipList::Open(store_, "two")->system_made());
}

TEST_F(MembershipListTest, ALastNumberThatIsNoneIsNotTakenForNothing) {
  MembershipList membership_list = *MembershipList::Open(store_, "cluster id");
  for (const char* last : {"18446744073709551615", "99999999999999999999", "x", "7x"}) {
    ASSERT_TRUE(store_.Apply("cluster", ObjectWrite().SetEntry("last_node", last)).has_value());
    const auto number = membership_list.TakeNumber();
    ASSERT_FALSE(number.has_value()) << last;
    EXPECT_EQ(number.error().code(), Code::kCorruption) << last;
  }
}

TEST(NodeDescriptorTest, EveryTruncationIsRefused) {
  const std::string bytes = EncodeNodeDescriptor({.id = NodeId(300),
                                                  .host_id = "h",
                                                  .peer_address = "a",
                                                  .client_address = "b",
                                                  .software = "1",
                                                  .store_address = "s"});
  ASSERT_TRUE(DecodeNodeDescriptor(bytes).has_value());
  for (size_t n = 0; n < bytes.size(); ++n)
    EXPECT_FALSE(DecodeNodeDescriptor(bytes.substr(0, n)).has_value()) << n;
  EXPECT_FALSE(DecodeNodeDescriptor(bytes + "x").has_value());
  // As nodes before Direct mode wrote it.
  std::string former = bytes.substr(0, bytes.size() - sizeof(uint16_t) - 1);
  former[0] = 1;
  const auto read = DecodeNodeDescriptor(former);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->id, NodeId(300));
  EXPECT_EQ(read->sql_direct_port, 0);
  // As nodes before marks of keys wrote it.
  former = bytes.substr(0, bytes.size() - 1);
  former[0] = 2;
  const auto later = DecodeNodeDescriptor(former);
  ASSERT_TRUE(later.has_value());
  EXPECT_EQ(later->key_marks, "");
}

}  // namespace
}  // namespace orrery::cluster
