#include <gmock/gmock.h>

#include "api/mongo/command/command_testing.h"

namespace orrery::mongo {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class CollectionCommandTest : public CommandTest {
 protected:
  void Insert(std::string_view documents) {
    const std::string reply =
        Reply(R"({"insert": "c", "$db": "d", "documents": )" + std::string(documents) + "}");
    EXPECT_THAT(reply, Not(HasSubstr("writeErrors"))) << reply;
  }
};

TEST_F(CollectionCommandTest, IndexesAreMadeListedAndDropped) {
  Insert(R"([{"_id": 1, "a": 5}, {"_id": 2, "a": 4}])");
  EXPECT_THAT(Reply(R"({"createIndexes": "c", "$db": "d",
                        "indexes": [{"key": {"a": 1}, "name": "a_1"}]})"),
              HasSubstr(R"("numIndexesAfter":2)"));
  EXPECT_THAT(Batch(R"({"listIndexes": "c", "$db": "d"})"), HasSubstr(R"("name":"a_1")"));
  EXPECT_EQ(Batch(R"({"find": "c", "$db": "d", "filter": {"a": 4}})"), R"([{"_id":2,"a":4}])");
  EXPECT_THAT(Reply(R"({"dropIndexes": "c", "$db": "d", "index": "none"})"), StartsWith("27: "));
  EXPECT_THAT(Reply(R"({"dropIndexes": "c", "$db": "d", "index": "a_1"})"),
              HasSubstr(R"("nIndexesWas":2)"));
}

TEST_F(CollectionCommandTest, CollectionsAreListedAndDropped) {
  Insert(R"([{"_id": 1}])");
  EXPECT_THAT(Batch(R"({"listCollections": 1, "$db": "d"})"), HasSubstr(R"("name":"c")"));
  EXPECT_THAT(Reply(R"({"listDatabases": 1, "$db": "admin"})"), HasSubstr(R"("name":"d")"));
  EXPECT_THAT(Reply(R"({"drop": "c", "$db": "d"})"), HasSubstr(R"("ns":"d.c")"));
  EXPECT_EQ(Batch(R"({"listCollections": 1, "$db": "d"})"), "[]");
}

TEST_F(CollectionCommandTest, ValidatorsRefuseDocuments) {
  Reply(R"({"create": "c", "$db": "d", "validator": {"a": {"$gt": 0}}})");
  Insert(R"([{"_id": 1, "a": 1}])");
  EXPECT_THAT(Reply(R"({"insert": "c", "$db": "d", "documents": [{"_id": 2, "a": 0}]})"),
              HasSubstr(R"("code":121)"));
}

TEST_F(CollectionCommandTest, CollationsDecideWhatIsEqual) {
  Insert(R"([{"_id": 1, "a": "straw"}, {"_id": 2, "a": "STRAW"}, {"_id": 3, "a": "hay"}])");
  EXPECT_EQ(Batch(R"({"find": "c", "$db": "d", "filter": {"a": "Straw"},
                      "collation": {"locale": "en", "strength": 2}})"),
            R"([{"_id":1,"a":"straw"},{"_id":2,"a":"STRAW"}])");
  EXPECT_THAT(Batch(R"({"find": "c", "$db": "d", "collation": {"locale": "xx"}})"),
              StartsWith("2: "));
}

TEST_F(CollectionCommandTest, FindAndModifyAnswersTheNewDocument) {
  Insert(R"([{"_id": 1, "a": 1}])");
  EXPECT_THAT(Reply(R"({"findAndModify": "c", "$db": "d", "query": {"_id": 1},
                        "update": {"$set": {"a": 2}}, "new": true})"),
              HasSubstr(R"("value":{"_id":1,"a":2})"));
  EXPECT_THAT(Reply(R"({"findAndModify": "c", "$db": "d", "query": {"_id": 9},
                        "update": {"$set": {"a": 3}}, "upsert": true})"),
              HasSubstr(R"("upserted":9)"));
}

TEST_F(CollectionCommandTest, CountAndDistinctLookAtMatches) {
  Insert(R"([{"_id": 1, "a": 1}, {"_id": 2, "a": 1}, {"_id": 3, "a": 2}])");
  EXPECT_EQ(Reply(R"({"count": "c", "$db": "d", "query": {"a": 1}})"), R"({"n":2})");
  EXPECT_EQ(Reply(R"({"distinct": "c", "$db": "d", "key": "a"})"), R"({"values":[1,2]})");
}

}  // namespace
}  // namespace orrery::mongo
