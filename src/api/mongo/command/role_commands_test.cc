#include <gmock/gmock.h>

#include "api/mongo/command/command_testing.h"

namespace orrery::mongo {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class RoleCommandTest : public CommandTest {
 protected:
  RoleCommandTest() {
    Reply(R"({"insert": "a", "$db": "d", "documents": [{"_id": 1}]})");
    Reply(R"({"insert": "b", "$db": "d", "documents": [{"_id": 1}]})");
  }
  // From now on the client is somebody with this role.
  void LogIn(std::string role) {
    client_->is_trusted = false;
    client_->principals = {
        {.user = "u", .database = "d", .roles = {{.role = std::move(role), .database = "d"}}}};
  }
};

TEST_F(RoleCommandTest, APrivilegeIsForItsCollectionOnly) {
  EXPECT_EQ(Reply(R"({"createRole": "r", "$db": "d", "roles": [], "privileges": [
                      {"resource": {"db": "d", "collection": "a"}, "actions": ["find"]}]})"),
            "{}");
  LogIn("r");
  EXPECT_EQ(Batch(R"({"find": "a", "$db": "d"})"), R"([{"_id":1}])");
  EXPECT_THAT(Batch(R"({"find": "b", "$db": "d"})"), StartsWith("13: "));
  EXPECT_THAT(Batch(R"({"find": "a", "$db": "e"})"), StartsWith("13: "));
  EXPECT_THAT(Reply(R"({"insert": "a", "$db": "d", "documents": [{}]})"), StartsWith("13: "));
  EXPECT_THAT(Reply(R"({"dropDatabase": 1, "$db": "d"})"), StartsWith("13: "));
  EXPECT_THAT(Batch(R"({"aggregate": "a", "$db": "d", "cursor": {}, "pipeline": [
                        {"$lookup": {"from": "b", "localField": "_id", "foreignField": "_id",
                                     "as": "b"}}]})"),
              StartsWith("13: "));
  EXPECT_THAT(Batch(R"({"aggregate": "a", "$db": "d", "cursor": {},
                        "pipeline": [{"$out": "c"}]})"),
              StartsWith("13: "));
  EXPECT_THAT(Reply(R"({"bulkWrite": 1, "$db": "admin", "nsInfo": [{"ns": "d.a"}],
                        "ops": [{"delete": 0, "filter": {}}]})"),
              StartsWith("13: "));
}

TEST_F(RoleCommandTest, UpsertsNeedTheRightToInsert) {
  Reply(R"({"createRole": "r", "$db": "d", "roles": [], "privileges": [
            {"resource": {"db": "d", "collection": ""}, "actions": ["update"]}]})");
  LogIn("r");
  EXPECT_THAT(Reply(R"({"update": "a", "$db": "d",
                        "updates": [{"q": {"_id": 1}, "u": {"$set": {"x": 1}}}]})"),
              HasSubstr(R"("nModified":1)"));
  EXPECT_THAT(Reply(R"({"update": "a", "$db": "d",
                        "updates": [{"q": {"_id": 2}, "u": {"$set": {"x": 1}}, "upsert": true}]})"),
              StartsWith("13: "));
}

TEST_F(RoleCommandTest, RolesInheritAndChangesHoldAtOnce) {
  Reply(R"({"createRole": "base", "$db": "d", "roles": ["read"], "privileges": []})");
  Reply(R"({"createRole": "r", "$db": "d", "roles": ["base"], "privileges": []})");
  EXPECT_THAT(Reply(R"({"grantRolesToRole": "base", "$db": "d", "roles": ["r"]})"),
              StartsWith("49: "));
  LogIn("r");
  EXPECT_EQ(Batch(R"({"find": "b", "$db": "d"})"), R"([{"_id":1}])");
  EXPECT_THAT(Reply(R"({"insert": "b", "$db": "d", "documents": [{}]})"), StartsWith("13: "));
  client_->is_trusted = true;
  Reply(R"({"dropRole": "base", "$db": "d"})");
  client_->is_trusted = false;
  EXPECT_THAT(Batch(R"({"find": "b", "$db": "d"})"), StartsWith("13: "));
}

TEST_F(RoleCommandTest, UsersMayHaveThem) {
  EXPECT_THAT(Reply(R"({"createUser": "u", "$db": "d", "pwd": "p", "roles": ["r"]})"),
              StartsWith("31: "));
  Reply(R"({"createRole": "r", "$db": "d", "roles": [], "privileges": []})");
  EXPECT_EQ(Reply(R"({"createUser": "u", "$db": "d", "pwd": "p", "roles": ["r"]})"), "{}");
  EXPECT_EQ(Reply(R"({"dropAllRolesFromDatabase": 1, "$db": "d"})"), R"({"n":1})");
  EXPECT_THAT(Reply(R"({"usersInfo": "u", "$db": "d"})"), HasSubstr(R"("roles":[])"));
}

}  // namespace
}  // namespace orrery::mongo
