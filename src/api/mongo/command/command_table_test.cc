#include "api/mongo/command/command_table.h"

#include <gmock/gmock.h>

#include "api/mongo/command/command_testing.h"

namespace orrery::mongo {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST_F(CommandTest, HelloPresentsAPrimaryWithSessions) {
  const std::string reply = Reply(R"({"hello": 1, "$db": "admin"})");
  EXPECT_THAT(reply, HasSubstr(R"("isWritablePrimary":true)"));
  EXPECT_THAT(reply, HasSubstr(R"("setName":"globaldb")"));
  EXPECT_THAT(reply, HasSubstr(R"("logicalSessionTimeoutMinutes":30)"));
}

TEST_F(CommandTest, CommandsOfStrangersAreRefused) {
  client_->is_trusted = false;
  EXPECT_THAT(Reply(R"({"find": "c", "$db": "d"})"), StartsWith("13: "));
}

TEST_F(CommandTest, DocumentsAreInsertedAndFound) {
  EXPECT_EQ(Reply(R"({"insert": "c", "$db": "d",
                      "documents": [{"_id": 1, "a": 5}, {"_id": 2, "a": 7}, {"_id": 3, "a": 6}]})"),
            R"({"n":3})");
  EXPECT_EQ(Batch(R"({"find": "c", "$db": "d", "filter": {"a": {"$gt": 5}}, "sort": {"a": 1}})"),
            R"([{"_id":3,"a":6},{"_id":2,"a":7}])");
  EXPECT_EQ(last_cursor_, 0);
  EXPECT_EQ(Batch(R"({"find": "none", "$db": "d"})"), "[]");
}

TEST_F(CommandTest, RepeatedIdsAreWriteErrors) {
  Reply(R"({"insert": "c", "$db": "d", "documents": [{"_id": 1}]})");
  const std::string reply = Reply(R"({"insert": "c", "$db": "d", "documents": [{"_id": 1}]})");
  EXPECT_THAT(reply, HasSubstr(R"("n":0)"));
  EXPECT_THAT(reply, HasSubstr(R"("code":11000)"));
  EXPECT_THAT(reply, HasSubstr("E11000 duplicate key error collection: d.c index: _id_ dup key"));
}

TEST_F(CommandTest, UpdatesChangeWhatTheyMatch) {
  Reply(R"({"insert": "c", "$db": "d", "documents": [{"_id": 1, "a": 1}, {"_id": 2, "a": 1}]})");
  EXPECT_EQ(Reply(R"({"update": "c", "$db": "d",
                      "updates": [{"q": {"a": 1}, "u": {"$inc": {"a": 4}}, "multi": true}]})"),
            R"({"n":2,"nModified":2})");
  EXPECT_EQ(Batch(R"({"find": "c", "$db": "d", "filter": {}})"),
            R"([{"_id":1,"a":5},{"_id":2,"a":5}])");
}

TEST_F(CommandTest, DeletesRemoveOneOrAll) {
  Reply(R"({"insert": "c", "$db": "d", "documents": [{"_id": 1}, {"_id": 2}, {"_id": 3}]})");
  EXPECT_EQ(Reply(R"({"delete": "c", "$db": "d", "deletes": [{"q": {}, "limit": 1}]})"),
            R"({"n":1})");
  EXPECT_EQ(Reply(R"({"delete": "c", "$db": "d", "deletes": [{"q": {}, "limit": 0}]})"),
            R"({"n":2})");
}

TEST_F(CommandTest, CursorsGoOnWithTheNextBatch) {
  Reply(R"({"insert": "c", "$db": "d", "documents": [{"_id": 1}, {"_id": 2}, {"_id": 3}]})");
  EXPECT_EQ(Batch(R"({"find": "c", "$db": "d", "batchSize": 2})"), R"([{"_id":1},{"_id":2}])");
  ASSERT_NE(last_cursor_, 0);
  EXPECT_EQ(Batch(R"({"getMore": )" + std::to_string(last_cursor_) +
                  R"(, "$db": "d", "collection": "c"})"),
            R"([{"_id":3}])");
  EXPECT_EQ(last_cursor_, 0);
}

TEST_F(CommandTest, PipelinesGroupDocuments) {
  Reply(R"({"insert": "c", "$db": "d", "documents": [
             {"_id": 1, "k": "x", "n": 2}, {"_id": 2, "k": "x", "n": 3}]})");
  EXPECT_EQ(Batch(R"({"aggregate": "c", "$db": "d", "cursor": {}, "pipeline": [
                       {"$group": {"_id": "$k", "sum": {"$sum": "$n"}}}]})"),
            R"([{"_id":"x","sum":5}])");
}

}  // namespace
}  // namespace orrery::mongo
