// Unique indexes where they meet shard keys and writes that are repeated.
#include <gmock/gmock.h>

#include "api/mongo/command/command_testing.h"

namespace orrery::mongo {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class UniqueIndexCommandTest : public CommandTest {
 protected:
  std::string All() { return Batch(R"({"find": "c", "$db": "d", "sort": {"_id": 1}})"); }
  std::string MakeUnique(std::string_view key) {
    return Reply(R"({"createIndexes": "c", "$db": "d", "indexes": [{"key": )" + std::string(key) +
                 R"(, "name": "u", "unique": true}]})");
  }
};

TEST_F(UniqueIndexCommandTest, OfAShardedCollectionBeginsWithTheShardKey) {
  Reply(R"({"shardCollection": "d.c", "key": {"k": "hashed"}, "$db": "admin"})");
  EXPECT_THAT(MakeUnique(R"({"a": 1})"),
              StartsWith("67: cannot create unique index over { a: 1 } with shard key pattern "
                         "{ k: \"hashed\" }"));
  EXPECT_THAT(MakeUnique(R"({"a": 1, "k": 1})"), StartsWith("67: "));
  EXPECT_THAT(MakeUnique(R"({"k": 1, "a": 1})"), HasSubstr(R"("numIndexesAfter":2)"));
  EXPECT_THAT(Reply(R"({"insert": "c", "$db": "d", "documents": [
                         {"_id": 1, "k": 1, "a": 1}, {"_id": 2, "k": 2, "a": 1}]})"),
              HasSubstr(R"({"n":2)"));
  EXPECT_THAT(Reply(R"({"insert": "c", "$db": "d", "documents": [{"_id": 3, "k": 2, "a": 1}]})"),
              HasSubstr("dup key: { k: 2, a: 1 }"));
}

TEST_F(UniqueIndexCommandTest, RepeatedWritesAreStillMadeOnce) {
  MakeUnique(R"({"a": 1})");
  constexpr auto kInsert = R"({"insert": "c", "$db": "d", "ordered": false, "documents": [
                                {"_id": 1, "a": 1}, {"_id": 2, "a": 1}, {"_id": 3, "a": 3}]})";
  for (const char* retried : {"", R"("retriedStmtIds":[0,2])"}) {
    const std::string reply = InSession('s', 1, kInsert);
    EXPECT_THAT(reply, HasSubstr(R"("n":2)"));
    EXPECT_THAT(reply, HasSubstr("dup key: { a: 1 }"));
    EXPECT_THAT(reply, HasSubstr(retried));
  }
  EXPECT_EQ(All(), R"([{"_id":1,"a":1},{"_id":3,"a":3}])");
  // What was refused leaves nothing, and is tried again.
  constexpr auto kUpdate = R"({"update": "c", "$db": "d", "updates": [
                                {"q": {"_id": 3}, "u": {"$set": {"a": 1}, "$inc": {"n": 1}}}]})";
  EXPECT_THAT(InSession('s', 2, kUpdate), HasSubstr(R"("code":11000)"));
  Reply(R"({"delete": "c", "$db": "d", "deletes": [{"q": {"_id": 1}, "limit": 1}]})");
  EXPECT_EQ(InSession('s', 2, kUpdate), R"({"n":1,"nModified":1})");
  EXPECT_EQ(InSession('s', 2, kUpdate), R"({"n":1,"nModified":1,"retriedStmtIds":[0]})");
  EXPECT_EQ(All(), R"([{"_id":3,"a":1,"n":1}])");
}

TEST_F(UniqueIndexCommandTest, AFailedBuildLeavesTheCollectionAsItWas) {
  Reply(R"({"insert": "c", "$db": "d", "documents": [{"_id": 1, "a": 1}, {"_id": 2, "a": 1}]})");
  EXPECT_THAT(MakeUnique(R"({"a": 1})"), StartsWith("11000: Index build failed: "));
  EXPECT_THAT(Reply(R"({"listIndexes": "c", "$db": "d"})"), Not(HasSubstr(R"("name":"u")")));
  EXPECT_THAT(Reply(R"({"insert": "c", "$db": "d", "documents": [{"_id": 3, "a": 1}]})"),
              HasSubstr(R"("n":1)"));
  Reply(R"({"delete": "c", "$db": "d", "deletes": [{"q": {"_id": {"$gt": 1}}, "limit": 0}]})");
  EXPECT_THAT(MakeUnique(R"({"a": 1})"), HasSubstr(R"("numIndexesAfter":2)"));
  EXPECT_THAT(Reply(R"({"insert": "c", "$db": "d", "documents": [{"_id": 3, "a": 1}]})"),
              HasSubstr("dup key: { a: 1 }"));
}

TEST_F(UniqueIndexCommandTest, AnUpsertFindsWhatAnotherHasMade) {
  MakeUnique(R"({"a": 1})");
  constexpr auto kUpsert = R"({"update": "c", "$db": "d", "updates": [
      {"q": {"a": 5}, "u": {"$inc": {"n": 1}, "$setOnInsert": {"_id": 7}}, "upsert": true}]})";
  EXPECT_THAT(Reply(kUpsert), HasSubstr(R"("upserted":[{"index":0,"_id":7}])"));
  EXPECT_EQ(Reply(kUpsert), R"({"n":1,"nModified":1})");
  EXPECT_EQ(All(), R"([{"_id":7,"a":5,"n":2}])");
}

}  // namespace
}  // namespace orrery::mongo
