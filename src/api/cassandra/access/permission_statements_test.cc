#include <gtest/gtest.h>

#include "api/cassandra/access/access_fixture_for_test.h"
#include "api/cassandra/access/resource_tree.h"

namespace orrery::cassandra {
namespace {

using ast::Permission;

class PermissionStatementsTest : public AccessTest {
 protected:
  void SetUp() override {
    Do("CREATE ROLE bob WITH LOGIN = true");
    Do("CREATE ROLE reader");
  }
  std::vector<std::string> Warnings(std::string_view text) {
    const auto outcome = Run(text);
    EXPECT_TRUE(outcome.has_value()) << text;
    return outcome.has_value() ? outcome->warnings : std::vector<std::string>{};
  }

  const Resource table_ = Resource::Table("ks", "t");
};

TEST_F(PermissionStatementsTest, APermissionHoldsForWhatIsBelow) {
  EXPECT_EQ(Refusal(As("bob"), Permission::kSelect, table_),
            "User bob has no SELECT permission on <table ks.t> or any of its parents");
  for (const std::string_view on :
       {"TABLE ks.t", "t", "ALL TABLES IN KEYSPACE ks", "KEYSPACE ks", "ALL KEYSPACES"}) {
    const std::string resource(on);
    Client who = Anyone();
    who.keyspace = "ks";
    Do("GRANT SELECT ON " + resource + " TO bob", who);
    EXPECT_TRUE(May(As("bob"), Permission::kSelect, table_)) << on;
    EXPECT_FALSE(May(As("bob"), Permission::kModify, table_)) << on;
    Do("REVOKE SELECT ON " + resource + " FROM bob", who);
    EXPECT_FALSE(May(As("bob"), Permission::kSelect, table_)) << on;
  }
}

TEST_F(PermissionStatementsTest, SystemTablesThatShowOtherClients) {
  for (const Resource& open :
       {Resource::Table("system", "local"), Resource::Table("system_schema", "tables"),
        Resource::Table("system_virtual_schema", "tables")})
    EXPECT_TRUE(May(As("bob"), Permission::kSelect, open)) << ResourceText(open);
  for (const Resource& closed :
       {Resource::Table("system_traces", "sessions"), Resource::Table("system_views", "clients")}) {
    EXPECT_FALSE(May(As("bob"), Permission::kSelect, closed)) << ResourceText(closed);
    EXPECT_TRUE(May(Anyone(), Permission::kSelect, closed)) << ResourceText(closed);
  }
}

TEST_F(PermissionStatementsTest, AndForMembers) {
  Do("GRANT MODIFY ON KEYSPACE ks TO reader");
  Do("GRANT reader TO bob");
  EXPECT_TRUE(May(As("bob"), Permission::kModify, table_));
  Do("REVOKE reader FROM bob");
  EXPECT_FALSE(May(As("bob"), Permission::kModify, table_));
}

TEST_F(PermissionStatementsTest, EachResourceHasItsOwn) {
  const auto refused = Run("GRANT EXECUTE ON ks.t TO bob");
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, ErrorCode::kSyntaxError);
  EXPECT_EQ(refused.error().message,
            "Resource type DataResource does not support any of the requested permissions");
  Do("GRANT EXECUTE ON FUNCTION ks.f(int) TO bob");
  EXPECT_TRUE(May(As("bob"), Permission::kExecute, Resource::Function("ks", "f", {"int"})));
  EXPECT_EQ(Refusal(As("bob"), Permission::kExecute, Resource::Function("ks", "f", {"text"})),
            "User bob has no EXECUTE permission on <function ks.f(text)> or any of its parents");
  Do("GRANT ALL ON ALL FUNCTIONS IN KEYSPACE ks TO bob");
  EXPECT_TRUE(May(As("bob"), Permission::kCreate, Resource::Functions("ks")));
  EXPECT_EQ(Error("GRANT SELECT ON ROLE reader TO bob"),
            "Resource type RoleResource does not support any of the requested permissions");
  Do("GRANT DESCRIBE ON MBEAN 'a:b=c' TO bob");
}

TEST_F(PermissionStatementsTest, WhatIsNotThere) {
  EXPECT_EQ(Error("GRANT SELECT ON ks.x TO bob"), "Resource <table ks.x> doesn't exist");
  EXPECT_EQ(Error("GRANT SELECT ON KEYSPACE x TO bob"), "Resource <keyspace x> doesn't exist");
  EXPECT_EQ(Error("GRANT EXECUTE ON FUNCTION ks.f(text) TO bob"),
            "Resource <function ks.f(text)> doesn't exist");
  EXPECT_EQ(Error("GRANT SELECT ON ks.t TO eve"), "Role eve doesn't exist");
  EXPECT_EQ(Error("GRANT EXECUTE ON FUNCTION f(int) TO bob"),
            "In this context function name must be explictly qualified by a keyspace");
  EXPECT_NE(Error("GRANT SELECT ON t TO bob"), "");
}

TEST_F(PermissionStatementsTest, WhoGrantsMustHaveIt) {
  EXPECT_EQ(Error("GRANT SELECT ON ks.t TO reader", As("bob")),
            "User bob has no AUTHORIZE permission on <table ks.t> or any of its parents");
  Do("GRANT AUTHORIZE ON KEYSPACE ks TO bob");
  EXPECT_EQ(Error("GRANT SELECT ON ks.t TO reader", As("bob")),
            "User bob has no SELECT permission on <table ks.t> or any of its parents");
  Do("GRANT SELECT ON KEYSPACE ks TO bob");
  Do("GRANT SELECT ON ks.t TO reader", As("bob"));
}

TEST_F(PermissionStatementsTest, RepetitionsAreToldOf) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(Warnings("GRANT SELECT ON ks.t TO bob"), Texts{});
  EXPECT_EQ(Warnings("GRANT SELECT, MODIFY ON ks.t TO bob"),
            Texts{"Role 'bob' was already granted SELECT on <table ks.t>"});
  EXPECT_EQ(Warnings("GRANT ALL ON ks.t TO bob"), Texts{});
  EXPECT_EQ(Warnings("REVOKE SELECT ON ks.t FROM bob"), Texts{});
  EXPECT_EQ(Warnings("REVOKE SELECT ON ks.t FROM bob"),
            Texts{"Role 'bob' was not granted SELECT on <table ks.t>"});
}

