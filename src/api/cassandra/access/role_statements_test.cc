#include <gtest/gtest.h>

#include "api/cassandra/access/access_fixture_for_test.h"

namespace orrery::cassandra {
namespace {

using ast::Permission;

class RoleStatementsTest : public AccessTest {
 protected:
  void SetUp() override {
    Do("CREATE ROLE admin WITH SUPERUSER = true AND LOGIN = true");
    Do("CREATE ROLE bob WITH LOGIN = true");
  }
  static constexpr std::string_view kNoPrivilege =
      "User bob does not have sufficient privileges to perform the requested operation";
};

TEST_F(RoleStatementsTest, NamesAreTaken) {
  EXPECT_EQ(Error("CREATE ROLE bob"), "bob already exists");
  Do("CREATE ROLE IF NOT EXISTS bob");
  EXPECT_EQ(Error("CREATE ROLE localhost"), "localhost already exists");
  EXPECT_EQ(Error("CREATE ROLE ''"), "Role name can't be an empty string");
  EXPECT_EQ(Error("ALTER ROLE eve WITH LOGIN = true"), "Role eve doesn't exist");
  Do("ALTER ROLE IF EXISTS eve WITH LOGIN = true");
  EXPECT_EQ(Error("ALTER ROLE bob"), "ALTER [ROLE|USER] can't be empty");
  EXPECT_EQ(Error("DROP ROLE eve"), "eve doesn't exist");
  Do("DROP ROLE IF EXISTS eve");
  EXPECT_EQ(Error("CREATE ROLE x WITH OPTIONS = {'a': 'b'}"),
            "org.apache.cassandra.auth.CassandraRoleManager doesn't support OPTIONS");
}

TEST_F(RoleStatementsTest, OnlyThoseWhoMay) {
  EXPECT_EQ(Error("CREATE ROLE x", As("bob")), kNoPrivilege);
  EXPECT_EQ(Error("ALTER ROLE admin WITH LOGIN = false", As("bob")), kNoPrivilege);
  EXPECT_EQ(Error("DROP ROLE admin", As("bob")), kNoPrivilege);
  Do("GRANT CREATE ON ALL ROLES TO bob");
  Do("CREATE ROLE x", As("bob"));
  EXPECT_EQ(Error("CREATE ROLE y WITH SUPERUSER = true", As("bob")),
            "Only superusers can create a role with superuser status");
  // The creator of a role may do anything with it.
  Do("ALTER ROLE x WITH LOGIN = true", As("bob"));
  Do("DROP ROLE x", As("bob"));
}

TEST_F(RoleStatementsTest, SuperuserStatus) {
  EXPECT_EQ(Error("ALTER ROLE admin WITH SUPERUSER = false", As("bob")),
            "Only superusers are allowed to alter superuser status");
  EXPECT_EQ(
      Error("ALTER ROLE admin WITH SUPERUSER = false", As("admin")),
      "You aren't allowed to alter your own superuser status or that of a role granted to you");
  Do("GRANT DROP ON ALL ROLES TO bob");
  EXPECT_EQ(Error("DROP ROLE admin", As("bob")),
            "Only superusers can drop a role with superuser status");
  EXPECT_EQ(Error("DROP ROLE admin", As("admin")), "Cannot DROP primary role for current login");
  Do("ALTER ROLE admin WITH SUPERUSER = false");
  EXPECT_FALSE(May(As("admin"), Permission::kSelect, Resource::Table("ks", "t")));
}

TEST_F(RoleStatementsTest, EverybodyMayChangeTheirPassword) {
  Do("ALTER ROLE bob WITH PASSWORD = 'mine'", As("bob"));
  EXPECT_TRUE(access_->Login("bob", "mine").has_value());
  EXPECT_EQ(Error("ALTER ROLE bob WITH LOGIN = false", As("bob")),
            "You aren't allowed to alter LOGIN");
}

TEST_F(RoleStatementsTest, Membership) {
  Do("CREATE ROLE group");
  Do("CREATE ROLE inner");
  Do("GRANT group TO inner");
  Do("GRANT inner TO bob");
  EXPECT_EQ(Error("GRANT group TO bob"), "bob is a member of group");
  EXPECT_EQ(Error("GRANT bob TO group"), "bob is a member of group");
  EXPECT_EQ(Error("GRANT bob TO bob"), "bob is a member of bob");
  EXPECT_EQ(Error("GRANT eve TO bob"), "eve doesn't exist");
  EXPECT_EQ(Error("GRANT bob TO eve"), "eve doesn't exist");
  EXPECT_EQ(Error("REVOKE group FROM bob"), "bob is not a member of group");
  EXPECT_EQ(Error("GRANT admin TO bob", As("bob")), kNoPrivilege);
  Do("REVOKE inner FROM bob");
  Do("GRANT bob TO group");
}

TEST_F(RoleStatementsTest, AMemberOfASuperuserIsOne) {
  Do("GRANT admin TO bob");
  EXPECT_TRUE(May(As("bob"), Permission::kModify, Resource::Table("ks", "t")));
  Do("DROP ROLE admin");
  EXPECT_FALSE(May(As("bob"), Permission::kModify, Resource::Table("ks", "t")));
}

TEST_F(RoleStatementsTest, AllIsThereAfterARestart) {
  Do("GRANT SELECT ON ks.t TO bob");
  Restart({});
  EXPECT_EQ(Names("LIST ROLES"), (std::vector<std::string>{"admin", "bob"}));
  EXPECT_TRUE(May(As("bob"), Permission::kSelect, Resource::Table("ks", "t")));
}

TEST_F(RoleStatementsTest, ADatabaseOfOthersIsLeftAlone) {
  Restart({});
  ASSERT_TRUE(server_.catalog->UpdateDatabase("system_auth", gateway::Json("{}")).has_value());
  EXPECT_EQ(Error("CREATE ROLE x"),
            "database 'system_auth', where roles are kept, is used for something else");
  EXPECT_EQ(Names("LIST ROLES"), (std::vector<std::string>{"admin", "bob"}));
}

TEST_F(RoleStatementsTest, DamagedRolesLetNobodyIn) {
  ASSERT_TRUE(
      server_.catalog
          ->UpdateDatabase("system_auth",
                           gateway::Json(R"({"api":"cassandra-roles","version":1,"roles":[{}]})"))
          .has_value());
  const auto opened =
      RoleAccess::Open(*server_.catalog, *schema_, server_.accounts, server_.clock, {});
  ASSERT_FALSE(opened.has_value());
  EXPECT_EQ(opened.error().code(), Code::kCorruption);
}

}  // namespace
}  // namespace orrery::cassandra
