#include "gateway/catalog/container_settings.h"

#include <gtest/gtest.h>

#include "gateway/catalog/settings_codec.h"
#include "model/document/json.h"

namespace orrery::gateway {
namespace {

ContainerSettings SampleSettings() {
  ContainerSettings settings;
  settings.name = "orders";
  settings.partition_key_paths = {"/customerId"};
  return settings;
}

void ExpectInvalid(const ContainerSettings& settings, std::string_view why) {
  const Status status = Validate(settings, {});
  ASSERT_FALSE(status.has_value()) << why;
  EXPECT_NE(status.error().message().find(why), std::string::npos) << status.error().message();
}

TEST(ContainerSettings, DefaultsAreValid) {
  EXPECT_TRUE(Validate(SampleSettings(), {}).has_value());
  ContainerSettings fixed;
  fixed.name = "small";
  EXPECT_TRUE(Validate(fixed, {}).has_value());
}

TEST(ContainerSettings, Names) {
  EXPECT_TRUE(ValidateName("container", "Ψ in UTF-8, with spaces").has_value());
  for (const std::string& name :
       {std::string(), std::string(256, 'x'), std::string("a/b"), std::string("a\\b"),
        std::string("a?"), std::string("a#"), std::string("a\n"), std::string("a "),
        std::string("\xff\xfe"), std::string("a\0b", 3)}) {
    const Status status = ValidateName("container", name);
    ASSERT_FALSE(status.has_value()) << name;
    EXPECT_EQ(status.error().code(), Code::kInvalidArgument);
  }
}

TEST(ContainerSettings, KeyPathsFollowTheHashing) {
  ContainerSettings settings = SampleSettings();
  settings.partition_key_paths = {"/a", "/b"};
  ExpectInvalid(settings, "MultiHash");
  settings.hashing = partition::KeyHashing::kMultiHash;
  EXPECT_TRUE(Validate(settings, {}).has_value());
  settings.partition_key_paths = {"/a", "/b", "/c", "/d"};
  ExpectInvalid(settings, "it needs 1 to 3");
  settings.hashing = partition::KeyHashing::kCassandra;
  EXPECT_TRUE(Validate(settings, {}).has_value());
  settings.partition_key_paths = {};
  ExpectInvalid(settings, "columns");
  settings = SampleSettings();
  settings.partition_key_paths = {"noslash"};
  ExpectInvalid(settings, "partition key path 'noslash'");
  settings.partition_key_paths = {"/"};
  ExpectInvalid(settings, "must name a field");
}

TEST(ContainerSettings, UniqueKeys) {
  ContainerSettings settings = SampleSettings();
  settings.unique_keys.assign(11, {"/a"});
  ExpectInvalid(settings, "the most is 10");
  settings.unique_keys = {{}};
  ExpectInvalid(settings, "it needs 1 to 16");
  settings.unique_keys = {{"/a", "/b"}, {"/a", "/b"}};
  ExpectInvalid(settings, "given twice");
}

TEST(ContainerSettings, TtlRetentionAndThroughput) {
  ContainerSettings settings = SampleSettings();
  for (const int32_t ttl : {0, -2}) {
    settings.default_ttl_s = ttl;
    ExpectInvalid(settings, "ttl");
  }
  settings.default_ttl_s = -1;
  EXPECT_TRUE(Validate(settings, {}).has_value());
  settings.feed_retention_minutes = kFeedRetentionMinutesMax + 1;
  ExpectInvalid(settings, "30 days");

  settings = SampleSettings();
  settings.throughput = partition::ThroughputSettings::Manual(300);
  ExpectInvalid(settings, "at least 400");
  settings.throughput = partition::ThroughputSettings::Manual(450);
  ExpectInvalid(settings, "multiple of 100");
}

TEST(ContainerSettings, Indexing) {
  ContainerSettings settings = SampleSettings();
  settings.indexing.included_paths = {"/a/*"};
  settings.indexing.excluded_paths = {};
  ExpectInvalid(settings, "indexing policy");
  settings = SampleSettings();
  settings.indexing.named = {{1, "one", {*model::Path::Parse("/a")}},
                             {1, "two", {*model::Path::Parse("/b")}}};
  ExpectInvalid(settings, "index 'two'");
  settings.indexing.named[1] = {2, "one", {*model::Path::Parse("/b")}};
  ExpectInvalid(settings, "a name of its own");
  settings.indexing.named = {{1, "words", {*model::Path::Parse("/a")}}};
  settings.indexing.named[0].kind = item::IndexKind::kTerms;
  EXPECT_TRUE(Validate(settings, {}).has_value());
  settings.indexing.named[0].paths = {model::Path()};
  ExpectInvalid(settings, "of one path, below the document");
  settings.indexing.named[0].paths = {*model::Path::Parse("/a"), *model::Path::Parse("/b")};
  ExpectInvalid(settings, "of one path, below the document");
}

TEST(ContainerSettings, TotalSize) {
  ContainerSettings settings = SampleSettings();
  settings.extra = *model::ParseJson("{\"x\": \"" + std::string(kSettingsBytesMax, 'x') + "\"}");
  const Status status = Validate(settings, {});
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().code(), Code::kTooLarge);
}

TEST(ContainerSettings, SchemaSaysWhatSettingsSay) {
  ContainerSettings settings = SampleSettings();
  settings.unique_keys = {{"/email"}};
  settings.default_ttl_s = 60;
  settings.feed_retention_minutes = 2;
  const partition::Limits limits;
  const auto schema = MakeSchema(ContainerId(3), settings, partition::ContainerKind::kUnlimited,
                                 StoredIndexing(), limits);
  ASSERT_TRUE(schema.has_value());
  EXPECT_EQ(schema->id, ContainerId(3));
  EXPECT_EQ(schema->partition_key_paths.at(0).ToString(), "/customerId");
  EXPECT_EQ(schema->row_key_path.ToString(), "/id");
  EXPECT_EQ(schema->unique_keys.size(), 1u);
  EXPECT_EQ(schema->feed_retention, std::chrono::minutes(2));
  EXPECT_EQ(schema->logical_partition_bytes_max, limits.logical_partition_bytes_max);
  EXPECT_FALSE(schema->former_indexing.has_value());

  const auto fixed = MakeSchema(ContainerId(3), settings, partition::ContainerKind::kFixed,
                                {.former = settings.indexing}, limits);
  EXPECT_EQ(fixed->logical_partition_bytes_max, limits.fixed_container_bytes_max);
  EXPECT_TRUE(fixed->former_indexing.has_value());
}

TEST(ContainerSettings, OneKeyMustFitIntoAPhysicalPartition) {
  partition::Limits limits;
  limits.physical_partition_bytes_max = 8 * partition::kMegabyte;
  for (const auto kind : {partition::ContainerKind::kUnlimited, partition::ContainerKind::kFixed}) {
    const auto schema =
        MakeSchema(ContainerId(3), SampleSettings(), kind, StoredIndexing(), limits);
    ASSERT_TRUE(schema.has_value());
    EXPECT_EQ(schema->logical_partition_bytes_max, 8 * partition::kMegabyte);
  }
}

}  // namespace
}  // namespace orrery::gateway
