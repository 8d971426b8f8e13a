#include "api/cassandra/system/auth/auth_keyspace.h"

#include <gtest/gtest.h>

#include "api/cassandra/system/system_testing.h"

namespace orrery::cassandra {
namespace {

using namespace testing;
using Texts = std::vector<std::string>;

class AuthKeyspaceTest : public ::testing::Test, public RoleReader {
 protected:
  CqlResult<std::vector<RoleFacts>> Roles() const override {
    if (damaged) return Refuse(ErrorCode::kServerError, "roles cannot be read");
    return std::vector<RoleFacts>{
        {"admins", true, false, std::nullopt, {}, std::nullopt},
        {"ada", false, true, "$2a$10$hash", {"admins", "readers"}, {{"dc1", "dc2"}}}};
  }
  CqlResult<std::vector<PermissionFacts>> Permissions() const override {
    return std::vector<PermissionFacts>{{"admins", "data", {"ALTER", "SELECT"}},
                                        {"ada", "data/ks/t", {"MODIFY"}}};
  }

  SystemTables Tables() const {
    SystemFacts facts = SomeFacts();
    facts.roles = this;
    return SystemTables(facts);
  }

  bool damaged = false;
};

TEST_F(AuthKeyspaceTest, Roles) {
  const auto rows = Tables().Read("system_auth", "roles");
  const TextRow ada = RowWith(rows, "role", "'ada'");
  EXPECT_EQ(ada.at("can_login"), "true");
  EXPECT_EQ(ada.at("is_superuser"), "false");
  EXPECT_EQ(ada.at("member_of"), "{'admins', 'readers'}");
  EXPECT_EQ(ada.at("salted_hash"), "'$2a$10$hash'");
  const TextRow admins = RowWith(rows, "role", "'admins'");
  EXPECT_EQ(admins.at("member_of"), "null");
  EXPECT_EQ(admins.at("salted_hash"), "null");
}

TEST_F(AuthKeyspaceTest, HashesAreForSuperusers) {
  SystemTables tables = Tables();
  tables.client.superuser = false;
  EXPECT_EQ(RowWith(tables.Read("system_auth", "roles"), "role", "'ada'").at("salted_hash"),
            "null");
}

TEST_F(AuthKeyspaceTest, MembersAndDataCenters) {
  const auto members = Tables().Read("system_auth", "role_members");
  EXPECT_EQ(Values(members, "role"), (Texts{"'admins'", "'readers'"}));
  EXPECT_EQ(Values(members, "member"), (Texts{"'ada'", "'ada'"}));
  const auto network = Tables().Read("system_auth", "network_permissions");
  ASSERT_EQ(network.size(), 1U);
  EXPECT_EQ(network[0].at("dcs"), "{'dc1', 'dc2'}");
}

TEST_F(AuthKeyspaceTest, PermissionsByRoleAndByResource) {
  const auto by_role = Tables().Read("system_auth", "role_permissions");
  EXPECT_EQ(RowWith(by_role, "role", "'admins'").at("permissions"), "{'ALTER', 'SELECT'}");
  const auto by_resource = Tables().Read("system_auth", "resource_role_permissons_index");
  EXPECT_EQ(RowWith(by_resource, "resource", "'data/ks/t'").at("role"), "'ada'");
}

TEST_F(AuthKeyspaceTest, AnErrorIsTheStatements) {
  damaged = true;
  const SystemTables tables = Tables();
  const VirtualQuery query{tables.schema, tables.client, std::nullopt};
  const auto rows = tables.Find("system_auth", "roles")->source->Rows(query);
  ASSERT_FALSE(rows.has_value());
  EXPECT_EQ(rows.error().message, "roles cannot be read");
}

}  // namespace
}  // namespace orrery::cassandra
