#include "api/mongo/access/role.h"

#include <gtest/gtest.h>

#include "api/mongo/access/role_codec.h"
#include "api/mongo/access/role_directory.h"

namespace orrery::mongo {
namespace {

Privilege On(std::string database, std::string collection, std::vector<std::string> actions) {
  return {.resource = {.database = std::move(database), .collection = std::move(collection)},
          .actions = std::move(actions)};
}

TEST(Role, PrivilegesGrantWhatTheyName) {
  const std::vector<Privilege> some = {On("d", "a", {"find"}), On("d", "", {"insert"})};
  const auto grants = [&](std::string_view action, std::string collection) {
    const Demand demand{action, "d", std::move(collection)};
    return Grants(some, {&demand, 1});
  };
  EXPECT_TRUE(grants("find", "a"));
  EXPECT_FALSE(grants("find", "b"));
  EXPECT_TRUE(grants("insert", "b"));
  EXPECT_FALSE(grants("insert", "system.x"));
  EXPECT_FALSE(grants("remove", "a"));
  EXPECT_FALSE(grants("find", ""));
  const std::vector<Privilege> all = {{.resource = {.any = true}, .actions = {"anyAction"}}};
  const Demand any{"remove", "x", "y"};
  EXPECT_TRUE(Grants(all, {&any, 1}));
  const std::vector<Privilege> cluster = {{.resource = {.cluster = true}, .actions = {"find"}}};
  EXPECT_FALSE(Grants(cluster, {&any, 1}));
}

TEST(Role, PrivilegesOfOneResourceAreJoined) {
  std::vector<Privilege> list = {On("d", "a", {"find"})};
  const std::vector<Privilege> more = {On("d", "a", {"insert", "find"}), On("d", "", {"find"})};
  AddPrivileges(list, more);
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list.front().actions, (std::vector<std::string>{"find", "insert"}));
  const std::vector<Privilege> gone = {On("d", "a", {"find", "insert"})};
  RemovePrivileges(list, gone);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list.front().resource.collection, "");
}

TEST(Role, RolesAreFollowedToTheEnd) {
  const std::vector<RoleRecord> known = {
      {.name = {"a", "d"}, .privileges = {On("d", "x", {"find"})}, .roles = {{"b", "d"}}},
      {.name = {"b", "d"},
       .privileges = {On("d", "x", {"insert"})},
       .roles = {{"a", "d"}, {"read", "d"}, {"gone", "d"}}}};
  const std::vector<RoleGrant> asked = {{"a", "d"}};
  const EffectiveRights rights = ResolveRoles(asked, known);
  ASSERT_EQ(rights.privileges.size(), 1u);
  EXPECT_EQ(rights.privileges.front().actions, (std::vector<std::string>{"find", "insert"}));
  EXPECT_EQ(rights.built_in, (std::vector<RoleGrant>{{"read", "d"}}));
  EXPECT_EQ(rights.roles, (std::vector<RoleGrant>{{"b", "d"}, {"read", "d"}, {"gone", "d"}}));
}

TEST(Role, RecordsAreKeptBesideOthers) {
  const std::vector<RoleRecord> roles = {
      {.name = {"a", "d"},
       .privileges = {On("d", "x", {"find"}),
                      {.resource = {.cluster = true}, .actions = {"top"}},
                      {.resource = {.any = true}, .actions = {"find"}}},
       .roles = {{"read", "d"}}}};
  model::DocumentBuilder extra;
  extra.OpenObject("mongo").AppendInt32("users", 1).Close().AppendInt32("other", 2);
  const std::optional<model::Document> with = WithRoleRecords(std::move(extra).Finish(), roles);
  EXPECT_EQ(with->view().Get("other"), model::Value::Int32(2));
  EXPECT_EQ(with->view().Find("mongo")->AsDocument().Get("users"), model::Value::Int32(1));
  const std::vector<RoleRecord> back = ReadRoleRecords(with);
  ASSERT_EQ(back.size(), 1u);
  EXPECT_EQ(back.front().name, roles.front().name);
  EXPECT_EQ(back.front().roles, roles.front().roles);
  ASSERT_EQ(back.front().privileges.size(), 3u);
  EXPECT_EQ(back.front().privileges[1].resource, roles.front().privileges[1].resource);
}

}  // namespace
}  // namespace orrery::mongo
