// Indexes over computed properties: what they find is what a look at all documents finds, also
// while definitions change.
#include "api/sql/query/computed/computed_index.h"

#include <gtest/gtest.h>

#include "api/sql/query/source/source_testing.h"
#include "model/document/json.h"

namespace orrery::sql {
namespace {

class ComputedIndexTest : public SourceTest {
 protected:
  static model::Value Definitions(const std::string& of_lower) {
    const std::string json =
        R"({"list":[{"name":"lower","query":"SELECT VALUE )" + of_lower +
        R"( FROM c"},{"name":"twice","query":"SELECT VALUE c.n * 2 FROM c"},)" +
        R"({"name":"tag","query":"SELECT VALUE c._etag FROM c"}]})";
    return model::ParseJson(json)->view().Get("list");
  }

  static gateway::ContainerSettings Settings(const std::string& of_lower) {
    gateway::ContainerSettings settings;
    settings.name = "c";
    settings.partition_key_paths = {"/pk"};
    settings.throughput = partition::ThroughputSettings::Manual(2 * kRate);
    settings.indexing.included_paths = {"/*", "/lower/?", "/tag/?"};
    settings.indexing.named = {
        {.id = 1,
         .name = "both",
         .paths = {*model::Path::Parse("/twice"), *model::Path::Parse("/n")}}};
    settings.indexing.computed = IndexedComputed(Definitions(of_lower), settings.indexing);
    return settings;
  }

  QueryRequest Ask(const gateway::ContainerRef& container, const std::string& of_lower,
                   std::string text) const {
    QueryRequest request{.container = container, .text = std::move(text)};
    request.computed = ComputedProperties(Definitions(of_lower));
    request.wants_index_use = true;
    return request;
  }

  void PutAll(const gateway::ContainerRef& container) {
    std::vector<std::string> documents;
    for (int i = 0; i < 60; ++i) {
      const std::string n = std::to_string(i);
      documents.push_back(R"({"id":")" + n + R"(","pk":")" + n + R"(","n":)" + n +
                          R"(,"name":"Name )" + n + R"(","lower":"stored"})");
    }
    documents.push_back(R"({"id":"x","pk":"x"})");
    Put(container, documents);
  }
};

using Rows = std::vector<std::string>;

TEST_F(ComputedIndexTest, OnlyThoseThatPathsName) {
  gateway::IndexingSettings indexing;
  const model::Value definitions = Definitions("LOWER(c.name)");
  EXPECT_TRUE(IndexedComputed(definitions, indexing).empty());
  const auto indexed = Settings("LOWER(c.name)").indexing.computed;
  ASSERT_EQ(indexed.size(), 2u);  // the etag is not stored
  EXPECT_EQ(indexed[0].name, "lower");
  EXPECT_EQ(indexed[1].name, "twice");
}

TEST_F(ComputedIndexTest, QueriesUseThem) {
  const auto created = server_.catalog->CreateContainer("db", Settings("LOWER(c.name)"));
  ASSERT_TRUE(created.has_value()) << created.error().ToString();
  PutAll(*created);
  const auto ask = [&](std::string text) {
    return Ask(*created, "LOWER(c.name)", std::move(text));
  };

  QueryPage page = RunPage(ask("SELECT VALUE c.n FROM c WHERE c.lower = 'name 7'"));
  EXPECT_EQ(page.rows, (Rows{"7"}));
  EXPECT_EQ(page.metrics.examined, 1u);
  EXPECT_EQ(page.indexes.used, (Rows{"/lower/?"}));
  EXPECT_TRUE(RunAll(ask("SELECT * FROM c WHERE c.lower = 'stored'")).empty());

  page = RunPage(ask("SELECT TOP 3 VALUE c.lower FROM c ORDER BY c.lower DESC"));
  EXPECT_EQ(page.rows, (Rows{"\"name 9\"", "\"name 8\"", "\"name 7\""}));
  EXPECT_LE(page.metrics.examined, 40u);

  page = RunPage(ask("SELECT VALUE c.n FROM c WHERE c.twice = 14 AND c.n = 7"));
  EXPECT_EQ(page.rows, (Rows{"7"}));
  EXPECT_EQ(page.indexes.used_composite.size(), 1u);
  EXPECT_EQ(
      RunInOrder(ask("SELECT VALUE c.twice FROM c WHERE c.twice >= 100 ORDER BY c.twice, c.n")),
      (Rows{"100", "102", "104", "106", "108", "110", "112", "114", "116", "118"}));
}

TEST_F(ComputedIndexTest, AChangedDefinitionIsIndexedAnew) {
  auto container = server_.catalog->CreateContainer("db", Settings("LOWER(c.name)"));
  ASSERT_TRUE(container.has_value());
  PutAll(*container);
  container = server_.catalog->UpdateContainer("db", Settings("UPPER(c.name)"));
  ASSERT_TRUE(container.has_value()) << container.error().ToString();
  const std::string text = "SELECT VALUE c.n FROM c WHERE c.lower = 'NAME 7'";
  EXPECT_EQ(RunAll(Ask(*container, "UPPER(c.name)", text)), (Rows{"7"}));
  server_.catalog->WaitForIndexes();
  container = server_.catalog->FindContainer("db", "c");
  ASSERT_TRUE(container.has_value());
  const QueryPage page = RunPage(Ask(*container, "UPPER(c.name)", text));
  EXPECT_EQ(page.rows, (Rows{"7"}));
  EXPECT_EQ(page.metrics.examined, 1u);
  EXPECT_EQ(
      RunAll(Ask(*container, "UPPER(c.name)", "SELECT VALUE c.n FROM c WHERE c.lower = 'name 7'")),
      Rows{});
  server_.Restart();
}

}  // namespace
}  // namespace orrery::sql
