// Transactions as clients drive them: what is seen and stored, and the states with their errors,
// which are those of a genuine mongod 6.0.5.
#include <gmock/gmock.h>

#include "api/mongo/command/command_testing.h"

namespace orrery::mongo {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr auto kFind = R"({"find": "c", "$db": "d", "sort": {"_id": 1}})";
constexpr auto kCommit = R"({"commitTransaction": 1, "$db": "admin"})";
constexpr auto kAbort = R"({"abortTransaction": 1, "$db": "admin"})";
constexpr auto kIncrease =
    R"({"update": "c", "$db": "d", "updates": [{"q": {"_id": 1}, "u": {"$inc": {"v": 1}}}]})";

class TransactionCommandsTest : public CommandTest {
 protected:
  TransactionCommandsTest() {
    Reply(R"({"insert": "c", "$db": "d", "documents": [{"_id": 1, "v": 1}, {"_id": 2, "v": 2}]})");
  }
  std::string Start(char session, int64_t number, std::string_view json) {
    return InTransaction(session, number, Step::kStart, json);
  }
  std::string GoOn(char session, int64_t number, std::string_view json) {
    return InTransaction(session, number, Step::kGoOn, json);
  }
  std::string All(std::string_view collection = "c") {
    return Batch(R"({"find": ")" + std::string(collection) +
                 R"(", "$db": "d", "sort": {"_id": 1}})");
  }
};

TEST_F(TransactionCommandsTest, WritesOfSeveralCollectionsAreSeenAtTheCommit) {
  EXPECT_EQ(Start('s', 1, kIncrease), R"({"n":1,"nModified":1})");
  EXPECT_EQ(GoOn('s', 1, R"({"insert": "other", "$db": "e", "documents": [{"_id": 7}]})"),
            R"({"n":1})");
  EXPECT_EQ(
      GoOn('s', 1, R"({"delete": "c", "$db": "d", "deletes": [{"q": {"_id": 2}, "limit": 1}]})"),
      R"({"n":1})");
  EXPECT_THAT(GoOn('s', 1, kFind), HasSubstr(R"([{"_id":1,"v":2}])"));
  EXPECT_EQ(All(), R"([{"_id":1,"v":1},{"_id":2,"v":2}])");
  EXPECT_EQ(GoOn('s', 1, kCommit), "{}");
  EXPECT_EQ(GoOn('s', 1, kCommit), "{}");
  EXPECT_EQ(All(), R"([{"_id":1,"v":2}])");
  EXPECT_EQ(Batch(R"({"find": "other", "$db": "e"})"), R"([{"_id":7}])");
}

TEST_F(TransactionCommandsTest, QueriesSeeTheStartAndItsOwnWritesByIndexToo) {
  Reply(R"({"createIndexes": "c", "$db": "d", "indexes": [{"key": {"v": 1}, "name": "v_1"}]})");
  Start('s', 1, R"({"insert": "c", "$db": "d", "documents": [{"_id": 3, "v": 1}]})");
  Reply(R"({"insert": "c", "$db": "d", "documents": [{"_id": 4, "v": 1}]})");
  GoOn('s', 1, R"({"update": "c", "$db": "d",
                   "updates": [{"q": {"_id": 2}, "u": {"$set": {"v": 1}}}]})");
  EXPECT_THAT(GoOn('s', 1, R"({"find": "c", "$db": "d", "filter": {"v": 1}, "hint": "v_1"})"),
              HasSubstr(R"([{"_id":1,"v":1},{"_id":2,"v":1},{"_id":3,"v":1}])"));
  EXPECT_THAT(GoOn('s', 1, R"({"find": "c", "$db": "d", "filter": {"v": 2}, "hint": "v_1"})"),
              HasSubstr(R"("firstBatch":[])"));
  EXPECT_THAT(GoOn('s', 1, R"({"aggregate": "c", "$db": "d", "cursor": {}, "pipeline":
                     [{"$group": {"_id": "$v", "n": {"$sum": 1}}}]})"),
              HasSubstr(R"([{"_id":1,"n":3}])"));
  EXPECT_THAT(GoOn('s', 1, R"({"aggregate": "c", "$db": "d", "cursor": {}, "pipeline":
                     [{"$match": {}}, {"$count": "n"}]})"),
              HasSubstr(R"([{"n":3}])"));
  EXPECT_EQ(GoOn('s', 1, R"({"distinct": "c", "$db": "d", "key": "_id"})"),
            R"({"values":[1,2,3]})");
  EXPECT_THAT(GoOn('s', 1, R"({"findAndModify": "c", "$db": "d", "query": {"_id": 3},
                               "update": {"$inc": {"v": 5}}, "new": true})"),
              HasSubstr(R"("value":{"_id":3,"v":6})"));
  EXPECT_EQ(GoOn('s', 1, kCommit), "{}");
  EXPECT_EQ(All(), R"([{"_id":1,"v":1},{"_id":2,"v":1},{"_id":3,"v":6},{"_id":4,"v":1}])");
}

