#include "api/sql/user/user_list.h"

#include <gtest/gtest.h>

#include "model/document/json.h"

namespace orrery::sql {
namespace {

constexpr DatabaseId kDatabase{7};

Permission Read(std::string id) {
  Permission permission;
  permission.id = std::move(id);
  permission.resource = "dbs/db/colls/c";
  return permission;
}

TEST(UserList, KeptAndReadAgain) {
  UserList list;
  ASSERT_TRUE(list.Add("u", 100).has_value());
  ASSERT_TRUE(list.Add("v", 200).has_value());
  User* user = list.Find(kDatabase, "u");
  ASSERT_NE(user, nullptr);
  Permission keyed = Read("p");
  keyed.mode = "All";
  keyed.key = model::Value::Array({model::Value::Int32(5)});
  ASSERT_TRUE(UserList::Add(*user, keyed).has_value());
  const model::Document extra = list.PutInto(*model::ParseJson(R"({"other":1})"));
  EXPECT_EQ(UserList::Of(extra).users(), list.users());
  EXPECT_EQ(extra.view().Get("other").AsInteger(), 1);
}

TEST(UserList, NamesAreTakenOnce) {
  UserList list;
  ASSERT_TRUE(list.Add("u", 1).has_value());
  EXPECT_EQ(list.Add("u", 1).error().code(), Code::kAlreadyExists);
  EXPECT_EQ(list.Add("a/b", 1).error().code(), Code::kInvalidArgument);
  User& user = *list.Find(kDatabase, "u");
  ASSERT_TRUE(UserList::Add(user, Read("p")).has_value());
  EXPECT_EQ(UserList::Add(user, Read("p")).error().code(), Code::kAlreadyExists);
}

TEST(UserList, FoundByRid) {
  UserList list;
  ASSERT_TRUE(list.Add("u", 1).has_value());
  User& user = *list.Find(kDatabase, "u");
  ASSERT_TRUE(UserList::Add(user, Read("p")).has_value());
  const model::Value seen = SeenUser(kDatabase, user);
  EXPECT_EQ(list.Find(kDatabase, seen.Find("_rid")->AsString()), &user);
  const model::Value permission = SeenPermission(kDatabase, user, user.permissions[0], "token");
  EXPECT_EQ(UserList::Find(kDatabase, user, permission.Find("_rid")->AsString()),
            user.permissions.data());
  EXPECT_EQ(permission.Find("_token")->AsString(), "token");
}

TEST(UserList, Removed) {
  UserList list;
  ASSERT_TRUE(list.Add("u", 1).has_value());
  ASSERT_TRUE(list.Add("v", 1).has_value());
  list.Remove(*list.Find(kDatabase, "u"));
  EXPECT_EQ(list.Find(kDatabase, "u"), nullptr);
  EXPECT_EQ(list.Add("w", 1)->number, 3u);
}

TEST(UserList, PermissionsThatAreNone) {
  for (const char* body :
       {"{}", R"({"id":"p","resource":"dbs/db"})",
        R"({"id":"p","permissionMode":"Own","resource":"x"})",
        R"({"id":"p","permissionMode":"Read"})",
        R"({"id":"p","permissionMode":"Read","resource":"x","resourcePartitionKey":"a"})"}) {
    EXPECT_FALSE(PermissionFrom(*model::ParseJson(body)).has_value()) << body;
  }
}

// Clients compare what comes back with what they sent.
TEST(UserList, ModesAreSeenAsTheyWereSent) {
  for (const std::string_view mode : {"all", "All", "read", "READ"}) {
    UserList list;
    ASSERT_TRUE(list.Add("u", 1).has_value());
    const std::string body = R"({"id":"p","resource":"dbs/db/colls/c","permissionMode":")";
    const auto permission = PermissionFrom(*model::ParseJson(body + std::string(mode) + "\"}"));
    ASSERT_TRUE(permission.has_value());
    EXPECT_EQ(permission->may_write(), mode.size() == 3);
    ASSERT_TRUE(UserList::Add(*list.Find(kDatabase, "u"), *permission).has_value());
    const UserList again = UserList::Of(list.PutInto(std::nullopt));
    const User& user = again.users().front();
    const model::Value seen = SeenPermission(kDatabase, user, user.permissions.front(), "t");
    EXPECT_EQ(seen.Find("permissionMode")->AsString(), mode);
  }
}

}  // namespace
}  // namespace orrery::sql
