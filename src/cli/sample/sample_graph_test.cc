#include "cli/sample/sample_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "model/document/json.h"

namespace orrery::cli {
namespace {

TEST(SampleGraphTest, HasTheDocumentsOfTheStore) {
  const auto modern = MakeSampleGraph("modern", "_pk");
  ASSERT_TRUE(modern.has_value());
  ASSERT_EQ(modern->vertices.size(), 6u);
  ASSERT_EQ(modern->edges.size(), 6u);
  EXPECT_EQ(model::ToJson(modern->vertices[0]),
            R"({"id":"1","label":"person","_idType":"int","_pk":"1",)"
            R"("name":[{"id":"1|name","_value":"marko"}],"age":[{"id":"1|age","_value":29}]})");
  EXPECT_EQ(model::ToJson(modern->edges[0]),
            R"({"id":"7","label":"knows","_idType":"int","_pk":"1","_isEdge":true,"_vertexId":"1",)"
            R"("_vertexIdType":"int","_vertexLabel":"person","_sink":"2","_sinkIdType":"int",)"
            R"("_sinkLabel":"person","_sinkPartition":"2","weight":0.5})");
}

TEST(SampleGraphTest, EdgesAreWithTheirSources) {
  for (const std::string_view name : SampleGraphNames()) {
    for (const std::string_view key : {"_pk", "kind"}) {
      const auto graph = MakeSampleGraph(name, key);
      ASSERT_TRUE(graph.has_value());
      std::set<std::pair<std::string, std::string>> vertices;
      const auto text = [](model::DocumentView document, std::string_view field) {
        return std::string(document.Get(field).AsString());
      };
      for (const model::Document& vertex : graph->vertices)
        vertices.emplace(text(vertex, key), text(vertex, "id"));
      for (const model::Document& edge : graph->edges) {
        EXPECT_TRUE(vertices.contains({text(edge, key), text(edge, "_vertexId")}));
        EXPECT_TRUE(vertices.contains({text(edge, "_sinkPartition"), text(edge, "_sink")}));
      }
    }
  }
}

TEST(SampleGraphTest, NamesThoseThereAre) {
  const auto unknown = MakeSampleGraph("moderm", "_pk");
  ASSERT_FALSE(unknown.has_value());
  EXPECT_THAT(unknown.error().message(), testing::HasSubstr("modern, classic, crew"));
}

}  // namespace
}  // namespace orrery::cli
