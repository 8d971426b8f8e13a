#include "api/mongo/language/update/update.h"

#include <gtest/gtest.h>

#include "model/document/json.h"

namespace orrery::mongo {
namespace {

model::Document UpdatedDocument(std::string_view json) { return model::ParseJson(json).value(); }

Answer<UpdateOutcome> Updated(std::string_view update, std::string_view document,
                              std::vector<model::Document> filters = {},
                              MatchDetails details = {}) {
  const auto context = std::make_shared<QueryContext>();
  MONGO_ASSIGN(const UpdatePtr parsed,
               Update::Parse(UpdatedDocument(update).view().ToObject(), filters, context));
  return parsed->Apply(UpdatedDocument(document), details, {});
}

std::string After(std::string_view update, std::string_view document,
                  std::vector<model::Document> filters = {}, MatchDetails details = {}) {
  const Answer<UpdateOutcome> outcome = Updated(update, document, std::move(filters), details);
  if (!outcome.has_value()) {
    return std::to_string(outcome.error().code) + " " + outcome.error().message;
  }
  return model::ToJson(outcome->document);
}

TEST(Update, AppendsNewFieldsInOrderOfTheirNames) {
  EXPECT_EQ(After(R"({"$set": {"d": 1, "c": 2}})", R"({"_id": 1})"), R"({"_id":1,"c":2,"d":1})");
}

TEST(Update, PadsArraysAndKeepsPlacesOfRemovedElements) {
  EXPECT_EQ(After(R"({"$set": {"a.3": 9}})", R"({"a": [1]})"), R"({"a":[1,null,null,9]})");
  EXPECT_EQ(After(R"({"$unset": {"a.0": 1}})", R"({"a": [1, 2]})"), R"({"a":[null,2]})");
}

TEST(Update, PushInsertsSortsThenSlices) {
  EXPECT_EQ(
      After(R"({"$push": {"a": {"$each": [3, 1], "$sort": 1, "$slice": 2}}})", R"({"a": [2]})"),
      R"({"a":[1,2]})");
}

TEST(Update, PullsByQueryOnElements) {
  EXPECT_EQ(After(R"({"$pull": {"a": {"$gte": 2}}})", R"({"a": [1, 2, 3]})"), R"({"a":[1]})");
  EXPECT_EQ(After(R"({"$pull": {"a": {"x": 2}}})", R"({"a": [{"x": 2, "y": 1}, {"x": 3}]})"),
            R"({"a":[{"x":3}]})");
}

TEST(Update, ReachesElementsByPositionAndFilter) {
  EXPECT_EQ(After(R"({"$set": {"a.$": 9}})", R"({"a": [1, 2]})", {}, {.array_index = 1}),
            R"({"a":[1,9]})");
  EXPECT_EQ(After(R"({"$inc": {"a.$[].x": 1}})", R"({"a": [{"x": 1}, {"x": 2}]})"),
            R"({"a":[{"x":2},{"x":3}]})");
  EXPECT_EQ(After(R"({"$set": {"a.$[e]": 0}})", R"({"a": [1, 5]})",
                  {UpdatedDocument(R"({"e": {"$gt": 3}})")}),
            R"({"a":[1,0]})");
}

TEST(Update, SaysWhatIsWrongInMongoDbsWords) {
  EXPECT_EQ(After(R"({"$set": {"x": 1}, "$inc": {"x": 1}})", "{}"),
            "40 Updating the path 'x' would create a conflict at 'x'");
  EXPECT_EQ(After(R"({"$set": {"_id": 2}})", R"({"_id": 1})"),
            "66 Performing an update on the path '_id' would modify the immutable field '_id'");
  EXPECT_EQ(After(R"({"$set": {"s.q": 2}})", R"({"s": "x"})"),
            "28 Cannot create field 'q' in element {s: \"x\"}");
  EXPECT_EQ(After(R"({"$foo": {"s": 2}})", "{}"),
            "9 Unknown modifier: $foo. Expected a valid update modifier or pipeline-style update "
            "specified as an array");
}

TEST(Update, RenamesFields) {
  EXPECT_EQ(After(R"({"$rename": {"a": "b"}})", R"({"a": 1, "b": 2})"), R"({"b":1})");
}

TEST(Update, RenamesNothingWhereThereIsNothing) {
  EXPECT_EQ(After(R"({"$rename": {"a.0": "c.b"}})", R"({"a": [], "c": 5})"), R"({"a":[],"c":5})");
  EXPECT_EQ(After(R"({"$rename": {"a.x.y": "c.b"}})", R"({"a": {}, "c": 5})"), R"({"a":{},"c":5})");
  EXPECT_EQ(After(R"({"$rename": {"a.b": "c"}})", R"({"a": 5})"),
            "28 cannot use the part (a of a.b) to traverse the element ({a: 5})");
  EXPECT_EQ(After(R"({"$rename": {"a.b": "c"}})", R"({"a": []})"),
            "28 cannot use the part (a of a.b) to traverse the element ({a: []})");
  EXPECT_EQ(After(R"({"$rename": {"a.0": "c"}})", R"({"_id": 1, "a": [5]})"),
            "2 The source field cannot be an array element, 'a.0' in doc with _id: 1 has an array "
            "field called 'a'");
  EXPECT_EQ(After(R"({"$rename": {"a": "c.b"}})", R"({"a": 1, "c": 5})"),
            "28 Cannot create field 'b' in element {c: 5}");
}

TEST(Update, RenameFindsConflictsBeforeItsOwnMistakes) {
  EXPECT_EQ(After(R"({"$rename": {"c": "a.a", "c.0": "c"}})", "{}"),
            "40 Updating the path 'c.0' would create a conflict at 'c'");
}

TEST(Update, PullTakesNoNot) {
  EXPECT_EQ(After(R"({"$pull": {"a": {"$not": {"$gt": 1}}}})", R"({"a": [1]})"),
            "2 unknown top level operator: $not. If you are trying to negate an entire expression, "
            "use $nor.");
}

TEST(Update, BuildsTheDocumentOfAnUpsertFromEqualities) {
  const auto context = std::make_shared<QueryContext>();
  const MatcherPtr filter =
      Matcher::Parse(UpdatedDocument(R"({"z": 1, "a.b": {"$eq": 2}, "c": {"$gt": 5}, "_id": 7})"),
                     context)
          .value();
  const UpdatePtr update =
      Update::Parse(
          UpdatedDocument(R"({"$inc": {"z": 1}, "$setOnInsert": {"n": 1}})").view().ToObject(), {},
          context)
          .value();
  EXPECT_EQ(model::ToJson(update->NewDocument(*filter, model::Value::Int32(1), {}).value()),
            R"({"_id":7,"a":{"b":2},"z":2,"n":1})");
}

}  // namespace
}  // namespace orrery::mongo
