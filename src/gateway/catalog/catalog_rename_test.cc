#include <gtest/gtest.h>

#include "gateway/catalog/catalog.h"
#include "gateway/test_server.h"

namespace orrery::gateway {
namespace {

using partition::ThroughputSettings;

Code CodeOf(const Result<ContainerRef>& result) {
  return result.has_value() ? Code::kInternal : result.error().code();
}

TEST(CatalogRename, KeepsTheItemsAndSurvivesARestart) {
  TestServer server;
  const ContainerRef before = server.MakeContainer("a");
  ASSERT_TRUE(server.Put(before, R"({"id": "1", "pk": "p"})").status);
  const auto renamed = server.catalog->RenameContainer("db", "a", "db", "b", false);
  ASSERT_TRUE(renamed.has_value()) << renamed.error().ToString();
  EXPECT_EQ((*renamed)->id, before->id);
  EXPECT_FALSE(server.catalog->FindContainer("db", "a").has_value());
  EXPECT_TRUE(server.Get(server.Find("b"), "p", "1").status.has_value());
  // A writer that still holds the former entry writes into the same container.
  ASSERT_TRUE(server.Put(before, R"({"id": "2", "pk": "p"})").status);
  server.Restart();
  EXPECT_FALSE(server.catalog->FindContainer("db", "a").has_value());
  EXPECT_TRUE(server.Get(server.Find("b"), "p", "2").status.has_value());
}

TEST(CatalogRename, ReplacesAnotherInOneStep) {
  TestServer server;
  const ContainerRef a = server.MakeContainer("a");
  const ContainerRef b = server.MakeContainer("b");
  ASSERT_TRUE(server.Put(a, R"({"id": "1", "pk": "p"})").status);
  ASSERT_TRUE(server.Put(b, R"({"id": "2", "pk": "p"})").status);
  EXPECT_EQ(CodeOf(server.catalog->RenameContainer("db", "a", "db", "b", false)),
            Code::kAlreadyExists);
  ASSERT_TRUE(server.catalog->RenameContainer("db", "a", "db", "b", true).has_value());
  EXPECT_TRUE(server.Get(server.Find("b"), "p", "1").status.has_value());
  EXPECT_FALSE(server.Get(server.Find("b"), "p", "2").status.has_value());
  // What was written into the former one is not said to be kept.
  EXPECT_FALSE(server.Put(b, R"({"id": "3", "pk": "p"})").status.has_value());
  server.Restart();
  EXPECT_TRUE(server.Get(server.Find("b"), "p", "1").status.has_value());
  EXPECT_EQ(server.catalog->snapshot()->containers.size(), 1u);
}

TEST(CatalogRename, MovesBetweenDatabases) {
  TestServer server;
  const ContainerRef a = server.MakeContainer("a");
  ASSERT_TRUE(server.Put(a, R"({"id": "1", "pk": "p"})").status);
  EXPECT_EQ(CodeOf(server.catalog->RenameContainer("db", "a", "other", "a", false)),
            Code::kNotFound);
  ASSERT_TRUE(server.catalog->CreateDatabase("other", {}).has_value());
  ASSERT_TRUE(server.catalog->RenameContainer("db", "a", "other", "a", false).has_value());
  ASSERT_TRUE(server.catalog->DropDatabase("db").has_value());
  server.Restart();
  const auto moved = server.catalog->FindContainer("other", "a");
  ASSERT_TRUE(moved.has_value());
  EXPECT_TRUE(server.Get(*moved, "p", "1").status.has_value());
}

TEST(CatalogRename, RefusesToLeaveASharedThroughput) {
  TestServer server;
  ASSERT_TRUE(
      server.catalog->CreateDatabase("shared", ThroughputSettings::Manual(400)).has_value());
  ASSERT_TRUE(server.catalog->CreateDatabase("other", {}).has_value());
  ContainerSettings settings;
  settings.name = "c";
  settings.partition_key_paths = {"/pk"};
  ASSERT_TRUE(server.catalog->CreateContainer("shared", settings).has_value());
  EXPECT_EQ(CodeOf(server.catalog->RenameContainer("shared", "c", "other", "c", false)),
            Code::kUnsupported);
  EXPECT_TRUE(server.catalog->RenameContainer("shared", "c", "shared", "d", false).has_value());
  EXPECT_EQ(CodeOf(server.catalog->RenameContainer("shared", "d", "shared", "d", true)),
            Code::kInvalidArgument);
}

}  // namespace
}  // namespace orrery::gateway