TEST_F(TransactionCommandsTest, AbortLeavesNothing) {
  Start('s', 1, kIncrease);
  EXPECT_EQ(GoOn('s', 1, kAbort), "{}");
  EXPECT_EQ(All(), R"([{"_id":1,"v":1},{"_id":2,"v":2}])");
  EXPECT_EQ(GoOn('s', 1, kFind),
            "251: Transaction with { txnNumber: 1 } has been aborted. (again)");
  EXPECT_EQ(GoOn('s', 1, kAbort),
            "251: Transaction with { txnNumber: 1 } has been aborted. (again)");
  EXPECT_EQ(GoOn('s', 1, kCommit),
            "251: Transaction with { txnNumber: 1 } has been aborted. (again)");
}

TEST_F(TransactionCommandsTest, TheSecondWriterConflictsAtOnce) {
  EXPECT_EQ(Start('s', 1, kIncrease), R"({"n":1,"nModified":1})");
  EXPECT_EQ(Start('t', 1, kIncrease),
            "112: WriteConflict error: this operation conflicted with another operation. Please "
            "retry your operation or multi-document transaction. (again)");
  EXPECT_THAT(GoOn('t', 1, kFind), StartsWith("251: "));
  EXPECT_EQ(GoOn('s', 1, kCommit), "{}");
  // What was stored after the start conflicts, too.
  Start('s', 2, kFind);
  Reply(kIncrease);
  EXPECT_THAT(GoOn('s', 2, kIncrease), StartsWith("112: "));
  EXPECT_EQ(All(), R"([{"_id":1,"v":3},{"_id":2,"v":2}])");
}

TEST_F(TransactionCommandsTest, AnErrorAbortsTheTransaction) {
  Start('s', 1, kIncrease);
  EXPECT_THAT(GoOn('s', 1, R"({"insert": "c", "$db": "d", "documents": [{"_id": 2}]})"),
              AllOf(HasSubstr("\"n\":0"), HasSubstr("11000")));
  EXPECT_THAT(GoOn('s', 1, kCommit), StartsWith("251: "));
  EXPECT_EQ(All(), R"([{"_id":1,"v":1},{"_id":2,"v":2}])");
  Start('s', 2, kIncrease);
  EXPECT_THAT(GoOn('s', 2, R"({"find": "c", "$db": "d", "filter": {"$bad": 1}})"),
              StartsWith("2: "));
  EXPECT_THAT(GoOn('s', 2, kFind), StartsWith("251: "));
}

TEST_F(TransactionCommandsTest, UniqueIndexesHoldBetweenTransactions) {
  Reply(R"({"createIndexes": "c", "$db": "d",
            "indexes": [{"key": {"v": 1}, "name": "v_1", "unique": true}]})");
  constexpr auto kTake = R"({"insert": "c", "$db": "d", "documents": [{"_id": 8, "v": 8}]})";
  constexpr auto kTakeToo = R"({"insert": "c", "$db": "d", "documents": [{"_id": 9, "v": 8}]})";
  EXPECT_EQ(Start('s', 1, kTake), R"({"n":1})");
  EXPECT_THAT(Start('t', 1, kTakeToo), StartsWith("112: "));
  // Two change places, which no order of single changes could.
  GoOn('s', 1, R"({"update": "c", "$db": "d", "updates": [
      {"q": {"_id": 1}, "u": {"$set": {"v": 99}}}, {"q": {"_id": 2}, "u": {"$set": {"v": 1}}},
      {"q": {"_id": 1}, "u": {"$set": {"v": 2}}}]})");
  EXPECT_EQ(GoOn('s', 1, kCommit), "{}");
  EXPECT_EQ(All(), R"([{"_id":1,"v":2},{"_id":2,"v":1},{"_id":8,"v":8}])");
  EXPECT_THAT(Start('t', 2, kTakeToo), HasSubstr("11000"));
}

