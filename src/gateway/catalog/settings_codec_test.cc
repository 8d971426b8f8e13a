#include "gateway/catalog/settings_codec.h"

#include <gtest/gtest.h>

#include "gateway/catalog/catalog_codec.h"
#include "model/document/json.h"

namespace orrery::gateway {
namespace {

Result<ContainerSettings> Parse(std::string_view json) {
  const auto document = model::ParseJson(json);
  EXPECT_TRUE(document.has_value()) << json;
  return ContainerSettingsFrom(*document);
}

ContainerSettings Full() {
  ContainerSettings settings;
  settings.name = "people";
  settings.partition_key_paths = {"/tenant", "/user"};
  settings.hashing = partition::KeyHashing::kMultiHash;
  settings.order = model::Order::kMongo;
  settings.row_key_path = "/_id";
  settings.ttl_path = "/expires";
  settings.indexing.automatic = false;
  settings.indexing.included_paths = {};
  settings.indexing.excluded_paths = {"/*"};
  settings.indexing.named = {
      {4, "by_name", {*model::Path::Parse("/name"), *model::Path::Parse("/age")}},
      {5, "words", {*model::Path::Parse("/text")}, {}, item::IndexKind::kTerms},
      {6, "cells", {*model::Path::Parse("/at")}, {}, item::IndexKind::kQuadtreeCells},
      {7,
       "vectors",
       {*model::Path::Parse("/v")},
       {},
       item::IndexKind::kVectors,
       {item::VectorIndexType::kSketched, 3, model::VectorMeasure::kEuclidean}}};
  item::NamedIndex& unique = settings.indexing.named.front();
  unique.unique = unique.sparse = true;
  unique.only = model::Expression::Apply(model::Operator::kMongoGreater,
                                         {model::Expression::Reference(*model::Path::Parse("/age")),
                                          model::Expression::Literal(model::Value::DateTime(5))})
                    .value();
  EXPECT_TRUE(
      item::SetCollation(unique, {.locale = "de", .strength = 1, .shifted = true}).has_value());
  settings.indexing.computed = {{"lower", "SELECT VALUE LOWER(c.name) FROM c"}};
  settings.unique_keys = {{"/email"}, {"/a", "/b"}};
  settings.default_ttl_s = -1;
  settings.feed_retention_minutes = 90;
  settings.throughput = partition::ThroughputSettings::Autoscale(4000);
  settings.extra = *model::ParseJson(R"({"api": "mongo"})");
  return settings;
}

TEST(SettingsCodec, RoundTrip) {
  ContainerSettings small;
  small.name = "x";
  for (const ContainerSettings& settings : {Full(), small}) {
    const auto back = ContainerSettingsFrom(ToDocument(settings));
    ASSERT_TRUE(back.has_value()) << back.error().ToString();
    EXPECT_EQ(*back, settings);
  }
}

// The example of docs/format/catalog.md.
TEST(SettingsCodec, JsonIsTheDocumentedOne) {
  ContainerSettings settings;
  settings.name = "orders";
  settings.partition_key_paths = {"/customerId"};
  settings.unique_keys = {{"/number"}};
  settings.default_ttl_s = 86400;
  settings.throughput = partition::ThroughputSettings::Manual(1000);
  EXPECT_EQ(model::ToJson(ToDocument(settings)),
            R"({"id":"orders","partitionKey":{"paths":["/customerId"],"kind":"Hash","version":2},)"
            R"("uniqueKeys":[["/number"]],"defaultTtl":86400,"throughput":{"manual":1000}})");
}

TEST(SettingsCodec, KindsOfKeys) {
  EXPECT_EQ(
      Parse(R"({"id":"a","partitionKey":{"paths":["/p"],"kind":"Hash","version":1}})")->hashing,
      partition::KeyHashing::kV1);
  EXPECT_EQ(Parse(R"({"id":"a","partitionKey":{"paths":["/p"]}})")->hashing,
            partition::KeyHashing::kV2);
  EXPECT_EQ(Parse(R"({"id":"a","partitionKey":{"paths":["/p"],"kind":"Cassandra"}})")->hashing,
            partition::KeyHashing::kCassandra);
}

TEST(SettingsCodec, ErrorsNameTheField) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"id":"a","colour":1})", "no field 'colour'"},
      {R"({"id":7})", "field 'id' must be a string, not int32"},
      {R"({"id":"a","partitionKey":{"paths":"/p"}})", "field 'paths' must be an array"},
      {R"({"id":"a","partitionKey":{"paths":[]}})", "names no paths"},
      {R"({"id":"a","partitionKey":{"paths":["/p"],"kind":"Range"}})", "kind 'Range'"},
      {R"({"id":"a","partitionKey":{"paths":["/p"],"version":3}})", "between 1 and 2"},
      {R"({"id":"a","defaultTtl":1.5})", "whole number"},
      {R"({"id":"a","defaultTtl":-7})", "between -1 and"},
      {R"({"id":"a","throughput":{"manual":400,"autoscaleMax":4000}})", "not both"},
      {R"({"id":"a","throughput":{"auto":4000}})", "no field 'auto'"},
      {R"({"id":"a","throughput":{"manual":400,"burst":true}})", "no field 'burst'"},
      {R"({"id":"a","throughput":{}})", "'throughput' is empty: give manual or autoscaleMax"},
      {R"({"id":"a","throughput":{"manual":400.5}})", "'manual' is 400.5; it must be a whole"},
      {R"({"id":"a","throughput":{"manual":1e30}})", "'manual' is 1e+30; it must be a whole"},
      {R"({"id":"a","throughput":{"manual":null}})", "must be a whole number, not null"},
      {R"({"id":"a","order":"python"})", "order 'python'"},
      {R"({"id":"a","indexingPolicy":{"lazy":true}})", "no field 'lazy'"},
      {R"({"id":"a","uniqueKeys":["/a"]})", "must be an array"},
  };
  for (const auto& [json, why] : cases) {
    const auto settings = Parse(json);
    ASSERT_FALSE(settings.has_value()) << json;
    EXPECT_EQ(settings.error().code(), Code::kInvalidArgument);
    EXPECT_NE(settings.error().message().find(why), std::string::npos)
        << settings.error().message();
  }
}

