#include "cluster/member/roster.h"

#include <gtest/gtest.h>

#include "base/clock.h"
#include "storage/rados/object/memory_store.h"

namespace orrery::cluster {
namespace {

using storage::rados::MemoryCluster;
using storage::rados::MemoryStore;
using storage::rados::ObjectWrite;

class RosterTest : public testing::Test {
 protected:
  static NodeCard Card(NodeId id) {
    return {.id = id,
            .host_id = std::string(16, 'h'),
            .peer_address = "127.0.0.2",
            .peer_port = 7'000,
            .client_address = "127.0.0.3",
            .sql_port = 8'081,
            .cassandra_port = 9'042,
            .software = "0.1.0",
            .store_address = "10.0.0.1:0/12"};
  }
  ManualClock clock_;
  MemoryCluster cluster_{clock_};
  MemoryStore store_{cluster_};
};

TEST_F(RosterTest, TheFirstMakesTheClusterAndOthersFindIt) {
  EXPECT_EQ(Roster::Open(store_, "one")->cluster_id(), "one");
  EXPECT_EQ(Roster::Open(store_, "two")->cluster_id(), "one");
}

TEST_F(RosterTest, StrangersDataIsNotTouched) {
  ASSERT_TRUE(store_.Apply("theirs", ObjectWrite().Write(0, "x")).has_value());
  const auto roster = Roster::Open(store_, "one");
  ASSERT_FALSE(roster.has_value());
  EXPECT_EQ(roster.error().code(), Code::kInvalidArgument);
  EXPECT_NE(roster.error().message().find("--rados-namespace"), std::string::npos);
  EXPECT_EQ(cluster_.Names(), std::vector<std::string>{"theirs"});
}

TEST_F(RosterTest, AnotherFormatIsRefused) {
  ASSERT_TRUE(store_
                  .Apply("cluster", ObjectWrite()
                                        .SetAttribute("format", "orrery cluster, format 9")
                                        .SetAttribute("id", "x"))
                  .has_value());
  EXPECT_EQ(Roster::Open(store_, "one").error().code(), Code::kUnsupported);
}

TEST_F(RosterTest, NumbersAreNeverGivenTwice) {
  Roster roster = *Roster::Open(store_, "one");
  MemoryStore other_store(cluster_);
  Roster other = *Roster::Open(other_store, "one");
  EXPECT_EQ(*roster.TakeNumber(), NodeId(1));
  EXPECT_EQ(*other.TakeNumber(), NodeId(2));
  ASSERT_TRUE(roster.Enter(Card(NodeId(2))).has_value());
  EXPECT_EQ(*roster.TakeNumber(), NodeId(3));
}

TEST_F(RosterTest, NodesComeAndGo) {
  Roster roster = *Roster::Open(store_, "one");
  EXPECT_TRUE(roster.Members()->empty());
  for (uint64_t i = 1; i <= 1'100; ++i) ASSERT_TRUE(roster.Enter(Card(NodeId(i))).has_value());
  ASSERT_TRUE(roster.Leave(NodeId(2)).has_value());
  ASSERT_TRUE(roster.Leave(NodeId(2)).has_value());
  const auto members = *roster.Members();
  ASSERT_EQ(members.size(), 1'099u);
  EXPECT_EQ(members[0], Card(NodeId(1)));
  EXPECT_EQ(members[1], Card(NodeId(3)));
}

TEST_F(RosterTest, OfADamagedCardTheNumberIsKnown) {
  Roster roster = *Roster::Open(store_, "one");
  ASSERT_TRUE(roster.Enter(Card(NodeId(1))).has_value());
  ASSERT_TRUE(
      store_.Apply("cluster", ObjectWrite().SetEntry("node/0000000000000001", "?")).has_value());
  ASSERT_TRUE(roster.Enter(Card(NodeId(2))).has_value());
  EXPECT_EQ(*roster.Members(), (std::vector<NodeCard>{{.id = NodeId(1)}, Card(NodeId(2))}));
}

TEST_F(RosterTest, AnEntryOfNobodyIsSaidSo) {
  Roster roster = *Roster::Open(store_, "one");
  ASSERT_TRUE(store_.Apply("cluster", ObjectWrite().SetEntry("node/zz", "?")).has_value());
  EXPECT_EQ(roster.Members().error().code(), Code::kCorruption);
  EXPECT_NE(roster.Members().error().message().find("rmomapkey cluster node/zz"),
            std::string::npos);
}

TEST_F(RosterTest, ALostNumberIsNotGivenAgain) {
  Roster roster = *Roster::Open(store_, "one");
  ASSERT_EQ(*roster.TakeNumber(), NodeId(1));
  ASSERT_TRUE(store_.Apply("cluster", ObjectWrite().SetEntry("last_node", "many")).has_value());
  EXPECT_EQ(roster.TakeNumber().error().code(), Code::kCorruption);
  ASSERT_TRUE(roster.Enter(Card(NodeId(1))).has_value());
  ASSERT_TRUE(store_.Apply("cluster", ObjectWrite().RemoveEntry("last_node")).has_value());
  EXPECT_EQ(roster.TakeNumber().error().code(), Code::kCorruption);
}

TEST_F(RosterTest, AClusterWithoutItsNameIsNotMadeAnew) {
  ASSERT_TRUE(store_.Apply("manager", ObjectWrite().Create()).has_value());
  EXPECT_EQ(Roster::Open(store_, "one").error().code(), Code::kCorruption);
  EXPECT_EQ(cluster_.Names(), std::vector<std::string>{"manager"});
}

TEST_F(RosterTest, ThatThereWasASystemStoreIsNotForgotten) {
  Roster roster = *Roster::Open(store_, "one");
  EXPECT_FALSE(roster.system_made());
  ASSERT_TRUE(roster.NoteSystemMade().has_value());
  EXPECT_TRUE(Roster::Open(store_, "two")->system_made());
}

TEST_F(RosterTest, ALastNumberThatIsNoneIsNotTakenForNothing) {
  Roster roster = *Roster::Open(store_, "cluster id");
  for (const char* last : {"18446744073709551615", "99999999999999999999", "x", "7x"}) {
    ASSERT_TRUE(store_.Apply("cluster", ObjectWrite().SetEntry("last_node", last)).has_value());
    const auto number = roster.TakeNumber();
    ASSERT_FALSE(number.has_value()) << last;
    EXPECT_EQ(number.error().code(), Code::kCorruption) << last;
  }
}

TEST(NodeCardTest, EveryTruncationIsRefused) {
  const std::string bytes = EncodeNodeCard({.id = NodeId(300),
                                            .host_id = "h",
                                            .peer_address = "a",
                                            .client_address = "b",
                                            .software = "1",
                                            .store_address = "s"});
  ASSERT_TRUE(DecodeNodeCard(bytes).has_value());
  for (size_t n = 0; n < bytes.size(); ++n)
    EXPECT_FALSE(DecodeNodeCard(bytes.substr(0, n)).has_value()) << n;
  EXPECT_FALSE(DecodeNodeCard(bytes + "x").has_value());
}

}  // namespace
}  // namespace orrery::cluster