TEST_F(TransactionCommandsTest, CursorsLiveWithinTheirTransaction) {
  std::string documents;
  for (int i = 10; i < 300; ++i)
    documents += (i == 10 ? "" : ",") + std::string(R"({"_id":)") + std::to_string(i) + "}";
  Reply(R"({"insert": "c", "$db": "d", "documents": [)" + documents + "]}");
  const std::string first = Start('s', 1, R"({"find": "c", "$db": "d", "batchSize": 3})");
  const size_t at = first.find(R"("id":)") + 5;
  const std::string id = first.substr(at, first.find_first_of(",}", at) - at);
  ASSERT_NE(id, "0") << first;
  const std::string more =
      R"({"getMore": )" + id + R"(, "collection": "c", "batchSize": 2, "$db": "d"})";
  Reply(R"({"delete": "c", "$db": "d", "deletes": [{"q": {"_id": 11}, "limit": 1}]})");
  EXPECT_THAT(GoOn('s', 1, more), HasSubstr(R"([{"_id":11},{"_id":12}])"));
  EXPECT_THAT(InSession('s', -1, more), StartsWith("50739: "));
  EXPECT_EQ(GoOn('s', 1, kCommit), "{}");
  EXPECT_THAT(InSession('s', -1, more), StartsWith("43: "));
}

TEST_F(TransactionCommandsTest, StatesAnswerAsMongodDoes) {
  EXPECT_EQ(
      GoOn('s', 1, kFind),
      "251: Given transaction number 1 does not match any in-progress transactions. The active "
      "transaction number is -1 (again)");
  EXPECT_THAT(GoOn('s', 1, kCommit), StartsWith("251: Given transaction number 1 "));
  EXPECT_THAT(Start('s', 2, kFind), HasSubstr("firstBatch"));
  EXPECT_EQ(Start('s', 2, kFind),
            "117: Only servers in a sharded cluster can start a new transaction at the active "
            "transaction number");
  EXPECT_THAT(
      Start('s', 1, kFind),
      AllOf(StartsWith("225: Cannot start transaction with { txnNumber: 1 } on session "),
            EndsWith("because a newer transaction with txnNumberAndRetryCounter { txnNumber: "
                     "2, txnRetryCounter: 0 } has already started on this session.")));
  EXPECT_THAT(GoOn('s', 3, kFind), HasSubstr("The active transaction number is 2"));
  EXPECT_EQ(GoOn('s', 2, kCommit), "{}");
  EXPECT_EQ(GoOn('s', 2, kFind), "256: Transaction with { txnNumber: 2 } has been committed.");
  EXPECT_EQ(GoOn('s', 2, kAbort), "256: Transaction with { txnNumber: 2 } has been committed.");
  EXPECT_EQ(InSession('s', 2, kIncrease),
            "217: Cannot retry a retryable write that has been converted into a transaction");
  EXPECT_THAT(InSession('s', 4, kIncrease), HasSubstr("nModified"));
  EXPECT_THAT(GoOn('s', 4, kFind), StartsWith("251: "));
  EXPECT_THAT(Start('s', 4, kFind), StartsWith("117: "));
  // A newer one ends the one before.
  EXPECT_THAT(Start('s', 5, kIncrease), HasSubstr("nModified"));
  EXPECT_THAT(Start('s', 6, kFind), HasSubstr("firstBatch"));
  EXPECT_EQ(Start('t', 1, kIncrease), R"({"n":1,"nModified":1})");
}

