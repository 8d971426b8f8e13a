#include "api/cassandra/access/role_set.h"

#include <gtest/gtest.h>

namespace orrery::cassandra {
namespace {

using ast::Permission;

Role Make(std::string name, std::set<std::string> member_of = {}) {
  Role role;
  role.name = std::move(name);
  role.member_of = std::move(member_of);
  return role;
}

// d is a member of b and c, both of a.
RoleSet Diamond() {
  RoleSet roles;
  roles.Put(Make("a"));
  roles.Put(Make("b", {"a"}));
  roles.Put(Make("c", {"a"}));
  roles.Put(Make("d", {"b", "c"}));
  return roles;
}

std::vector<std::string> NamesOf(const std::vector<const Role*>& roles) {
  std::vector<std::string> names;
  for (const Role* role : roles) names.push_back(role->name);
  return names;
}

TEST(RoleSet, EveryRoleIsFoundOnce) {
  const RoleSet roles = Diamond();
  EXPECT_EQ(NamesOf(roles.RolesOf("d")), (std::vector<std::string>{"d", "b", "c", "a"}));
  EXPECT_EQ(NamesOf(roles.RolesOf("d", false)), (std::vector<std::string>{"d", "b", "c"}));
  EXPECT_TRUE(roles.RolesOf("x").empty());
  EXPECT_TRUE(roles.IsMember("d", "a"));
  EXPECT_FALSE(roles.IsMember("a", "d"));
}

TEST(RoleSet, ACircleEnds) {
  RoleSet roles = Diamond();
  roles.Edit("a").member_of = {"d"};
  EXPECT_EQ(roles.RolesOf("a").size(), 4u);
}

TEST(RoleSet, MembersHaveWhatTheirRolesHave) {
  RoleSet roles = Diamond();
  roles.Edit("b").grants[Resource::Keyspace("ks")] = {Permission::kSelect};
  const Resource table = Resource::Table("ks", "t");
  EXPECT_TRUE(roles.Allows("d", Permission::kSelect, table));
  EXPECT_FALSE(roles.Allows("d", Permission::kModify, table));
  EXPECT_FALSE(roles.Allows("d", Permission::kSelect, Resource::AllKeyspaces()));
  EXPECT_FALSE(roles.Allows("c", Permission::kSelect, table));
  roles.Edit("a").is_superuser = true;
  EXPECT_TRUE(roles.IsSuperuser("d"));
  EXPECT_TRUE(roles.Allows("c", Permission::kSelect, table));
}

TEST(RoleSet, NothingIsLeftOfAnErasedRole) {
  RoleSet roles = Diamond();
  roles.Edit("a").grants[Resource::Role("b")] = {Permission::kAlter};
  roles.Erase("b");
  EXPECT_EQ(roles.Find("b"), nullptr);
  EXPECT_EQ(roles.Find("d")->member_of, (std::set<std::string>{"c"}));
  EXPECT_TRUE(roles.Find("a")->grants.empty());
}

TEST(RoleSet, ForgettingAKeyspaceForgetsItsTables) {
  RoleSet roles = Diamond();
  roles.Edit("a").grants[Resource::Table("ks", "t")] = {Permission::kSelect};
  roles.Edit("a").grants[Resource::Table("other", "t")] = {Permission::kSelect};
  roles.Forget(Resource::Keyspace("ks"));
  EXPECT_EQ(roles.Find("a")->grants.size(), 1u);
}

}  // namespace
}  // namespace orrery::cassandra
