#include <gtest/gtest.h>

#include "api/cassandra/access/access_fixture_for_test.h"

namespace orrery::cassandra {
namespace {

using TextList = std::vector<std::string>;
using Row = std::vector<std::string>;
using std::string_literals::operator""s;

const std::string kTrue = "\x01"s;
const std::string kFalse = "\x00"s;
const std::string kNoOptions = "\x00\x00\x00\x00"s;

class ListStatementsTest : public AccessTest {
 protected:
  void SetUp() override {
    Do("CREATE ROLE admin WITH SUPERUSER = true");
    Do("CREATE ROLE group");
    Do("CREATE ROLE bob WITH LOGIN = true");
    Do("CREATE ROLE eve WITH LOGIN = true");
    Do("GRANT admin TO group");
    Do("GRANT group TO eve");
  }
};

TEST_F(ListStatementsTest, Roles) {
  const auto rows = Rows("LIST ROLES");
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0], (Row{"admin", kTrue, kFalse, kNoOptions, "ALL"}));
  EXPECT_EQ(rows[1], (Row{"bob", kFalse, kTrue, kNoOptions, "ALL"}));
  EXPECT_EQ(Names("LIST ROLES OF eve"), (TextList{"admin", "eve", "group"}));
  EXPECT_EQ(Names("LIST ROLES OF eve NORECURSIVE"), (TextList{"eve", "group"}));
  EXPECT_EQ(Error("LIST ROLES OF x"), "<role x> doesn't exist");
}

TEST_F(ListStatementsTest, RolesAsFarAsOneMaySee) {
  EXPECT_EQ(Names("LIST ROLES", As("bob")), (TextList{"bob"}));
  EXPECT_EQ(Names("LIST ROLES OF bob", As("bob")), (TextList{"bob"}));
  EXPECT_EQ(Error("LIST ROLES OF eve", As("bob")),
            "You are not authorized to view roles granted to eve ");
  Do("GRANT DESCRIBE ON ALL ROLES TO bob");
  EXPECT_EQ(Names("LIST ROLES", As("bob")).size(), 4u);
}

TEST_F(ListStatementsTest, Users) {
  const auto rows = Rows("LIST USERS");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0], (Row{"bob", kFalse, "ALL"}));
  EXPECT_EQ(rows[1], (Row{"eve", kTrue, "ALL"}));
}

TEST_F(ListStatementsTest, Permissions) {
  Do("GRANT SELECT ON ks.t TO bob");
  Do("GRANT SELECT, MODIFY ON KEYSPACE ks TO group");
  const auto rows = Rows("LIST ALL PERMISSIONS OF bob");
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0], (Row{"bob", "bob", "<table ks.t>", "SELECT"}));
  EXPECT_EQ(Rows("LIST ALL PERMISSIONS").size(), 3u);
  EXPECT_EQ(Rows("LIST SELECT").size(), 2u);
  EXPECT_EQ(Rows("LIST ALL ON ks.t").size(), 3u);
  EXPECT_EQ(Rows("LIST ALL ON ks.t NORECURSIVE").size(), 1u);
  EXPECT_EQ(Names("LIST ALL PERMISSIONS OF eve"), (TextList{"group", "group"}));
  EXPECT_TRUE(std::holds_alternative<VoidOutcome>(Run("LIST DROP ON ks.t")->result));
}

TEST_F(ListStatementsTest, PermissionsAsFarAsOneMaySee) {
  EXPECT_EQ(Error("LIST ALL PERMISSIONS", As("bob")),
            "You are not authorized to view everyone's permissions");
  EXPECT_EQ(Error("LIST ALL PERMISSIONS OF eve", As("bob")),
            "You are not authorized to view eve's permissions");
  EXPECT_EQ(Error("LIST ALL PERMISSIONS OF bob", As("bob")), "");
  EXPECT_EQ(Error("LIST ALL PERMISSIONS OF x"), "<role x> doesn't exist");
  EXPECT_EQ(Error("LIST ALL ON ks.x"), "<table ks.x> doesn't exist");
}

TEST_F(ListStatementsTest, TheTablesOfSystemAuth) {
  Do("GRANT SELECT ON ks.t TO bob");
  const auto roles = access_->Roles();
  ASSERT_EQ(roles->size(), 4u);
  EXPECT_EQ((*roles)[2].name, "eve");
  EXPECT_EQ((*roles)[2].member_of, (std::set<std::string>{"group"}));
  const auto permissions = access_->Permissions();
  ASSERT_EQ(permissions->size(), 1u);
  EXPECT_EQ(permissions->front().resource, "data/ks/t");
  EXPECT_EQ(permissions->front().permissions, (std::set<std::string>{"SELECT"}));
}

}  // namespace
}  // namespace orrery::cassandra