TEST_F(TransactionCommandsTest, WhatTransactionsMayNotHaveIsRefused) {
  EXPECT_EQ(Start('s', 1, R"({"count": "c", "$db": "d"})"),
            "263: Cannot run 'count' in a multi-document transaction. Please see "
            "http://dochub.mongodb.org/core/transaction-count for a recommended alternative.");
  EXPECT_EQ(Start('s', 1, R"({"drop": "c", "$db": "d"})"),
            "263: Cannot run 'drop' in a multi-document transaction.");
  EXPECT_EQ(Start('s', 1, R"({"ping": 1, "$db": "d"})"),
            "263: This command is not supported in transactions");
  EXPECT_EQ(Start('s', 1, R"({"find": "c", "$db": "local"})"),
            "263: Cannot run command against the 'local' database in a transaction.");
  EXPECT_EQ(Start('s', 1, kCommit), "263: Cannot start a transaction with a commit");
  EXPECT_EQ(Start('s', 1, R"({"killCursors": "c", "cursors": [], "$db": "d"})"),
            "263: Cannot run killCursors as the first operation in a multi-document transaction.");
  EXPECT_EQ(
      Start('s', 1, R"({"find": "c", "$db": "d", "readConcern": {"level": "linearizable"}})"),
      "72: The readConcern level must be either 'local' (default), 'majority' or 'snapshot' in "
      "order to run in a transaction");
  // None of these has begun one.
  EXPECT_THAT(GoOn('s', 1, kFind), HasSubstr("The active transaction number is -1"));
  EXPECT_THAT(Start('s', 1, kFind), HasSubstr("firstBatch"));
  EXPECT_EQ(
      GoOn('s', 1, R"({"insert": "c", "$db": "d", "documents": [{}], "writeConcern": {"w": 1}})"),
      "72: writeConcern is not allowed within a multi-statement transaction");
  EXPECT_EQ(GoOn('s', 1, R"({"find": "c", "$db": "d", "readConcern": {"level": "local"}})"),
            "72: Only the first command in a transaction may specify a readConcern");
  EXPECT_THAT(GoOn('s', 1, kFind), HasSubstr("firstBatch"));
  EXPECT_EQ(GoOn('s', 1, R"({"createIndexes": "c", "$db": "d",
                             "indexes": [{"key": {"v": 1}, "name": "v_1"}]})"),
            "263: Cannot create new indexes on existing collection d.c in a multi-document "
            "transaction.");
  EXPECT_THAT(GoOn('s', 1, kFind), StartsWith("251: "));
  EXPECT_EQ(Start('s', 2, R"({"aggregate": "c", "$db": "d", "cursor": {},
                              "pipeline": [{"$out": "x"}]})"),
            "263: $out cannot be used in a transaction");
  EXPECT_THAT(Reply(R"({"find": "c", "$db": "d", "startTransaction": true})"), StartsWith("72: "));
  EXPECT_EQ(Reply(R"({"commitTransaction": 1, "$db": "d"})"),
            "13: commitTransaction may only be run against the admin database.");
}

TEST_F(TransactionCommandsTest, NewCollectionsAndTheirIndexes) {
  EXPECT_THAT(Start('s', 1, R"({"create": "fresh", "$db": "d"})"), Not(HasSubstr(": ")));
  EXPECT_THAT(GoOn('s', 1, R"({"createIndexes": "fresh", "$db": "d",
                               "indexes": [{"key": {"v": 1}, "name": "v_1", "unique": true}]})"),
              HasSubstr("numIndexesAfter"));
  EXPECT_EQ(GoOn('s', 1, R"({"insert": "fresh", "$db": "d", "documents": [{"_id": 1, "v": 1}]})"),
            R"({"n":1})");
  EXPECT_EQ(GoOn('s', 1, R"({"createIndexes": "fresh", "$db": "d",
                             "indexes": [{"key": {"w": 1}, "name": "w_1"}]})"),
            "263: Cannot create new indexes on non-empty collection d.fresh in a multi-document "
            "transaction.");
  Start('s', 2, R"({"insert": "fresh", "$db": "d", "documents": [{"_id": 1, "v": 1}]})");
  EXPECT_EQ(GoOn('s', 2, kCommit), "{}");
  EXPECT_EQ(All("fresh"), R"([{"_id":1,"v":1}])");
}

TEST_F(TransactionCommandsTest, ATransactionEndsByItsAge) {
  Start('s', 1, kIncrease);
  EXPECT_EQ(Reply(R"({"setParameter": 1, "transactionLifetimeLimitSeconds": 5, "$db": "admin"})"),
            R"({"was":60})");
  server_.clock.Advance(std::chrono::seconds(6));
  sessions_.AbortOldTransactions();
  EXPECT_EQ(GoOn('s', 1, kFind),
            "251: Transaction with { txnNumber: 1 } has been aborted. (again)");
  EXPECT_EQ(Start('t', 1, kIncrease), R"({"n":1,"nModified":1})");
}

TEST_F(TransactionCommandsTest, ACommitIsRememberedOverARestart) {
  Start('s', 7, kIncrease);
  EXPECT_EQ(GoOn('s', 7, kCommit), "{}");
  // As a node that has just been started.
  sessions_.End(std::string(16, 's') + UserDigest(client_->owner()));
  EXPECT_EQ(GoOn('s', 7, kCommit), "{}");
  EXPECT_THAT(GoOn('s', 8, kCommit), StartsWith("251: "));
}

TEST_F(TransactionCommandsTest, SnapshotReadsOutsideTransactions) {
  constexpr auto kAt = R"({"find": "c", "$db": "d", "readConcern": {"level": "snapshot"}})";
  EXPECT_THAT(InSession('s', -1, kAt), HasSubstr("atClusterTime"));
}

}  // namespace
}  // namespace orrery::mongo
