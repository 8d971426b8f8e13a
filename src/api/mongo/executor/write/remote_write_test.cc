// Writes from one node of a cluster to documents of another.
#include <gtest/gtest.h>

#include "api/mongo/catalog/capped_form.h"
#include "api/mongo/catalog/collection_catalog.h"
#include "api/mongo/executor/write/collection_writer.h"
#include "api/mongo/language/script_runner.h"
#include "gateway/remote/cluster_testing.h"
#include "model/document/json.h"

namespace orrery::mongo {
namespace {

using model::Value;

constexpr int64_t kRate = 10'000;
constexpr int kKeys = 24;

model::Document Json(std::string_view text) { return model::ParseJson(text).value(); }

// Knows one function: whether `this` has an even `_id`. As an expression it gives its argument
// back.
class EvenIds final : public ScriptRunner {
 public:
  Answer<Value> Call(const std::string& /*body*/, std::span<const Value> arguments,
                     const Value* self) override {
    ++calls;
    if (self == nullptr) return arguments.front();
    return Value::Bool(self->Find("_id")->AsInteger() % 2 == 0);
  }
  Answer<Value> Fold(const std::string& /*body*/, const Value& first,
                     std::span<const Value> /*lists*/) override {
    return first;
  }
  int calls = 0;
};

class RemoteWriteTest : public testing::Test {
 protected:
  RemoteWriteTest() : cluster_(Limits()) {
    CollectionCatalog catalog(cluster_.core(1).gateway(),
                              [n = uint64_t{1}]() mutable { return n++; });
    EXPECT_TRUE(catalog
                    .Create({.name = {"db", "spread"},
                             .shard_key = "k",
                             .throughput = partition::ThroughputSettings::Manual(6 * kRate)})
                    .has_value());
    for (const char* name : {"ring1", "ring2"}) {
      EXPECT_TRUE(catalog
                      .Create({.name = {"db", name},
                               .options = Json(R"({"capped": true, "size": 4096, "max": 5})"),
                               .throughput = partition::ThroughputSettings::Manual(kRate)})
                      .has_value());
    }
    InsertProgram::Register(cluster_.programs);
    ChangeProgram::Register(cluster_.programs);
    cluster_.Spread(2);
  }

  static partition::Limits Limits() {
    partition::Limits limits;
    limits.physical_partition_rate_max = kRate;
    return limits;
  }
  CollectionPtr At(uint64_t node, std::string_view name) {
    return ReadCollection(cluster_.Find(node, "db", name));
  }
  CollectionWriter Writer() {
    return {{.gateway = cluster_.core(1).gateway(), .new_id = [] { return Value::Int32(-1); }},
            state_};
  }
  void InsertKeys() {
    std::vector<model::Document> documents;
    for (int i = 0; i < kKeys; ++i)
      documents.push_back(
          Json(R"({"_id": )" + std::to_string(i) + R"(, "k": )" + std::to_string(i) + "}"));
    InsertRequest request{.collection = At(1, "spread"), .documents = {}};
    for (const model::Document& document : documents) request.documents.push_back(document.view());
    const auto done = Writer().Insert(request);
    ASSERT_TRUE(done.has_value()) << done.error().message;
    ASSERT_TRUE(done->failures.empty()) << done->failures.front().error.message;
  }
  std::vector<std::string> Rows(std::string_view name, bool backwards = false) {
    ScanRequest request{.collection = At(1, name), .filter = nullptr};
    request.natural_backwards = backwards;
    CollectionScan scan(cluster_.core(1).gateway(), std::move(request), state_);
    std::vector<std::string> rows;
    while (true) {
      auto row = scan.Next();
      EXPECT_TRUE(row.has_value());
      if (!row.has_value() || !row->has_value()) return rows;
      rows.push_back(model::ToJson((*row)->document));
    }
  }

