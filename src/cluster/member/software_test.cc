#include "cluster/member/software.h"

#include <gtest/gtest.h>

#include <vector>

#include "cluster/cluster_testing.h"

namespace orrery::cluster {
namespace {

TEST(SoftwareTest, OnlyTheLastNumberMayDiffer) {
  EXPECT_TRUE(CanRunTogether("1.2.3", "1.2.3"));
  EXPECT_TRUE(CanRunTogether("1.2.3", "1.2.14"));
  EXPECT_TRUE(CanRunTogether("1.2.3", "1.2"));
  EXPECT_FALSE(CanRunTogether("1.2.3", "1.3.3"));
  EXPECT_FALSE(CanRunTogether("1.2.3", "2.2.3"));
  EXPECT_FALSE(CanRunTogether("1.2.3", ""));
}

TEST(SoftwareTest, TheMessageSaysWhoIsInTheWay) {
  std::vector<NodeDescriptor> living = {{.id = NodeId(6), .software = "1.2.9"}};
  EXPECT_TRUE(CheckSoftware("1.2.3", living).has_value());
  living.push_back(
      {.id = NodeId(7), .peer_address = "10.0.0.7", .peer_port = 7077, .software = "1.1.0"});
  const Status checked = CheckSoftware("1.2.3", living);
  ASSERT_FALSE(checked.has_value());
  EXPECT_EQ(checked.error().code(), Code::kPreconditionFailed);
  EXPECT_NE(checked.error().message().find("node 7 of the cluster (10.0.0.7:7077) runs 1.1.0"),
            std::string::npos);
}

TEST_F(ClusterTest, NodesThatAreGoneAreNotInTheWay) {
  TestNode& first = Add();
  ASSERT_TRUE(first.membership->Enter({.peer_address = "test", .software = "1.1.0"}).has_value());
  TestNode& second = Add();
  EXPECT_EQ(second.membership->CheckSoftware("1.2.0").error().code(), Code::kPreconditionFailed);
  EXPECT_TRUE(second.membership->CheckSoftware("1.1.7").has_value());
  Crash(0);
  PassLeaseTimeFor({&second});
  EXPECT_TRUE(second.membership->CheckSoftware("1.2.0").has_value());
}

}  // namespace
}  // namespace orrery::cluster
