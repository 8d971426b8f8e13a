// Writes that are sent again under the same session, number and statement: done once, and answered
// as the first time.
#include <gmock/gmock.h>

#include "api/mongo/command/command_testing.h"

namespace orrery::mongo {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class RetryableWritesTest : public CommandTest {
 protected:
  std::string All() { return Batch(R"({"find": "c", "$db": "d", "sort": {"_id": 1}})"); }
  std::string Count() { return Reply(R"({"count": "c", "$db": "d"})"); }
  void Shard() {
    EXPECT_THAT(Reply(R"({"shardCollection": "d.c", "key": {"k": "hashed"}, "$db": "admin"})"),
                HasSubstr("collectionsharded"));
  }
};

TEST_F(RetryableWritesTest, InsertsAreMadeOnce) {
  constexpr auto kInsert = R"({"insert": "c", "$db": "d", "documents": [{"_id": 1}, {"_id": 2}]})";
  EXPECT_EQ(InSession('s', 1, kInsert), R"({"n":2})");
  EXPECT_EQ(InSession('s', 1, kInsert), R"({"n":2,"retriedStmtIds":[0,1]})");
  EXPECT_EQ(Count(), R"({"n":2})");
  // Another session has nothing to do with it.
  EXPECT_THAT(InSession('t', 1, kInsert), HasSubstr(R"("code":11000)"));
}

TEST_F(RetryableWritesTest, WhatFailedIsTriedAgain) {
  Reply(R"({"insert": "c", "$db": "d", "documents": [{"_id": 2}]})");
  constexpr auto kInsert =
      R"({"insert": "c", "$db": "d", "documents": [{"_id": 1}, {"_id": 2}, {"_id": 3}]})";
  EXPECT_THAT(InSession('s', 1, kInsert), HasSubstr(R"("n":1,"writeErrors":[{"index":1)"));
  Reply(R"({"delete": "c", "$db": "d", "deletes": [{"q": {"_id": 2}, "limit": 1}]})");
  EXPECT_EQ(InSession('s', 1, kInsert), R"({"n":3,"retriedStmtIds":[0]})");
  EXPECT_EQ(All(), R"([{"_id":1},{"_id":2},{"_id":3}])");
}

TEST_F(RetryableWritesTest, StatementsOfALargeInsertAreAllRemembered) {
  std::string documents;
  for (int i = 0; i < 700; ++i)
    documents += (i == 0 ? "" : ",") + std::string(R"({"_id":)") + std::to_string(i) + "}";
  const std::string insert = R"({"insert": "c", "$db": "d", "documents": [)" + documents + "]}";
  EXPECT_EQ(InSession('s', 4, insert), R"({"n":700})");
  EXPECT_THAT(InSession('s', 4, insert), HasSubstr("698,699]"));
  EXPECT_EQ(Count(), R"({"n":700})");
  // A later number writes over the first of its receipts; the others are of an older number.
  EXPECT_THAT(InSession('s', 5, R"({"insert": "c", "$db": "d", "documents": [{"_id": 900}]})"),
              Not(HasSubstr("retried")));
  EXPECT_THAT(InSession('s', 6, insert), HasSubstr(R"("code":11000)"));
}

TEST_F(RetryableWritesTest, UpdatesByIdAreMadeOnce) {
  Reply(R"({"insert": "c", "$db": "d", "documents": [{"_id": 1, "n": 0}]})");
  constexpr auto kUpdate =
      R"({"update": "c", "$db": "d", "updates": [{"q": {"_id": 1}, "u": {"$inc": {"n": 1}}}]})";
  EXPECT_EQ(InSession('s', 1, kUpdate), R"({"n":1,"nModified":1})");
  EXPECT_EQ(InSession('s', 1, kUpdate), R"({"n":1,"nModified":1,"retriedStmtIds":[0]})");
  EXPECT_EQ(All(), R"([{"_id":1,"n":1}])");
  EXPECT_EQ(InSession('s', 2, kUpdate), R"({"n":1,"nModified":1})");
  EXPECT_THAT(InSession('s', 1, kUpdate), StartsWith("225: Retryable write with txnNumber 1 is "
                                                     "prohibited on session 73737373-7373-"));
  EXPECT_EQ(All(), R"([{"_id":1,"n":2}])");
}

TEST_F(RetryableWritesTest, TheStoreKnowsOlderNumbersWithoutTheRegistry) {
  constexpr auto kInsert = R"({"insert": "c", "$db": "d", "documents": [{"_id": 1}]})";
  InSession('s', 7, kInsert);
  sessions_.EndIf([](std::string_view) { return true; });  // as a restart does
  EXPECT_EQ(InSession('s', 7, kInsert), R"({"n":1,"retriedStmtIds":[0]})");
  sessions_.EndIf([](std::string_view) { return true; });
  EXPECT_THAT(InSession('s', 6, R"({"insert": "c", "$db": "d", "documents": [{"_id": 2}]})"),
              StartsWith("225: "));
  sessions_.EndIf([](std::string_view) { return true; });
  EXPECT_THAT(InSession('s', 6, R"({"update": "c", "$db": "d",
                                    "updates": [{"q": {"a": 1}, "u": {"$set": {"b": 1}}}]})"),
              StartsWith("225: "));
  EXPECT_EQ(Count(), R"({"n":1})");
}

