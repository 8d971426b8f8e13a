#include <gmock/gmock.h>

#include "api/mongo/command/command_testing.h"

namespace orrery::mongo {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class BulkWriteTest : public CommandTest {
 protected:
  static std::string Command(std::string_view operations, std::string_view more = "") {
    return R"({"bulkWrite": 1, "$db": "admin", "nsInfo": [{"ns": "d.a"}, {"ns": "e.b"}], "ops": )" +
           std::string(operations) + std::string(more) + "}";
  }
};

TEST_F(BulkWriteTest, WritesOfAllKindsToSeveralCollections) {
  const std::string reply = Reply(Command(R"([
      {"insert": 0, "document": {"_id": 1, "x": 1}}, {"insert": 0, "document": {"_id": 2, "x": 1}},
      {"insert": 1, "document": {"_id": 3}},
      {"update": 0, "filter": {"x": 1}, "updateMods": {"$inc": {"x": 1}}, "multi": true},
      {"update": 1, "filter": {"_id": 4}, "updateMods": {"$set": {"y": 1}}, "upsert": true},
      {"delete": 0, "filter": {"_id": 1}}])"));
  EXPECT_EQ(reply, R"({"cursor":{"firstBatch":[{"ok":1,"idx":0,"n":1},{"ok":1,"idx":1,"n":1},)"
                   R"({"ok":1,"idx":2,"n":1},{"ok":1,"idx":3,"n":2,"nModified":2},)"
                   R"({"ok":1,"idx":4,"n":1,"nModified":0,"upserted":{"_id":4}},)"
                   R"({"ok":1,"idx":5,"n":1}],"id":0,"ns":"admin.$cmd.bulkWrite"},"nErrors":0,)"
                   R"("nInserted":3,"nMatched":2,"nModified":2,"nUpserted":1,"nDeleted":1})");
  EXPECT_EQ(Batch(R"({"find": "a", "$db": "d"})"), R"([{"_id":2,"x":2}])");
  EXPECT_EQ(Batch(R"({"find": "b", "$db": "e"})"), R"([{"_id":3},{"_id":4,"y":1}])");
}

TEST_F(BulkWriteTest, AnOrderedOneEndsWithTheFirstError) {
  const std::string operations = R"([
      {"insert": 0, "document": {"_id": 1}}, {"insert": 0, "document": {"_id": 1}},
      {"insert": 0, "document": {"_id": 2}}, {"delete": 0, "filter": {}, "multi": true}])";
  const std::string reply = Reply(Command(operations));
  EXPECT_THAT(reply, HasSubstr(R"({"ok":0,"idx":1,"code":11000)"));
  EXPECT_THAT(reply, HasSubstr(R"("nErrors":1,"nInserted":1,)"));
  EXPECT_THAT(reply, Not(HasSubstr(R"("idx":2)")));
  EXPECT_EQ(Batch(R"({"find": "a", "$db": "d"})"), R"([{"_id":1}])");
}

TEST_F(BulkWriteTest, AnUnorderedOneDoesTheRest) {
  const std::string reply = Reply(Command(R"([
      {"insert": 0, "document": {"_id": 1}}, {"insert": 0, "document": {"_id": 1}},
      {"update": 0, "filter": {"_id": 1}, "updateMods": {"$bad": {"a": 1}}},
      {"insert": 0, "document": {"_id": 2}}])",
                                          R"(, "ordered": false, "errorsOnly": true)"));
  EXPECT_THAT(reply, HasSubstr(R"({"ok":0,"idx":1,"code":11000)"));
  EXPECT_THAT(reply, HasSubstr(R"({"ok":0,"idx":2,"code":9,)"));
  EXPECT_THAT(reply, HasSubstr(R"("nErrors":2,"nInserted":2,)"));
  EXPECT_THAT(reply, Not(HasSubstr(R"("ok":1)")));
  EXPECT_EQ(Batch(R"({"find": "a", "$db": "d"})"), R"([{"_id":1},{"_id":2}])");
}

TEST_F(BulkWriteTest, VariablesAndConstants) {
  Reply(
      Command(R"([{"insert": 0, "document": {"_id": 1}}, {"insert": 0, "document": {"_id": 2}}])"));
  const std::string reply = Reply(Command(R"([
      {"update": 0, "filter": {"$expr": {"$eq": ["$_id", "$$id"]}},
       "updateMods": [{"$set": {"a": "$$b"}}], "constants": {"b": "$_id"}}])",
                                          R"(, "let": {"id": 2})"));
  EXPECT_THAT(reply, HasSubstr(R"("nModified":1)"));
  EXPECT_EQ(Batch(R"({"find": "a", "$db": "d"})"), R"([{"_id":1},{"_id":2,"a":"$_id"}])");
}

TEST_F(BulkWriteTest, ResultsComeInBatches) {
  Reply(Command(R"([{"insert": 0, "document": {"_id": 1}}, {"insert": 0, "document": {"_id": 2}}])",
                R"(, "cursor": {"batchSize": 1})"));
  EXPECT_EQ(Batch(Command(R"([{"delete": 0, "filter": {"_id": 1}},
                              {"delete": 0, "filter": {"_id": 2}}])",
                          R"(, "cursor": {"batchSize": 1})")),
            R"([{"ok":1,"idx":0,"n":1}])");
  ASSERT_NE(last_cursor_, 0);
  EXPECT_EQ(Batch(R"({"getMore": )" + std::to_string(last_cursor_) +
                  R"(, "$db": "admin", "collection": "$cmd.bulkWrite"})"),
            R"([{"ok":1,"idx":1,"n":1}])");
}

TEST_F(BulkWriteTest, ARetryDoesNothingTwice) {
  const std::string command = Command(R"([
      {"insert": 0, "document": {"_id": 1, "x": 0}},
      {"update": 0, "filter": {"_id": 1}, "updateMods": {"$inc": {"x": 1}}}])");
  InSession('s', 1, command);
  const std::string again = InSession('s', 1, command);
  EXPECT_THAT(again, HasSubstr(R"("nInserted":1,"nMatched":1,"nModified":1)"));
  EXPECT_THAT(again, HasSubstr(R"("retriedStmtIds":[0,1])"));
  EXPECT_EQ(Batch(R"({"find": "a", "$db": "d"})"), R"([{"_id":1,"x":1}])");
  EXPECT_THAT(InSession('s', 2, Command(R"([{"delete": 0, "filter": {}, "multi": true}])")),
              HasSubstr(R"("code":72)"));
}

TEST_F(BulkWriteTest, BadArgumentsAreRefused) {
  EXPECT_THAT(Reply(Command("[]")), StartsWith("16: "));
  EXPECT_THAT(Reply(Command(R"([{"insert": 2, "document": {}}])")), StartsWith("2: "));
  EXPECT_THAT(Reply(Command(R"([{"replace": 0}])")), StartsWith("9: "));
  EXPECT_THAT(Reply(Command(R"([{"insert": 0, "document": {}}])", R"(, "foo": 1)")),
              StartsWith("40415: "));
  EXPECT_THAT(Reply(R"({"bulkWrite": 1, "$db": "d", "ops": [], "nsInfo": []})"),
              StartsWith("13: "));
  EXPECT_THAT(Reply(R"({"bulkWrite": 1, "$db": "admin", "nsInfo": [{"ns": "d"}],
                        "ops": [{"insert": 0, "document": {}}]})"),
              StartsWith("73: "));
}

}  // namespace
}  // namespace orrery::mongo