TEST_F(PermissionStatementsTest, SystemKeyspaces) {
  EXPECT_TRUE(May(As("bob"), Permission::kSelect, Resource::Table("system", "local")));
  EXPECT_TRUE(May(As("bob"), Permission::kSelect, Resource::Table("system_schema", "tables")));
  EXPECT_EQ(Refusal(As("bob"), Permission::kSelect, Resource::Table("system_auth", "roles")),
            "User bob has no SELECT permission on <table system_auth.roles> or any of its parents");
  EXPECT_EQ(Refusal(Anyone(), Permission::kModify, Resource::Table("system", "local")),
            "system keyspace is not user-modifiable.");
  EXPECT_EQ(Refusal(Anyone(), Permission::kDrop, Resource::Keyspace("system_schema")),
            "system_schema keyspace is not user-modifiable.");
  EXPECT_EQ(Refusal(Anyone(), Permission::kDrop, Resource::Table("system_auth", "roles")),
            "Cannot DROP <table system_auth.roles>");
}

TEST_F(PermissionStatementsTest, WhoMakesSomethingMayUseIt) {
  access_->Created(As("bob"), table_);
  EXPECT_TRUE(May(As("bob"), Permission::kAuthorize, table_));
  access_->Created(Anyone(), table_);
  access_->Dropped(Resource::Keyspace("ks"));
  EXPECT_FALSE(May(As("bob"), Permission::kAuthorize, table_));
}

}  // namespace
}  // namespace orrery::cassandra