TEST_F(RetryableWritesTest, AnUpdateThatHidesItsDocumentIsFoundAgain) {
  Reply(R"({"insert": "c", "$db": "d", "documents": [{"_id": 1, "a": 1}, {"_id": 2, "a": 1}]})");
  constexpr auto kUpdate =
      R"({"update": "c", "$db": "d", "updates": [{"q": {"a": 1}, "u": {"$set": {"a": 2}}},
                                                 {"q": {"a": 9}, "u": {"$set": {"a": 2}}}]})";
  EXPECT_EQ(InSession('s', 1, kUpdate), R"({"n":1,"nModified":1})");
  EXPECT_EQ(InSession('s', 1, kUpdate), R"({"n":1,"nModified":1,"retriedStmtIds":[0]})");
  EXPECT_EQ(All(), R"([{"_id":1,"a":2},{"_id":2,"a":1}])");
  Reply(R"({"delete": "c", "$db": "d", "deletes": [{"q": {}, "limit": 0}]})");
  EXPECT_EQ(InSession('s', 1, kUpdate), R"({"n":1,"nModified":1,"retriedStmtIds":[0]})");
}

TEST_F(RetryableWritesTest, DeletesAreMadeOnce) {
  Reply(R"({"insert": "c", "$db": "d", "documents": [{"_id": 1, "a": 1}, {"_id": 2, "a": 1}]})");
  constexpr auto kDelete =
      R"({"delete": "c", "$db": "d", "deletes": [{"q": {"a": 1}, "limit": 1}]})";
  EXPECT_EQ(InSession('s', 1, kDelete), R"({"n":1})");
  EXPECT_EQ(InSession('s', 1, kDelete), R"({"n":1,"retriedStmtIds":[0]})");
  EXPECT_EQ(All(), R"([{"_id":2,"a":1}])");
}

TEST_F(RetryableWritesTest, UpsertsAnswerTheIdTheyMade) {
  constexpr auto kUpdate = R"({"update": "c", "$db": "d",
      "updates": [{"q": {"a": 1}, "u": {"$inc": {"n": 1}}, "upsert": true}]})";
  const std::string first = InSession('s', 1, kUpdate);
  EXPECT_THAT(first, HasSubstr(R"("upserted":[{"index":0,"_id":)"));
  std::string again = InSession('s', 1, kUpdate);
  EXPECT_THAT(again, HasSubstr(R"("retriedStmtIds":[0])"));
  again.replace(again.find(R"(,"retriedStmtIds":[0])"), 21, "");
  EXPECT_EQ(again, first);
  EXPECT_EQ(Count(), R"({"n":1})");
  constexpr auto kById = R"({"update": "c", "$db": "d",
      "updates": [{"q": {"_id": 7}, "u": {"$inc": {"n": 1}}, "upsert": true}]})";
  EXPECT_EQ(InSession('s', 2, kById), R"({"n":1,"upserted":[{"index":0,"_id":7}],"nModified":0})");
  EXPECT_EQ(InSession('s', 2, kById),
            R"({"n":1,"upserted":[{"index":0,"_id":7}],"nModified":0,"retriedStmtIds":[0]})");
}

