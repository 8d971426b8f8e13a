#include "api/mongo/access/principal.h"

#include <gtest/gtest.h>

namespace orrery::mongo {
namespace {

bool May(std::string role, std::string of, Action action, std::string_view database) {
  const std::vector<RoleGrant> roles = {{std::move(role), std::move(of)}};
  return Allows(roles, action, database);
}

TEST(PrincipalTest, RolesHoldForTheirDatabase) {
  EXPECT_TRUE(May("read", "shop", Action::kRead, "shop"));
  EXPECT_FALSE(May("read", "shop", Action::kRead, "other"));
  EXPECT_FALSE(May("read", "shop", Action::kWrite, "shop"));
  EXPECT_TRUE(May("readWrite", "shop", Action::kWrite, "shop"));
  EXPECT_FALSE(May("readWrite", "shop", Action::kManageUsers, "shop"));
  EXPECT_TRUE(May("dbOwner", "shop", Action::kManageUsers, "shop"));
  EXPECT_FALSE(May("dbOwner", "shop", Action::kMonitor, "admin"));
}

TEST(PrincipalTest, RolesOfAdminHoldEverywhere) {
  EXPECT_TRUE(May("readAnyDatabase", "admin", Action::kRead, "shop"));
  EXPECT_FALSE(May("readAnyDatabase", "shop", Action::kRead, "shop"));
  EXPECT_TRUE(May("root", "admin", Action::kManage, "shop"));
  EXPECT_FALSE(May("root", "shop", Action::kManage, "shop"));
  EXPECT_TRUE(May("clusterMonitor", "admin", Action::kMonitor, "admin"));
}

TEST(PrincipalTest, WhatNeedsNoRole) {
  EXPECT_TRUE(Allows({}, Action::kNothing, "shop"));
  EXPECT_TRUE(Allows({}, Action::kLogIn, "shop"));
  EXPECT_FALSE(Allows({}, Action::kRead, "shop"));
}

TEST(PrincipalTest, BuiltInRolesAreKnown) {
  EXPECT_TRUE(IsBuiltInRole({"read", "shop"}));
  EXPECT_TRUE(IsBuiltInRole({"root", "admin"}));
  EXPECT_FALSE(IsBuiltInRole({"root", "shop"}));
  EXPECT_FALSE(IsBuiltInRole({"readAnyDatabase", "shop"}));
  EXPECT_FALSE(IsBuiltInRole({"nope", "admin"}));
}

}  // namespace
}  // namespace orrery::mongo
