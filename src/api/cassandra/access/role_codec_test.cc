#include "api/cassandra/access/role_codec.h"

#include <gtest/gtest.h>

#include "api/cassandra/schema/codec/definition.h"
#include "model/document/json.h"

namespace orrery::cassandra {
namespace {

using ast::Permission;

RoleSet Example() {
  Role reader;
  reader.name = "reader";
  reader.grants[Resource::Keyspace("shop")] = {Permission::kSelect};
  Role bob;
  bob.name = "bob";
  bob.can_login = true;
  bob.salted_hash = "$2a$06$m0CrhHm10qJ3lXRY.5zDGO3rS2KdeeWLuGmsfGlMfOxih58VYVfxe";
  bob.member_of = {"reader"};
  RoleSet roles;
  roles.Put(std::move(reader));
  roles.Put(std::move(bob));
  return roles;
}

Result<RoleSet> Decode(std::string_view json) {
  const auto document = model::ParseJson(json);
  EXPECT_TRUE(document.has_value()) << json;
  return DecodeRoles(*document);
}

// The example of docs/format/roles.md.
TEST(RoleCodec, TheDocumentedForm) {
  const std::string_view json =
      R"({"api":"cassandra-roles","version":1,"roles":[)"
      R"({"name":"bob","login":true,"saltedHash":"$2a$06$m0CrhHm10qJ3lXRY.5zDGO3rS2KdeeWLuGmsfGlMfOxih58VYVfxe","memberOf":["reader"]},)"
      R"({"name":"reader","grants":[{"resource":"data/shop","permissions":["SELECT"]}]}]})";
  EXPECT_EQ(*model::ParseJson(json), EncodeRoles(Example()));
  EXPECT_EQ(Decode(json).value(), Example());
}

TEST(RoleCodec, EverythingComesBack) {
  Role role;
  role.name = std::string("odd \"name\"\0/", 12);
  role.is_superuser = true;
  role.datacenters = std::set<std::string>{"dc1", "dc2"};
  role.grants[Resource::Role("x/y")] = {Permission::kDescribe, Permission::kAlter};
  role.grants[Resource::AllKeyspaces()] = PermissionSet(ast::kAllPermissions);
  RoleSet roles = Example();
  roles.Put(std::move(role));
  EXPECT_EQ(DecodeRoles(EncodeRoles(roles)).value(), roles);
}

TEST(RoleCodec, IsNoKeyspace) {
  const std::optional<model::Document> extra = EncodeRoles(Example());
  EXPECT_TRUE(HoldsRoles(extra));
  EXPECT_FALSE(IsOurs(extra));
  EXPECT_FALSE(HoldsRoles(std::nullopt));
}

TEST(RoleCodec, DamageIsNamed) {
  const auto code = [](std::string_view json) { return Decode(json).error().code(); };
  EXPECT_EQ(code(R"({"version":2,"roles":[]})"), Code::kUnsupported);
  EXPECT_EQ(code(R"({"roles":[]})"), Code::kCorruption);
  EXPECT_EQ(code(R"({"version":1,"roles":[{"login":true}]})"), Code::kCorruption);
  EXPECT_EQ(code(R"({"version":1,"roles":[{"name":"a"},{"name":"a"}]})"), Code::kCorruption);
  EXPECT_EQ(code(R"({"version":1,"roles":[{"name":"a","grants":[{"resource":"x"}]}]})"),
            Code::kCorruption);
  EXPECT_EQ(
      code(
          R"({"version":1,"roles":[{"name":"a","grants":[{"resource":"data","permissions":["FLY"]}]}]})"),
      Code::kCorruption);
}

}  // namespace
}  // namespace orrery::cassandra