TEST_F(RetryableWritesTest, FindAndModifyAnswersTheImageOfTheFirstTime) {
  Reply(R"({"insert": "c", "$db": "d", "documents": [{"_id": 1, "n": 5, "x": 0}]})");
  for (const bool wants_new : {false, true}) {
    const std::string command =
        R"({"findAndModify": "c", "$db": "d", "query": {"_id": 1}, "update": {"$inc": {"n": 1}},
            "fields": {"n": 1, "_id": 0}, "new": )" +
        std::string(wants_new ? "true}" : "false}");
    const std::string value = wants_new ? R"("value":{"n":7})" : R"("value":{"n":5})";
    const int64_t number = wants_new ? 2 : 1;
    EXPECT_THAT(InSession('s', number, command), HasSubstr(value));
    EXPECT_THAT(InSession('s', number, command),
                testing::AllOf(HasSubstr(value), HasSubstr(R"("retriedStmtId":0)"),
                               HasSubstr(R"("updatedExisting":true)")));
  }
  constexpr auto kRemove =
      R"({"findAndModify": "c", "$db": "d", "query": {"n": {"$gt": 0}}, "remove": true})";
  EXPECT_THAT(InSession('s', 3, kRemove), HasSubstr(R"("value":{"_id":1,"n":7,"x":0})"));
  EXPECT_THAT(InSession('s', 3, kRemove), HasSubstr(R"("value":{"_id":1,"n":7,"x":0})"));
  EXPECT_EQ(Count(), R"({"n":0})");
}

TEST_F(RetryableWritesTest, StatementsMayBeNumbered) {
  EXPECT_EQ(InSession('s', 1, R"({"insert": "c", "$db": "d", "documents": [{"_id": 1}],
                                  "stmtId": 5})"),
            R"({"n":1})");
  EXPECT_EQ(InSession('s', 1, R"({"insert": "c", "$db": "d", "ordered": false,
                                  "documents": [{"_id": 4}, {"_id": 1}], "stmtIds": [4, 5]})"),
            R"({"n":2,"retriedStmtIds":[5]})");
  EXPECT_THAT(InSession('s', 1, R"({"insert": "c", "$db": "d", "documents": [{"_id": 9}],
                                    "stmtIds": [1, 2]})"),
              StartsWith("16: "));
}

TEST_F(RetryableWritesTest, OnlySingleWritesMayHaveANumber) {
  Reply(R"({"insert": "c", "$db": "d", "documents": [{"_id": 1, "a": 1}]})");
  EXPECT_THAT(InSession('s', 1, R"({"update": "c", "$db": "d", "updates":
                           [{"q": {"_id": 1}, "u": {"$set": {"a": 2}}, "multi": true}]})"),
              HasSubstr(R"("code":72,"errmsg":"Cannot use (or request) retryable writes with )"
                        R"(multi=true")"));
  EXPECT_THAT(InSession('s', 1, R"({"delete": "c", "$db": "d", "deletes":
                           [{"q": {}, "limit": 0}]})"),
              HasSubstr(R"("code":72)"));
  EXPECT_THAT(InSession('s', 1, R"({"find": "c", "$db": "d"})"), StartsWith("50768: "));
  EXPECT_THAT(InSession('s', 1, R"({"insert": "c", "$db": "d", "documents": [{"_id": 2}],
                                    "autocommit": true})"),
              StartsWith("72: "));
  EXPECT_EQ(All(), R"([{"_id":1,"a":1}])");
}

TEST_F(RetryableWritesTest, ReceiptsExpire) {
  constexpr auto kUpdate = R"({"update": "c", "$db": "d",
      "updates": [{"q": {"_id": 1}, "u": {"$inc": {"n": 1}}, "upsert": true}]})";
  InSession('s', 1, kUpdate);
  server_.clock.Advance(std::chrono::minutes(29));
  EXPECT_THAT(InSession('s', 1, kUpdate), HasSubstr("retriedStmtIds"));
  // Times of writes run ahead of a clock that stands still.
  server_.clock.Advance(std::chrono::minutes(1) + std::chrono::seconds(1));
  EXPECT_THAT(InSession('s', 1, kUpdate), Not(HasSubstr("retriedStmtIds")));
  EXPECT_EQ(All(), R"([{"_id":1,"n":2}])");
}