TEST(CatalogCodec, RecordsRoundTrip) {
  const DatabaseEntry database{DatabaseId(3), "db", partition::ThroughputSettings::Manual(500), 900,
                               *model::ParseJson(R"({"api": "x"})")};
  EXPECT_EQ(*DecodeDatabase(EncodeDatabase(database)), database);

  ContainerEntry entry;
  entry.id = ContainerId(9);
  entry.database = DatabaseId(3);
  entry.settings = Full();
  entry.kind = partition::ContainerKind::kFixed;
  entry.throughput_owner = cluster::ThroughputOwner::Of(DatabaseId(3));
  entry.highest_throughput = 7000;
  entry.highest_index_id = 4;
  entry.version = 12;
  entry.former_indexing = IndexingSettings();
  entry.row_indexes = {.building = {3, 4}, .dropping = {1}};
  const auto back = DecodeContainer(EncodeContainer(entry));
  ASSERT_TRUE(back.has_value()) << back.error().ToString();
  EXPECT_EQ(back->id, entry.id);
  EXPECT_EQ(back->database, entry.database);
  EXPECT_EQ(back->settings, entry.settings);
  EXPECT_EQ(back->kind, entry.kind);
  EXPECT_EQ(back->throughput_owner, entry.throughput_owner);
  EXPECT_EQ(back->highest_throughput, 7000);
  EXPECT_EQ(back->highest_index_id, 4u);
  EXPECT_EQ(back->version, 12u);
  EXPECT_EQ(back->former_indexing, entry.former_indexing);
  EXPECT_EQ(back->row_indexes, entry.row_indexes);
  EXPECT_FALSE(back->has_type_index);
  entry.has_type_index = true;
  EXPECT_TRUE(DecodeContainer(EncodeContainer(entry))->has_type_index);
  EXPECT_FALSE(back->indexes_whole_keys);
  entry.indexes_whole_keys = true;
  EXPECT_TRUE(DecodeContainer(EncodeContainer(entry))->indexes_whole_keys);
}

// Records of older versions are read, and older versions read records without new fields.
TEST(CatalogCodec, VersionsOfRecords) {
  const auto version_of = [](const std::string& bytes) {
    return model::DocumentView::FromBson(bytes)->Find("version")->ToValue();
  };
  EXPECT_EQ(version_of(EncodeDatabase({DatabaseId(3), "db", {}, 0, {}})), model::Value::Int32(1));
  ContainerEntry entry;
  EXPECT_EQ(version_of(EncodeContainer(entry)), model::Value::Int32(1));
  entry.has_type_index = true;
  EXPECT_EQ(version_of(EncodeContainer(entry)), model::Value::Int32(2));
  entry.indexes_whole_keys = true;
  EXPECT_EQ(version_of(EncodeContainer(entry)), model::Value::Int32(3));
}

TEST(CatalogCodec, DamageAndNewerVersions) {
  EXPECT_EQ(DecodeDatabase("").error().code(), Code::kCorruption);
  const std::string bytes = EncodeDatabase({DatabaseId(3), "db", {}, 0, {}});
  for (size_t i = 0; i < bytes.size(); ++i) {
    EXPECT_EQ(DecodeDatabase(std::string_view(bytes).substr(0, i)).error().code(),
              Code::kCorruption)
        << i;
  }
  const auto newer = model::ParseJson(R"({"version": 4, "id": 1, "name": "x"})");
  EXPECT_EQ(DecodeDatabase(newer->bson()).error().code(), Code::kUnsupported);
  EXPECT_EQ(DecodeContainer(newer->bson()).error().code(), Code::kUnsupported);
}

}  // namespace
}  // namespace orrery::gateway
