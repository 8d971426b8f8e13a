#include <gtest/gtest.h>

#include "api/cassandra/parser/grammar/parsed.h"

namespace orrery::cassandra {
namespace {

using ast::Permission;

TEST(Access, RoleOptions) {
  const auto create = ParseAs<ast::CreateRole>(
      "CREATE ROLE r WITH PASSWORD = 'p' AND LOGIN = true AND SUPERUSER = FALSE AND OPTIONS = "
      "{'a': 'b'} AND ACCESS TO DATACENTERS {'x', 'y'}");
  EXPECT_EQ(create.options.password, "p");
  EXPECT_EQ(create.options.login, true);
  EXPECT_EQ(create.options.superuser, false);
  EXPECT_EQ(create.options.custom->size(), 1u);
  EXPECT_EQ(create.options.datacenters->size(), 2u);

  const auto everywhere = ParseAs<ast::AlterRole>("ALTER ROLE r WITH ACCESS TO ALL DATACENTERS");
  EXPECT_EQ(everywhere.options.datacenters->size(), 0u);
  EXPECT_FALSE(ParseAs<ast::AlterRole>("ALTER ROLE r").options.datacenters.has_value());
}

TEST(Access, AUserIsARoleThatMayLogIn) {
  const auto create = ParseAs<ast::CreateRole>("CREATE USER u WITH PASSWORD 'p'");
  EXPECT_EQ(create.options.login, true);
  EXPECT_EQ(create.options.superuser, false);
  EXPECT_EQ(create.options.password, "p");
  EXPECT_EQ(ParseAs<ast::CreateRole>("CREATE USER u SUPERUSER").options.superuser, true);
  const auto alter = ParseAs<ast::AlterRole>("ALTER USER u WITH HASHED PASSWORD 'h'");
  EXPECT_FALSE(alter.options.login.has_value());
  EXPECT_FALSE(alter.options.superuser.has_value());
  EXPECT_EQ(alter.options.hashed_password, "h");
  EXPECT_EQ(ParseAs<ast::DropRole>("DROP USER u").role.text, "u");
}

TEST(Access, RolesAreGrantedToRoles) {
  EXPECT_EQ(ParseAs<ast::GrantRole>("GRANT a TO b").grantee.text, "b");
  EXPECT_EQ(ParseAs<ast::GrantRole>("GRANT all TO b").role.text, "all");
  EXPECT_EQ(ParseAs<ast::RevokeRole>("REVOKE a FROM b").revokee.text, "b");
}

TEST(Access, Permissions) {
  const auto grant =
      ParseAs<ast::GrantPermissions>("GRANT SELECT PERMISSION, MODIFY, SELECT ON ks.t TO r");
  EXPECT_EQ(grant.permissions, (std::vector{Permission::kSelect, Permission::kModify}));
  const auto revoke = ParseAs<ast::RevokePermissions>("REVOKE ALL ON t FROM r");
  EXPECT_EQ(revoke.permissions.size(), std::size(ast::kAllPermissions));
  EXPECT_EQ(ast::PermissionName(Permission::kAuthorize), "AUTHORIZE");
}

template <typename Resource>
Resource ResourceOf(std::string_view resource) {
  const auto grant =
      ParseAs<ast::GrantPermissions>("GRANT ALL ON " + std::string(resource) + " TO r");
  if (const auto* found = std::get_if<Resource>(&grant.resource)) return *found;
  ADD_FAILURE() << resource << " is another kind of resource";
  return {};
}

TEST(Access, Resources) {
  ResourceOf<ast::AllKeyspaces>("ALL KEYSPACES");
  EXPECT_EQ(ResourceOf<ast::KeyspaceResource>("KEYSPACE ks").keyspace.text, "ks");
  EXPECT_EQ(ResourceOf<ast::TableResource>("TABLE ks.t").table.keyspace, "ks");
  EXPECT_EQ(ResourceOf<ast::TableResource>("t").table.name.text, "t");
  EXPECT_EQ(ResourceOf<ast::AllTables>("ALL TABLES IN KEYSPACE ks").keyspace.text, "ks");
  ResourceOf<ast::AllRoles>("ALL ROLES");
  EXPECT_EQ(ResourceOf<ast::RoleResource>("ROLE 'X'").role.text, "X");
  EXPECT_FALSE(ResourceOf<ast::AllFunctions>("ALL FUNCTIONS").keyspace.has_value());
  EXPECT_EQ(ResourceOf<ast::AllFunctions>("ALL FUNCTIONS IN KEYSPACE k").keyspace->text, "k");
  EXPECT_EQ(ResourceOf<ast::FunctionResource>("FUNCTION ks.f(int)").argument_types.size(), 1u);
  ResourceOf<ast::AllMbeans>("ALL MBEANS");
  EXPECT_FALSE(ResourceOf<ast::MbeanResource>("MBEAN 'a:b=c'").is_pattern);
  EXPECT_TRUE(ResourceOf<ast::MbeanResource>("MBEANS 'a:*'").is_pattern);
}

TEST(Access, WordsForResourcesMayBeTables) {
  for (const std::string_view name : {"all", "role", "function", "mbean", "mbeans"})
    EXPECT_EQ(ResourceOf<ast::TableResource>(name).table.name.text, name);
}

TEST(Access, Lists) {
  const auto permissions = ParseAs<ast::ListPermissions>("LIST ALL ON ks.t OF r NORECURSIVE");
  EXPECT_TRUE(permissions.resource.has_value());
  EXPECT_EQ(permissions.of->text, "r");
  EXPECT_FALSE(permissions.recursive);
  EXPECT_TRUE(ParseAs<ast::ListPermissions>("LIST SELECT").recursive);
  EXPECT_EQ(ParseAs<ast::ListRoles>("LIST ROLES OF r").of->text, "r");
  ParseAs<ast::ListUsers>("LIST USERS");
}

}  // namespace
}  // namespace orrery::cassandra
