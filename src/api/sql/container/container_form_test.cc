#include "api/sql/container/container_form.h"

#include <gtest/gtest.h>

#include "api/sql/container/kept_properties.h"
#include "model/document/json.h"

namespace orrery::sql {
namespace {

using partition::KeyHashing;

constexpr Micros kNow{std::chrono::seconds(100)};

gateway::ContainerSettings New(std::string_view json) {
  auto settings = NewContainer(*model::ParseJson(json), kNow);
  EXPECT_TRUE(settings.has_value()) << settings.error().ToString();
  return settings.has_value() ? *std::move(settings) : gateway::ContainerSettings();
}
gateway::ContainerEntry EntryOf(gateway::ContainerSettings settings) {
  gateway::ContainerEntry entry;
  entry.id = ContainerId(3);
  entry.database = DatabaseId(2);
  entry.settings = std::move(settings);
  return entry;
}
std::string Seen(const gateway::ContainerEntry& entry, std::string_view name) {
  const model::Value seen = SeenContainer(entry);
  const model::Value* field = seen.Find(name);
  return field == nullptr ? "" : model::ToJson(*field);
}

TEST(ContainerForm, Defaults) {
  const auto entry = EntryOf(New(R"({"id":"c","partitionKey":{"paths":["/pk"]}})"));
  EXPECT_EQ(entry.settings.hashing, KeyHashing::kV1);
  EXPECT_EQ(Seen(entry, "partitionKey"), R"({"paths":["/pk"],"kind":"Hash"})");
  EXPECT_EQ(Seen(entry, "indexingPolicy"),
            R"({"indexingMode":"consistent","automatic":true,"includedPaths":[{"path":"/*"}],)"
            R"("excludedPaths":[{"path":"/\"_etag\"/?"}]})");
  EXPECT_EQ(Seen(entry, "_ts"), "100");
  EXPECT_EQ(Seen(entry, "_docs"), R"("docs/")");
  EXPECT_EQ(Seen(entry, "geospatialConfig"), R"({"type":"Geography"})");
}

TEST(ContainerForm, KeysOfAllKinds) {
  const auto none = New(R"({"id":"c"})");
  EXPECT_TRUE(none.partition_key_paths.empty());
  const std::string system = R"({"paths":["/_partitionKey"],"kind":"Hash","systemKey":true})";
  EXPECT_EQ(Seen(EntryOf(none), "partitionKey"), system);
  EXPECT_TRUE(New(R"({"id":"c","partitionKey":)" + system + "}").partition_key_paths.empty());
  EXPECT_EQ(New(R"({"id":"c","partitionKey":{"paths":["/a"],"version":2}})").hashing,
            KeyHashing::kV2);
  const auto hierarchy =
      New(R"({"id":"c","partitionKey":{"paths":["/a","/b"],"kind":"MultiHash","version":2}})");
  EXPECT_EQ(hierarchy.hashing, KeyHashing::kMultiHash);
  EXPECT_EQ(Seen(EntryOf(hierarchy), "partitionKey"),
            R"({"paths":["/a","/b"],"kind":"MultiHash","version":2})");
}

TEST(ContainerForm, WhatTheCoreDoesNotFollowIsKept) {
  const char* const kept[] = {
      R"("vectorEmbeddingPolicy":{"vectorEmbeddings":[{"path":"/v","dimensions":3}]})",
      R"("fullTextPolicy":{"defaultLanguage":"en-US"})",
      R"("conflictResolutionPolicy":{"mode":"Custom"})", R"("analyticalStorageTtl":-1)"};
  for (const char* property : kept) {
    const auto entry = EntryOf(New(R"({"id":"c",)" + std::string(property) + "}"));
    EXPECT_NE(model::ToJson(SeenContainer(entry)).find(property), std::string::npos) << property;
  }
  const auto spatial = EntryOf(New(
      R"({"id":"c","indexingPolicy":{"includedPaths":[{"path":"/*"}],"spatialIndexes":[{"path":"/at/*","types":["Point"]}]}})"));
  EXPECT_NE(Seen(spatial, "indexingPolicy").find(R"("spatialIndexes":[{"path":"/at/*")"),
            std::string::npos);
}

TEST(ContainerForm, WhatTheCoreFollows) {
  const auto settings = New(
      R"({"id":"c","defaultTtl":60,"changeFeedPolicy":{"retentionDuration":10},
          "uniqueKeyPolicy":{"uniqueKeys":[{"paths":["/a","/b"]}]},
          "indexingPolicy":{"includedPaths":[{"path":"/a/?"}],"excludedPaths":[{"path":"/*"}]}})");
  EXPECT_EQ(settings.default_ttl_s, 60);
  EXPECT_EQ(settings.feed_retention_minutes, 10u);
  EXPECT_EQ(settings.unique_keys.size(), 1u);
  EXPECT_EQ(settings.indexing.included_paths, std::vector<std::string>{"/a/?"});
  EXPECT_FALSE(New(R"({"id":"c","indexingPolicy":{"indexingMode":"none"}})").indexing.automatic);
}

TEST(ContainerForm, AChangeLeavesWhatOthersKeep) {
  auto settings = New(R"({"id":"c","partitionKey":{"paths":["/pk"],"version":2}})");
  model::Value all = settings.extra->view().ToObject();
  SetField(all, "scripts", model::Value::Int32(1));
  settings.extra = *model::ParseJson(model::ToJson(all));
  const auto changed =
      ChangedContainer(EntryOf(settings), *model::ParseJson(R"({"id":"c","defaultTtl":5})"), kNow);
  ASSERT_TRUE(changed.has_value()) << changed.error().ToString();
  EXPECT_EQ(changed->default_ttl_s, 5);
  EXPECT_EQ(changed->partition_key_paths, settings.partition_key_paths);
  EXPECT_EQ(changed->extra->view().Get("scripts").AsInteger(), 1);
}

TEST(ContainerForm, WhatCannotChange) {
  const auto entry = EntryOf(New(
      R"({"id":"c","partitionKey":{"paths":["/pk"],"version":2},"uniqueKeyPolicy":{"uniqueKeys":[{"paths":["/a"]}]}})"));
  for (const char* body : {R"({"id":"d"})", R"({"id":"c","partitionKey":{"paths":["/pk"]}})",
                           R"({"id":"c","partitionKey":{"paths":["/x"],"version":2}})",
                           R"({"id":"c","uniqueKeyPolicy":{"uniqueKeys":[]}})"}) {
    EXPECT_FALSE(ChangedContainer(entry, *model::ParseJson(body), kNow).has_value()) << body;
  }
}

TEST(ContainerForm, CompositeIndexesKeepTheirIds) {
  const auto with = [](std::string_view composite) {
    return R"({"id":"c","indexingPolicy":{"includedPaths":[{"path":"/*"}],"compositeIndexes":)" +
           std::string(composite) + "}}";
  };
  gateway::ContainerEntry entry = EntryOf(New(with(R"([[{"path":"/a"},{"path":"/b"}]])")));
  ASSERT_EQ(entry.settings.indexing.named.size(), 1u);
  EXPECT_EQ(entry.settings.indexing.named[0].id, 1u);
  EXPECT_NE(Seen(entry, "indexingPolicy").find(R"("compositeIndexes":[[{"path":"/a"},)"),
            std::string::npos);
  entry.highest_index_id = 1;
  const auto changed = ChangedContainer(
      entry,
      *model::ParseJson(with(R"([[{"path":"/x"},{"path":"/b"}],[{"path":"/a"},{"path":"/b"}]])")),
      kNow);
  ASSERT_TRUE(changed.has_value()) << changed.error().ToString();
  ASSERT_EQ(changed->indexing.named.size(), 2u);
  EXPECT_EQ(changed->indexing.named[0].id, 2u);
  EXPECT_EQ(changed->indexing.named[1].id, 1u);
}

TEST(ContainerForm, ComputedPropertiesAreKeptForQueries) {
  const char* const list = R"([{"name":"up","query":"SELECT VALUE UPPER(c.n) FROM c"}])";
  const auto entry = EntryOf(New(R"({"id":"c","computedProperties":)" + std::string(list) + "}"));
  EXPECT_EQ(Seen(entry, "computedProperties"), list);
  const ComputedProperties kept = ComputedPropertiesOf(entry);
  ASSERT_NE(kept.Find("up"), nullptr);
  EXPECT_EQ(kept.Find("up")->query, "SELECT VALUE UPPER(c.n) FROM c");
  EXPECT_EQ(kept.Find("n"), nullptr);
  EXPECT_EQ(ComputedPropertiesOf(EntryOf(New(R"({"id":"c"})"))).Find("up"), nullptr);
}

TEST(ContainerForm, WhatIsWrong) {
  for (const char* body :
       {"{}", R"({"id":1})", R"({"id":"c","partitionKey":{}})",
        R"({"id":"c","partitionKey":{"paths":["/a"],"kind":"Range"}})",
        R"({"id":"c","partitionKey":{"paths":["/a"],"kind":"MultiHash"}})",
        R"({"id":"c","defaultTtl":"x"})", R"({"id":"c","defaultTtl":-2})",
        R"({"id":"c","indexingPolicy":[]})",
        R"({"id":"c","indexingPolicy":{"includedPaths":[{}]}})",
        R"({"id":"c","indexingPolicy":{"indexingMode":"none","automatic":true}})",
        R"({"id":"c","uniqueKeyPolicy":{"uniqueKeys":[{}]}})",
        R"({"id":"c","computedProperties":[{"name":"x"}]})",
        R"({"id":"c","computedProperties":[{"name":"x","query":"SELECT c.a FROM c"}]})",
        R"({"id":"c","changeFeedPolicy":{"retentionDuration":-1}})"}) {
    EXPECT_FALSE(NewContainer(*model::ParseJson(body), kNow).has_value()) << body;
  }
}

}  // namespace
}  // namespace orrery::sql
