#include <gtest/gtest.h>

#include <random>

#include "api/mongo/language/pipeline/pipeline.h"
#include "api/mongo/language/pipeline/stage.h"
#include "model/document/json.h"

namespace orrery::mongo {
namespace {

// One foreign collection in memory, and how often it was read.
class ForeignDocuments final : public CollectionAccess {
 public:
  explicit ForeignDocuments(std::vector<std::string> documents)
      : documents_(std::move(documents)) {}

  Answer<ResolvedCollection> Resolve(const CollectionName& name) override {
    return ResolvedCollection{.name = name, .pipeline = {}};
  }
  Answer<std::unique_ptr<RowSource>> Read(const CollectionName&, MatcherPtr filter) override {
    ++reads;
    std::vector<Row> rows;
    for (const std::string& text : documents_) {
      Row row{model::ParseJson(text).value()};
      if (filter == nullptr || filter->Matches(row.document).value()) rows.push_back(row);
    }
    return RowsOf(std::move(rows));
  }
  Answer<std::unique_ptr<OutTarget>> OpenOut(const CollectionName&) override { return Never(); }
  Answer<bool> AreUnique(const CollectionName&, const std::vector<std::string>&) override {
    return Never();
  }
  Answer<std::vector<std::string>> MergeFields(const CollectionName&) override { return Never(); }
  Outcome Merge(const CollectionName&, MergeWrite) override { return Never(); }
  model::Value NewId() override { return model::Value::Null(); }
  Answer<std::unique_ptr<RowSource>> Special(const std::string&, const model::Value&) override {
    return Never();
  }

  int reads = 0;

 private:
  static std::unexpected<MongoError> Never() {
    return Refuse(ErrorCode::kInternalError, "no part of $lookup");
  }
  const std::vector<std::string> documents_;
};

std::string Joined(const std::vector<std::string>& stages, const std::vector<std::string>& locals,
                   ForeignDocuments& foreign) {
  std::vector<model::Document> parsed;
  for (const std::string& stage : stages) parsed.push_back(model::ParseJson(stage).value());
  const PipelinePtr pipeline = Pipeline::Parse(parsed, std::make_shared<QueryContext>()).value();
  std::vector<Row> rows;
  for (const std::string& local : locals) rows.push_back(Row{model::ParseJson(local).value()});
  const std::unique_ptr<RowSource> source = pipeline->Open(RowsOf(std::move(rows)), &foreign);
  std::string out;
  while (true) {
    const Answer<std::optional<Row>> row = source->Next();
    if (!row.has_value()) return row.error().message;
    if (!row->has_value()) return out;
    out += model::ToJson((*row)->document) + "\n";
  }
}

constexpr const char* kEquality =
    R"({"$lookup": {"from": "f", "localField": "k", "foreignField": "k", "as": "j"}})";
// An equality that also has a pipeline is looked up row by row.
constexpr const char* kRowByRow =
    R"({"$lookup": {"from": "f", "localField": "k", "foreignField": "k", "pipeline": [], "as": "j"}})";

TEST(LookupStage, ManyRowsAreJoinedByFewReads) {
  ForeignDocuments foreign({R"({"_id":1,"k":3})", R"({"_id":2,"k":299})"});
  std::vector<std::string> locals;
  for (int i = 0; i < 300; ++i) locals.push_back(R"({"k":)" + std::to_string(i) + "}");
  const std::string rows =
      Joined({kEquality, R"({"$match": {"j": {"$ne": []}}})"}, locals, foreign);
  EXPECT_EQ(rows,
            "{\"k\":3,\"j\":[{\"_id\":1,\"k\":3}]}\n{\"k\":299,\"j\":[{\"_id\":2,\"k\":299}]}\n");
  EXPECT_LE(foreign.reads, 6);
}

TEST(LookupStage, ALimitBehindItReadsLittle) {
  ForeignDocuments foreign({R"({"_id":1,"k":0})"});
  const std::vector<std::string> locals(1'000, R"({"k":0})");
  EXPECT_EQ(Joined({kEquality, R"({"$limit": 1})"}, locals, foreign),
            "{\"k\":0,\"j\":[{\"_id\":1,\"k\":0}]}\n");
  EXPECT_EQ(foreign.reads, 1);
}

TEST(LookupStage, DocumentsOfABatchThatAreTooManyAreReadInHalves) {
  const std::string text(size_t{3} << 20, 'x');
  std::vector<std::string> documents;
  std::vector<std::string> locals;
  for (int i = 0; i < 12; ++i) {
    documents.push_back(R"({"k":)" + std::to_string(i) + R"(,"t":")" + text + R"("})");
    locals.push_back(R"({"k":)" + std::to_string(i) + "}");
  }
  ForeignDocuments foreign(std::move(documents));
  const std::string rows =
      Joined({kEquality, R"({"$project": {"n": {"$size": "$j"}, "k": {"$first": "$j.k"}}})"},
             locals, foreign);
  std::string expected;
  for (int i = 0; i < 12; ++i) expected += R"({"n":1,"k":)" + std::to_string(i) + "}\n";
  EXPECT_EQ(rows, expected);
}

// Arrays, nulls, missing fields and numbers of two types on both sides.
TEST(LookupStage, BatchesJoinAsSingleRowsDo) {
  std::mt19937 random(11);
  const auto some_value = [&]() -> std::string {
    switch (random() % 7) {
      case 0:
        return R"({"x":1})";
      case 1:
        return R"({"k":null})";
      case 2:
        return R"({"k":[]})";
      case 3:
        return R"({"k":[1,[2],)" + std::to_string(random() % 3) + "]}";
      case 4:
        return R"({"k":)" + std::to_string(random() % 3) + ".0}";
      case 5:
        return R"({"k":{"a":)" + std::to_string(random() % 2) + "}}";
      default:
        return R"({"k":)" + std::to_string(random() % 4) + "}";
    }
  };
  for (int round = 0; round < 50; ++round) {
    std::vector<std::string> documents(random() % 12);
    std::vector<std::string> locals(random() % 12);
    for (std::string& document : documents) document = some_value();
    for (std::string& local : locals) local = some_value();
    ForeignDocuments foreign(documents);
    EXPECT_EQ(Joined({kEquality}, locals, foreign), Joined({kRowByRow}, locals, foreign));
  }
}

}  // namespace
}  // namespace orrery::mongo
