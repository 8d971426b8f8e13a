#include <gmock/gmock.h>

#include "api/mongo/command/command_testing.h"
#include "api/mongo/executor/aggregate/out_writer.h"

namespace orrery::mongo {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class RenameCommandTest : public CommandTest {
 protected:
  void Fill(std::string_view collection, std::string_view documents) {
    const std::string reply =
        Reply(R"({"insert": ")" + std::string(collection) + R"(", "$db": "d", "documents": )" +
              std::string(documents) + "}");
    EXPECT_THAT(reply, Not(HasSubstr("writeErrors"))) << reply;
  }
  std::string Rename(std::string_view from, std::string_view to, std::string_view more = "") {
    return Reply(R"({"renameCollection": ")" + std::string(from) + R"(", "$db": "admin", "to": ")" +
                 std::string(to) + "\"" + std::string(more) + "}");
  }
};

TEST_F(RenameCommandTest, KeepsDocumentsAndIndexes) {
  Fill("a", R"([{"_id": 1, "x": 5}])");
  Reply(R"({"createIndexes": "a", "$db": "d", "indexes": [{"key": {"x": 1}, "name": "x_1"}]})");
  EXPECT_EQ(Rename("d.a", "d.b"), "{}");
  EXPECT_EQ(Batch(R"({"find": "a", "$db": "d"})"), "[]");
  EXPECT_EQ(Batch(R"({"find": "b", "$db": "d", "filter": {"x": 5}, "hint": "x_1"})"),
            R"([{"_id":1,"x":5}])");
  EXPECT_EQ(Rename("d.b", "other.c"), "{}");
  EXPECT_EQ(Batch(R"({"find": "c", "$db": "other"})"), R"([{"_id":1,"x":5}])");
  EXPECT_EQ(Batch(R"({"listCollections": 1, "nameOnly": true, "$db": "d"})"), "[]");
}

TEST_F(RenameCommandTest, ReplacesOnlyWhenToldTo) {
  Fill("a", R"([{"_id": 1}])");
  Fill("b", R"([{"_id": 2}])");
  EXPECT_EQ(Rename("d.a", "d.b"), "48: target namespace exists");
  EXPECT_EQ(Rename("d.a", "d.b", R"(, "dropTarget": true)"), "{}");
  EXPECT_EQ(Batch(R"({"find": "b", "$db": "d"})"), R"([{"_id":1}])");
}

TEST_F(RenameCommandTest, RefusesWhatIsNoName) {
  EXPECT_THAT(Rename("d.none", "d.b"), StartsWith("26: "));
  Fill("a", R"([{"_id": 1}])");
  EXPECT_THAT(Rename("d.a", "d.a"), StartsWith("20: "));
  EXPECT_THAT(Rename("d.a", "d"), StartsWith("73: "));
  EXPECT_THAT(Rename("d.a", "d.$x"), StartsWith("20: "));
  EXPECT_THAT(Reply(R"({"renameCollection": "d.a", "$db": "d", "to": "d.b"})"), StartsWith("13: "));
}

TEST_F(RenameCommandTest, OutReplacesTheTargetAndKeepsItsIndexes) {
  Fill("a", R"([{"_id": 1, "x": 1}, {"_id": 2, "x": 2}])");
  Fill("o", R"([{"_id": 9, "x": 9}])");
  Reply(R"({"createIndexes": "o", "$db": "d", "indexes": [{"key": {"x": 1}, "name": "x_1"}]})");
  EXPECT_EQ(Batch(R"({"aggregate": "a", "$db": "d", "cursor": {},
                      "pipeline": [{"$match": {"x": 2}}, {"$out": "o"}]})"),
            "[]");
  EXPECT_EQ(Batch(R"({"find": "o", "$db": "d", "filter": {"x": {"$gt": 0}}, "hint": "x_1"})"),
            R"([{"_id":2,"x":2}])");
  // Into what it reads.
  Batch(R"({"aggregate": "a", "$db": "d", "cursor": {},
            "pipeline": [{"$set": {"x": 7}}, {"$out": "a"}]})");
  EXPECT_EQ(Batch(R"({"find": "a", "$db": "d"})"), R"([{"_id":1,"x":7},{"_id":2,"x":7}])");
}

TEST_F(RenameCommandTest, AFailedOutLeavesTheTargetAndNothingElse) {
  Fill("a", R"([{"_id": 1, "x": 1}, {"_id": 2, "x": 1}])");
  Fill("o", R"([{"_id": 9}])");
  EXPECT_THAT(Batch(R"({"aggregate": "a", "$db": "d", "cursor": {},
                        "pipeline": [{"$project": {"_id": "$x"}}, {"$out": "o"}]})"),
              StartsWith("11000: "));
  EXPECT_EQ(Batch(R"({"find": "o", "$db": "d"})"), R"([{"_id":9}])");
  EXPECT_EQ(Batch(R"({"listCollections": 1, "$db": "d", "filter": {"name": {"$regex": "^tmp"}}})"),
            "[]");
}

TEST_F(RenameCommandTest, AbandonedTargetsOfOutAreDropped) {
  Fill("tmp.agg_out.000000010000000000000000", R"([{"_id": 1}])");
  Fill("tmp.agg_out.mine", R"([{"_id": 1}])");
  DropAbandonedOut(collections_, 3'600'000);
  EXPECT_EQ(collections_.ListCollections("d").size(), 2u);
  DropAbandonedOut(collections_, int64_t{2} * 24 * 3'600'000);
  ASSERT_EQ(collections_.ListCollections("d").size(), 1u);
  EXPECT_EQ(collections_.ListCollections("d").front()->name.collection, "tmp.agg_out.mine");
}

}  // namespace
}  // namespace orrery::mongo