TEST_F(RetryableWritesTest, ReceiptsAreNoDocuments) {
  InSession('s', 1, R"({"insert": "c", "$db": "d", "documents": [{"_id": 1}]})");
  Reply(R"({"insert": "e", "$db": "d", "documents": [{"_id": 1}]})");
  for (const char* const command : {R"({"collStats": "%", "$db": "d"})"}) {
    std::string with(command);
    std::string without(command);
    with.replace(with.find('%'), 1, "c");
    without.replace(without.find('%'), 1, "e");
    std::string first = Reply(with);
    std::string second = Reply(without);
    first.replace(first.find("d.c"), 3, "d.e");
    EXPECT_EQ(first, second);
  }
  EXPECT_EQ(All(), R"([{"_id":1}])");
  EXPECT_EQ(Batch(R"({"aggregate": "c", "$db": "d", "pipeline": [{"$count": "n"}],
                      "cursor": {}})"),
            R"([{"n":1}])");
}

TEST_F(RetryableWritesTest, ShardedStatementsAreMadeOnce) {
  Shard();
  constexpr auto kInsert = R"({"insert": "c", "$db": "d", "documents":
      [{"_id": 1, "k": 1, "a": 1}, {"_id": 2, "k": 2, "a": 1}, {"_id": 3, "a": 1}]})";
  EXPECT_EQ(InSession('s', 1, kInsert), R"({"n":3})");
  EXPECT_EQ(InSession('s', 1, kInsert), R"({"n":3,"retriedStmtIds":[0,1,2]})");
  constexpr auto kRouted = R"({"update": "c", "$db": "d",
      "updates": [{"q": {"k": 1, "a": 1}, "u": {"$set": {"a": 0}}}]})";
  EXPECT_EQ(InSession('s', 2, kRouted), R"({"n":1,"nModified":1})");
  EXPECT_EQ(InSession('s', 2, kRouted), R"({"n":1,"nModified":1,"retriedStmtIds":[0]})");
}

TEST_F(RetryableWritesTest, StatementsWithoutAShardKeyAreMadeOnce) {
  Shard();
  Reply(R"({"insert": "c", "$db": "d", "documents":
      [{"_id": 1, "k": 1, "a": 1}, {"_id": 2, "k": 2, "a": 1}, {"_id": 3, "a": 1}]})");
  constexpr auto kUpdate = R"({"update": "c", "$db": "d",
      "updates": [{"q": {"a": 1}, "u": {"$set": {"a": 0}}}]})";
  for (int64_t number = 1; number <= 3; ++number) {
    EXPECT_EQ(InSession('s', number, kUpdate), R"({"n":1,"nModified":1})");
    EXPECT_EQ(InSession('s', number, kUpdate), R"({"n":1,"nModified":1,"retriedStmtIds":[0]})");
  }
  EXPECT_EQ(Reply(R"({"count": "c", "$db": "d", "query": {"a": 0}})"), R"({"n":3})");
  EXPECT_EQ(InSession('s', 4, kUpdate), R"({"n":0,"nModified":0})");
  constexpr auto kUpsert = R"({"findAndModify": "c", "$db": "d", "query": {"a": 5},
      "update": {"$set": {"k": 9}}, "upsert": true, "new": true})";
  const std::string first = InSession('s', 5, kUpsert);
  EXPECT_THAT(first, HasSubstr(R"("k":9})"));
  std::string again = InSession('s', 5, kUpsert);
  EXPECT_THAT(again, HasSubstr(R"("retriedStmtId":0)"));
  again.replace(again.find(R"(,"retriedStmtId":0)"), 18, "");
  EXPECT_EQ(again, first);
  EXPECT_EQ(Count(), R"({"n":4})");
  constexpr auto kDelete =
      R"({"delete": "c", "$db": "d", "deletes": [{"q": {"a": 0}, "limit": 1}]})";
  EXPECT_EQ(InSession('s', 6, kDelete), R"({"n":1})");
  EXPECT_EQ(InSession('s', 6, kDelete), R"({"n":1,"retriedStmtIds":[0]})");
  EXPECT_EQ(Count(), R"({"n":3})");
}

}  // namespace
}  // namespace orrery::mongo