  gateway::TestCluster cluster_;
  const std::shared_ptr<RunState> state_ = std::make_shared<RunState>();
};

TEST_F(RemoteWriteTest, MergesTravel) {
  InsertKeys();
  const auto context = std::make_shared<QueryContext>();
  const Value source =
      Json(R"({"p": [{"$set": {"new": "$$new.v", "more": "$$more"}}]})").view().Get("p");
  auto with_variables = std::make_shared<QueryContext>();
  with_variables->variables = {{"new", Json(R"({"v": "$literal"})").view().ToObject()},
                               {"more", Value::Int32(7)}};
  const auto update = Update::Parse(source, {}, with_variables);
  ASSERT_TRUE(update.has_value());
  const size_t before = cluster_.peers.Calls(cluster::PeerMethod::kRunProgram);
  for (int i = 0; i < kKeys; ++i) {
    const std::string n = std::to_string(i);
    auto filter =
        Matcher::Parse(Json(R"({"_id": {"$eq": )" + n + R"(}, "k": {"$eq": )" + n + "}}"), context);
    ChangeRequest request;
    request.collection = At(1, "spread");
    request.upserts = true;
    request.statement = WriteStatement::Of(*filter, *update, source, with_variables->variables, 0);
    const auto changed = Writer().Change(request);
    ASSERT_TRUE(changed.has_value()) << changed.error().message;
    EXPECT_EQ(changed->modified, 1);
  }
  EXPECT_GT(cluster_.peers.Calls(cluster::PeerMethod::kRunProgram), before + 3);
  for (const std::string& row : Rows("spread"))
    EXPECT_TRUE(row.ends_with(R"("new":"$literal","more":7})")) << row;
}

TEST_F(RemoteWriteTest, SettledChangesTravel) {
  InsertKeys();
  const auto scripts = std::make_shared<EvenIds>();
  const auto statement = WriteStatement::Compile(
      Json(
          R"({"q": {"$where": "even"}, "u": [{"$set": {"f": {"$function": {"body": "id", "args": ["$k"], "lang": "js"}}}}]})"),
      scripts);
  ASSERT_TRUE(statement.has_value()) << statement.error().message;
  ASSERT_TRUE((*statement)->runs_scripts);
  ChangeRequest request;
  request.collection = At(1, "spread");
  request.multi = true;
  request.statement = *statement;
  const auto changed = Writer().Change(request);
  ASSERT_TRUE(changed.has_value()) << changed.error().message;
  EXPECT_EQ(changed->modified, kKeys / 2);
  EXPECT_GE(scripts->calls, kKeys);
  int marked = 0;
  for (const std::string& row : Rows("spread")) marked += row.find("\"f\"") != std::string::npos;
  EXPECT_EQ(marked, kKeys / 2);

  const auto removal = WriteStatement::Compile(Json(R"({"q": {"$where": "even"}})"), scripts);
  request.statement = *removal;
  const auto removed = Writer().Change(request);
  ASSERT_TRUE(removed.has_value()) << removed.error().message;
  EXPECT_EQ(removed->matched, kKeys / 2);
  EXPECT_EQ(Rows("spread").size(), size_t{kKeys} / 2);
}

TEST_F(RemoteWriteTest, CappedCollectionsKeepTheirLimits) {
  for (const char* name : {"ring1", "ring2"}) {
    for (int i = 20; i > 0; --i) {
      const model::Document document = Json(R"({"_id": )" + std::to_string(i) + "}");
      const auto done =
          Writer().Insert({.collection = At(1, name), .documents = {document.view()}});
      ASSERT_TRUE(done.has_value()) << done.error().message;
      ASSERT_TRUE(done->failures.empty()) << done->failures.front().error.message;
    }
    EXPECT_EQ(Rows(name), (std::vector<std::string>{R"({"_id":5})", R"({"_id":4})", R"({"_id":3})",
                                                    R"({"_id":2})", R"({"_id":1})"}));
    EXPECT_EQ(Rows(name, true).front(), R"({"_id":1})");
  }
  EXPECT_GT(cluster_.peers.Calls(cluster::PeerMethod::kRunProgram), 0);
}

}  // namespace
}  // namespace orrery::mongo
