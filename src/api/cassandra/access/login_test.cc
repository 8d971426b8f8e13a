#include <gtest/gtest.h>

#include "api/cassandra/access/access_fixture_for_test.h"
#include "api/cassandra/access/default_role.h"

namespace orrery::cassandra {
namespace {

class LoginTest : public AccessTest {
 protected:
  std::string LoginError(std::string_view user, std::string_view password) {
    const auto client = access_->Login(user, password);
    if (client.has_value()) return "";
    EXPECT_EQ(client.error().code, ErrorCode::kBadCredentials);
    return client.error().message;
  }
};

TEST_F(LoginTest, TheAccountComesWithItsKey) {
  const auto client = access_->Login(gateway::kWellKnownAccount, gateway::kWellKnownKey);
  ASSERT_TRUE(client.has_value());
  EXPECT_EQ(client->role, gateway::kWellKnownAccount);
  EXPECT_TRUE(client->superuser);
  EXPECT_FALSE(client->read_only);
  EXPECT_EQ(LoginError(gateway::kWellKnownAccount, "x"),
            "Provided username localhost and/or password are incorrect");
}

TEST_F(LoginTest, AReadOnlyKeyMayRead) {
  gateway::AccountKeys keys;
  keys.primary_read_only = *gateway::Accounts::NewKey();
  const auto accounts = *gateway::Accounts::Create(keys);
  const auto access = *RoleAccess::Open(*server_.catalog, *schema_, accounts, server_.clock, {});
  const auto client = access->Login(accounts.name(), keys.primary_read_only);
  ASSERT_TRUE(client.has_value());
  EXPECT_FALSE(client->superuser);
  EXPECT_TRUE(client->read_only);
  const Resource table = Resource::Table("ks", "t");
  EXPECT_TRUE(access->Require(*client, ast::Permission::kSelect, table).has_value());
  EXPECT_EQ(access->Require(*client, ast::Permission::kModify, table).error().message,
            "User localhost has no MODIFY permission on <table ks.t> or any of its parents");
}

TEST_F(LoginTest, ARoleNeedsLoginAndItsPassword) {
  Do("CREATE ROLE bob WITH PASSWORD = 'x' AND LOGIN = true");
  Do("CREATE ROLE group WITH PASSWORD = 'x'");
  Do("CREATE ROLE silent WITH LOGIN = true");
  const auto client = access_->Login("bob", "x");
  ASSERT_TRUE(client.has_value());
  EXPECT_EQ(client->role, "bob");
  EXPECT_FALSE(client->superuser);
  EXPECT_EQ(LoginError("bob", "y"), "Provided username bob and/or password are incorrect");
  EXPECT_EQ(LoginError("eve", "x"), "Provided username eve and/or password are incorrect");
  EXPECT_EQ(LoginError("silent", ""), "Provided username silent and/or password are incorrect");
  EXPECT_EQ(LoginError("group", "x"), "group is not permitted to log in");
}

TEST_F(LoginTest, ASessionEndsWithItsRole) {
  Do("CREATE ROLE bob WITH PASSWORD = 'x' AND LOGIN = true");
  Do("GRANT SELECT ON ALL KEYSPACES TO bob");
  const auto client = access_->Login("bob", "x");
  ASSERT_TRUE(client.has_value());
  const Resource table = Resource::Table("ks", "t");
  EXPECT_TRUE(access_->Require(*client, ast::Permission::kSelect, table).has_value());
  Do("ALTER ROLE bob WITH PASSWORD = 'y'");
  EXPECT_TRUE(access_->Require(*client, ast::Permission::kSelect, table).has_value());
  Do("DROP ROLE bob");
  EXPECT_FALSE(access_->Require(*client, ast::Permission::kSelect, table).has_value());
  Do("CREATE ROLE bob WITH PASSWORD = 'z' AND LOGIN = true AND SUPERUSER = true");
  EXPECT_EQ(access_->Require(*client, ast::Permission::kSelect, table).error().code,
            ErrorCode::kUnauthorized);
  const auto later = access_->Login("bob", "z");
  ASSERT_TRUE(later.has_value());
  EXPECT_TRUE(access_->Require(*later, ast::Permission::kSelect, table).has_value());
}

TEST_F(LoginTest, RolesAreThoseOfEveryNode) {
  // Nodes have the catalog in common, and nothing else.
  const auto other = *RoleAccess::Open(*server_.catalog, *schema_, server_.accounts, server_.clock,
                                       {.password_rounds = kPasswordRoundsMin});
  const auto run_there = [&](std::string_view text) {
    return other->Run(ParseStatement(text)->statement, Anyone()).has_value();
  };
  Do("CREATE USER bob WITH PASSWORD 'x'");
  EXPECT_TRUE(other->Login("bob", "x").has_value());
  EXPECT_TRUE(run_there("CREATE USER eve WITH PASSWORD 'x'"));
  EXPECT_EQ(LoginError("bob", "x"), "") << "a change of another node leaves those of this one";
  EXPECT_EQ(LoginError("eve", "x"), "");
  EXPECT_TRUE(run_there("DROP USER bob"));
  EXPECT_NE(LoginError("bob", "x"), "");
  EXPECT_TRUE(run_there("ALTER USER eve WITH PASSWORD 'y'"));
  EXPECT_NE(LoginError("eve", "x"), "");
  EXPECT_EQ(LoginError("eve", "y"), "");
}

TEST_F(LoginTest, AChangedPasswordIsAskedForAtOnce) {
  Do("CREATE USER bob WITH PASSWORD 'old'");
  EXPECT_EQ(LoginError("bob", "old"), "");
  Do("ALTER USER bob WITH PASSWORD 'new'");
  EXPECT_NE(LoginError("bob", "old"), "");
  EXPECT_EQ(LoginError("bob", "new"), "");
}

TEST_F(LoginTest, AHashThatCassandraMade) {
  Do("CREATE ROLE bob WITH LOGIN = true AND HASHED PASSWORD = "
     "'$2a$06$m0CrhHm10qJ3lXRY.5zDGO3rS2KdeeWLuGmsfGlMfOxih58VYVfxe'");
  EXPECT_EQ(LoginError("bob", "a"), "");
  EXPECT_EQ(Error("CREATE ROLE eve WITH HASHED PASSWORD = 'secret'"),
            "Invalid hashed password value. Please use jBcrypt.");
}

TEST_F(LoginTest, TheDefaultRoleIsForThisMachineOnly) {
  EXPECT_NE(LoginError(kDefaultRole, kDefaultPassword), "");
  Restart({.is_local = true});
  const auto client = access_->Login(kDefaultRole, kDefaultPassword);
  ASSERT_TRUE(client.has_value());
  EXPECT_TRUE(client->superuser);
  // Stored by the first change, it still does not let others in.
  Do("CREATE ROLE bob");
  Restart({.is_local = false});
  EXPECT_EQ(Names("LIST ROLES"), (std::vector<std::string>{"bob", "cassandra"}));
  EXPECT_NE(LoginError(kDefaultRole, kDefaultPassword), "");
  Do("ALTER ROLE cassandra WITH PASSWORD = 'better'");
  EXPECT_EQ(LoginError(kDefaultRole, "better"), "");
}

TEST_F(LoginTest, ADroppedDefaultRoleStaysDropped) {
  Restart({.is_local = true});
  Do("DROP ROLE cassandra");
  Restart({.is_local = true});
  EXPECT_NE(LoginError(kDefaultRole, kDefaultPassword), "");
}

TEST_F(LoginTest, RolesMayBeRestrictedToDatacenters) {
  Do("CREATE ROLE bob WITH PASSWORD = 'x' AND LOGIN = true AND ACCESS TO DATACENTERS "
     "{'datacenter1'}");
  EXPECT_EQ(LoginError("bob", "x"), "");
  Restart({.is_local = false, .datacenter = "elsewhere"});
  const auto client = access_->Login("bob", "x");
  ASSERT_FALSE(client.has_value());
  EXPECT_EQ(client.error().message, "You do not have access to this datacenter (elsewhere)");
  EXPECT_EQ(Error("ALTER ROLE bob WITH ACCESS TO DATACENTERS {'mars'}"),
            "Invalid value(s) for DATACENTERS '[mars]',All values must be valid datacenters");
  Do("ALTER ROLE bob WITH ACCESS TO ALL DATACENTERS");
  EXPECT_EQ(LoginError("bob", "x"), "");
}

}  // namespace
}  // namespace orrery::cassandra
