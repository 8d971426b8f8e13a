#include "api/mongo/language/pipeline/pipeline.h"

#include <gtest/gtest.h>

#include "api/mongo/language/pipeline/stage.h"
#include "model/document/json.h"

namespace orrery::mongo {
namespace {

// The rows of a pipeline over some documents, one JSON text a line; or the error.
std::string RunStages(std::vector<std::string> stages, std::vector<std::string> documents) {
  std::vector<model::Document> parsed;
  for (const std::string& stage : stages) parsed.push_back(model::ParseJson(stage).value());
  const Answer<PipelinePtr> pipeline = Pipeline::Parse(parsed, std::make_shared<QueryContext>());
  if (!pipeline.has_value()) {
    return std::to_string(pipeline.error().code) + " " + pipeline.error().message;
  }
  std::vector<Row> rows;
  for (const std::string& document : documents) {
    rows.push_back(Row{model::ParseJson(document).value()});
  }
  const std::unique_ptr<RowSource> source = (*pipeline)->Open(RowsOf(std::move(rows)), nullptr);
  std::string out;
  while (true) {
    const Answer<std::optional<Row>> row = source->Next();
    if (!row.has_value()) return std::to_string(row.error().code) + " " + row.error().message;
    if (!row->has_value()) return out;
    out += model::ToJson((*row)->document) + "\n";
  }
}

TEST(Pipeline, GroupsAndSorts) {
  EXPECT_EQ(
      RunStages({R"({"$group": {"_id": "$k", "n": {"$sum": "$v"}}})", R"({"$sort": {"_id": 1}})"},
                {R"({"k": "b", "v": 1})", R"({"k": "a", "v": 2})", R"({"k": "b", "v": 3})"}),
      "{\"_id\":\"a\",\"n\":2}\n{\"_id\":\"b\",\"n\":4}\n");
}

TEST(Pipeline, UnwindsAndCounts) {
  EXPECT_EQ(RunStages({R"({"$unwind": "$a"})"}, {R"({"_id": 1, "a": [1, 2]})", R"({"_id": 2})"}),
            "{\"_id\":1,\"a\":1}\n{\"_id\":1,\"a\":2}\n");
  EXPECT_EQ(RunStages({R"({"$count": "n"})"}, {R"({"a": 1})", R"({"a": 2})"}), "{\"n\":2}\n");
  EXPECT_EQ(RunStages({R"({"$count": "n"})"}, {}), "");
}

TEST(Pipeline, UnwindKeepsWhatIsNoObjectOnTheWay) {
  EXPECT_EQ(RunStages({R"({"$unwind": {"path": "$c.a", "preserveNullAndEmptyArrays": true}})"},
                      {R"({"_id": 1, "c": "x"})"}),
            "{\"_id\":1,\"c\":\"x\"}\n");
}

TEST(Pipeline, AddsFieldsIntoElementsOfArrays) {
  EXPECT_EQ(RunStages({R"({"$set": {"v": {"x": 1}}})"}, {R"({"v": [1, 2]})"}),
            "{\"v\":[{\"x\":1},{\"x\":1}]}\n");
}

TEST(Pipeline, ProjectsInclusionAndExclusion) {
  EXPECT_EQ(RunStages({R"({"$project": {"a.b": 1}})"},
                      {R"({"_id": 1, "a": [{"b": 1, "c": 2}, {"c": 1}, 5]})"}),
            "{\"_id\":1,\"a\":[{\"b\":1},{}]}\n");
  EXPECT_EQ(RunStages({R"({"$unset": "a.b"})"}, {R"({"a": {"b": 1, "c": 2}})"}),
            "{\"a\":{\"c\":2}}\n");
}

TEST(Pipeline, ExposesWhatItBeginsWith) {
  const PipelinePtr pipeline = Pipeline::Parse({model::ParseJson(R"({"$match": {"a": 1}})").value(),
                                                model::ParseJson(R"({"$match": {"b": 2}})").value(),
                                                model::ParseJson(R"({"$sort": {"c": 1}})").value(),
                                                model::ParseJson(R"({"$limit": 5})").value(),
                                                model::ParseJson(R"({"$count": "n"})").value()},
                                               std::make_shared<QueryContext>())
                                   .value();
  EXPECT_EQ(pipeline->prefix().stages, 4U);
  EXPECT_EQ(pipeline->prefix().limit, 5);
  EXPECT_EQ(model::ToJson(pipeline->prefix().filter->filter()), R"({"$and":[{"a":1},{"b":2}]})");
}

TEST(Pipeline, SaysWhatIsWrongInMongoDbsWords) {
  EXPECT_EQ(RunStages({R"({"$foo": {}})"}, {}), "40324 Unrecognized pipeline stage name: '$foo'");
  EXPECT_EQ(RunStages({R"({"$group": {}})"}, {}),
            "15955 a group specification must include an _id");
  EXPECT_EQ(RunStages({R"({"$limit": 0})"}, {}), "15958 the limit must be positive");
}

}  // namespace
}  // namespace orrery::mongo
